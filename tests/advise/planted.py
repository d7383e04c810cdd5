#!/usr/bin/python3
"""Ledgers with planted waste: how much of it 'stint advise' finds, and how much of what it claims is false.

A month of bills and runs is drawn from a seed. Waste of known amounts is planted in it, beside work that wastes nothing and things
that look like waste: services, volumes of machines, machines that are too small to care about, backups, long runs without checkpoints.
Every finding in the total is compared with what was planted.

    tests/advise/planted.py build/stint [FIRST_SEED [SEEDS]] [--show] [--keep]
"""
import csv
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid

DAY = 86400
TODAY = 1794700800 // DAY * DAY  # 2026-11-15
DAYS = 30
START = TODAY - DAYS * DAY
NEEDED, ALLOWED = 0.90, 0.05
COLUMNS = ("BilledCost,EffectiveCost,ListCost,ContractedCost,BillingAccountId,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,"
           "ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ChargeDescription,ProviderName,InvoiceIssuerName,PublisherName,RegionId,"
           "ResourceId,ServiceCategory,ServiceName,SubAccountId,PricingCategory,PricingQuantity,PricingUnit,ConsumedQuantity,"
           "ConsumedUnit,SkuMeter,SkuPriceDetails,Tags").split(",")
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def when(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def prices():
    """On-demand and spot price of each offer: the newest row of the catalog."""
    out = {}
    with open(os.path.join(SOURCE, "data", "offers.csv"), newline="") as f:
        for row in csv.DictReader(f):
            key = (row["provider"], row["region"], row["instance"])
            if key not in out or row["date"] >= out[key][2]:
                out[key] = (float(row["on_demand_usd_h"] or "nan"), float(row["spot_usd_h"] or "nan"), row["date"])
    return out


class Ledger:
    """Bills and runs of a month, and what was planted in them."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.prices = prices()
        self.lines, self.runs = [], []
        self.planted = []  # [name, rules, words of the subject or evidence, dollars]
        self.account = str(self.random.randrange(10**11, 10**12))
        self.hourly = self.random.random() < 0.3  # bills by the hour, or by the day

    # ---- bills ----
    def line(self, start, seconds, cost, **more):
        month = when(start)[:7]
        after = f"{int(month[:4]) + (month[5:] == '12')}-{int(month[5:]) % 12 + 1:02}"
        row = {"BilledCost": f"{cost:.8f}", "EffectiveCost": f"{cost:.8f}", "ListCost": f"{cost:.8f}", "ContractedCost": f"{cost:.8f}",
               "BillingAccountId": self.account, "SubAccountId": self.account, "BillingCurrency": "USD",
               "BillingPeriodStart": month + "-01T00:00:00Z", "BillingPeriodEnd": after + "-01T00:00:00Z",
               "ChargeCategory": "Usage", "ChargePeriodStart": when(start), "ChargePeriodEnd": when(start + seconds),
               "ProviderName": "AWS", "InvoiceIssuerName": "AWS", "PublisherName": "AWS", "RegionId": "us-east-1",
               "ServiceCategory": "Compute", "ServiceName": "Amazon Elastic Compute Cloud", "PricingCategory": "Standard",
               "PricingUnit": "Hours", "ConsumedUnit": "Hours"}
        row.update(more)
        row["ConsumedQuantity"] = row.get("PricingQuantity", "")
        self.lines.append(row)

    def machine(self, resource, region, instance, rate, start, end, market="Standard", tags=None):
        """A machine on the bill from start to end, in seconds; what it cost."""
        step = 3600 if self.hourly else DAY
        at = start
        while at < end:
            upto = min(end, at // step * step + step)
            hours = (upto - at) / 3600
            self.line(at // step * step, step, hours * rate, RegionId=region, ResourceId=resource, PricingCategory=market,
                      PricingQuantity=f"{hours:.6f}", SkuMeter=("SpotUsage:" if market == "Dynamic" else "BoxUsage:") + instance,
                      ChargeDescription="machine hours", SkuPriceDetails=json.dumps({"InstanceType": instance}),
                      Tags=json.dumps(tags or {}))
            at = upto
        return (end - start) / 3600 * rate

    def daily(self, cost, first=0, last=DAYS, **more):
        """A charge on each day; what it cost together."""
        for d in range(first, last):
            self.line(START + d * DAY, DAY, cost, **more)
        return cost * (last - first)

    # ---- runs ----
    def run(self, name, start, hours, offer, market, rate, resource=None, state="done", status=0, busy=0.8, memory=0.7, idle=0.0,
            gpu="NVIDIA A10G", gpu_gb=24, gpus=1, command="python train.py", checkpoints=True, received=None, digest=None, reason="", best=None, kept=(0, 0)):
        cost = hours * rate
        self.runs.append(dict(name=name, start=int(start), seconds=int(hours * 3600), offer=offer, market=market, rate=rate, cost=cost,
                              idle=idle, resource=resource, state=state, status=status, busy=busy, memory=memory, gpu=gpu,
                              gpu_gb=gpu_gb, gpus=gpus, command=command, checkpoints=checkpoints, received=received, digest=digest,
                              reason=reason, best=best, kept=kept))
        return cost

    def resource(self):
        return f"i-0{self.random.getrandbits(64):016x}"

    def own_machine(self, name, start, hours, region, instance, market="on-demand", known=None, **more):
        """A run on a machine that is there for it alone; what it cost."""
        demand, spot, _ = self.prices[("aws", region, instance)]
        rate = spot if market == "spot" else demand
        resource = self.resource()
        self.machine(resource, region, instance, rate, int(start), int(start + hours * 3600),
                     "Dynamic" if market == "spot" else "Standard")
        known = self.random.random() < 0.8 if known is None else known
        skew = self.random.randrange(-60, 60)
        return self.run(name, start + skew, hours, f"aws/{region}/{instance}", market, rate,
                        resource if known else None, **more)

    def plant(self, name, rules, words, dollars):
        self.planted.append([name, rules, words, dollars])

    # ---- what is planted ----
    def left_on(self):
        """A machine that is always on, with runs by day, on some days or not on weekends."""
        r = self.random
        region, instance = r.choice([("us-east-1", "g5.2xlarge"), ("us-west-2", "g5.xlarge"), ("us-east-1", "g5.xlarge")])
        rate = self.prices[("aws", region, instance)][0]
        resource = self.resource()
        billed = self.machine(resource, region, instance, rate, START, TODAY)
        used = 0
        length = r.uniform(4, 10)
        for d in range(DAYS):
            weekend = (d + START // DAY + 3) % 7 >= 5
            if weekend or r.random() < 0.15:
                continue
            used += self.run("workstation", START + d * DAY + 8 * 3600, length, f"aws/{region}/{instance}", "on-demand", rate,
                             resource, command="jupyter lab", busy=0.7)
        self.plant("machine left on at night and on weekends", {"machines-left-on"}, "", billed - used)

    def never_used(self):
        r = self.random
        region, instance = r.choice([("us-east-1", "g5.2xlarge"), ("us-west-2", "g5.2xlarge"), ("us-east-2", "g5.xlarge"),
                                     ("us-east-1", "g4dn.xlarge")])
        first = r.randrange(0, 12)
        cost = self.machine(self.resource(), region, instance, self.prices[("aws", region, instance)][0], START + first * DAY, TODAY)
        self.plant("machine without any run", {"unused-machines"}, "", cost)

    def idle_runs(self):
        r = self.random
        sum_idle = 0
        for d in sorted(r.sample(range(DAYS), 8)):
            hours = r.uniform(8, 14)
            idle = r.uniform(0.5, 0.8)
            cost = self.own_machine("notebook", START + d * DAY + 7 * 3600, hours, "us-east-1", "g5.xlarge",
                                    command="jupyter lab", idle=idle, busy=0.7 * (1 - idle))
            sum_idle += cost * idle
        self.plant("notebooks that are idle", {"notebook-idle", "idle-time"}, "notebook", sum_idle)

    def failing(self):
        r = self.random
        lost = 0
        for d in sorted(r.sample(range(DAYS), r.randrange(6, 12))):
            lost += self.own_machine("sweep", START + d * DAY + 3600 * 2, r.uniform(1, 5), "us-west-2", "g5.2xlarge", market="spot",
                                     state="failed", status=1)
        if r.random() < 0.5:  # it ends well at last
            self.own_machine("sweep", START + 20 * DAY, 3, "us-west-2", "g5.2xlarge", market="spot")
        self.plant("runs that fail again and again", {"failed-runs"}, "sweep", lost)

    def repeated(self):
        r = self.random
        again = 0
        for n, d in enumerate(sorted(r.sample(range(DAYS), 5))):
            cost = self.own_machine("eval-suite", START + d * DAY + 3600 * 5, r.uniform(2, 4), "us-east-1", "g5.xlarge",
                                    market="spot", digest="00aa11bb22cc33dd", best=0.25)
            again += cost if n > 0 else 0
        self.plant("the same run again", {"repeated-runs"}, "eval-suite", again)

    def oversized(self):
        """A small model on a large GPU that a smaller one would do nearly as fast."""
        r = self.random
        large = self.prices[("gcp", "us-central1", "a2-highgpu-1g")][0]
        small = self.prices[("gcp", "us-central1", "g2-standard-4")][0]
        total = 0
        for d in sorted(r.sample(range(DAYS), 12)):
            hours = r.uniform(3, 8)
            total += self.run("small-model", START + d * DAY + 3600 * 9, hours, "gcp/us-central1/a2-highgpu-1g", "on-demand", large,
                              gpu="NVIDIA A100-SXM4-40GB", gpu_gb=40, busy=r.uniform(0.08, 0.15), memory=r.uniform(0.1, 0.2))
        self.plant("GPUs that are too large", {"right-size"}, "small-model", total * (1 - 1.3 * small / large))

    def wrong_region(self):
        """Long runs without checkpoints where the same machine costs more, with little data."""
        r = self.random
        region, instance = r.choice([("ap-northeast-1", "g5.xlarge"), ("ap-southeast-2", "g5.xlarge")])
        there, here = self.prices[("aws", region, instance)][0], self.prices[("aws", "us-east-1", instance)][0]
        total = 0
        for d in sorted(r.sample(range(0, DAYS - 2), 5)):
            total += self.own_machine("tokyo-fit", START + d * DAY, r.uniform(14, 22), region, instance, busy=0.8, memory=0.8,
                                      checkpoints=False, received=5e9)
        self.plant("a region where the same machine costs more", {"cheaper-place", "cheaper-region"}, "tokyo-fit", total * (1 - here / there) - 0.5)

    def kept(self):
        """Checkpoints beyond the newest three."""
        r = self.random
        size, many = r.uniform(20e9, 60e9), r.randrange(8, 20)
        self.kept_name, runs = "many-saves", r.randrange(3, 7)
        for d in range(runs):
            self.own_machine(self.kept_name, START + (d * 4 + 1) * DAY, 6, "us-west-2", "g5.2xlarge", market="spot", busy=0.9,
                             memory=0.8, kept=(many, size))
        self.plant("checkpoints that nobody needs", {"kept-checkpoints"}, self.kept_name, runs * (many - 3) * size / 1e9 * 0.023)

    def on_demand(self):
        """Short runs with checkpoints that pay for machines on demand."""
        r = self.random
        region = r.choice(["us-west-2", "us-east-1"])
        demand, spot, _ = self.prices[("aws", region, "g5.2xlarge")]
        total = 0
        for d in range(DAYS):
            for _ in range(r.randrange(0, 3)):
                total += self.own_machine("finetune", START + d * DAY + r.randrange(0, 12) * 3600, r.uniform(2, 9), region,
                                          "g5.2xlarge", busy=0.9, memory=0.9)
        self.plant("on demand, and spot would do", {"spot"}, "finetune", total * (1 - spot / demand))

    def regions(self):
        r = self.random
        gb = r.uniform(200, 900)
        cost = self.daily(gb * 0.02, RegionId="us-east-1", ServiceCategory="Networking", ServiceName="AWS Data Transfer",
                          SkuMeter="USE1-EUW1-AWS-Out-Bytes", ChargeDescription="$0.02 per GB - US East to EU (Ireland) data transfer",
                          PricingQuantity=f"{gb:.3f}", PricingUnit="GB", ConsumedUnit="GB")
        self.plant("traffic between regions", {"traffic-between-regions"}, "", cost)

    def volumes(self):
        r = self.random
        total = 0
        for n in range(r.randrange(2, 5)):
            gb = r.randrange(500, 4000)
            total += self.daily(gb * 0.08 / 30, RegionId="eu-central-1", ServiceCategory="Storage",
                                ServiceName="Amazon Elastic Block Store", ResourceId=f"vol-0{r.getrandbits(64):016x}",
                                SkuMeter="EUC1-EBS:VolumeUsage.gp3", ChargeDescription="$0.08 per GB-month of gp3",
                                PricingQuantity=f"{gb / 30:.6f}", PricingUnit="GB-Months", ConsumedUnit="GB-Months")
        self.plant("volumes without a machine", {"unattached-volumes"}, "", total)

    def network(self):
        r = self.random
        ips = r.randrange(3, 9)
        self.plant("addresses that nothing uses", {"unused-addresses"}, "", self.daily(
            ips * 24 * 0.005, ServiceCategory="Networking", ServiceName="Amazon Virtual Private Cloud",
            SkuMeter="PublicIPv4:IdleAddress", ChargeDescription="$0.005 per Idle public IPv4 address per hour",
            PricingQuantity=f"{24 * ips}", PricingUnit="Hrs"))
        self.plant("a load balancer without traffic", {"unused-load-balancers"}, "", self.daily(
            24 * 0.0225, ServiceCategory="Networking", ServiceName="Elastic Load Balancing",
            ResourceId=f"arn:aws:elasticloadbalancing:us-east-1:1:loadbalancer/app/old/{r.getrandbits(32):08x}",
            SkuMeter="LoadBalancerUsage", ChargeDescription="$0.0225 per Application LoadBalancer-hour",
            PricingQuantity="24", PricingUnit="Hrs"))

    def objects(self):
        """A bucket that nobody reads, and one that is stored twice."""
        r = self.random
        cold, tb = r.uniform(4000, 12000), r.uniform(2000, 9000)

        def bucket(name, gb, requests):
            cost = self.daily(gb * 0.023 / 30, ServiceCategory="Storage", ServiceName="Amazon Simple Storage Service",
                              ResourceId=name, SkuMeter="TimedStorage-ByteHrs", ChargeDescription="$0.023 per GB - first 50 TB",
                              PricingQuantity=f"{gb / 30:.6f}", PricingUnit="GB-Mo", ConsumedUnit="GB-Mo")
            if requests:
                self.daily(0.04, ServiceCategory="Storage", ServiceName="Amazon Simple Storage Service", ResourceId=name,
                           SkuMeter="Requests-Tier2", ChargeDescription="$0.004 per 10,000 GET requests", PricingQuantity="100000",
                           PricingUnit="Requests")
            return cost

        self.plant("data that nothing reads", {"cold-objects"}, "", bucket("old-datasets", cold, False) * (1 - 0.0125 / 0.023))
        bucket("datasets", tb, True)
        self.plant("data that is stored twice", {"stored-twice"}, "", bucket("datasets-copy", tb, False))

    @staticmethod
    def discount(provider):
        """The lowest that is expected of a commitment for a year: the middle of what is published."""
        with open(os.path.join(SOURCE, "data", "commitments.csv"), newline="") as f:
            return min((float(row["discount_low"]) + float(row["discount_high"])) / 2 for row in csv.DictReader(f)
                       if row["provider"] == provider and row["term_months"] == "12" and row["discount_low"])

    # ---- what is not waste ----
    def decoys(self):
        r = self.random
        # A service: always on, a run is on it all the time; and one that no run records.
        rate = self.prices[("aws", "us-east-2", "g5.xlarge")][0]
        resource = self.resource()
        steady = self.machine(resource, "us-east-2", "g5.xlarge", rate, START, TODAY)
        for d in range(0, DAYS, 10):
            self.run("serve-chat", START + d * DAY, 240, "aws/us-east-2/g5.xlarge", "on-demand", rate, resource,
                     command="vllm serve", busy=0.75, memory=0.9, checkpoints=False)
        self.plant("a steady load without a commitment", {"commitment"}, "", steady * self.discount("aws") * 365 / 12 / DAYS)
        self.machine(self.resource(), "us-west-2", "g5.xlarge", 1.006, START, TODAY, tags={"role": "inference"})
        # A small machine for logins, and a database.
        self.machine(self.resource(), "us-east-1", "t3.small", 0.0208, START, TODAY)
        self.machine(self.resource(), "us-east-1", "m5.large", 0.096, START, TODAY, tags={"Name": "db"})
        # Good work on spot.
        for d in range(0, DAYS, 2):
            self.own_machine("pretrain", START + d * DAY + 3600, r.uniform(10, 20), "us-west-2", "g5.2xlarge", market="spot",
                             busy=0.93, memory=0.9)
        # A long run without checkpoints, on demand.
        self.own_machine("long-fit", START + 5 * DAY, 90, "us-east-1", "g5.xlarge", busy=0.95, memory=0.9, checkpoints=False)
        # Work that was not recorded, for some hours.
        self.machine(self.resource(), "us-east-1", "g5.xlarge", 1.006, START + 3 * DAY + 7200, START + 3 * DAY + 5 * 3600)
        # Volumes of machines, support, traffic to the internet, a backup, credits, tax.
        for n in range(4):
            self.daily(r.uniform(0.1, 0.6), ServiceCategory="Storage", ServiceName="Amazon Elastic Block Store",
                       ResourceId=f"vol-0{r.getrandbits(64):016x}", SkuMeter="EBS:VolumeUsage.gp3", PricingUnit="GB-Months",
                       PricingQuantity="5", ChargeDescription="$0.08 per GB-month of gp3")
        self.daily(2.0, ServiceCategory="Networking", ServiceName="AWS Data Transfer", SkuMeter="DataTransfer-Out-Bytes",
                   ChargeDescription="$0.09 per GB data transfer out", PricingUnit="GB", PricingQuantity="22")
        self.daily(0.7, ServiceCategory="Storage", ServiceName="Amazon Elastic Block Store", ResourceId="snap-0123456789abcdef0",
                   SkuMeter="EBS:SnapshotUsage", ChargeDescription="$0.05 per GB-Month of snapshot data", PricingUnit="GB-Mo",
                   PricingQuantity="14")
        self.daily(24 * 0.0225, ServiceCategory="Networking", ServiceName="Elastic Load Balancing", SkuMeter="LoadBalancerUsage",
                   ResourceId="arn:aws:elasticloadbalancing:us-east-1:1:loadbalancer/app/chat/1", PricingQuantity="24",
                   PricingUnit="Hrs", ChargeDescription="$0.0225 per Application LoadBalancer-hour")
        self.daily(0.3, ServiceCategory="Networking", ServiceName="Elastic Load Balancing", SkuMeter="LCUUsage",
                   ResourceId="arn:aws:elasticloadbalancing:us-east-1:1:loadbalancer/app/chat/1", PricingQuantity="40",
                   PricingUnit="LCU-Hrs", ChargeDescription="$0.008 per used LCU-hour")
        self.daily(24 * 0.045 + 3, ServiceCategory="Networking", ServiceName="Amazon Elastic Compute Cloud",
                   SkuMeter="NatGateway-Bytes", ResourceId="arn:aws:ec2:us-east-1:1:natgateway/nat-1", PricingQuantity="90",
                   PricingUnit="GB", ChargeDescription="$0.045 per GB Data Processed by NAT Gateways")
        self.line(START, DAY, 100, ServiceCategory="Other", ServiceName="AWS Support", PricingUnit="Months", PricingQuantity="1")

    def draw(self):
        kinds = [self.left_on, self.never_used, self.idle_runs, self.failing, self.repeated, self.oversized, self.on_demand,
                 self.regions, self.volumes, self.network, self.objects, self.wrong_region, self.kept]
        left_out = self.random.sample(kinds, self.random.randrange(0, 4))
        for kind in kinds:
            if kind not in left_out:
                kind()
        self.decoys()

    # ---- into files ----
    def write(self, stint, folder):
        bill, ledger = os.path.join(folder, "bill.csv"), os.path.join(folder, "ledger.db")
        with open(bill, "w", newline="") as f:
            writer = csv.DictWriter(f, COLUMNS, restval="", extrasaction="ignore")
            writer.writeheader()
            writer.writerows(self.lines)
        self.ask(stint, folder, "ledger", "init")
        db = sqlite3.connect(ledger)
        for number, r in enumerate(self.runs, 1):
            self.write_run(db, number, r)
        db.commit()
        db.close()
        self.ask(stint, folder, "import", bill)

    def write_run(self, db, number, r):
        end = r["start"] + r["seconds"]
        ident = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        nano = round(r["cost"] * 1e9)
        idle = round(nano * r["idle"])
        run = dict(run=number, id=ident, name=r["name"], folder="/work", command=r["command"], owner="dev", commit_id="",
                   started=r["start"], attempts=1, storage_month_nano=23000000, digest=r["digest"] or f"{number:016x}")
        attempt = dict(attempt=number, run=number, number=1, state=r["state"], status=r["status"], reason=r["reason"],
                       started=r["start"], ended=end, host=f"host-{number}", boot="", offer=r["offer"], market=r["market"],
                       price_source="its offer", rate_nano=round(r["rate"] * 1e9), at=end, elapsed_ns=r["seconds"] * 10**9,
                       cost_nano=nano, compute_nano=nano, phase_train_nano=nano - idle, phase_idle_nano=idle, phase_setup_nano=0,
                       phase_data_nano=0, phase_evaluate_nano=0, phase_checkpoint_nano=0, gpu_busy=r["busy"],
                       gpu_memory_peak=r["memory"] * r["gpu_gb"] * 1e9, gpu_memory_total=r["gpu_gb"] * 1e9, gpus=r["gpus"],
                       gpu=r["gpu"], step=1000.0, steps=1000.0, best=r["best"], loss=r["best"], checkpoint_bytes=1e9 if r["checkpoints"] else None,
                       bytes_received=r["received"], attempt_id=ident[::-1], applied=1)
        for table, row in (("runs", run), ("attempts", attempt)):
            db.execute(f"INSERT INTO {table}({','.join(row)}) VALUES({','.join('?' * len(row))})", list(row.values()))
        for n in range(r["kept"][0]):
            db.execute("INSERT INTO checkpoints(run, path, number, at, bytes, step, best) VALUES(?, ?, 1, ?, ?, ?, 0)",
                       (number, f"out/{number}/checkpoint-{n * 100}", r["start"] + 60 * n, r["kept"][1], n * 100.0))
        if r["resource"]:
            db.execute("INSERT INTO facts VALUES(?, 0, ?)", (number, "machine=" + r["resource"]))

    @staticmethod
    def ask(stint, folder, *words):
        env = dict(os.environ, HOME=folder, STINT_LEDGER=os.path.join(folder, "ledger.db"), STINT_NOW="2026-11-15", TZ="UTC",
                   ASAN_OPTIONS="detect_leaks=0")
        done = subprocess.run([stint, *words], env=env, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    # ---- what was found ----
    def judge(self, advice, show):
        """Dollars that were planted, claimed, and right of what was claimed."""
        claimed = right = 0
        left = [item[3] for item in self.planted]
        for f in advice["findings"]:
            adds = float(f["adds"]["amount"]) if f["chosen"] else 0
            good = 0
            for n, (_, rules, words, _) in enumerate(self.planted):
                if f["rule"] in rules and words in f["subject"]:
                    part = min(adds - good, left[n])
                    good += part
                    left[n] -= part
            claimed += adds
            right += good
            if show and adds > 0:
                print(f"#   {adds:9.2f} claimed, {adds - good:8.2f} of it false: {f['rule']}, {f['subject']}")
        if show:
            for n, (name, _, _, dollars) in enumerate(self.planted):
                print(f"#   {dollars:9.2f} planted, {left[n]:8.2f} of it missed: {name}")
        return sum(item[3] for item in self.planted), claimed, right


def check(stint, kind, seed, show):
    folder = tempfile.mkdtemp(prefix="planted.")
    try:
        ledger = kind(seed)
        ledger.draw()
        ledger.write(stint, folder)
        advice = json.loads(ledger.ask(stint, folder, "advise", "--since", "2026-10-16", "--until", "2026-11-14", "--json"))
        planted, claimed, right = ledger.judge(advice, show)
        spent = float(advice["total"]["spent"]["amount"])
        total = float(advice["total"]["savings"]["amount"])
    finally:
        if "--keep" in sys.argv:
            print(f"#   {folder}")
        else:
            shutil.rmtree(folder)
    found, false = right / planted, (claimed - right) / claimed
    print(f"# {kind.__name__}, seed {seed}: ${planted:,.2f} planted, {found:.1%} found; ${claimed:,.2f} claimed, {false:.1%} of it false")
    return found >= NEEDED and false <= ALLOWED and abs(total - claimed) < 0.05 and total <= spent


def main(kinds):
    """Ledgers of these kinds in turn."""
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    stint, first, count = os.path.abspath(words[0]), int(words[1]) if len(words) > 1 else 1, int(words[2]) if len(words) > 2 else 12
    print(f"1..{count}")
    for n in range(count):
        kind, seed = kinds[n % len(kinds)], first + n
        good = check(stint, kind, seed, "--show" in sys.argv)
        print(f"{'ok' if good else 'not ok'} {n + 1} - {kind.__name__}, seed {seed}: planted waste is found, and nothing else claimed")


if __name__ == "__main__":
    main([Ledger])
