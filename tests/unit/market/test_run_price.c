/* What machines of a run cost together. */
#include "test.h"

#include "market/run_price.h"

#define DOLLAR INT64_C(1000000000)

static bool machines(struct run_price price, struct price_then then, int64_t count, usd *cost,
                     usd_per_hour *rate, struct error *err)
{
    return run_price_machines(&price, &then, (span){2 * SPAN_HOUR}, count, cost, rate, err);
}

static void prices_of_then_come_before_that_of_now(void **state)
{
    struct run_price now = {.rate = {3 * DOLLAR}};
    struct price_then then = {.cost = {5 * DOLLAR}, .first = {2 * DOLLAR}, .prices = 2};
    struct error err = {0};
    usd_per_hour rate;
    usd cost;

    (void)state;
    assert_true(machines(now, then, 4, &cost, &rate, &err));
    assert_int_equal(cost.nano, 20 * DOLLAR);
    assert_int_equal(rate.nano, 8 * DOLLAR);
    then.prices = 0;
    assert_true(machines(now, then, 4, &cost, &rate, &err));
    assert_int_equal(cost.nano, 24 * DOLLAR);
    assert_int_equal(rate.nano, 12 * DOLLAR);
    now.rate = USD_PER_HOUR_UNKNOWN;
    assert_true(machines(now, then, 4, &cost, &rate, &err));
    assert_int_equal(cost.nano, MONEY_UNKNOWN);
}

static void what_cannot_be_recorded_is_refused(void **state)
{
    struct run_price now = {.rate = {3 * DOLLAR}};
    struct price_then then = {.prices = 0};
    struct error err = {0};
    usd_per_hour rate;
    usd cost;

    (void)state;
    assert_false(machines(now, then, INT64_MAX / DOLLAR, &cost, &rate, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
}

int group_run_price(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prices_of_then_come_before_that_of_now),
        cmocka_unit_test(what_cannot_be_recorded_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
