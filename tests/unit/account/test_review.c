/* What a run's record adds up to. */
#include "test.h"

#include <string.h>

#include "account/run/review.h"
#include "unit/time.h"

#define DOLLAR INT64_C(1000000000)

static bool says(const struct strs *lines, const char *words)
{
    for (size_t i = 0; i < lines->len; i++)
        if (strstr(lines->at[i].at, words) != NULL)
            return true;
    return false;
}

/* An hour that cost $10 of a budget of $8, half of it while nothing was done. */
static struct ledger_run wasteful_run(void)
{
    struct ledger_run run = {.state = RUN_DONE};

    ledger_totals_unknown(&run.totals);
    run.start.budget.nano = 8 * DOLLAR;
    run.start.estimated_cost.nano = 5 * DOLLAR;
    run.start.storage_month.nano = DOLLAR / 50;
    run.totals.elapsed = (span){SPAN_HOUR};
    run.totals.cost.nano = run.totals.compute.nano = 10 * DOLLAR;
    run.totals.phase[PHASE_IDLE].nano = 5 * DOLLAR;
    run.totals.joules = 3600 * 400.0;
    run.totals.step = 100;
    run.totals.checkpoint_bytes = 50e9;
    return run;
}

static void a_review_has_parts_averages_and_a_verdict(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct ledger_run run = wasteful_run();
    const struct run_part *parts;
    struct run_review review;
    struct error err = {0};

    (void)state;
    assert_true(run_review_make(&run, &arena, &review, &err));
    assert_int_equal(review.costs.len, 1); /* the others are not known */
    parts = review.costs.at;
    assert_int_equal(parts[0].cost.nano, 10 * DOLLAR);
    assert_near(parts[0].share, 1, 1e-9);
    assert_near(review.mean_watts, 400, 1e-9);
    assert_near(review.cost_over_estimate, 1, 1e-9);
    assert_int_equal(review.cost_per_step.nano, DOLLAR / 10);
    assert_int_equal(review.checkpoint_month.nano, DOLLAR);
    assert_true(says(&review.verdict, "it went over its budget by $2"));
    assert_true(says(&review.verdict, "(50 %) went into doing nothing"));
    arena_free(&arena);
}

static void of_a_run_that_goes_on_little_is_concluded(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct ledger_run run = wasteful_run();
    struct run_review review;
    struct error err = {0};

    (void)state;
    run.state = RUN_RUNNING;
    assert_true(run_review_make(&run, &arena, &review, &err));
    assert_false(says(&review.verdict, "budget"));
    run.totals.elapsed = (span){SECOND};
    assert_true(run_review_make(&run, &arena, &review, &err));
    assert_int_equal(review.verdict.len, 0);
    arena_free(&arena);
}

int group_review(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_review_has_parts_averages_and_a_verdict),
        cmocka_unit_test(of_a_run_that_goes_on_little_is_concluded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
