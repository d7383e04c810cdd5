#!/usr/bin/python3
"""Tests of tools/package: check.py SOURCE. Prints TAP."""
import os
import sys
import unittest

SOURCE = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(SOURCE, "tools/package"), os.path.join(SOURCE, "tests/python")]


def main():
    from run import Tap  # of tests/python
    os.chdir(SOURCE)
    result = Tap()
    suite = unittest.defaultTestLoader.discover(HERE, "test_*.py")
    print(f"1..{suite.countTestCases()}", flush=True)
    suite.run(result)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
