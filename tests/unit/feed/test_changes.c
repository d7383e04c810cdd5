/* Change logs: prices through time, with the same keys as the catalogs have. */
#include "checks.h"

#define HEADER \
    "date,instance_type,accelerator,count,zone_or_region,on_demand_usd_h,spot_usd_h\n"
static struct collected c;

static int free_collected(void **state)
{
    (void)state;
    collect_free(&c);
    return 0;
}

static void read_oddity(const char *provider, const char *path)
{
    collect_file(&c, &feed_changes, provider, path);
    if (!c.ok)
        fail_msg("%s", c.err.text);
}

static void assert_quote(const struct quote *q, const char *when, const char *region,
                         const char *zone, const char *instance)
{
    stamp at;

    assert_true(stamp_parse(str_from(when), &at));
    assert_int_equal(q->at.s, at.s);
    assert_str_equal(q->region, region);
    assert_str_equal(q->zone, zone);
    assert_str_equal(q->instance, instance);
}

static void assert_price(const struct quote *q, int64_t on_demand, int64_t spot)
{
    assert_int_equal(q->price[MARKET_ON_DEMAND], on_demand);
    assert_int_equal(q->price[MARKET_SPOT], spot);
}

static void a_row_is_a_change_of_both_prices(void **state)
{
    (void)state;
    read_oddity("aws", ODDITIES "changes_aws.csv");
    assert_int_equal(c.bad, 0);
    assert_int_equal(c.len, 5);
    assert_quote(&c.quotes[0], "2023-01-05", "us-east-1", "use1-az6", "p4d.24xlarge");
    assert_price(&c.quotes[0], USD(32.7726), USD(9.83178));
    assert_str_equal(c.quotes[0].accelerator, "A100-SXM-40GB");
    assert_true(c.quotes[0].count == 8);
    assert_price(&c.quotes[1], USD(32.7726), PRICE_NONE);
    assert_quote(&c.quotes[2], "2023-01-06", "us-west-2", "usw2-az1", "g6f.large");
    assert_true(c.quotes[2].count == 0.125);                     /* the log rounds it to 0 */
    assert_str_equal(c.quotes[3].accelerator, "H200-SXM-141GB"); /* the log knows the maker */
    assert_quote(&c.quotes[4], "2023-01-07", "us-east-1", "use1-az6", "p4d.24xlarge");
    assert_price(&c.quotes[4], PRICE_NONE, PRICE_NONE);
}

static void columns_are_found_and_bad_rows_reported(void **state)
{
    (void)state;
    read_oddity("vast", ODDITIES "changes_order.csv");
    assert_int_equal(c.len, 2);
    assert_int_equal(c.bad, 4);
    assert_int_equal(c.summary.ignored, 1);
    assert_int_equal(c.summary.rows, 7);
    assert_string_equal(c.first_bad, "f:4: date: 'yesterday' is not a day such as 2026-08-22");
    assert_quote(&c.quotes[0], "2025-01-24", "Texas, US", "", "10x-RTX_4090-128");
    assert_price(&c.quotes[0], USD(6), PRICE_NONE);
    assert_quote(&c.quotes[1], "2025-01-25T12:00:00Z", "*", "", "1x-L40S-8-17");
}

static void accelerators_without_machines_are_left_out(void **state)
{
    (void)state;
    read_oddity("gcp", ODDITIES "changes_gcp.csv");
    assert_int_equal(c.summary.rows, 4);
    assert_int_equal(c.summary.ignored, 2);
    assert_int_equal(c.bad, 0);
    assert_int_equal(c.len, 2);
    assert_quote(&c.quotes[0], "2022-12-02", "us-central1", "us-central1-b", "tpu-v3-8");
    assert_str_equal(c.quotes[0].accelerator, "TPUv3");
    assert_true(c.quotes[0].count == 4);
    assert_price(&c.quotes[1], PRICE_NONE, PRICE_NONE);
}

static void places_are_those_of_the_catalogs(void **state)
{
    static const struct {
        const char *provider, *text, *region, *zone;
    } cases[] = {
        {"aws", "apse2-az3", "ap-southeast-2", "apse2-az3"},
        {"aws", "mars1-az1", "mars1-az1", ""},
        {"azure", "eastus", "eastus", ""},
        {"gcp", "us-south1-ai1b", "us-south1", "us-south1-ai1b"},
        {"gcp", "us-south1", "us-south1", ""},
        {"lambda", "europe-central-1", "europe-central-1", ""},
        {"oci", "bxtG:US-ASHBURN-AD-2", "us-ashburn-1", "US-ASHBURN-AD-2"},
        {"oci", "eu-amsterdam-1-AD-1", "eu-amsterdam-1", "eu-amsterdam-1-AD-1"},
        {"oci", "PHX-AD-3", "us-phoenix-1", "PHX-AD-3"},
        {"oci", "UK-LONDON-1-AD-1", "uk-london-1", "UK-LONDON-1-AD-1"},
        {"runpod", "CA", "CA", ""},
        {"runpod", "CA-MTL-1", "CA", "CA-MTL-1"},
        {"runpod", "EUR-IS-1", "IS", "EUR-IS-1"},
        {"runpod", "US-TX-3", "US", "US-TX-3"},
        {"shadeform", "oslo-norway-3", "oslo-norway-3", ""},
        {"verda", "FIN-01", "FIN-01", ""},
        {"vast", ", US, NA", ", US, NA", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[512];

        (void)snprintf(text, sizeof text, HEADER "2026-01-01,m,T4,1,\"%s\",1,0.5\n",
                       cases[i].text);
        assert_true(collect(&c, &feed_changes, cases[i].provider, text));
        assert_quote(&c.quotes[0], "2026-01-01", cases[i].region, cases[i].zone, "m");
    }
}

static void a_zone_that_is_renamed_goes_on(void **state)
{
    (void)state;
    assert_true(collect(&c, &feed_changes, "oci",
                        HEADER "2023-05-25,m,T4,1,bxtG:US-ASHBURN-AD-1,2,\n"
                               "2023-06-09,m,T4,1,US-ASHBURN-AD-1,3,\n"
                               "2023-06-09,m,T4,1,bxtG:US-ASHBURN-AD-1,,\n"));
    assert_int_equal(c.len, 2);
    assert_int_equal(c.summary.ignored, 1);
    assert_quote(&c.quotes[0], "2023-05-25", "us-ashburn-1", "US-ASHBURN-AD-1", "m");
    assert_quote(&c.quotes[1], "2023-06-09", "us-ashburn-1", "US-ASHBURN-AD-1", "m");
}

static void cached_values_are_not_confused(void **state)
{
    (void)state;
    assert_true(collect(&c, &feed_changes, "aws",
                        HEADER "2026-01-01,p4d.24xlarge,A100,8,use1-az1,1,0.5\n"
                               "2026-01-01,g5.xlarge,A10G,1,use1-az2,1,0.5\n"
                               "2026-01-01,g5.xlarge,A10G,nine,use1-az2,1,0.5\n"
                               "2026-01-01,g5.xlarge,A10G,1,use2-az2,1,0.5\n"
                               "2026-01-02,p4d.24xlarge,A100,8,use1-az1,1,0.5\n"));
    assert_int_equal(c.bad, 1);
    assert_int_equal(c.len, 4);
    assert_str_equal(c.quotes[1].accelerator, "A10G");
    assert_str_equal(c.quotes[2].accelerator, "A10G");
    assert_str_equal(c.quotes[2].region, "us-east-2");
    assert_str_equal(c.quotes[3].accelerator, "A100-SXM-40GB");
    assert_true(c.quotes[3].count == 8);
    /* A row without a quote must not repeat the row before it. */
    assert_true(collect(&c, &feed_changes, "x",
                        HEADER "2026-01-01,m,T4,0,z,1,0.5\n2026-01-01,m,T4,0,z,1,0.5\n"));
    assert_int_equal(c.bad, 2);
    assert_int_equal(c.len, 0);
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
    (void)state;
    assert_false(collect(&c, &feed_changes, "", HEADER));
    assert_int_equal(c.err.kind, ERROR_USAGE);
    assert_false(collect(&c, &feed_changes, "x", ""));
    assert_string_equal(c.err.text, "f: the file is empty: the first line names the columns");
    assert_false(collect(&c, &feed_changes, "x", "date,instance_type,zone_or_region\n"));
    assert_string_equal(c.err.text, "f: the column 'accelerator' is missing");
    assert_false(collect(&c, &feed_changes, "x", HEADER "\"2026"));
    assert_string_equal(c.err.text, "f:2: a quoted field is never closed");
    c.strict = true;
    assert_false(collect(&c, &feed_changes, "x", HEADER "a\n"));
    assert_string_equal(c.err.text, "f:2: 1 fields where the first line names 7");
}

static void failures_are_reported(void **state)
{
    static const char log[] = HEADER "2026-01-01,p4d.24xlarge,A100,8,use1-az1,1,0.5\n"
                                     "2026-01-02,p4d.24xlarge,A100,8,use1-az1,,\n";

    (void)state;
    check_cut(&feed_changes, "aws", STR(log), true);
    check_memory(&feed_changes, "aws", STR(log));
    check_sink(&feed_changes, "aws", STR(log));
}

/* --- the logs of the archive -------------------------------------------------------------- */

/* Counts, and the last quote of one machine. */
struct tally {
    size_t quotes, bad, unknown, nowhere;
    const char *region, *zone, *instance;
    int64_t on_demand, spot;
    stamp last;
};

static bool tally_quote(void *ctx, const struct quote *q, struct error *err)
{
    struct tally *t = ctx;

    (void)err;
    t->quotes++;
    t->unknown += accelerator_named(&facts, q->accelerator) == NULL &&
                  !str_starts(q->accelerator, STR("Virtex"));
    t->nowhere += q->region.len == 0 || !(q->count > 0);
    assert_true(q->at.s >= t->last.s); /* the logs are in order */
    t->last = q->at;
    if (str_eq(q->instance, str_from(t->instance)) && str_eq(q->region, str_from(t->region)) &&
        str_eq(q->zone, str_from(t->zone))) {
        t->on_demand = q->price[MARKET_ON_DEMAND];
        t->spot = q->price[MARKET_SPOT];
    }
    return true;
}

static bool tally_bad(void *ctx, const struct error *problem)
{
    struct tally *t = ctx;

    t->bad++;
    return problem != NULL;
}

/* Every row of every log is read, and a machine's last change is what the catalog of that
 * day has. */
static void the_archive_s_logs_end_where_its_catalogs_are(void **state)
{
    static const struct {
        const char *provider;
        uint64_t rows, ignored;
        const char *region, *zone, *instance, *on_demand, *spot;
    } logs[] = {
        {"aws", 1781031, 0, "us-east-1", "use1-az6", "trn1n.32xlarge", "24.78", "3.519"},
        {"azure", 774, 0, "eastus", "", "Standard_ND40rs_v2", "22.032", "2.42352"},
        {"cudo", 762, 0, "no-kristiansand-1", "", "epyc-genoa-a100-pcie_8x96v192gb", "13.4112",
         ""},
        {"gcp", 33321, 12723, "us-central2", "us-central2-b", "tpu-v4-8", "12.88", "3.686"},
        {"hyperbolic", 1805, 0, "default", "", "1x-H100-75-722", "1.29", ""},
        {"lambda", 2423, 0, "us-east-1", "", "gpu_1x_h100_pcie", "3.29", ""},
        {"nebius", 61, 0, "uk-south1", "", "gpu-b300-sxm_8gpu-192vcpu-2768gb", "62.8", "34.4"},
        {"oci", 760, 37, "us-ashburn-1", "US-ASHBURN-AD-1", "BM.GPU.H100.8", "80", ""},
        {"runpod", 57152, 0, "US", "US-TX-3", "1x_H100-SXM_SECURE", "3.29", "3.29"},
        {"shadeform", 13200, 0, "desmoines-usa-1", "", "massedcompute_L40Sx2", "", ""},
        {"vast", 21167, 0, "France, FR, EU", "", "8x-H200-32-65536", "20.71", ""},
        {"verda", 2413, 0, "FIN-03", "", "8H200.141S.176V", "32", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(logs); i++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct pieces from = {0};
        struct feed_summary summary = {0};
        struct feed_reading input = {.source = {read_piece, &from},
                                     .name = "log.csv",
                                     .provider = str_from(logs[i].provider),
                                     .known = known,
                                     .alloc = &alloc_system};
        struct tally t = {
            .region = logs[i].region, .zone = logs[i].zone, .instance = logs[i].instance};
        struct feed_sink sink = {tally_quote, tally_bad, &t};
        int64_t on_demand = PRICE_NONE, spot = PRICE_NONE;
        struct error err = {0};
        char path[128];

        (void)snprintf(path, sizeof path,
                       OTHERS "spot/price_history/%s_gpu_price_history.csv.xz",
                       logs[i].provider);
        file_text(path, &arena, &from.text);
        input.sink = &sink;
        input.summary = &summary;
        if (!feed_read(&feed_changes, &input, &err))
            fail_msg("%s: %s", logs[i].provider, err.text);
        arena_free(&arena);
        assert_int_equal(summary.rows, logs[i].rows);
        assert_int_equal(summary.ignored, logs[i].ignored);
        assert_int_equal(t.bad, 0);
        assert_int_equal(t.quotes, logs[i].rows - logs[i].ignored);
        assert_int_equal(t.unknown, 0);
        assert_int_equal(t.nowhere, 0);
        assert_true(logs[i].on_demand[0] == '\0' ||
                    quote_price(str_from(logs[i].on_demand), &on_demand));
        assert_true(logs[i].spot[0] == '\0' || quote_price(str_from(logs[i].spot), &spot));
        if (t.on_demand != on_demand || t.spot != spot)
            fail_msg("%s %s: %lld and %lld", logs[i].provider, logs[i].instance,
                     (long long)t.on_demand, (long long)t.spot);
    }
}

int group_changes(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, free_collected)
    const struct CMUnitTest tests[] = {
        TEST(a_row_is_a_change_of_both_prices),
        TEST(columns_are_found_and_bad_rows_reported),
        TEST(accelerators_without_machines_are_left_out),
        TEST(places_are_those_of_the_catalogs),
        TEST(a_zone_that_is_renamed_goes_on),
        TEST(cached_values_are_not_confused),
        TEST(a_file_that_cannot_be_read_is_named),
        TEST(failures_are_reported),
        TEST(the_archive_s_logs_end_where_its_catalogs_are),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
