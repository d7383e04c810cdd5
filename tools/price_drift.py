#!/usr/bin/env python3
"""How far prices drift with their age, fitted from change logs of prices, and a backtest of it.

    tools/price_drift.py fit FOLDER [>data/price_drift.csv]     the table of the catalog
    tools/price_drift.py backtest FOLDER                        coverage on left-out history
    tools/price_drift.py check FOLDER                           the same in short, as a test (TAP)

FOLDER has PROVIDER_gpu_price_history.csv.xz files with the columns date, instance_type,
accelerator, count, zone_or_region, on_demand_usd_h, spot_usd_h: one row where a price changed, an
empty price where the offer disappeared.

The width w of an age is the 80th percentile of |ln(later price / price)| over pairs of days that
many days apart, both of them days on which the list was read, of offers that had a price on both;
where many providers share a row ('*') each of them counts as much as another.
The range is price x exp(-w) to price x exp(w). Widths never shrink with age. Ages that a group has
no history for continue the last one with the square root of the age.
"""
import argparse
import csv
import datetime
import lzma
import math
import os
import sys
import zlib
from bisect import bisect_left, bisect_right
from collections import defaultdict

AGES = (1, 3, 7, 14, 30, 60, 90, 180, 270, 365, 540, 730)
BUCKETS = ((1, 7), (8, 30), (31, 90), (91, 180), (181, 365), (366, 730))
LEAST = 150       # pairs for a width
ORIGINS = 90      # days from which pairs start, for each provider
SHARE = 0.8

# Lists that are read every day, so that a day without a row is a day without a change.
DAILY = ('aws', 'gcp', 'lambda')

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


class History:
    """One provider's log: series of (days, prices) by market and offer, and days it was read on."""

    def __init__(self, path):
        self.series, self.days = {}, set()
        with lzma.open(path, 'rt', newline='') as file:
            for row in csv.DictReader(file):
                day = datetime.date.fromisoformat(row['date']).toordinal()
                offer = (row['instance_type'], row['accelerator'], row['count'], row['zone_or_region'])
                self.days.add(day)
                for market, column in (('on-demand', 'on_demand_usd_h'), ('spot', 'spot_usd_h')):
                    self.add(market, offer, day, float(row[column] or 0))
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
    return zlib.crc32('/'.join(key[1:4]).encode()) % 5


def later_day(days, day, age):
    """The day on which the list was read that is next to `age` days later, within a tenth."""
    at = bisect_left(days, day + age)
    near = [days[i] for i in (at - 1, at) if 0 <= i < len(days) and days[i] > day]
    best = min(near, key=lambda d: abs(d - day - age), default=None)
    return best if best is not None and abs(best - day - age) <= age / 10 else None


def pairs_of(history, provider, market, origins):
    """(age, |ln ratio|, fold, new card, first day, last day) of every pair."""
    keys = [k for k in history.series if k[0] == market]
    if len(keys) > 1600:
        keys = [k for k in keys if zlib.crc32('/'.join(k).encode()) % (len(keys) // 800) == 0]
    starts = history.days[::max(1, len(history.days) // origins)]
    for age in AGES:
        for first in starts:
            last = later_day(history.days, first, age)
            if last is None:
                continue
            for key in keys:
                price = history.price(key, first)
                then = history.price(key, last) if price > 0 else 0
                if then > 0:
                    yield (age, abs(math.log(then / price)), fold_of(key), is_new(key[2]), first, last,
                           provider)


def group_pairs(group, pairs):
    _, cards, market, sources, _ = group
    large = group[0] == LARGE
    return [p for source in sources for p in pairs[source, market]
            if not large or p[3] == (cards != '*')]


def weighted_quantile(moves, alike):
    """`moves` are (move, provider) in order; `alike`: each provider counts as much as another."""
    if not alike:
        return moves[math.ceil(SHARE * len(moves)) - 1][0]
    count = defaultdict(int)
    for _, provider in moves:
        count[provider] += 1
    sum_of_weights = 0.0
    for move, provider in moves:
        sum_of_weights += 1 / count[provider]
        if sum_of_weights >= SHARE * len(count) - 1e-9:
            return move
    return moves[-1][0]


def fit_widths(pairs, alike):
    """Widths by age: [(age, width, pairs)]."""
    by_age, rows, most = defaultdict(lambda: defaultdict(list)), [], 0.0
    for pair in pairs:
        by_age[pair[0]][pair[6]].append((pair[1], pair[6]))
    for age in AGES:
        moves = sorted(m for found in by_age[age].values() if len(found) >= LEAST for m in found)
        if moves:
            most = max(most, weighted_quantile(moves, alike))
            rows.append((age, most, len(moves)))
    return rows


def width_at(rows, age):
    """As the program does it: linear in the square root of the age, which it follows behind the end."""
    before = (0, 0.0)
    for at, width, _ in rows:
        if age <= at:
            part = (math.sqrt(age) - math.sqrt(before[0])) / (math.sqrt(at) - math.sqrt(before[0]))
            return before[1] + (width - before[1]) * part
        before = (at, width)
    return before[1] * math.sqrt(age / before[0])


def all_pairs(histories, origins=ORIGINS):
    wanted = {(source, group[2]) for group in GROUPS for source in group[3]}
    return {(s, m): list(pairs_of(histories[s], s, m, origins)) for s, m in sorted(wanted)}


def fit(folder):
    histories = read_folder(folder)
    pairs = all_pairs(histories)
    out = csv.writer(sys.stdout, lineterminator='\n')
    out.writerow(['providers', 'gpus', 'market', 'age_days', 'width', 'pairs', 'date', 'source', 'notes'])
    for group in GROUPS:
        last = max(histories[s].days[-1] for s in group[3])
        source = 'tools/price_drift.py on the SkyPilot catalog git history of ' + ', '.join(group[3])
        for age, width, count in fit_widths(group_pairs(group, pairs), group[0] == '*'):
            out.writerow([group[0], group[1], group[2], age, f'{width:.4f}', count,
                          datetime.date.fromordinal(last).isoformat(), source, group[4]])


class Coverage:
    def __init__(self):
        self.inside, self.same, self.count, self.widths = 0, 0, 0, 0.0

    def add(self, move, width):
        self.inside += move <= width + 1e-9
        self.same += move < 1e-6
        self.widths += width
        self.count += 1

    def line(self):
        inside, same = 100 * self.inside / self.count, 100 * self.same / self.count
        mark = ('' if 75 <= inside <= 87 else ' unchanged' if inside > 87 and same > 87
                else ' steps' if inside > 87 else ' LOW')
        return (f'{inside:5.1f} % inside, {same:5.1f} % unchanged, mean width {self.widths / self.count:.3f}, '
                f'{self.count} pairs{mark}')


def report(title, results):
    print(title)
    for key in sorted(results):
        (low, high), rest = key[-1], ' '.join(key[:-1])
        print(f'  {rest:28} {low:3}-{high:<3} days: {results[key].line()}')


def bucket_of(age):
    return next(b for b in BUCKETS if b[0] <= age <= b[1])


def test(group, train, left_out, by_market, by_group):
    rows = fit_widths(train, group[0] == '*')
    if not rows:
        return
    name = group[0].split()[0] if group[0] != '*' else 'others'
    name += ' new' if group[1] == NEW_PATTERNS else ' old' if group[0] == LARGE else ''
    named = group[0].split()
    own = {name for g in GROUPS if g[2] == group[2] for name in g[0].split()}
    for pair in left_out:
        if pair[6] not in named and not (group[0] == '*' and pair[6] not in own):
            continue  # its prices have a row of their own
        width = width_at(rows, pair[0])
        by_market[group[2], bucket_of(pair[0])].add(pair[1], width)
        by_group[group[2], name, bucket_of(pair[0])].add(pair[1], width)


def left_out_offers(pairs):
    """Coverage by market and age, of offers that the fit has not seen."""
    offers, groups = defaultdict(Coverage), defaultdict(Coverage)
    for group in GROUPS:
        mine = group_pairs(group, pairs)
        for fold in range(5):
            test(group, [p for p in mine if p[2] != fold], [p for p in mine if p[2] == fold],
                 offers, groups)
    return offers, groups


def backtest(folder):
    pairs = all_pairs(read_folder(folder))
    cutoff = datetime.date(2025, 12, 31).toordinal()
    offers, offer_groups = left_out_offers(pairs)
    times, time_groups = defaultdict(Coverage), defaultdict(Coverage)
    for group in GROUPS:
        mine = group_pairs(group, pairs)
        test(group, [p for p in mine if p[5] <= cutoff], [p for p in mine if p[5] > cutoff],
             times, time_groups)
    report('left-out offers (5 folds by type of machine), by market and age', offers)
    report('the same by group of providers', offer_groups)
    report('later prices: fitted to pairs that end by 2025-12-31, those that end later', times)
    report('the same by group of providers', time_groups)


def check(folder):
    """On demand most prices do not change, and the narrowest range holds more than it should."""
    if not os.path.isdir(folder):
        print('1..0 # SKIP there are no price histories in ' + folder)
        return
    offers, _ = left_out_offers(all_pairs(read_folder(folder), 20))
    print(f'1..{len(offers)}')
    for i, (market, bucket) in enumerate(sorted(offers), 1):
        inside = 100 * offers[market, bucket].inside / offers[market, bucket].count
        most = 87 if market == 'spot' and bucket[0] > 7 else 100
        print(f"{'' if 75 <= inside <= most else 'not '}ok {i} - {market}, {bucket[0]} to {bucket[1]} days: "
              f'{inside:.0f} % of later prices are in their range')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('command', choices=('fit', 'backtest', 'check'))
    parser.add_argument('folder')
    args = parser.parse_args()
    {'fit': fit, 'backtest': backtest, 'check': check}[args.command](args.folder)


if __name__ == '__main__':
    main()
