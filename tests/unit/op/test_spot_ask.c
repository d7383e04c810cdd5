/* The single questions about spot: risk, checkpoint interval, fleet. */
#include "market_world.h"

#include "op/simulate_sweep.h"
#include "op/spot_fleet.h"
#include "op/spot_source.h"
#include "spot/interruption.h"

#define AZ1 "aws/us-east-1/use1-az1/p5.48xlarge"
#define AZ2 "aws/us-east-1/use1-az2/p5.48xlarge"
#define WEST "aws/us-west-2/usw2-az1/p5.48xlarge"
#define GCP "gcp/us-central1/us-central1-a/a3-highgpu-8g"

/* Sixty days of four pools; az1 vanishes twice. */
static void fill(void)
{
    struct store_edit *e = market_edit("skypilot", CONFIDENCE_CATALOG);

    for (int d = 60; d >= 0; d--) {
        market_tell(e, AZ1, d, MARKET_SPOT, d == 30 || d == 10 ? PRICE_NONE : 20 * DOLLAR);
        market_tell(e, AZ2, d, MARKET_SPOT, 21 * DOLLAR);
        market_tell(e, WEST, d, MARKET_SPOT, 24 * DOLLAR);
        market_tell(e, GCP, d, MARKET_SPOT, 22 * DOLLAR);
        market_tell(e, "aws/us-east-1/p5.48xlarge", d, MARKET_ON_DEMAND, 55 * DOLLAR);
        market_tell(e, "aws/us-west-2/p5.48xlarge", d, MARKET_ON_DEMAND, 55 * DOLLAR);
        market_tell(e, "gcp/us-central1/a3-highgpu-8g", d, MARKET_ON_DEMAND, 88 * DOLLAR);
    }
    market_commit(e);
}

/* The error of a request that is refused. */
static const char *ask_fails(struct world *w, const char *name, const char *request,
                             enum error_kind kind)
{
    const char *reply = ask(w, name, request);
    char *text;

    if (strtol(reply, &text, 10) != (long)kind)
        fail_msg("not an error of kind %d: %s", kind, reply);
    return text;
}

static double number(const char *reply, const char *key)
{
    const char *at = strstr(reply, key);
    double value;

    if (at == NULL)
        fail_msg("'%s' is not in:\n%s", key, reply);
    at += strlen(key);
    if (*at == '{') /* an amount */
        at = strstr(at, "\"amount\":\"") + strlen("\"amount\":\"");
    if (sscanf(at, "%lf", &value) != 1)
        fail_msg("no number after '%s' in:\n%s", key, reply);
    return value;
}

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

    assert_says(ask_fails(w, "spot.risk", "{}", ERROR_USAGE), "of which machine?");
    assert_says(ask_fails(w, "spot.risk", "{\"mtbf\":\"5h\",\"hazard\":0.1}", ERROR_USAGE),
                "one too many");
    assert_says(ask_fails(w, "spot.risk", "{\"mtbf\":\"5h\",\"work\":\"4h\"}", ERROR_USAGE),
                "needs both prices");
    assert_says(ask_fails(w, "spot.risk", "{\"mtbf\":\"5h\",\"deadline\":\"4h\"}", ERROR_USAGE),
                "how long is its work?");
    assert_says(
        ask_fails(w, "spot.risk", "{\"mtbf\":\"5h\",\"policy\":\"stinte\"}", ERROR_USAGE),
        "no policy 'stinte'");
    assert_says(ask_fails(w, "spot.risk", "{\"offer\":\"p5.48xlarge\"}", ERROR_ABSENT),
                "no prices are kept");
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
    assert_near(number(reply, "\"saving\":"), 1 - (1 + overhead) / 3, 1e-9);
    assert_near(number(reply, "\"spot_usd\":"), 10 * (1 + overhead), 0.005);
    assert_near(number(reply, "\"break_even\":"), 2, 1e-9);
    assert_int_equal(times(reply, "\"best\":true"), 2); /* itself, and among the others */
    assert_says(
        ask(w, "spot.interval", "{\"hazard\":0.2,\"checkpoint\":\"2min\",\"notice\":\"2min\"}"),
        "\"best\":{\"every\":null,");
    assert_says(ask_fails(w, "spot.interval",
                          "{\"mtbf\":\"1min\",\"checkpoint\":\"2min\",\"restart\":\"2h\"}",
                          ERROR_UNFIT),
                "nothing gets done");
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

static void a_fleet_is_the_cheapest_at_the_wanted_risk(void **state)
{
    struct world *w = *state;
    const char *reply;
    double one, risk;

    fill();
    reply = ask(w, "spot.fleet", "{\"gpus\":32,\"for\":\"4h\"}");
    one = number(reply, "\"expected\":");
    risk = number(strstr(reply, "\"saving\":"), "\"risk\":");
    assert_says(reply, "\"exact\":true");
    assert_int_equal(times(reply, "\"market\":\"spot\""), 1); /* nothing asks for more */
    assert_near(number(reply, "\"on_demand\":"), 4 * 55, 1e-6);
    reply = ask(w, "spot.fleet", "{\"gpus\":32,\"for\":\"4h\",\"max_risk\":0.1}");
    assert_true(number(strstr(reply, "\"saving\":"), "\"risk\":") <= 0.1);
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
                "keeps to the wanted risk");
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

/* A simulated job lives on the lifetimes that the risk is told from: those of the offer's own
 * history too. */
static void a_simulated_job_has_the_same_lifetimes(void **state)
{
    struct world *w = *state;
    struct spot_source source = {.offer = STR("aws/us-east-1/p5.48xlarge"),
                                 .gang = 2,
                                 .spot = USD_PER_HOUR_UNKNOWN,
                                 .on_demand = USD_PER_HOUR_UNKNOWN};
    struct simulate_request req, asked;
    struct sweep s = {.ctx = &w->ctx, .request = &req, .asked = &asked};
    struct spot_wish wish = {.hours = 24};
    struct spot_place place;
    struct error err = {0};
    struct str set = STR("data.tokens=20B");

    fill();
    assert_true(fields_reset(op_simulate.request, &req, w->ctx.arena, &err));
    req.job = STR("llama-2-7b");
    req.offer = source.offer;
    req.set = (struct strs){&set, 1};
    req.gang = 2;
    asked = req;
    if (!sweep_job(&s, &req, &err) || !offer_place(&w->ctx, &source, &wish, &place, &err))
        fail_msg("%s", err.text);
    assert_memory_equal(s.model.life.lose, place.life.lose, sizeof place.life.lose);
    assert_memory_equal(s.model.life.gain, place.life.gain, sizeof place.life.gain);
    assert_near(s.model.life.up, place.life.up, 0);
    assert_int_equal(times(w->said, "losing any of a gang is more likely"), 2);
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
    /* Nothing is saved where spot costs more; nothing is lost for ever where it costs nothing. */
    reply = ask(w, "spot.interval",
                "{\"mtbf\":\"5h\",\"checkpoint\":\"2min\",\"spot\":"
                "\"5usd/hr\",\"on_demand\":\"3usd/hr\"}");
    assert_says(reply, "\"break_even\":null");
}

static void jobs_are_read_as_they_are_written(void **state)
{
    struct error err = {0};
    struct mix_job job;
    struct str name;
    static const char *const bad[] = {
        "",       ":3h",      "a",         "a:",   "a:b",          "a:3h:x",
        "a:3h:0", "a:3h:by=", "a:3h:by=x", "a:-3", "a:3h:1000000", "a:1e9"};

    (void)state;
    assert_true(fleet_job_parse(STR("train:48h:4:by=60h"), &name, &job, &err));
    assert_str_equal(name, "train");
    assert_near(job.work, 48 * 3600, 0);
    assert_near(job.deadline, 60 * 3600, 0);
    assert_int_equal(job.gang, 4);
    assert_false(job.critical || job.once);
    assert_true(fleet_job_parse(STR("x:2:once:critical"), &name, &job, &err));
    assert_true(job.critical && job.once);
    assert_near(job.work, 7200, 0); /* a bare number is hours */
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        err = (struct error){0};
        assert_false(fleet_job_parse(str_from(bad[i]), &name, &job, &err));
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_non_null(strstr(err.hint, "NAME:HOURS"));
    }
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
    char path[160], traced[320];
    const char *const requests[][2] = {
        {"spot.risk", traced},
        {"spot.risk", "{\"offer\":\"" AZ1 "\",\"work\":\"2h\",\"runs\":3}"},
        {"spot.interval", "{\"mtbf\":\"5h\",\"checkpoint\":\"2min\"}"},
        {"spot.fleet", "{\"gpus\":16,\"job\":\"a:3h:critical\"}"},
    };

    fill();
    write_trace(path, sizeof path);
    (void)snprintf(traced, sizeof traced,
                   "{\"traces\":\"%s\",\"work\":\"2h\",\"deadline\":\"4h\",\"runs\":3}", path);
    world_survives(w, requests, ARRAY_LEN(requests));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        market_test(risk_of_an_offer_is_the_models),
        market_test(risk_of_a_trace_is_what_was_watched),
        market_test(a_risk_needs_just_one_source),
        market_test(the_interval_is_dalys_for_one_rate),
        market_test(an_interval_is_for_one_zone),
        market_test(a_fleet_is_the_cheapest_at_the_wanted_risk),
        market_test(filters_never_make_it_cheaper),
        market_test(an_offer_is_chosen_by_what_it_costs),
        market_test(a_simulated_job_has_the_same_lifetimes),
        market_test(a_rate_is_taken_as_it_is_said),
        market_test(jobs_are_read_as_they_are_written),
        market_test(jobs_are_mixed),
        market_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
