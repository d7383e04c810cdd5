/* Of several feeds that price the same machine, which is used, and when the others are
 * mentioned. */
#include "offers_world.h"

static void users_own_price_comes_first(void **state)
{
    (void)state;
    import_price("official", CONFIDENCE_OFFICIAL, 0, MARKET_ON_DEMAND, 80 * BILLION);
    import_price("mine", CONFIDENCE_PRIVATE, 300, MARKET_ON_DEMAND, 85 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 85 * BILLION);
    assert_str_equal(merged()->fact.source, "mine (a file)");
}

static void recent_prices_come_before_old_ones(void **state)
{
    (void)state;
    import_price("official", CONFIDENCE_OFFICIAL, 8, MARKET_ON_DEMAND, 80 * BILLION);
    import_price("catalog", CONFIDENCE_CATALOG, 7, MARKET_ON_DEMAND, 85 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 85 * BILLION);
    import_price("official", CONFIDENCE_OFFICIAL, 7, MARKET_ON_DEMAND,
                 80 * BILLION); /* not old yet */
    assert_int_equal(merged()->on_demand.nano, 80 * BILLION);
}

static void provider_comes_before_collector(void **state)
{
    (void)state;
    import_price("official", CONFIDENCE_OFFICIAL, 5, MARKET_ON_DEMAND, 80 * BILLION);
    import_price("catalog", CONFIDENCE_CATALOG, 0, MARKET_ON_DEMAND, 70 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 80 * BILLION);
    /* When both are old, the newest is used. */
    view.today.n += 100;
    assert_int_equal(merged()->on_demand.nano, 70 * BILLION);
}

static void newest_of_equal_feeds_is_used(void **state)
{
    (void)state;
    import_price("a", CONFIDENCE_CATALOG, 3, MARKET_ON_DEMAND, 80 * BILLION);
    import_price("b", CONFIDENCE_CATALOG, 2, MARKET_ON_DEMAND, 90 * BILLION);
    import_price("c", CONFIDENCE_CATALOG, 4, MARKET_ON_DEMAND, 70 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 90 * BILLION);
    /* For each market on its own. */
    import_price("a", CONFIDENCE_CATALOG, 1, MARKET_SPOT, 30 * BILLION);
    assert_int_equal(merged()->spot.nano, 30 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 90 * BILLION);
}

static void feeds_that_disagree_are_mentioned(void **state)
{
    (void)state;
    import_price("official", CONFIDENCE_OFFICIAL, 1, MARKET_ON_DEMAND, 100 * BILLION);
    import_price("near", CONFIDENCE_CATALOG, 1, MARKET_ON_DEMAND, 101 * BILLION);
    import_price("old", CONFIDENCE_CATALOG, 8, MARKET_ON_DEMAND, 50 * BILLION);
    import_price("gone", CONFIDENCE_CATALOG, 1, MARKET_ON_DEMAND, PRICE_NONE);
    assert_int_equal(merged()->conflict.len, 0); /* by one per cent, or long ago, is none */
    import_price("other", CONFIDENCE_CATALOG, 1, MARKET_ON_DEMAND, 102 * BILLION);
    assert_str_equal(merged()->conflict, "other says on-demand $102.00/hr");
    assert_int_equal(merged()->on_demand.nano, 100 * BILLION); /* never averaged */
}

static void a_price_of_the_future_is_not_in_force(void **state)
{
    (void)state;
    import_price("catalog", CONFIDENCE_CATALOG, 5, MARKET_ON_DEMAND, 80 * BILLION);
    import_price("catalog", CONFIDENCE_CATALOG, -40, MARKET_ON_DEMAND, 70 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 80 * BILLION);
    view.today.n += 40;
    assert_int_equal(merged()->on_demand.nano, 70 * BILLION);
}

static void doubtful_prices_are_left_out(void **state)
{
    (void)state;
    import_price("floor", CONFIDENCE_OFFICIAL, 1, MARKET_ON_DEMAND, BILLION / 100);
    import_price("high", CONFIDENCE_OFFICIAL, 1, MARKET_ON_DEMAND, 9000 * BILLION);
    merge();
    assert_int_equal(rows.len, 0); /* no price is left */
    import_price("catalog", CONFIDENCE_CATALOG, 3, MARKET_ON_DEMAND, 80 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 80 * BILLION);
    assert_int_equal(merged()->conflict.len, 0); /* a doubtful price is not a disagreement */
    /* Spot above on-demand is odd, but it is a real price. */
    import_price("catalog", CONFIDENCE_CATALOG, 2, MARKET_SPOT, 90 * BILLION);
    assert_int_equal(merged()->spot.nano, 90 * BILLION);
    /* A jump is not used at once. */
    import_price("catalog", CONFIDENCE_CATALOG, 1, MARKET_ON_DEMAND, 800 * BILLION);
    assert_int_equal(merged()->on_demand.nano, MONEY_UNKNOWN);
}

int group_choose(void)
{
    const struct CMUnitTest tests[] = {
        world_test(users_own_price_comes_first),
        world_test(recent_prices_come_before_old_ones),
        world_test(provider_comes_before_collector),
        world_test(newest_of_equal_feeds_is_used),
        world_test(feeds_that_disagree_are_mentioned),
        world_test(a_price_of_the_future_is_not_in_force),
        world_test(doubtful_prices_are_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
