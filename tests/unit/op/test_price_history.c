/* Names of offers, and what one cost over time. */
#include "market_world.h"

#include "op/context.h"
#include "op/market.h"

#define AZ1 "aws/us-east-1/use1-az1/p5.48xlarge"
#define AZ2 "aws/us-east-1/use1-az2/p5.48xlarge"

/* az1: $20, from ten days ago $10, from five days ago $30. az2: $12. Sweden: dearer. */
static void fill(void)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);

    for (int d = 60; d >= 0; d--) {
        market_tell(e, AZ1, d, MARKET_SPOT, (d > 10 ? 20 : d > 5 ? 10 : 30) * DOLLAR);
        market_tell(e, AZ1, d, MARKET_ON_DEMAND, 55 * DOLLAR);
        market_tell(e, AZ2, d, MARKET_SPOT, 12 * DOLLAR);
        market_tell(e, "aws/eu-north-1/eun1-az1/p5.48xlarge", d, MARKET_SPOT, 40 * DOLLAR);
    }
    market_commit(e);
}

static void what_is_left_out_is_the_cheapest_and_said(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill();
    reply = ask(w, "price.history", "{\"offer\":\"P5.48xlarge\"}");
    assert_says(reply, "\"offer\":\"" AZ2 "\"");
    assert_string_equal(w->said, "note: 'P5.48xlarge' means " AZ2
                                 ", the cheapest of 3 now ($12.00/hr, spot)\n");
    /* Only one has an on-demand price. */
    reply = ask(w, "price.history", "{\"offer\":\"aws/us-*/p5.48xlarge:on-demand\"}");
    assert_says(reply, "\"offer\":\"" AZ1 "\"");
    assert_int_equal(times(reply, "\"market\":"), 1);
    (void)ask(w, "price.history", "{\"offer\":\"" AZ1 "\"}");
    assert_string_equal(w->said, "");
}

static void numbers_are_weighted_by_time(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill();
    /* Ten days until now: five at $10, five at $30. */
    reply = ask(w, "price.history", "{\"offer\":\"" AZ1 ":spot\",\"days\":10}");
    assert_says(reply,
                "\"current\":{\"amount\":\"30\",\"currency\":\"USD\"},\"gone\":false,"
                "\"since\":\"2026-11-10\",\"seen\":\"2026-11-15\",\"first\":\"2026-09-16\","
                "\"unseen_days\":0,\"from\":\"2026-11-05\",\"until\":\"2026-11-15\","
                "\"min\":{\"amount\":\"10\",\"currency\":\"USD\"},"
                "\"mean\":{\"amount\":\"20\",\"currency\":\"USD\"},"
                "\"median\":{\"amount\":\"10\",\"currency\":\"USD\"},"
                "\"max\":{\"amount\":\"30\",\"currency\":\"USD\"},\"change\":2,"
                "\"percentile\":1,\"cheaper_than\":0,\"covered\":1,\"observed\":1,\"gaps\":[],"
                "\"changes\":1,");
    assert_says(reply,
                "\"points\":[{\"at\":\"2026-11-05\",\"price\":{\"amount\":\"10\","
                "\"currency\":\"USD\"},\"observed\":true},{\"at\":\"2026-11-10\","
                "\"price\":{\"amount\":\"30\",\"currency\":\"USD\"},\"observed\":true}]");
    /* Until the end of the 9th: of 25 days the last five at $10, the others at $20. */
    reply = ask(w, "price.history",
                "{\"offer\":\"" AZ1 ":spot\",\"days\":25,\"until\":\"2026-11-09\"}");
    assert_says(reply, "\"from\":\"2026-10-16\",\"until\":\"2026-11-10\"");
    assert_says(reply, "\"change\":-0.5,\"percentile\":0.2,\"cheaper_than\":0.8,");
}

static void what_vanished_is_gone_since_then(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;
    const char *reply;

    for (int d = 20; d >= 0; d--)
        market_tell(e, AZ1, d, MARKET_SPOT, d > 4 ? 20 * DOLLAR : PRICE_NONE);
    market_commit(e);
    reply = ask(w, "price.history", "{\"offer\":\"p5.48xlarge\"}");
    assert_says(reply, "\"current\":null,\"gone\":true,\"since\":\"2026-11-11\"");
    assert_says(reply,
                "\"change\":null,\"percentile\":null,\"cheaper_than\":null,"
                "\"covered\":0.5333333333333333,\"observed\":0.6666666666666666,\"gaps\":[],"
                "\"changes\":1,");
    assert_says(reply, "{\"at\":\"2026-11-11\",\"price\":null,\"observed\":true}]");
}

static void feeds_that_differ_are_both_shown(void **state)
{
    struct store_edit *e;
    struct world *w = *state;
    const char *reply;

    fill();
    e = market_edit("own", CONFIDENCE_PRIVATE);
    market_tell(e, AZ1, 1, MARKET_ON_DEMAND, 40 * DOLLAR);
    market_commit(e);
    reply = ask(w, "price.history", "{\"offer\":\"" AZ1 "\",\"market\":\"on-demand\"}");
    assert_int_equal(times(reply, "\"market\":"), 2);
    assert_string_equal(w->said, "warning: own and skypilot differ about the on-demand price: "
                                 "both are shown, none is averaged\n");
    reply = ask(w, "price.history",
                "{\"offer\":\"" AZ1 "\",\"market\":\"on-demand\",\"feed\":\"own\"}");
    assert_int_equal(times(reply, "\"market\":"), 1);
    assert_says(reply, "\"confidence\":\"private\"");
}

static void every_zone_can_be_shown(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill();
    reply = ask(w, "price.history", "{\"offer\":\"" AZ2 ":spot\",\"zones\":true}");
    assert_int_equal(times(reply, "\"market\":\"spot\""), 2);
    assert_says(reply, AZ1);
}

static void patterns_are_told_with_what_they_rest_on(void **state)
{
    struct store_edit *e = market_edit("aws-spot", CONFIDENCE_OFFICIAL);
    struct world *w = *state;
    const char *reply;

    /* Ten weeks of hours: dear from 9 to 17 UTC. */
    for (int h = 70 * 24; h >= 0; h--) {
        int64_t hour = (TODAY / 3600 - h) % 24;

        market_tell(e, AZ1, h / 24.0, MARKET_SPOT, (hour >= 9 && hour < 17 ? 30 : 20) * DOLLAR);
    }
    market_commit(e);
    reply = ask(w, "price.history", "{\"offer\":\"p5.48xlarge\"}");
    assert_says(reply, "\"hours\":{\"found\":\"yes\",\"weeks\":9,\"swing\":0.5");
    assert_int_equal(times(reply, "\"slot\":"), 168);
    assert_says(reply, "{\"slot\":\"Mon 00h\",\"ratio\":0.857142857");
    assert_says(reply, "\"weekdays\":{\"found\":\"no\",\"weeks\":9,");
}

static void old_prices_end_their_own_window_and_are_warned_of(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;

    for (int d = 100; d >= 50; d--)
        market_tell(e, AZ1, d, MARKET_SPOT, (20 + d % 2) * DOLLAR);
    market_commit(e);
    assert_says(ask(w, "price.history", "{\"offer\":\"p5.48xlarge\"}"),
                "\"unseen_days\":50,\"from\":\"2026-08-28\",\"until\":\"2026-09-27\"");
    assert_string_equal(w->said, "warning: a price was last seen 50 days ago: 'stint price "
                                 "doctor' shows what to run\n");
}

static void jumps_and_swings_within_a_day_are_told(void **state)
{
    struct store_edit *e = market_edit("aws-spot", CONFIDENCE_OFFICIAL);
    struct world *w = *state;
    const char *reply;

    for (int h = 40 * 24; h >= 0; h--) {
        int64_t hour = (TODAY / 3600 - h) % 24;
        int64_t price = (hour >= 9 && hour < 17 ? 30 : 20) * DOLLAR;

        if (h == 100)
            price = 2 * DOLLAR;
        market_tell(e, AZ1, h / 24.0, MARKET_SPOT, price);
    }
    market_commit(e);
    reply = ask(w, "price.history", "{\"offer\":\"p5.48xlarge\"}");
    assert_says(reply, "\"jumps\":2,\"largest_jump\":0.1,\"jump_at\":\"2026-11-10T20:00:00Z\"");
    assert_says(reply, "\"daily_range\":0.");
    reply = ask(w, "price.history", "{\"offer\":\"p5.48xlarge\",\"days\":3}");
    assert_says(reply, "\"jumps\":0,\"largest_jump\":null,\"jump_at\":null");
}

static void what_never_had_a_price_is_left_out(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;
    const char *reply;

    for (int d = 20; d >= 0; d--) {
        market_tell(e, AZ1, d, MARKET_SPOT, PRICE_NONE);
        market_tell(e, AZ1, d, MARKET_ON_DEMAND, 55 * DOLLAR);
    }
    market_commit(e);
    reply = ask(w, "price.history", "{\"offer\":\"" AZ1 "\"}");
    assert_int_equal(times(reply, "\"market\":"), 1);
    assert_says(reply, "\"market\":\"on-demand\"");
    assert_string_equal(ask(w, "price.history", "{\"offer\":\"" AZ1 ":spot\"}"),
                        "absent " AZ1 " never had a spot price | 'stint price history " AZ1
                        "' shows its other markets");
}

static void mistakes_are_answered_with_what_to_type(void **state)
{
    struct world *w = *state;

    /* The built-in prices, while none are kept. */
    assert_says(ask(w, "price.history", "{\"offer\":\"p5.48xlarge\"}"),
                "\"feed\":\"built-in\",\"source\":\"SkyPilot catalog");
    op_done(&w->ctx);
    fill();
    assert_string_equal(
        ask(w, "price.history", "{\"offer\":\"p5.48xlrage\"}"),
        "absent the price store has no price of 'p5.48xlrage' | did you mean 'p5.48xlarge'?");
    assert_string_equal(
        ask(w, "price.history", "{\"offer\":\"gcp/p5.48xlarge\"}"),
        "absent the price store has no price of 'gcp/p5.48xlarge' | 'p5.48xlarge' "
        "has prices elsewhere: leave "
        "out the provider and region");
    assert_string_equal(ask(w, "price.history", "{\"offer\":\"" AZ2 ":on-demand\"}"),
                        "absent the price store has no on-demand price of " AZ2
                        " | it has 1 series of other "
                        "markets or feeds: leave out --market and --feed");
    assert_string_equal(ask(w, "price.history", "{\"offer\":\"p5.48xlarge\",\"days\":4000}"),
                        "usage --days: 4000 is more than ten years | ");
}

int group_price_history(void)
{
    const struct CMUnitTest tests[] = {
        market_test(what_is_left_out_is_the_cheapest_and_said),
        market_test(numbers_are_weighted_by_time),
        market_test(what_vanished_is_gone_since_then),
        market_test(feeds_that_differ_are_both_shown),
        market_test(every_zone_can_be_shown),
        market_test(patterns_are_told_with_what_they_rest_on),
        market_test(old_prices_end_their_own_window_and_are_warned_of),
        market_test(jumps_and_swings_within_a_day_are_told),
        market_test(what_never_had_a_price_is_left_out),
        market_test(mistakes_are_answered_with_what_to_type),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
