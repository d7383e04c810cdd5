/* Amounts and times in all common notations. */
#include "bill/internal.h"
#include "bills.h"

#define HEAD \
    "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,ChargePeriodStart," \
    "ChargePeriodEnd,ProviderName\n"

static void amounts(void **state)
{
    static const struct {
        const char *text, *plain; /* NULL: refused */
    } cases[] = {
        {"1.5", "1.5"},
        {"-0.000001", "-0.000001"},
        {"+3", "3"},
        {".5", "0.5"},
        {"5.", "5"},
        {"7.0E-10", "0.0000000007"},
        {"1e3", "1000"},
        {"123456789012345678901234567.890", "123456789012345678901234567.89"},
        {"1234567890123456.00000000000000000000000000000000000000", "1234567890123456"},
        {" 1.5 ", "1.5"},
        {"$50,000.00 ", "50000.00"},
        {"1,234.56", "1234.56"},
        {"-$1,234,567.8", "-1234567.8"},
        {"($12.50)", "-12.50"},
        {"$7", "7"},
        {"1,234", NULL}, /* ambiguous: a thousand, or slightly above one */
        {"1,5", NULL},
        {"1.234,56", NULL},
        {"12,34.5", NULL},
        {"1234,567.8", NULL},
        {"1 000", NULL},
        {"1e", NULL},
        {"--1", NULL},
        {"USD 5", NULL},
        {".", NULL},
        {"-", NULL},
        {"$", NULL},
        {"()", NULL},
        {"1e999", NULL},
        {"0x10", NULL},
        {"inf", NULL},
    };
    char text[512];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reading r;

        (void)snprintf(text, sizeof text, HEAD "\"%s\",1,a,USD,2026-03-05,2026-03-06,P\n",
                       cases[i].text);
        must_open(&r, text);
        if (bill_next(r.bill, &r.line, &r.err) != (cases[i].plain != NULL))
            fail_msg("'%s'", cases[i].text);
        if (cases[i].plain != NULL) {
            struct decimal again;

            assert_decimal(r.line.billed, cases[i].plain);
            /* The text is a plain number, too. */
            assert_true(decimal_parse(r.line.of[FOCUS_BilledCost], &again) ||
                        r.line.of[FOCUS_BilledCost].len > 40);
        }
        bill_close(r.bill);
    }
}

static void times(void **state)
{
    static const struct {
        const char *text, *stamp; /* NULL: refused */
        bool zoneless, month_first;
    } cases[] = {
        {"2023-06-01T01:00:00Z", "2023-06-01T01:00:00Z", false, false},
        {"2023-06-01 01:00:00", "2023-06-01T01:00:00Z", true, false},
        {"2023-06-01T01:00:00.000Z", "2023-06-01T01:00:00Z", false, false},
        {"2023-06-01T10:00Z", "2023-06-01T10:00:00Z", false, false},
        {"2023-06-01 01:00:00+00:00", "2023-06-01T01:00:00Z", false, false},
        {"2023-06-01T01:00:00+02:00", "2023-05-31T23:00:00Z", false, false},
        {"2023-06-01T01:00:00-0530", "2023-06-01T06:30:00Z", false, false},
        {"2023-06-01T01:00:00+01", "2023-06-01T00:00:00Z", false, false},
        {"2023-06-01 01:00:00 UTC", "2023-06-01T01:00:00Z", false, false},
        {"2023-06-01 01:00:00.123456 UTC", "2023-06-01T01:00:00Z", false, false},
        {"2023-06-01", "2023-06-01T00:00:00Z", false, false},
        {"20230601T010000.000Z", "2023-06-01T01:00:00Z", false, false},
        {"20230601", "2023-06-01T00:00:00Z", false, false},
        {"2023/06/01", "2023-06-01T00:00:00Z", false, false},
        {"2023-06-01T24:00:00Z", "2023-06-02T00:00:00Z", false, false},
        {"06/30/2023", "2023-06-30T00:00:00Z", false, true},
        {"4/1/25", "2025-04-01T00:00:00Z", false, true},
        {"3/2/2026 12:00:00 AM", "2026-03-02T00:00:00Z", true, true},
        {"3/2/2026 1:05 pm", "2026-03-02T13:05:00Z", true, true},
        {"2026-03-02 12:30:00PM UTC", "2026-03-02T12:30:00Z", false, false},
        {"2026-03-02 13:00:00 PM", NULL, false, false},
        {"2026-03-02 00:00:00 AM", NULL, false, false},
        {"30/06/2023", NULL, false, false},
        {"2023-02-29", NULL, false, false},
        {"2023-13-01", NULL, false, false},
        {"2023-06-01T25:00:00Z", NULL, false, false},
        {"2023-06-01T01:60:00Z", NULL, false, false},
        {"2023-06-01T01:00:00Zx", NULL, false, false},
        {"2023-06-01T01:00:00+99:00", NULL, false, false},
        {"2023-06-01T", NULL, false, false},
        {"2023-06-01x", NULL, false, false},
        {"1685577600", NULL, false, false},
        {"", NULL, false, false},
        {"now", NULL, false, false},
        {"1969-01-01", NULL, false, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        bool zoneless = false, month_first = false;
        stamp got = {0};
        bool read = bill_time_parse(str_from(cases[i].text), &got, &zoneless, &month_first);

        if (read != (cases[i].stamp != NULL))
            fail_msg("'%s'", cases[i].text);
        if (!read)
            continue;
        assert_stamp(got, cases[i].stamp);
        assert_int_equal(zoneless, cases[i].zoneless);
        assert_int_equal(month_first, cases[i].month_first);
    }
}

/* What a text is read as does not depend on the one before it. */
static void times_again(void **state)
{
    struct reading r;

    (void)state;
    must_line(&r, HEAD "1,1,a,USD,2026-03-05T01:00:00Z,2026-03-05T02:00:00Z,P\n"
                       "1,1,a,USD,2026-03-05T23:59:59Z,2026-03-06T00:00:00Z,P\n"
                       "1,1,a,USD,2026-03-05T23:59:59Z,2026-03-06 00:00:01,P\n"
                       "1,1,a,USD,2026-03-05T24:00:00Z,2026-03-06T00:00:61Z,P\n");
    assert_stamp(r.line.start, "2026-03-05T01:00:00Z");
    must_next(&r);
    assert_stamp(r.line.start, "2026-03-05T23:59:59Z");
    assert_stamp(r.line.end, "2026-03-06T00:00:00Z");
    assert_false(bill_about(r.bill)->zoneless);
    must_next(&r);
    assert_stamp(r.line.start, "2026-03-05T23:59:59Z");
    assert_stamp(r.line.end, "2026-03-06T00:00:01Z");
    assert_true(bill_about(r.bill)->zoneless);
    assert_false(bill_next(r.bill, &r.line, &r.err));
    assert_string_equal(r.err.text,
                        "line 5: ChargePeriodEnd: '2026-03-06T00:00:61Z' is not a time");
    bill_close(r.bill);
}

static void names(void **state)
{
    (void)state;
    assert_true(bill_name_eq(STR("lineItem/UnblendedCost"), STR("line_item_unblended_cost")));
    assert_true(bill_name_eq(STR("Billed Cost"), STR("BilledCost")));
    assert_true(bill_name_eq(STR("service.description"), STR("service_description")));
    assert_false(bill_name_eq(STR("BilledCost"), STR("BilledCosts")));
    assert_false(bill_name_eq(STR("x_BilledCost"), STR("BilledCost")));
    assert_string_equal(bill_format_name(BILL_FOCUS), "focus");
    for (int f = 0; f < BILL_FORMATS; f++)
        assert_true(bill_format_name((enum bill_format)f)[0] != '\0');
}

static void sums(void **state)
{
    struct bill_sum sum = {0};
    struct decimal total;

    (void)state;
    bill_sum_add(&sum, (struct decimal){5, 40});
    bill_sum_add(&sum, (struct decimal){5, -2});
    bill_sum_add(&sum, (struct decimal){25, 1});
    assert_false(bill_sum_total(&sum, &total)); /* 43 digits */
    sum = (struct bill_sum){0};
    bill_sum_add(&sum, (struct decimal){5, 35});
    bill_sum_add(&sum, (struct decimal){-25, 1});
    assert_true(bill_sum_total(&sum, &total));
    assert_decimal(total, "-2.49999999999999999999999999999999995");
}

int group_cells(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amounts), cmocka_unit_test(times), cmocka_unit_test(times_again),
        cmocka_unit_test(names),   cmocka_unit_test(sums),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
