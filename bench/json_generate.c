/* A price list as AWS publishes it (indented by two, blanks on both sides of the colon), with
 * nothing real in it; the same bytes on every machine. */
#include <inttypes.h>
#include <stdio.h>

#include "json_bench.h"
#include "list_writer.h"

static const char *const attributes[][4] = {
    {"servicecode", "AmazonEC2", "AmazonEC2", "AmazonEC2"},
    {"location", "US East (N. Virginia)", "EU (Frankfurt)", "South America (S\u00e3o Paulo)"},
    {"locationType", "AWS Region", "AWS Region", "AWS Local Zone"},
    {"instanceType", "g5.xlarge", "p5.48xlarge", "g6e.12xlarge"},
    {"currentGeneration", "Yes", "Yes", "No"},
    {"instanceFamily", "GPU instance", "General purpose", "Memory optimized"},
    {"vcpu", "4", "192", "48"},
    {"physicalProcessor", "AMD EPYC 7R32", "Intel Xeon Platinum 8488C", "AMD EPYC 7R13"},
    {"clockSpeed", "2.8 GHz", "3.8 GHz", "2.65 GHz"},
    {"memory", "16 GiB", "2048 GiB", "384 GiB"},
    {"storage", "1 x 250 NVMe SSD", "8 x 3840 GB SSD", "EBS only"},
    {"networkPerformance", "Up to 10 Gigabit", "3200 Gigabit", "100 Gigabit"},
    {"processorArchitecture", "64-bit", "64-bit", "64-bit"},
    {"tenancy", "Shared", "Dedicated", "Host"},
    {"operatingSystem", "Linux", "Windows", "RHEL"},
    {"licenseModel", "No License required", "Bring your own license", "NA"},
    {"usagetype", "BoxUsage:g5.xlarge", "EUC1-DedicatedUsage:p5.48xlarge", "UnusedBox:g6e"},
    {"operation", "RunInstances", "RunInstances:0002", "RunInstances:0010"},
    {"availabilityzone", "NA", "NA", "NA"},
    {"capacitystatus", "Used", "UnusedCapacityReservation", "AllocatedCapacityReservation"},
    {"classicnetworkingsupport", "false", "false", "false"},
    {"dedicatedEbsThroughput", "Up to 3500 Mbps", "80000 Mbps", "20000 Mbps"},
    {"ecu", "NA", "Variable", "NA"},
    {"enhancedNetworkingSupported", "Yes", "Yes", "No"},
    {"gpuMemory", "24 GB HBM", "640 GB HBM3", "192 GB GDDR6"},
    {"intelAvxAvailable", "No", "Yes", "No"},
    {"intelAvx2Available", "No", "Yes", "No"},
    {"intelTurboAvailable", "No", "Yes", "No"},
    {"marketoption", "OnDemand", "CapacityBlock", "OnDemand"},
    {"normalizationSizeFactor", "8", "384", "96"},
    {"preInstalledSw", "NA", "SQL Std", "SQL Web"},
    {"processorFeatures", "AVX; AVX2", "Intel AVX; Intel AVX2; Intel Turbo", "AVX2"},
    {"regionCode", "us-east-1", "eu-central-1", "sa-east-1"},
    {"servicename", "Amazon Elastic Compute Cloud", "Amazon Elastic Compute Cloud",
     "Amazon Elastic Compute Cloud"},
    {"vpcnetworkingsupport", "true", "true", "true"},
};

static void put_product(struct writer *w, const char *sku)
{
    put_open(w, sku);
    put_pair(w, "sku", sku);
    put_pair(w, "productFamily", "Compute Instance");
    put_open(w, "attributes");
    for (size_t i = 0; i < ARRAY_LEN(attributes); i++)
        put_pair(w, attributes[i][0], attributes[i][1 + draw(w, 3)]);
    put_close(w);
    put_close(w);
}

static void put_rate(struct writer *w, const char *rate)
{
    /* One in eight has letters beyond ASCII, one in eight an escape, as real ones do. */
    static const char *const hours[8] = {
        "On Demand Linux g5.xlarge Instance Hour",
        "Dedicated Windows p5.48xlarge Instance Hour",
        "On Demand RHEL g6e.12xlarge Instance Hour in S\u00e3o Paulo \u2013 Brasil",
        "Unused Reservation Linux g5.xlarge Instance Hour",
        "On Demand \\\"Capacity Block\\\" Hour \\u2014 see terms\\/rates",
        "On Demand SUSE g5.2xlarge Instance Hour",
        "Linux/UNIX (Amazon VPC), g5.xlarge reserved instance applied",
        "On Demand Linux with SQL Web g6.4xlarge Instance Hour",
    };
    uint32_t dollars = draw(w, 100), parts = draw(w, 100000) * 1000;
    char price[32], description[160];

    (void)snprintf(price, sizeof price, "%u.%09u0", dollars, parts);
    (void)snprintf(description, sizeof description, "$%u.%02u per %s", dollars,
                   parts / 10000000, hours[draw(w, 8)]);
    put_open(w, "priceDimensions");
    put_open(w, rate);
    put_pair(w, "rateCode", rate);
    put_pair(w, "description", description);
    put_pair(w, "beginRange", "0");
    put_pair(w, "endRange", "Inf");
    put_pair(w, "unit", "Hrs");
    put_open(w, "pricePerUnit");
    put_pair(w, "USD", price);
    put_close(w);
    put_key(w, "appliesTo");
    put(w, "[ ]");
    put_close(w);
    put_close(w);
}

static void put_term(struct writer *w, const char *sku)
{
    char code[16], term[48], rate[64];

    make_code(w, code, 10);
    (void)snprintf(term, sizeof term, "%s.%s", sku, code);
    put_open(w, sku);
    put_open(w, term);
    put_pair(w, "offerTermCode", code);
    put_pair(w, "sku", sku);
    put_pair(w, "effectiveDate", "2026-03-01T00:00:00Z");
    make_code(w, code, 10);
    (void)snprintf(rate, sizeof rate, "%s.%s", term, code);
    put_rate(w, rate);
    put_open(w, "termAttributes");
    put_close(w);
    put_close(w);
    put_close(w);
}

int generate(const char *path, unsigned long megabytes, bool compact)
{
    struct writer w = {.to = fopen(path, "wb"), .compact = compact, .first = true, .state = 1};
    uint64_t limit = (uint64_t)megabytes * 1000000, products = 0;
    char sku[17];

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
    put_open(&w, "products");
    for (; w.bytes < limit * 6 / 10; products++) {
        (void)snprintf(sku, sizeof sku, "SKU%013" PRIX64, products * 2654435761u);
        put_product(&w, sku);
    }
    put_close(&w);
    put_open(&w, "terms");
    put_open(&w, "OnDemand");
    for (uint64_t i = 0; w.bytes < limit; i++) {
        (void)snprintf(sku, sizeof sku, "SKU%013" PRIX64, i * 2654435761u);
        put_term(&w, sku);
    }
    put_close(&w);
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
