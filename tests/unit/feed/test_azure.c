/* Azure's retail prices: which meters count, in which market, for which machine. */
#include "checks.h"

/* A meter that counts; `more` are members that come after, and so count instead. */
#define ITEM(more) \
    "{\"currencyCode\":\"USD\",\"tierMinimumUnits\":0.0,\"retailPrice\":3.673," \
    "\"armRegionName\":\"eastus\",\"effectiveStartDate\":\"2022-07-01T00:00:00Z\"," \
    "\"meterName\":\"NC24ads A100 v4\",\"productName\":\"NCads A100 v4 Series Linux\"," \
    "\"skuName\":\"NC24ads A100 v4\",\"serviceName\":\"Virtual Machines\"," \
    "\"unitOfMeasure\":\"1 Hour\",\"type\":\"Consumption\",\"isPrimaryMeterRegion\":true," \
    "\"armSkuName\":\"Standard_NC24ads_A100_v4\"" more "}"
#define PAGE(items) "{\"BillingCurrency\":\"USD\",\"Items\":[" items "],\"NextPageLink\":null}"

static const char *const machine = "Standard_NC24ads_A100_v4";

static void on_demand_and_savings(void **state)
{
    struct collected got =
        read_text(&feed_azure,
                  PAGE(ITEM(",\"savingsPlan\":[{\"retailPrice\":2.2038,\"term\":\"3 Years\"},"
                            "{\"retailPrice\":2.7548,\"term\":\"1 Year\"},"
                            "{\"retailPrice\":1,\"term\":\"5 Years\"}]")));
    const struct quote *q = &got.quotes[0];

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.len, 1);
    assert_str_equal(q->provider, "azure");
    assert_str_equal(q->region, "eastus");
    assert_str_equal(q->zone, "");
    assert_str_equal(q->instance, machine);
    assert_str_equal(q->accelerator, "A100-PCIe-80GB");
    assert_true(q->count == 1 && q->vcpus == 24 && q->memory_gib == 220);
    assert_string_equal(q->currency.code, "USD");
    assert_int_equal(q->price[MARKET_ON_DEMAND], USD(3.673));
    assert_int_equal(q->price[MARKET_SAVINGS_1Y], USD(2.7548));
    assert_int_equal(q->price[MARKET_SAVINGS_3Y], USD(2.2038));
    assert_true(q->price[MARKET_SPOT] == PRICE_UNSAID);
    assert_true(q->price[MARKET_RESERVED_1Y] == PRICE_UNSAID);
    assert_int_equal(got.summary.next.len, 0);
    collect_free(&got);
}

static void one_market(const char *text, enum market market, int64_t price)
{
    struct collected got = read_text(&feed_azure, text);

    assert_true(got.ok);
    assert_int_equal(got.len, 1);
    for (int m = 0; m < MARKET_COUNT; m++)
        assert_true(got.quotes[0].price[m] == (m == (int)market ? price : PRICE_UNSAID));
    collect_free(&got);
}

static void markets(void **state)
{
    (void)state;
    one_market(PAGE(ITEM(",\"skuName\":\"NC24ads A100 v4 Spot\"")), MARKET_SPOT, USD(3.673));
    one_market(PAGE(ITEM(",\"meterName\":\"NC24ads A100 v4 Spot\"")), MARKET_SPOT, USD(3.673));
    one_market(PAGE(ITEM(",\"type\":\"Reservation\",\"reservationTerm\":\"1 Year\","
                         "\"retailPrice\":20593.0")),
               MARKET_RESERVED_1Y, 2350799087);
    /* More than a million for the term is still a price. */
    one_market(PAGE(ITEM(",\"type\":\"Reservation\",\"reservationTerm\":\"3 Years\","
                         "\"retailPrice\":1340280")),
               MARKET_RESERVED_3Y, USD(51));
}

static void other_meters_are_left_out(void **state)
{
    static const char *const pages[] = {
        PAGE(ITEM(",\"serviceName\":\"Storage\"")),
        PAGE(ITEM(",\"unitOfMeasure\":\"1/Month\"")),
        PAGE(ITEM(",\"type\":\"DevTestConsumption\"")),
        PAGE(ITEM(",\"skuName\":\"NC24ads A100 v4 Low Priority\"")),
        PAGE(ITEM(",\"meterName\":\"NC24ads A100 v4 Low Priority\"")),
        PAGE(ITEM(",\"productName\":\"NCads A100 v4 Series Windows\"")),
        PAGE(ITEM(",\"productName\":\"NCads A100 v4 Series Cloud Services\"")),
        PAGE(ITEM(",\"productName\":\"NC Dedicated Host\"")),
        PAGE(ITEM(",\"tierMinimumUnits\":100.0")),
        PAGE(ITEM(",\"isPrimaryMeterRegion\":false")),
        PAGE(ITEM(",\"effectiveStartDate\":\"2027-01-01T00:00:00Z\"")),
        PAGE(ITEM(",\"type\":\"Reservation\",\"reservationTerm\":\"5 Years\"")),
        PAGE(ITEM(",\"armSkuName\":\"Standard_D2s_v3\"")),
        PAGE(ITEM(",\"armSkuName\":\"\"")),
        PAGE(ITEM(",\"armRegionName\":\"Global\"")),
        PAGE(ITEM(",\"retailPrice\":0.0")),
        PAGE("{}"),
        PAGE("null"),
        PAGE("[[1]]"),
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
        struct collected got = read_text(&feed_azure, pages[i]);

        assert_true(got.ok);
        assert_int_equal(got.len, 0);
        assert_int_equal(got.bad, 0);
        assert_int_equal(got.summary.rows, 1);
        assert_int_equal(got.summary.ignored, 1);
        collect_free(&got);
    }
}

static void machine_is(const char *name, const char *accelerator, double count, double vcpus)
{
    char text[1200];
    struct collected got;

    (void)snprintf(text, sizeof text, PAGE(ITEM(",\"armSkuName\":\"%s\"")), name);
    got = read_text(&feed_azure, text);
    assert_int_equal(got.len, 1);
    assert_str_equal(got.quotes[0].accelerator, accelerator);
    assert_true(fabs(got.quotes[0].count - count) < 1e-12);
    assert_true(got.quotes[0].vcpus == vcpus);
    collect_free(&got);
}

static void machines(void **state)
{
    (void)state;
    machine_is("Standard_NV6ads_A10_v5", "A10", 1.0 / 6, 6);
    machine_is("Standard_NV12ads_A10_v5", "A10", 1.0 / 3, 12);
    machine_is("Standard_NV36ads_A10_v5", "A10", 1, 36);
    machine_is("Standard_NV8as_v4", "MI25", 0.25, 8);
    machine_is("Standard_NC6s_v3", "V100-PCIe", 1, 6);
    machine_is("Standard_NC6_Promo", "K80", 1, 6);
    machine_is("Standard_NC24rs_v3", "V100-PCIe", 4, 24);
    machine_is("Standard_NC64as_T4_v3", "T4", 4, 64);
    machine_is("Standard_ND96isr_H100_v5", "H100-SXM-80GB", 8, 96);
    machine_is("Standard_ND96isr_H200_v5", "H200-SXM-141GB", 8, 96);
    machine_is("Standard_ND96is_MI300X_v5", "MI300X", 8, 96);
    machine_is("Standard_ND128isr_NDR_GB200_v6", "GB200-NVL72", 4, 128);
    machine_is("Standard_NV24ads_V710_v5", "Radeon Pro V710", 1, 24);
}

static void pages(void **state)
{
    struct collected got =
        read_text(&feed_azure, "{\"Items\":[],\"NextPageLink\":\"https://x/?$skip=1000\"}");

    (void)state;
    assert_true(got.ok);
    assert_str_equal(buf_text(&got.summary.next), "https://x/?$skip=1000");
    collect_free(&got);

    /* Two pages in one file: the last one says where to go on. */
    got = read_text(&feed_azure, "{\"NextPageLink\":\"a\",\"Items\":[" ITEM("") "]}\n" PAGE(
                                     ITEM(",\"armRegionName\":\"westus\"")));
    assert_true(got.ok);
    assert_int_equal(got.len, 2);
    assert_int_equal(got.summary.next.len, 0);
    collect_free(&got);

    /* Items alone: a list, or one on each line. */
    got = read_text(&feed_azure, "[" ITEM("") "," ITEM(",\"armRegionName\":\"westus\"") "]");
    assert_true(got.ok);
    assert_int_equal(got.len, 2);
    assert_str_equal(got.quotes[1].region, "westus");
    collect_free(&got);
    got = read_text(&feed_azure, ITEM(",\"savingsPlan\":[{\"retailPrice\":2,\"term\":\"1 "
                                      "Year\"}]") "\n" ITEM(",\"armRegionName\":\"westus\""));
    assert_int_equal(got.len, 2);
    assert_int_equal(got.quotes[0].price[MARKET_SAVINGS_1Y], USD(2));
    assert_true(got.quotes[1].price[MARKET_SAVINGS_1Y] == PRICE_UNSAID);
    collect_free(&got);

    /* A page that has members of an item itself, around a list. */
    got = read_text(&feed_azure, "{\"armSkuName\":\"x\",\"Items\":[" ITEM(
                                     "") "],\"retailPrice\":1,\"serviceName\":\"y\"}");
    assert_int_equal(got.len, 1);
    collect_free(&got);
}

static void bad_rows(void **state)
{
    struct collected got = read_text(
        &feed_azure,
        PAGE(ITEM(",\"retailPrice\":\"cheap\"") "," ITEM(
            ",\"currencyCode\":\"dollars\"") "," ITEM(",\"savingsPlan\":[{\"retailPrice\":-1,"
                                                      "\"term\":\"1 Year\"}]") "," ITEM("")));

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.bad, 3);
    assert_int_equal(got.len, 1);
    assert_string_equal(got.last_bad,
                        "f: Standard_NC24ads_A100_v4 in eastus: its price cannot be read");
    collect_free(&got);
}

static void refused(const char *text, const char *error)
{
    struct collected got = read_text(&feed_azure, text);

    assert_false(got.ok);
    assert_int_equal(got.err.kind, ERROR_INPUT);
    assert_string_equal(got.err.text, error);
    collect_free(&got);
}

static void garbage(void **state)
{
    (void)state;
    refused("", "f: there is no JSON object in it");
    refused("[]", "f: there is no JSON object in it");
    refused("7", "f: it holds something that is not a JSON object");
    refused("[[]]", "f: it holds something that is not a JSON object");
    refused("{}", "f: there is no list 'Items' in it");
    refused("{\"Error\":{\"Code\":\"X\",\"Message\":\"Invalid OData\"}}",
            "f: the service answered: Invalid OData");
    check_cut(&feed_azure, "", str_from(PAGE(ITEM(""))), false);
    check_memory(&feed_azure, "", str_from(PAGE(ITEM(""))));
}

/* A member that is there again and again does not fill the memory. */
static void endless_item(void **state)
{
    struct buf text = buf_new(&alloc_system, 1 << 24);
    struct collected got = {0};

    (void)state;
    buf_adds(&text, "{\"Items\":[{\"type\":0");
    for (int i = 0; i < 20; i++) {
        buf_adds(&text, ",\"armSkuName\":\"");
        buf_pad(&text, 'x', 60000);
        buf_char(&text, '"');
    }
    buf_adds(&text, "}]}");
    assert_false(collect_once(&got, &feed_azure, "", (struct pieces){.text = buf_text(&text)},
                              &alloc_system));
    assert_string_equal(got.err.text, "f: an object in it is too long");
    collect_free(&got);
    buf_free(&text);
}

static void currency(void **state)
{
    struct collected got = read_text(&feed_azure, PAGE(ITEM(",\"currencyCode\":\"EUR\"")));

    (void)state;
    assert_string_equal(got.quotes[0].currency.code, "EUR");
    collect_free(&got);
}

static void sample(void **state)
{
    struct collected got = {0};

    (void)state;
    collect_file(&got, &feed_azure, "", SAMPLES "azure_retail_prices.json");
    assert_true(got.ok);
    assert_int_equal(got.len, 3);
    assert_int_equal(price_in(&got, machine, "eastus", MARKET_ON_DEMAND), USD(3.673));
    assert_int_equal(price_in(&got, machine, "eastus", MARKET_SPOT), USD(1.4692));
    assert_int_equal(price_in(&got, machine, "eastus", MARKET_SAVINGS_1Y), USD(2.7548));
    assert_int_equal(price_in(&got, machine, "eastus", MARKET_SAVINGS_3Y), USD(2.2038));
    assert_int_equal(price_in(&got, machine, "eastus", MARKET_RESERVED_1Y), 2350799087);
    assert_true(str_ends(buf_text(&got.summary.next), STR("$skip=1000")));
    collect_free(&got);
}

static void oddities(void **state)
{
    struct collected got = {0};

    (void)state;
    collect_file(&got, &feed_azure, "", ODDITIES "azure_items.json");
    assert_true(got.ok);
    assert_int_equal(got.summary.rows, 6);
    assert_int_equal(got.summary.ignored, 4);
    assert_int_equal(price_in(&got, "Standard_NV6ads_A10_v5", "westeurope", MARKET_ON_DEMAND),
                     USD(0.529));
    assert_int_equal(price_in(&got, "Standard_ND96isr_H200_v5", "eastus2", MARKET_RESERVED_3Y),
                     USD(51));
    collect_free(&got);
}

static void recognized(void **state)
{
    static const char *const others[] = {
        "",
        "{}",
        "[]",
        "Items",
        "{\"Items\":[1,2]}",
        "{\"a\":\"\\\"BillingCurrency\\\":Items\"}",
        "{\"products\":{\"X\":{\"sku\":\"X\"}},\"terms\":{}}",
        "{\"PriceList\":[\"{}\"]}",
        "{\"SpotPriceHistory\":[]}",
        "InstanceType,Price\n",
        "{\"data\":{\"a\":1}}",
        "{\"offers\":[]}",
        "{\"skus\":[]}",
    };

    (void)state;
    assert_ptr_equal(feed_format_of(str_from(PAGE(ITEM("")))), &feed_azure);
    assert_ptr_equal(feed_format_of(str_from(PAGE(""))), &feed_azure);
    assert_ptr_equal(feed_format_of(str_from("\xef\xbb\xbf [" ITEM("") "]")), &feed_azure);
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        const struct feed_format *format = feed_format_of(str_from(others[i]));

        assert_true(format == NULL || strcmp(format->provider, "aws") == 0);
    }
}

int group_azure(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_demand_and_savings),
        cmocka_unit_test(markets),
        cmocka_unit_test(other_meters_are_left_out),
        cmocka_unit_test(machines),
        cmocka_unit_test(pages),
        cmocka_unit_test(bad_rows),
        cmocka_unit_test(garbage),
        cmocka_unit_test(currency),
        cmocka_unit_test(sample),
        cmocka_unit_test(oddities),
        cmocka_unit_test(recognized),
        cmocka_unit_test(endless_item),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
