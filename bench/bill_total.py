#!/usr/bin/env python3
"""bill_total.py BILL.csv IMPORTED.json: is the sum of BilledCost exactly what the import reports?"""
import csv
import json
import sys
from decimal import Decimal, getcontext

getcontext().prec = 60
with open(sys.argv[1], newline="") as f:
    rows = csv.reader(f)
    column = next(rows).index("BilledCost")
    expected = sum((Decimal(row[column]) for row in rows), Decimal(0))
with open(sys.argv[2]) as f:
    bills = json.load(f)["bills"]
got = sum((Decimal(b["billed"]["amount"]) for b in bills), Decimal(0))
print(f"python3 {expected}, stint {got}: {'equal' if got == expected else 'NOT EQUAL'}")
sys.exit(0 if got == expected else 1)
