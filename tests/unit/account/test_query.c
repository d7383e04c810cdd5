/* Days of a run, conditions, conversion of amounts. */
#include "test.h"

#include "account/query/charge.h"
#include "account/query/condition.h"
#include "account/query/converter.h"

#define NOW INT64_C(1794700800) /* 2026-11-15 */
#define TODAY ((int32_t)(NOW / SECONDS_PER_DAY))
#define DOLLAR INT64_C(1000000000)

static void assert_decimal(struct decimal got, const char *wanted)
{
    struct decimal w;

    assert_true(decimal_parse(str_from(wanted), &w));
    assert_int_equal(decimal_cmp(got, w), 0);
}

/* Three days and a nano-dollar that three does not divide. */
static void days_add_up_to_the_run(void **state)
{
    static const int64_t costs[] = {0, 1, 2, 100, DOLLAR + 1, INT64_MAX / 4};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(costs); i++) {
        struct ledger_charge c = {.started = {NOW - 5000},
                                  .until = {NOW + 2 * SECONDS_PER_DAY + 17},
                                  .cost = {costs[i]}};
        struct charge_days days = charge_days_of(&c);
        int64_t part, sum = 0;
        int count = 0;
        day on;

        while (charge_days_next(&days, &on, &part)) {
            assert_int_equal(on.n, TODAY - 1 + count);
            assert_true(part >= 0);
            sum += part;
            count++;
        }
        assert_int_equal(count, 4);
        assert_true(sum == costs[i]);
    }
}

static void a_moment_is_one_day(void **state)
{
    struct ledger_charge c = {.started = {NOW}, .until = {NOW}, .cost = {7}};
    struct charge_days days = charge_days_of(&c);
    int64_t part;
    day on;

    (void)state;
    assert_true(charge_days_next(&days, &on, &part));
    assert_int_equal(on.n, TODAY);
    assert_true(part == 7);
    assert_false(charge_days_next(&days, &on, &part));
    c.until.s = NOW + SECONDS_PER_DAY; /* midnight is not of the next day */
    days = charge_days_of(&c);
    assert_true(charge_days_next(&days, &on, &part));
    assert_false(charge_days_next(&days, &on, &part));
    c.until.s = INT64_MAX; /* a clock that went wrong */
    days = charge_days_of(&c);
    assert_true(charge_days_next(&days, &on, &part));
    assert_false(charge_days_next(&days, &on, &part));
}

static void bad_conditions_are_refused(void **state)
{
    struct condition c;
    struct error err = {0};

    (void)state;
    assert_false(condition_parse(STR("temm=nlp"), &c, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_string_equal(err.hint, "did you mean 'team'?");
    assert_false(condition_parse(STR("team"), &c, &err));
    assert_false(condition_parse(STR(""), &c, &err));
    assert_true(condition_parse(STR("cost-center!=A=B"), &c, &err));
    assert_int_equal(c.of, DIMENSION_cost_center);
    assert_true(c.negated);
    assert_str_equal(c.glob, "A=B");
}

static void conversion_rounds_once(void **state)
{
    struct decimal out, one = {1, 0};

    (void)state;
    assert_true(decimal_convert((struct decimal){1, 0}, one, (struct decimal){3, 0}, &out));
    assert_decimal(out, "0.333333333333");
    assert_true(decimal_convert((struct decimal){-2, 0}, one, (struct decimal){3, 0}, &out));
    assert_decimal(out, "-0.666666666667");
    assert_true(decimal_convert((struct decimal){5, 13}, one, one, &out));
    assert_decimal(out, "0.000000000001");
    assert_true(decimal_convert((struct decimal){49, 14}, one, one, &out));
    assert_decimal(out, "0");
    assert_false(decimal_convert((struct decimal){((wide)1 << 126), 0},
                                 (struct decimal){1000000, 0}, one, &out));
}

int group_query(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_add_up_to_the_run),
        cmocka_unit_test(a_moment_is_one_day),
        cmocka_unit_test(bad_conditions_are_refused),
        cmocka_unit_test(conversion_rounds_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
