#!/usr/bin/python3
"""The project as others meet it: workflows, templates, packages of other distributions, promises about versions, the
release: check.py SOURCE LIBRARY [NAME]. Prints TAP."""
import os
import sys
import unittest

SOURCE, LIBRARY = map(os.path.abspath, sys.argv[1:3])
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(SOURCE, "tests/python")]


def main():
    from run import Tap  # of tests/python
    os.chdir(SOURCE)
    os.environ["STINT_TEST_LIBRARY"] = LIBRARY
    result = Tap()
    suite = unittest.defaultTestLoader.discover(HERE, f"test_{sys.argv[3] if len(sys.argv) > 3 else '*'}.py")
    print(f"1..{suite.countTestCases()}", flush=True)
    suite.run(result)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
