/* A bill as a cloud sends it: FOCUS 1.2 with all of its columns, charges by the hour in no
 * order, costs of ten decimals, about 620 bytes a row. The same rows for the same arguments, so
 * that what is measured can be measured again.
 *
 *     bench_bill_generate FILE ROWS fixed|varying|tags
 *
 * fixed: a SKU has one list price and one contracted price. varying: both differ from line to
 * line, as they do on spot. tags: twelve columns, a charge each day for each of 20,000 values
 * of a tag, day by day.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOURS 2208 /* August to October 2026 */
#define DECIMALS UINT64_C(10000000000)
#define MILLION UINT64_C(1000000)
#define TEAMS 12
#define VARIANTS 12 /* of tags, for each team */
#define TAG_VALUES 20000
#define REGIONS 4

static uint64_t mixed(uint64_t n)
{
    n = (n ^ n >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    n = (n ^ n >> 27) * UINT64_C(0x94d049bb133111eb);
    return n ^ n >> 31;
}

/* What is sold. `price`: in 10^-10 dollars a unit. */
struct product {
    const char *service, *category, *subcategory, *unit, *meter, *details, *type, *name;
    uint64_t price;
};

#define EC2 "Amazon EC2", "Compute", "Virtual Machines", "Hours"
#define MACHINE(type) "{\"\"InstanceType\"\":\"\"" type "\"\"}"

static const struct product products[] = {
    {EC2, "Instance hours", MACHINE("p4d.24xlarge"), "instance", "p4d.24xlarge",
     UINT64_C(327726000000)},
    {EC2, "Instance hours", MACHINE("g5.12xlarge"), "instance", "g5.12xlarge",
     UINT64_C(56720000000)},
    {EC2, "Instance hours", MACHINE("g5.xlarge"), "instance", "g5.xlarge",
     UINT64_C(10060000000)},
    {EC2, "Instance hours", MACHINE("m6i.4xlarge"), "instance", "m6i.4xlarge",
     UINT64_C(7680000000)},
    {EC2, "Instance hours", MACHINE("c6i.8xlarge"), "instance", "c6i.8xlarge",
     UINT64_C(13600000000)},
    {"Amazon S3", "Storage", "Object Storage", "GB-Hours", "Storage",
     "{\"\"StorageClass\"\":\"\"Standard\"\"}", "bucket", "TimedStorage-ByteHrs",
     UINT64_C(319444)},
    {"Amazon EBS", "Storage", "Block Storage", "GB-Hours", "Storage",
     "{\"\"DiskType\"\":\"\"gp3\"\"}", "volume", "VolumeUsage.gp3", UINT64_C(1111111)},
    {"Amazon SageMaker", "AI and Machine Learning", "Machine Learning Platforms", "Hours",
     "Training", MACHINE("ml.g5.2xlarge"), "training-job", "ml.g5.2xlarge",
     UINT64_C(15150000000)},
    {"AWS Data Transfer", "Networking", "Network Infrastructure", "GB", "Data transfer",
     "{\"\"x_Direction\"\":\"\"out\"\"}", "interface", "DataTransfer-Out-Bytes",
     UINT64_C(900000000)},
};
#define PRODUCTS (sizeof products / sizeof products[0])

static const char *const teams[TEAMS] = {"nlp",     "vision", "speech", "platform",
                                         "search",  "ads",    "risk",   "maps",
                                         "support", "mobile", "legal",  "robotics"};
static const char *const projects[] = {"llm", "ranker", "asr", "detector"};
static const char *const stages[] = {"prod", "dev", "staging"};
static const char *const regions[REGIONS] = {"us-east-1", "us-west-2", "eu-west-1",
                                             "eu-central-1"};
static const char *const places[REGIONS] = {"US East (N. Virginia)", "US West (Oregon)",
                                            "Europe (Ireland)", "Europe (Frankfurt)"};

static const char header[] =
    "AvailabilityZone,BilledCost,BillingAccountId,BillingAccountName,BillingAccountType,"
    "BillingCurrency,BillingPeriodEnd,BillingPeriodStart,CapacityReservationId,"
    "CapacityReservationStatus,ChargeCategory,ChargeClass,ChargeDescription,ChargeFrequency,"
    "ChargePeriodEnd,ChargePeriodStart,CommitmentDiscountCategory,CommitmentDiscountId,"
    "CommitmentDiscountName,CommitmentDiscountQuantity,CommitmentDiscountStatus,"
    "CommitmentDiscountType,CommitmentDiscountUnit,ConsumedQuantity,ConsumedUnit,"
    "ContractedCost,ContractedUnitPrice,EffectiveCost,InvoiceId,InvoiceIssuerName,ListCost,"
    "ListUnitPrice,PricingCategory,PricingCurrency,PricingCurrencyContractedUnitPrice,"
    "PricingCurrencyEffectiveCost,PricingCurrencyListUnitPrice,PricingQuantity,PricingUnit,"
    "ProviderName,PublisherName,RegionId,RegionName,ResourceId,ResourceName,ResourceType,"
    "ServiceCategory,ServiceName,ServiceSubcategory,SkuId,SkuMeter,SkuPriceDetails,SkuPriceId,"
    "SubAccountId,SubAccountName,SubAccountType,Tags\n";

struct hour {
    int month, day, hour;
};

/* The hours of three months of 2026. */
static struct hour hour_of(unsigned n)
{
    static const int days[] = {31, 30, 31, 30};
    struct hour h = {8, 1, (int)(n % 24)};
    int day = (int)(n / 24);

    for (int m = 0; day >= days[m]; m++) {
        day -= days[m];
        h.month++;
    }
    h.day += day;
    return h;
}

/* A charge: which resource, in which hour. Two fifths of the rows are of machines that run all
 * the time, two fifths of jobs of two days, one fifth of spot machines that live six hours. */
struct charge {
    uint64_t resource;
    unsigned hour;
    bool spot, steady;
};

static struct charge charge_of(uint64_t row, uint64_t rows)
{
    uint64_t steady = rows / 5 * 2, jobs = rows / 5 * 4;

    if (row < steady)
        return (struct charge){
            .resource = row / HOURS, .hour = (unsigned)(row % HOURS), .steady = true};
    if (row < jobs) {
        uint64_t job = (row - steady) / 48;

        return (struct charge){.resource = (UINT64_C(1) << 32) + job,
                               .hour = (unsigned)(mixed(job) % (HOURS - 48) + row % 48)};
    }
    row -= jobs;
    return (struct charge){.resource = (UINT64_C(2) << 32) + row / 6,
                           .hour = (unsigned)(mixed(row / 6) % (HOURS - 6) + row % 6),
                           .spot = true};
}

static void amount(char *out, size_t room, uint64_t tenth)
{
    (void)snprintf(out, room, "%" PRIu64 ".%010" PRIu64, tenth / DECIMALS, tenth % DECIMALS);
}

/* So many millionths of it. */
static uint64_t part_of(uint64_t price, uint64_t millionths)
{
    return price / MILLION * millionths + price % MILLION * millionths / MILLION;
}

struct money {
    char list[40], cost[40], unit[40], contracted[40], quantity[40];
};

static struct money money_of(const struct product *p, const struct charge *c, uint64_t dice,
                             bool varying)
{
    uint64_t use = mixed(c->resource * HOURS + c->hour + 77), price = p->price, paid;
    uint64_t share =
        c->steady ? MILLION : use % (MILLION - 1) + 1; /* of an hour, in millionths */
    struct money m;

    if (varying)
        price += mixed(use + 1) % (price / 5 + 1);
    paid = price / 100 * (c->spot ? 30 + dice % 20 : 93);
    if (varying)
        paid += mixed(use + 2) % (paid / 10 + 1);
    amount(m.unit, sizeof m.unit, price);
    amount(m.contracted, sizeof m.contracted, paid);
    amount(m.list, sizeof m.list, part_of(price, share));
    amount(m.cost, sizeof m.cost, part_of(paid, share));
    if (share == MILLION)
        (void)snprintf(m.quantity, sizeof m.quantity, "1");
    else
        (void)snprintf(m.quantity, sizeof m.quantity, "0.%06" PRIu64, share);
    return m;
}

static void write_description(FILE *f, const struct product *p, const struct charge *c,
                              const char *unit, bool varying)
{
    if (c->spot)
        (void)fprintf(f, "%s Linux Spot Instance-hour", p->name);
    else if (varying)
        (void)fprintf(f, "%s by the hour", p->name);
    else
        (void)fprintf(f, "$%s per %s of %s", unit, p->unit, p->name);
}

static void write_commitment(FILE *f, bool committed, uint64_t dice)
{
    if (committed)
        (void)fprintf(f,
                      "Spend,arn:aws:savingsplans::111122223333:savingsplan/sp-%04u,,0.%04u,"
                      "Used,Compute Savings Plan,USD,",
                      (unsigned)(dice >> 40) % 24, (unsigned)(dice >> 20) % 9999 + 1);
    else
        (void)fprintf(f, ",,,,,,,");
}

static void write_tags(FILE *f, unsigned team, unsigned variant)
{
    (void)fprintf(f,
                  "\"{\"\"team\"\":\"\"%s\"\",\"\"project\"\":\"\"%s\"\",\"\"env\"\":"
                  "\"\"%s\"\"}\"\n",
                  teams[team], projects[variant % 4], stages[variant / 4]);
}

static void write_row(FILE *f, const struct charge *c, bool varying)
{
    uint64_t dice = mixed(c->resource + 1);
    const struct product *p = &products[c->spot ? dice % 5 : dice % PRODUCTS];
    unsigned place = (unsigned)(dice >> 8) % REGIONS, team = (unsigned)(dice >> 12) % TEAMS;
    unsigned sku = (unsigned)(p - products) * 100 + place * 10 + c->spot;
    bool committed = c->steady && dice >> 60 == 0;
    struct hour from = hour_of(c->hour), to = hour_of(c->hour + 1);
    struct money m = money_of(p, c, dice, varying);

    (void)fprintf(f, "%s%c,%s,111122223333,Example,Payer,USD,", regions[place],
                  (char)('a' + (dice >> 20) % 3), committed ? "0" : m.cost);
    (void)fprintf(f, "2026-%02d-01T00:00:00Z,2026-%02d-01T00:00:00Z,,,Usage,,", from.month + 1,
                  from.month);
    write_description(f, p, c, m.unit, varying);
    (void)fprintf(f, ",Usage-Based,2026-%02d-%02dT%02d:00:00Z,2026-%02d-%02dT%02d:00:00Z,",
                  to.month, to.day, to.hour, from.month, from.day, from.hour);
    write_commitment(f, committed, dice);
    (void)fprintf(f, "%s,%s,%s,%s,%s,INV-2026-%02d,AWS,", m.quantity, p->unit, m.cost,
                  m.contracted, m.cost, from.month);
    (void)fprintf(f, "%s,%s,%s,USD,%s,%s,%s,%s,%s,", m.list, m.unit,
                  c->spot     ? "Dynamic"
                  : committed ? "Committed"
                              : "Standard",
                  m.contracted, m.cost, m.unit, m.quantity, p->unit);
    (void)fprintf(f, "AWS,AWS,%s,%s,", regions[place], places[place]);
    (void)fprintf(f, "%c-%017" PRIx64 ",%s-%06u,%s,", p->type[0], dice, teams[team],
                  (unsigned)(dice >> 24) % 1000000, p->type);
    (void)fprintf(f, "%s,%s,%s,SKU%06X,%s,\"%s\",SKU%06X.%02X,", p->category, p->service,
                  p->subcategory, sku * 7919, p->meter, p->details, sku * 7919, sku % 256);
    (void)fprintf(f, "4444555500%02u,%s,Linked,", team, teams[team]);
    write_tags(f, team, (unsigned)(dice >> 32) % VARIANTS);
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static const char short_header[] =
    "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart,"
    "BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ServiceName,"
    "ProviderName,Tags\n";

static void write_tagged_row(FILE *f, uint64_t row)
{
    struct hour from = hour_of((unsigned)(row / TAG_VALUES * 24));
    struct hour to = hour_of((unsigned)(row / TAG_VALUES * 24 + 24));
    uint64_t cost = mixed(row + 1) % (5 * MILLION);

    for (int i = 0; i < 2; i++)
        (void)fprintf(f, "%" PRIu64 ".%06" PRIu64 ",", cost / MILLION, cost % MILLION);
    (void)fprintf(f, "111122223333,USD,2026-%02d-01T00:00:00Z,2026-%02d-01T00:00:00Z,",
                  from.month, from.month + 1);
    (void)fprintf(f, "2026-%02d-%02dT00:00:00Z,2026-%02d-%02dT00:00:00Z,Usage,Amazon EC2,AWS,",
                  from.month, from.day, to.month, to.day);
    (void)fprintf(f, "\"{\"\"experiment\"\":\"\"exp-%05u\"\",\"\"team\"\":\"\"%s\"\"}\"\n",
                  (unsigned)(row % TAG_VALUES), teams[row % TAG_VALUES % TEAMS]);
}

static int write_tagged(FILE *f, uint64_t rows)
{
    (void)fputs(short_header, f);
    for (uint64_t n = 0; n < rows; n++)
        write_tagged_row(f, n);
    return ferror(f) != 0 || fclose(f) != 0;
}

int main(int argc, char **argv)
{
    uint64_t rows = argc == 4 ? strtoull(argv[2], NULL, 10) : 0, step, at = 0;
    bool varying = argc == 4 && strcmp(argv[3], "varying") == 0;
    FILE *f = rows > 0 ? fopen(argv[1], "w") : NULL;

    if (f != NULL && strcmp(argv[3], "tags") == 0)
        return write_tagged(f, rows);
    if (f == NULL || (!varying && strcmp(argv[3], "fixed") != 0)) {
        (void)fprintf(stderr, "usage: bench_bill_generate FILE ROWS fixed|varying|tags\n");
        return 2;
    }
    /* Every row once, in an order that looks like none: exports of clouds have none. */
    for (step = rows / 8 * 5 + 1; divisor(step, rows) != 1; step++)
        ;
    (void)fputs(header, f);
    for (uint64_t n = 0; n < rows; n++) {
        struct charge c = charge_of(at, rows);

        write_row(f, &c, varying);
        at = (at + step) % rows;
    }
    return ferror(f) != 0 || fclose(f) != 0;
}
