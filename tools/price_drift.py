#!/usr/bin/env python3
"""How far prices drift with their age, fitted from change logs of prices, and a backtest of it.

    tools/price_drift.py fit FOLDER [>data/price_drift.csv]     the table of the catalog
    tools/price_drift.py backtest FOLDER                        coverage on left-out history
    tools/price_drift.py check FOLDER                           the same in short, as a test (TAP)

FOLDER has PROVIDER_gpu_price_history.csv.xz files with the columns date, instance_type,
accelerator, count, zone_or_region, on_demand_usd_h, spot_usd_h: one row where a price changed, an
empty price where the offer disappeared.

A move is |ln(later price / price)| over two days that are `age` days apart, both of them days on
which the list was read, of an offer that had a price on both. Moves are put into cells: those of
one provider that end in one half-year. Prices move together, and half-years differ more than
offers do, so that a cell counts as one observation however many offers it has. In rows for all
other providers ('*') each provider counts as much as another: theirs may be like any of them.

The width of an age has two parts, of which the larger counts:

- what its own history shows: the 80th percentile of the cells of the row's providers;
- what a half-year may bring that is not in the history: the percentile 0.8 x (1 + 1/K) of these
  cells and those of all other providers of the market, which count together as much as a number
  of half-years (OTHERS). K is the number of half-years that count: of K + 1 that are alike, the one to come
  is as likely as any other to be the worst (conformal prediction over groups; Lee, Barber and
  Willett 2023, "Distribution-free inference with hierarchical data"). Moves of more than half a year
  overlap those that end in the next half-year, so that fewer count: K is divided by a power of the
  half-years that the age has (OVERLAP).

The range is price x exp(-w) to price x exp(w). Widths never shrink with age. Ages that have no
history continue the last one with the square root of the age.

Most list prices do not change for a long time, and no range holds just 8 of 10 of them. So a row
also has the share of prices that did not change (by 0.01 % or more), and the 80th percentile of
the moves of those that did, both of its own cells.
"""
import argparse
import csv
import datetime
import functools
import lzma
import math
import operator
import os
import sys
import zlib
from bisect import bisect_left, bisect_right
from collections import defaultdict

AGES = (1, 3, 7, 14, 30, 60, 90, 180, 270, 365, 540, 730)
BUCKETS = ((1, 7), (8, 30), (31, 90), (91, 180), (181, 365), (366, 730))
LEAST = 20        # moves in a cell
LEAST_OF_AGE = 150  # moves of a provider, to know anything of an age
KEPT = 100        # quantiles that are kept of a cell
ORIGINS = 90      # days from which pairs start, for each provider
SHARE = 0.8
SAME = 1e-4       # a smaller move is rounding
# The numbers with the least quantile loss on half-years up to 2025 that were left out. It is flat:
# 4 to 6 and 8 to 12 are as good.
OTHERS = {'on-demand': 5, 'spot': 8}
# The powers with the least quantile loss on half-years from 2024 to 2025, each fitted to those
# before it, at ages of 270 days and more (of 0, 1/4, 1/2, 3/4 and 1).
OVERLAP = {'on-demand': 0.25, 'spot': 0.0}
HALF_YEAR = 182.5

# Lists that are read every day, so that a day without a row is a day without a change.
DAILY = ('aws', 'gcp', 'lambda')

FOLDS = 5

LARGE = 'aws gcp azure oci ibm ovhcloud do scp'
NEW = ('A100', 'H100', 'H200', 'B200', 'B300', 'GB200', 'GB300', 'GH200')
NEW_PATTERNS = 'A100* H100* H200* B200* B300* GB200* GB300* GH200*'

# providers and cards that the row is for; market; the histories it is fitted to; notes
GROUPS = (
    (LARGE, NEW_PATTERNS, 'on-demand', ('aws', 'gcp'), 'large clouds, cards of current generations'),
    (LARGE, '*', 'on-demand', ('aws', 'gcp'), 'large clouds, other cards'),
    ('runpod shadeform yotta primeintellect mithril', '*', 'on-demand', ('runpod', 'shadeform'),
     'marketplaces with list prices'),
    ('hyperbolic', '*', 'on-demand', ('hyperbolic',), 'a marketplace where hosts set prices'),
    ('vast', '*', 'on-demand', ('vast', 'hyperbolic'), 'marketplaces where hosts set prices'),
    ('*', '*', 'on-demand', ('lambda', 'nebius', 'verda', 'cudo'), 'GPU clouds, and all others'),
    ('aws', '*', 'spot', ('aws',), ''),
    ('gcp', '*', 'spot', ('gcp',), 'changes at most once a month'),
    ('runpod', '*', 'spot', ('runpod',), ''),
    ('vast hyperbolic', '*', 'spot', ('vast',), 'marketplaces where hosts set prices'),
    ('*', '*', 'spot', ('aws', 'gcp', 'runpod', 'vast', 'verda', 'azure', 'nebius'), 'all others'),
)


COLUMNS = ('date', 'instance_type', 'accelerator', 'count', 'zone_or_region', 'on_demand_usd_h', 'spot_usd_h')


class History:
    """One provider's log: series of (days, prices) by market and offer, and days it was read on."""

    def __init__(self, path):
        self.series, self.days = {}, set()
        ordinal = functools.lru_cache(None)(lambda date: datetime.date.fromisoformat(date).toordinal())
        with lzma.open(path, 'rt', newline='') as file:
            rows = csv.reader(file)  # millions: by position
            header = next(rows)
            pick = operator.itemgetter(*(header.index(name) for name in COLUMNS))
            for date, kind, card, count, place, on_demand, spot in map(pick, rows):
                day, offer = ordinal(date), (kind, card, count, place)
                self.days.add(day)
                self.add('on-demand', offer, day, float(on_demand or 0))
                self.add('spot', offer, day, float(spot or 0))
        self.days = sorted(self.days)

    def add(self, market, offer, day, price):
        days, prices = self.series.setdefault((market,) + offer, ([], []))
        if (prices[-1] if prices else 0) != price:
            days.append(day)
            prices.append(price)

    def price(self, key, day):
        days, prices = self.series[key]
        at = bisect_right(days, day) - 1
        return prices[at] if at >= 0 else 0


def read_folder(folder):
    histories = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith('_gpu_price_history.csv.xz'):
            histories[name.split('_')[0]] = History(os.path.join(folder, name))
    known = histories['aws'].days
    for provider in DAILY[1:]:
        h = histories[provider]
        h.days = sorted(set(h.days) | {d for d in known if d >= h.days[0]})
    return histories


def is_new(accelerator):
    return accelerator.replace('NVIDIA ', '').startswith(NEW)


def fold_of(key):
    """Offers are left out by their type, all zones together."""
    return zlib.crc32('/'.join(key[1:4]).encode()) % FOLDS


def later_day(days, day, age):
    """The day on which the list was read that is next to `age` days later, within a tenth."""
    at = bisect_left(days, day + age)
    near = [days[i] for i in (at - 1, at) if 0 <= i < len(days) and days[i] > day]
    best = min(near, key=lambda d: abs(d - day - age), default=None)
    return best if best is not None and abs(best - day - age) <= age / 10 else None


def half_year_of(day):
    date = datetime.date.fromordinal(day)
    return 2 * date.year + (date.month > 6)


def moves_of(history, market, origins):
    """(age, |ln ratio|, fold, new card, half-year of the end) of every pair."""
    keys = [k for k in history.series if k[0] == market]
    if len(keys) > 1600:
        keys = [k for k in keys if zlib.crc32('/'.join(k).encode()) % (len(keys) // 800) == 0]
    starts = history.days[::max(1, len(history.days) // origins)]
    about = [(k, fold_of(k), is_new(k[2])) for k in keys]
    for age in AGES:
        for first in starts:
            last = later_day(history.days, first, age)
            if last is None:
                continue
            half_year = half_year_of(last)
            for key, fold, new in about:
                price = history.price(key, first)
                then = history.price(key, last) if price > 0 else 0
                if then > 0:
                    yield age, abs(math.log(then / price)), fold, new, half_year


def thinned(moves):
    """In order; of many, evenly spaced quantiles."""
    moves, count = sorted(moves), len(moves)
    if count <= KEPT:
        return moves
    return [moves[int((i + 0.5) * count / KEPT)] for i in range(KEPT)]


class Cells:
    """Moves by (market, provider, card is new or None, age, half-year), for each fold."""

    def __init__(self, histories, origins=ORIGINS):
        self.folds = defaultdict(lambda: [[] for _ in range(FOLDS)])
        wanted = {(source, group[2]) for group in GROUPS for source in group[3]}
        for source, market in sorted(wanted):
            split = market == 'on-demand' and source in LARGE.split()
            for age, move, fold, new, half_year in moves_of(histories[source], market, origins):
                self.folds[market, source, new if split else None, age, half_year][fold].append(move)

    def only(self, keep):
        """{key: moves} of the folds that are kept, without cells and ages of few moves."""
        cells, of_age = {}, defaultdict(int)
        for key, folds in self.folds.items():
            cells[key] = [m for fold in range(FOLDS) if keep(fold) for m in folds[fold]]
            of_age[key[:4]] += sum(len(moves) for moves in folds)
        return {key: thinned(moves) for key, moves in cells.items()
                if len(moves) >= LEAST and of_age[key[:4]] >= LEAST_OF_AGE}


def belongs(group, key):
    market, provider, new = key[:3]
    return (group[2] == market and provider in group[3] and
            (new is None or group[0] != LARGE or new == (group[1] != '*')))


def quantile(weighted, share):
    """Of cells [(moves, weight)]."""
    flat = sorted((move, weight / len(moves)) for moves, weight in weighted for move in moves)
    limit, so_far = share * sum(weight for _, weight in flat) - 1e-9, 0.0
    for move, weight in flat:
        so_far += weight
        if so_far >= limit:
            return move
    return flat[-1][0]


class Row:
    def __init__(self, age, width, unchanged, changed, cells):
        self.age, self.width, self.unchanged, self.changed, self.cells = age, width, unchanged, changed, cells


def own_cells(group, cells, age):
    """[(moves, weight)] of a row's own cells, with a mean weight of 1."""
    own = [(key[1], moves) for key, moves in cells.items() if key[3] == age and belongs(group, key)]
    if group[0] != '*':
        return [(moves, 1.0) for _, moves in own]
    count = defaultdict(int)
    for provider, _ in own:
        count[provider] += 1
    return [(moves, len(own) / len(count) / count[provider]) for provider, moves in own]


def width_of(own, others, market, age):
    """Of one age, from cells with weights and those of others."""
    width, count = quantile(own, SHARE), float(len(own))
    if others:
        own = own + [(moves, OTHERS[market] / len(others)) for moves in others]
        count += OTHERS[market]
    count = max(1.0, count / max(1.0, age / HALF_YEAR) ** OVERLAP[market])
    return max(width, quantile(own, min(0.99, SHARE * (1 + 1 / count))))


def fit_rows(group, cells):
    rows, last = [], Row(0, 0.0, 1.0, 0.0, 0)
    for age in AGES:
        own = own_cells(group, cells, age)
        others = [moves for key, moves in cells.items()
                  if key[3] == age and key[0] == group[2] and not belongs(group, key)]
        if not own:
            continue
        same = sum(w * sum(m < SAME for m in moves) / len(moves) for moves, w in own) / len(own)
        moved = [([m for m in moves if m >= SAME], w) for moves, w in own if moves[-1] >= SAME]
        changed = quantile(moved, SHARE) if moved else 0.0
        last = Row(age, max(last.width, width_of(own, others, group[2], age)), min(last.unchanged, same),
                   max(last.changed, changed), len(own))
        rows.append(last)
    return rows


def at_age(rows, age, value, start):
    """As the program does it: linear in the square root of the age."""
    before, known = 0, start
    for row in rows:
        if age <= row.age:
            part = (math.sqrt(age) - math.sqrt(before)) / (math.sqrt(row.age) - math.sqrt(before))
            return known + (value(row) - known) * part
        before, known = row.age, value(row)
    return None


def width_at(rows, age):
    """Behind the last row it follows the square root of the age."""
    width = at_age(rows, age, lambda row: row.width, 0.0)
    return width if width is not None else rows[-1].width * math.sqrt(age / rows[-1].age)


def fit(folder):
    histories = read_folder(folder)
    cells = Cells(histories).only(lambda fold: True)
    out = csv.writer(sys.stdout, lineterminator='\n')
    out.writerow(['providers', 'gpus', 'market', 'age_days', 'width', 'unchanged', 'width_changed',
                  'half_years', 'date', 'source', 'notes'])
    for group in GROUPS:
        last = max(histories[s].days[-1] for s in group[3])
        source = 'tools/price_drift.py on the SkyPilot catalog git history of ' + ', '.join(group[3])
        for row in fit_rows(group, cells):
            out.writerow([group[0], group[1], group[2], row.age, f'{row.width:.4f}',
                          f'{row.unchanged:.3f}', f'{row.changed:.4f}', row.cells,
                          datetime.date.fromordinal(last).isoformat(), source, group[4]])


class Coverage:
    """Means over cells: each provider and half-year counts as much as another."""

    def __init__(self):
        self.inside, self.same, self.said, self.widths, self.count = 0.0, 0.0, 0.0, 0.0, 0
        self.changed, self.changed_count = 0.0, 0

    def add(self, moves, rows, age):
        width = width_at(rows, age)
        moved = [m for m in moves if m >= SAME]
        self.inside += sum(m <= width + 1e-9 for m in moves) / len(moves)
        self.same += 1 - len(moved) / len(moves)
        self.said += at_age(rows, age, lambda row: row.unchanged, 1.0) or rows[-1].unchanged
        self.widths += width
        self.count += 1
        limit = at_age(rows, age, lambda row: row.changed, rows[0].changed)
        if moved and limit:
            self.changed += sum(m <= limit + 1e-9 for m in moved) / len(moved)
            self.changed_count += 1

    def percent(self):
        return 100 * self.inside / self.count

    def line(self):
        inside, same = self.percent(), 100 * self.same / self.count
        mark = ('' if 75 <= inside <= 87 else ' unchanged' if inside > 87 and same > 75
                else ' WIDE' if inside > 87 else ' LOW')
        changed = f'{100 * self.changed / self.changed_count:3.0f}' if self.changed_count else '  -'
        return (f'{inside:5.1f} % inside, width {self.widths / self.count:.3f}; unchanged {same:5.1f} % '
                f'({100 * self.said / self.count:5.1f} expected), of the others {changed} % in their range; '
                f'{self.count} cells{mark}')


def report(title, results):
    print(title)
    for key in sorted(results):
        (low, high), rest = key[-1], ' '.join(key[:-1])
        print(f'  {rest:22} {low:3}-{high:<3} days: {results[key].line()}')


def bucket_of(age):
    return next(b for b in BUCKETS if b[0] <= age <= b[1])


def is_priced_by(group, provider):
    """Not those whose prices have a row of their own."""
    named = {name for g in GROUPS if g[2] == group[2] for name in g[0].split()}
    return provider in group[0].split() or (group[0] == '*' and provider not in named)


class Results:
    def __init__(self):
        self.markets, self.providers = defaultdict(Coverage), defaultdict(Coverage)

    def test(self, train, left_out):
        for group in GROUPS:
            mine = [k for k in left_out if belongs(group, k) and is_priced_by(group, k[1])]
            rows = fit_rows(group, train) if mine else []
            for key in mine if rows else ():
                for results in (self.markets[key[0], bucket_of(key[3])],
                                self.providers[key[0], key[1], bucket_of(key[3])]):
                    results.add(left_out[key], rows, key[3])


def left_out_offers(cells):
    results = Results()
    for fold in range(FOLDS):
        results.test(cells.only(lambda f: f != fold), cells.only(lambda f: f == fold))
    return results


def left_out_half_years(cells):
    results, known = Results(), cells.only(lambda fold: True)
    for half_year in sorted({key[4] for key in known}):
        results.test({k: m for k, m in known.items() if k[4] != half_year},
                     {k: m for k, m in known.items() if k[4] == half_year})
    return results


def later_prices(cells, last, end=10000):
    """Fitted to what ends by a half-year; tested on what ends after it."""
    results, known = Results(), cells.only(lambda fold: True)
    results.test({k: m for k, m in known.items() if k[4] <= last},
                 {k: m for k, m in known.items() if last < k[4] <= end})
    return results


def backtest(folder):
    cells = Cells(read_folder(folder))
    for title, results in (
            ('left-out offers (5 folds by type of machine)', left_out_offers(cells)),
            ('left-out half-years', left_out_half_years(cells)),
            ('fitted to 2024, prices of 2025', later_prices(cells, 2 * 2024 + 1, 2 * 2025 + 1)),
            ('fitted to 2025, prices of 2026', later_prices(cells, 2 * 2025 + 1))):
        report(title + ', by market', results.markets)
        report(title + ', by provider', results.providers)


def check(folder):
    """On demand most prices do not change, and the narrowest range holds more than it should."""
    if not os.path.isdir(folder):
        print('1..0 # SKIP there are no price histories in ' + (folder or 'spot/price_history of STINT_TEST_DATA'))
        return
    cells = Cells(read_folder(folder), 45)
    tests = [('half-years left out', left_out_half_years(cells).markets, 75),
             ('2026 by 2025', later_prices(cells, 2 * 2025 + 1).markets, 75)]
    print(f'1..{sum(len(found) for _, found, _ in tests)}')
    number = 0
    for title, found, least in tests:
        for market, bucket in sorted(found):
            number += 1
            inside = found[market, bucket].percent()
            most = 90 if market == 'spot' and bucket[0] > 7 else 100
            print(f"{'' if least <= inside <= most else 'not '}ok {number} - {title}, {market}, {bucket[0]} to "
                  f'{bucket[1]} days: {inside:.0f} % of later prices are in their range')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('command', choices=('fit', 'backtest', 'check'))
    parser.add_argument('folder', nargs='?', default=os.environ.get('STINT_TEST_DATA', '') and os.path.join(
        os.environ['STINT_TEST_DATA'], 'spot', 'price_history'),
        help='price histories (default: spot/price_history of STINT_TEST_DATA)')
    args = parser.parse_args()
    {'fit': fit, 'backtest': backtest, 'check': check}[args.command](args.folder)


if __name__ == '__main__':
    main()
