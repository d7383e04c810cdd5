"""./dev release, on a small repository whose ./dev does at once what takes long."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

DEV = """#!/bin/sh
echo "$*" >>../log
[ ! -f "../fail $*" ] || { echo "this fails"; exit 1; }
case $1 in
build) mkdir -p build && cp "$STINT_TEST_LIBRARY" build/libstint.so ;;
package)
    mkdir -p build-package/"$2"
    case $2 in
    deb) echo deb >build-package/deb/stint_0.1.0-0stint1_amd64.deb ;;
    wheel) echo wheel >build-package/wheel/stint-0.1.0-py3-none-any.whl; [ ! -f ../random ] || date +%s%N >build-package/wheel/stint-0.1.0-py3-none-any.whl ;;
    tarball) echo tarball >build-package/tarball/stint-0.1.0-linux-x86_64.tar.gz ;;
    esac ;;
esac
"""
CHANGELOG = """# Changelog

## [Unreleased]

## [0.1.0] - 2026-11-01

### Plans

- `stint plan` finds
  the cheapest way ([docs](docs/plan.md), [docs/spot.md](docs/spot.md)),
  `so` see [semver](https://semver.org).
- More.

```
a
b
```

## [0.0.1] - 2026-10-01

- older

[0.1.0]: https://example.org
"""
DEBIAN = "stint (0.1.0-0stint1) unstable; urgency=medium\n\n  * Text.\n\n -- A <a@b.example>  Tue, 17 Nov 2026 22:00:00 +0000\n"
SOURCE = os.getcwd()


class Release(unittest.TestCase):
    def setUp(self):
        if not shutil.which("git"):
            self.skipTest("there is no git here")
        self.folder = tempfile.mkdtemp(prefix="stint-release-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.tree = os.path.join(self.folder, "tree")
        for path in ("tools/release.sh", "src/lib/stint.map", "tests/lib/symbols.txt", "debian/libstint0.symbols", "include/stint.h"):
            os.makedirs(os.path.dirname(os.path.join(self.tree, path)), exist_ok=True)
            shutil.copy(os.path.join(SOURCE, path), os.path.join(self.tree, path))
        self.write("dev", DEV)
        os.chmod(os.path.join(self.tree, "dev"), 0o755)
        self.write("meson.build", "project('stint', 'c',\n  version: '0.1.0',\n")
        self.write("debian/changelog", DEBIAN)
        self.write("debian/control", "Maintainer: Stint maintainers <maintainers@stint.example>\n")
        self.write("python/stint/__init__.py", '__version__ = "0.1.0"\n')
        self.write("include/stint.h", '/* "0.1.0" */\nconst char *stint_version(void);\n')
        self.write("docs/guide/install.md", "stint-0.1.0-py3-none-any.whl\n")
        self.write("CHANGELOG.md", CHANGELOG)
        self.write(".gitignore", "/build/\n/build-*/\n")
        self.git("init", "-q", "-b", "main")
        self.commit()

    def write(self, path, text):
        path = os.path.join(self.tree, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, path):
        with open(os.path.join(self.tree, path), encoding="utf-8") as file:
            return file.read()

    def replace(self, path, old, new):
        text = self.read(path)
        self.assertIn(old, text)
        self.write(path, text.replace(old, new))

    def git(self, *words):
        env = {**os.environ, "HOME": self.folder, "GIT_CONFIG_NOSYSTEM": "1"}
        for who in ("AUTHOR", "COMMITTER"):
            env.update({f"GIT_{who}_NAME": "A", f"GIT_{who}_EMAIL": "a@b.example"})
        return subprocess.run(["git", *words], cwd=self.tree, env=env, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Work")

    def release(self, *words, version="0.1.0"):
        env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": self.folder, "STINT_TEST_LIBRARY": os.environ["STINT_TEST_LIBRARY"]}
        return subprocess.run(["sh", "tools/release.sh", version, *words], cwd=self.tree, env=env, capture_output=True, text=True)

    def log(self):
        path = os.path.join(self.folder, "log")
        lines = open(path, encoding="utf-8").read().splitlines() if os.path.exists(path) else []
        if lines:
            os.remove(path)
        return lines

    def refused(self, text, *words):
        done = self.release(*words)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(text, done.stderr)

    def test_all_steps_up_to_the_tag(self):
        done = self.release()
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        made = ["package deb", "package wheel", "package tarball"]
        self.assertEqual(self.log(), ["build", "lint", "test", "cross", *made, "package --check"])
        again = os.path.join(self.tree, "build-release")
        with open(os.path.join(again, "log"), encoding="utf-8") as file:  # the clone's
            self.assertEqual(file.read().splitlines(), made)
        commit = self.git("rev-parse", "HEAD")
        self.assertIn(f"v0.1.0 {commit}\n", done.stdout)
        self.assertIn("equal bytes: 3 files", done.stdout)
        self.assertIn("placeholder", done.stdout)
        self.assertEqual(self.git("tag"), "")
        self.assertEqual(sorted(os.listdir(os.path.join(again, "0.1.0"))),
                         ["RELEASE_NOTES.md", "SHA256SUMS", "stint-0.1.0-linux-x86_64.tar.gz", "stint-0.1.0-py3-none-any.whl",
                          "stint_0.1.0-0stint1_amd64.deb"])
        subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=os.path.join(again, "0.1.0"), check=True)
        notes = self.read("build-release/0.1.0/RELEASE_NOTES.md")
        self.assertEqual(notes, "# Stint 0.1.0\n\n### Plans\n\n- `stint plan` finds the cheapest way (docs (`docs/plan.md`), `docs/spot.md`), "
                         "`so` see [semver](https://semver.org).\n- More.\n\n```\na\nb\n```\n\n")
        # The command that it prints makes the tag, with its headings.
        command = re.search(r"^  (git tag .*)$", done.stdout, flags=re.M)[1]
        self.git(*command.split()[1:])
        self.assertIn("### Plans", self.git("tag", "-l", "-n9", "v0.1.0"))
        self.refused("the tag v0.1.0 exists")

    def test_what_passed_is_not_repeated_for_the_commit(self):
        self.assertEqual(self.release("lint", "test").returncode, 0)
        self.assertEqual(self.log(), ["lint", "test"])
        done = self.release("lint", "test", "cross")
        self.assertIn("== test: passed for this commit", done.stdout)
        self.assertEqual(self.log(), ["cross"])
        self.write("more", "")
        self.commit()
        self.release("lint")
        self.assertEqual(self.log(), ["lint"])

    def test_a_step_that_fails_ends_it(self):
        self.write("../fail test", "")
        self.refused("the step 'test' failed")
        self.assertEqual(self.log()[-1], "test")
        os.remove(os.path.join(self.folder, "fail test"))
        self.write("../fail package wheel", "")
        self.refused("the step 'package' failed", "package")
        self.assertEqual(self.log(), ["package deb", "package wheel"])
        self.refused("has not passed for this commit", "tag")
        self.refused("the packages of this commit were not made", "files")
        self.refused("the packages of this commit were not made", "again")

    def test_packages_that_differ_are_found(self):
        self.write("../random", "")
        self.write("build-release/random", "")
        self.refused("stint-0.1.0-py3-none-any.whl was made again with other bytes", "package", "again")

    def test_the_tree(self):
        self.write("notes", "")
        self.refused("changes that are not committed: ?? notes", "tree")
        self.refused("changes that are not committed", "lint")
        os.remove(os.path.join(self.tree, "notes"))
        self.git("switch", "-q", "-c", "other")
        self.refused("this is other, and releases are made from main", "tree")

    def test_versions(self):
        for path, old, new, text in (
                ("meson.build", "0.1.0", "0.2.0", "meson.build has version 0.2.0, not 0.1.0"),
                ("debian/changelog", "0.1.0-0stint1", "0.1.1-0stint1", "debian/changelog has version 0.1.1, not 0.1.0"),
                ("debian/changelog", "unstable", "UNRELEASED", "debian/changelog is UNRELEASED"),
                ("python/stint/__init__.py", "0.1.0", "0.1", "python/stint/__init__.py has version 0.1, not 0.1.0"),
                ("include/stint.h", '"0.1.0"', '"0.0.9"', "include/stint.h has version 0.0.9"),
                ("docs/guide/install.md", "0.1.0", "0.0.9", "docs/guide/install.md names stint-0.0.9")):
            self.replace(path, old, new)
            self.refused(text, "version")
            self.git("checkout", "-q", path)
        self.assertEqual(self.release("version").returncode, 0)

    def test_the_changelog(self):
        for old, new, text in (("## [0.1.0] - 2026-11-01", "## [0.1.0] - unreleased", "has no date"),
                               ("2026-11-01", "2026-13-01", "has no date"), ("2026-11-01", "2999-01-01", "is in the future"),
                               ("## [0.1.0]", "## [0.1.00]", "has no section of 0.1.0"),
                               ("\n- ", "\n", "says nothing"),
                               ("## [Unreleased]\n", "## [Unreleased]\n\n- more\n", "something below [Unreleased]")):
            self.replace("CHANGELOG.md", old, new)
            self.refused(text, "changelog")
            self.git("checkout", "-q", "CHANGELOG.md")
        self.assertEqual(self.release("changelog").returncode, 0)

    def test_symbols(self):
        self.assertEqual(self.release("symbols").returncode, 0)
        for path in ("tests/lib/symbols.txt", "debian/libstint0.symbols", "src/lib/stint.map"):
            self.replace(path, "stint_free", "stint_freed")
            self.refused(f"and {path} lists", "symbols")
            self.git("checkout", "-q", path)

    def test_a_dry_run_changes_nothing(self):
        done = self.release("--dry-run")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.log(), [])
        self.assertFalse(os.path.exists(os.path.join(self.tree, "build-release")))
        for step in ("tree", "version", "changelog"):
            self.assertIn(f"ok     {step}\n", done.stdout)
        self.assertIn("to do  test: ./dev test\n", done.stdout)
        self.release("test")
        self.assertIn("ok     test: passed for this commit on ", self.release("--dry-run").stdout)
        self.write("notes", "")
        done = self.release("--dry-run")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not ok tree: there are changes", done.stdout)

    def test_usage(self):
        for words in (("v0.1.0",), ("0.1",), ("0.1.0", "ship"), ("0.1.0", "--force"), ("01.2.3",)):
            done = self.release(*words[1:], version=words[0])
            self.assertEqual(done.returncode, 2, words)
            self.assertIn("usage: ./dev release VERSION", done.stderr)


if __name__ == "__main__":
    unittest.main()
