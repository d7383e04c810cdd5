#!/usr/bin/python3
"""Ledgers of three clouds with planted waste, as planted.py has them for one: AWS and Google with bills alone, Azure with runs.

Regions, machine types, meters and amounts are drawn from a seed; what is not waste is beside it. Every finding in the total is compared
with what was planted.

    tests/advise/planted_clouds.py build/stint [FIRST_SEED [SEEDS]] [--show] [--keep]
"""
import planted
from planted import DAY, DAYS, START, TODAY


class Cloud(planted.Ledger):
    names = ("", "", "")  # provider as bills have it, catalog's name, service of machines

    def line(self, start, seconds, cost, **more):
        provider, _, service = self.names
        super().line(start, seconds, cost, **{"ProviderName": provider, "InvoiceIssuerName": provider, "PublisherName": provider,
                                              "ServiceName": service, **more})

    def price(self, region, instance):
        return self.prices[(self.names[1], region, instance)]

    def sporadic(self, region, instance, machines):
        """Machines that are on for some hours on some days, on demand."""
        r = self.random
        rate, total = self.price(region, instance)[0], 0
        for _ in range(machines):
            resource = self.resource()
            for d in sorted(r.sample(range(DAYS), r.randrange(8, 14))):
                start = START + d * DAY + r.randrange(0, 8) * 3600
                total += self.machine(resource, region, instance, rate, start, start + r.randrange(3, 14) * 3600)
        return total

    def steady(self, region, instance, **more):
        return self.machine(self.resource(), region, instance, self.price(region, instance)[0], START, TODAY, **more)

    def plant_spot(self, region, instance):
        demand, spot, _ = self.price(region, instance)
        self.plant("work for some hours, on demand", {"machines-on-demand"}, "",
                   self.sporadic(region, instance, self.random.randrange(2, 5)) * (1 - spot / demand))

    def plant_region(self, region, instance, best):
        """A machine that is always on in an expensive region. A commitment there may be claimed for what is left of it."""
        cost = self.steady(region, instance)
        saved = cost * (1 - self.price(best, instance)[0] / self.price(region, instance)[0])
        self.plant("a region where the same machine costs more", {"machines-elsewhere"}, "", saved)
        return cost

    def plant_days(self, name, rule, cost, **more):
        self.plant(name, {rule}, "", self.daily(cost, **more))


class Amazon(Cloud):
    names = ("AWS", "aws", "Amazon Elastic Compute Cloud")

    def draw(self):
        r = self.random
        self.plant_spot("us-west-2", "g5.2xlarge")
        self.plant_region(r.choice(["eu-central-1", "ap-northeast-1", "ap-southeast-1"]), "g4dn.xlarge", "us-east-1")
        old = self.steady("us-west-2", "p3.2xlarge")
        self.plant("machines with old GPUs", {"old-machines", "commitment"}, "", old * r.uniform(0.6, 0.64))
        cost = 0
        for d in range(DAYS):
            cost += 24 * 0.05
            self.line(START + d * DAY, DAY, 24 * 0.05, ServiceName="Amazon SageMaker", RegionId="eu-west-1",
                      ResourceId="arn:aws:sagemaker:eu-west-1:1:notebook-instance/demo", SkuMeter="EUW1-Notebk:ml.t3.medium",
                      ChargeDescription="$0.05 per Notebook ml.t3.medium hour", PricingQuantity="24",
                      SkuPriceDetails='{"InstanceType": "ml.t3.medium"}')
        self.plant("a notebook that is never stopped", {"notebooks-at-night", "commitment"}, "", cost * 0.7)
        gb = r.uniform(300, 900)
        self.plant_days("traffic between regions", "traffic-between-regions", gb * 0.02, ServiceCategory="Networking", RegionId="eu-west-1",
                        ServiceName="AWS Data Transfer", SkuMeter="EUW1-USE1-AWS-Out-Bytes", PricingQuantity=f"{gb:.2f}", PricingUnit="GB")
        self.plant_days("addresses that nothing uses", "unused-addresses", r.randrange(4, 12) * 24 * 0.005, ServiceCategory="Networking",
                        ServiceName="Amazon Elastic Compute Cloud", SkuMeter="EUW1-ElasticIP:IdleAddress", PricingUnit="Hrs")
        self.plant_days("a load balancer without traffic", "unused-load-balancers", 24 * 0.0252, ServiceCategory="Networking",
                        ServiceName="Elastic Load Balancing", SkuMeter="EUW1-LoadBalancerUsage", PricingUnit="Hrs", PricingQuantity="24",
                        ResourceId="arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/app/old/1")
        self.plant_days("a NAT gateway without traffic", "nat-gateways", 24 * 0.048, ServiceCategory="Networking", PricingUnit="Hrs",
                        SkuMeter="EUW1-NatGateway-Hours", ResourceId="arn:aws:ec2:eu-west-1:1:natgateway/nat-9", PricingQuantity="24")
        for n in range(r.randrange(2, 4)):
            self.plant_days("volumes without a machine", "unattached-volumes", r.uniform(1, 6), ServiceCategory="Storage",
                            RegionId="ca-central-1", ServiceName="Amazon Elastic Block Store", SkuMeter="CAN1-EBS:VolumeUsage.gp3",
                            ResourceId=f"vol-0{n}{r.getrandbits(60):015x}", PricingUnit="GB-Mo", PricingQuantity="20")
        for n in range(r.randrange(2, 5)):
            cost = self.daily(r.uniform(1, 3), ServiceCategory="Storage", ServiceName="Amazon Elastic Block Store",
                              SkuMeter="EBS:SnapshotUsage", ResourceId=f"arn:aws:ec2:us-east-1:1:snapshot/snap-0{n}", PricingUnit="GB-Mo")
            self.plant("snapshots that never change", {"old-snapshots"}, "", cost * 0.75)
        # What is not waste: an endpoint, a bastion, traffic that is needed, a volume of a machine, a snapshot of each day.
        self.machine(self.resource(), "us-east-1", "t3.micro", 0.0104, START, TODAY)
        cost = self.daily(24 * 1.515, ServiceName="Amazon SageMaker", ResourceId="arn:aws:sagemaker:us-west-2:1:endpoint/chat",
                          RegionId="us-west-2", SkuMeter="USW2-Host:ml.g5.2xlarge", PricingQuantity="24",
                          SkuPriceDetails='{"InstanceType": "ml.g5.2xlarge"}')
        self.plant("a steady load without a commitment", {"commitment"}, "", cost * self.discount("aws") * 365 / 12 / DAYS)
        self.daily(r.uniform(1, 5), ServiceCategory="Networking", ServiceName="AWS Data Transfer", SkuMeter="DataTransfer-Out-Bytes")
        self.daily(r.uniform(0.1, 1), ServiceCategory="Storage", ServiceName="Amazon Elastic Block Store", RegionId="us-west-2",
                   SkuMeter="USW2-EBS:VolumeUsage.gp3", ResourceId="vol-0aa", PricingUnit="GB-Mo")
        for d in range(DAYS):
            self.line(START + d * DAY, DAY, 0.3 + 0.02 * d, ServiceCategory="Storage", ServiceName="Amazon Elastic Block Store",
                      SkuMeter="EBS:SnapshotUsage", ResourceId="arn:aws:ec2:us-east-1:1:snapshot/snap-daily", PricingUnit="GB-Mo")


class Google(Cloud):
    names = ("Google Cloud", "gcp", "Compute Engine")

    def resource(self):
        return f"//compute.googleapis.com/projects/ml/zones/z/instances/{self.random.randrange(10**18, 10**19)}"

    def draw(self):
        r = self.random
        self.plant_spot("europe-west4", "a2-highgpu-1g")
        self.plant_region(r.choice(["asia-northeast1", "asia-southeast1"]), "g2-standard-4", "us-east4")
        gb = r.uniform(300, 900)
        self.plant_days("traffic between regions", "traffic-between-regions", gb * 0.05, ServiceCategory="Networking",
                        ServiceName="Networking", RegionId="us-central1", PricingUnit="gibibyte", PricingQuantity=f"{gb:.2f}",
                        SkuMeter="Network Data Transfer Inter Region from Americas to EMEA",
                        ChargeDescription="Network Inter Region Data Transfer Out from Americas to Netherlands")
        self.plant_days("addresses that nothing uses", "unused-addresses", r.randrange(4, 12) * 24 * 0.01, ServiceCategory="Networking",
                        ServiceName="Networking", SkuMeter="Static Ip Charge", PricingUnit="hour")
        for n in range(r.randrange(2, 4)):
            self.plant_days("volumes without a machine", "unattached-volumes", r.uniform(1, 6), ServiceCategory="Storage",
                            RegionId="europe-north1", SkuMeter="SSD backed PD Capacity in Finland", PricingUnit="gibibyte month",
                            ResourceId=f"//compute.googleapis.com/projects/ml/zones/europe-north1-a/disks/{n}")
        cost = self.daily(r.uniform(2, 5), ServiceCategory="Storage", SkuMeter="Storage PD Snapshot in US", PricingUnit="gibibyte month",
                          ResourceId="//compute.googleapis.com/projects/ml/global/snapshots/77")
        self.plant("snapshots that never change", {"old-snapshots"}, "", cost * 0.62)
        # What is not waste.
        self.machine(self.resource(), "us-central1", "e2-small", 0.0168, START, TODAY)
        self.daily(24 * 0.025, ServiceCategory="Networking", ServiceName="Networking", SkuMeter="Network Load Balancing: Forwarding Rule",
                   ResourceId="projects/ml/forwardingRules/a", PricingUnit="hour", PricingQuantity="24")
        self.daily(r.uniform(1, 4), ServiceCategory="Networking", ServiceName="Networking",
                   SkuMeter="Network Internet Data Transfer Out from Americas", PricingUnit="gibibyte")


class Microsoft(Cloud):
    """With runs: the same findings that planted.py has, under other names and in other regions."""
    names = ("Microsoft", "azure", "Virtual Machines")

    def resource(self):
        return f"/subscriptions/s/resourceGroups/ml/providers/Microsoft.Compute/virtualMachines/vm{self.random.getrandbits(40):x}"

    def run_on(self, name, region, instance, start, hours, resource, **more):
        return self.run(name, start, hours, f"azure/{region}/{instance}", "on-demand", self.price(region, instance)[0], resource, **more)

    def draw(self):
        r = self.random
        region, instance = r.choice([("eastus", "Standard_NC4as_T4_v3"), ("westus2", "Standard_NC4as_T4_v3")])
        rate, resource, used = self.price(region, instance)[0], self.resource(), 0
        billed = self.machine(resource, region, instance, rate, START, TODAY)
        for d in range(DAYS):
            if r.random() < 0.7:
                used += self.run_on("train", region, instance, START + d * DAY + 8 * 3600, r.uniform(4, 9), resource, gpu="Tesla T4",
                                    gpu_gb=16, busy=0.8, memory=0.7)
        self.plant("machine left on at night", {"machines-left-on"}, "", billed - used)
        if self.price(region, instance)[1] > 0:
            self.plant("on demand, and spot would do", {"spot"}, "train", used * (1 - self.price(region, instance)[1] / rate))
        first = r.randrange(0, 10)
        self.plant("machine without any run", {"unused-machines"}, "", self.machine(
            self.resource(), "eastus", "Standard_NC8as_T4_v3", self.price("eastus", "Standard_NC8as_T4_v3")[0], START + first * DAY, TODAY))
        total = 0
        for d in sorted(r.sample(range(0, DAYS - 2), 6)):
            hours, resource = r.uniform(14, 22), self.resource()
            rate = self.price("southcentralus", "Standard_NC24ads_A100_v4")[0]
            self.machine(resource, "southcentralus", "Standard_NC24ads_A100_v4", rate, START + d * DAY, START + d * DAY + int(hours * 3600))
            total += self.run_on("texas-fit", "southcentralus", "Standard_NC24ads_A100_v4", START + d * DAY, hours, resource, busy=0.9,
                                 memory=0.9, gpu="NVIDIA A100 80GB PCIe", gpu_gb=80, checkpoints=False, received=5e9)
        best = min(price[0] for (p, _, i), price in self.prices.items() if p == "azure" and i == "Standard_NC24ads_A100_v4")
        self.plant("a region where the same machine costs more", {"cheaper-region", "cheaper-place"}, "texas-fit",
                   total * (1 - best / rate) - 0.5)
        gb = r.uniform(300, 900)
        self.plant_days("traffic between regions", "traffic-between-regions", gb * 0.02, ServiceCategory="Networking", RegionId="eastus",
                        ServiceName="Bandwidth", SkuMeter="Inter-Region Data Transfer Out", PricingUnit="GB", PricingQuantity=f"{gb:.2f}",
                        ChargeDescription="Standard Inter-Region Data Transfer Out")
        for n in range(r.randrange(2, 4)):
            self.plant_days("volumes without a machine", "unattached-volumes", r.uniform(1, 6), ServiceCategory="Storage",
                            ServiceName="Storage", RegionId="westeurope", SkuMeter="P30 LRS Disk", PricingUnit="1/Month",
                            ChargeDescription="Premium SSD Managed Disks",
                            ResourceId=f"/subscriptions/s/resourceGroups/ml/providers/Microsoft.Compute/disks/old{n}")
        balancer = "/subscriptions/s/resourceGroups/ml/providers/Microsoft.Network/loadBalancers/"
        self.plant_days("a load balancer without traffic", "unused-load-balancers", 24 * 0.025, ServiceCategory="Networking",
                        ServiceName="Load Balancer", SkuMeter="Standard Included LB Rules and Outbound Rules", PricingQuantity="24",
                        ResourceId=balancer + "old", PricingUnit="1 Hour")
        # What is not waste.
        self.daily(24 * 0.025, ServiceCategory="Networking", ServiceName="Load Balancer", ResourceId=balancer + "web", PricingUnit="1 Hour",
                   SkuMeter="Standard Included LB Rules and Outbound Rules", PricingQuantity="24")
        self.daily(0.4, ServiceCategory="Networking", ServiceName="Load Balancer", ResourceId=balancer + "web", PricingUnit="1 GB",
                   SkuMeter="Standard Data Processed", ChargeDescription="Data processed by load balancer", PricingQuantity="80")
        self.machine(self.resource(), "eastus", "Standard_B2s", 0.0416, START, TODAY)
        self.daily(r.uniform(0.5, 2), ServiceCategory="Storage", ServiceName="Storage", RegionId="eastus", SkuMeter="P10 LRS Disk",
                   ResourceId="/subscriptions/s/resourceGroups/ml/providers/Microsoft.Compute/disks/vm_OsDisk", PricingUnit="1/Month",
                   ChargeDescription="Premium SSD Managed Disks")


if __name__ == "__main__":
    planted.main([Amazon, Google, Microsoft])
