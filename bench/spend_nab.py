"""spend_nab.py DETECTOR NAB.tar.xz: the detector of values that come more often than daily, on NAB, beside the published scores.

Only the scoring is here (Lavin and Ahmad 2015, as NAB 1.1 has it); the detector is the C program given. That the scoring is right
is checked with a detector of NAB's own, the windowed Gaussian, which is implemented here too and must reach its published score.

The F1 of windows is for the default threshold, of each half of the files: constants were chosen on the first half alone."""

import datetime
import io
import json
import math
import statistics
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor

PROFILES = {"standard": (1.0, 0.11), "low FP": (1.0, 0.22), "low FN": (2.0, 0.11)}  # of a miss, of a false alarm
PUBLISHED = {  # standard, low FP, low FN: nab_final_results.json of NAB
    "ARTime": (74.9, 65.2, 80.4),
    "Numenta HTM": (70.1, 63.1, 74.3),
    "CAD OSE": (69.9, 67.0, 73.2),
    "earthgecko Skyline": (58.2, 46.2, 63.8),
    "KNN-CAD": (58.0, 43.4, 64.8),
    "relative entropy": (54.6, 47.6, 58.8),
    "random cut forest": (51.7, 38.4, 59.7),
    "Twitter ADVec": (47.1, 33.6, 53.5),
    "windowed Gaussian": (39.6, 20.9, 47.4),
    "Etsy Skyline": (35.7, 27.1, 44.5),
}
DEFAULT = 4  # deviations
THRESHOLDS = [2.5, 3, 3.5, DEFAULT, 4.5, 5]
HOUR = 3600


def seconds(text):
    return int(datetime.datetime.fromisoformat(text.split(".")[0]).replace(tzinfo=datetime.timezone.utc).timestamp())


def read(path):
    files, windows = {}, {}
    with tarfile.open(path) as tar:
        for member in tar:
            if member.name.endswith(".csv"):
                rows = io.TextIOWrapper(tar.extractfile(member), "utf-8").read().split("\n")[1:]
                rows = [row.split(",") for row in rows if row]
                files[member.name.split("data/", 1)[1]] = ([r[0] for r in rows], [float(r[1]) for r in rows])
            elif member.name.endswith("combined_windows.json"):
                windows = json.load(tar.extractfile(member))
    return [([seconds(t) for t in times], values, [(seconds(a), seconds(b)) for a, b in windows[name]]) for name, (times, values) in sorted(files.items())]


def series(times, values, windows):
    """The values, the first and last index of each window, how many come before anything is reported, and their interval."""
    spans = []
    for first, last in windows:
        inside = [i for i, t in enumerate(times) if first <= t <= last]
        spans.append((inside[0], inside[-1]))
    interval = statistics.median(b - a for a, b in zip(times, times[1:]))
    return values, spans, min(int(0.15 * len(values)), 750), interval


def hourly(times, values, windows):
    """The same as means of hours."""
    hours = {}
    for t, value in zip(times, values):
        hours.setdefault(t // HOUR * HOUR, []).append(value)
    at = sorted(hours)
    return at, [statistics.fmean(hours[t]) for t in at], [(a // HOUR * HOUR, b // HOUR * HOUR) for a, b in windows]


def sigmoid(x):
    return -1.0 if x > 3 else 2 / (1 + math.exp(5 * x)) - 1


def parts(alarms, spans, settle):
    """The score of the alarms of a series: points for windows, windows missed, points lost for false alarms."""
    hit, lost = {}, 0.0
    for i in alarms:
        if i < settle:
            continue
        inside = [k for k, (a, b) in enumerate(spans) if a <= i <= b]
        if inside:
            a, b = spans[inside[0]]
            points = sigmoid(-(b - i + 1) / (b - a + 1)) / sigmoid(-1.0)
            hit[inside[0]] = max(hit.get(inside[0], -1.0), points)
            continue
        before = [(a, b) for a, b in spans if b < i]
        lost += -sigmoid((i - before[-1][1]) / (before[-1][1] - before[-1][0])) if before else 1.0
    return sum(hit.values()), len(spans) - len(hit), lost


def scores(found, nab):
    """The three profiles' scores of the alarms of every series."""
    each = [parts(alarms, spans, settle) for alarms, (_, spans, settle, _) in zip(found, nab)]
    windows = sum(len(spans) for _, spans, _, _ in nab)
    out = []
    for miss, false in PROFILES.values():
        raw = sum(points - miss * missed - false * lost for points, missed, lost in each)
        out.append(100 * (raw + miss * windows) / (windows + miss * windows))
    return out


def events(found, nab):
    """F1 of windows: found when an alarm is inside; every alarm outside is false."""
    hit = false = windows = 0
    for alarms, (_, spans, settle, _) in zip(found, nab):
        spans = [span for span in spans if span[1] >= settle]
        late = [i for i in alarms if i >= settle]
        windows += len(spans)
        hit += sum(any(a <= i <= b for i in late) for a, b in spans)
        false += sum(not any(a <= i <= b for a, b in spans) for i in late)
    return 2 * hit / max(1, hit + false + windows), hit, windows, false


def gaussian(values):
    """How unlikely each value is, from the mean and deviation of the last 6,400, renewed each 100."""
    window, buffer, out, total, square = [], [], [], 0.0, 0.0
    mean, deviation = 0.0, 1e-6
    for x in values:
        out.append(1 - 0.5 * math.erfc(abs(x - mean) / deviation / 1.4142) if window else 0.0)
        if len(window) < 6400:
            window.append(x)
        else:
            buffer.append(x)
            if len(buffer) < 100:
                continue
            window, buffer = window[100:] + buffer, []
            total = square = 0.0
        if len(window) < 6400 or total == 0.0:
            total, square = (total + x, square + x * x) if len(window) < 6400 else (sum(window), sum(v * v for v in window))
        mean = total / len(window)
        deviation = math.sqrt(max(square / len(window) - mean * mean, 0)) or 1e-6
    return out


def check(nab):
    likely = [gaussian(values) for values, _, _, _ in nab]
    best = [-math.inf] * 3
    for step in range(40, 240, 5):
        limit = 1 - 10 ** (-step / 20)
        found = [[i for i, p in enumerate(row) if p >= limit] for row in likely]
        best = [max(a, b) for a, b in zip(best, scores(found, nab))]
    return best


def past_z(threshold, apart, item):
    """Farther than this many deviations from the mean of all values before; alarms that are near each other are one."""
    values, _, settle, _ = item
    out, count, mean, square, last = [], 0, 0.0, 0.0, -math.inf
    for i, x in enumerate(values):
        if i >= settle and abs(x - mean) > threshold * math.sqrt(square / count) > 0:
            if i - last > apart:
                out.append(i)
            last = i
        count += 1
        before = x - mean
        mean += before / count
        square += before * (x - mean)
    return out


def detect(program, threshold, item):
    values, _, settle, interval = item
    text = "".join(f"{v:.9f}\n" for v in values)
    done = subprocess.run([program, str(threshold), str(interval), str(settle)], input=text, capture_output=True, text=True, check=True)
    return [int(line.split()[0]) for line in done.stdout.splitlines()]


def print_windows(name, found, nab):
    for half, which in (slice(0, None, 2), "first half"), (slice(1, None, 2), "kept aside"):
        f1, hit, windows, false = events(found[half], nab[half])
        print(f"windows, {name}, {which}: F1 {f1:.3f} ({hit} of {windows} found, {false} alarms outside)")
    return f1


def main():
    raw = read(sys.argv[2])
    nab, hours = [series(*each) for each in raw], [series(*hourly(*each)) for each in raw]
    rows = [(f"{name}, published", each) for name, each in PUBLISHED.items()]
    rows.append(("windowed Gaussian, done again here", check(nab)))
    best, at = [-math.inf] * 3, [0.0] * 3
    with ThreadPoolExecutor() as pool:
        for threshold in THRESHOLDS:
            found = list(pool.map(lambda item: detect(sys.argv[1], threshold, item), nab))
            if threshold == DEFAULT:
                kept = print_windows("all values", found, nab)
            for k, score in enumerate(scores(found, nab)):
                if score > best[k]:
                    best[k], at[k] = score, threshold
        kept_hourly = print_windows("hourly means", list(pool.map(lambda item: detect(sys.argv[1], DEFAULT, item), hours)), hours)
    for apart in 24, 48:
        print_windows(f"hourly means, plain z-score of 4 (alarms within {apart} h are one)", [past_z(4, apart, item) for item in hours], hours)
    rows.append((f"stint, threshold {'/'.join(f'{t:g}' for t in at)}", best))
    print(f"{'':<44} {'standard':>9} {'low FP':>9} {'low FN':>9}")
    for name, each in sorted(rows, key=lambda row: -row[1][0]):
        print(f"{name:<44} {each[0]:9.1f} {each[1]:9.1f} {each[2]:9.1f}")
    print(f"bar-nab-values {kept:.4f}\nbar-nab-hourly {kept_hourly:.4f}")


main()
