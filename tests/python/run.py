#!/usr/bin/python3
"""Tests of the Python package: run.py PACKAGES LIBRARY PARTS PROGRAM. Prints TAP."""
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))


class Tap(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.number = 0

    def line(self, verdict, test, more=""):
        self.number += 1
        print(f"{verdict} {self.number} - {test.id().split('.', 1)[1]}{more}", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.line("ok", test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.line("ok", test, f" # SKIP {reason}")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.trouble(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self.trouble(test, err)

    def trouble(self, test, err):
        self.line("not ok", test)
        for line in self._exc_info_to_string(err, test).splitlines():
            print("#", line)


def main():
    packages, library, parts, program = map(os.path.abspath, sys.argv[1:5])
    with tempfile.TemporaryDirectory(prefix="stint-python-") as home:
        os.environ.update(HOME=home, PYTHONPATH=packages, STINT_LIBRARY=library, STINT_PARTS=parts, STINT_PROGRAM=program,
                          PYTHONDONTWRITEBYTECODE="1")
        for name in ("CONFIG", "DATA", "CACHE", "STATE"):
            os.environ[f"XDG_{name}_HOME"] = os.path.join(home, name.lower())
        sys.path[:0] = [packages, HERE]
        suite = unittest.defaultTestLoader.discover(HERE, "test_*.py")
        print(f"1..{suite.countTestCases()}", flush=True)
        result = Tap()
        suite.run(result)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
