/* What runs have taught: learned, kept, used and forgotten. */
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

/* One that was predicted to take 1000 s. */
static void planned(struct world *w, const char *features, const char *constants,
                    int64_t seconds)
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
                                 .estimated_time = {1000 * DOLLAR},
                                 .features = str_from(features),
                                 .constants = str_from(constants),
                                 .started = {when += 7200},
                                 .pid = -1,
                                 .pid_started = -1};
    struct ledger_ending ending = {RUN_DONE, 0, ""};
    struct ledger_totals t;
    int attempt;

    assert_non_null(l);
    ledger_new_id(start.started, start.id);
    assert_true(ledger_begin(l, &start, &attempt, &err));
    ledger_totals_unknown(&t);
    t.at = (stamp){start.started.s + seconds};
    t.elapsed = (span){seconds * DOLLAR};
    t.cost = (usd){DOLLAR * seconds / 1000};
    assert_true(ledger_end(l, start.id, attempt, &ending, &t, &err));
    ledger_close(l);
}

#define L4 "{\"gpu\":\"L4\",\"framework\":\"pytorch-eager\",\"correction\":null}"

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
    struct constants constants = {.learned_count = 0};
    struct error err = {0};
    const struct correction *c;

    assert_true(op_constants(&w->ctx, raw, &constants, &err));
    c = correction_find(constants.learned, constants.learned_count, STR("L4"),
                        STR("pytorch-eager"));
    return c != NULL ? c->factor : NAN;
}

static void what_is_learnt_is_used(void **state)
{
    struct world *w = *state;
    struct calibrate_result res;
    const struct calibrate_row *rows;

    load_version(w);
    for (int i = 0; i < 10; i++)
        planned(w, L4, version, 1300);
    assert_true(isnan(factor_in_use(w, false)));
    res = calibrate(w, (struct calibrate_request){.show = true});
    assert_int_equal(res.runs, 10);
    assert_true(isnan(factor_in_use(w, false))); /* it was only shown */
    res = calibrate(w, (struct calibrate_request){.show = false});
    assert_int_equal(res.corrections.len, 2);
    rows = res.corrections.at;
    assert_int_equal(rows[0].correction.framework.len, 0);
    assert_str_equal(rows[1].correction.framework, "pytorch-eager");
    assert_true(rows[1].correction.factor > 1.2 && rows[1].correction.factor < 1.3);
    assert_near(factor_in_use(w, false), rows[1].correction.factor, 1e-12);
    assert_true(isnan(factor_in_use(w, true)));
    res = calibrate(w, (struct calibrate_request){.forget = true});
    assert_true(res.forgotten);
    assert_true(isnan(factor_in_use(w, false)));
}

/* A prediction that had the correction in it, and came true, moves nothing. */
static void corrections_are_taken_out_before_learning(void **state)
{
    struct world *w = *state;
    const struct calibrate_row *rows;
    struct calibrate_result res;
    double first;

    load_version(w);
    for (int i = 0; i < 6; i++)
        planned(w, L4, version, 1250);
    res = calibrate(w, (struct calibrate_request){.show = true});
    first = ((const struct calibrate_row *)res.corrections.at)[0].correction.factor;
    for (int i = 0; i < 6; i++) /* 1000 s of which the correction is a fifth: 800 without */
        planned(w, "{\"gpu\":\"L4\",\"framework\":\"pytorch-eager\",\"correction\":1.25}",
                version, 1000);
    res = calibrate(w, (struct calibrate_request){.show = true});
    rows = res.corrections.at;
    assert_true(rows[0].correction.factor >= first && rows[0].correction.factor < 1.25);
}

/* Starting the machine took 200 s of the prediction: the work itself came true. */
static void starting_a_machine_is_not_learnt(void **state)
{
    struct world *w = *state;
    struct calibrate_result res;

    load_version(w);
    planned(w, "{\"gpu\":\"L4\",\"framework\":null,\"setup_s\":200}", version, 800);
    res = calibrate(w, (struct calibrate_request){.show = true});
    assert_near(((const struct calibrate_row *)res.corrections.at)->correction.factor, 1, 1e-9);
}

static void others_teach_nothing(void **state)
{
    struct world *w = *state;
    struct calibrate_result res;

    load_version(w);
    planned(w, L4, "another", 1200);
    planned(w, L4, version, 9000);               /* too far */
    planned(w, "{\"gpu\":null}", version, 1000); /* of no GPU */
    planned(w, "no JSON", version, 1000);
    planned(w, "{\"gpu\":\"L4\",\"correction\":\"much\"}", version, 1000);
    res = calibrate(w, (struct calibrate_request){.show = false});
    assert_int_equal(res.other, 1);
    assert_int_equal(res.far, 1);
    assert_int_equal(res.runs, 0);
    assert_int_equal(res.corrections.len, 0);
}

/* A time without runs is no wish to forget. */
static void nothing_new_leaves_what_is_known(void **state)
{
    struct world *w = *state;
    double before;

    load_version(w);
    planned(w, L4, version, 1300);
    (void)calibrate(w, (struct calibrate_request){.show = false});
    before = factor_in_use(w, false);
    assert_true(before > 1);
    (void)calibrate(w, (struct calibrate_request){.since = STR("2026-11-14")});
    assert_near(factor_in_use(w, false), before, 1e-12);
}

static void accuracy_sums_up(void **state)
{
    struct world *w = *state;
    struct accuracy_request request = {.by = STR("gpu")};
    struct accuracy_result res = {.count = 0};
    struct error err = {0};

    load_version(w);
    planned(w, L4, version, 1100);
    planned(w, L4, version, 1200);
    planned(w, L4, version, 900);
    planned(w, "{\"gpu\":\"A10\"}", version, 2000);
    assert_true(op_accuracy.run(&w->ctx, &request, &res, &err));
    assert_int_equal(res.count, 4);
    assert_int_equal(res.rows.len, 2);
    assert_str_equal(((const struct accuracy_row *)res.rows.at)[0].of, "A10");
    assert_near(((const struct accuracy_row *)res.rows.at)[1].bias, 0.1, 1e-9);
    assert_near(((const struct accuracy_row *)res.rows.at)[1].error, 0.4 / 3, 1e-9);
    assert_near(((const struct accuracy_row *)res.rows.at)[1].worst, 0.2, 1e-9);
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
        planned(w, L4, version, 1300);
    world_survives(w, requests, ARRAY_LEN(requests));
}

int group_calibrate(void)
{
    const struct CMUnitTest tests[] = {
        account_test(what_is_learnt_is_used),
        account_test(corrections_are_taken_out_before_learning),
        account_test(starting_a_machine_is_not_learnt),
        account_test(others_teach_nothing),
        account_test(nothing_new_leaves_what_is_known),
        account_test(accuracy_sums_up),
        account_test(a_ledger_that_cannot_be_read_is_no_obstacle),
        account_test(want_of_memory_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
