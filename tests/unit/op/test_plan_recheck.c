/* What changed since a plan was saved. */
#include "spot_world.h"

static char request[300];

/* The request for a plan with these rows and lines, in the market's folder. */
static const char *plan_of(const char *plans, const char *money)
{
    char path[160];
    FILE *f;

    (void)snprintf(path, sizeof path, "%s/plan.json", market_folder);
    f = fopen(path, "w");
    assert_non_null(f);
    (void)fprintf(f, "{\"schema\":\"stint.plan/1\",\"plans\":[%s],\"money\":[%s]}", plans,
                  money);
    assert_int_equal(fclose(f), 0);
    (void)snprintf(request, sizeof request, "{\"file\":\"%s\"}", path);
    return request;
}

#define USD(n) "{\"amount\":\"" #n "\",\"currency\":\"USD\"}"
#define PLAN(offer, market, cost, price, rest) \
    "{\"role\":\"best\",\"offer\":\"" offer "\",\"market\":\"" market \
    "\",\"cost\":" USD(cost) ",\"price\":" USD(price) rest "}"
#define EAST "aws/us-east-1/p5.48xlarge"

/* What is machine time follows the price; what is not stays. */
static void costs_follow_the_price_of_machines(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill();
    /* spot was 16, is 20: of 100, 20 are storage */
    reply = ask(w, "plan.recheck",
                plan_of(PLAN(EAST, "spot", 100, 16, ",\"price_date\":\"2026-08-01\""),
                        "{\"name\":\"compute\",\"amount\":" USD(
                            80) "},"
                                "{\"name\":\"storage\",\"amount\":" USD(20) "}"));
    assert_near(number(reply, "\"price_now\":"), 20, 1e-9);
    assert_near(number(reply, "\"cost_now\":"), 120, 1e-9);
    assert_near(number(reply, "\"price_change\":"), 0.25, 1e-9);
    assert_says(
        reply,
        "\"state\":\"more expensive\",\"verdict\":\"more expensive by 20 % (+$20.0): plan "
        "again\"");
    assert_says(reply, "\"newer\":true");
    assert_true(w->ctx.partly);
    /* without lines: 2 machines for 2 hours are 64 of the 100 */
    reply = ask(
        w, "plan.recheck",
        plan_of(PLAN(EAST, "spot", 100, 16, ",\"machines\":2,\"hours\":{\"value\":2}"), ""));
    assert_near(number(reply, "\"cost_now\":"), 116, 1e-9);
    /* serving has no hours: all of it */
    reply = ask(w, "plan.recheck", plan_of(PLAN(EAST, "spot", 100, 16, ",\"machines\":2"), ""));
    assert_near(number(reply, "\"cost_now\":"), 125, 1e-9);
}

static void a_plan_may_still_be_good(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill();
    reply = ask(w, "plan.recheck", plan_of(PLAN(EAST, "spot", 50, 20, ""), ""));
    assert_says(reply, "\"verdict\":\"still good: the same price\"");
    assert_false(w->ctx.partly);
    reply = ask(w, "plan.recheck", plan_of(PLAN(EAST, "on-demand", 50, 60, ""), ""));
    assert_says(reply, "\"state\":\"good\",\"verdict\":\"still good: -$4.17\"");
    assert_says(reply, "\"state\":\"cheaper\"");
    /* hours that were paid for cost nothing, then and now */
    reply = ask(w, "plan.recheck", plan_of(PLAN(EAST, "on-demand", 0, 60, ""), ""));
    assert_says(reply, "\"state\":\"good\"");
    assert_false(w->ctx.partly);
    /* no name, but its parts */
    reply = ask(w, "plan.recheck",
                plan_of("{\"provider\":\"aws\",\"region\":\"us-east-1\",\"instance\":"
                        "\"p5.48xlarge\",\"market\":\"spot\",\"cost\":" USD(
                            50) ",\"price\":" USD(20) "}",
                        ""));
    assert_says(reply, "\"offer\":\"" EAST "\"");
    assert_says(reply, "\"state\":\"good\"");
}

static void a_plan_may_be_gone_or_beaten(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill();
    reply = ask(w, "plan.recheck", plan_of(PLAN("acme/eu/x", "spot", 50, 20, ""), ""));
    assert_says(reply,
                "\"state\":\"gone\",\"verdict\":\"gone: acme/eu/x (spot) has no price now");
    assert_true(w->ctx.partly);
    assert_says(reply, "\"cost_now\":null");
    w->ctx.partly = false;
    /* gcp was as dear as aws, and is half of that */
    reply = ask(w, "plan.recheck",
                plan_of(PLAN(EAST, "spot", 50, 20, "") "," PLAN("gcp/us-central1/a3-highgpu-8g",
                                                                "spot", 50, 44, ""),
                        ""));
    assert_says(reply, "\"state\":\"beaten\",\"verdict\":\"beaten by "
                       "gcp/us-central1/a3-highgpu-8g (spot): -$25.0; plan again\"");
    assert_true(w->ctx.partly);
    w->ctx.partly = false;
    /* one that was cheaper all along was left out for a reason */
    reply = ask(w, "plan.recheck",
                plan_of(PLAN(EAST, "spot", 50, 20, "") "," PLAN("gcp/us-central1/a3-highgpu-8g",
                                                                "spot", 40, 44, ""),
                        ""));
    assert_says(reply, "\"state\":\"good\"");
    reply = ask(w, "plan.recheck", plan_of("{\"offer\":\"" EAST "\",\"market\":\"spot\"}", ""));
    assert_says(reply, "\"state\":\"unknown\"");
    assert_true(w->ctx.partly);
}

/* A list without regions is compared with one that has them: the cheapest of them counts, in
 * the same market. */
static void the_machine_may_be_elsewhere(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill();
    reply = ask(w, "plan.recheck",
                plan_of(PLAN("aws/*/p5.48xlarge", "spot", 50, 20, "") "," PLAN(
                            EAST, "spot", 50, 20, "") "," PLAN("aws/*/p5", "spot", 50, 20, ""),
                        ""));
    assert_says(reply, "\"offer\":\"aws/*/p5.48xlarge\",\"elsewhere\":\"aws/");
    assert_says(reply, "\"offer\":\"" EAST "\",\"elsewhere\":null");
    assert_says(reply,
                "\"offer\":\"aws/*/p5\",\"elsewhere\":null,\"market\":\"spot\",\"state\":"
                "\"gone\"");
    assert_true(number(reply, "\"price_now\":") <= 20);
}

/* Numbers that no plan has overflow nothing. */
static void strange_numbers_do_no_harm(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill();
    reply = ask(w, "plan.recheck",
                plan_of(PLAN(EAST, "spot", -9223372036, 0.000000001, ",\"machines\":1"), ""));
    assert_says(reply, "\"state\":\"unknown\"");
    reply = ask(w, "plan.recheck",
                plan_of(PLAN(EAST, "spot", 9223372036, 0.000000001, ""),
                        "{\"name\":\"storage\",\"amount\":" USD(-9223372036) "}"));
    assert_says(reply, "\"cost_now\":null"); /* more than money holds */
    assert_says(reply, "\"state\":\"unknown\"");
    assert_says(ask_fails(w, "plan.recheck", plan_of("", ""), ERROR_INPUT), "no plan in it");
}

static void want_of_memory_is_told(void **state)
{
    struct world *w = *state;

    fill();
    (void)plan_of(PLAN(EAST, "spot", 100, 16, ""), "");
    world_survives(w, (const char *const[][2]){{"plan.recheck", request}}, 1);
}

int group_plan_recheck(void)
{
    const struct CMUnitTest tests[] = {
        market_test(costs_follow_the_price_of_machines),
        market_test(a_plan_may_still_be_good),
        market_test(a_plan_may_be_gone_or_beaten),
        market_test(the_machine_may_be_elsewhere),
        market_test(strange_numbers_do_no_harm),
        market_test(want_of_memory_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
