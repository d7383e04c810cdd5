/* simulate through the operation: the published set, mistakes, memory that runs out. */
#include "world.h"

#include <unistd.h>

#include "base/fs.h"
#include "op/spot/simulate.h"

static char folder[64], trc[96];

/* Three zones of 60 ticks of an hour: never, always, every other six hours. */
static int make_traces(void **state)
{
    struct buf text = buf_new(&alloc_system, 1 << 20);
    struct error err = {0};
    int failed = world_make(state);

    (void)snprintf(folder, sizeof folder, "/tmp/stint-simulate-XXXXXX");
    if (failed != 0 || mkdtemp(folder) == NULL)
        return 1;
    (void)snprintf(trc, sizeof trc, "%s/three.trc", folder);
    for (int z = 0; z < 3; z++) {
        static const char *const names[] = {"never", "always", "by-turns"};

        buf_addf(&text, "trace %s gap=3600 n=60 nodes=2 start=- od=2 spot=1\na ", names[z]);
        for (int t = 0; t < 60; t++)
            buf_char(&text, z == 0 ? '0' : z == 1 ? '2' : t / 6 % 2 == 0 ? '1' : '0');
        buf_char(&text, '\n');
    }
    failed = !fs_replace(trc, buf_text(&text), &err);
    buf_free(&text);
    return failed;
}

static int drop_traces(void **state)
{
    char command[200];

    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return world_end(state) != 0 || system(command) != 0;
}

/* The request in JSON, with TRC in place of the traces' path; false with the error set. */
static bool ask(struct world *w, const char *request, struct buf *out, struct error *err)
{
    struct buf text = buf_new(&alloc_system, 1 << 20);
    const char *at = strstr(request, "TRC");
    bool ok;

    buf_add(&text,
            (struct str){request, at != NULL ? (size_t)(at - request) : strlen(request)});
    if (at != NULL)
        buf_addf(&text, "%s%s", trc, at + 3);
    *out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    *err = (struct error){0};
    ok = op_call(&w->ctx, op_find(STR("simulate")), buf_text(&text), out, err);
    buf_char(out, '\0');
    buf_free(&text);
    return ok;
}

static void refused(struct world *w, const char *request, enum error_kind kind, const char *why)
{
    struct error err;
    struct buf out;

    assert_false(ask(w, request, &out, &err));
    if (strstr(err.text, why) == NULL && strstr(err.hint, why) == NULL)
        fail_msg("'%s' (%s) does not say '%s'", err.text, err.hint, why);
    assert_int_equal(err.kind, kind);
    buf_free(&out);
}

/* The number after `key` in the policy called `name`. */
static double number(const char *json, const char *name, const char *key)
{
    char wanted[64];
    const char *at;
    double value;

    (void)snprintf(wanted, sizeof wanted, "{\"name\":\"%s\"", name);
    at = strstr(json, wanted);
    assert_non_null(at);
    (void)snprintf(wanted, sizeof wanted, "\"%s\":", key);
    at = strstr(at, wanted);
    assert_non_null(at);
    at += strlen(wanted);
    if (strncmp(at, "null", 4) == 0)
        return NAN;
    assert_int_equal(sscanf(at, "%lf", &value), 1);
    return value;
}

static void test_means_and_shares(void **state)
{
    struct error err;
    struct buf out;

    assert_true(ask(*state,
                    "{\"traces\":[\"TRC\"],\"work\":\"10h\",\"deadline\":[\"20h\"],"
                    "\"delay\":[\"1h\"],\"policy\":[\"on-demand\",\"greedy\",\"optimal\"]}",
                    &out, &err));
    assert_int_equal((int)number(out.at, "greedy", "runs"), 3);
    assert_int_equal((int)number(out.at, "greedy", "late"), 0);
    assert_near(number(out.at, "on-demand", "mean_usd"), 22, 1e-9);
    assert_near(number(out.at, "on-demand", "savings"), 0, 1e-12);
    /* 22 without spot; 11 with it always; by turns 6 of spot, then waits, then 6 more. */
    assert_near(number(out.at, "greedy", "mean_usd"), (22 + 11 + 12) / 3.0, 1e-9);
    assert_near(number(out.at, "greedy", "p10_usd"), 11.2, 1e-9);
    assert_near(number(out.at, "greedy", "p90_usd"), 20, 1e-9);
    assert_near(number(out.at, "greedy", "savings"), 1 - 15.0 / 22, 1e-9);
    assert_near(number(out.at, "optimal", "gap_closed"), 1, 1e-12);
    assert_true(
        str_starts(str_from(out.at),
                   STR("{\"schema\":\"stint.simulate/1\",\"policies\":[{\"name\":"
                       "\"on-demand\",\"runs\":3,\"mean_usd\":22,\"late\":0,\"p10_usd\":22,"
                       "\"p90_usd\":22,\"savings\":0,\"gap_closed\":")));
    buf_free(&out);
}

/* With nothing between uniform progress and the optimum there is no gap to close. */
static void test_no_gap_is_unknown(void **state)
{
    struct error err;
    struct buf out;

    assert_true(
        ask(*state,
            "{\"traces\":[\"TRC\"],\"zones\":[\"always\"],\"work\":\"10h\",\"deadline\":"
            "[\"20h\"],\"delay\":[\"1h\"],\"policy\":[\"greedy\"]}",
            &out, &err));
    assert_true(isnan(number(out.at, "greedy", "gap_closed")));
    assert_null(strstr(out.at, "\"name\":\"optimal\"")); /* computed, and not asked for */
    buf_free(&out);
}

static void test_a_gang_pays_for_each(void **state)
{
    struct error err;
    struct buf out;

    assert_true(ask(*state,
                    "{\"traces\":[\"TRC\"],\"zones\":[\"always\",\"by-turns\"],\"gang\":2,"
                    "\"work\":\"10h\",\"deadline\":[\"20h\"],\"delay\":[\"1h\"],\"policy\":"
                    "[\"greedy\"]}",
                    &out, &err));
    /* By turns there is one at a time: a gang goes on-demand. */
    assert_near(number(out.at, "greedy", "mean_usd"), (22 + 44) / 2.0, 1e-9);
    buf_free(&out);
}

#define REST ",\"work\":\"10h\",\"deadline\":[\"20h\"],\"delay\":[\"1h\"]}"

static void test_mistakes_are_said(void **state)
{
    struct world *w = *state;

    refused(w, "{\"work\":\"10h\"}", ERROR_USAGE, "--traces");
    refused(w, "{\"traces\":[\"TRC\"],\"zones\":[\"alway\"]" REST, ERROR_ABSENT,
            "did you mean 'always'");
    refused(w, "{\"traces\":[\"TRC\"],\"policy\":[\"lucky\"]" REST, ERROR_USAGE, "lucky");
    refused(w, "{\"traces\":[\"TRC\"],\"windows\":\"/nonexistent\"" REST, ERROR_ABSENT,
            "/nonexistent");
    refused(w, "{\"traces\":[\"TRC\"],\"threads\":100000" REST, ERROR_USAGE, "--threads");
    refused(w,
            "{\"traces\":[\"TRC\"],\"work\":\"10h\",\"deadline\":[\"10h\"],\"delay\":[\"1h\"]}",
            ERROR_UNFIT, "is 11h");
    refused(w,
            "{\"traces\":[\"TRC\"],\"work\":\"10h\",\"deadline\":[\"12h\"],\"delay\":[\"3h\"]}",
            ERROR_UNFIT, "longer than the slack of 2h");
    refused(w, "{\"traces\":[\"TRC\"],\"window_ticks\":12" REST, ERROR_INPUT, "too short");
    refused(w, "{\"traces\":[\"TRC\"],\"window_ticks\":61" REST, ERROR_INPUT, "reaches past");
    refused(w, "{\"traces\":[\"TRC\"],\"synthetic\":8000001" REST, ERROR_INPUT, "more than");
    refused(w, "{\"traces\":[\"TRC\"],\"gather\":\"x\",\"shard\":\"1/2\"" REST, ERROR_USAGE,
            "--gather");
    refused(w, "{\"job\":\"llama-2-7b\"}", ERROR_USAGE, "needs GPUs or an offer");
    refused(w, "{\"job\":\"llama-2-7b\",\"offer\":\"aws/p5.48xlarge\"}", ERROR_INPUT,
            "run time");
}

static void test_a_job_is_estimated(void **state)
{
    struct world *w = *state;
    struct error err;
    struct buf out;

    if (!ask(w,
             "{\"job\":\"llama-2-7b\",\"offer\":\"aws/us-east-1/p5.48xlarge\",\"set\":"
             "[\"data.tokens=20B\"],\"deadline\":[\"30d\"],\"policy\":[\"greedy\",\"stint\"],"
             "\"synthetic\":4}",
             &out, &err))
        fail_msg("%s", err.text);
    assert_int_equal((int)number(out.at, "stint", "runs"), 4);
    assert_int_equal((int)number(out.at, "stint", "late"), 0);
    assert_true(number(out.at, "greedy", "mean_usd") > 10);
    assert_non_null(strstr(out.at, "modeled on machines that were watched elsewhere"));
    assert_non_null(strstr(w->said, "checkpoint.every"));
    buf_free(&out);
}

static void test_memory_may_run_out(void **state)
{
    char first[400], second[400];
    const char *const requests[][2] = {{"simulate", first}, {"simulate", second}};

    (void)snprintf(first, sizeof first,
                   "{\"traces\":[\"%s\"],\"policy\":[\"greedy\",\"optimal\"],\"threads\":1,"
                   "\"resume\":\"%s/journal\",\"per_run\":\"%s/runs.csv\"" REST,
                   trc, folder, folder);
    (void)snprintf(second, sizeof second,
                   "{\"traces\":[\"%s\"],\"policy\":[\"up\"],\"threads\":3,\"timeline\":true,"
                   "\"svg\":\"%s/a.svg\",\"roam\":true" REST,
                   trc, folder);
    world_survives(*state, requests, ARRAY_LEN(requests));
}

/* The leaderboard set: 6 zones x 30 windows x 2 deadlines x 3 delays. */
static void test_set_a(void **state)
{
    static const struct {
        const char *name;
        double mean;
    } known[] = {{"greedy", 119.0345},   {"up", 101.6827},     {"up-plain", 97.2399},
                 {"up-oracle", 96.6751}, {"optimal", 92.1617}, {"on-demand", 147.390}};
    char request[16384];
    struct test_path path;
    const char *at = test_data("spot/traces", &path);
    struct error err;
    struct buf out;

    (void)snprintf(request, sizeof request,
                   "{\"traces\":[\"%s/aws_2022-10_k80_v100_ping600.trc\"],\"zones\":"
                   "[\"us-west-2a_k80_8\",\"us-west-2a_v100_*\",\"us-west-2b_k80_*\","
                   "\"us-west-2b_v100_1\"],\"windows\":\"%s/windows_set_a_30.txt\","
                   "\"window_ticks\":554,\"work\":\"48h\",\"deadline\":[\"52h\",\"70h\"],"
                   "\"delay\":[\"0.02h\",\"0.05h\",\"0.1h\"],\"on_demand\":\"3.06usd/hr\","
                   "\"spot\":\"0.9731usd/hr\",\"policy\":[\"greedy\",\"up\",\"up-plain\","
                   "\"up-oracle\",\"optimal\",\"on-demand\"]}",
                   at, at);
    if (!ask(*state, request, &out, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        assert_int_equal((int)number(out.at, known[i].name, "runs"), 1080);
        assert_int_equal((int)number(out.at, known[i].name, "late"), 0);
        assert_near(number(out.at, known[i].name, "mean_usd"), known[i].mean, 5e-5);
    }
    assert_near(number(out.at, "up-oracle", "gap_closed"),
                (101.6827 - 96.6751) / (101.6827 - 92.1617), 1e-4);
    buf_free(&out);
}

#define WITH_TRACES(test) cmocka_unit_test_setup_teardown(test, make_traces, drop_traces)

int group_simulate(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TRACES(test_means_and_shares),
        WITH_TRACES(test_no_gap_is_unknown),
        WITH_TRACES(test_a_gang_pays_for_each),
        WITH_TRACES(test_mistakes_are_said),
        WITH_TRACES(test_a_job_is_estimated),
        WITH_TRACES(test_memory_may_run_out),
        WITH_TRACES(test_set_a),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
