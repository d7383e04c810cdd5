/* Prices as feeds write them. */
#include "test.h"

#include <math.h>

#include "feed/quote.h"

static void prices_are_billionths(void **state)
{
    static const struct {
        const char *text;
        int64_t nano;
    } cases[] = {
        {"0", 0},
        {"0.00", 0},
        {"1", INT64_C(1000000000)},
        {"0.415300", INT64_C(415300000)},
        {"1.8214000000000001", INT64_C(1821400000)},
        {".5", INT64_C(500000000)},
        {"+2", INT64_C(2000000000)},
        {"1.2e-3", INT64_C(1200000)},
        {"5E2", INT64_C(500000000000)},
        {"1e-9", 1},
        {"0.0000000004", 0},
        {"0.0000000005", 1}, /* halves up */
        {"0.00000000149999999999999999999", 1},
        {"1e-60", 0},
        {"999999.9999999994", INT64_C(999999999999999)},
        {"1000000", INT64_C(1000000000000000)}, /* the most */
        {"1e6", INT64_C(1000000000000000)},
        {"0e30", 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int64_t nano = -1;

        if (!quote_price(str_from(cases[i].text), &nano) || nano != cases[i].nano)
            fail_msg("'%s' is %lld", cases[i].text, (long long)nano);
    }
}

static void other_text_is_refused(void **state)
{
    static const char *const texts[] = {"",
                                        " ",
                                        "free",
                                        "-1",
                                        "-0.001",
                                        "1 ",
                                        " 1",
                                        "1,5",
                                        "$1",
                                        "1.2.3",
                                        "nan",
                                        "inf",
                                        "0x10",
                                        "1e",
                                        "1000000.1",
                                        "1e7",
                                        "1e60",
                                        "1e99",
                                        "1000000.000000001",
                                        "99999999999999999999999999999999"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        int64_t nano = 77;

        if (quote_price(str_from(texts[i]), &nano))
            fail_msg("'%s' is read as %lld", texts[i], (long long)nano);
        assert_int_equal(nano, 77);
    }
}

static void a_blank_quote_knows_nothing(void **state)
{
    struct quote q = quote_blank();

    (void)state;
    assert_true(isnan(q.count) && isnan(q.gpu_memory_gib) && isnan(q.vcpus) &&
                isnan(q.memory_gib) && isnan(q.reliability));
    for (int m = 0; m < MARKET_COUNT; m++)
        assert_int_equal(q.price[m], PRICE_UNSAID);
    assert_string_equal(q.currency.code, "USD");
    assert_int_equal(q.flags, 0);
    assert_int_equal(q.provider.len + q.region.len + q.instance.len, 0);
}

static void markets_have_names(void **state)
{
    (void)state;
    assert_string_equal(market_names[MARKET_ON_DEMAND], "on-demand");
    assert_string_equal(market_names[MARKET_SAVINGS_3Y], "savings-3y");
    assert_string_equal(market_names[MARKET_RESERVED], "reserved");
    assert_null(market_names[MARKET_ANY + 1]);
}

int group_quote(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prices_are_billionths),
        cmocka_unit_test(other_text_is_refused),
        cmocka_unit_test(a_blank_quote_knows_nothing),
        cmocka_unit_test(markets_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
