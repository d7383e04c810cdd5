#!/usr/bin/python3
"""Training with PyTorch on the processor under `stint run`: progress, cost and use are read from a real program."""
import subprocess

from harness import Skip, main, test

SYSTEM = "/usr/bin/python3"  # Debian's has Debian's PyTorch

TRAIN = """
import sys, time, torch
torch.manual_seed(1)
torch.set_num_threads(1)

class Tagger(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.embed = torch.nn.Embedding(32, 32)
        if kind == "lstm":
            self.body = torch.nn.LSTM(32, 48, batch_first=True)
        else:
            self.body = torch.nn.TransformerEncoder(
                torch.nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True), 2)
        self.head = torch.nn.Linear(48 if kind == "lstm" else 32, 32)

    def forward(self, words):
        out = self.body(self.embed(words))
        return self.head(out[0] if isinstance(out, tuple) else out)

model = Tagger(sys.argv[1])
optimizer = torch.optim.Adam(model.parameters(), 3e-3)
words = torch.randint(0, 32, (16, 24))
steps, until = 4000, time.process_time() + 4
for step in range(1, steps + 1):
    loss = torch.nn.functional.cross_entropy(model(words).flatten(0, 1), ((words * 7 + 3) % 32).flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(f"step {step}/{steps} loss {loss.item():.4f}", flush=True)
        if time.process_time() > until: break
print(f"last {step} {loss.item():.4f} {time.process_time():.3f}", flush=True)
"""


def train(w, kind):
    probe = subprocess.run([SYSTEM, "-c", "import torch"], capture_output=True, check=False)
    if probe.returncode != 0:
        raise Skip(f"{SYSTEM} has no torch")
    ended = w.run("--progress", "--price", "$3600/hr", "--every", "500ms", "--", SYSTEM, w.write("train.py", TRAIN), kind)
    assert ended.status == 0, ended
    row, last = w.attempt(), ended.out.splitlines()[-1].split()
    step, loss, used = int(last[1]), float(last[2]), float(last[3])
    assert abs(row["step"] - step) < 10 and row["steps"] == 4000, (row["step"], step)
    assert abs(row["loss"] - loss) < 0.2 and loss < 3.4, (row["loss"], loss)
    assert used * 0.95 <= row["cpu_s"] <= used * 1.05 + 0.5, (row["cpu_s"], used)
    assert row["memory_peak"] > 20e6 and row["joules"] > 0 and row["energy_method"] == "modeled", tuple(row)
    assert abs(row["cost_nano"] - row["elapsed_ns"]) <= 2, "a dollar a second"
    samples = w.ask("SELECT * FROM samples ORDER BY at_s")
    losses = [sample["loss"] for sample in samples if sample["loss"] is not None]
    assert len(losses) >= 2 and losses[-1] < losses[0], losses
    assert any(sample["cpu_cores"] is not None and sample["cpu_cores"] > 0.2 for sample in samples)
    phases = row["phase_train_nano"] + row["phase_setup_nano"]
    assert phases > 0.8 * row["cost_nano"] and row["phase_train_nano"] > 0, tuple(row)


@test
def lstm(w):
    """a small LSTM"""
    train(w, "lstm")


@test
def transformer(w):
    """a small transformer"""
    train(w, "transformer")


main()
