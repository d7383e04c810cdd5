"""Types of the package, as pyright reads them. run.py runs it; pyright comes with the tools of tests/browser."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

import stint
from test_docs import pages

HERE = os.path.dirname(os.path.abspath(__file__))
PYRIGHT = os.path.join(os.path.dirname(HERE), "browser", "node_modules", "pyright", "index.js")
PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(stint.__file__)))


@unittest.skipUnless(shutil.which("node") and os.path.exists(PYRIGHT), "npm ci was not run in tests/browser")
class Types(unittest.TestCase):
    def check(self, sources, **settings):
        """What pyright says of files with these names and texts."""
        with tempfile.TemporaryDirectory(prefix="stint-types-") as folder:
            for name, text in sources.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            with open(os.path.join(folder, "pyrightconfig.json"), "w", encoding="utf-8") as file:
                json.dump({"pythonVersion": "3.9", "extraPaths": [PACKAGES], "reportMissingModuleSource": "none", **settings}, file)
            done = subprocess.run(["node", PYRIGHT, "--outputjson", "-p", folder], capture_output=True, text=True, check=False,
                                  cwd=folder, timeout=300)
            found = json.loads(done.stdout)["generalDiagnostics"]
            self.assertEqual([f"{os.path.basename(d['file'])}:{d['range']['start']['line'] + 1}: {d['message']}" for d in found], [])

    def test_what_a_program_may_write(self):
        with open(os.path.join(HERE, "typed.py"), encoding="utf-8") as file:
            self.check({"typed.py": file.read()}, typeCheckingMode="strict")

    def test_blocks_of_the_pages(self):
        blocks = {f"{name}_{number}.py": "import stint\n" + block for name, page in pages().items()
                  for number, block in enumerate(page)}
        # What a page takes for granted is not defined in its block.
        self.check(blocks, typeCheckingMode="standard", reportUndefinedVariable="none", reportMissingImports="none",
                   reportOptionalMemberAccess="none", reportPossiblyUnbound="none",
                   reportPossiblyUnboundVariable="none")

    def test_a_mistake_is_found(self):
        with self.assertRaises(AssertionError):
            self.check({"wrong.py": "import stint\nstint.trackers.start(to=[3])\n"}, typeCheckingMode="strict")
