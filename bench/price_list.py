"""price_list.py OFFERS.csv: the same listing as `stint price list`, as a short Python script does it."""

import csv
import sys

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    offers = {}
    for row in csv.DictReader(file):
        key = (row["provider"], row["region"], row["zone"], row["instance"])
        if key not in offers or offers[key]["date"] < row["date"]:
            offers[key] = row
ranked = sorted(
    (o for o in offers.values() if o["on_demand_usd_h"]),
    key=lambda o: float(o["on_demand_usd_h"]) / int(o["count"]),
)
for o in ranked:
    print(f"{o['provider']}/{o['region']}/{o['instance']:<40} {o['on_demand_usd_h']:>10}")
