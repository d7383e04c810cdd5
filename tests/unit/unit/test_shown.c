/* How values look: estimated numbers have three digits, shares one way. */
#include "test.h"

#include <math.h>

#include "unit/shown.h"

static void numbers_have_three_digits(void **state)
{
    static const struct {
        double n;
        const char *wanted;
    } cases[] = {
        {1.2345, "1.23"}, {9.996, "10.0"},     {99.96, "100"},
        {0.9996, "1.00"}, {999.6, "1,000"},    {104567, "105,000"},
        {42.04, "42.0"},  {0.01234, "0.0123"}, {-9.996, "-10.0"},
        {0, "0"},         {NAN, "?"},
    };
    struct buf text = buf_new(&alloc_system, 64);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        buf_clear(&text);
        value_number(cases[i].n, &text);
        buf_char(&text, '\0');
        assert_string_equal(text.at, cases[i].wanted);
    }
    buf_free(&text);
}

/* The largest unit that keeps the number above 1. */
static void times_have_the_unit_that_suits_them(void **state)
{
    static const struct {
        double seconds;
        const char *wanted;
    } cases[] = {
        {0.0123, "12.3 ms"}, {59.4, "59.4 s"},     {90, "1.50 min"},      {1224, "20.4 min"},
        {5472, "1.52 h"},    {86400, "24.0 h"},    {345600, "4.00 days"}, {NAN, "?"},
        {INFINITY, "never"}, {999.4e-6, "999 us"}, {999.6e-6, "1.00 ms"}, {0.9997, "1.00 s"},
        {59.99, "1.00 min"}, {3599.9, "1.00 h"},   {1e-6, "1.00 us"},
    };
    struct buf text = buf_new(&alloc_system, 64);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        buf_clear(&text);
        value_seconds(cases[i].seconds, &text);
        buf_char(&text, '\0');
        assert_string_equal(text.at, cases[i].wanted);
    }
    buf_free(&text);
}

static void check_text(struct buf *text, const char *wanted)
{
    assert_str_equal(buf_text(text), wanted);
    buf_clear(text);
}

static void estimates_of_money_have_three_digits(void **state)
{
    static const struct {
        double amount;
        const char *currency, *wanted;
    } cases[] = {
        {207.6, "USD", "$208"},      {3073.95, "USD", "$3,070"},
        {207.6, "EUR", "208 EUR"},   {3073.95, "EUR", "3,070 EUR"},
        {97.512, "EUR", "97.5 EUR"}, {-12.24, "USD", "-$12.2"},
        {0.4, "USD", "$0.40"},       {0.4, "EUR", "0.40 EUR"},
        {0, "USD", "$0.00"},         {58.13e6, "USD", "$58.1 million"},
        {1e30, "USD", "1e+30 USD"},  {NAN, "USD", "?"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = buf_new(&alloc_system, 100);

        value_estimate(cases[i].amount, currency_from(str_from(cases[i].currency)), &out);
        assert_str_equal(buf_text(&out), cases[i].wanted);
        buf_free(&out);
    }
}

/* A little is not nothing, and nearly all is not all. */
static void shares_are_percents(void **state)
{
    static const struct {
        double share;
        const char *wanted, *change;
    } cases[] = {
        {0, "0 %", "0 %"},
        {0.0004, "<0.1 %", "<+0.1 %"},
        {0.003, "0.3 %", "+0.3 %"},
        {0.05, "5 %", "+5 %"},
        {0.124, "12 %", "+12 %"},
        {0.994, "99 %", "+99 %"},
        {0.997, "99.7 %", "+99.7 %"},
        {0.9999, ">99.9 %", ">+99.9 %"},
        {1, "100 %", "+100 %"},
        {12.6, "1,260 %", "+1,260 %"},
        {-0.003, "-0.3 %", "-0.3 %"},
        {NAN, "-", "-"},
        {INFINITY, NULL, "new"},
    };
    struct buf text = buf_new(&alloc_system, 64);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        value_change(cases[i].share, &text);
        check_text(&text, cases[i].change);
        if (cases[i].wanted == NULL)
            continue;
        value_share(cases[i].share, &text);
        check_text(&text, cases[i].wanted);
    }
    value_share_range(0.12, 0.3, &text);
    check_text(&text, "12 to 30 %");
    value_share_range(NAN, 0.3, &text);
    check_text(&text, "up to 30 %");
    buf_free(&text);
}

static void things_are_counted_before_their_name(void **state)
{
    struct buf text = buf_new(&alloc_system, 64);

    (void)state;
    value_times(8, STR("H100"), &text);
    check_text(&text, "8x H100");
    value_times(0.25, STR("T4"), &text);
    check_text(&text, "0.25x T4");
    value_times(NAN, STR("T4"), &text);
    check_text(&text, "T4");
    value_times(2, STR(""), &text);
    check_text(&text, "2x ?");
    value_place(STR("aws"), STR("us-east-1"), STR("us-east-1a"), &text);
    check_text(&text, "aws/us-east-1/us-east-1a");
    value_place(STR("aws"), STR(""), STR(""), &text);
    check_text(&text, "aws");
    buf_free(&text);
}

static void estimates_have_ranges_and_signs(void **state)
{
    struct buf text = buf_new(&alloc_system, 64);

    (void)state;
    value_estimate_range(usd_from(891), usd_from(1060), &text);
    check_text(&text, "$891 to $1,060");
    value_estimate_range(usd_from(891), usd_from(891), &text);
    check_text(&text, "$891");
    value_estimate_range(USD_UNKNOWN, usd_from(891), &text);
    check_text(&text, "up to $891");
    value_estimate_change(usd_from(12.34), &text);
    check_text(&text, "+$12.3");
    value_estimate_change(usd_from(-12.34), &text);
    check_text(&text, "-$12.3");
    value_seconds_within(5472, 5000, 6000, &text);
    check_text(&text, "1.52 h (1.39 to 1.67)");
    value_within(15.6, NAN, NAN, "GB", &text);
    check_text(&text, "15.6 GB");
    buf_free(&text);
}

int group_shown(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_three_digits),
        cmocka_unit_test(times_have_the_unit_that_suits_them),
        cmocka_unit_test(shares_are_percents),
        cmocka_unit_test(things_are_counted_before_their_name),
        cmocka_unit_test(estimates_of_money_have_three_digits),
        cmocka_unit_test(estimates_have_ranges_and_signs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
