#!/usr/bin/python3
"""archive.py wheel|tarball CPU FOLDER OUT: packs FOLDER/stage, which program.sh made, into OUT/NAME, and prints the name.

The same files give the same bytes: names are sorted, and every time is SOURCE_DATE_EPOCH."""
import base64
import gzip
import hashlib
import io
import os
import re
import sys
import tarfile
import time
import zipfile

from elf_check import PROMISED
from sbom import LIBRARIES, read_versions, sbom_text

ABOUT = "Prices, plans, runs and accounts for machine-learning jobs, so that they cost less"
METADATA = """Metadata-Version: 2.1
Name: stint
Version: {version}
Summary: {about}
License: Apache-2.0
Keywords: machine-learning,cost,gpu,finops,budget,spot
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Environment :: GPU :: NVIDIA CUDA
Classifier: Intended Audience :: Developers
Classifier: Intended Audience :: Science/Research
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Requires-Python: >=3.9
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Description-Content-Type: text/markdown

{readme}"""
README = """# Stint

Stint prices, plans, runs and accounts for machine-learning jobs, so that they cost less.

    stint plan llama-2-7b --method lora --tokens 25M --budget 100usd
    stint run --budget '$5' -- python3 train.py
    stint help

`import stint` has every command as a function:

    import stint
    plan = stint.plan("llama-2-7b", method="lora", tokens="25M")
    print(plan.plans[0].offer, plan.plans[0].cost)
"""
TARBALL_README = """Stint {version}: {about}.

    bin/stint help               the program; link to it or copy this folder anywhere
    share/man, share/*           man pages, completion for bash, zsh and fish
    lib/libstint.so.0, include   the same operations as a C library
    python                       as a Python package: PYTHONPATH=FOLDER/python
    sha256sum -c SHA256SUMS      checks the files
    stint.spdx.json, licenses    the libraries that are linked in

It needs Linux with glibc {glibc} or later. PostgreSQL ledgers need libpq.so.5, pictures other than SVG
librsvg-2.so.2, 'stint serve' libgnutls.so.30 (3.6.3), and Parquet files libduckdb.so; a command that lacks one
names it.
"""


class Stage:
    """What program.sh made, and facts of the checkout."""

    def __init__(self, cpu, folder):
        self.cpu, self.folder = cpu, folder
        self.seconds = max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800)  # a zip file begins with 1980
        with open("meson.build", encoding="utf-8") as file:
            self.version = re.search(r"version: '([^']+)'", file.read()).group(1)
        self.versions = read_versions(os.path.join(folder, "packages.txt"))

    def files(self, under):
        """(path below `under`, bytes), sorted."""
        top = os.path.join(self.folder, "stage", under)
        found = []
        for path, _, names in os.walk(top):
            found += [os.path.join(path, name) for name in names]
        for file in sorted(found):
            yield os.path.relpath(file, top), read_bytes(file)

    def sbom(self):
        return sbom_text(self.version, self.cpu, self.versions, self.seconds).encode()

    def licenses(self):
        """(name, bytes): ours, and the copyright of each library."""
        yield "LICENSE", read_bytes("LICENSE")
        for source, holder, _ in LIBRARIES:
            file = os.path.join(self.folder, "sysroot/usr/share/doc", holder, "copyright")
            yield source + ".txt", read_bytes(file)


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def glibc_name(between):
    return between.join(map(str, PROMISED))


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def wheel_files(stage, tag):
    """(name, bytes) of all files but RECORD."""
    data, info = f"stint-{stage.version}.data/", f"stint-{stage.version}.dist-info/"
    for name, content in stage.files("python/stint"):
        yield "stint/" + name, content
    for name, content in stage.files("lib"):  # parts are in parts/, beside the library
        yield "stint/lib/" + re.sub("^stint/", "parts/", name), content
    for name, content in stage.files("bin"):
        yield data + "scripts/" + name, content
    for name, content in stage.files("share"):
        if not name.startswith("stint/schema/"):  # `stint schema -o` writes them
            yield data + "data/share/" + name, content
    for name, content in stage.licenses():
        yield info + "licenses/" + name, content
    yield info + "sboms/stint.spdx.json", stage.sbom()
    yield info + "METADATA", METADATA.format(version=stage.version, about=ABOUT, readme=README).encode()
    yield info + "WHEEL", (f"Wheel-Version: 1.0\nGenerator: stint-package {stage.version}\n"
                           f"Root-Is-Purelib: false\nTag: {tag}\n").encode()


def is_program(name):
    return "/bin/" in name or ".data/scripts/" in name or ".so" in os.path.basename(name)


def make_wheel(stage):
    tag = f"py3-none-manylinux_{glibc_name('_')}_{stage.cpu}"
    record_name = f"stint-{stage.version}.dist-info/RECORD"
    files = list(wheel_files(stage, tag))
    record = "".join(record_line(*file) for file in files) + record_name + ",,\n"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files + [(record_name, record.encode())]:
            info = zipfile.ZipInfo(name, time.gmtime(stage.seconds)[:6])
            info.create_system = 3
            info.external_attr = (0o100755 if is_program(name) else 0o100644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content, compresslevel=9)
    return f"stint-{stage.version}-{tag}.whl", out.getvalue()


def tarball_files(stage):
    for name, content in stage.files(""):
        yield name, content
    for name, content in stage.licenses():
        yield name if name == "LICENSE" else "licenses/" + name, content
    yield "README", TARBALL_README.format(version=stage.version, about=ABOUT, glibc=glibc_name(".")).encode()
    yield "stint.spdx.json", stage.sbom()


def make_tarball(stage):
    """gzip, not xz: a bare system can unpack it."""
    top = f"stint-{stage.version}-linux-{stage.cpu}"
    files = sorted(tarball_files(stage))
    sums = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in files)
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files + [("SHA256SUMS", sums.encode())]:
            info = tarfile.TarInfo(f"{top}/{name}")
            info.size, info.mtime = len(content), stage.seconds
            info.mode = 0o755 if is_program(f"/{name}") else 0o644
            archive.addfile(info, io.BytesIO(content))
    return top + ".tar.gz", gzip.compress(plain.getvalue(), 9, mtime=stage.seconds)


def main(kind, cpu, folder, out):
    stage = Stage(cpu, folder)
    name, content = {"wheel": make_wheel, "tarball": make_tarball}[kind](stage)
    with open(os.path.join(out, name), "wb") as file:
        file.write(content)
    print(os.path.join(out, name))


if __name__ == "__main__":
    main(*sys.argv[1:])
