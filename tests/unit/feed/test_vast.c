/* Vast's offers: the cheapest verified machine of each kind and country. */
#include "checks.h"

/* An offer; `more` are members that come after, and so count instead. */
#define ASK(more) \
    "{\"gpu_name\":\"RTX 4090\",\"num_gpus\":1,\"gpu_ram\":24564,\"gpu_frac\":0.25," \
    "\"cpu_cores\":64,\"cpu_cores_effective\":16.0,\"cpu_ram\":262144,\"dph_base\":0.34," \
    "\"dph_total\":0.3642,\"min_bid\":0.19,\"reliability2\":0.9973," \
    "\"geolocation\":\"Sweden, SE\",\"verification\":\"verified\",\"rentable\":true," \
    "\"rented\":false,\"is_bid\":false" more "}"
#define OFFERS(asks) "{\"offers\":[" asks "]}"

static const char *const kind = "1x-RTX_4090-32-65536";

static void one_offer(void **state)
{
    struct collected got = read_text(&feed_vast, OFFERS(ASK("")));
    const struct quote *q = find_quote(&got, kind, "SE", MARKET_ON_DEMAND);

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.len, 2);
    assert_non_null(q);
    assert_str_equal(q->provider, "vast");
    assert_str_equal(q->accelerator, "RTX4090");
    assert_int_equal(q->price[MARKET_ON_DEMAND], USD(0.34));
    assert_true(q->price[MARKET_SPOT] == PRICE_UNSAID);
    assert_true(q->count == 1 && q->vcpus == 16 && q->memory_gib == 64);
    assert_true(q->reliability == 0.9973);
    assert_int_equal(q->flags, 0);
    q = find_quote(&got, kind, "SE", MARKET_SPOT);
    assert_non_null(q);
    assert_int_equal(q->price[MARKET_SPOT], USD(0.19));
    assert_true(q->price[MARKET_ON_DEMAND] == PRICE_UNSAID);
    assert_int_equal(q->flags, QUOTE_FLOOR);
    collect_free(&got);
}

/* The cheapest wins, with what belongs to it; spot may be another machine. */
/* clang-format off */
#define CHEAPER ASK(",\"dph_base\":0.30,\"min_bid\":0.25,\"reliability2\":0.9," \
                    "\"cpu_cores_effective\":8")
#define SAFER ASK(",\"dph_base\":0.50,\"min_bid\":0.10,\"reliability2\":0.8")
#define NO_BID ASK(",\"dph_base\":0.40,\"min_bid\":null")
#define UNVERIFIED ASK(",\"dph_base\":0.01,\"verification\":\"unverified\"")
#define RENTED ASK(",\"dph_base\":0.02,\"rented\":true")
#define NOT_FOR_RENT ASK(",\"dph_base\":0.02,\"rentable\":false")
#define ELSEWHERE ASK(",\"dph_base\":0.29,\"geolocation\":\"Norway, NO\"")
/* clang-format on */

static void cheapest(void **state)
{
    struct collected got =
        read_text(&feed_vast, OFFERS(ASK("") "," CHEAPER "," SAFER "," NO_BID "," UNVERIFIED
                                             "," RENTED "," NOT_FOR_RENT "," ELSEWHERE));
    const struct quote *q = find_quote(&got, kind, "SE", MARKET_ON_DEMAND);

    (void)state;
    assert_int_equal(got.summary.rows, 8);
    assert_int_equal(got.summary.ignored, 3);
    assert_int_equal(got.len, 4);
    assert_int_equal(q->price[MARKET_ON_DEMAND], USD(0.30));
    assert_true(q->reliability == 0.9 && q->vcpus == 8);
    q = find_quote(&got, kind, "SE", MARKET_SPOT);
    assert_int_equal(q->price[MARKET_SPOT], USD(0.10));
    assert_true(q->reliability == 0.8);
    assert_int_equal(price_in(&got, kind, "NO", MARKET_ON_DEMAND), USD(0.29));
    collect_free(&got);
}

/* An answer about interruptible machines has the price to bid, not just a floor. */
static void bids(void **state)
{
    struct collected got =
        read_text(&feed_vast, OFFERS(ASK(",\"is_bid\":true,\"dph_base\":0.2")));

    (void)state;
    assert_int_equal(got.len, 1);
    assert_int_equal(got.quotes[0].price[MARKET_SPOT], USD(0.19));
    assert_true(got.quotes[0].price[MARKET_ON_DEMAND] == PRICE_UNSAID);
    assert_int_equal(got.quotes[0].flags, 0);
    collect_free(&got);

    got = read_text(&feed_vast,
                    OFFERS(ASK(",\"is_bid\":true,\"min_bid\":null,\"dph_base\":0.2")));
    assert_int_equal(got.quotes[0].price[MARKET_SPOT], USD(0.2));
    collect_free(&got);

    got = read_text(&feed_vast, OFFERS(ASK(",\"min_bid\":0")));
    assert_int_equal(got.len, 2);
    assert_true(price_in(&got, kind, "SE", MARKET_SPOT) == PRICE_NONE);
    collect_free(&got);
}

static void place_is(const char *place, const char *region)
{
    char text[800];
    struct collected got;

    (void)snprintf(text, sizeof text, OFFERS(ASK(",\"geolocation\":%s")), place);
    got = read_text(&feed_vast, text);
    assert_int_equal(got.len, 2);
    assert_str_equal(got.quotes[0].region, region);
    collect_free(&got);
}

static void places(void **state)
{
    (void)state;
    place_is("\"Sweden, SE\"", "SE");
    place_is("\"Denmark, DK, EU\"", "DK");
    place_is("\", US, NA\"", "US");
    place_is("\", US\"", "US");
    place_is("\"Texas\"", "*");
    place_is("\"\"", "*");
    place_is("null", "*");
    place_is("\"x, y\"", "*");
}

static void called(const char *gpu, int mib, const char *instance, const char *accelerator)
{
    char text[800];
    struct collected got;

    (void)snprintf(text, sizeof text,
                   OFFERS(ASK(",\"gpu_name\":\"%s\",\"gpu_ram\":%d,\"num_gpus\":2")), gpu, mib);
    got = read_text(&feed_vast, text);
    assert_int_equal(got.len, 2);
    assert_str_equal(got.quotes[0].instance, instance);
    assert_str_equal(got.quotes[0].accelerator, accelerator);
    collect_free(&got);
}

static void names(void **state)
{
    (void)state;
    called("A100 SXM4", 40960, "2x-A100_SXM4-32-65536", "A100-SXM-40GB");
    called("A100 SXM4", 81920, "2x-A100_SXM4_80GB-32-65536", "A100-SXM-80GB");
    called("A100 PCIE", 40960, "2x-A100_PCIE-32-65536", "A100-PCIe-40GB");
    called("H100 SXM", 81559, "2x-H100_SXM-32-65536", "H100-SXM-80GB");
    called("H100 NVL", 95830, "2x-H100_NVL-32-65536", "H100-NVL-94GB");
    called("H200", 143771, "2x-H200-32-65536", "H200-SXM-141GB");
    called("RTX 6000Ada", 49140, "2x-RTX_6000Ada-32-65536", "RTX6000-Ada");
    called("RTX A6000", 49140, "2x-RTX_A6000-32-65536", "RTXA6000");
    called("Tesla V100", 16384, "2x-Tesla_V100-32-65536", "V100-SXM2-16GB");
    called("L40S", 46068, "2x-L40S-32-65536", "L40S");
    called("Z 900", 1, "2x-Z_900-32-65536", "Z 900");
}

static void oddities(void **state)
{
    const struct quote *q;
    struct collected got = {0};

    (void)state;
    collect_file(&got, &feed_vast, "", ODDITIES "vast_nulls.json");
    assert_true(got.ok);
    assert_int_equal(got.bad, 2);
    assert_int_equal(got.summary.rows, 10);
    q = find_quote(&got, "2x-RTX_4090-32-65536", "*", MARKET_ON_DEMAND);
    assert_non_null(q);
    assert_int_equal(q->price[MARKET_ON_DEMAND], USD(0.8));
    assert_true(isnan(q->vcpus) && isnan(q->memory_gib) && isnan(q->reliability));
    /* With no price of the machine alone, the one with a disk. */
    q = find_quote(&got, "2x-RTX_4090-32-65536", "US", MARKET_ON_DEMAND);
    assert_non_null(q);
    assert_int_equal(q->price[MARKET_ON_DEMAND], USD(0.9));
    assert_true(isnan(q->reliability));
    collect_free(&got);
}

static void refused(const char *text, const char *error)
{
    struct collected got = read_text(&feed_vast, text);

    assert_false(got.ok);
    assert_string_equal(got.err.text, error);
    collect_free(&got);
}

static void garbage(void **state)
{
    (void)state;
    refused("{\"success\":false,\"error\":\"auth_error\",\"msg\":\"log in\"}",
            "f: the service answered: auth_error");
    refused("{\"success\":true}", "f: there is no list 'offers' in it");
    check_cut(&feed_vast, "", str_from(OFFERS(ASK(""))), false);
    check_memory(&feed_vast, "", str_from(OFFERS(ASK(""))));
}

/* An endless list of offers is refused, not kept. */
static void too_many(void **state)
{
    struct buf text = buf_new(&alloc_system, 1 << 24);
    struct collected got = {0};

    (void)state;
    buf_adds(&text, "{\"offers\":[");
    for (int i = 0; i < 9000; i++)
        buf_addf(&text, "%s{\"gpu_name\":\"G%d\",\"num_gpus\":1,\"dph_base\":1}",
                 i > 0 ? "," : "", i);
    buf_adds(&text, "]}");
    assert_false(collect_once(&got, &feed_vast, "", (struct pieces){.text = buf_text(&text)},
                              &alloc_system));
    assert_string_equal(got.err.text, "f: there are more than 8192 kinds of machine in it");
    collect_free(&got);
    buf_free(&text);
}

/* "vastai search offers --raw": the offers without an answer around them. */
static void bare_list(void **state)
{
    struct collected got = read_text(&feed_vast_list, "[" ASK("") "," CHEAPER "]");

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.summary.rows, 2);
    assert_int_equal(price_in(&got, kind, "SE", MARKET_ON_DEMAND), USD(0.30));
    collect_free(&got);
    assert_ptr_equal(feed_format_of(STR("[" ASK("") "]")), &feed_vast_list);
    assert_ptr_equal(feed_format_of(STR(OFFERS(ASK("")))), &feed_vast);
    got = read_text(&feed_vast_list, "[{\"name\":\"no offer\"}]");
    assert_false(got.ok);
    collect_free(&got);
}

static void sample(void **state)
{
    struct collected got = {0};

    (void)state;
    collect_file(&got, &feed_vast, "", SAMPLES "vast_bundles_response.json");
    assert_true(got.ok);
    assert_int_equal(got.len, 2);
    assert_int_equal(price_in(&got, kind, "SE", MARKET_ON_DEMAND), USD(0.34));
    assert_int_equal(price_in(&got, kind, "SE", MARKET_SPOT), USD(0.19));
    assert_true(find_quote(&got, kind, "SE", MARKET_ON_DEMAND)->reliability == 0.9973);
    collect_free(&got);
}

int group_vast(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bare_list), cmocka_unit_test(one_offer), cmocka_unit_test(cheapest),
        cmocka_unit_test(bids),      cmocka_unit_test(places),    cmocka_unit_test(names),
        cmocka_unit_test(oddities),  cmocka_unit_test(garbage),   cmocka_unit_test(too_many),
        cmocka_unit_test(sample),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
