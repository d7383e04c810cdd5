"""Links of a system whose packages are unpacked in a folder (tools/links.sh)."""
import os
import subprocess
import tempfile
import unittest

SCRIPT = '. tools/links.sh && relative_links "$1"'


class Links(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = os.path.join(folder.name, "a root")
        for path in ("lib64", "lib/x86_64-linux-gnu", "usr/lib"):
            os.makedirs(os.path.join(self.root, path))
        with open(self.at("lib/x86_64-linux-gnu/ld.so"), "w", encoding="utf-8") as file:
            file.write("loader")

    def at(self, path):
        return os.path.join(self.root, path)

    def make_relative(self):
        subprocess.run(["sh", "-euc", SCRIPT, "sh", self.root], check=True)

    def test_loader(self):
        """x86-64 has its loader as a link from the root; arm64 as a relative one."""
        os.symlink("/lib/x86_64-linux-gnu/ld.so", self.at("lib64/ld-linux-x86-64.so.2"))
        self.make_relative()
        self.assertEqual(os.readlink(self.at("lib64/ld-linux-x86-64.so.2")), "../lib/x86_64-linux-gnu/ld.so")
        with open(self.at("lib64/ld-linux-x86-64.so.2"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "loader")

    def test_others_stay(self):
        os.symlink("x86_64-linux-gnu/ld.so", self.at("lib/ld.so"))
        os.symlink("/usr/lib/none", self.at("usr/lib/broken"))
        self.make_relative()
        self.assertEqual(os.readlink(self.at("lib/ld.so")), "x86_64-linux-gnu/ld.so")
        self.assertEqual(os.readlink(self.at("usr/lib/broken")), "none")

    def test_link_to_folder(self):
        os.symlink("/lib", self.at("usr/lib/folder"))
        self.make_relative()
        self.assertEqual(os.readlink(self.at("usr/lib/folder")), "../../lib")


if __name__ == "__main__":
    unittest.main()
