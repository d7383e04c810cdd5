"""Wheels, tarballs, bills of materials and the check of files, from a small folder in place of a compiled program."""
import base64
import csv
import email
import gzip
import hashlib
import io
import json
import os
import re
import tarfile
import tempfile
import unittest
import zipfile

import archive
import elf_check
import sbom

FILES = {"bin/stint": b"\x7fELF program", "lib/libstint.so.0": b"\x7fELF library", "lib/libsqlite3.so.0": b"\x7fELF sqlite",
         "lib/stint/net.so": b"\x7fELF part", "share/man/man1/stint.1": b".TH", "share/stint/schema/plan.json": b"{}",
         "include/stint.h": b"/* */", "python/stint/__init__.py": b'__version__ = "0.1.0"\n'}
SPDX_ID = re.compile(r"SPDXRef-[A-Za-z0-9.-]+")


def make_stage(folder):
    for name, content in FILES.items():
        path = os.path.join(folder, "stage", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
    with open(os.path.join(folder, "packages.txt"), "w", encoding="utf-8") as file:
        for source, holder, _ in sbom.LIBRARIES:
            file.write(f"{holder}\t1:2.3+dfsg-1\t{source}\n")
    for source, holder, _ in sbom.LIBRARIES:
        path = os.path.join(folder, "sysroot/usr/share/doc", holder)
        os.makedirs(path)
        with open(os.path.join(path, "copyright"), "w", encoding="utf-8") as file:
            file.write("license of " + source)


class Archives(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        make_stage(folder.name)
        os.environ["SOURCE_DATE_EPOCH"] = "1790000000"
        self.folder = folder.name
        self.stage = archive.Stage("x86_64", folder.name)

    def test_wheel_has_what_pip_needs(self):
        name, data = archive.make_wheel(self.stage)
        self.assertEqual(name, "stint-0.1.0-py3-none-manylinux_2_27_x86_64.whl")
        with zipfile.ZipFile(io.BytesIO(data)) as wheel:
            self.assertIsNone(wheel.testzip())
            names = wheel.namelist()
            modes = {info.filename: info.external_attr >> 16 for info in wheel.infolist()}
            metadata = email.message_from_bytes(wheel.read("stint-0.1.0.dist-info/METADATA"))
            tags = email.message_from_bytes(wheel.read("stint-0.1.0.dist-info/WHEEL"))
        self.assertEqual(modes["stint-0.1.0.data/scripts/stint"], 0o100755)
        self.assertEqual(modes["stint/__init__.py"], 0o100644)
        for file in ("stint/lib/libstint.so.0", "stint/lib/libsqlite3.so.0", "stint/lib/parts/net.so",
                     "stint-0.1.0.data/data/share/man/man1/stint.1", "stint-0.1.0.dist-info/licenses/LICENSE",
                     "stint-0.1.0.dist-info/licenses/openssl.txt", "stint-0.1.0.dist-info/sboms/stint.spdx.json"):
            self.assertIn(file, names)
        self.assertEqual([file for file in names if "schema" in file], [])
        self.assertEqual((metadata["Name"], metadata["Version"], metadata["Requires-Python"]), ("stint", "0.1.0", ">=3.9"))
        self.assertEqual((tags["Tag"], tags["Root-Is-Purelib"]), ("py3-none-manylinux_2_27_x86_64", "false"))

    def test_record_names_every_file_with_its_hash(self):
        _, data = archive.make_wheel(self.stage)
        with zipfile.ZipFile(io.BytesIO(data)) as wheel:
            rows = list(csv.reader(io.StringIO(wheel.read("stint-0.1.0.dist-info/RECORD").decode())))
            self.assertEqual(sorted(row[0] for row in rows), sorted(wheel.namelist()))
            for name, digest, size in rows:
                if name.endswith("/RECORD"):
                    self.assertEqual((digest, size), ("", ""))
                    continue
                content = wheel.read(name)
                expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, size), ("sha256=" + expected, str(len(content))), name)

    def test_tarball_is_one_folder_with_sums(self):
        name, data = archive.make_tarball(self.stage)
        self.assertEqual(name, "stint-0.1.0-linux-x86_64.tar.gz")
        with tarfile.open(fileobj=io.BytesIO(gzip.decompress(data))) as tarball:
            files = {member.name: (member, tarball.extractfile(member).read()) for member in tarball}
        top = "stint-0.1.0-linux-x86_64/"
        self.assertTrue(all(file.startswith(top) for file in files))
        self.assertEqual(files[top + "bin/stint"][0].mode, 0o755)
        self.assertEqual(files[top + "include/stint.h"][0].mode, 0o644)
        self.assertEqual({(member.uid, member.mtime) for member, _ in files.values()}, {(0, 1790000000)})
        sums = dict(reversed(line.split("  ")) for line in files[top + "SHA256SUMS"][1].decode().splitlines())
        self.assertEqual({top + file for file in sums} | {top + "SHA256SUMS"}, set(files))
        for file, digest in sums.items():
            self.assertEqual(hashlib.sha256(files[top + file][1]).hexdigest(), digest, file)

    def test_same_files_give_same_bytes(self):
        again = archive.Stage("x86_64", self.folder)
        self.assertEqual(archive.make_wheel(self.stage), archive.make_wheel(again))
        self.assertEqual(archive.make_tarball(self.stage), archive.make_tarball(again))
        os.environ["SOURCE_DATE_EPOCH"] = "1790000060"
        later = archive.Stage("x86_64", self.folder)
        self.assertNotEqual(archive.make_wheel(self.stage), archive.make_wheel(later))

    def test_times_before_zip_files(self):
        os.environ["SOURCE_DATE_EPOCH"] = "0"
        archive.make_wheel(archive.Stage("x86_64", self.folder))

    def test_version_is_the_packages(self):
        with open(os.path.join("python", "stint", "__init__.py"), encoding="utf-8") as file:
            self.assertIn(f'__version__ = "{self.stage.version}"', file.read())

    def test_bill_of_materials_is_spdx(self):
        document = json.loads(self.stage.sbom())
        self.assertEqual((document["spdxVersion"], document["dataLicense"], document["SPDXID"]),
                         ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"))
        self.assertRegex(document["documentNamespace"], r"^https://[^#\s]+$")
        self.assertRegex(document["creationInfo"]["created"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertRegex(document["creationInfo"]["creators"][0], "^(Tool|Person|Organization): ")
        ids = {package["SPDXID"] for package in document["packages"]} | {"SPDXRef-DOCUMENT"}
        self.assertEqual(len(ids), len(document["packages"]) + 1)
        for package in document["packages"]:
            self.assertRegex(package["SPDXID"], SPDX_ID)
            for key in ("name", "versionInfo", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText"):
                self.assertTrue(package[key], (package["name"], key))
        for relation in document["relationships"]:
            self.assertIn(relation["spdxElementId"], ids)
            self.assertIn(relation["relatedSpdxElement"], ids)
        named = {package["licenseDeclared"] for package in document["packages"]}
        extracted = {extra["licenseId"] for extra in document["hasExtractedLicensingInfos"]}
        self.assertEqual({one for one in named if one.startswith("LicenseRef-")}, extracted)
        openssl = next(package for package in document["packages"] if package["name"] == "openssl")
        self.assertEqual(openssl["versionInfo"], "1:2.3+dfsg-1")
        self.assertEqual(openssl["externalRefs"][0]["referenceLocator"], "pkg:deb/debian/openssl@1%3A2.3%2Bdfsg-1?arch=source")


class ElfCheck(unittest.TestCase):
    SYMBOLS = """   1: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND fcntl64@GLIBC_2.28 (5)
   2: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND read@GLIBC_2.2.5 (2)
   3: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND PQfinish
   4: 0000000000001000     8 OBJECT  GLOBAL DEFAULT   12 stint_part@@STINT_0
"""

    def test_symbols_have_versions(self):
        self.assertEqual(elf_check.needed_versions(self.SYMBOLS), {(2, 28): ["fcntl64"], (2, 2, 5): ["read"]})

    def test_newer_symbols_and_other_libraries_are_refused(self):
        def check(name, versions, *libraries):
            return list(elf_check.problems_of(name, versions, libraries))

        self.assertEqual(check("stint", {(2, 27): ["glob64"], (2, 2, 5): ["read"]}, "libc.so.6", "libm.so.6"), [])
        self.assertEqual(check("stint", {(2, 28): ["statx", "fcntl64"]}), ["stint needs glibc 2.28: fcntl64, statx"])
        self.assertEqual(check("stint", {(3, 0): ["x"]}), ["stint needs glibc 3.0: x"])
        self.assertEqual(check("net.so", {}, "libcurl.so.4", "libc.so.6"), ["net.so needs libcurl.so.4"])
        self.assertEqual(check("postgres.so", {}, "libpq.so.5"), [])
        self.assertEqual(check("stint", {}, "libpq.so.5"), ["stint needs libpq.so.5"])
