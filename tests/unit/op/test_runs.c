/* What is told of runs: sums that leave nothing out in silence, verdicts, comparisons. */
#include "world.h"

#include <unistd.h>

#include "base/fs.h"
#include "ledger/writes.h"
#include "op/op.h"
#include "op/runs/compare.h"
#include "op/runs/runs.h"
#include "op/runs/show.h"

#define NOW INT64_C(1794700800) /* where the clock of the world stands */
#define DOLLAR INT64_C(1000000000)

static char runs_folder[64], runs_ledger[100];

static int runs_make(void **state)
{
    struct world *w;

    (void)snprintf(runs_folder, sizeof runs_folder, "/tmp/stint-runs-XXXXXX");
    if (mkdtemp(runs_folder) == NULL || world_make(state) != 0)
        return 1;
    (void)snprintf(runs_ledger, sizeof runs_ledger, "%s/ledger.db", runs_folder);
    w = *state;
    w->settings.ledger = str_from(runs_ledger);
    return 0;
}

static int runs_end(void **state)
{
    char command[200];
    int status = world_end(state);

    (void)snprintf(command, sizeof command, "rm -r %s", runs_folder);
    return status != 0 ? status : system(command);
}

#define runs_test(name) cmocka_unit_test_setup_teardown(name, runs_make, runs_end)

/* A run of `seconds` that cost so many dollars; below 0: nobody knows. */
struct made {
    const char *name, *tag;
    int64_t ago, seconds;
    double dollars, steps, first, best;
    enum ledger_state end;
};

static void record(struct world *w, const struct made *m,
                   void (*change)(struct ledger_totals *))
{
    struct error err = {0};
    struct ledger *l = op_ledger(&w->ctx, LEDGER_WRITE, &err);
    struct str tag = str_from(m->tag);
    struct ledger_start start = {.name = str_from(m->name),
                                 .folder = STR("/w"),
                                 .command = STR("train"),
                                 .host = STR("elsewhere"),
                                 .rate = {DOLLAR},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = {10 * DOLLAR},
                                 .estimated_time = {-1},
                                 .started = {NOW - m->ago},
                                 .pid = -1,
                                 .pid_started = -1,
                                 .tags = {&tag, m->tag != NULL}};
    struct ledger_totals t;
    int attempt;

    assert_non_null(l);
    ledger_new_id(start.started, start.id);
    assert_true(ledger_begin(l, &start, &attempt, &err));
    ledger_totals_unknown(&t);
    for (int i = 1; i <= 4; i++) {
        double part = i / 4.0;
        struct ledger_sample s = {.at_s = (double)m->seconds * part,
                                  .cost = m->dollars * part,
                                  .watts = NAN,
                                  .gpu_busy = NAN,
                                  .gpu_memory = NAN,
                                  .cpu_cores = NAN,
                                  .memory = NAN,
                                  .step = m->steps * part,
                                  .loss = m->first + (m->best - m->first) * (i - 1) / 3,
                                  .rate = NAN,
                                  .gpu_memory_run = NAN};

        t.at = (stamp){start.started.s + m->seconds * i / 4};
        t.elapsed = (span){m->seconds * i / 4 * DOLLAR};
        t.cost = m->dollars < 0 ? USD_UNKNOWN : usd_from(m->dollars * part);
        t.step = s.step;
        t.loss = t.best = s.loss;
        if (change != NULL)
            change(&t);
        assert_true(ledger_tick(l, start.id, attempt, &t, &s, &err));
    }
    if (m->end != RUN_RUNNING)
        assert_true(ledger_end(l, start.id, attempt,
                               &(struct ledger_ending){m->end, m->end == RUN_FAILED, ""}, &t,
                               &err));
    ledger_close(l);
}

static struct runs_result runs_of(struct world *w, const char *since, const char *name)
{
    struct runs_request req;
    struct runs_result res;
    struct error err = {0};

    assert_true(fields_reset(op_runs.request, &req, &w->arena, &err));
    req.since = str_from(since);
    req.name = str_from(name);
    if (!op_run(&w->ctx, &op_runs, &req, &res, &err))
        fail_msg("%s", err.text);
    return res;
}

static void no_ledger_is_no_run(void **state)
{
    struct runs_result res = runs_of(*state, "", "");

    assert_true(res.no_ledger);
    assert_int_equal(res.count, 0);
    assert_int_equal(res.sum.cost.nano, 0);
    assert_false(fs_exists(runs_ledger)); /* asking makes none */
}

static void sums_say_what_they_leave_out(void **state)
{
    struct world *w = *state;
    struct made known = {"a", NULL, 5000, 100, 2.5, 10, 3, 2, RUN_DONE};
    struct made unknown = {"b", NULL, 4000, 100, -1, 10, 3, 2, RUN_DONE};
    struct runs_result res;

    record(w, &known, NULL);
    record(w, &known, NULL);
    res = runs_of(w, "", "");
    assert_int_equal(res.sum.cost.nano, 5 * DOLLAR);
    assert_int_equal(res.sum.cost_unknown, 0);
    assert_int_equal(res.sum.took.ns, 200 * DOLLAR);
    record(w, &unknown, NULL);
    res = runs_of(w, "", "");
    assert_int_equal(res.count, 3);
    assert_int_equal(res.sum.cost.nano, MONEY_UNKNOWN);
    assert_int_equal(res.sum.cost_unknown, 1);
    assert_int_equal(res.sum.cost_known.nano, 5 * DOLLAR);
    assert_int_equal(res.sum.energy_unknown, 3);
    assert_true(isnan(res.sum.energy_kwh));
    assert_int_equal(runs_of(w, "4500s", "").count, 1);
    assert_int_equal(runs_of(w, "2026-11-14T22:36:40Z", "").count, 3);
    assert_int_equal(runs_of(w, "2026-11-14T22:36:41Z", "").count, 1);
    assert_int_equal(runs_of(w, "", "B").count, 1); /* as names are typed */
}

static struct show_result show_of(struct world *w, const char *what)
{
    struct show_request req = {str_from(what)};
    struct show_result res;
    struct error err = {0};

    if (!op_run(&w->ctx, &op_show, &req, &res, &err))
        fail_msg("%s", err.text);
    return res;
}

static bool says(const struct strs *lines, const char *words)
{
    for (size_t i = 0; i < lines->len; i++)
        if (str_has_nocase(lines->at[i], str_from(words)))
            return true;
    return false;
}

static void waste(struct ledger_totals *t)
{
    t->gpu_busy = 0.2;
    t->gpu_memory_peak = 1e9;
    t->gpu_memory_total = 10e9;
    t->phase[5] = usd_from(usd_double(t->cost) * 0.4);
}

static void a_verdict_names_what_was_wasted(void **state)
{
    struct world *w = *state;
    struct made m = {"wasteful", NULL, 5000, 100, 14, 10, 3, 2, RUN_DONE};
    struct show_result res;

    record(w, &m, waste);
    res = show_of(w, "wasteful");
    assert_true(says(&res.review.verdict, "the cost was 40 % more than predicted"));
    assert_true(says(&res.review.verdict, "busy for 20 %"));
    assert_true(says(&res.review.verdict, "at most 10 % of the GPU's memory"));
    assert_true(says(&res.review.verdict, "$5.60 (40 %) went into doing nothing"));
    assert_near(res.review.cost_over_estimate, 0.4, 1e-9);
    assert_int_equal(res.details.samples.len, 4);
    assert_int_equal(res.review.cost_per_step.nano, 14 * DOLLAR / 10);

    m.name = "lean";
    m.dollars = 10.5;
    record(w, &m, NULL);
    res = show_of(w, "lean");
    assert_true(says(&res.review.verdict, "the cost was as predicted"));
    assert_int_equal(res.review.verdict.len, 1);

    m.name = "broken";
    m.end = RUN_FAILED;
    record(w, &m, NULL);
    res = show_of(w, "broken");
    assert_int_equal(res.review.verdict.len, 0); /* it did not get to what was predicted */
}

static void a_run_that_is_silent_is_lost(void **state)
{
    struct world *w = *state;
    struct made m = {"silent", NULL, 1000, 100, 1, 10, 3, 2, RUN_RUNNING};
    struct show_result res;

    record(w, &m, NULL);
    res = show_of(w, "last");
    assert_int_equal(res.run.state, RUN_LOST);
    assert_int_equal(res.run.heard.s, 1794699900);
    assert_int_equal(res.run.ended.s, -1);
    m.ago = 100;
    record(w, &m, NULL);
    assert_int_equal(show_of(w, "last").run.state, RUN_RUNNING);
}

static struct comparison compare_of(struct world *w, const char *a, const char *b)
{
    struct str names[] = {str_from(a), str_from(b)};
    struct compare_request req = {{names, 2}};
    struct comparison res;
    struct error err = {0};

    if (!op_run(&w->ctx, &op_compare, &req, &res, &err))
        fail_msg("%s", err.text);
    return res;
}

static void runs_are_compared_by_what_they_reached(void **state)
{
    struct world *w = *state;
    struct made slow = {"slow", "lr=1", 9000, 300, 6, 30, 4, 2, RUN_DONE};
    struct made fast = {"fast", "lr=2", 8000, 300, 9, 30, 4, 1, RUN_DONE};
    const struct compared_measure *m;
    const struct compared_difference *d;
    const struct compared_run *rows;
    struct comparison res;

    record(w, &slow, NULL);
    record(w, &fast, NULL);
    res = compare_of(w, "slow", "fast");
    rows = res.runs.at;
    assert_str_equal(res.metric, "lower");
    assert_near(res.target, 2, 1e-9);
    assert_near(rows[0].first, 4, 0);
    assert_near(rows[0].improvement, 2, 1e-9);
    assert_int_equal(rows[0].cost_per_step.nano, DOLLAR / 5);
    assert_int_equal(rows[0].cost_per_improvement.nano, 3 * DOLLAR);
    assert_int_equal(rows[1].cost_per_improvement.nano, 3 * DOLLAR);
    assert_int_equal(rows[0].cost_to_target.nano, 6 * DOLLAR); /* at its end */
    assert_int_equal(rows[1].cost_to_target.nano, 9 * DOLLAR * 3 / 4);
    m = res.measures.at;
    assert_str_equal(m[0].measure, "cost");
    assert_int_equal(m[0].best, 1);
    assert_near(m[0].by, 1 - 6.0 / 9, 1e-9);
    d = res.differences.at;
    assert_int_equal(res.differences.len, 2);
    assert_str_equal(d[0].what, "name");
    assert_str_equal(d[1].what, "lr");
    assert_str_equal(d[1].values.at[1], "2");
    assert_false(res.unfinished);
}

static void a_metric_may_be_better_when_it_is_higher(void **state)
{
    struct world *w = *state;
    struct made a = {"a", NULL, 9000, 300, 6, 30, 0.1, 0.9, RUN_DONE};
    struct made b = {"b", NULL, 8000, 300, 6, 30, 0.1, 0.5, RUN_DONE};
    struct made down = {"down", NULL, 7000, 300, 6, 30, 4, 1, RUN_STOPPED};
    struct comparison res;

    record(w, &a, NULL);
    record(w, &b, NULL);
    record(w, &down, NULL);
    res = compare_of(w, "a", "b");
    assert_str_equal(res.metric, "higher");
    assert_near(res.target, 0.5, 1e-9);
    res = compare_of(w, "a", "down"); /* they do not agree: nothing is said */
    assert_null(res.metric.at);
    assert_true(isnan(res.target));
    assert_true(res.unfinished);
    for (size_t i = 0; i < res.measures.len; i++)
        assert_false(
            str_eq(((const struct compared_measure *)res.measures.at)[i].measure, STR("cost")));
}

static void mistakes_are_named(void **state)
{
    struct world *w = *state;
    struct made m = {"only", NULL, 1000, 100, 1, 10, 3, 2, RUN_DONE};
    static const struct {
        const char *op, *request;
        enum error_kind kind;
    } wrong[] = {
        {"show", "{\"run\":\"onyl\"}", ERROR_ABSENT},
        {"compare", "{\"runs\":[\"only\"]}", ERROR_USAGE},
        {"compare", "{\"runs\":[\"only\",\"nobody\"]}", ERROR_ABSENT},
        {"runs", "{\"since\":\"soon\"}", ERROR_USAGE},
        {"runs", "{\"state\":\"gone\"}", ERROR_INPUT},
    };

    record(w, &m, NULL);
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct error err = {0};

        assert_false(op_call(&w->ctx, op_find(str_from(wrong[i].op)),
                             str_from(wrong[i].request), &out, &err));
        assert_int_equal(err.kind, wrong[i].kind);
        buf_free(&out);
    }
}

static void want_of_memory_is_survived(void **state)
{
    static const char *const requests[][2] = {
        {"runs", "{}"},
        {"show", "{\"run\":\"last\"}"},
        {"compare", "{\"runs\":[\"a\",\"b\"]}"},
        {"ledger.init", "{}"},
    };
    struct world *w = *state;
    struct made a = {"a", "x=1", 9000, 300, 6, 30, 4, 2, RUN_DONE};
    struct made b = {"b", "x=2", 8000, 300, 9, 30, 4, 1, RUN_DONE};

    record(w, &a, waste);
    record(w, &b, waste);
    world_survives(w, requests, ARRAY_LEN(requests));
}

int group_runs(void)
{
    const struct CMUnitTest tests[] = {
        runs_test(no_ledger_is_no_run),
        runs_test(sums_say_what_they_leave_out),
        runs_test(a_verdict_names_what_was_wasted),
        runs_test(a_run_that_is_silent_is_lost),
        runs_test(runs_are_compared_by_what_they_reached),
        runs_test(a_metric_may_be_better_when_it_is_higher),
        runs_test(mistakes_are_named),
        runs_test(want_of_memory_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
