#!/usr/bin/python3
"""`stint run` with fake devices: what the result and the ledger record about them."""
import json
import os

from devices import Cards
from harness import PYTHON, STINT, alive, main, read, script, test, wait_for

LITTLE, MUCH = 1000, 4 * 10**6  # mW
KWH = 3.6e9  # mJ

# Writes its process id, follows commands from a file, and exits when asked.
WORKS = script("""
import os, sys, time
open("pid.new", "w").write(str(os.getpid())); os.rename("pid.new", "pid")
step = 0
while not os.path.exists("leave"):
    if os.path.exists("spin"):
        end = time.monotonic() + 0.05
        while time.monotonic() < end: pass
    else:
        time.sleep(0.02)
    if os.path.exists("steps"):
        step += 1; print(f"step {step}/1000 loss 2.0", flush=True)
""")


class Job:
    """A run, and its process on a card."""

    def __init__(self, w, cards, *words, card=0, **facts):
        self.w, self.cards, self.card = w, cards, card
        with open(w.path("stderr"), "wb") as errors:
            self.process = w.start(STINT, "run", "--json", "--every", "100ms", *words, "--", *WORKS, stderr=errors)
        self.pid = int(wait_for("its number", lambda: read(w.path("pid"))))
        cards.say(card, process=[(self.pid, 10**9)], **facts)
        self.looks()

    def looks(self, count=3):
        """That many looks from now on; the first may have begun before."""
        self.w.sampled()
        before = self.count()
        wait_for("looks", lambda: self.count() > before + count)

    def works(self, looks=15):
        """The device draws power for a while: kWh that its counter went up by."""
        before = self.cards.facts[self.card]["energy"]
        self.cards.say(self.card, power=MUCH)
        self.looks(looks)
        self.cards.say(self.card, power=LITTLE)
        after = self.cards.facts[self.card]["energy"]
        self.looks(5)
        return (after - before) / KWH

    def count(self):
        return len(self.w.ask("SELECT 1 FROM samples"))

    def end(self):
        """Off the card, then to its end: the result, and what the ledger says."""
        self.cards.say(self.card, process=[])
        self.looks()
        self.w.write("leave", "")
        return self.ended()

    def ended(self):
        ended = self.w.end(self.process)
        ended.err = read(self.w.path("stderr"))
        shown = self.w.end(self.w.start(STINT, "show", "last", "--json"))
        return ended.status, json.loads(ended.out.splitlines()[-1]), json.loads(shown.out)


def near(value, expected, part=0.12):
    """As near as readings a tenth of a second apart can be."""
    return value is not None and abs(value - expected) <= expected * part


def dollars(money):
    return float(money["amount"])


@test
def counter(w):
    """energy by the counter, its cost, the name, use and memory of the device: in the result and in the ledger"""
    cards = Cards(w)
    cards.say(0, power=LITTLE)
    with cards:
        job = Job(w, cards, "--electricity", "1usd/kWh", util=50, used=40 * 10**9)
        used = job.works()
        cards.say(0, used=60 * 10**9)
        job.looks()
        cards.say(0, used=20 * 10**9)
        job.looks()
        status, result, shown = job.end()
    assert status == 0 and (result["gpu"], result["gpus"]) == ("NVIDIA Test 0", 1), result
    assert near(result["energy_kwh"], used) and near(dollars(result["cost"]), used), (used, result)
    assert near(result["gpu_busy"], 0.5) and result["gpu_memory_peak"] == 60e9 and result["gpu_memory_total"] == 80e9, result
    run = shown["run"]
    assert (run["gpu"], run["gpus"], run["cost"]) == (result["gpu"], 1, result["cost"]), (result, shown)
    assert near(run["energy_kwh"], result["energy_kwh"]) and near(run["gpu_busy"], result["gpu_busy"]), (result, shown)
    assert near(shown["gpu_kwh"], used) and shown["gpu_memory_peak_bytes"] == 60e9, (used, shown)


@test
def sampled(w):
    """a device without an energy counter: its power is sampled"""
    cards = Cards(w)
    cards.say(0, energy=None, power=360000)
    job = Job(w, cards, "--price", "$1/hr")
    job.looks(10)
    _, result, shown = job.end()
    seconds = shown["gpu_kwh"] * 3.6e6 / 360
    assert result["energy_method"] in ("sampled", "modeled") and 0 < seconds <= result["elapsed"], (result, shown)


@test
def nothing_used(w):
    """a device that only others use is not counted"""
    cards = Cards(w)
    other = w.start("sleep", "60")
    cards.say(0, process=[(other.pid, 10**9)], util=90)
    ended = w.end(w.start(STINT, "run", "--json", "--every", "100ms", "--", "sleep", "1"))
    result = json.loads(ended.out)
    assert not result["gpu"] and not result["gpus"] and result["gpu_busy"] is None, result


@test
def shared(w):
    """a device shared with another process: energy is split by each one's work"""
    cards = Cards(w)
    cards.say(0, power=LITTLE)
    other = w.start("sleep", "600")
    with cards:
        job = Job(w, cards, "--electricity", "1usd/kWh", util=80)
        cards.say(0, process=[(job.pid, 10**9), (other.pid, 10**9)],
                  sm=[(job.pid, 60, "now"), (other.pid, 20, "now")])
        job.looks(5)
        used = job.works()
        _, result, _ = job.end()
    assert near(result["energy_kwh"], used * 0.75), (used, result)


@test
def own_memory(w):
    """the memory of the run's own processes on a device that others use too"""
    cards = Cards(w)
    other = w.start("sleep", "600")
    job = Job(w, cards, util=80)
    cards.say(0, used=86_100_000_000, total=150_800_000_000, process=[(job.pid, 55_300_000_000), (other.pid, 30_000_000_000)])
    job.looks(3)
    top = json.loads(w.end(w.start(STINT, "top", "--once", "--json")).out)["runs"][0]
    assert (top["gpu_memory_run"], top["gpu_memory"]) == (55_300_000_000, 86_100_000_000), top
    _, result, shown = job.end()
    words = "55.3 GB used by the run; device 86.1 of 150.8 GB"
    assert (result["gpu_memory_run"], result["gpu_memory_peak"]) == (55_300_000_000, 86_100_000_000), result
    assert shown["gpu_memory_run_bytes"] == 55_300_000_000, shown
    assert words in w.end(w.start(STINT, "show", "last")).out.decode()


# Saves when asked to end, for longer than the 30 s that any run is given.
SAVES_LONG = script("""
import os, signal, time
def save(*_):
    for _ in range(330):
        time.sleep(0.1)
    open("saved", "w").close()
    os._exit(0)
signal.signal(signal.SIGTERM, save)
open("pid.new", "w").write(str(os.getpid())); os.rename("pid.new", "pid")
while True:
    time.sleep(1)
""")


@test
def killed_with_much_to_save(w):
    """when stint is killed, the job has the time that was reserved for its last save"""
    cards = Cards(w)
    job = w.start(STINT, "run", "--every", "100ms", "--deadline", "1000s", "--", *SAVES_LONG)
    pid = int(wait_for("its number", lambda: read(w.path("pid"))))
    much = 300 * 10**9
    cards.say(0, used=much, total=2 * much, process=[(pid, much)])
    w.sampled()
    reserved = "SELECT 1 FROM attempts WHERE reserve_s > 100"
    wait_for("the reserve", lambda: w.ask(reserved))
    job.kill()
    job.wait()
    wait_for("the end of the job", lambda: not alive(pid))
    assert os.path.exists(w.path("saved")), "it was killed while it saved"


@test
def narrowed(w):
    """CUDA_VISIBLE_DEVICES=1: the other device is not read"""
    cards = Cards(w, 2)
    w.env["CUDA_VISIBLE_DEVICES"] = "1"
    cards.say(0, power=MUCH, util=10)
    cards.say(1, power=LITTLE)
    with cards:
        job = Job(w, cards, "--electricity", "1usd/kWh", card=1, util=70)
        used = job.works()
        _, result, _ = job.end()
    assert (result["gpu"], result["gpus"]) == ("NVIDIA Test 1", 1) and near(result["energy_kwh"], used), (used, result)
    assert near(result["gpu_busy"], 0.7), result


@test
def phases(w):
    """steps are training, a device that waits while cores work is data; the score is of the device"""
    cards = Cards(w)
    w.write("steps", "")
    job = Job(w, cards, "--price", "$3600/hr", "--progress", util=80, used=40 * 10**9)
    wait_for("training", lambda: w.attempt()["phase_train_nano"])
    os.unlink(w.path("steps"))
    w.write("spin", "")
    cards.say(0, util=0)
    wait_for("waiting for data", lambda: w.attempt()["phase_data_nano"])
    os.unlink(w.path("spin"))
    _, result, shown = job.end()
    assert dollars(result["train_phase"]) > 0 and dollars(result["data_phase"]) > 0, result
    assert 0 < result["score"] <= 100 and near(shown["run"]["score"], result["score"]), (result, shown["run"])
    assert result["step"] >= 1 and result["steps"] == 1000, result


@test
def idle(w):
    """a run whose device and cores are idle ends; one whose core is at work does not"""
    cards = Cards(w)
    w.write("spin", "")
    job = Job(w, cards, "--idle", "1s", "--idle-do", "stop", "--grace", "1s", util=1)
    job.looks(15)
    assert "idle-warning" not in w.events(), w.events()
    os.unlink(w.path("spin"))
    status, result, shown = job.ended()
    assert status == 5 and result["reason"] == "idle" and shown["run"]["state"] == "stopped", (status, result)
    assert "idle-warning" in w.events(), w.events()


@test
def at_work(w):
    """a device at work is not idle, although the cores are"""
    cards = Cards(w)
    job = Job(w, cards, "--idle", "500ms", "--idle-do", "stop", util=60)
    job.looks(15)
    job.w.write("leave", "")
    status, result, _ = job.ended()
    assert status == 0 and not result["reason"], result


@test
def idle_on_shared(w):
    """on a device that others keep busy, the run itself is idle"""
    cards = Cards(w)
    other = w.start("sleep", "600")
    job = Job(w, cards, "--idle", "1s", "--idle-do", "stop", "--grace", "1s", util=95)
    cards.say(0, process=[(job.pid, 10**9), (other.pid, 10**9)],
              sm=[(job.pid, 0, "now"), (other.pid, 95, "now")])
    status, result, _ = job.ended()
    assert status == 5 and result["reason"] == "idle", (status, result)


@test
def cores_before_device(w):
    """before a run uses a device, its cores decide whether it is idle"""
    Cards(w)
    ended = w.end(w.start(STINT, "run", "--json", "--every", "100ms", "--idle", "500ms", "--idle-do", "stop", "--grace", "1s",
                          "--", PYTHON, "-c", "import time; time.sleep(60)"))
    assert ended.status == 5 and json.loads(ended.out)["reason"] == "idle", ended


@test
def left_out(w):
    """--no-gpu: devices are not read"""
    cards = Cards(w)
    job = Job(w, cards, "--no-gpu", util=60)
    w.write("leave", "")
    _, result, _ = job.ended()
    assert not result["gpu"] and result["gpu_busy"] is None, result


@test
def one_of_eight_idle(w):
    """one GPU of eight without work: its line in show, its numbers in JSON, what it cost in why and advise"""
    cards = Cards(w, 8)
    for card in range(8):
        cards.say(card, util=0 if card == 3 else 90, used=10**9 if card == 3 else 40 * 10**9)
    job = Job(w, cards, "--price", "$800/hr", "--name", "eight", util=90, used=40 * 10**9)
    for card in range(8):
        if card != 3:
            cards.say(card, process=[(job.pid, 10**9)])
    job.looks(25)
    w.write("leave", "")
    _, result, shown = job.ended()
    devices = shown["devices"]
    assert [d["number"] for d in devices] == list(range(8)) and result["gpus"] == 7, (result, devices)
    idle = devices.pop(3)
    assert not idle["used"] and idle["busy"] == 0 and idle["busy_share"] == 0, idle
    assert idle["id"] == "GPU-3" and idle["memory_bytes"] == 10**9 and near(idle["watts"], 100, 0.01), idle
    assert idle["idle_since"] is not None and idle["memory_peak_bytes"] == 10**9, idle
    for d in devices:
        assert d["used"] and near(d["busy"], 0.9, 0.1) and d["memory_peak_bytes"] == 40 * 10**9, d
        assert d["idle_since"] is None and d["memory_total_bytes"] == 80 * 10**9, d
    last = shown["samples"][-1]
    assert last["device_busy"][3] == 0 and last["device_busy"][2] == 0.9 and len(last["device_memory_bytes"]) == 8, last
    text = w.end(w.start(STINT, "show", "last")).out.decode()
    assert "GPU 3 of 8      0 % busy, 1 GB, 100 W, not used by the run" in text, text
    assert "other 7         9" in text or "other 7         8" in text, text
    assert "GPU 2 of 8" not in text and "idle GPUs       1 of 8 GPUs was idle" in text, text
    assert shown["idle_gpus"] == 1 and shown["idle_gpu_cost_usd"] > 0, shown
    why = json.loads(w.end(w.start(STINT, "why", "last", "--json")).out)
    notes = [n for n in why["notes"] if "1 of 8 GPUs was idle" in n]
    assert len(notes) == 1 and "went to it" in notes[0] and "if the price is that of all 8" in notes[0], why
    advice = json.loads(w.end(w.start(STINT, "advise", "last", "--json")).out)
    found = [f for f in advice["findings"] if f["rule"] == "idle-gpus"]
    assert len(found) == 1 and found[0]["evidence"].startswith("1 of 8 GPUs was idle for "), advice["findings"]
    saving, cost = dollars(found[0]["savings"]), dollars(result["cost"])
    assert cost / 8 * 0.5 < saving < cost / 8 * 1.05, (saving, cost)


@test
def even_and_none(w):
    """GPUs that are used alike need no lines of their own; a run without a GPU has no devices"""
    cards = Cards(w, 2)
    cards.say(1, util=80)
    job = Job(w, cards, util=80)
    cards.say(1, process=[(job.pid, 10**9)])
    job.looks(20)
    w.write("leave", "")
    _, _, shown = job.ended()
    assert len(shown["devices"]) == 2 and all(d["used"] for d in shown["devices"]), shown["devices"]
    text = w.end(w.start(STINT, "show", "last")).out.decode()
    assert "GPU 0" not in text and "2x NVIDIA Test 0" in text, text
    w.end(w.start(STINT, "run", "--no-gpu", "--", "true"))
    shown = json.loads(w.end(w.start(STINT, "show", "last", "--json")).out)
    assert shown["devices"] == [] and "device_busy" not in json.dumps(shown["samples"]), shown


main(6)
