/* A bill as a cloud sends it: FOCUS 1.2, resources by the hour, costs of twelve decimals. The
 * same rows for the same number of them, so that what is measured can be measured again.
 *
 *     bench_bill_generate FILE ROWS
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOURS 2208             /* August to October 2026 */
#define MANTISSA 1000000000000 /* of twelve decimals */

static uint64_t mixed(uint64_t n)
{
    n = (n ^ n >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    n = (n ^ n >> 27) * UINT64_C(0x94d049bb133111eb);
    return n ^ n >> 31;
}

struct service {
    const char *name, *category, *subcategory, *unit, *meter, *details, *type;
};

static const struct service services[] = {
    {"Amazon Elastic Compute Cloud", "Compute", "Virtual Machines", "Hours", "Compute Usage",
     "{\"\"InstanceType\"\":\"\"p4d.24xlarge\"\",\"\"GpuCount\"\":8}", "Instance"},
    {"Amazon Elastic Compute Cloud", "Compute", "Virtual Machines", "Hours", "Compute Usage",
     "{\"\"InstanceType\"\":\"\"g5.12xlarge\"\",\"\"GpuCount\"\":4}", "Instance"},
    {"Amazon Elastic Compute Cloud", "Compute", "Virtual Machines", "Hours", "Compute Usage",
     "{\"\"InstanceType\"\":\"\"m6i.4xlarge\"\",\"\"CoreCount\"\":16}", "Instance"},
    {"Amazon Simple Storage Service", "Storage", "Object Storage", "GB-Hours", "Storage",
     "{\"\"StorageClass\"\":\"\"Standard\"\"}", "Bucket"},
    {"Amazon Simple Storage Service", "Storage", "Object Storage", "Requests", "API requests",
     "{\"\"StorageClass\"\":\"\"Intelligent-Tiering\"\"}", "Bucket"},
    {"Amazon Elastic Block Store", "Storage", "Block Storage", "GB-Hours", "Storage",
     "{\"\"DiskType\"\":\"\"gp3\"\"}", "Volume"},
    {"Amazon SageMaker", "AI and Machine Learning", "Machine Learning Platforms", "Hours",
     "Training", "{\"\"InstanceType\"\":\"\"ml.g5.2xlarge\"\"}", "TrainingJob"},
    {"AWS Data Transfer", "Networking", "Network Infrastructure", "GB", "Data Transfer",
     "{\"\"x_Direction\"\":\"\"out\"\"}", "Interface"},
};
static const char *const teams[] = {"nlp", "vision", "speech", "platform", "search", "ads"};
static const char *const projects[] = {"llm",  "ranker", "asr", "detector",
                                       "base", "etl",    "eval"};
static const char *const regions[] = {"us-east-1", "us-west-2", "eu-west-1", "eu-central-1"};
static const char *const places[] = {"US East (N. Virginia)", "US West (Oregon)",
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
    int year, month, day, hour;
};

/* The hours of three months. */
static struct hour hour_of(int n)
{
    static const int days[] = {31, 30, 31, 30};
    struct hour h = {2026, 8, 1, n % 24};
    int day = n / 24;

    for (int m = 0; day >= days[m]; m++) {
        day -= days[m];
        h.month++;
    }
    h.day += day;
    return h;
}

static void amount(char *out, size_t room, uint64_t twelfth)
{
    (void)snprintf(out, room, "%" PRIu64 ".%012" PRIu64, twelfth / MANTISSA,
                   twelfth % MANTISSA);
}

static void write_row(FILE *f, int n, uint64_t resource)
{
    uint64_t dice = mixed(resource + 1), use = mixed(resource * HOURS + (uint64_t)n);
    const struct service *s = &services[dice % 8];
    unsigned place = (unsigned)(dice >> 8 & 3), sub = (unsigned)(dice >> 12 & 7);
    struct hour from = hour_of(n), to = hour_of(n + 1);
    uint64_t price = 10000000000 + dice % MANTISSA; /* up to a dollar an hour */
    uint64_t share = use % 999999 + 1;              /* of an hour: quantity */
    char list[40], cost[40], unit[40];

    amount(list, sizeof list, price / 1000000 * share + use % 999983);
    amount(cost, sizeof cost, (price / 1000000 * share + use % 999983) / 100 * 93);
    amount(unit, sizeof unit, price);
    (void)fprintf(f, "%s%c,%s,111122223333,Example Corp,Payer,USD,", regions[place],
                  (char)('a' + (dice >> 20) % 3), cost);
    (void)fprintf(f, "2026-%02d-01T00:00:00Z,2026-%02d-01T00:00:00Z,,,Usage,,", from.month + 1,
                  from.month);
    (void)fprintf(f, "\"$%s per %s of %s, %s\",Usage-Based,", unit, s->unit, s->meter,
                  regions[place]);
    (void)fprintf(f, "2026-%02d-%02dT%02d:00:00Z,2026-%02d-%02dT%02d:00:00Z,,,,,,,,", to.month,
                  to.day, to.hour, from.month, from.day, from.hour);
    (void)fprintf(f, "0.%06" PRIu64 ",%s,%s,%s,%s,INV-2026-%02d,\"Amazon Web Services, Inc.\",",
                  share, s->unit, cost, unit, cost, from.month);
    (void)fprintf(f, "%s,%s,%s,USD,%s,%s,%s,0.%06" PRIu64 ",%s,", list, unit,
                  dice % 5 == 0 ? "Dynamic" : "Standard", unit, cost, unit, share, s->unit);
    (void)fprintf(f, "AWS,AWS,%s,%s,", regions[place], places[place]);
    (void)fprintf(f, "arn:aws:ec2:%s:44445555%04u:%s/i-%016" PRIx64 ",%s-%" PRIu64 ",%s,",
                  regions[place], sub + 4455, s->type, dice, teams[dice % 6], resource,
                  s->type);
    (void)fprintf(f, "%s,%s,%s,SKU%08X,%s,\"%s\",SKU%08X.JRTCKXETXF,", s->category, s->name,
                  s->subcategory, (unsigned)(dice >> 32), s->meter, s->details,
                  (unsigned)(dice >> 32));
    (void)fprintf(f, "44445555%04u,account-%u,Linked,", sub + 4455, sub);
    (void)fprintf(
        f,
        "\"{\"\"user:team\"\":\"\"%s\"\",\"\"user:project\"\":\"\"%s\"\","
        "\"\"user:environment\"\":\"\"%s\"\",\"\"user:cost-center\"\":\"\"cc-%u\"\"}\"\n",
        teams[dice % 6], projects[(dice >> 16) % 7], dice % 3 == 0 ? "prod" : "dev",
        (unsigned)(dice >> 24) % 9);
}

int main(int argc, char **argv)
{
    uint64_t rows = argc == 3 ? strtoull(argv[2], NULL, 10) : 0, resources, written = 0;
    FILE *f = argc == 3 ? fopen(argv[1], "w") : NULL;

    if (f == NULL || rows == 0) {
        (void)fprintf(stderr, "usage: bench_bill_generate FILE ROWS\n");
        return 2;
    }
    resources = (rows + HOURS - 1) / HOURS;
    (void)fputs(header, f);
    for (int n = 0; n < HOURS; n++)
        for (uint64_t r = 0; r < resources && written < rows; r++, written++)
            write_row(f, n, r);
    return ferror(f) != 0 || fclose(f) != 0;
}
