/* When machines are cheapest, and power cleanest. */
#include "market_world.h"

#include "op/op.h"
#include "op/plan/offer_history.h"
#include "op/plan/plan_slots.h"

#define P5 "aws/us-east-1/use1-az1/p5.48xlarge"
#define STILL "aws/us-east-1/use1-az1/p4d.24xlarge"

/* Ten weeks in which a p5 costs $10 from 02 to 08 h UTC and $30 otherwise, but for chance, and
 * its price of now is a night's; another machine costs the same all the time. */
static void fill_hours(void)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    unsigned dice = 1;

    for (int h = 70 * 24; h >= 0; h--) {
        int hour = (24 * 1000 - h) % 24;
        int64_t price = hour >= 2 && hour < 8 ? 10 : 30;

        dice = dice * 1103515245u + 12345u;
        market_tell(e, P5, h / 24.0, MARKET_SPOT, price * DOLLAR + dice % 100 * CENT / 10);
        market_tell(e, STILL, h / 24.0, MARKET_SPOT, 9 * DOLLAR);
    }
    market_commit(e);
}

/* Mondays at half the price, told once a day. */
static void fill_days(void)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);

    for (int d = 84; d >= 0; d--) /* today is a Sunday */
        market_tell(e, "vast/*/p5.48xlarge", d, MARKET_SPOT,
                    (d % 7 == 6 ? 10 : 20) * DOLLAR + d % 5 * CENT);
    market_commit(e);
}

static void its_own_prices_tell_the_hours(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill_hours();
    reply = ask(w, "plan.slots",
                "{\"offer\":\"aws/us-east-1/p5.48xlarge\",\"hours\":6,"
                "\"days\":2,\"limit\":3}");
    assert_says(reply, "\"ranked\":\"cost\",\"price_basis\":\"history\"");
    assert_says(reply, "by hour of the week");
    assert_says(reply, "\"price_kind\":\"mean of its last week\"");
    assert_says(reply, "{\"day\":\"Sun\",\"start\":\"2026-11-15T02:00:00Z\",\"end\":"
                       "\"2026-11-15T08:00:00Z\",\"start_h\":2,\"price_multiplier\":0.40");
    assert_says(reply, "\"slots\":[{\"day\":\"Mon\",\"start\":\"2026-11-16T02:00:00Z\"");
    assert_int_equal(times(reply, "\"day\":"), 4); /* three, and what it costs now */
}

/* A slot costs what the mean of its hours costs: six at about $10. */
static void a_slot_costs_what_its_hours_do(void **state)
{
    struct world *w = *state;
    struct plan_slots_request req;
    struct plan_slots_result res;
    const struct slot_row *rows;
    struct error err = {0};

    fill_hours();
    assert_true(fields_reset(op_plan_slots.request, &req, &w->arena, &err));
    req.offer = STR("aws/us-east-1/p5.48xlarge");
    req.hours = 6;
    assert_true(op_run(&w->ctx, &op_plan_slots, &req, &res, &err));
    rows = res.slots.at;
    assert_near(usd_per_hour_double(rows[0].per_hour), 10, 0.6);
    assert_near(usd_double(rows[0].cost), 60, 3.6);
    assert_near(rows[0].saves, 0.4, 0.02); /* now: two hours at $30 and four at $10 */
    assert_near(usd_per_hour_double(res.price), 25, 1);
}

static void a_price_that_stands_still_has_no_cheap_hours(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill_hours();
    reply = ask(w, "plan.slots", "{\"offer\":\"aws/us-east-1/p4d.24xlarge:spot\",\"limit\":2}");
    assert_says(reply,
                "\"price_basis\":\"flat\",\"price_why\":\"its own price did not change for "
                "70 days\",\"price_swing\":0,");
    assert_says(reply, "\"ranked\":\"carbon\"");
}

static void days_are_told_when_hours_cannot_be(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill_days();
    reply = ask(w, "plan.slots", "{\"offer\":\"vast/p5.48xlarge\",\"hours\":24,\"days\":8}");
    assert_says(reply, "\"price_basis\":\"history\"");
    assert_says(reply, "by day of the week");
    assert_says(reply, "\"slots\":[{\"day\":\"Mon\",\"start\":\"2026-11-16T00:00:00Z\"");
    assert_says(reply, "\"carbon_basis\":\"flat\"");
}

static void without_history_the_provider_is_asked(void **state)
{
    struct world *w = *state;
    const char *reply;

    reply = ask(w, "plan.slots", "{\"gpu\":\"RTX 4090\",\"provider\":[\"vast\"]}");
    assert_says(reply, "\"price_basis\":\"flat\"");
    assert_says(reply, "a rule of thumb for vast on-demand (two 2025 guides) is not used");
    assert_says(reply, "\"price_multiplier\":1,");
    assert_says(w->said, "note: not sold on spot: showing on-demand\n");
    /* 0.3 % is not worth a wait. */
    reply = ask(w, "plan.slots", "{\"gpu\":\"A100\",\"provider\":[\"aws\"],\"limit\":1}");
    assert_says(reply, "\"price_basis\":\"measured\"");
    assert_says(reply, "\"ranked\":\"carbon\"");
}

static void nothing_known_is_said(void **state)
{
    struct world *w = *state;
    const char *reply =
        ask(w, "plan.slots", "{\"offer\":\"gcp/europe-north1/a3-highgpu-1g:on-demand\"}");

    assert_says(reply, "\"market\":\"on-demand\"");
    assert_says(reply, "\"price_basis\":\"flat\",\"price_why\":\"no known pattern\"");
    assert_says(reply, "\"ranked\":\"time\"");
    assert_says(reply, "\"slots\":[{\"day\":\"Sun\",\"start\":\"2026-11-15T00:00:00Z\"");
}

static void clean_hours_are_asked_for(void **state)
{
    struct world *w = *state;
    const char *reply = ask(w, "plan.slots",
                            "{\"offer\":\"aws/us-west-1/p5.48xlarge\",\"aim\":\"carbon\","
                            "\"hours\":5,\"days\":1}");

    /* 10 to 15 h of the sun in California. */
    assert_says(reply, "\"ranked\":\"carbon\"");
    assert_says(reply, "\"slots\":[{\"day\":\"Sun\",\"start\":\"2026-11-15T18:00:00Z\"");
    assert_says(reply, "\"carbon_multiplier\":0.6,");
}

static void patterns_of_providers(void **state)
{
    struct world *w = *state;
    static const struct str mine[] = {{"aws", 3}, {"lambda", 6}};
    const char *reply = ask(w, "plan.slots", "{}");

    assert_says(reply, "{\"provider\":\"vast\",\"market\":\"spot\",\"basis\":\"rule of thumb\","
                       "\"used\":false,\"start\":null,\"price_multiplier\":0.88");
    assert_says(reply, "{\"provider\":\"aws\",\"market\":\"spot\",\"basis\":\"measured\","
                       "\"used\":true,\"start\":null,");
    assert_says(reply, "\"flat\":[]");
    w->settings.providers = (struct strs){mine, 2};
    reply = ask(w, "plan.slots", "{\"market\":\"spot\"}");
    assert_int_equal(times(reply, "\"provider\":\""), 1);
    assert_says(reply, "\"flat\":[\"lambda\"]");
}

static void mistakes(void **state)
{
    static const char *const cases[][2] = {
        {"{\"hours\":30,\"days\":1}",
         "usage a slot of 30 hours does not fit in 1 day | look further ahead: --days 2"},
        {"{\"days\":400}", "usage --days is at most 366 | "},
        {"{\"limit\":201}", "usage --limit is at most 200 | "},
        {"{\"offer\":\"p5.48xlarge\",\"gpu\":\"H100\"}",
         "usage an offer names its GPU | leave out --gpu, or --offer"},
        {"{\"offer\":\"p5.48xlarg\"}",
         "absent there is no offer 'p5.48xlarg' | did you mean 'p5.48xlarge'?"},
        {"{\"offer\":\"p5.48xlarge:reserved-1y\"}",
         "usage a reservation has no slots: spot or on-demand | "},
        {"{\"gpu\":\"RTX 4090\",\"provider\":[\"vast\"],\"market\":\"spot\"}",
         "absent no offer of RTX 4090 matches the filters | 'stint price list --gpu RTX 4090 "
         "--market "
         "any' shows what there is"},
        {"{\"region\":[\"us-east-1\"]}",
         "usage a region alone has no slots | name a machine: --gpu H100 --region 'us-*'"},
        {"{\"provider\":[\"awz\"]}", "absent there is no provider 'awz' | did you mean 'aws'?"},
    };
    struct world *w = *state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(ask(w, "plan.slots", cases[i][0]), cases[i][1]);
}

static void a_week_for_the_planner(void **state)
{
    struct week_offer offer = {STR("aws"), STR("us-east-1"), STR("p5.48xlarge"), MARKET_SPOT};
    struct world *w = *state;
    struct offer_week week;
    struct error err = {0};

    fill_hours();
    assert_true(op_offer_week(&w->ctx, &offer, &week, &err));
    assert_true(week.price_varies && week.carbon_varies);
    assert_near(week_mean(&week.prices, 26, 6), 0.4, 0.03);
    assert_near(week_mean(&week.prices, 0, WEEK_HOURS), 1, 1e-9);
    assert_near(week_mean(&week.carbon, 0, WEEK_HOURS), 1, 0.02);
    assert_true(offer_week_of(&w->ctx.catalog, &offer, NULL, &w->arena, &week, &err));
    assert_str_equal(week.price_basis, "measured");
    assert_false(week.price_varies);
    offer.market = MARKET_ON_DEMAND;
    assert_true(op_offer_week(&w->ctx, &offer, &week, &err));
    assert_str_equal(week.price_basis, "flat");
}

static void memory_may_run_out(void **state)
{
    static const char *const requests[][2] = {
        {"plan.slots", "{\"offer\":\"aws/us-east-1/p5.48xlarge\"}"},
        {"plan.slots", "{\"provider\":[\"aws\",\"lambda\",\"vast\"]}"},
    };

    fill_hours();
    world_survives(*state, requests, ARRAY_LEN(requests));
}

int group_plan_slots(void)
{
    const struct CMUnitTest tests[] = {
        market_test(its_own_prices_tell_the_hours),
        market_test(a_slot_costs_what_its_hours_do),
        market_test(a_price_that_stands_still_has_no_cheap_hours),
        market_test(days_are_told_when_hours_cannot_be),
        market_test(without_history_the_provider_is_asked),
        market_test(nothing_known_is_said),
        market_test(clean_hours_are_asked_for),
        market_test(patterns_of_providers),
        market_test(mistakes),
        market_test(a_week_for_the_planner),
        market_test(memory_may_run_out),
    };

    return cmocka_run_group_tests_name("op/plan_slots", tests, NULL, NULL);
}
