/* Lambda's instance types: a map, in cents, for complete machines. */
#include "checks.h"

#define TYPE(name, description, gpu, cents, gpus, regions) \
    "\"" name "\":{\"instance_type\":{\"name\":\"" name "\",\"description\":\"" description \
    "\",\"gpu_description\":\"" gpu "\",\"price_cents_per_hour\":" cents \
    ",\"specs\":{\"vcpus\":30,\"memory_gib\":200,\"storage_gib\":1400,\"gpus\":" gpus \
    "}},\"regions_with_capacity_available\":[" regions "]}"
#define DATA(types) "{\"data\":{" types "}}"

static void one_price_everywhere(void **state)
{
    struct collected got = read_text(
        &feed_lambda,
        DATA(TYPE("gpu_1x_a10", "1x A10 (24 GB PCIe)", "A10 (24 GB PCIe)", "75", "1",
                  "{\"name\":\"us-west-1\",\"description\":\"California\"},{\"name\":\"me-west-"
                  "1\"}") "," TYPE("gpu_8x_h100_sxm5", "8x H100 (80 GB SXM5)",
                                   "H100 (80 GB SXM5)", "2392", "8", "")));
    const struct quote *q;

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.summary.rows, 2);
    assert_int_equal(got.len, 4);
    q = find_quote(&got, "gpu_1x_a10", "*", MARKET_ON_DEMAND);
    assert_non_null(q);
    assert_str_equal(q->accelerator, "A10");
    assert_str_equal(q->provider, "lambda");
    assert_true(q->count == 1 && q->vcpus == 30 && q->memory_gib == 200);
    assert_true(q->gpu_memory_gib == 24);
    assert_true(q->price[MARKET_SPOT] == PRICE_UNSAID);
    assert_int_equal(q->price[MARKET_ON_DEMAND], USD(0.75));
    /* And where one is available now. */
    assert_int_equal(price_in(&got, "gpu_1x_a10", "us-west-1", MARKET_ON_DEMAND), USD(0.75));
    assert_int_equal(price_in(&got, "gpu_1x_a10", "me-west-1", MARKET_ON_DEMAND), USD(0.75));
    q = find_quote(&got, "gpu_8x_h100_sxm5", "*", MARKET_ON_DEMAND);
    assert_non_null(q);
    assert_str_equal(q->accelerator, "H100-SXM-80GB");
    assert_true(q->count == 8);
    assert_int_equal(q->price[MARKET_ON_DEMAND], USD(23.92));
    collect_free(&got);
}

static void described_as(const char *gpu, const char *accelerator)
{
    char text[512];
    struct collected got;

    (void)snprintf(text, sizeof text, DATA(TYPE("gpu_new", "2x %s", "%s", "100", "2", "")), gpu,
                   gpu);
    got = read_text(&feed_lambda, text);
    assert_int_equal(got.len, 1);
    assert_str_equal(got.quotes[0].accelerator, accelerator);
    assert_true(got.quotes[0].count == 2);
    collect_free(&got);
}

/* Machines that the catalog does not have are known by their descriptions. */
static void accelerators(void **state)
{
    (void)state;
    described_as("H100 (80 GB SXM5)", "H100-SXM-80GB");
    described_as("H100 (80 GB PCIe)", "H100-PCIe-80GB");
    described_as("A100 (40 GB SXM4)", "A100-SXM-40GB");
    described_as("A100 (80 GB SXM4)", "A100-SXM-80GB");
    described_as("A100 (40 GB PCIe)", "A100-PCIe-40GB");
    described_as("B200 (180 GB SXM6)", "B200-SXM-180GB");
    described_as("GH200 (96 GB)", "GH200-96GB");
    described_as("Tesla V100 (16 GB)", "V100-SXM2-16GB");
    described_as("A6000 (48 GB)", "RTXA6000");
    described_as("RTX 6000 (24 GB)", "QuadroRTX6000");
    described_as("Z900 (1 TB)", "Z900");
    described_as("Z900", "Z900");
    described_as("Z900 (-4 GB PCIe)", "Z900");
}

static void no_accelerator(void **state)
{
    struct collected got =
        read_text(&feed_lambda, DATA(TYPE("cpu_4x_general", "4x CPU", "N/A", "8", "0",
                                          "") ","
                                              "\"x\":null,\"y\":{},\"z\":[1]"));

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.len, 0);
    assert_int_equal(got.summary.ignored, 4);
    collect_free(&got);
}

static void prices(void **state)
{
    struct collected got = read_text(
        &feed_lambda,
        DATA(TYPE("gpu_1x_a10", "1x A10", "A10", "null", "1", "") "," TYPE(
            "gpu_2x_a100", "2x A100", "A100", "\"x\"", "2",
            "") "," TYPE("gpu_4x_a100", "4x A100 (40 GB PCIe)", "", "796", "null", "")));

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.bad, 1);
    assert_string_equal(got.last_bad, "f: gpu_2x_a100: price_cents_per_hour is not a price");
    assert_true(price_in(&got, "gpu_1x_a10", "*", MARKET_ON_DEMAND) == PRICE_NONE);
    /* The number is in the description, too. */
    assert_int_equal(price_in(&got, "gpu_4x_a100", "*", MARKET_ON_DEMAND), USD(7.96));
    assert_true(find_quote(&got, "gpu_4x_a100", "*", MARKET_ON_DEMAND)->count == 4);
    collect_free(&got);
}

static void refused(const char *text, const char *error)
{
    struct collected got = read_text(&feed_lambda, text);

    assert_false(got.ok);
    assert_string_equal(got.err.text, error);
    collect_free(&got);
}

static void garbage(void **state)
{
    static const char text[] =
        DATA(TYPE("gpu_1x_a10", "1x A10", "A10", "75", "1", "{\"name\":\"us-west-1\"}"));

    (void)state;
    refused("{\"error\":{\"code\":\"global/invalid-api-key\",\"message\":\"API key was "
            "invalid\"}}",
            "f: the service answered: API key was invalid");
    refused("{\"data\":[]}", "f: there is no map 'data' of instance types in it");
    refused("{\"data\":{\"a\":}}", "f:1:14: expected a value");
    check_cut(&feed_lambda, "", str_from(text), false);
    check_memory(&feed_lambda, "", str_from(text));
}

static void sample(void **state)
{
    struct collected got = {0};

    (void)state;
    collect_file(&got, &feed_lambda, "", SAMPLES "lambda_instance_types.json");
    assert_true(got.ok);
    assert_int_equal(got.len, 3);
    assert_int_equal(price_in(&got, "gpu_1x_a10", "us-west-1", MARKET_ON_DEMAND), USD(0.75));
    assert_int_equal(price_in(&got, "gpu_8x_h100_sxm5", "*", MARKET_ON_DEMAND), USD(23.92));
    collect_free(&got);
}

int group_lambda(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_price_everywhere),
        cmocka_unit_test(accelerators),
        cmocka_unit_test(no_accelerator),
        cmocka_unit_test(prices),
        cmocka_unit_test(garbage),
        cmocka_unit_test(sample),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
