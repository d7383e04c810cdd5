#!/usr/bin/env python3
"""Planted money compared with what `stint advise --json` found.

    advise_score.py TRUTH.json ADVICE.json [TRUTH.json ADVICE.json ...]

Findings count with what they add to the best combination. Of each work, money up to what was
planted is found, money beyond it is false; so is all money of works in which nothing was planted,
and commitments, which are about all runs, beyond what they were planted for.
"""
import json
import sys

KINDS = {'idle-time': 'idle', 'notebook-idle': 'idle', 'failed-runs': 'failed', 'repeated-runs': 'repeated',
         'right-size': 'oversized', 'kept-checkpoints': 'kept', 'power-limit': 'power'}
ALL = 'all runs'  # the subject of findings about everything


def read_world(truth_file, advice_file):
    """Dollars a month by work and kind: planted, and claimed."""
    with open(truth_file) as file:
        truth = json.load(file)
    with open(advice_file) as file:
        advice = json.load(file)
    planted, claimed = {}, {}
    for row in truth['planted']:
        subject = ALL if row['kind'] == 'commitment' else f"{row['work']} (project {row['project']})"
        planted[subject, row['kind']] = planted.get((subject, row['kind']), 0) + row['usd_month']
    for finding in advice['findings']:
        if finding['chosen']:
            key = finding['subject'], KINDS.get(finding['rule'], finding['rule'])
            claimed[key] = claimed.get(key, 0) + float(finding['adds']['amount'])
    return truth, planted, claimed


def score(planted, claimed):
    """Planted, claimed, found and false money."""
    works = {}
    for source, index in ((planted, 0), (claimed, 1)):
        for (subject, _), usd in source.items():
            works.setdefault(subject, [0, 0])[index] += usd
    return (sum(p for p, _ in works.values()), sum(c for _, c in works.values()),
            sum(min(p, c) for p, c in works.values()), sum(max(0, c - p) for p, c in works.values()))


def main():
    sums, kinds, worst = [0, 0, 0, 0], {}, (1, 0)
    for truth_file, advice_file in zip(sys.argv[1::2], sys.argv[2::2]):
        truth, planted, claimed = read_world(truth_file, advice_file)
        one = score(planted, claimed)
        sums = [a + b for a, b in zip(sums, one)]
        worst = min(worst[0], one[2] / one[0]), max(worst[1], one[3] / one[1] if one[1] else 0)
        print(f"{truth['runs']} runs, ${truth['spent_usd_month']:,.0f} a month: ${one[0]:,.0f} planted, ${one[1]:,.0f} claimed,"
              f" {one[2] / one[0]:.1%} found, {one[3] / one[1] if one[1] else 0:.1%} false")
        for key in set(planted) | set(claimed):
            row = kinds.setdefault(key[1], [0, 0, 0])
            p, c = planted.get(key, 0), claimed.get(key, 0)
            for i, usd in enumerate((p, c, min(p, c))):
                row[i] += usd
    for kind, (p, c, hit) in sorted(kinds.items()):
        print(f'{kind:12} planted ${p:10,.2f}   claimed ${c:10,.2f}   found ${hit:10,.2f}')
    print(f'bar-found {sums[2] / sums[0]:.4f}')
    print(f'bar-false {sums[3] / sums[1] if sums[1] else 0:.4f}')
    print(f'worst-found {worst[0]:.4f}')
    print(f'worst-false {worst[1]:.4f}')


if __name__ == '__main__':
    main()
