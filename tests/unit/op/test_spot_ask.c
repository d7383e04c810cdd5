/* The single questions about spot: risk, checkpoint interval. */
#include "spot_world.h"

#include "op/context.h"
#include "op/op.h"
#include "spot/interruption.h"

/* A trace of two zones in the market's folder: `path` of it. One flaps, one is calm. */
static void write_trace(char *path, size_t size)
{
    FILE *f;

    (void)snprintf(path, size, "%s/t.trc", market_folder);
    f = fopen(path, "w");
    assert_non_null(f);
    (void)fputs("trace flaps gap=600 n=240 nodes=2 start=- od=3.06 spot=0.9731\na ", f);
    for (int i = 0; i < 240; i++)
        (void)fputc(i % 12 < 8 ? '2' : '0', f);
    (void)fputs("\ntrace calm gap=600 n=240 nodes=1 start=- od=3.06 spot=0.9731\na ", f);
    for (int i = 0; i < 240; i++)
        (void)fputc('1', f);
    (void)fputc('\n', f);
    assert_int_equal(fclose(f), 0);
}

static void risk_of_an_offer_is_the_models(void **state)
{
    struct world *w = *state;
    struct interruption_model m;
    struct error err = {0};
    const char *reply;
    double hazard;

    fill();
    reply = ask(w, "spot.risk", "{\"offer\":\"" AZ1 "\",\"for\":\"2h\"}");
    assert_true(op_catalog(&w->ctx, TABLE_BIT(TABLE_INTERRUPTIONS), &err));
    m = interruption_model(&w->ctx.catalog, STR("aws"));
    hazard = interruption_hazard(&m, 20 / 55.0, 2, 0) + 2.5 / (58 * 24) * 2;
    assert_near(number(reply, "\"risk\":"), 1 - exp(-hazard), 1e-9);
    assert_true(number(reply, "\"risk_low\":") < 1 - exp(-hazard));
    assert_true(number(reply, "\"risk_high\":") > 1 - exp(-hazard));
    assert_says(reply, "\"interval\":0.9");
    assert_says(reply, "and from losses of its own price");
    assert_says(reply, "\"mean_usd\":null");
    assert_says(reply, "\"worth\":null");
    assert_says(reply, "\"spot\":{\"amount\":\"20\"");
    assert_says(reply, "\"on_demand\":{\"amount\":\"55\"");
    assert_says(reply, "\"seen\":\"2026-");
}

static void risk_of_a_trace_is_what_was_watched(void **state)
{
    struct world *w = *state;
    char path[160], request[320];
    const char *reply;

    write_trace(path, sizeof path);
    (void)snprintf(request, sizeof request, "{\"traces\":\"%s\",\"for\":\"30min\"}", path);
    reply = ask(w, "spot.risk", request);
    /* Of eight ticks up, three are within three of the end. */
    assert_near(number(strstr(reply, "\"place\":\"flaps\""), "\"risk\":"), 3 / 8.0, 0.01);
    assert_says(strstr(reply, "\"place\":\"calm\""), "\"risk\":0,\"risk_low\":0,");
    assert_says(strstr(reply, "\"place\":\"calm\""), "\"risk_new\":null");
    (void)snprintf(request, sizeof request,
                   "{\"traces\":\"%s\",\"zones\":\"flaps\",\"gang\":2,\"work\":\"4h\","
                   "\"deadline\":\"9h\",\"runs\":50}",
                   path);
    reply = ask(w, "spot.risk", request);
    assert_near(number(reply, "\"on_demand_usd\":"), 2 * 3.06 * 4.1, 0.005);
    assert_true(number(reply, "\"mean_usd\":") < 2 * 3.06 * 4.1);
    assert_says(reply, "\"on_time\":1,");
    (void)snprintf(request, sizeof request, "{\"traces\":\"%s\",\"gang\":3}", path);
    assert_says(ask_fails(w, "spot.risk", request, ERROR_INPUT), "was watched for 2 at most");
    (void)snprintf(request, sizeof request, "{\"traces\":\"%s\",\"zones\":\"flap\"}", path);
    assert_says(ask_fails(w, "spot.risk", request, ERROR_ABSENT), "no zone 'flap'");
    (void)snprintf(request, sizeof request,
                   "{\"traces\":\"%s\",\"work\":\"4h\",\"deadline\":\"4h\"}", path);
    assert_says(ask_fails(w, "spot.risk", request, ERROR_UNFIT), "not even on-demand");
}

static void a_risk_needs_just_one_source(void **state)
{
    struct world *w = *state;

    assert_says(ask_fails(w, "spot.risk", "{}", ERROR_USAGE), "no machine is named");
    assert_says(ask_fails(w, "spot.risk", "{\"mtbf\":\"5h\",\"hazard\":0.1}", ERROR_USAGE),
                "more than one of");
    assert_says(ask_fails(w, "spot.risk", "{\"mtbf\":\"5h\",\"work\":\"4h\"}", ERROR_USAGE),
                "needs both prices");
    assert_says(ask_fails(w, "spot.risk", "{\"mtbf\":\"5h\",\"deadline\":\"4h\"}", ERROR_USAGE),
                "--deadline needs --work");
    assert_says(
        ask_fails(w, "spot.risk", "{\"mtbf\":\"5h\",\"policy\":\"stinte\"}", ERROR_USAGE),
        "no policy 'stinte'");
    /* The built-in prices, while none are kept. */
    assert_says(ask(w, "spot.risk", "{\"offer\":\"p5.48xlarge\"}"), "p5.48xlarge\"");
    assert_says(ask_fails(w, "spot.risk", "{\"offer\":\"p5.49xlarge\"}", ERROR_ABSENT),
                "no price of 'p5.49xlarge'");
}

/* Young's and Daly's numbers for 2 minutes and 5 hours; the saving is with the overhead. */
static void the_interval_is_dalys_for_one_rate(void **state)
{
    struct world *w = *state;
    const char *reply =
        ask(w, "spot.interval",
            "{\"mtbf\":\"5h\",\"checkpoint\":\"2min\",\"spot\":\"1usd/hr\",\"on_demand\":"
            "\"3usd/hr\",\"work\":\"10h\"}");
    double overhead = number(reply, "\"overhead\":");

    assert_says(reply, "\"mean_life_h\":5");
    assert_near(overhead, 5 * exp(0.02) * expm1((2 + 33.32) / 300) / (33.32 / 60) - 1, 1e-4);
    assert_near(number(reply, "\"savings\":"), 1 - (1 + overhead) / 3, 1e-9);
    assert_near(number(reply, "\"spot_usd\":"), 10 * (1 + overhead), 0.005);
    assert_near(number(reply, "\"break_even\":"), 2, 1e-9);
    assert_int_equal(times(reply, "\"best\":true"), 2); /* itself, and among the others */
    assert_says(
        ask(w, "spot.interval", "{\"hazard\":0.2,\"checkpoint\":\"2min\",\"notice\":\"2min\"}"),
        "\"best\":{\"every\":null,");
    assert_says(ask_fails(w, "spot.interval",
                          "{\"mtbf\":\"1min\",\"checkpoint\":\"2min\",\"restart\":\"2h\"}",
                          ERROR_UNFIT),
                "no progress is possible");
}

static void an_interval_is_for_one_zone(void **state)
{
    struct world *w = *state;
    char path[160], request[320];

    write_trace(path, sizeof path);
    (void)snprintf(request, sizeof request, "{\"traces\":\"%s\",\"checkpoint\":\"2min\"}",
                   path);
    assert_says(ask_fails(w, "spot.interval", request, ERROR_USAGE), "2 zones");
    (void)snprintf(request, sizeof request,
                   "{\"traces\":\"%s\",\"zones\":\"flaps\",\"checkpoint\":\"2min\"}", path);
    assert_says(ask(w, "spot.interval", request), "\"place\":\"flaps\"");
    fill();
    assert_says(ask(w, "spot.interval", "{\"offer\":\"" AZ2 "\",\"checkpoint\":\"2min\"}"),
                "\"spot\":{\"amount\":\"21\"");
}

/* Of several zones the one whose losses cost least is meant, not the lowest price. */
static void an_offer_is_chosen_by_what_it_costs(void **state)
{
    struct world *w = *state;
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);
    const char *reply;

    for (int d = 60; d >= 0; d--) { /* one cent less, and gone every other day */
        market_tell(e, AZ1, d, MARKET_SPOT,
                    d % 2 != 0 ? PRICE_NONE : 21 * DOLLAR - DOLLAR / 100);
        market_tell(e, AZ2, d, MARKET_SPOT, 21 * DOLLAR);
        market_tell(e, "aws/us-east-1/p5.48xlarge", d, MARKET_ON_DEMAND, 55 * DOLLAR);
    }
    market_commit(e);
    reply = ask(w, "spot.risk", "{\"offer\":\"p5.48xlarge\"}");
    assert_says(reply, "\"place\":\"" AZ2 "\"");
    reply = ask(w, "spot.risk",
                "{\"offer\":\"p5.48xlarge\",\"work\":\"20h\",\"delay\":\"1h\",\"runs\":5}");
    assert_says(reply, "\"place\":\"" AZ2 "\"");
}

/* A simulated job lives on the lifetimes of the risk: those of the offer's own history too. */
static void a_simulated_job_has_the_lifetimes_of_its_offer(void **state)
{
    struct world *w = *state;
    const char *reply;

    fill();
    reply = ask(w, "simulate",
                "{\"job\":\"llama-2-7b\",\"offer\":\"aws/us-east-1/p5.48xlarge\",\"gang\":2,"
                "\"set\":\"data.tokens=20B\",\"deadline\":\"2000h\",\"synthetic\":1,"
                "\"policy\":\"greedy\"}");
    assert_says(reply, "\"runs\":1");
    assert_int_equal(times(w->said, "losing any of a gang is more likely"), 1);
}

/* A gang is lost when one of it is, and no rate that may be said is changed. */
static void a_rate_is_taken_as_it_is_said(void **state)
{
    struct world *w = *state;
    const char *reply = ask(w, "spot.risk", "{\"mtbf\":\"100h\",\"gang\":20,\"for\":\"5h\"}");

    assert_near(number(reply, "\"risk\":"), 1 - exp(-1), 1e-9);
    reply = ask(w, "spot.interval", "{\"mtbf\":\"100h\",\"gang\":20,\"checkpoint\":\"2min\"}");
    assert_near(number(reply, "\"mean_life_h\":"), 5, 1e-9);
    reply = ask(w, "spot.interval", "{\"hazard\":1e-7,\"checkpoint\":\"2min\"}");
    assert_near(number(reply, "\"mean_life_h\":"), 1e7, 1);
    assert_says(ask_fails(w, "spot.risk", "{\"hazard\":1e-12}", ERROR_USAGE),
                "as good as none");
    /* Where spot costs more no overhead is small enough. */
    reply = ask(w, "spot.interval",
                "{\"mtbf\":\"5h\",\"checkpoint\":\"2min\",\"spot\":"
                "\"5usd/hr\",\"on_demand\":\"3usd/hr\"}");
    assert_says(reply, "\"break_even\":null");
}

static void memory_may_run_out(void **state)
{
    const struct world *w = *state;
    char path[160], traced[320];
    const char *const requests[][2] = {
        {"spot.risk", traced},
        {"spot.risk", "{\"offer\":\"" AZ1 "\",\"work\":\"2h\",\"runs\":3}"},
        {"spot.interval", "{\"mtbf\":\"5h\",\"checkpoint\":\"2min\"}"},
    };

    fill();
    write_trace(path, sizeof path);
    (void)snprintf(traced, sizeof traced,
                   "{\"traces\":\"%s\",\"work\":\"2h\",\"deadline\":\"4h\",\"runs\":3}", path);
    world_survives(w, requests, ARRAY_LEN(requests));
}

int group_spot_ask(void)
{
    const struct CMUnitTest tests[] = {
        market_test(risk_of_an_offer_is_the_models),
        market_test(risk_of_a_trace_is_what_was_watched),
        market_test(a_risk_needs_just_one_source),
        market_test(the_interval_is_dalys_for_one_rate),
        market_test(an_interval_is_for_one_zone),
        market_test(an_offer_is_chosen_by_what_it_costs),
        market_test(a_simulated_job_has_the_lifetimes_of_its_offer),
        market_test(a_rate_is_taken_as_it_is_said),
        market_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
