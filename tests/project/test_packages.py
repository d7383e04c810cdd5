"""Machines without apt: tools/packages.txt, docs/development.md, what ./dev says there."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def rows():
    """Debian's name: how it is found, Fedora's, Arch's."""
    lines = [line.split() for line in read("tools/packages.txt").splitlines() if line and not line.startswith("#")]
    return {line[0]: line[1:] for line in lines}


def lists():
    """The lists of packages of ./dev, by their names."""
    found = {}
    for name, words in re.findall(r"^ *(\w+_packages)=['\"]([^'\"]*)['\"]", read("dev"), flags=re.M):
        words = " ".join(found.get(word[1:], word) if word.startswith("$") else word for word in words.split())
        found[name] = words
    return {name: words.split() for name, words in found.items()}


def names(family, packages):
    done = subprocess.run(["sh", "tools/packages.sh", "list", family, *packages], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def command(page, start, number):
    """The packages of the given command of a page, which begins with `start`."""
    blocks = [block for block in re.findall(r"^```\n(.*?)^```", page, flags=re.M | re.S) if block.startswith(start)]
    return set(blocks[number][len(start):].replace("\\\n", " ").split())


class Packages(unittest.TestCase):
    def test_every_package_that_tests_and_lint_need_has_a_row(self):
        known, needed = rows(), lists()
        for name in ("build_packages", "test_packages", "optional_packages", "lint_packages", "docs_packages"):
            self.assertEqual([package for package in needed[name] if package not in known], [], name)

    def test_rows_are_complete(self):
        for package, row in rows().items():
            self.assertEqual(len(row), 3, package)
            self.assertRegex(row[0], r"^(-|(program|library|python|font|file)\??:\S+)$", package)

    def test_the_page_names_the_same_packages(self):
        page, needed = read("docs/development.md"), lists()
        for family, start in (("fedora", "sudo dnf install"), ("arch", "sudo pacman -S --needed")):
            self.assertEqual(command(page, start, 0), names(family, needed["test_packages"]) | {"git"}, family)
            cluster = names(family, ["slurm-wlm", "slurmdbd", "munge", "mariadb-server", "chromium"])
            optional = re.search(r"^optional_packages='([^']*)'", read("dev"), flags=re.M)[1].split()
            self.assertEqual(command(page, start, 1), names(family, optional) - cluster, family)


class WithoutApt(unittest.TestCase):
    """A PATH of few programs: no apt, no meson."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="stint-project-")
        self.addCleanup(shutil.rmtree, self.folder)
        for program in ("sh", "awk", "tr", "sed", "dirname", "grep", "python3", "gcc", "gzip", "cat", "rm", "uname", "id"):
            os.symlink(shutil.which(program, path="/usr/bin:/bin"), os.path.join(self.folder, program))

    def program(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)

    def run_in(self, system, *words):
        path = os.path.join(self.folder, "os-release")
        with open(path, "w", encoding="utf-8") as file:
            file.write(system)
        return subprocess.run(["sh", *words], capture_output=True, text=True, env={"PATH": self.folder, "OS_RELEASE": path})

    def test_what_is_missing_is_named_with_the_command_that_installs_it(self):
        for system, hint in (("ID=fedora\n", "sudo dnf install meson"), ("ID=rocky\nID_LIKE=\"rhel centos fedora\"\n", "sudo dnf install"),
                             ("ID=manjaro\nID_LIKE=arch\n", "sudo pacman -S --needed meson ninja"), ("ID=alpine\n", "docs/development.md")):
            done = self.run_in(system, "tools/packages.sh", "need", "gcc", "meson", "ninja-build")
            self.assertEqual(done.returncode, 1)
            self.assertIn("missing: meson ninja-build (the build needs them)\n", done.stderr)
            self.assertIn(hint, done.stderr)

    def test_libraries_are_looked_for(self):
        self.program("pkg-config", '[ "$2" != cmocka ] && [ "$2" != librsvg-2.0 ]')
        done = self.run_in("ID=fedora\n", "tools/packages.sh", "need", "zlib1g-dev", "libcmocka-dev", "librsvg2-dev")
        self.assertEqual(done.returncode, 1)
        self.assertIn("missing: librsvg2-dev (the build leaves out what needs them)\n  hint: sudo dnf install librsvg2-devel\n", done.stderr)
        self.assertIn("missing: libcmocka-dev (the build needs them)\n  hint: sudo dnf install libcmocka-devel\n", done.stderr)

    def test_a_library_that_the_build_can_do_without_does_not_stop_it(self):
        self.program("pkg-config", "exit 1")
        done = self.run_in("ID=arch\n", "tools/packages.sh", "need", "libmicrohttpd-dev")
        self.assertEqual((done.returncode, done.stderr.count("missing")), (0, 1))

    def test_what_tests_lack_is_named_and_they_go_on(self):
        done = self.run_in("ID=arch\n", "tools/packages.sh", "want", "tmux", "cmark-gfm", "python3", "libclang-rt-14-dev")
        self.assertEqual((done.returncode, done.stderr),
                         (0, "missing: tmux cmark-gfm (tests that need them are skipped)\n  hint: sudo pacman -S --needed tmux cmark-gfm\n"))

    def test_what_a_distribution_lacks_is_in_no_command(self):
        done = self.run_in("ID=fedora\n", "tools/packages.sh", "want", "cmark-gfm")
        self.assertEqual(done.stderr, "missing: cmark-gfm (tests that need them are skipped)\n")

    def test_reasons_of_skipped_tests_are_counted(self):
        function = re.search(r"^show_skipped\(\) \{.*?^\}", read("dev"), flags=re.M | re.S)[0]
        path = os.path.join(self.folder, "log")
        with open(path, "w", encoding="utf-8") as file:
            file.write("ok 1 - a\nok 2 - b # SKIP there is no tmux\n1..0 # SKIP there is no node here\nnot ok 3 - c\n"
                       "ok 4 - d # SKIP there is no tmux\nskipped: there is no mandoc here\n")
        done = subprocess.run(["sh", "-c", function + '; show_skipped "$@"', "sh", path, path + ".none"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines()[0], "skipped 2: there is no tmux")
        self.assertEqual(set(done.stdout.splitlines()[1:]), {"skipped 1: there is no node here", "skipped 1: there is no mandoc here"})

    def test_dev_stops_before_the_build(self):
        done = self.run_in("ID=fedora\n", "dev", "test")
        self.assertEqual(done.returncode, 1)
        self.assertIn("missing: ", done.stderr)
        self.assertIn("sudo dnf install ", done.stderr)
        self.assertNotIn("meson: not found", done.stderr)


if __name__ == "__main__":
    unittest.main()
