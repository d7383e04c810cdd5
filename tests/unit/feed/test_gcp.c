/* Google's prices of parts, and the machines that they make. */
#include "checks.h"

#include "feed/gcp.h"

#define SKU_UNIT(text, usage, region, unit, units, nanos) \
    "{\"description\":\"" text \
    "\",\"category\":{\"resourceFamily\":\"Compute\",\"usageType\":\"" usage \
    "\"},\"serviceRegions\":[" region "],\"pricingInfo\":[{\"pricingExpression\":{" \
    "\"usageUnit\":\"" unit \
    "\",\"displayQuantity\":1,\"tieredRates\":[{\"startUsageAmount\":0," \
    "\"unitPrice\":{\"currencyCode\":\"USD\",\"units\":\"" units "\",\"nanos\":" nanos \
    "}}]}}]}"
#define SKU(text, usage, units, nanos) \
    SKU_UNIT(text, usage, "\"us-central1\"", "h", units, nanos)
#define RAM(text, usage, nanos) SKU_UNIT(text, usage, "\"us-central1\"", "GiBy.h", "0", nanos)
#define PAGE(skus) "{\"skus\":[" skus "],\"nextPageToken\":\"\"}"

#define A2_CORE SKU("A2 Instance Core running in Americas", "OnDemand", "0", "31611000")
#define A2_RAM RAM("A2 Instance Ram running in Americas", "OnDemand", "4237000")
#define A100 SKU("Nvidia Tesla A100 GPU running in Americas", "OnDemand", "2", "933908000")

static void complete_machine(void **state)
{
    struct collected got = read_text(&feed_gcp, PAGE(A2_CORE "," A2_RAM "," A100));
    const struct quote *q = find_quote(&got, "a2-highgpu-1g", "us-central1", MARKET_ON_DEMAND);

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.len, 5); /* 1, 2, 4, 8 and 16 accelerators */
    assert_non_null(q);
    assert_str_equal(q->provider, "gcp");
    assert_str_equal(q->accelerator, "A100-SXM-40GB");
    assert_true(q->count == 1 && q->vcpus == 12 && q->memory_gib == 85);
    assert_int_equal(q->price[MARKET_ON_DEMAND], 3673385000);
    assert_true(q->price[MARKET_SPOT] == PRICE_UNSAID);
    assert_int_equal(price_in(&got, "a2-megagpu-16g", "us-central1", MARKET_ON_DEMAND),
                     INT64_C(55739504000));
    collect_free(&got);
}

/* Without one of its parts a machine has no price, in that market and region. */
static void parts_missing(void **state)
{
    static const char *const lists[] = {
        PAGE(A2_CORE "," A2_RAM),
        PAGE(A2_CORE "," A100),
        PAGE(A2_RAM "," A100),
        PAGE(A2_CORE "," A2_RAM "," SKU_UNIT("Nvidia Tesla A100 GPU running in Tokyo",
                                             "OnDemand", "\"asia-northeast1\"", "h", "2", "0")),
        PAGE(A2_CORE "," A2_RAM
                     "," SKU("Nvidia Tesla A100 GPU attached to Spot Preemptible VMs "
                             "running in Americas",
                             "Preemptible", "1", "0")),
        PAGE(A2_CORE "," A2_RAM
                     "," SKU("Nvidia Tesla A100 80GB GPU running in EMEA", "Other", "2", "0")),
        PAGE(""),
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        struct collected got = read_text(&feed_gcp, lists[i]);

        assert_true(got.ok);
        assert_int_equal(got.len, 0);
        assert_int_equal(got.bad, 0);
        collect_free(&got);
    }
}

static void is_part(const char *text, const char *usage, enum gcp_part part, enum market market)
{
    enum gcp_part got = PART_COUNT;
    enum market in = MARKET_COUNT;

    if (part == PART_COUNT) {
        assert_false(gcp_sku(str_from(text), str_from(usage), &got, &in));
        return;
    }
    assert_true(gcp_sku(str_from(text), str_from(usage), &got, &in));
    assert_int_equal(got, part);
    assert_int_equal(in, market);
}

static void descriptions(void **state)
{
    (void)state;
    is_part("Spot Preemptible G2 Instance Ram running in Iowa", "Preemptible", PART_G2_RAM,
            MARKET_SPOT);
    is_part("Preemptible A3 Instance Core running in Iowa", "Preemptible", PART_A3_CORE,
            MARKET_SPOT);
    is_part("N1 Predefined Instance Core running in Paris", "OnDemand", PART_N1_CORE,
            MARKET_ON_DEMAND);
    is_part("A3Plus Instance Core running in Americas", "OnDemand", PART_A3_MEGA_CORE,
            MARKET_ON_DEMAND);
    is_part("A3Ultra Instance Ram running in Americas", "OnDemand", PART_A3_ULTRA_RAM,
            MARKET_ON_DEMAND);
    is_part("A3 Ultra Instance Core running in Americas", "OnDemand", PART_A3_ULTRA_CORE,
            MARKET_ON_DEMAND);
    is_part("G4 Instance Core running in Delhi", "OnDemand", PART_G4_CORE, MARKET_ON_DEMAND);
    is_part("Commitment v1: A2 Cpu in Americas for 1 Year", "Commit1Yr", PART_A2_CORE,
            MARKET_RESERVED_1Y);
    is_part("Commitment v1: Ram in Americas for 3 Years", "Commit3Yr", PART_N1_RAM,
            MARKET_RESERVED_3Y);
    is_part("Commitment v1: Nvidia L4 GPU in Iowa for 1 Year", "Commit1Yr", PART_L4,
            MARKET_RESERVED_1Y);
    is_part("Commitment v1: Nvidia Tesla T4 GPU running in Iowa for 3 Years", "OnDemand",
            PART_T4, MARKET_RESERVED_3Y);
    is_part("Commitment v1: A2 Cpu in Americas for 5 Years", "Commit", PART_COUNT,
            MARKET_COUNT);
    is_part("Nvidia H100 80GB GPU running in Americas", "OnDemand", PART_H100,
            MARKET_ON_DEMAND);
    is_part("Nvidia H100 80GB Plus GPU running in Americas", "OnDemand", PART_H100_MEGA,
            MARKET_ON_DEMAND);
    is_part("Nvidia H100 Mega 80GB GPU attached to Spot Preemptible VMs running in X",
            "Preemptible", PART_H100_MEGA, MARKET_SPOT);
    is_part("H200 141GB GPU running in Americas", "OnDemand", PART_H200, MARKET_ON_DEMAND);
    is_part("RTX 6000 96GB running in Iowa", "OnDemand", PART_RTX_PRO_6000, MARKET_ON_DEMAND);
    is_part("A4 Nvidia B200 (1 gpu slice) running in Americas", "OnDemand", PART_B200_SLICE,
            MARKET_ON_DEMAND);
    /* Google lists this one as on-demand. */
    is_part("Spot Preemptible A4 Nvidia B200 (1 gpu slice) running in Americas", "OnDemand",
            PART_B200_SLICE, MARKET_SPOT);
    is_part("SSD backed Local Storage", "OnDemand", PART_LOCAL_SSD, MARKET_ON_DEMAND);
    is_part("SSD backed Local Storage attached to Spot Preemptible VMs in Paris", "Preemptible",
            PART_LOCAL_SSD, MARKET_SPOT);
    is_part("Commitment v1: Local SSD In Americas for 1 Year", "Commit1Yr", PART_LOCAL_SSD,
            MARKET_RESERVED_1Y);
    /* Similar names of other products. */
    is_part("Nvidia L4 Virtual Workstation GPU running in Iowa", "OnDemand", PART_COUNT, 0);
    is_part("Nvidia L40 GPU running in Iowa", "OnDemand", PART_COUNT, 0);
    is_part("Nvidia L4 GPU attached to DWS Defined Duration VMs running in Frankfurt",
            "OnDemand", PART_COUNT, 0);
    is_part("Reserved Nvidia H100 80GB Mega GPU in Americas in Calendar Mode", "OnDemand",
            PART_COUNT, 0);
    is_part("Reserved A2 Ram in Netherlands", "OnDemand", PART_COUNT, 0);
    is_part("N1 Custom Instance Core running in Iowa", "OnDemand", PART_COUNT, 0);
    is_part("N1 Predefined Sole Tenancy Instance Core", "OnDemand", PART_COUNT, 0);
    is_part("T2D AMD Instance Ram running in Singapore", "OnDemand", PART_COUNT, 0);
    is_part("E2 Instance Core running in Americas", "OnDemand", PART_COUNT, 0);
    is_part("A2 Core running in Americas", "OnDemand", PART_COUNT, 0);
    is_part("Instance Core", "OnDemand", PART_COUNT, 0);
    is_part("", "", PART_COUNT, 0);
}

/* What comes with local disks is billed for them; the others are not. */
static void local_disks(void **state)
{
    struct collected got = read_text(
        &feed_gcp,
        PAGE(SKU("A3 Instance Core running in Americas", "OnDemand", "0", "30000000") "," RAM(
            "A3 Instance Ram running in Americas", "OnDemand",
            "2000000") "," SKU("Nvidia H100 80GB GPU running in Americas", "OnDemand", "10",
                               "0") "," SKU_UNIT("SSD backed Local Storage", "OnDemand",
                                                 "\"us-central1\"", "GiBy.mo", "0",
                                                 "80300000") "," A2_CORE "," A2_RAM "," A100));

    (void)state;
    assert_true(got.ok);
    /* 208 x 0.03 + 1872 x 0.002 + 8 x 10 + 6000 GiB x 0.0803 / 730 h */
    assert_int_equal(price_in(&got, "a3-highgpu-8g", "us-central1", MARKET_ON_DEMAND),
                     INT64_C(6240000000) + INT64_C(3744000000) + INT64_C(80000000000) +
                         INT64_C(660000000));
    assert_int_equal(price_in(&got, "a3-edgegpu-8g-nolssd", "us-central1", MARKET_ON_DEMAND),
                     INT64_C(89984000000));
    assert_int_equal(price_in(&got, "a2-highgpu-1g", "us-central1", MARKET_ON_DEMAND),
                     3673385000);
    collect_free(&got);
}

#define G2_CORE SKU("G2 Instance Core running in Americas", "OnDemand", "0", "25000000")
#define G2_RAM RAM("G2 Instance Ram running in Americas", "OnDemand", "3000000")
#define L4 SKU("Nvidia L4 GPU running in Americas", "OnDemand", "0", "560000000")
#define G2_CORE_SPOT \
    SKU("Spot Preemptible G2 Instance Core running in Americas", "Preemptible", "0", "10000000")
#define G2_RAM_SPOT \
    RAM("Spot Preemptible G2 Instance Ram running in Americas", "Preemptible", "1000000")
#define L4_SPOT \
    SKU("Nvidia L4 GPU attached to Spot Preemptible VMs running in Americas", "Preemptible", \
        "0", "200000000")
#define G2_CORE_1Y \
    SKU("Commitment v1: G2 Cpu in Americas for 1 Year", "Commit1Yr", "0", "15000000")
#define G2_RAM_1Y RAM("Commitment v1: G2 Ram in Americas for 1 Year", "Commit1Yr", "2000000")
#define L4_1Y \
    SKU("Commitment v1: Nvidia L4 GPU in Americas for 1 Year", "Commit1Yr", "0", "350000000")

static void all_markets(void **state)
{
    struct collected got =
        read_text(&feed_gcp, PAGE(G2_CORE "," G2_RAM "," L4 "," G2_CORE_SPOT "," G2_RAM_SPOT
                                          "," L4_SPOT "," G2_CORE_1Y "," G2_RAM_1Y "," L4_1Y));
    const struct quote *q = find_quote(&got, "g2-standard-4", "us-central1", MARKET_ON_DEMAND);

    (void)state;
    assert_non_null(q);
    assert_int_equal(q->price[MARKET_ON_DEMAND], USD(0.1 + 0.048 + 0.56));
    assert_int_equal(q->price[MARKET_SPOT], USD(0.04 + 0.016 + 0.2));
    assert_int_equal(q->price[MARKET_RESERVED_1Y], USD(0.06 + 0.032 + 0.35));
    assert_true(q->price[MARKET_RESERVED_3Y] == PRICE_UNSAID);
    collect_free(&got);
}

#define N1_CORE \
    SKU("N1 Predefined Instance Core running in Americas", "OnDemand", "0", "31611000")
#define N1_RAM RAM("N1 Predefined Instance Ram running in Americas", "OnDemand", "4237000")
#define T4 SKU("Nvidia Tesla T4 GPU running in Americas", "OnDemand", "0", "350000000")
#define B200 \
    SKU("A4 Nvidia B200 (1 gpu slice) running in Americas", "OnDemand", "16", "110000000")
#define G4_CORE SKU("G4 Instance Core running in Iowa", "OnDemand", "0", "48910000")
#define G4_RAM RAM("G4 Instance Ram running in Iowa", "OnDemand", "5870000")
#define RTX_6000 SKU("RTX 6000 96GB running in Iowa", "OnDemand", "1", "95650000")

/* Machines of the catalog with accelerators attached, and slices that have all in them. */
static void other_shapes(void **state)
{
    struct collected got =
        read_text(&feed_gcp,
                  PAGE(N1_CORE "," N1_RAM "," T4 "," B200 "," G4_CORE "," G4_RAM "," RTX_6000));

    (void)state;
    /* 8 vCPUs, 52 GiB and two T4: as the catalog has it, 1.17321. */
    assert_int_equal(price_in(&got, "n1-highmem-8+2xT4", "us-central1", MARKET_ON_DEMAND),
                     1173212000);
    assert_int_equal(price_in(&got, "a4-highgpu-8g", "us-central1", MARKET_ON_DEMAND),
                     INT64_C(128880000000));
    assert_int_equal(price_in(&got, "g4-standard-48", "us-central1", MARKET_ON_DEMAND),
                     4499930000);
    assert_true(price_in(&got, "n1-highmem-8+1xV100", "us-central1", MARKET_ON_DEMAND) ==
                PRICE_UNSAID);
    collect_free(&got);
}

/* Parts on one page and the rest on the next. */
static void parts_across_pages(void **state)
{
    static const char *const pages[] = {"{\"skus\":[" A2_CORE "],\"nextPageToken\":\"p2\"}",
                                        PAGE(A2_RAM "," A100)};
    struct error err = {0};
    struct gcp_parts *parts = gcp_parts_new(&alloc_system, &err);
    struct collected got = collected_new();
    struct pieces from = {.piece = 5};
    struct feed_sink sink = {collect_quote, collect_bad, &got};
    struct feed_reading feed = reading_of(&from, "", &alloc_system, &sink, &got.summary);

    (void)state;
    assert_non_null(parts);
    for (size_t i = 0; i < 2; i++) {
        from.text = str_from(pages[i]);
        assert_true(gcp_parts_add(parts, &feed, &err));
        assert_str_equal(buf_text(&got.summary.next), i == 0 ? "p2" : "");
        assert_int_equal(got.len, 0);
    }
    assert_int_equal(got.summary.rows, 3);
    assert_true(gcp_parts_give(parts, &feed, &err));
    assert_int_equal(price_in(&got, "a2-highgpu-1g", "us-central1", MARKET_ON_DEMAND),
                     3673385000);
    gcp_parts_free(parts);
    gcp_parts_free(NULL);
    collect_free(&got);

    /* The same in one file, one page after the other. */
    got = read_text(&feed_gcp, "{\"skus\":[" A2_CORE
                               "],\"nextPageToken\":\"p2\"}\n" PAGE(A2_RAM "," A100));
    assert_int_equal(got.len, 5);
    collect_free(&got);
}

static void oddities(void **state)
{
    struct collected got = {0};

    (void)state;
    collect_file(&got, &feed_gcp, "", ODDITIES "gcp_skus.json");
    assert_true(got.ok);
    assert_int_equal(got.summary.rows, 9);
    assert_int_equal(got.bad, 1);
    assert_int_equal(got.summary.ignored, 5);
    /* The last pricing counts, of its tiers the first that is not free; 4 x 0.03 + 16 x
     * 0.004. */
    assert_int_equal(price_in(&got, "g2-standard-4", "europe-west8", MARKET_ON_DEMAND),
                     USD(0.784));
    collect_free(&got);
}

static void refused(const char *text, const char *error)
{
    struct collected got = read_text(&feed_gcp, text);

    assert_false(got.ok);
    assert_string_equal(got.err.text, error);
    collect_free(&got);
}

static void garbage(void **state)
{
    struct collected got = read_text(
        &feed_gcp,
        PAGE(SKU_UNIT(
            "A2 Instance Core running in X", "OnDemand", "\"x\"", "GiBy.h", "0",
            "5") "," SKU("A2 Instance Core running in X", "OnDemand", "-1",
                         "5") "," SKU("A2 Instance Core running in X", "OnDemand", "1",
                                      "-5") "," SKU("A2 Instance Core running in X", "OnDemand",
                                                    "99999999999999", "5")));

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.bad, 4);
    assert_string_equal(got.last_bad,
                        "f: A2 Instance Core running in X: its price cannot be read");
    collect_free(&got);
    refused("{\"error\":{\"code\":400,\"message\":\"API key not valid\",\"status\":\"X\"}}",
            "f: the service answered: API key not valid");
    refused("{\"services\":[]}", "f: there is no list 'skus' in it");
    check_cut(&feed_gcp, "", str_from(PAGE(A2_CORE)), false);
    check_memory(&feed_gcp, "", str_from(PAGE(A2_CORE "," A2_RAM "," A100)));
}

static void too_many(void **state)
{
    struct error err = {0};
    struct gcp_parts *parts = gcp_parts_new(&alloc_system, &err);
    char name[32];
    bool ok = true;

    (void)state;
    assert_non_null(parts);
    for (int i = 0; i <= GCP_MOST_REGIONS && ok; i++) {
        (void)snprintf(name, sizeof name, "r%d", i);
        ok = gcp_parts_put(parts, PART_T4, MARKET_SPOT, str_from(name), currency_usd, 1, &err);
        assert_int_equal(ok, i < GCP_MOST_REGIONS);
    }
    assert_string_equal(err.text, "there are more than 512 regions");
    gcp_parts_free(parts);
}

static void samples(void **state)
{
    struct collected got = {0};

    (void)state;
    collect_file(&got, &feed_gcp, "", SAMPLES "gcp_skus.json");
    assert_true(got.ok);
    assert_int_equal(got.summary.rows, 2);
    assert_int_equal(got.summary.ignored, 0);
    assert_int_equal(got.len, 0); /* parts of machines, none complete */
    collect_file(&got, &feed_gcp, "",
                 OTHERS "finops/data/pricing_json/gcp_skus_opencost_test.json");
    assert_true(got.ok);
    assert_int_equal(got.summary.rows, 7);
    assert_int_equal(got.summary.ignored, 4);
    assert_int_equal(got.len, 15);
    assert_int_equal(price_in(&got, "a2-highgpu-1g", "us-central1", MARKET_ON_DEMAND),
                     3673385000);
    assert_int_equal(price_in(&got, "a2-highgpu-8g", "us-west1", MARKET_ON_DEMAND),
                     INT64_C(29387080000));
    assert_true(str_starts(buf_text(&got.summary.next), STR("APKCS1")));
    collect_free(&got);
}

/* Prices may be in any currency; they are never mixed. */
static void currencies(void **state)
{
    struct error err = {0};
    struct gcp_parts *parts = gcp_parts_new(&alloc_system, &err);
    struct collected got = collected_new();
    struct pieces from = {0};
    struct feed_sink sink = {collect_quote, collect_bad, &got};
    struct feed_reading feed = reading_of(&from, "", &alloc_system, &sink, &got.summary);
    struct str region = STR("asia-southeast2");

    (void)state;
    assert_non_null(parts);
    assert_true(
        gcp_parts_put(parts, PART_A2_CORE, 0, region, (struct currency){"IDR"}, 500, &err) &&
        gcp_parts_put(parts, PART_A2_RAM, 0, region, (struct currency){"IDR"}, 70, &err) &&
        gcp_parts_put(parts, PART_A100_40GB, 0, region, currency_usd, 3, &err) &&
        gcp_parts_give(parts, &feed, &err));
    assert_int_equal(got.len, 0);
    assert_true(gcp_parts_put(parts, PART_A100_40GB, 0, region, (struct currency){"IDR"}, 44000,
                              &err) &&
                gcp_parts_put(parts, PART_A100_40GB, 0, region, (struct currency){"IDR"}, 45000,
                              &err) &&
                gcp_parts_give(parts, &feed, &err));
    assert_int_equal(got.len, 5);
    assert_string_equal(got.quotes[0].currency.code, "IDR");
    assert_int_equal(price_in(&got, "a2-highgpu-1g", "asia-southeast2", MARKET_ON_DEMAND),
                     12 * 500 + 85 * 70 + 44000);
    gcp_parts_free(parts);
    collect_free(&got);
}

int group_gcp(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complete_machine),
        cmocka_unit_test(parts_missing),
        cmocka_unit_test(descriptions),
        cmocka_unit_test(local_disks),
        cmocka_unit_test(all_markets),
        cmocka_unit_test(other_shapes),
        cmocka_unit_test(parts_across_pages),
        cmocka_unit_test(oddities),
        cmocka_unit_test(garbage),
        cmocka_unit_test(too_many),
        cmocka_unit_test(samples),
        cmocka_unit_test(currencies),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
