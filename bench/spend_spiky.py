#!/usr/bin/env python3
"""Runaway days in spiky spending, found by `stint anomalies` as users type it.

    spend_spiky.py STINT SCRATCH [--series N] [--seed N]

Makes series of many kinds of spending, imports each kind as a bill into a ledger of its own, and runs
`stint anomalies --json` with its defaults. Prints the share of runaway days that lie in an event, false
alarms in 90 days and F1 of events, beside the rule "mean + 8 deviations of the last 90 days". Kinds of
HELD_OUT were written after the detector's constants were chosen.
"""
import argparse
import datetime
import json
import math
import os
import random
import shutil
import subprocess
import tempfile

EPOCH = datetime.date(1970, 1, 1).toordinal()
DAYS = 240
QUIET = 60      # days at the beginning without a runaway
SETTLE = 28     # days that are never judged
FIRST = 20454   # 2026-01-01, in days since 1970
STEP_DAYS = 14  # days of a step that count: after that it is the new normal
LARGE = (8, 16)  # deviations of the weeks before that a runaway is above their mean
SMOOTH_SIZES = (6, 12)
GRACE = 3       # days after a runaway on which an alarm is neither right nor wrong


# ---- spending without runaways ----

def lognormal(r, days):
    level, sigma, idle = r.lognormvariate(6, 0.7), r.uniform(0.45, 1.0), r.uniform(0.05, 0.4)
    return [0 if r.random() < idle else level * r.lognormvariate(0, sigma) for _ in range(days)]


def gamma(r, days):
    level, shape, idle = r.lognormvariate(6, 0.7), r.uniform(0.6, 2.5), r.uniform(0.05, 0.4)
    return [0 if r.random() < idle else level * r.gammavariate(shape, 1 / shape)
            for _ in range(days)]


def office(r, days):
    """Few jobs at weekends, many sizes on other days."""
    level, sigma = r.lognormvariate(6, 0.7), r.uniform(0.4, 0.8)
    rest = r.uniform(0.05, 0.4)
    return [level * r.lognormvariate(0, sigma) * (1 if d % 7 < 5 else rest if r.random() < 0.6 else 0)
            for d in range(days)]


def pareto(r, days):
    level, alpha, idle = r.lognormvariate(5.5, 0.7), r.uniform(2.5, 4.5), r.uniform(0.05, 0.4)
    return [0 if r.random() < idle else level * r.paretovariate(alpha) for _ in range(days)]


def weibull(r, days):
    level, shape, idle = r.lognormvariate(6, 0.7), r.uniform(0.8, 1.6), r.uniform(0, 0.35)
    return [0 if r.random() < idle else level * r.weibullvariate(1, shape) for _ in range(days)]


def batches(r, days):
    """Jobs of some days with pauses between them."""
    level, out = r.lognormvariate(6, 0.7), []
    while len(out) < days:
        size = level * r.lognormvariate(0, r.uniform(0.3, 0.6))
        out += [size * r.lognormvariate(0, 0.25) for _ in range(r.randint(2, 6))]
        out += [0] * r.randint(1, 5)
    return out[:days]


def mixture(r, days):
    """A small base, and a large job on one day in eight."""
    level, sigma = r.lognormvariate(5.5, 0.7), r.uniform(0.3, 0.5)
    large, often = r.uniform(3, 7), r.uniform(0.08, 0.2)
    return [level * r.lognormvariate(0, sigma) * (large if r.random() < often else 1)
            for _ in range(days)]


def growth(r, days):
    rate = r.uniform(0.002, 0.006)
    return [x * math.exp(rate * d) for d, x in enumerate(lognormal(r, days))]


def monthly(r, days):
    """Charges at the end of each month, and a credit once."""
    out = gamma(r, days)
    fee = sum(out) / days * r.uniform(2, 8)
    for d in range(days):
        if datetime.date.fromordinal(EPOCH + FIRST + d + 1).day == 1:
            out[d] += fee * r.uniform(0.9, 1.1)
    out[r.randrange(days)] -= fee * r.uniform(0.2, 1)
    return out


def follows(r, days):
    """Noise of which much is in the next day's."""
    level, sigma, keep = r.lognormvariate(6, 0.7), r.uniform(0.4, 0.8), r.uniform(0.3, 0.7)
    state, out = 0, []
    for _ in range(days):
        state = keep * state + math.sqrt(1 - keep * keep) * r.gauss(0, sigma)
        out.append(0 if r.random() < 0.1 else level * math.exp(state))
    return out


def smooth(r, days):
    level, sigma = r.lognormvariate(6, 0.7), r.uniform(0.03, 0.12)
    week = [r.lognormvariate(0, 0.15) if d < 5 else r.uniform(0.4, 1) for d in range(7)]
    return [level * week[d % 7] * r.lognormvariate(0, sigma) for d in range(days)]


def jobs(r, days):
    """Some jobs a day, of sizes of their own."""
    size, many, sigma = r.lognormvariate(5, 0.6), r.uniform(0.6, 3), r.uniform(0.5, 1)
    out = []
    for _ in range(days):
        left, n = r.expovariate(1), 0
        while left < many:
            left += r.expovariate(1)
            n += 1
        out.append(sum(size * r.lognormvariate(0, sigma) for _ in range(n)))
    return out


def campaigns(r, days):
    """Weeks of work, and weeks with little of it."""
    level, out, busy = r.lognormvariate(6, 0.7), [], True
    while len(out) < days:
        shape = r.uniform(1, 2.5)
        share = 1 if busy else r.uniform(0.1, 0.4)
        out += [level * share * r.gammavariate(shape, 1 / shape) * (r.random() > 0.15)
                for _ in range(r.randint(5, 18))]
        busy = not busy
    return out[:days]


def beta(r, days):
    """Machines of a pool that is in use for some part of the day."""
    level, a, b = r.lognormvariate(6.5, 0.7), r.uniform(0.4, 1), r.uniform(2, 5)
    return [level * r.betavariate(a, b) * (r.random() > 0.2) for _ in range(days)]


def visits(r, days):
    """Jobs that arrive at random and last for some days, of many sizes; on many days there is none."""
    rate, size, sigma = r.uniform(0.15, 0.5), r.lognormvariate(5.5, 0.8), r.uniform(0.5, 0.9)
    longest, out, at = r.choice([1, 2, 4]), [0.0] * days, r.expovariate(0.3)
    while at < days:
        a_day, n = size * r.lognormvariate(0, sigma), r.randint(1, longest)
        for d in range(int(at), min(days, int(at) + n)):
            out[d] += a_day * (r.uniform(0.3, 1) if d in (int(at), int(at) + n - 1) else 1)
        at += r.expovariate(rate)
    return out


def deadlines(r, days):
    """A base, and a week of ever more work before a deadline every month or so."""
    base, peak, out = r.lognormvariate(5, 0.6), r.uniform(3, 8), []
    deadline = r.randint(10, 40)
    for d in range(days):
        if d > deadline:
            deadline = d + r.randint(25, 45)
        usual = base * (1 + (peak * (1 - (deadline - d) / 7) if deadline - d < 7 else 0))
        out.append(0 if r.random() < 0.1 else usual * r.lognormvariate(0, r.uniform(0.3, 0.5)))
    return out


def sweeps(r, days):
    """Small tests on most days, and now and then a sweep of some days that costs ten times as much."""
    level, out = r.lognormvariate(5, 0.7), []
    while len(out) < days:
        if r.random() < 0.12:
            size = level * r.uniform(4, 12)
            out += [size * r.uniform(0.6, 1.1) for _ in range(r.randint(2, 4))]
        else:
            out.append(level * r.uniform(0.1, 1.6) if r.random() < 0.8 else 0)
    return out[:days]


TUNED = {"lognormal": lognormal, "gamma": gamma, "office": office, "pareto": pareto,
         "weibull": weibull, "batches": batches, "mixture": mixture, "growth": growth,
         "monthly": monthly, "follows": follows}
HELD_OUT = {"jobs": jobs, "campaigns": campaigns, "beta": beta}
SMOOTH = {"smooth": smooth}
# Work that lasts for days, with weeks between: each first time looks like a machine that was left on. No bar.
LASTING = {"visits": visits, "deadlines": deadlines, "sweeps": sweeps}


# ---- runaways ----

def spread(amounts):
    mean = sum(amounts) / len(amounts)
    return mean, math.sqrt(sum((x - mean) ** 2 for x in amounts) / len(amounts))


def left_on(r, x, at, size):
    n = r.randint(1, 10)
    return {d: x[d] + size for d in range(at, at + n)}


def times(r, x, at, size):
    """Some times the usual, with noise."""
    n = r.randint(1, 5)
    return {d: size * r.uniform(0.9, 1.15) for d in range(at, at + n)}


def step(r, x, at, size):
    """A level that came to stay."""
    return {d: x[d] + size for d in range(at, len(x))}


def ramp(r, x, at, size):
    """Grows to its size in a few days, then stays for some."""
    n, stays = r.randint(3, 8), r.randint(1, 4)
    return {at + i: x[at + i] + size * min(1, (i + 1) / n) for i in range(n + stays)}


def bursts(r, x, at, size):
    out = {at: x[at] + size * r.uniform(1, 1.5)}
    for d in range(at + 1, at + 8):
        if r.random() < 0.5:
            out[d] = x[d] + size * r.uniform(1, 1.5)
    return out


RUNAWAYS = {"left on": left_on, "times": times, "step": step, "ramp": ramp, "bursts": bursts}


def make(kind, base, number, seed, sizes):
    """A series with up to three runaways: amounts, and the days of each with its kind."""
    r = random.Random("%s %d %d" % (kind, seed, number))
    usual = base(r, DAYS)
    x = list(usual)
    at = QUIET + r.randint(0, 25)
    events = []
    while at < DAYS - 12 and len(events) < 3:
        # The size comes from the spending of the weeks before: far above all of it.
        mean, sd = spread(usual[at - QUIET:at])
        name = r.choice(sorted(RUNAWAYS))
        size = mean + sd * r.uniform(*sizes)
        days = RUNAWAYS[name](r, usual, at, size)
        for d, value in days.items():
            x[d] = value
        # The first days of a ramp are no runaway yet.
        events.append((name, sorted(d for d in days if x[d] >= size / 2)))
        at = max(days) + r.choice([8, 15, 30, 60]) + r.randint(0, 10)
    return x, events


def eight_deviations(x):
    """Days above mean + 8 deviations of the 90 days before that were not above it themselves."""
    usual, out = [], set()
    for d, value in enumerate(x):
        if d >= SETTLE:
            mean, sd = spread(usual[-90:])
            if value > mean + 8 * max(sd, 0.01 * mean):
                out.add(d)
                continue
        usual.append(value)
    return out


def stretches(days):
    """Days in a row as events."""
    out = []
    for d in sorted(days):
        if out and out[-1][1] == d - 1:
            out[-1] = (out[-1][0], d, True)
        else:
            out.append((d, d, True))
    return out


class Score:
    """Runaway days that lie in an event, and events that touch no runaway."""

    def __init__(self):
        self.runaway = self.found = self.false = self.days = self.events = self.seen = 0

    def add(self, length, runaways, events):
        """`events`: first day, last day and direction (up) of each that was reported."""
        marked = {d for first, last, up in events if up for d in range(first, last + 1)}
        near = set()
        for name, days in runaways:
            counted = days[:STEP_DAYS] if name == "step" else days
            found = sum(d in marked for d in counted)
            self.found += found
            self.runaway += len(counted)
            self.events += 1
            self.seen += found > 0
            near |= set(range(days[0], length if name == "step" else days[-1] + 1 + GRACE))
        self.days += sum(d not in near for d in range(SETTLE, length))
        for first, last, up in events:
            self.false += not (up and any(d in near for d in range(first, last + 1)))

    def plus(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def recall(self):
        return self.found / max(1, self.runaway)

    def false_alarms(self):
        return 90 * self.false / max(1, self.days)

    def f1(self):
        return 2 * self.seen / max(1, self.events + self.seen + self.false)

    def cells(self):
        return "%.1f %% | %.3f | %.2f" % (100 * self.recall(), self.false_alarms(), self.f1())


# ---- the program ----

HEAD = ("BilledCost,EffectiveCost,BillingCurrency,ProviderName,BillingAccountId,ChargePeriodStart,"
        "ChargePeriodEnd,BillingPeriodStart,BillingPeriodEnd,ServiceCategory,ServiceName,ChargeCategory\n")


def write_bill(path, series):
    with open(path, "w", encoding="utf-8") as out:
        out.write(HEAD)
        for d in range(DAYS):
            day = datetime.date.fromordinal(EPOCH + FIRST + d)
            month = day.replace(day=1)
            after = (month + datetime.timedelta(days=32)).replace(day=1)
            times = ",".join("%sT00:00:00Z" % t for t in (
                day, day + datetime.timedelta(days=1), month, after))
            for i, (amounts, _) in enumerate(series):
                if amounts[d] != 0:
                    kind = "Credit" if amounts[d] < 0 else "Usage"
                    out.write("%.4f,%.4f,USD,AWS,1,%s,Compute,S%05d,%s\n" % (
                        amounts[d], amounts[d], times, i, kind))


def judge(stint, scratch, series):
    """Events of each series, as `stint anomalies` has them with its defaults."""
    home = tempfile.mkdtemp(dir=scratch)
    end = datetime.date.fromordinal(EPOCH + FIRST + DAYS)
    env = dict(os.environ, HOME=home, STINT_NOW="%sT06:00:00Z" % end)
    env.pop("XDG_DATA_HOME", None)
    write_bill(os.path.join(home, "bill.csv"), series)
    subprocess.run([stint, "import", os.path.join(home, "bill.csv")], env=env, check=True,
                   stdout=subprocess.DEVNULL)
    answer = subprocess.run([stint, "anomalies", "--since", "%dd" % DAYS, "--limit", "0", "--json"], env=env, check=True,
                            stdout=subprocess.PIPE).stdout
    shutil.rmtree(home)
    found = [[] for _ in series]
    for row in json.loads(answer)["rows"]:
        days = [datetime.date.fromisoformat(row[k]).toordinal() - EPOCH - FIRST
                for k in ("first", "last")]
        found[int(row["service"][1:])].append((days[0], days[1], row["direction"] == "up"))
    return found


def measure(title, kinds, sizes, options, totals):
    for kind, base in kinds.items():
        series = [make(kind, base, i, options.seed, sizes) for i in range(options.series)]
        scores = [Score(), Score()]
        for (x, runaways), events in zip(series, judge(options.stint, options.scratch, series)):
            scores[0].add(len(x), runaways, events)
            scores[1].add(len(x), runaways, stretches(eight_deviations(x)))
        for total, score in zip(totals, scores):
            total.plus(score)
        print("| %s | %s | %s | %s |" % (title, kind, scores[0].cells(), scores[1].cells()), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stint")
    parser.add_argument("scratch")
    parser.add_argument("--series", type=int, default=150, help="of each kind")
    parser.add_argument("--seed", type=int, default=9000)
    options = parser.parse_args()
    print("| | kind | days found | false in 90 days | event F1 | mean + 8 deviations: days found | false in 90 days | event F1 |")
    print("|---|---|---|---|---|---|---|---|")
    for title, kinds, sizes in (("tuned", TUNED, LARGE), ("held out", HELD_OUT, LARGE), ("smooth", SMOOTH, SMOOTH_SIZES), ("lasting", LASTING, LARGE)):
        totals = [Score(), Score()]
        measure(title, kinds, sizes, options, totals)
        print("| %s | **all** | %s | %s |" % (title, totals[0].cells(), totals[1].cells()))
        if title == "lasting":
            continue
        name = title.replace(" ", "-")
        bars.append("bar-spiky-found-%s %.4f" % (name, totals[0].recall()))
        bars.append("bar-spiky-false-%s %.4f" % (name, totals[0].false_alarms()))
        bars.append("bar-spiky-f1-%s %.4f" % (name, totals[0].f1()))
    print("\n".join(bars))


bars = []

if __name__ == "__main__":
    main()
