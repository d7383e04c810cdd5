#!/usr/bin/python3
"""elf_check.py FOLDER...: do all programs and libraries in the folders work with a C library as old as the packages promise,
and without other libraries? Prints the version that they promise and the newest that they need; fails with a line for each
file that needs more."""
import os
import re
import subprocess
import sys

PROMISED = (2, 27)  # glibc of Ubuntu 18.04; the name of the wheel and docs/guide/install.md say so
SYSTEM = re.compile(r"lib(c|m|dl|pthread|rt)\.so\.\d+|ld-linux-(x86-64|aarch64)\.so\.\d+")
# What a part may need besides: it names the library where that is missing. libstint brings SQLite with it.
ALSO = {"postgres.so": {"libpq.so.5"}, "http.so": {"libgnutls.so.30"}, "libstint.so.0": {"libsqlite3.so.0"},
        "images.so": {"libspng.so.0"},
        "raster.so": {"librsvg-2.so.2", "libcairo.so.2", "libglib-2.0.so.0", "libgobject-2.0.so.0"}}


def elf_files(folder):
    for path, _, names in os.walk(folder):
        for name in sorted(names):
            file = os.path.join(path, name)
            if os.path.islink(file):
                continue
            with open(file, "rb") as opened:
                if opened.read(4) == b"\x7fELF":
                    yield file


def readelf(file, *options):
    return subprocess.run(["readelf", "-W", *options, file], check=True, capture_output=True, text=True).stdout


def needed_versions(symbols):
    """{(2, 28): ["fcntl64"]} of the lines of readelf --dyn-syms."""
    found = {}
    for name, version in re.findall(r"UND (\S+?)@+GLIBC_([0-9.]+)", symbols):
        found.setdefault(tuple(int(part) for part in version.split(".")), []).append(name)
    return found


def problems_of(name, versions, libraries):
    for version, symbols in sorted(versions.items()):
        if version[:2] > PROMISED:
            yield f"{name} needs glibc {'.'.join(map(str, version))}: {', '.join(sorted(symbols))}"
    for library in libraries:
        if not SYSTEM.fullmatch(library) and library not in ALSO.get(name, ()):
            yield f"{name} needs {library}"


def main(folders):
    newest, problems, count = (0,), [], 0
    for folder in folders:
        for file in elf_files(folder):
            versions = needed_versions(readelf(file, "--dyn-syms"))
            libraries = re.findall(r"\(NEEDED\).*\[(.+)\]", readelf(file, "-d"))
            problems += problems_of(os.path.basename(file), versions, libraries)
            newest, count = max([newest, *versions]), count + 1
    for problem in problems:
        print("package:", problem, file=sys.stderr)
    print(f"{count} files need glibc {'.'.join(map(str, newest))}; promised: {'.'.join(map(str, PROMISED))}")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
