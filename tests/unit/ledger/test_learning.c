/* Predictions and outcomes; corrections learned from them. */
#include "ledgers.h"

#include <math.h>

#include "ledger/runs/learning.h"
#include "ledger/runs/run_journal.h"

#define SECOND INT64_C(1000000000)

/* A run that was predicted to take 100 s and cost $2. */
static struct ledger_start predicted(const char *name)
{
    struct ledger_start start = start_of(name);

    start.estimated_time = (span){100 * SECOND};
    start.estimated_cost = (usd){2 * DOLLAR};
    start.features = STR("{\"gpu\":\"L4\"}");
    start.constants = STR("1-abc");
    return start;
}

static struct ledger_totals after(const struct ledger_start *start, int64_t seconds,
                                  int64_t cost)
{
    struct ledger_totals t;

    ledger_totals_unknown(&t);
    t.at = (stamp){start->started.s + seconds};
    t.elapsed = (span){seconds * SECOND};
    t.cost = (usd){cost};
    t.gpu = STR("NVIDIA L4");
    t.step_s = (double)seconds / 100;
    t.startup_s = 9.5;
    t.gpu_memory_peak = 21e9;
    t.gpu_watts = 70;
    return t;
}

static void end(struct ledger *l, const struct ledger_start *start, int attempt,
                enum ledger_state state, const struct ledger_totals *t)
{
    struct ledger_ending ending = {state, state == RUN_DONE ? 0 : 1, ""};
    struct error err = {0};

    if (!ledger_end(l, start->id, attempt, &ending, t, &err))
        fail_msg("%s", err.text);
}

static size_t outcomes(struct ledger *l, stamp since, const struct ledger_outcome **out)
{
    struct error err = {0};
    size_t count;

    if (!ledger_outcomes(l, since, &ledger_arena, out, &count, &err))
        fail_msg("%s", err.text);
    return count;
}

static void successful_run_is_an_outcome(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = predicted("bert");
    struct ledger_totals t = after(&start, 130, 3 * DOLLAR + 7);
    const struct ledger_outcome *o;
    struct error err = {0};
    struct str features;

    (void)state;
    end(l, &start, begin_run(l, &start), RUN_DONE, &t);
    assert_int_equal(outcomes(l, (stamp){-1}, &o), 1);
    assert_str_equal(o->id, start.id);
    assert_str_equal(o->name, "bert");
    assert_true(ledger_features(l, start.id, &ledger_arena, &features, &err));
    assert_str_equal(features, "{\"gpu\":\"L4\"}");
    assert_true(ledger_features(l, "019d", &ledger_arena, &features, &err));
    assert_int_equal(features.len, 0);
    assert_str_equal(o->gpu, "NVIDIA L4");
    assert_str_equal(o->features, "{\"gpu\":\"L4\"}");
    assert_str_equal(o->constants, "1-abc");
    assert_int_equal(o->started.s, start.started.s);
    assert_near(o->step_s, 1.3, 1e-12);
    assert_near(o->startup_s, 9.5, 1e-12);
    assert_near(o->memory, 21e9, 1);
    assert_near(o->watts, 70, 1e-9);
    assert_int_equal(o->predicted_cost.nano, 2 * DOLLAR);
    assert_int_equal(o->actual_cost.nano, 3 * DOLLAR + 7);
    ledger_close(l);
}

static void other_runs_are_no_outcome(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start failed = predicted("failed"), running = predicted("running"),
                        unasked = start_of("unasked");
    struct ledger_totals t = after(&failed, 50, DOLLAR);
    const struct ledger_outcome *o;

    (void)state;
    end(l, &failed, begin_run(l, &failed), RUN_FAILED, &t);
    end(l, &unasked, begin_run(l, &unasked), RUN_DONE, &t);
    (void)begin_run(l, &running);
    assert_int_equal(outcomes(l, (stamp){-1}, &o), 0);
    ledger_close(l);
}

static void since_is_by_the_start(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_outcome *o;

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct ledger_start start = predicted("bert");
        struct ledger_totals t;

        start.started.s += i * 100;
        t = after(&start, 10 + i, DOLLAR);
        end(l, &start, begin_run(l, &start), RUN_DONE, &t);
    }
    assert_int_equal(outcomes(l, (stamp){NOW + 100}, &o), 2);
    assert_near(o[0].step_s, 0.11, 1e-12); /* the oldest first */
    assert_near(o[1].step_s, 0.12, 1e-12);
    ledger_close(l);
}

/* Two attempts: the first made no steps, the second has the run's own memory. */
static void attempts_are_one_outcome(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = predicted("bert");
    struct ledger_totals t = after(&start, 80, DOLLAR);
    const struct ledger_outcome *o;
    int attempt = begin_run(l, &start);

    (void)state;
    t.step_s = t.startup_s = t.gpu_watts = NAN;
    end(l, &start, attempt, RUN_PREEMPTED, &t);
    assert_int_equal(outcomes(l, (stamp){-1}, &o), 0);
    start.resume = true;
    start.started.s += 200;
    attempt = begin_run(l, &start);
    assert_int_equal(attempt, 2);
    t = after(&start, 60, MONEY_UNKNOWN);
    t.gpu_memory_peak = 50e9; /* of all that use the device */
    t.gpu_memory_run = 22e9;
    end(l, &start, attempt, RUN_DONE, &t);
    assert_int_equal(outcomes(l, (stamp){-1}, &o), 1);
    assert_near(o->step_s, 0.6, 1e-12);
    assert_near(o->startup_s, 9.5, 1e-12);
    assert_near(o->memory, 22e9, 1);
    assert_int_equal(o->actual_cost.nano, MONEY_UNKNOWN); /* of one attempt it is */
    ledger_close(l);
}

static void corrections_replace_earlier_ones(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_correction rows[] = {{.what = STR("step"),
                                        .gpu = STR("L4"),
                                        .framework = STR("hf"),
                                        .model = STR("phi-2"),
                                        .setting = STR("lora bf16"),
                                        .factor = 1.25,
                                        .low = 1.125,
                                        .high = 1.5,
                                        .runs = 7,
                                        .constants = STR("1-abc"),
                                        .made = {NOW}},
                                       {.what = STR("memory"),
                                        .gpu = STR("A100"),
                                        .factor = 0.1 + 0.2,
                                        .low = 0.25,
                                        .high = 0.5,
                                        .runs = 1,
                                        .constants = STR("1-abc"),
                                        .made = {NOW - 5}}};
    const struct ledger_correction *got;
    struct error err = {0};
    size_t count;

    (void)state;
    assert_true(ledger_corrections(l, &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 0);
    assert_true(ledger_corrections_put(l, rows, 2, &err));
    assert_true(ledger_corrections(l, &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 2);
    assert_str_equal(got[0].what, "memory");
    assert_str_equal(got[0].gpu, "A100");
    assert_int_equal(got[0].framework.len, 0);
    assert_int_equal(got[0].model.len, 0);
    assert_true(got[0].factor == 0.1 + 0.2); /* to the last bit */
    assert_int_equal(got[0].made.s, NOW - 5);
    assert_str_equal(got[1].what, "step");
    assert_str_equal(got[1].framework, "hf");
    assert_str_equal(got[1].model, "phi-2");
    assert_str_equal(got[1].setting, "lora bf16");
    assert_true(got[1].low == 1.125 && got[1].high == 1.5);
    assert_int_equal(got[1].runs, 7);
    assert_true(ledger_corrections_put(l, rows, 1, &err));
    assert_true(ledger_corrections(l, &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 1);
    assert_str_equal(got[0].constants, "1-abc");
    assert_true(ledger_corrections_put(l, NULL, 0, &err));
    assert_true(ledger_corrections(l, &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 0);
    ledger_close(l);
}

/* The job of a run is kept, unless it is too long; of a work, the newest. */
static void jobs_are_kept(void **state)
{
    static char large[LEDGER_JOB_MAX + 1];
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start first = start_of("bert"), second = start_of("bert"),
                        none = start_of("none"), long_one = start_of("long");
    const struct ledger_work_job *jobs;
    struct error err = {0};
    struct str job;
    size_t count;

    (void)state;
    first.job = STR("{\"a\":1}");
    second.job = STR("{\"a\":2}");
    memset(large, 'x', sizeof large);
    long_one.job = (struct str){large, sizeof large};
    (void)begin_run(l, &first);
    (void)begin_run(l, &second);
    (void)begin_run(l, &none);
    (void)begin_run(l, &long_one);
    assert_true(ledger_job(l, first.id, &ledger_arena, &job, &err));
    assert_str_equal(job, "{\"a\":1}");
    assert_true(ledger_job(l, none.id, &ledger_arena, &job, &err));
    assert_int_equal(job.len, 0);
    assert_true(ledger_job(l, long_one.id, &ledger_arena, &job, &err));
    assert_int_equal(job.len, 0);
    assert_true(ledger_jobs(l, (stamp){-1}, (stamp){-1}, &ledger_arena, &jobs, &count, &err));
    assert_int_equal(count, 1);
    assert_str_equal(jobs[0].name, "bert");
    assert_int_equal(jobs[0].project.len, 0);
    assert_str_equal(jobs[0].job, "{\"a\":2}");
    assert_true(
        ledger_jobs(l, (stamp){NOW + 100}, (stamp){-1}, &ledger_arena, &jobs, &count, &err));
    assert_int_equal(count, 0);
    ledger_close(l);
}

/* As a supervisor records it, by records that are added once. */
static void estimate_is_added_to_a_run_without_one(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start runs[] = {start_of("bert"), predicted("llama")};
    struct ledger_totals t = after(&runs[0], 130, 3 * DOLLAR);
    const struct ledger_estimate estimate = {.cost = {4 * DOLLAR},
                                             .time = {-1},
                                             .features = STR("{\"gpu\":\"H200\"}"),
                                             .constants = STR("2-def"),
                                             .job = STR("{\"job\":1}")};
    const struct ledger_outcome *o;
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
        struct buf start = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct buf records = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct ledger_ending ending = {RUN_DONE, 0, ""};
        struct str job;
        int number;

        memcpy(runs[i].attempt_id, runs[i].id, LEDGER_ID);
        run_journal_put_start(&start, &runs[i]);
        run_journal_put_estimate(&records, 1, &estimate);
        run_journal_put_end(&records, 2, &ending, &t);
        for (int twice = 0; twice < 2; twice++)
            if (!ledger_apply(l, buf_text(&start), buf_text(&records), &number, &err))
                fail_msg("%s", err.text);
        buf_free(&start);
        buf_free(&records);
        assert_true(ledger_job(l, runs[i].id, &ledger_arena, &job, &err));
        assert_int_equal(job.len, i == 0 ? 9 : 0);
    }
    assert_int_equal(outcomes(l, (stamp){-1}, &o), 2);
    assert_str_equal(o[0].features, "{\"gpu\":\"H200\"}");
    assert_str_equal(o[0].constants, "2-def");
    assert_int_equal(o[0].predicted_cost.nano, 4 * DOLLAR);
    assert_str_equal(o[1].features, "{\"gpu\":\"L4\"}"); /* the plan's stays */
    assert_int_equal(o[1].predicted_cost.nano, 2 * DOLLAR);
    ledger_close(l);
}

int group_learning(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(jobs_are_kept),
        ledger_test(successful_run_is_an_outcome),
        ledger_test(other_runs_are_no_outcome),
        ledger_test(since_is_by_the_start),
        ledger_test(attempts_are_one_outcome),
        ledger_test(estimate_is_added_to_a_run_without_one),
        ledger_test(corrections_replace_earlier_ones),
    };

    return engine_tests(tests, ARRAY_LEN(tests), ledger_make, ledger_make_server);
}
