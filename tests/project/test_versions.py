"""What docs/reference/versions.md promises is what there is."""
import ctypes
import json
import os
import re
import unittest

LIBRARY = os.environ["STINT_TEST_LIBRARY"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def call(operation):
    library = ctypes.CDLL(LIBRARY)
    reply = ctypes.c_char_p()
    status = library.stint_call(operation.encode(), b"{}", ctypes.byref(reply))
    return status, json.loads(reply.value)


class Versions(unittest.TestCase):
    def setUp(self):
        self.page = read("docs/reference/versions.md")

    def test_one_version_everywhere(self):
        version = re.search(r"^  version: '([\d.]+)'", read("meson.build"), flags=re.M)[1]
        self.assertEqual(re.search(r'^__version__ = "(.*)"', read("python/stint/__init__.py"), flags=re.M)[1], version)
        self.assertEqual(re.match(r"stint \(([\d.]+)-", read("debian/changelog"))[1], version)
        self.assertEqual(re.search(r'^/\* "([\d.]+)" \*/', read("include/stint.h"), flags=re.M)[1], version)
        self.assertEqual(set(re.findall(r"stint-(\d+\.\d+\.\d+)", read("docs/guide/install.md"))), {version})

    def test_all_results_have_the_number_that_the_page_says(self):
        status, reply = call("schema")
        self.assertEqual(status, 0)
        numbers = {operation["schema"].rsplit("/", 1)[1] for operation in reply["operations"]}
        self.assertEqual(numbers, {"1"})
        self.assertIn("All of the operations have number 1\ntoday", self.page.replace("\n  ", "\n"))

    def test_the_page_names_all_functions_and_their_node(self):
        for line in read("tests/lib/symbols.txt").split():
            function, node = line.split("@@")
            self.assertIn(f"`{node}`", self.page)
            if function != node:
                self.assertIn(f"`{function}`", self.page)
        self.assertIn("soversion: '0'", read("meson.build"))
        self.assertIn("`libstint.so.0`", self.page)

    def test_a_list_of_the_same_symbols_in_three_places(self):
        listed = {line.replace("@@", "@") for line in read("tests/lib/symbols.txt").split()}
        debian = {line.split()[0] for line in read("debian/libstint0.symbols").splitlines()
                  if line.startswith(" ") and not line.startswith(" STINT_")}
        self.assertEqual(listed, debian)

    def test_exit_statuses_are_those_of_the_manual(self):
        text = read("src/cli/help.c").split("Exit status: ", 1)[1]
        manual = re.sub(r'"\s*"|\\n', " ", text.split("Every command", 1)[0])
        for number, words in ((0, "done"), (2, "wrong usage"), (3, "bad input"), (4, "not found"), (5, "stopped by a guard"), (130, "")):
            for text in (self.page, manual):
                self.assertIn(f"{number} {words}".strip(), re.sub(r"\s+", " ", text))


class Pages(unittest.TestCase):
    def test_the_placeholder_is_no_address_to_write_to(self):
        for path in ("README.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md"):
            self.assertNotIn("@stint.example", read(path))

    def test_policies_name_the_maintainers(self):
        for path in ("SECURITY.md", "CODE_OF_CONDUCT.md"):
            self.assertIn("](MAINTAINERS)", read(path))


if __name__ == "__main__":
    unittest.main()
