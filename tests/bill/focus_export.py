#!/usr/bin/env python3
"""Bills of every kind, imported and exported again: each exported FOCUS file follows the rules.

focus_export.py STINT: prints TAP. The bills, the rules of 1.2 as a model and the program that holds
a file against it are external (finops of STINT_TEST_DATA); without them it skips.
"""
import csv
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

STINT = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(os.environ.get("STINT_SOURCE_ROOT", ".")).resolve()
SHELF = pathlib.Path(os.environ.get("STINT_TEST_DATA", "/nonexistent")) / "finops"
DATA = SHELF / "data"

# Rules of the model that contradict the text of the specification, or each other.
WRONG = {"InvoiceId-C-004-C", "InvoiceId-C-005-C", "CommitmentDiscountStatus-C-003-C",
         "CommitmentDiscountStatus-C-004-C", "CommitmentDiscountStatus-C-005-M",
         "CommitmentDiscountCategory-C-005-M", "ConsumedQuantity-C-006-C",
         "PricingCurrencyEffectiveCost-C-004-M"}

BILLS = [
    "focus/real_1.0/focus_sample_1.0_1000rows.csv.gz",
    "focus/generated/1.2_aws_focus_1_2_cost_and_usage_aws.csv.gz",
    "focus/generated/1.2_azure_focus_1_2_cost_and_usage_azure.csv.gz",
    "focus/generated/1.2_gcp_focus_1_2_cost_and_usage_gcp.csv.gz",
    "focus/generated/1.3_aws_focus_1_3_cost_and_usage_aws.csv.gz",
    "focus/generated/1.3_azure_focus_1_3_cost_and_usage_azure.csv.gz",
    "focus/generated/1.3_gcp_focus_1_3_cost_and_usage_gcp.csv.gz",
    "focus/generated/1.4_aws_synthetic_focus_1_4_cost_and_usage.csv.gz",
    "focus/generated/1.4_azure_synthetic_focus_1_4_cost_and_usage.csv.gz",
    "focus/generated/1.4_gcp_synthetic_focus_1_4_cost_and_usage.csv.gz",
    "aws_cur/cur1_anonymous_focus_converters.csv.gz",
    "aws_cur/koku_aws_2023-06-01.csv.gz",
    "aws_cur/koku_test_cur.csv.gz",
    "azure_cost/azure_ea_anonymous_focus_converters.csv.gz",
    "azure_cost/msft_EA_ActualCost_Small.csv.gz",
    "azure_cost/msft_EA_AmortizedCost_Small.csv.gz",
    "azure_cost/koku_azure_camelCased.csv",
    "gcp_billing/koku_202011_30c31bca571d9b7f3b2c8459dd8bc34a_2020-11-08_2020-11-11.csv",
    "gcp_billing/koku_2022-08-01_5.csv",
    "oci/oci_cost_report.csv.gz",
]

# Recurring costs are rows too, and split costs keep their sum.
POLICY = """
shared: [{name: rest, when: {team: ""}, split: even, among: [nlp, vision]}]
recurring:
- {name: mlflow server, cost: $200/month, from: 2020-01-15, tags: {team: platform}}
- {name: label tool, provider: Acme, cost: 1200EUR/year, from: 2020-03-01, until: 2021-02-28}
"""

count = 0


def report(ok, name, why=""):
    global count
    count += 1
    print(("ok" if ok else "not ok"), count, "-", name)
    if not ok:
        for line in str(why).splitlines()[:20]:
            print("#", line)


def stint(folder, *words):
    env = dict(os.environ, STINT_LEDGER=str(folder / "ledger.db"), HOME=str(folder),
               XDG_CONFIG_HOME=str(folder), XDG_CACHE_HOME=str(folder))
    return subprocess.run([STINT, *map(str, words)], env=env, capture_output=True, text=True)


def broken_rules(folder, file):
    """Rules of 1.2 that rows of the file break, except for wrong rules."""
    check = subprocess.run([sys.executable, SHELF / "tools" / "focus_check.py",
                            folder / "model.json", file], capture_output=True, text=True)
    if check.returncode != 0:
        return [check.stderr]
    head, *rest = check.stdout.splitlines()
    found = [] if "missing columns: []" in head else [head]
    return found + [line for line in rest if line.split()[0] not in WRONG]


def broken_columns(file):
    """What the columns of 1.4 must be, by the table next to the rules."""
    with open(SHELF / "focus" / "focus_cost_and_usage_columns.csv", newline="") as table:
        columns = {row["column"]: row for row in csv.DictReader(table)}
    with open(file, newline="") as out:
        reader = csv.DictReader(out)
        rows = list(reader)
        names = reader.fieldnames
    found = []
    for name in names:
        if not (columns.get(name, {}).get("in_1.4") == "1" or re.match("x_[A-Z]", name)):
            found.append(f"{name} is no column of 1.4")
    for name, row in columns.items():
        if row["feature_level_1.4"] == "Mandatory" and name not in names:
            found.append(f"{name} is missing")
        if name not in names or row["in_1.4"] != "1":
            continue
        values = {line[name] for line in rows}
        if row["nulls_1.4"] == "False" and "" in values:
            found.append(f"{name} is null somewhere")
        allowed = {word.strip() for word in row["allowed_values"].split(";")} - {""}
        if name == "ServiceSubcategory":
            allowed = {word.split(" / ")[1] for word in allowed}
        if allowed and values - {""} - allowed:
            found.append(f"{name}: {sorted(values - allowed)[:3]}")
        patterns = {"Decimal": r"-?\d+(\.\d+)?", "Date/Time": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"}
        pattern = patterns.get(row["data_type"])
        if pattern and [v for v in values if v and not re.fullmatch(pattern, v)]:
            found.append(f"{name}: not as {row['data_type']} is written")
    return found


def broken_prices(file):
    """What the text of the specification says of unit prices, which the model has only in part."""
    found = {}
    with open(file, newline="") as out:
        for number, row in enumerate(csv.DictReader(out), 2):
            priced = row["ChargeCategory"] in ("Usage", "Purchase") and row["ChargeClass"] != "Correction"
            for kind in ("List", "Contracted"):
                price, cost, quantity = row[f"{kind}UnitPrice"], row[f"{kind}Cost"], row["PricingQuantity"]
                if priced and not price:
                    found.setdefault(f"{kind}UnitPrice is null", number)
                if row["ChargeCategory"] == "Tax" and price:
                    found.setdefault(f"{kind}UnitPrice of a tax", number)
                if price and float(price) < 0:
                    found.setdefault(f"{kind}UnitPrice is negative", number)
                if priced and price and quantity and abs(float(price) * float(quantity) - float(cost)) > 1e-6 * max(1, abs(float(cost))):
                    found.setdefault(f"{kind}UnitPrice x PricingQuantity is not {kind}Cost", number)
                other = row.get(f"PricingCurrency{kind}UnitPrice", "")
                if row.get("PricingCurrency") and row["PricingCurrency"] == row["BillingCurrency"] and other and price and \
                        abs(float(other) - float(price)) > 1e-6 * max(1, abs(float(price))):
                    found.setdefault(f"PricingCurrency{kind}UnitPrice is another in the same currency", number)
            if priced and (not row["PricingQuantity"] or not row["PricingUnit"]):
                found.setdefault("PricingQuantity or PricingUnit is null", number)
            if row["ConsumedQuantity"] and row["ChargeCategory"] != "Usage":
                found.setdefault("ConsumedQuantity of what is no usage", number)
    return [f"{what}, first in line {line}" for what, line in found.items()]


def metadata_matches(file):
    about = json.loads(file.with_suffix("").with_suffix(".metadata.json").read_text())
    with open(file, newline="") as out:
        names = next(csv.reader(out))
    return [column["ColumnName"] for column in about["ColumnDefinition"]] == names


def one_bill(bill, folder):
    done = stint(folder, "import", DATA / bill)
    if done.returncode != 0:
        report(False, f"{bill}: is imported", done.stderr)
        return
    report("equal to the files' own totals" in done.stdout, f"{bill}: its total is its own", done.stdout)
    (folder / "policy.yaml").write_text(POLICY)
    done = stint(folder, "allocation", "set", folder / "policy.yaml")
    if done.returncode != 0:
        report(False, f"{bill}: takes a policy", done.stderr)
    for version in ("1.2", "1.4"):
        file = folder / f"focus-{version[-1]}.csv"
        done = stint(folder, "export", "--focus", "--version", version, file)
        if done.returncode != 0:
            report(False, f"{bill}: is exported as {version}", done.stderr)
            continue
        if "of recurring costs; billed" not in done.stdout + done.stderr:
            report(False, f"{bill}: is exported with recurring costs", done.stdout + done.stderr)
        broken = broken_rules(folder, file) if version == "1.2" else broken_columns(file)
        broken += broken_prices(file)
        report(not broken and metadata_matches(file), f"{bill}: FOCUS {version} follows the rules",
             "\n".join(broken))


def main():
    if not (SHELF / "tools" / "focus_check.py").exists():
        print("1..0 # SKIP set STINT_TEST_DATA: no finops/tools/focus_check.py")
        return
    for bill in BILLS:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            model = DATA / "focus" / "focus_requirements_model-1.2.json.gz"
            (folder / "model.json").write_bytes(gzip.decompress(model.read_bytes()))
            one_bill(bill, folder)
    print(f"1..{count}")


main()
