/* Which offer is chosen: the cheapest as it is shown, but none whose price is too old, and
 * outliers not before they are confirmed. */
#include "market_world.h"

#include "op/context.h"

/* `asked` offers the price of one machine of acme on demand. */
static void quote_on_demand(struct store_edit *e, const char *offer, double days, int64_t price)
{
    struct quote q = market_quote(offer, days);

    q.price[MARKET_ON_DEMAND] = price;
    market_add(e, &q);
}

/* The offer that an estimate takes, of acme's machines. */
static const char *chosen(struct world *w)
{
    return ask(w, "estimate",
               "{\"job\":\"llama-2-7b\",\"set\":[\"method=lora\",\"tokens=25M\","
               "\"providers=acme\"],\"on\":\"H100x8\"}");
}

static void two_offers(double old_days, int64_t old_price, double new_days, int64_t new_price)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);

    quote_on_demand(e, "acme/eu-1/old", old_days, old_price);
    quote_on_demand(e, "acme/eu-2/new", new_days, new_price);
    market_commit(e);
}

static void a_price_that_is_too_old_loses_whatever_it_is(void **state)
{
    struct world *w = *state;

    two_offers(181, 1 * DOLLAR, 3, 11 * DOLLAR);
    assert_says(chosen(w), "\"offer\":\"acme/eu-2/new\"");
    assert_null(strstr(w->said, "days old"));
}

/* 180 days are not too old, whatever the range of such a price is. */
static void until_then_the_price_that_is_shown_counts(void **state)
{
    struct world *w = *state;

    two_offers(180, 10 * DOLLAR, 3, 11 * DOLLAR);
    assert_says(chosen(w), "\"offer\":\"acme/eu-1/old\"");
    assert_says(w->said, "warning: the price is 180 days old, 80 % range $");
}

static void fresh_offers_are_compared_by_price(void **state)
{
    struct world *w = *state;

    two_offers(29, 10 * DOLLAR, 0, 10 * DOLLAR + CENT);
    assert_says(chosen(w), "\"offer\":\"acme/eu-1/old\"");
}

static void where_most_are_too_old_all_are_compared(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;
    struct quote q = market_quote("acme/eu-1/older", 700);

    q.accelerator = STR("B300-SXM-288GB"); /* that has no newer price in the catalog */
    q.price[MARKET_ON_DEMAND] = 40 * DOLLAR;
    market_add(e, &q);
    q = market_quote("acme/eu-2/newer", 500);
    q.accelerator = STR("B300-SXM-288GB");
    q.price[MARKET_ON_DEMAND] = 42 * DOLLAR;
    market_add(e, &q);
    market_commit(e);
    assert_says(ask(w, "estimate",
                    "{\"job\":\"llama-2-7b\",\"set\":[\"method=lora\",\"tokens=25M\","
                    "\"providers=acme\"],\"on\":\"B300x8\"}"),
                "\"offer\":\"acme/eu-1/older\"");
    assert_says(w->said, "most prices of B300-SXM-288GB are too old: this one is 700 days old, "
                         "80 % range $");
}

/* The price's age widens the range of the cost. */
static void an_old_price_widens_the_cost(void **state)
{
    struct world *w = *state;
    double low, high, old_low, old_high;
    const char *reply;

    two_offers(400, 5 * DOLLAR, 3, 5 * DOLLAR + CENT);
    reply = chosen(w);
    assert_says(reply, "\"offer\":\"acme/eu-2/new\"");
    assert_int_equal(
        sscanf(strstr(reply, "\"total_low\":"), "\"total_low\":{\"amount\":\"%lf", &low), 1);
    assert_int_equal(
        sscanf(strstr(reply, "\"total_high\":"), "\"total_high\":{\"amount\":\"%lf", &high), 1);
    reply = ask(w, "estimate",
                "{\"job\":\"llama-2-7b\",\"set\":[\"method=lora\",\"tokens=25M\"],"
                "\"offer\":\"acme/eu-1/old\"}");
    assert_int_equal(
        sscanf(strstr(reply, "\"total_low\":"), "\"total_low\":{\"amount\":\"%lf", &old_low),
        1);
    assert_int_equal(
        sscanf(strstr(reply, "\"total_high\":"), "\"total_high\":{\"amount\":\"%lf", &old_high),
        1);
    assert_true(old_high / old_low > 1.3 * (high / low));
}

/* Six regions, one of them at a fifth of the others. */
static void list_of_regions(double days)
{
    static const char *const offers[] = {"acme/r1/m", "acme/r2/m", "acme/r3/m", "acme/r4/m",
                                         "acme/r5/m"};
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);

    for (size_t i = 0; i < ARRAY_LEN(offers); i++)
        market_tell(e, offers[i], days, MARKET_SPOT, (20 + (int64_t)i) * DOLLAR);
    market_tell(e, "acme/low/z1/m", days, MARKET_SPOT, 4 * DOLLAR);
    market_commit(e);
}

static const char *chosen_spot(struct world *w)
{
    return ask(w, "estimate",
               "{\"job\":\"llama-2-7b\",\"set\":[\"method=lora\",\"tokens=25M\","
               "\"providers=acme\"],\"on\":\"H100x8\",\"market\":\"spot\"}");
}

static void an_outlier_waits_for_a_second_import(void **state)
{
    struct world *w = *state;

    list_of_regions(2);
    assert_says(chosen_spot(w), "\"offer\":\"acme/r1/m\"");
    assert_says(ask(w, "price.list",
                    "{\"provider\":[\"acme\"],\"market\":\"spot\",\"region\":"
                    "[\"low\"]}"),
                "\"outlier\":true");
    op_done(&w->ctx);
    assert_says(ask(w, "price.doctor", "{}"),
                "acme/low/z1/m:spot $0.50/hr a GPU, other regions $2.69/hr");
    assert_says(ask(w, "price.spot", "{\"provider\":[\"acme\"]}"),
                "far below the same GPU's prices in other regions, and seen on one day only");
    op_done(&w->ctx);
    list_of_regions(2); /* the same list again is no second day */
    assert_says(chosen_spot(w), "\"offer\":\"acme/r1/m\"");
    op_done(&w->ctx);
    list_of_regions(1);
    assert_says(chosen_spot(w), "\"offer\":\"acme/low/m\"");
    op_done(&w->ctx);
    assert_null(strstr(ask(w, "price.doctor", "{}"), "acme/low"));
}

/* Another zone of the region has a price like the others: that one counts. */
static void an_outlying_zone_does_not_hide_its_region(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;

    market_tell(e, "acme/low/z2/m", 2, MARKET_SPOT, 19 * DOLLAR);
    market_commit(e);
    list_of_regions(2);
    assert_says(chosen_spot(w), "\"offer\":\"acme/low/m\",\"market\":\"spot\",\"price\":"
                                "{\"amount\":\"19\"");
}

/* Where few regions are known, nobody can say what is usual. */
static void three_regions_have_no_outlier(void **state)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    struct world *w = *state;

    market_tell(e, "acme/r1/m", 2, MARKET_SPOT, 20 * DOLLAR);
    market_tell(e, "acme/r2/m", 2, MARKET_SPOT, 21 * DOLLAR);
    market_tell(e, "acme/low/m", 2, MARKET_SPOT, 4 * DOLLAR);
    market_commit(e);
    assert_says(chosen_spot(w), "\"offer\":\"acme/low/m\"");
}

int group_price_trust(void)
{
    const struct CMUnitTest tests[] = {
        market_test(a_price_that_is_too_old_loses_whatever_it_is),
        market_test(until_then_the_price_that_is_shown_counts),
        market_test(fresh_offers_are_compared_by_price),
        market_test(where_most_are_too_old_all_are_compared),
        market_test(an_old_price_widens_the_cost),
        market_test(an_outlier_waits_for_a_second_import),
        market_test(an_outlying_zone_does_not_hide_its_region),
        market_test(three_regions_have_no_outlier),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
