"""plan_savings.py PLAN.json...: what each plan saves against choices that need no planner.

`stint plan JOB --explain --json` has the cost of the machine with the lowest hourly price, and of the GPU that a guide recommends.
Fails if a plan is more expensive than the former."""

import json
import sys


def usd(row):
    return float(row["cost"]["amount"])


worse = 0
print(f"{'job':<20} {'plan':>11} {'cheapest hour':>14} {'saved':>7} {'as a guide says':>16} {'saved':>7}   settings computed, ruled out")
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        plan = json.load(file)
    naive = {row["role"]: usd(row) for row in plan["naive"]}
    cost = usd(plan["plans"][0])
    hour, guide = naive.get("cheapest hour"), naive.get("as a guide says")
    worse += hour is not None and cost > hour

    def column(amount, width):
        return f"{amount:{width}.2f} {1 - cost / amount:>7.1%}" if amount else f"{'-':>{width}} {'-':>7}"

    print(
        f"{plan['name']:<20} {cost:>11.2f} {column(hour, 14)} {column(guide, 16)}   "
        f"{plan['settings']:,} {plan['pruned']:,}"
    )
print(f"{worse} plans more expensive than the cheapest hour")
