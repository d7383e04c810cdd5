/* A regional price list of EC2 as AWS publishes it, with nothing real in it: machines in many
 * sizes, of which one kind in twelve has GPUs, each for several systems and tenancies, and
 * the terms of all. */
#include <inttypes.h>

#include "feed_aws.h"
#include "list_writer.h"

#define BYTES_PER_TYPE 357700u /* about: a type with all its products and terms */
#define VARIANTS 40u

static const char *const sizes[] = {"large",    "xlarge",   "2xlarge",  "4xlarge", "8xlarge",
                                    "12xlarge", "16xlarge", "24xlarge", "48xlarge"};
static const char *const systems[] = {"Linux", "RHEL", "SUSE", "Windows", "Ubuntu Pro"};
static const char *const tenancies[] = {"Shared", "Dedicated"};
static const char *const capacities[] = {"Used", "UnusedCapacityReservation",
                                         "AllocatedCapacityReservation"};

/* What varies within a type; the first is what people mean by its price. */
struct variant {
    const char *system, *tenancy, *capacity, *software;
};

static struct variant variant_of(unsigned i)
{
    if (i >= 30)
        return (struct variant){systems[i % 2 * 3], tenancies[i / 2 % 2], "Used",
                                i % 3 == 0 ? "SQL Std" : "SQL Web"};
    return (struct variant){systems[i % 5], tenancies[i / 5 % 2], capacities[i / 10], "NA"};
}

struct kind {
    char name[24], sku[17];
    unsigned size, gpus;
};

static struct kind kind_of(unsigned type)
{
    static const char *const plain[] = {"m7i", "c7g",   "r7a", "m6id",  "c6in", "r6gd",
                                        "t3",  "x2idn", "i4i", "hpc7a", "m8g"};
    static const char *const with_gpus[] = {"g5", "g6", "g6e", "p5", "g9e"};
    unsigned family = type / (unsigned)ARRAY_LEN(sizes), generation = family / 60;
    struct kind k = {.size = type % (unsigned)ARRAY_LEN(sizes)};
    const char *name = plain[family % ARRAY_LEN(plain)];

    if (family % 12 == 0) {
        name = with_gpus[family / 12 % ARRAY_LEN(with_gpus)];
        k.gpus = k.size < 5 ? 1 : k.size < 8 ? 4 : 8;
    }
    if (generation > 0)
        (void)snprintf(k.name, sizeof k.name, "%s%u.%s", name, generation, sizes[k.size]);
    else
        (void)snprintf(k.name, sizeof k.name, "%s.%s", name, sizes[k.size]);
    return k;
}

static void name_sku(struct kind *k, unsigned type, unsigned variant)
{
    uint64_t n = ((uint64_t)type * VARIANTS + variant + 1) * UINT64_C(0x9e3779b97f4a7c15);

    for (int i = 0; i < 16; i++, n = n / 31 + n % 31 * UINT64_C(0x1f3d5b79a7c1))
        k->sku[i] = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"[n % 31];
}

static void put_count(struct writer *w, const char *key, unsigned count, const char *unit)
{
    char text[48];

    (void)snprintf(text, sizeof text, "%u%s", count, unit);
    put_pair(w, key, text);
}

static void put_gpus(struct writer *w, const struct kind *k)
{
    if (k->gpus == 0)
        return;
    put_count(w, "gpu", k->gpus, "");
    put_count(w, "gpuMemory", k->gpus * 24, " GB");
}

static void put_attributes(struct writer *w, const struct kind *k, const struct variant *v)
{
    char usage[64];

    put_pair(w, "servicecode", "AmazonEC2");
    put_pair(w, "location", "US East (N. Virginia)");
    put_pair(w, "locationType", "AWS Region");
    put_pair(w, "instanceType", k->name);
    put_pair(w, "currentGeneration", "Yes");
    put_pair(w, "instanceFamily", k->gpus > 0 ? "GPU instance" : "General purpose");
    put_count(w, "vcpu", 2u << k->size, "");
    put_pair(w, "physicalProcessor", "Intel Xeon Platinum 8488C (Sapphire Rapids)");
    put_pair(w, "clockSpeed", "3.2 GHz");
    put_count(w, "memory", 8u << k->size, " GiB");
    put_pair(w, "storage", "EBS only");
    put_pair(w, "networkPerformance", "Up to 12500 Megabit");
    put_pair(w, "processorArchitecture", "64-bit");
    put_pair(w, "tenancy", v->tenancy);
    put_pair(w, "operatingSystem", v->system);
    put_pair(w, "licenseModel", "No License required");
    (void)snprintf(usage, sizeof usage, "BoxUsage:%s", k->name);
    put_pair(w, "usagetype", usage);
    put_pair(w, "operation", "RunInstances");
    put_pair(w, "availabilityzone", "NA");
    put_pair(w, "capacitystatus", v->capacity);
    put_pair(w, "classicnetworkingsupport", "false");
    put_pair(w, "dedicatedEbsThroughput", "Up to 10000 Mbps");
    put_pair(w, "ecu", "NA");
    put_pair(w, "enhancedNetworkingSupported", "Yes");
    put_gpus(w, k);
    put_pair(w, "instancesku", k->sku);
    put_pair(w, "intelAvxAvailable", "Yes");
    put_pair(w, "intelAvx2Available", "Yes");
    put_pair(w, "intelTurboAvailable", "Yes");
    put_pair(w, "marketoption", "OnDemand");
    put_count(w, "normalizationSizeFactor", 4u << k->size, "");
    put_pair(w, "preInstalledSw", v->software);
    put_pair(w, "processorFeatures", "Intel AVX; Intel AVX2; Intel AVX512; Intel Turbo");
    put_pair(w, "regionCode", "us-east-1");
    put_pair(w, "servicename", "Amazon Elastic Compute Cloud");
    put_pair(w, "vpcnetworkingsupport", "true");
}

static void put_product(struct writer *w, const struct kind *k, const struct variant *v)
{
    put_open(w, k->sku);
    put_pair(w, "sku", k->sku);
    put_pair(w, "productFamily", "Compute Instance");
    put_open(w, "attributes");
    put_attributes(w, k, v);
    put_close(w);
    put_close(w);
}

/* A rate: "0.1234000000" by the hour, or a fee for all of the term. */
static void put_rate(struct writer *w, const char *term, const char *code, bool fee,
                     uint32_t parts)
{
    char rate[64], price[32];

    (void)snprintf(rate, sizeof rate, "%s.%s", term, code);
    put_open(w, rate);
    put_pair(w, "rateCode", rate);
    put_pair(w, "description",
             fee ? "Upfront Fee"
                 : "Linux/UNIX (Amazon VPC), m7i.2xlarge reserved instance applied");
    if (!fee) {
        put_pair(w, "beginRange", "0");
        put_pair(w, "endRange", "Inf");
    }
    put_pair(w, "unit", fee ? "Quantity" : "Hrs");
    put_open(w, "pricePerUnit");
    (void)snprintf(price, sizeof price, "%u.%04u000000", parts / 10000,
                   fee ? 0 : parts % 10000);
    put_pair(w, "USD", price);
    put_close(w);
    put_key(w, "appliesTo");
    put(w, "[ ]");
    put_close(w);
}

static void put_term(struct writer *w, const struct kind *k, const char *code, uint32_t hourly,
                     uint32_t fee, const char *const attributes[3])
{
    static const char *const names[] = {"LeaseContractLength", "OfferingClass",
                                        "PurchaseOption"};
    char term[48];

    (void)snprintf(term, sizeof term, "%s.%s", k->sku, code);
    put_open(w, term);
    put_pair(w, "offerTermCode", code);
    put_pair(w, "sku", k->sku);
    put_pair(w, "effectiveDate", "2026-02-01T00:00:00Z");
    put_open(w, "priceDimensions");
    if (fee > 0)
        put_rate(w, term, "2TG2D8R56U", true, fee);
    put_rate(w, term, "6YS6EN2CT7", false, hourly);
    put_close(w);
    put_open(w, "termAttributes");
    for (int i = 0; i < 3 && attributes != NULL; i++)
        put_pair(w, names[i], attributes[i]);
    put_close(w);
    put_close(w);
}

static void put_reserved(struct writer *w, const struct kind *k)
{
    static const char *const codes[12] = {
        "4NA7Y494T4", "HU7G6KETJZ", "6QCMYABX3D", "7NE97W5U4E", "CUZHX8X6JH", "VJWZNREJX2",
        "BPH4J8HBKS", "38NPMPTW36", "NQ3QZPMQV9", "Z2E3P23VKM", "R5XV2EPZQZ", "MZU6U2429S"};
    static const char *const options[] = {"No Upfront", "Partial Upfront", "All Upfront"};

    for (int i = 0; i < 12; i++) {
        const char *const attributes[3] = {
            i < 6 ? "1yr" : "3yr", i / 3 % 2 == 0 ? "standard" : "convertible", options[i % 3]};

        put_term(w, k, codes[i], i % 3 == 2 ? 0 : 1 + draw(w, 100000),
                 i % 3 == 0 ? 0 : 10000 + draw(w, 100000000), attributes);
    }
}

int generate_aws(const char *path, unsigned long megabytes)
{
    struct writer w = {.to = fopen(path, "wb"), .first = true, .state = 1};
    unsigned types = (unsigned)(megabytes * 1000000 / BYTES_PER_TYPE) + 1;

    if (w.to == NULL) {
        perror(path);
        return 1;
    }
    put_open(&w, NULL);
    put_pair(&w, "formatVersion", "v1.0");
    put_pair(&w, "disclaimer", "Made up for a benchmark: no price in it is real");
    put_pair(&w, "offerCode", "AmazonEC2");
    put_pair(&w, "version", "20260301000000");
    put_pair(&w, "publicationDate", "2026-03-01T00:00:00Z");
    for (int part = 0; part < 3; part++) {
        if (part == 1)
            put_open(&w, "terms");
        put_open(&w, part == 0 ? "products" : part == 1 ? "OnDemand" : "Reserved");
        for (unsigned i = 0; i < types * VARIANTS; i++) {
            struct variant v = variant_of(i % VARIANTS);
            struct kind k = kind_of(i / VARIANTS);

            name_sku(&k, i / VARIANTS, i % VARIANTS);
            if (part == 0) {
                put_product(&w, &k, &v);
            } else if (part == 1 || strcmp(v.capacity, "Used") == 0) {
                put_open(&w, k.sku);
                if (part == 1)
                    put_term(&w, &k, "JRTCKXETXF", 1 + draw(&w, 1000000), 0, NULL);
                else
                    put_reserved(&w, &k);
                put_close(&w);
            }
        }
        put_close(&w);
    }
    put_close(&w);
    put_open(&w, "attributesList");
    put_close(&w);
    put_close(&w);
    put(&w, "\n");
    if (ferror(w.to) != 0 || fclose(w.to) != 0) {
        perror(path);
        return 1;
    }
    return 0;
}
