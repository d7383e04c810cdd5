#!/usr/bin/python3
"""The same money in two formats or under two names of an account counts once; other money that looks alike counts."""
import csv
import io
import json
import os
import random
from decimal import Decimal

from harness import STINT, Skip, main, test

DAYS = [f"2026-05-{day:02d}" for day in range(1, 32)]
ENDS = dict(zip(DAYS, DAYS[1:] + ["2026-06-01"]))
ENROLLMENT = "/providers/Microsoft.Billing/billingAccounts/8608480"
SEED = int(os.environ.get("STINT_TEST_SEED", "1"))


def table(w, name, head, rows):
    text = io.StringIO()
    csv.writer(text).writerows([head, *rows])
    return w.write(name, text.getvalue())


def focus(w, name, provider, account, items, sub="sub-1"):
    head = ("BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,"
            "ChargePeriodStart,ChargePeriodEnd,ProviderName,ServiceName,ServiceCategory,ResourceId,SubAccountId,"
            "ChargeDescription").split(",")
    return table(w, name, head,
                 [[cost, cost, account, "USD", "2026-05-01T00:00:00Z", "2026-06-01T00:00:00Z", "Usage", f"{day}T00:00:00Z",
                   f"{ENDS[day]}T00:00:00Z", provider, "Machines", "Compute", resource, sub, "hours"]
                  for day, resource, cost in items])


def azure(w, name, account, items, sub="sub-1"):
    head = ("BillingAccountId,BillingPeriodStartDate,BillingPeriodEndDate,Date,SubscriptionId,ResourceId,MeterCategory,"
            "MeterName,Quantity,UnitOfMeasure,CostInBillingCurrency,BillingCurrencyCode,ChargeType,PricingModel,"
            "ConsumedService,ResourceGroup").split(",")
    return table(w, name, head,
                 [[account, "05/01/2026", "05/31/2026", f"{day[5:7]}/{day[8:]}/2026", sub, resource, "Virtual Machines",
                   "NC6", "24", "1 Hour", cost, "USD", "Usage", "OnDemand", "Microsoft.Compute", "rg"]
                  for day, resource, cost in items])


def oracle(w, name, tenancy, items):
    """Two lines of each cost, of two hours of the day."""
    head = ("lineItem/referenceNo,lineItem/tenantId,lineItem/intervalUsageStart,lineItem/intervalUsageEnd,product/service,"
            "product/compartmentId,product/compartmentName,product/region,product/availabilityDomain,product/resourceId,"
            "usage/billedQuantity,cost/subscriptionId,cost/productSku,product/Description,cost/unitPrice,cost/myCost,"
            "cost/currencyCode,cost/skuUnitDescription,lineItem/isCorrection").split(",")
    return table(w, name, head,
                 [[f"r{n}-{hour}", tenancy, f"{day}T{hour:02d}:00Z", f"{day}T{hour + 1:02d}:00Z", "COMPUTE", "c", "c", "phx",
                   "AD1", resource, "1", "500112233", "B88298", "GPU", "1", cost / 2, "USD", "OCPU", "false"]
                  for n, (day, resource, cost) in enumerate(items) for hour in (0, 5)])


def cur(w, name, payer, items):
    head = ("identity/LineItemId,bill/PayerAccountId,bill/BillingPeriodStartDate,bill/BillingPeriodEndDate,"
            "lineItem/UsageAccountId,lineItem/LineItemType,lineItem/UsageStartDate,lineItem/UsageEndDate,"
            "lineItem/ProductCode,lineItem/UsageType,lineItem/Operation,lineItem/ResourceId,lineItem/UsageAmount,"
            "lineItem/CurrencyCode,lineItem/UnblendedRate,lineItem/UnblendedCost,lineItem/LineItemDescription").split(",")
    return table(w, name, head,
                 [[f"l{n}", payer, "2026-05-01T00:00:00Z", "2026-06-01T00:00:00Z", "222233334444", "Usage",
                   f"{day}T00:00:00Z", f"{ENDS[day]}T00:00:00Z", "AmazonEC2", "BoxUsage:g5.xlarge", "RunInstances",
                   resource, "24", "USD", "1", cost, "hours"] for n, (day, resource, cost) in enumerate(items)])


def google(w, name, account, items, project="ml-one"):
    head = ("billing_account_id,service.id,service.description,sku.id,sku.description,usage_start_time,usage_end_time,"
            "project.id,project.name,location.region,cost,currency,currency_conversion_rate,usage.amount,usage.unit,"
            "invoice.month,cost_type,resource.name").split(",")
    return table(w, name, head,
                 [[account, "6F81-5844-456A", "Compute Engine", "S1", "N1 Core", f"{day} 00:00:00 UTC",
                   f"{ENDS[day]} 00:00:00 UTC", project, project, "us-central1", cost, "USD", "1", "24", "hour", "202605",
                   "regular", resource] for day, resource, cost in items])


def explorer(w, name, items):
    """Cost Explorer's CSV: a row for each day."""
    return table(w, name, ["Service", "EC2-Instances($)", "Total costs($)"],
                 [["Service total", sum(c for _, _, c in items), sum(c for _, _, c in items)],
                  *[[day, sum(c for d, _, c in items if d == day), sum(c for d, _, c in items if d == day)] for day in DAYS]])


def machine(sub, name):
    return f"/subscriptions/{sub}/resourceGroups/ML/providers/Microsoft.Compute/virtualMachines/{name}"


def costs(names, days=DAYS):
    """Costs by day and resource, with three digits after the point."""
    dice = random.Random(SEED)
    return [(day, name, Decimal(dice.randrange(100, 99999)) / 1000) for day in days for name in names]


def enter(w, *words):
    return w.end(w.start(STINT, "import", *words))


def total(w):
    ended = w.end(w.start(STINT, "bills", "--json"))
    assert ended.status == 0, ended
    return sum(Decimal(bill["billed"]["amount"]) for bill in json.loads(ended.out)["bills"])


def counted_once(w, first, second, amount):
    """Refused whichever comes first, in a dry run and in one command; replaced or added when the user says so."""
    for one, other in ((first, second), (second, first)):
        assert enter(w, one).status == 0
        before = total(w)
        for words in ([], ["--dry-run"]):
            ended = enter(w, other, *words)
            assert ended.status == 3 and b"has the same money as bill" in ended.err, ended
            assert b"--add counts both" in ended.err, ended
        assert total(w) == before
        assert enter(w, other, "--add").status == 0
        assert total(w) > before
        remove_all(w)
    ended = enter(w, first, second)
    assert ended.status == 3 and b"has the same money as" in ended.err, ended
    assert enter(w, first).status == 0
    ended = enter(w, second, "--replace")
    assert ended.status == 0 and b"replaces one with" in ended.out, ended
    assert total(w) == amount, total(w)


def remove_all(w):
    ended = w.end(w.start(STINT, "bills", "--json"))
    for bill in json.loads(ended.out)["bills"]:
        assert w.end(w.start(STINT, "bills", "remove", str(bill["key"]), "--force")).status == 0


def both_count(w, first, second, warned=False):
    assert enter(w, first).status == 0
    before = total(w)
    ended = enter(w, second)
    assert ended.status == 0, ended
    assert (b"if it is the same money" in ended.err) == warned, ended
    assert total(w) > before
    again = enter(w, second)
    assert again.status == 0, again


@test
def azure_export_and_focus(w):
    """Azure: the export has the enrollment's number, FOCUS its path, and resources in small letters"""
    items = costs([machine("1111-22", f"vm{n}") for n in range(9)])
    small = [(day, resource.lower(), cost) for day, resource, cost in items]
    counted_once(w, azure(w, "export.csv", "8608480", items), focus(w, "focus.csv", "Microsoft", ENROLLMENT, small),
                 sum(cost for _, _, cost in items))


@test
def oracle_report_and_focus(w):
    """Oracle: the report has the tenancy and two lines where FOCUS has the subscription and one"""
    items = costs([f"ocid1.instance.oc1.phx.{n * 7919:032x}" for n in range(7)])
    counted_once(w, oracle(w, "report.csv", "ocid1.tenancy.oc1..a", items), focus(w, "focus.csv", "Oracle", "500112233", items),
                 sum(cost for _, _, cost in items))


@test
def fewer_lines(w):
    """Oracle: a line a day, where the report of the same tenancy has two, is no part of it to add"""
    items = costs([f"ocid1.instance.oc1.phx.{n * 7919:032x}" for n in range(7)])
    report, days = oracle(w, "report.csv", "ocid1.tenancy.oc1..a", items), focus(w, "focus.csv", "Oracle", "ocid1.tenancy.oc1..a", items)
    assert enter(w, report).status == 0
    before = total(w)
    ended = enter(w, days)
    assert ended.status == 3 and b"has the same money as bill 1 (Oracle" in ended.err and b"in fewer lines" in ended.err, ended
    assert b"--add" not in ended.err and b"leave it out" in ended.err, ended
    half = focus(w, "half.csv", "Oracle", "ocid1.tenancy.oc1..a", items[:len(items) // 2])
    ended = enter(w, half)
    assert ended.status == 3 and b"is smaller than the one that is there" in ended.err, ended
    assert total(w) == before
    assert enter(w, days, "--replace").status == 0 and total(w) == before


@test
def linked_account_and_payer(w):
    """AWS: a payer's bill has what the linked account's has, and more; ARNs where that has ids"""
    own = costs([f"i-{n * 104729 + 7:017x}" for n in range(8)])
    others = costs([f"i-{n * 15485863 + 11:017x}" for n in range(20)])
    arns = [(day, f"arn:aws:ec2:us-east-1:222233334444:instance/{name}", cost) for day, name, cost in own]
    linked, payer = cur(w, "linked.csv", "222233334444", own), focus(w, "payer.csv", "AWS", "111122223333", arns + others)
    counted_once(w, linked, payer, sum(cost for _, _, cost in own + others))
    ended = enter(w, linked)
    assert ended.status == 3 and b"leave it out" in ended.err, ended


@test
def no_resources(w):
    """AWS without resources: accounts within the bill cost the same on the same days"""
    items = costs([""])
    linked, payer = cur(w, "cur.csv", "222233334444", items), focus(w, "payer.csv", "AWS", "111122223333", items, "222233334444")
    counted_once(w, linked, payer, sum(cost for _, _, cost in items))


@test
def days_alone(w):
    """no resources, or names where the other has numbers: what each day cost is the same to the cent"""
    items = costs(["", ""])
    rounded = [(day, "", cost.quantize(Decimal("0.01"))) for day, _, cost in items]
    amount = sum(cost for _, _, cost in items)
    counted_once(w, oracle(w, "report.csv", "ocid1.tenancy.oc1..a", items), focus(w, "o.csv", "Oracle", "500112233", items),
                 amount)
    remove_all(w)
    counted_once(w, azure(w, "export.csv", "8608480", items, ""),
                 focus(w, "a.csv", "Microsoft", "11112222:aaaa_2019-05-31", rounded, "sub-9"),
                 sum(cost for _, _, cost in rounded))
    remove_all(w)
    items = costs([f"trainer-{n}" for n in range(4)])
    numbers = [(day, f"//compute.googleapis.com/projects/7/zones/z/instances/{hash_of(name)}", cost)
               for day, name, cost in items]
    counted_once(w, google(w, "export.csv", "01AB-23CD", items), focus(w, "g.csv", "Google Cloud", "77889900", numbers, "7"),
                 sum(cost for _, _, cost in items))


def hash_of(name):
    return random.Random(name).randrange(10**18, 10**19)


@test
def steady_days(w):
    """every day costs the same: the same money in another format, a warning in the same one"""
    items = [(day, "", Decimal("73.44")) for day in DAYS]
    counted_once(w, google(w, "export.csv", "01AB-23CD", items), focus(w, "g.csv", "Google Cloud", "77889900", items, ""),
                 sum(cost for _, _, cost in items))
    remove_all(w)
    both_count(w, focus(w, "a.csv", "Google Cloud", "lab-a", items, "p-a"), focus(w, "b.csv", "Google Cloud", "lab-b", items, "p-b"),
               warned=True)


@test
def explorer_of_another_payer(w):
    """Cost Explorer's table is the same money as the report, whichever comes first"""
    items = costs([f"i-{n * 104729 + 7:017x}" for n in range(3)])
    report, coarse = cur(w, "cur.csv", "222233334444", items), explorer(w, "costs.csv", items)
    assert enter(w, report).status == 0
    ended = enter(w, coarse)
    assert ended.status == 0 and b"left out" in ended.err, ended
    assert total(w) == sum(cost for _, _, cost in items)
    remove_all(w)
    assert enter(w, coarse).status == 0
    assert enter(w, report).status == 0
    assert total(w) == sum(cost for _, _, cost in items)


@test
def replaced_days(w):
    """--replace removes the days that came again, and keeps the others"""
    items = costs([machine("1111-22", f"vm{n}") for n in range(6)])
    half = [item for item in items if item[0] < "2026-05-16"]
    for names in (True, False):
        here = items if names else [(day, "", cost) for day, _, cost in items]
        later = [(day, name if names else "", cost * Decimal("1.001")) for day, name, cost in half]
        assert enter(w, azure(w, "export.csv", "8608480", here)).status == 0
        new = focus(w, "half.csv", "Microsoft", ENROLLMENT, later if names else [(day, "", cost) for day, _, cost in half])
        ended = enter(w, new, "--replace", "--dry-run")
        assert ended.status == 0, ended
        assert total(w) == sum(cost for _, _, cost in items)
        ended = enter(w, new, "--replace")
        assert ended.status == 0 and b"other charges are kept as bill" in ended.err, ended
        factor = Decimal("1.001") if names else 1
        assert total(w) == sum(cost * (factor if day < "2026-05-16" else 1) for day, _, cost in items), total(w)
        ended = enter(w, new)
        assert ended.status == 0, ended
        remove_all(w)


@test
def two_halves(w):
    """two files that replace one bill together leave nothing of it"""
    items = costs([machine("1111-22", f"vm{n}") for n in range(6)])
    assert enter(w, azure(w, "export.csv", "8608480", items)).status == 0
    parts = [focus(w, f"{n}.csv", "Microsoft", ENROLLMENT, [i for i in items if (i[0] < "2026-05-16") == n]) for n in (True, False)]
    ended = enter(w, *parts, "--replace")
    assert ended.status == 0, ended
    assert total(w) == sum(cost for _, _, cost in items)


@test
def part_of_the_accounts(w):
    """--replace does not remove what the payer's bill has of other accounts"""
    own = costs([f"i-{n * 104729 + 7:017x}" for n in range(8)])
    others = costs([f"i-{n * 15485863 + 11:017x}" for n in range(5)])
    assert enter(w, focus(w, "payer.csv", "AWS", "111122223333", own + others)).status == 0
    before = total(w)
    ended = enter(w, cur(w, "linked.csv", "222233334444", own), "--replace")
    assert ended.status == 3 and b"more on the same days" in ended.err and b"stint bills remove 1 --force" in ended.err, ended
    assert total(w) == before


@test
def part_of_the_days(w):
    """half of a month that is there completely, under another account"""
    items = costs([machine("1111-22", f"vm{n}") for n in range(6)])
    assert enter(w, azure(w, "export.csv", "8608480", items)).status == 0
    half = focus(w, "half.csv", "Microsoft", ENROLLMENT, [item for item in items if item[0] < "2026-05-16"])
    ended = enter(w, half)
    assert ended.status == 3 and b"2026-05-01 to 2026-05-15" in ended.err, ended


@test
def corrected_amounts(w):
    """the same account in another format, when most amounts were corrected meanwhile"""
    items = costs([machine("1111-22", f"vm{n}") for n in range(6)])
    later = [(day, resource, cost * Decimal("0.9")) for day, resource, cost in items]
    assert enter(w, azure(w, "export.csv", "8608480", items)).status == 0
    assert enter(w, focus(w, "focus.csv", "Microsoft", ENROLLMENT, later)).status == 3


@test
def equal_machines(w):
    """two subscriptions with machines of the same names and prices are two: a warning, no more"""
    same = [(day, f"vm{n}", Decimal("24.48")) for day in DAYS for n in range(5)]
    one = focus(w, "a.csv", "Microsoft", "acc-a", [(day, machine("aaaa-1", name), cost) for day, name, cost in same], "aaaa-1")
    two = azure(w, "b.csv", "acc-b", [(day, machine("bbbb-2", name), cost) for day, name, cost in same], "bbbb-2")
    both_count(w, one, two, warned=True)
    remove_all(w)
    assert enter(w, one, two).status == 0


@test
def other_money(w):
    """days that adjoin, another month, tax alone, other resources, and people's own names in tables"""
    items = costs([machine("1111-22", f"vm{n}") for n in range(4)])
    early, late = [i for i in items if i[0] < "2026-05-16"], [i for i in items if i[0] >= "2026-05-16"]
    both_count(w, focus(w, "a.csv", "Microsoft", "x1", early), focus(w, "b.csv", "Microsoft", "x2", late))
    remove_all(w)
    both_count(w, focus(w, "a.csv", "Microsoft", "x3", early),
               focus(w, "t.csv", "Microsoft", "x4", [(day, "", Decimal("1.5")) for day in DAYS[:4]]))
    both_count(w, focus(w, "o.csv", "AWS", "y1", costs([f"i-{n:017x}" for n in range(4)])),
               focus(w, "p.csv", "AWS", "y2", costs([f"i-{n + 77:017x}" for n in range(5)])))
    head = "date,cost,currency,provider,account,resource".split(",")
    for account in ("lab-1", "lab-2"):
        rows = [[day, str(n + int(day[-2:])), "USD", "Lambda", account, f"node-{n}"] for day in DAYS for n in range(3)]
        ended = enter(w, table(w, f"{account}.csv", head, rows))
        assert ended.status == 0, ended


@test
def exported_again(w):
    """real bills, exported by Stint as FOCUS, with another name of the account"""
    data = os.environ.get("STINT_TEST_DATA")
    if not data:
        raise Skip("STINT_TEST_DATA is not set")
    for name in ("azure_cost/azure_ea_anonymous_focus_converters.csv.gz", "oci/oci_cost_report.csv.gz",
                 "aws_cur/cur1_anonymous_focus_converters.csv.gz"):
        path = os.path.join(data, "finops", "data", name)
        if not os.path.exists(path):
            continue
        assert enter(w, path).status == 0
        ended = w.end(w.start(STINT, "export", "--focus", w.path("focus.csv")))
        assert ended.status == 0, ended
        with open(w.path("focus.csv"), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            row["BillingAccountId"] = "another"
        again = table(w, "again.csv", rows[0].keys(), [row.values() for row in rows])
        ended = enter(w, again)
        assert ended.status == 3 and b"has the same money as" in ended.err, (name, ended)
        remove_all(w)


@test
def corrections(w):
    """a few lines less are a correction, and what left is listed; a part is refused"""
    items = costs([machine("1111-22", f"vm{n}") for n in range(18)])
    first = focus(w, "first.csv", "Microsoft", "c", items)
    assert enter(w, first).status == 0
    gone = items[100]
    ended = enter(w, focus(w, "one.csv", "Microsoft", "c", items[:100] + items[101:]), "--json")
    assert ended.status == 0, ended
    bill = json.loads(ended.out)["bills"][0]
    assert bill["missing"] == 1 and bill["changed"] == 0 and bill["added"] == 0, bill
    assert [(c["day"], c["resource"], Decimal(c["billed"]["amount"])) for c in bill["charges"]] == [gone], bill
    remove_all(w)
    assert enter(w, first).status == 0
    fewer = [(d, r, c + (n == 5)) for n, (d, r, c) in enumerate(items) if n % 40] + [("2026-05-09", machine("n", "new"), 1)]
    ended = enter(w, focus(w, "some.csv", "Microsoft", "c", fewer), "--json")
    assert ended.status == 0, ended
    bill = json.loads(ended.out)["bills"][0]
    left = [item for n, item in enumerate(items) if n % 40 == 0]
    assert (bill["missing"], bill["changed"], bill["added"]) == (len(left), 1, 1), bill
    assert Decimal(bill["missing_billed"]["amount"]) == sum(cost for _, _, cost in left), bill
    assert len(bill["charges"]) == 10
    remove_all(w)
    assert enter(w, first).status == 0
    for name, part in (("tenth", [i for n, i in enumerate(items) if n % 10]),
                       ("days", [i for i in items if i[0] < "2026-05-31"]),
                       ("half", items[:len(items) // 2])):
        ended = enter(w, focus(w, f"{name}.csv", "Microsoft", "c", part))
        assert ended.status == 3 and b"smaller" in ended.err, (name, ended)


main()
