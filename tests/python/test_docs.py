"""The Python blocks of the pages run as they are, with stand-ins for what a reader has: data, a model, frameworks. run.py
runs it."""
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)

# What each page takes for granted, before its blocks.
GIVEN = {
    "alerts": """
import hashlib, hmac, time
key, body, timestamp = b"key", b"{}", str(int(time.time()))
signature = "sha256=" + hmac.new(key, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
""",
    "callbacks": """
import sys, types
from unittest.mock import MagicMock

def package(name, **members):
    made = sys.modules[name] = types.ModuleType(name)
    made.__dict__.update(members)
    return made

class Base:
    pass

transformers = package("transformers", TrainerCallback=Base, Trainer=MagicMock())
lightning = package("lightning", Callback=Base, Trainer=MagicMock())
package("lightning.pytorch", Callback=Base)
package("keras", callbacks=types.SimpleNamespace(Callback=Base))
package("accelerate.tracking", GeneralTracker=Base)
accelerate = package("accelerate", Accelerator=MagicMock())
model, engine, torch, loss = MagicMock(), MagicMock(), MagicMock(), MagicMock()
engine.global_steps = 1
engine.return_value = 0.5
loss.item.return_value = 0.5
loader = [1, 2]
""",
    "python": """
open("train.py", "w").write("print('trained')")
def train(step):
    return 1 / (step + 1)
""",
    "report": """
import json
experiment_dir = "experiment"
""",
    "run": """
import os, socket as socket_module
listener = socket_module.socket(socket_module.AF_UNIX)
listener.bind("socket")
listener.listen()
os.environ["STINT_SOCKET"] = os.path.abspath("socket")
""",
    "trackers": """
import sys, types
made = types.SimpleNamespace(id="1", name="a", state="finished", created_at="2026-01-01", user=types.SimpleNamespace(username="u"),
                             project="p", tags=[], config={}, summary={}, metadata={}, scan_history=lambda: [{"loss": 1}])
sys.modules["wandb"] = types.SimpleNamespace(Api=lambda: types.SimpleNamespace(runs=lambda path: [made]))
loader = [1, 2]
""",
}
# What must hold after them.
THEN = {
    "alerts": "assert ok",
    "python": "assert ended.state == 'done' and best.cost and 0 < best.hours.low < best.hours < best.hours.high",
    "report": "assert training_cost is not None",
    "run": "assert json.loads(listener.accept()[0].recv(4096))['loss'] == 2.3",
    "trackers": "assert json.load(open('runs.json'))[0]['history'] == [{'loss': 1}]",
}


def pages():
    """{name: its blocks}"""
    found = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True) + [os.path.join(ROOT, "README.md")]):
        with open(path, encoding="utf-8") as file:
            blocks = BLOCK.findall(file.read())
        if blocks:
            found[os.path.basename(path)[:-len(".md")]] = blocks
    return found


def made_in(folder, name):
    os.mkdir(os.path.join(folder, name))
    return folder


class Pages(unittest.TestCase):
    def test_every_page_with_python_is_known(self):
        self.assertEqual(sorted(pages()), sorted(GIVEN))

    def test_blocks_run(self):
        for name, blocks in pages().items():
            with tempfile.TemporaryDirectory(prefix="stint-docs-") as folder:
                os.mkdir(os.path.join(folder, "bin"))
                os.symlink(sys.executable, os.path.join(folder, "bin", "python"))
                if name == "report":
                    subprocess.run([os.environ["STINT_PROGRAM"], "report", "--experiment", "experiment", "--training-time", "420s",
                                    "--gpu", "RTX4090", "--price", "0.50usd/hr"],
                                   cwd=made_in(folder, "experiment"), check=True, capture_output=True)
                code = "\n".join([GIVEN.get(name, ""), "import sys", *blocks, THEN.get(name, "")])
                done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False,
                                      timeout=120, env={**os.environ, "STINT_LEDGER": os.path.join(folder, "ledger.db"),
                                                        "PATH": os.path.join(folder, "bin") + ":" + os.environ["PATH"]})
                self.assertEqual(done.returncode, 0, f"docs/{name}.md\n{done.stdout}{done.stderr}")
