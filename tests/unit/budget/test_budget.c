/* Budgets: periods, exact thresholds, amounts as text. */
#include "test.h"

#include "budget/budget.h"

static day on(const char *text)
{
    day out;

    assert_true(day_parse(str_from(text), &out));
    return out;
}

static void test_periods(void **state)
{
    static const struct {
        const char *period, *date, *name, *first, *after;
    } cases[] = {
        {"month", "2026-11-15", "2026-11", "2026-11-01", "2026-12-01"},
        {"month", "2026-12-31", "2026-12", "2026-12-01", "2027-01-01"},
        {"month", "2028-02-29", "2028-02", "2028-02-01", "2028-03-01"},
        {"quarter", "2026-11-15", "2026-Q4", "2026-10-01", "2027-01-01"},
        {"quarter", "2026-01-01", "2026-Q1", "2026-01-01", "2026-04-01"},
        {"year", "2026-07-01", "2026", "2026-01-01", "2027-01-01"},
    };
    struct ledger_budget total = {
        .period = STR("total"), .first_day = DAY_UNKNOWN, .last_day = on("2026-12-24")};
    struct budget_period p;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct ledger_budget b = {.period = str_from(cases[i].period)};

        p = budget_period_of(&b, on(cases[i].date));
        assert_string_equal(p.name, cases[i].name);
        assert_int_equal(p.first.n, on(cases[i].first).n);
        assert_int_equal(p.after.n, on(cases[i].after).n);
    }
    p = budget_period_of(&total, on("2026-11-15"));
    assert_string_equal(p.name, "total");
    assert_int_equal(p.first.n, DAY_UNKNOWN.n);
    assert_int_equal(p.after.n, on("2026-12-25").n);
}

static void test_exact_thresholds(void **state)
{
    struct decimal limit, part;

    (void)state;
    assert_true(decimal_parse(STR("0.30"), &limit));
    assert_true(decimal_parse(STR("0.27"), &part)); /* 0.9 x 0.3 is 0.27000000000000002 */
    assert_true(budget_reached(part, limit, 0.9));
    assert_true(decimal_parse(STR("0.2699999999999999999999999999"), &part));
    assert_false(budget_reached(part, limit, 0.9));
    assert_false(budget_reached(part, (struct decimal){0}, 0.5));
    assert_true(decimal_parse(STR("99999999999999999999999999999999999999"), &limit));
    assert_true(budget_reached(limit, limit, 1)); /* too large to multiply: near enough */
}

int group_budget(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_periods),
        cmocka_unit_test(test_exact_thresholds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
