/* RunPod's gpuTypes: prices of one accelerator, in two clouds, named as the catalog does. */
#include "checks.h"

#define GPU(id, title, more) \
    "{\"id\":\"" id "\",\"displayName\":\"" title "\",\"memoryInGb\":80,\"maxGpuCount\":8," \
    "\"secureCloud\":true,\"communityCloud\":true" more "}"
#define H100(more) GPU("NVIDIA H100 80GB HBM3", "H100 SXM", more)
#define DATA(gpus) "{\"data\":{\"gpuTypes\":[" gpus "]}}"
#define PRICES \
    ",\"securePrice\":2.99,\"communityPrice\":2.69,\"secureSpotPrice\":1.75," \
    "\"communitySpotPrice\":1.5,\"lowestPrice\":{\"minimumBidPrice\":9,\"minVcpu\":16," \
    "\"minMemory\":125,\"stockStatus\":\"High\"}"

static void both_clouds(void **state)
{
    struct collected got = read_text(&feed_runpod, DATA(H100(PRICES)));
    const struct quote *q;

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.len, 8); /* 1, 2, 4 and 8 in each cloud */
    q = find_quote(&got, "1x_H100-SXM_SECURE", "*", MARKET_ON_DEMAND);
    assert_non_null(q);
    assert_str_equal(q->accelerator, "H100-SXM-80GB");
    assert_str_equal(q->provider, "runpod");
    assert_int_equal(q->price[MARKET_ON_DEMAND], USD(2.99));
    assert_int_equal(q->price[MARKET_SPOT], USD(1.75));
    assert_true(q->vcpus == 20 && q->memory_gib == 125 && q->gpu_memory_gib == 80);
    q = find_quote(&got, "8x_H100-SXM_COMMUNITY", "*", MARKET_ON_DEMAND);
    assert_non_null(q);
    assert_true(q->count == 8);
    assert_int_equal(q->price[MARKET_ON_DEMAND], USD(21.52));
    assert_int_equal(q->price[MARKET_SPOT], USD(12));
    assert_true(q->vcpus == 128 && q->memory_gib == 1000); /* not in the catalog */
    collect_free(&got);
}

static void none_now(void **state)
{
    struct collected got = read_text(
        &feed_runpod,
        DATA(H100(",\"securePrice\":2.99,\"secureSpotPrice\":null,\"communityPrice\":null,"
                  "\"communitySpotPrice\":0,\"maxGpuCount\":2")));
    const struct quote *q = find_quote(&got, "2x_H100-SXM_SECURE", "*", MARKET_ON_DEMAND);

    (void)state;
    assert_int_equal(got.len, 2);
    assert_non_null(q);
    assert_int_equal(q->price[MARKET_ON_DEMAND], USD(5.98));
    assert_true(q->price[MARKET_SPOT] == PRICE_NONE);
    collect_free(&got);

    /* A missing value does not mean "not available". */
    got = read_text(&feed_runpod, DATA(H100(",\"securePrice\":2.99,\"communityCloud\":false,"
                                            "\"communityPrice\":1,\"maxGpuCount\":null")));
    assert_int_equal(got.len, 1);
    assert_true(got.quotes[0].price[MARKET_SPOT] == PRICE_UNSAID);
    collect_free(&got);
}

static void called(const char *id, const char *title, int memory_gb, const char *instance,
                   const char *accelerator)
{
    char text[512];
    struct collected got;

    (void)snprintf(text, sizeof text,
                   DATA("{\"id\":\"%s\",\"displayName\":\"%s\",\"memoryInGb\":%d,"
                        "\"maxGpuCount\":8,\"secureCloud\":true,\"securePrice\":1}"),
                   id, title, memory_gb);
    got = read_text(&feed_runpod, text);
    assert_int_equal(got.len, 4);
    assert_str_equal(got.quotes[0].instance, instance);
    assert_str_equal(got.quotes[0].accelerator, accelerator);
    collect_free(&got);
}

static void names(void **state)
{
    (void)state;
    called("NVIDIA A100 80GB PCIe", "A100 PCIe", 80, "1x_A100-80GB_SECURE", "A100-PCIe-80GB");
    called("NVIDIA A100-SXM4-80GB", "A100 SXM", 80, "1x_A100-80GB-SXM_SECURE", "A100-SXM-80GB");
    called("NVIDIA H100 PCIe", "H100 PCIe", 80, "1x_H100_SECURE", "H100-PCIe-80GB");
    called("NVIDIA H100 NVL", "H100 NVL", 94, "1x_H100-NVL_SECURE", "H100-NVL-94GB");
    called("NVIDIA H200", "H200 SXM", 141, "1x_H200-SXM_SECURE", "H200-SXM-141GB");
    called("NVIDIA B200", "B200", 180, "1x_B200_SECURE", "B200-SXM-180GB");
    called("NVIDIA GeForce RTX 4090", "RTX 4090", 24, "1x_RTX4090_SECURE", "RTX4090");
    called("NVIDIA RTX A6000", "RTX A6000", 48, "1x_RTXA6000_SECURE", "RTXA6000");
    called("NVIDIA RTX 6000 Ada Generation", "RTX 6000 Ada", 48, "1x_RTX6000-Ada_SECURE",
           "RTX6000-Ada");
    called("NVIDIA RTX PRO 6000 Blackwell Server Edition", "RTX PRO 6000", 96,
           "1x_RTXPRO6000_SECURE", "RTXPRO6000-Blackwell-SE");
    called("AMD Instinct MI300X OAM", "MI300X", 192, "1x_MI300X_SECURE", "MI300X");
    called("NVIDIA Z900", "Z 900", 8, "1x_Z900_SECURE", "Z 900");
}

static void bad_rows(void **state)
{
    struct collected got =
        read_text(&feed_runpod, DATA(H100(",\"securePrice\":\"much\"") "," GPU(
                                    "unknown", "unknown", PRICES) ",{},null"));

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.len, 0);
    assert_int_equal(got.bad, 1);
    assert_int_equal(got.summary.rows, 4);
    assert_int_equal(got.summary.ignored, 3);
    assert_string_equal(got.last_bad,
                        "f: NVIDIA H100 80GB HBM3: one of its prices cannot be read");
    collect_free(&got);
}

static void refused(const char *text, const char *error)
{
    struct collected got = read_text(&feed_runpod, text);

    assert_false(got.ok);
    assert_string_equal(got.err.text, error);
    collect_free(&got);
}

static void garbage(void **state)
{
    (void)state;
    refused("{\"errors\":[{\"message\":\"Unauthorized\",\"path\":[1]},{\"message\":\"b\"}],"
            "\"data\":null}",
            "f: the service answered: Unauthorized");
    refused("{\"errors\":\"down\"}", "f: the service answered: down");
    /* Part of an answer is refused: machines missing from it would count as gone. */
    refused("{\"data\":{\"gpuTypes\":[]},\"errors\":[{\"message\":\"timeout\"}]}",
            "f: the service answered: timeout");
    refused("{\"data\":null}", "f: there is no list 'gpuTypes' in it");
    check_cut(&feed_runpod, "", str_from(DATA(H100(PRICES))), false);
    check_memory(&feed_runpod, "", str_from(DATA(H100(PRICES))));
}

static void sample(void **state)
{
    struct collected got = {0};

    (void)state;
    collect_file(&got, &feed_runpod, "", SAMPLES "runpod_gputypes_response.json");
    assert_true(got.ok);
    assert_int_equal(got.len, 8);
    assert_int_equal(price_in(&got, "4x_H100-SXM_SECURE", "*", MARKET_ON_DEMAND), USD(11.96));
    assert_int_equal(price_in(&got, "8x_H100-SXM_COMMUNITY", "*", MARKET_SPOT), USD(12));
    collect_free(&got);
}

/* The types alone, as one takes them out of an answer. */
static void bare_list(void **state)
{
    struct collected got = read_text(&feed_runpod_list, "[" H100(PRICES) "]");

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.len, 8);
    assert_int_equal(price_in(&got, "1x_H100-SXM_SECURE", "*", MARKET_ON_DEMAND), USD(2.99));
    collect_free(&got);
    assert_ptr_equal(feed_format_of(STR("[" H100(PRICES) "]")), &feed_runpod_list);
    assert_ptr_equal(feed_format_of(STR(DATA(H100(PRICES)))), &feed_runpod);
    got = read_text(&feed_runpod_list, "[{\"name\":\"no type\"}]");
    assert_false(got.ok);
    collect_free(&got);
}

int group_runpod(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bare_list), cmocka_unit_test(both_clouds), cmocka_unit_test(none_now),
        cmocka_unit_test(names),     cmocka_unit_test(bad_rows),    cmocka_unit_test(garbage),
        cmocka_unit_test(sample),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
