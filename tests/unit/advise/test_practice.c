/* Facts: their keys, how they are read and written, and what a job proves. */
#include "test.h"

#include "advise/practice/facts.h"
#include "advise/practice/practice.h"
#include "advise/practice/practice_job.h"

static void every_fact_has_its_own_key(void **state)
{
    enum practice_fact found;

    (void)state;
    for (int i = 0; i < PRACTICE_COUNT; i++) {
        const struct practice_info *info = &practice_infos[i];

        assert_non_null(info->key);
        assert_true(str_from(info->label).len > 0 && str_from(info->record).len > 0);
        assert_true(practice_find(str_from(info->key), &found));
        assert_int_equal(found, i);
    }
    assert_true(practice_find(STR("gpu-busy"), &found));
    assert_int_equal(found, PRACTICE_GPU_BUSY);
    assert_false(practice_find(STR("gpu"), &found));
    assert_false(practice_find(STR("gpu_busy_"), &found));
    assert_false(practice_find(STR(""), &found));
}

static void check_written(enum practice_unit unit, double value, const char *expected)
{
    struct buf out = buf_new(&alloc_system, 100);

    practice_write(unit, value, &out);
    assert_true(str_eq(buf_text(&out), str_from(expected)));
    buf_free(&out);
}

static void values_have_their_units(void **state)
{
    (void)state;
    check_written(PRACTICE_SHARE, 0.579, "58 %");
    check_written(PRACTICE_SHARE, 0.034, "3.4 %");
    check_written(PRACTICE_SHARE, 0, "0 %");
    check_written(PRACTICE_SHARE, 1.333, "133 %");
    check_written(PRACTICE_HOURS, 0.5, "30.0 min");
    check_written(PRACTICE_HOURS, 8, "8.00 h");
    check_written(PRACTICE_HOURS, 72, "3.00 days");
    check_written(PRACTICE_USD, 1.4667, "$1.47");
    check_written(PRACTICE_NUMBER, 3, "3");
    check_written(PRACTICE_YES, 1, "yes");
    check_written(PRACTICE_YES, 0, "no");
    check_written(PRACTICE_SHARE, NAN, "?");
}

static void goals_are_typed_in_the_unit_of_their_fact(void **state)
{
    struct error err = {0};
    double value;

    (void)state;
    assert_true(practice_parse(PRACTICE_GPU_BUSY, STR("75%"), &value, &err));
    assert_near(value, 0.75, 1e-12);
    assert_true(practice_parse(PRACTICE_GPU_BUSY, STR(" 0.8 "), &value, &err));
    assert_near(value, 0.8, 1e-12);
    assert_true(practice_parse(PRACTICE_COST_PER_LORA, STR("1.50usd"), &value, &err));
    assert_near(value, 1.5, 1e-12);
    assert_true(practice_parse(PRACTICE_ANOMALY_HOURS, STR("90min"), &value, &err));
    assert_near(value, 1.5, 1e-12);
    assert_true(practice_parse(PRACTICE_CHANNELS, STR("2"), &value, &err));
    assert_false(practice_parse(PRACTICE_GPU_BUSY, STR("75"), &value, &err)); /* 7,500 % */
    assert_false(practice_parse(PRACTICE_GPU_BUSY, STR("-1%"), &value, &err));
    assert_false(practice_parse(PRACTICE_GPU_BUSY, STR("much"), &value, &err));
    assert_false(practice_parse(PRACTICE_GPU_BUSY, STR("%"), &value, &err));
    assert_false(practice_parse(PRACTICE_COST_PER_LORA, STR("2"), &value, &err));
    assert_false(practice_parse(PRACTICE_ANOMALY_HOURS, STR("4"), &value, &err));
}

static void a_job_proves_what_it_states(void **state)
{
    struct arena arena = {.alloc = &alloc_system};
    struct error err = {0};
    struct practices facts;
    struct job job;

    (void)state;
    practices_reset(&facts);
    assert_true(job_read(STR("train:\n  model: llama-2-7b\n  method: full\n  precision: bf16\n"
                             "  checkpoint: {resume: yes}\n  accumulation: 1\n"
                             "limits: {budget: $100, market: spot}\n"),
                         "job.yaml", &job, &arena, &err));
    practices_of_job(&job, &facts);
    assert_near(facts.at[PRACTICE_JOB_PRECISION].value, 1, 0);
    assert_near(facts.at[PRACTICE_JOB_RESUME].value, 1, 0);
    assert_near(facts.at[PRACTICE_JOB_BUDGET].value, 1, 0);
    assert_near(facts.at[PRACTICE_JOB_SPOT].value, 1, 0);
    assert_near(facts.at[PRACTICE_JOB_LORA].value, 0, 0);
    assert_near(facts.at[PRACTICE_JOB_ACCUMULATION].value, 0, 0);
    assert_true(isnan(facts.at[PRACTICE_JOB_RECOMPUTE].value)); /* the planner chooses */
    assert_true(isnan(facts.at[PRACTICE_JOB_QUANTIZED].value)); /* not of training */
    arena_free(&arena);
}

static void a_serving_job_proves_other_things(void **state)
{
    struct arena arena = {.alloc = &alloc_system};
    struct error err = {0};
    struct practices facts;
    struct job job;

    (void)state;
    practices_reset(&facts);
    assert_true(job_read(STR("infer:\n  model: llama-2-7b\n  rate: 2/s\n  weights: bf16\n"
                             "  slo: {p95: 200ms}\n"),
                         "job.yaml", &job, &arena, &err));
    practices_of_job(&job, &facts);
    assert_near(facts.at[PRACTICE_JOB_QUANTIZED].value, 0, 0);
    assert_near(facts.at[PRACTICE_JOB_LATENCY].value, 1, 0);
    assert_true(isnan(facts.at[PRACTICE_JOB_PRECISION].value));
    arena_free(&arena);
}

static struct ledger_run metric_run(const char *name, const char *offer, double best,
                                    double last)
{
    struct ledger_run run = {.state = RUN_DONE,
                             .start.name = str_from(name),
                             .start.offer = str_from(offer),
                             .totals.elapsed = {SPAN_HOUR},
                             .totals.cost = usd_from(1),
                             .totals.best = best,
                             .totals.loss = last};

    run.start.budget = run.start.estimated_cost = USD_UNKNOWN;
    return run;
}

/* A loss of 0.22 for 0.20 is 10 % worse, an accuracy of 0.99 for 0.90 is 10 % better. */
static void quality_is_that_of_the_same_work_here(void **state)
{
    struct arena own = test_arena();
    struct error err = {0};
    struct practices facts;
    struct practice_period to = {{20000}, {20090}, &facts, &own};
    struct ledger_run runs[] = {
        metric_run("a", "aws/us-east-1/g5.xlarge", 0.22, 0.25), metric_run("a", "", 0.20, 0.21),
        metric_run("b", "aws/us-east-1/g5.xlarge", 0.99, 0.95), metric_run("b", "", 0.90, 0.88),
        metric_run("c", "aws/us-east-1/g5.xlarge", 0.5, 0.6),
    };

    (void)state;
    practices_reset(&facts);
    assert_true(practices_of_runs(&to, runs, 2, &err));
    assert_near(facts.at[PRACTICE_QUALITY_LOST].value, 0.1, 1e-9);
    practices_reset(&facts);
    assert_true(practices_of_runs(&to, &runs[2], 3, &err));
    assert_near(facts.at[PRACTICE_QUALITY_LOST].value, -0.1, 1e-9);
    practices_reset(&facts);
    assert_true(practices_of_runs(&to, &runs[4], 1, &err));
    assert_true(isnan(facts.at[PRACTICE_QUALITY_LOST].value));
    arena_free(&own);
}

int group_practice(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quality_is_that_of_the_same_work_here),
        cmocka_unit_test(every_fact_has_its_own_key),
        cmocka_unit_test(values_have_their_units),
        cmocka_unit_test(goals_are_typed_in_the_unit_of_their_fact),
        cmocka_unit_test(a_job_proves_what_it_states),
        cmocka_unit_test(a_serving_job_proves_other_things),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
