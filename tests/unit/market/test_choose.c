/* Of several feeds that price the same machine, which is believed, and what is said of the
 * others. */
#include "offers_world.h"

static void the_user_s_own_price_goes_before_all(void **state)
{
    (void)state;
    tell("official", CONFIDENCE_OFFICIAL, 0, MARKET_ON_DEMAND, 80 * BILLION);
    tell("mine", CONFIDENCE_PRIVATE, 300, MARKET_ON_DEMAND, 85 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 85 * BILLION);
    assert_str_equal(merged()->fact.source, "mine (a file)");
}

static void prices_seen_lately_go_before_old_ones(void **state)
{
    (void)state;
    tell("official", CONFIDENCE_OFFICIAL, 8, MARKET_ON_DEMAND, 80 * BILLION);
    tell("catalog", CONFIDENCE_CATALOG, 7, MARKET_ON_DEMAND, 85 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 85 * BILLION);
    tell("official", CONFIDENCE_OFFICIAL, 7, MARKET_ON_DEMAND, 80 * BILLION); /* not old yet */
    assert_int_equal(merged()->on_demand.nano, 80 * BILLION);
}

static void a_provider_s_own_word_goes_before_a_collector_s(void **state)
{
    (void)state;
    tell("official", CONFIDENCE_OFFICIAL, 5, MARKET_ON_DEMAND, 80 * BILLION);
    tell("catalog", CONFIDENCE_CATALOG, 0, MARKET_ON_DEMAND, 70 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 80 * BILLION);
    /* When both are old, the newest counts. */
    view.today.n += 100;
    assert_int_equal(merged()->on_demand.nano, 70 * BILLION);
}

static void of_equals_the_newest_is_believed(void **state)
{
    (void)state;
    tell("a", CONFIDENCE_CATALOG, 3, MARKET_ON_DEMAND, 80 * BILLION);
    tell("b", CONFIDENCE_CATALOG, 2, MARKET_ON_DEMAND, 90 * BILLION);
    tell("c", CONFIDENCE_CATALOG, 4, MARKET_ON_DEMAND, 70 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 90 * BILLION);
    /* For each market on its own. */
    tell("a", CONFIDENCE_CATALOG, 1, MARKET_SPOT, 30 * BILLION);
    assert_int_equal(merged()->spot.nano, 30 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 90 * BILLION);
}

static void feeds_that_disagree_are_mentioned(void **state)
{
    (void)state;
    tell("official", CONFIDENCE_OFFICIAL, 1, MARKET_ON_DEMAND, 100 * BILLION);
    tell("near", CONFIDENCE_CATALOG, 1, MARKET_ON_DEMAND, 101 * BILLION);
    tell("old", CONFIDENCE_CATALOG, 8, MARKET_ON_DEMAND, 50 * BILLION);
    tell("gone", CONFIDENCE_CATALOG, 1, MARKET_ON_DEMAND, PRICE_NONE);
    assert_int_equal(merged()->conflict.len, 0); /* by one per cent, or long ago, is none */
    assert_int_equal(counts.conflicts, 0);
    tell("other", CONFIDENCE_CATALOG, 1, MARKET_ON_DEMAND, 102 * BILLION);
    assert_str_equal(merged()->conflict, "other says on-demand $102.00/hr");
    assert_int_equal(counts.conflicts, 1);
    assert_int_equal(merged()->on_demand.nano, 100 * BILLION); /* never averaged */
}

static void a_price_of_the_future_is_not_in_force(void **state)
{
    (void)state;
    tell("catalog", CONFIDENCE_CATALOG, 5, MARKET_ON_DEMAND, 80 * BILLION);
    tell("catalog", CONFIDENCE_CATALOG, -40, MARKET_ON_DEMAND, 70 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 80 * BILLION);
    view.today.n += 40;
    assert_int_equal(merged()->on_demand.nano, 70 * BILLION);
}

static void doubtful_prices_are_left_out(void **state)
{
    (void)state;
    tell("floor", CONFIDENCE_OFFICIAL, 1, MARKET_ON_DEMAND, BILLION / 100);
    tell("high", CONFIDENCE_OFFICIAL, 1, MARKET_ON_DEMAND, 9000 * BILLION);
    merge();
    assert_int_equal(counts.doubtful, 1);
    assert_int_equal(rows.len, 0); /* nothing is left to say */
    tell("catalog", CONFIDENCE_CATALOG, 3, MARKET_ON_DEMAND, 80 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 80 * BILLION);
    assert_int_equal(counts.doubtful, 0);
    assert_int_equal(counts.conflicts, 0); /* what is not believed does not disagree */
    /* Spot above on-demand is odd, but somebody asks for it. */
    tell("catalog", CONFIDENCE_CATALOG, 2, MARKET_SPOT, 90 * BILLION);
    assert_int_equal(merged()->spot.nano, 90 * BILLION);
    /* A jump is not believed at once. */
    tell("catalog", CONFIDENCE_CATALOG, 1, MARKET_ON_DEMAND, 800 * BILLION);
    assert_int_equal(merged()->on_demand.nano, MONEY_UNKNOWN);
    assert_int_equal(counts.doubtful, 1);
}

int group_choose(void)
{
    const struct CMUnitTest tests[] = {
        world_test(the_user_s_own_price_goes_before_all),
        world_test(prices_seen_lately_go_before_old_ones),
        world_test(a_provider_s_own_word_goes_before_a_collector_s),
        world_test(of_equals_the_newest_is_believed),
        world_test(feeds_that_disagree_are_mentioned),
        world_test(a_price_of_the_future_is_not_in_force),
        world_test(doubtful_prices_are_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
