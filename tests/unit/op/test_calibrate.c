/* Corrections: learned, kept, used and forgotten. */
#include "account_world.h"

#include "ledger/writes.h"
#include "op/context.h"
#include "op/estimate/calibrate.h"
#include "op/job_source.h"
#include "op/op.h"

static char version[CONSTANTS_VERSION];

static void load_version(struct world *w)
{
    struct constants constants;
    struct error err = {0};

    assert_true(op_catalog(&w->ctx, TABLE_BIT(TABLE_CONSTANTS), &err));
    assert_true(constants_load(&w->ctx.catalog, &constants, &err));
    constants_version(&constants, version);
}

#define STARTUP_S 10

static const char *metered_gpu = ""; /* as the driver calls it; empty: not known */

/* One that was predicted steps of 1 s. It made 60 of them, after a start-up that it has in its
 * wall time. */
static void planned(struct world *w, const char *features, const char *constants, double step_s)
{
    static int64_t when = OCTOBER;
    struct error err = {0};
    struct ledger *l = op_ledger(&w->ctx, LEDGER_WRITE, &err);
    struct ledger_start start = {.name = STR("bert"),
                                 .folder = STR("/w"),
                                 .host = STR("box"),
                                 .rate = {DOLLAR},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = {DOLLAR},
                                 .estimated_time = {60 * DOLLAR},
                                 .features = str_from(features),
                                 .constants = str_from(constants),
                                 .started = {when += 7200},
                                 .pid = -1,
                                 .pid_started = -1};
    struct ledger_ending ending = {RUN_DONE, 0, ""};
    struct ledger_totals t;
    int64_t seconds = STARTUP_S + (isnan(step_s) ? 60 : (int64_t)(60 * step_s));
    int attempt;

    assert_non_null(l);
    ledger_new_id(start.started, start.id);
    assert_true(ledger_begin(l, &start, &attempt, &err));
    ledger_totals_unknown(&t);
    t.at = (stamp){start.started.s + seconds};
    t.elapsed = (span){seconds * DOLLAR};
    t.step_s = step_s;
    t.startup_s = STARTUP_S;
    t.gpu_memory_peak = 21e9;
    t.gpu = str_from(metered_gpu);
    t.cost = (usd){isnan(step_s) ? DOLLAR : (int64_t)(DOLLAR * step_s)};
    assert_true(ledger_end(l, start.id, attempt, &ending, &t, &err));
    ledger_close(l);
}

#define PHI(step) \
    "{\"gpu\":\"L4\",\"framework\":\"hf\",\"model\":\"phi-2\"," \
    "\"setting\":\"lora\",\"step_s\":" step
#define L4_OF(rest) PHI("1,") rest "}"
#define L4 L4_OF("\"correction\":null")

static struct calibrate_result calibrate(struct world *w, struct calibrate_request request)
{
    struct calibrate_result res;
    struct error err = {0};

    if (!op_calibrate.run(&w->ctx, &request, &res, &err))
        fail_msg("%s", err.text);
    return res;
}

static double factor_in_use(struct world *w, bool raw)
{
    const struct correction_key phi = {STR("L4"), STR("hf"), STR("phi-2"), STR("lora")};
    struct constants constants = {.learned_count = 0};
    struct error err = {0};
    const struct correction *c;

    assert_true(op_constants(&w->ctx, raw, &constants, &err));
    c = correction_find(constants.learned, constants.learned_count, CORRECTION_STEP, &phi);
    return c != NULL ? c->factor : NAN;
}

static const struct correction *learned_step(const struct calibrate_result *res)
{
    const struct calibrate_row *rows = res->corrections.at;

    assert_true(res->corrections.len > 0);
    assert_int_equal(rows[0].correction.of, CORRECTION_STEP);
    return &rows[0].correction;
}

static void what_is_learned_is_used(void **state)
{
    struct world *w = *state;
    struct calibrate_result res;

    load_version(w);
    for (int i = 0; i < 10; i++)
        planned(w, L4, version, 1.3);
    assert_true(isnan(factor_in_use(w, false)));
    res = calibrate(w, (struct calibrate_request){.show = true});
    assert_int_equal(res.runs, 10);
    assert_true(isnan(factor_in_use(w, false))); /* it was only shown */
    res = calibrate(w, (struct calibrate_request){.show = false});
    assert_int_equal(res.corrections.len, 2); /* and the start-up */
    assert_str_equal(learned_step(&res)->model, "phi-2");
    assert_near(learned_step(&res)->factor, 1.3, 0.01);
    assert_near(factor_in_use(w, false), learned_step(&res)->factor, 1e-12);
    assert_true(isnan(factor_in_use(w, true)));
    res = calibrate(w, (struct calibrate_request){.forget = true});
    assert_true(res.forgotten);
    assert_true(isnan(factor_in_use(w, false)));
}

/* Four runs of 60 steps of 230 ms, predicted 249 ms, with 10 s until the first step: wall time
 * would say that steps take half as long again. */
static void startup_is_not_learned_as_step_time(void **state)
{
    struct world *w = *state;
    const struct calibrate_row *rows;
    struct calibrate_result res;

    load_version(w);
    for (int i = 0; i < 4; i++)
        planned(w, PHI("0.249}"), version, 0.230 + 0.001 * i);
    res = calibrate(w, (struct calibrate_request){.show = false});
    assert_near(0.249 * factor_in_use(w, false), 0.2315, 0.002);
    rows = res.corrections.at;
    assert_int_equal(rows[res.corrections.len - 1].correction.of, CORRECTION_STARTUP);
    assert_near(rows[res.corrections.len - 1].correction.factor, STARTUP_S, 0);
}

/* An A10G takes longer than the L4 of the plan: no error of the estimate. */
static void runs_on_another_gpu_teach_nothing(void **state)
{
    static const char *const own[] = {"", "NVIDIA L4", "Some New Card"};
    struct world *w = *state;
    struct calibrate_result res;

    load_version(w);
    metered_gpu = "NVIDIA A10G";
    for (int i = 0; i < 4; i++)
        planned(w, L4, version, 1.3);
    res = calibrate(w, (struct calibrate_request){.show = false});
    assert_int_equal(res.runs, 0);
    assert_int_equal(res.other_gpu, 4);
    assert_true(isnan(factor_in_use(w, false)));
    for (size_t i = 0; i < ARRAY_LEN(own); i++) {
        metered_gpu = own[i];
        planned(w, L4, version, 1.2);
    }
    metered_gpu = "";
    res = calibrate(w, (struct calibrate_request){.show = false});
    assert_int_equal(res.runs, 3);
    assert_near(factor_in_use(w, false), 1.2, 0.01);
}

static void runs_without_steps_teach_nothing(void **state)
{
    struct world *w = *state;
    struct calibrate_result res;

    load_version(w);
    for (int i = 0; i < 5; i++)
        planned(w, L4, version, NAN);
    planned(w, "{\"gpu\":\"L4\"}", version, 1.2); /* planned by an earlier version */
    res = calibrate(w, (struct calibrate_request){.show = false});
    assert_int_equal(res.without_steps, 6);
    assert_int_equal(res.runs, 0);
    assert_int_equal(res.corrections.len, 0);
}

/* A step of four micro-batches, in a program that counts each of them. */
static void micro_batches_are_not_taken_for_steps(void **state)
{
    struct world *w = *state;
    struct calibrate_result res;

    load_version(w);
    for (int i = 0; i < 3; i++)
        planned(w, L4_OF("\"accumulation\":4"), version, 0.3);
    res = calibrate(w, (struct calibrate_request){.show = true});
    assert_near(learned_step(&res)->factor, 1.2, 0.02);
}

/* A prediction that had the correction in it, and came true, moves nothing. */
static void corrections_are_taken_out_before_learning(void **state)
{
    struct world *w = *state;
    struct calibrate_result res;
    double first;

    load_version(w);
    for (int i = 0; i < 6; i++)
        planned(w, L4, version, 1.25);
    res = calibrate(w, (struct calibrate_request){.show = true});
    first = learned_step(&res)->factor;
    for (int i = 0; i < 6; i++) /* 1 s of which the correction is a fifth: 0.8 without */
        planned(w, L4_OF("\"correction\":1.25"), version, 1);
    res = calibrate(w, (struct calibrate_request){.show = true});
    assert_true(learned_step(&res)->factor >= first && learned_step(&res)->factor < 1.25);
}

static void memory_is_learned_from_its_peak(void **state)
{
    struct world *w = *state;
    const struct calibrate_row *rows;
    struct calibrate_result res;

    load_version(w);
    for (int i = 0; i < 3; i++) /* without the correction 20 GB were predicted */
        planned(w, L4_OF("\"memory_gb\":40,\"memory_correction\":2"), version, 1);
    res = calibrate(w, (struct calibrate_request){.show = true});
    rows = res.corrections.at;
    assert_int_equal(rows[0].correction.of, CORRECTION_MEMORY);
    assert_near(rows[0].correction.factor, 1.05, 0.01);
}

static void others_teach_nothing(void **state)
{
    struct world *w = *state;
    struct calibrate_result res;

    load_version(w);
    planned(w, L4, "another", 1.2);
    planned(w, L4, version, 9);               /* too far */
    planned(w, "{\"gpu\":null}", version, 1); /* of no GPU */
    planned(w, "no JSON", version, 1);
    planned(w, "{\"gpu\":\"L4\",\"correction\":\"much\"}", version, 1);
    res = calibrate(w, (struct calibrate_request){.show = false});
    assert_int_equal(res.other, 1);
    assert_int_equal(res.far, 1);
    assert_int_equal(res.runs, 0);
    assert_int_equal(res.corrections.len, 0);
}

/* A time without runs is no wish to forget; runs that need no correction are. */
static void nothing_new_leaves_what_is_known(void **state)
{
    struct world *w = *state;
    double before;

    load_version(w);
    for (int i = 0; i < 3; i++)
        planned(w, L4, version, 1.3);
    (void)calibrate(w, (struct calibrate_request){.show = false});
    before = factor_in_use(w, false);
    assert_true(before > 1);
    (void)calibrate(w, (struct calibrate_request){.since = STR("2026-11-14")});
    assert_near(factor_in_use(w, false), before, 1e-12);
    for (int i = 0; i < 12; i++)
        planned(w, L4, version, i % 2 == 0 ? 0.8 : 1.1);
    (void)calibrate(w, (struct calibrate_request){.show = false});
    assert_true(isnan(factor_in_use(w, false)));
}

static void accuracy_sums_up(void **state)
{
    struct world *w = *state;
    struct accuracy_request request = {.by = STR("gpu")};
    struct accuracy_result res = {.count = 0};
    struct error err = {0};

    load_version(w);
    planned(w, L4_OF("\"memory_gb\":20"), version, 1.1);
    planned(w, L4, version, 1.2);
    planned(w, L4, version, 0.9);
    planned(w, L4, version, NAN);
    planned(w, "{\"gpu\":\"A10\",\"step_s\":1}", version, 2);
    assert_true(op_accuracy.run(&w->ctx, &request, &res, &err));
    assert_int_equal(res.count, 4);
    assert_int_equal(res.without_steps, 1);
    assert_int_equal(res.rows.len, 2);
    assert_str_equal(((const struct accuracy_row *)res.rows.at)[0].of, "A10");
    assert_near(((const struct accuracy_row *)res.rows.at)[1].bias, 0.1, 1e-9);
    assert_near(((const struct accuracy_row *)res.rows.at)[1].error, 0.4 / 3, 1e-9);
    assert_near(((const struct accuracy_row *)res.rows.at)[1].worst, 0.2, 1e-9);
    assert_near(((const struct accuracy_row *)res.rows.at)[1].memory_bias, 0.05, 1e-9);
    assert_near(((const struct accuracy_row *)res.rows.at)[1].cost_bias, 0.1, 1e-9);
    assert_near(res.all.bias, 0.15, 1e-9);
    assert_near(((const struct accuracy_run *)res.runs.at)[0].error, 1, 1e-9); /* the newest */
}

static void a_ledger_that_cannot_be_read_is_no_obstacle(void **state)
{
    struct world *w = *state;
    struct error err = {0};

    load_version(w);
    assert_true(fs_put(account_ledger, STR("words, and no ledger at all"), &err));
    assert_true(isnan(factor_in_use(w, false)));
    assert_non_null(strstr(w->said, "without corrections from your runs"));
}

static void want_of_memory_is_survived(void **state)
{
    static const char *const requests[][2] = {{"calibrate", "{\"show\":true}"},
                                              {"calibrate", "{}"},
                                              {"accuracy", "{}"},
                                              {"accuracy", "{\"by\":\"gpu\"}"},
                                              {"calibrate", "{\"forget\":true}"}};
    struct world *w = *state;

    load_version(w);
    for (int i = 0; i < 3; i++)
        planned(w, L4, version, 1.3);
    world_survives(w, requests, ARRAY_LEN(requests));
}

int group_calibrate(void)
{
    const struct CMUnitTest tests[] = {
        account_test(what_is_learned_is_used),
        account_test(startup_is_not_learned_as_step_time),
        account_test(runs_on_another_gpu_teach_nothing),
        account_test(runs_without_steps_teach_nothing),
        account_test(micro_batches_are_not_taken_for_steps),
        account_test(corrections_are_taken_out_before_learning),
        account_test(memory_is_learned_from_its_peak),
        account_test(others_teach_nothing),
        account_test(nothing_new_leaves_what_is_known),
        account_test(accuracy_sums_up),
        account_test(a_ledger_that_cannot_be_read_is_no_obstacle),
        account_test(want_of_memory_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
