"""Machines for tests: devices that a file describes, and cores with a given utilization."""
import os
import threading
import time

from harness import Skip


class Cards:
    """NVIDIA devices from the tests' own library: `say(0, util=90, process=[(pid, bytes)])`. Their counters only advance
    inside a `with`."""

    def __init__(self, w, count=1):
        if "STINT_FAKE_NVML" not in os.environ:
            raise Skip("there is no STINT_FAKE_NVML")
        self.w, self.lock = w, threading.Lock()
        self.facts = [{"name": f"NVIDIA Test {i}", "uuid": f"GPU-{i}", "energy": 1000000, "power": 100000, "limit": 400000,
                       "util": 0, "total": 80 * 10**9, "used": 10**9, "clock": 1500, "maxclock": 2000, "reasons": 0}
                      for i in range(count)]
        w.env.update(STINT_NVML=os.environ["STINT_FAKE_NVML"], FAKE_NVML=w.path("cards"))
        self.put()

    def say(self, card, **facts):
        with self.lock:
            self.facts[card].update(facts)
            self.put()

    def draw(self, stop):
        """Until `stop`, advance the counters by the power drawn."""
        last = time.monotonic()
        while not stop.wait(0.02):
            now = time.monotonic()
            with self.lock:
                for facts in self.facts:
                    facts["energy"] = int(facts["energy"] + facts["power"] * (now - last))
                self.put()
            last = now

    def __enter__(self):
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.draw, args=(self.stop,))
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()

    def put(self):
        lines = [f"all devices {len(self.facts)}"]
        for card, facts in enumerate(self.facts):
            for name, value in facts.items():
                for one in value if isinstance(value, list) else [value]:
                    if one is not None:
                        lines.append(f"{card} {name} " + (" ".join(map(str, one)) if isinstance(one, tuple) else str(one)))
        self.w.write("cards.new", "\n".join(lines) + "\n")
        os.rename(self.w.path("cards.new"), self.w.path("cards"))


class Cores:
    """Files like /proc of a machine with two cores, which this thread keeps as busy as `busy` says."""

    def __init__(self, w, busy=0.0):
        self.w, self.busy, self.used, self.last = w, busy, 0.0, time.monotonic()
        self.began, self.stop = self.last, threading.Event()
        w.write("root/proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 900000 kB\n")
        w.write("root/proc/uptime", "5000.00 5000.00\n")
        w.env["STINT_ROOT"] = w.path("root")
        self.put()
        self.thread = threading.Thread(target=self.count)
        self.thread.start()

    def put(self):
        now = time.monotonic()
        self.used, self.last = self.used + (now - self.last) * 2 * self.busy, now
        used, idle = 1000 + int(self.used * 100), 1000 + int(((now - self.began) * 2 - self.used) * 100)
        text = f"cpu  {used} 0 100 {idle} 0 0 0 0 0 0\ncpu0 1\ncpu1 1\nbtime 1\n"
        self.w.write("stat.new", text)
        os.rename(self.w.path("stat.new"), self.w.path("root/proc/stat"))

    def count(self):
        while not self.stop.wait(0.02):
            self.put()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()
