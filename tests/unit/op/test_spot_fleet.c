/* Fleets, and jobs over markets. */
#include "spot_world.h"

#include "op/spot/spot_fleet.h"

static void a_fleet_is_the_cheapest_at_the_wanted_risk(void **state)
{
    struct world *w = *state;
    const char *reply;
    double one, risk;

    fill();
    reply = ask(w, "spot.fleet", "{\"gpus\":32,\"for\":\"4h\"}");
    one = number(reply, "\"expected\":");
    risk = number(strstr(reply, "\"savings\":"), "\"risk\":");
    assert_says(reply, "\"exact\":true");
    assert_int_equal(times(reply, "\"market\":\"spot\""), 1); /* nothing asks for more */
    assert_near(number(reply, "\"on_demand\":"), 4 * 55, 1e-6);
    reply = ask(w, "spot.fleet", "{\"gpus\":32,\"for\":\"4h\",\"max_risk\":0.1}");
    assert_true(number(strstr(reply, "\"savings\":"), "\"risk\":") <= 0.1);
    assert_true(risk > 0.1);
    assert_true(number(reply, "\"expected\":") > one);
    assert_true(times(reply, "\"market\":") > 1);
    /* What spot alone cannot reach takes on-demand machines, unless that is ruled out. */
    reply = ask(w, "spot.fleet", "{\"gpus\":32,\"for\":\"24h\",\"max_lost\":0.01}");
    assert_says(reply, "\"market\":\"on-demand\"");
    assert_says(ask_fails(w, "spot.fleet",
                          "{\"gpus\":32,\"for\":\"24h\",\"max_lost\":0.01,"
                          "\"no_on_demand\":true}",
                          ERROR_UNFIT),
                "meets the risk limit");
    assert_says(ask_fails(w, "spot.fleet",
                          "{\"gpus\":32,\"max_price\":\"1usd/hr\",\"no_on_demand\":true}",
                          ERROR_UNFIT),
                "passes the filters");
    assert_says(ask_fails(w, "spot.fleet", "{}", ERROR_USAGE), "how many GPUs");
    assert_says(ask_fails(w, "spot.fleet", "{\"gpus\":1000000}", ERROR_USAGE), "at most 512");
}

/* Whatever is left out by a filter, nothing becomes cheaper by it; prices above --max-price are
 * in no market. */
static void filters_never_make_it_cheaper(void **state)
{
    static const char *const filters[] = {
        "\"provider\":\"aws\"", "\"provider\":\"gcp\"", "\"region\":\"us-east-1\"",
        "\"region\":\"us-west-2\"", "\"max_price\":\"23usd/hr\""};
    struct world *w = *state;
    double fleet, jobs, base;
    const char *reply;
    char request[320];

    fill();
    reply = ask(w, "spot.fleet", "{\"gpus\":20,\"for\":\"4h\"}");
    fleet = number(reply, "\"expected\":");
    /* Whole machines: twenty GPUs are three of them. */
    assert_near(number(strstr(reply, "\"expected\":"), "\"on_demand\":"), 3 * 55, 1e-6);
    reply = ask(w, "spot.fleet", "{\"job\":[\"a:6h\",\"b:4h\"]}");
    jobs = number(reply, "\"jobs_usd\":");
    base = number(reply, "\"jobs_on_demand_usd\":");
    assert_near(base, 55 * (6.1 + 4.1), 0.01);
    for (size_t i = 0; i < ARRAY_LEN(filters); i++) {
        (void)snprintf(request, sizeof request, "{\"gpus\":20,\"for\":\"4h\",%s}", filters[i]);
        assert_true(number(ask(w, "spot.fleet", request), "\"expected\":") >= fleet - 0.01);
        (void)snprintf(request, sizeof request, "{\"job\":[\"a:6h\",\"b:4h\"],%s}", filters[i]);
        assert_true(number(ask(w, "spot.fleet", request), "\"jobs_usd\":") >= jobs - 0.01);
    }
    assert_says(
        ask_fails(w, "spot.fleet", "{\"gpus\":8,\"max_price\":\"1usd/hr\"}", ERROR_UNFIT),
        "passes the filters");
    assert_says(
        ask_fails(w, "spot.fleet", "{\"job\":\"a:6h\",\"max_price\":\"1usd/hr\"}", ERROR_UNFIT),
        "passes the filters");
    assert_says(ask_fails(w, "spot.fleet",
                          "{\"job\":\"a:6h:critical\",\"max_price\":\"30usd/hr\"}",
                          ERROR_UNFIT),
                "needs on-demand");
}

static void jobs_are_mixed(void **state)
{
    struct world *w = *state;
    const char *reply;
    char path[160], request[320];
    FILE *f;

    fill();
    reply =
        ask(w, "spot.fleet", "{\"job\":[\"train:10h\",\"pay:3h:critical\",\"big:40h:once\"]}");
    assert_says(reply, "\"job\":\"train\",\"market\":\"spot\"");
    assert_says(reply, "\"reason\":\"costs less\"");
    assert_says(reply, "\"job\":\"pay\",\"market\":\"on-demand\"");
    assert_says(reply, "\"reason\":\"critical\"");
    assert_says(reply, "\"job\":\"big\",\"market\":\"on-demand\"");
    assert_says(reply, "\"reason\":\"spot would cost more\"");
    assert_says(reply, "\"offer\":\"" AZ1 "\"");
    assert_near(number(reply, "\"jobs_on_demand_usd\":"), 55 * (10.1 + 3.1 + 40.1), 1e-6);
    assert_true(number(reply, "\"jobs_usd\":") < 55 * (10.1 + 3.1 + 40.1));
    (void)snprintf(path, sizeof path, "%s/jobs", market_folder);
    f = fopen(path, "w");
    assert_non_null(f);
    (void)fputs("# mine\n\na:3h:critical # soon\nb:x\n", f);
    assert_int_equal(fclose(f), 0);
    (void)snprintf(request, sizeof request, "{\"jobs\":\"%s\"}", path);
    assert_says(ask_fails(w, "spot.fleet", request, ERROR_INPUT), "jobs:4: job 'b:x'");
    f = fopen(path, "w");
    assert_non_null(f);
    (void)fputs("# none\n\n", f);
    assert_int_equal(fclose(f), 0);
    assert_says(ask_fails(w, "spot.fleet", request, ERROR_INPUT), "holds no jobs");
    assert_says(ask_fails(w, "spot.fleet", "{\"job\":\"a:10h:by=5h\"}", ERROR_UNFIT),
                "job 'a': not even on-demand");
}

static void memory_may_run_out(void **state)
{
    const struct world *w = *state;
    const char *const requests[][2] = {
        {"spot.fleet", "{\"gpus\":16,\"job\":\"a:3h:critical\"}"},
    };

    fill();
    world_survives(w, requests, ARRAY_LEN(requests));
}

int group_spot_fleet(void)
{
    const struct CMUnitTest tests[] = {
        market_test(a_fleet_is_the_cheapest_at_the_wanted_risk),
        market_test(filters_never_make_it_cheaper),
        market_test(jobs_are_mixed),
        market_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
