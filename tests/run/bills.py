#!/usr/bin/python3
"""From a run to its bill, and from a plan to what was learned from it, all with the program itself."""
import json
import os
import time

from harness import STINT, main, test
from metadata import Cloud, ec2

COLUMNS = ("BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,"
           "ChargePeriodStart,ChargePeriodEnd,ProviderName,InvoiceIssuerName,PublisherName,ResourceId,ServiceCategory,"
           "ServiceName,PricingQuantity,PricingUnit")


def day(seconds):
    return time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime(seconds))


def ask(w, *words):
    """The answer of a command, as JSON."""
    ended = w.end(w.start(STINT, *words, "--json"))
    assert ended.status == 0, ended
    return json.loads(ended.out)


def bill(w, provider, resource):
    """A bill for the machine: all of yesterday to tomorrow, so that midnight does not matter."""
    rows = [COLUMNS]
    now = time.time()
    for start in (now - 86400, now, now + 86400):
        month = time.strftime("%Y-%m-01T00:00:00Z", time.gmtime(start))
        after = day(time.mktime(time.strptime(month[:7] + "-01", "%Y-%m-%d")) + 33 * 86400)[:7] + "-01T00:00:00Z"
        rows.append(f"24,24,1,USD,{month},{after},Usage,{day(start)},{day(start + 86400)},{provider},{provider},{provider},"
                    f"{resource},Compute,Machines,24,Hours")
    ended = w.end(w.start(STINT, "import", w.write("bill.csv", "\n".join(rows) + "\n")))
    assert ended.status == 0, ended


def machine(w):
    """The machine that the run recorded."""
    facts = [row["fact"] for row in w.ask("SELECT fact FROM facts")]
    return [fact.split("=", 1)[1] for fact in facts if fact.startswith("machine=")]


def matched(w, how):
    """The run matched with its bill: a dollar an hour for as long as it took."""
    answer = ask(w, "reconcile")
    run, sums = answer["runs"][0], answer["sums"][0]
    took = (w.attempt()["ended"] or 0) - w.attempt()["started"]
    assert run["matched_by"] == how and answer["matched_runs"] == 1, answer
    assert abs(float(run["billed"]) * 3600 - max(took, 1)) < 0.01, (run, took)
    assert run["metered"] is not None, run
    parts = [float(sums[part]) for part in ("matched", "idle", "untracked", "other")]
    assert abs(sum(parts) - 72) < 1e-9 and sums["billed"] == "72" and parts[2] == 0, sums


@test
def amazon(w):
    """EC2: the run knows the id of its machine, which the bill has in an ARN"""
    ec2(w)
    ended = w.run("--price", "$1/hr", "--", "sleep", "1")
    assert ended.status == 0 and machine(w) == ["i-0123456789abcdef0"], (ended, machine(w))
    bill(w, "AWS", "arn:aws:ec2:us-east-1:1:instance/i-0123456789abcdef0")
    matched(w, "machine id")


@test
def google(w):
    """Google Cloud: by its number"""
    base = "/computeMetadata/v1/instance/"
    Cloud(w, {"product_name": "Google Compute Engine"},
          {base + "machine-type": "projects/1/machineTypes/g2-standard-4", base + "zone": "projects/1/zones/us-central1-a",
           base + "scheduling/preemptible": "TRUE", base + "id": "4242"}, headers={"Metadata-Flavor": "Google"})
    ended = w.run("--", "sleep", "1")
    assert ended.status == 0 and machine(w) == ["4242"], (ended, machine(w))
    bill(w, "Google Cloud", "//compute.googleapis.com/projects/1/zones/us-central1-a/instance/4242")
    matched(w, "machine id")


@test
def azure(w):
    """Azure: by its path, since bills have no vmId"""
    path = "/subscriptions/0-1/resourceGroups/rg (a)/providers/Microsoft.Compute/virtualMachines/vm-0"
    Cloud(w, {"sys_vendor": "Microsoft Corporation", "chassis_asset_tag": "7783-7084-3265-9085-8269-3286-77"},
          {"/metadata/instance/compute": json.dumps({
              "name": "vm-0", "vmSize": "Standard_NC24ads_A100_v4", "location": "eastus", "priority": "", "vmId": "1-2",
              "subscriptionId": "0-1", "resourceGroupName": "rg(a)",
              "resourceId": path.replace(" ", "")})})
    ended = w.run("--", "sleep", "1")
    assert ended.status == 0 and machine(w) == [path.replace(" ", "")], (ended, machine(w))
    bill(w, "Microsoft", path.replace(" ", "").upper())
    matched(w, "machine id")


@test
def by_tag(w):
    """no cloud: a tag of the machine that is billed names the run"""
    ended = w.run("--price", "$1/hr", "--name", "bert", "--", "sleep", "1")
    assert ended.status == 0 and machine(w) == [], ended
    bill(w, "Acme", "node-7")
    with open(w.path("bill.csv"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    tagged = [lines[0] + ",Tags"] + [line + ',"{""stint_run"":""bert""}"' for line in lines[1:]]
    ended = w.end(w.start(STINT, "import", w.write("bill.csv", "\n".join(tagged) + "\n")))
    assert ended.status == 0, ended
    matched(w, "tag")


@test
def planned(w):
    """a saved plan that is run is recorded with what it predicted; without steps nothing is learned from it"""
    job = ("llama-2-7b", "--method", "lora", "--tokens", "20K", "--gpu", "A100-SXM-80GB", "--provider", "gcp")
    ended = w.end(w.start(STINT, "plan", *job, "--save", "plan.json"))
    assert ended.status == 0 and os.path.exists(w.path("plan.json")), ended
    ended = w.run("--plan", "plan.json", "--", "sleep", "1")
    assert ended.status == 0, ended
    run = w.ask("SELECT estimated_ns, features, constants FROM runs")[0]
    features = json.loads(run["features"])
    assert features["gpu"] == "A100-SXM-80GB" and run["constants"] and run["estimated_ns"] > 0, tuple(run)
    learned = ask(w, "calibrate")
    assert learned["without_steps"] == 1 and learned["corrections"] == [], learned
    ended = w.end(w.start(STINT, "estimate", "llama-2-7b", "--method", "lora", "--tokens", "1M", "--on", "A100-SXM-80GB"))
    assert ended.status == 0 and b"learned from" not in b" ".join(ended.out.split()), ended


main()
