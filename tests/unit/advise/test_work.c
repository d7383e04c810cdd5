/* Runs as works: what is summed, what is moved to another part, and that nothing is lost. */
#include "advise_world.h"

static void runs_of_one_name_and_project_are_one_work(void **state)
{
    (void)state;
    add_run("bert", 1);
    add_run("bert", 3)->project = STR("nlp");
    add_run("bert", 1);
    make_works(0.5);
    assert_int_equal(facts.works.len, 2);
    assert_str_equal(work_at(0)->subject, "bert (project nlp)");
    assert_str_equal(work_at(1)->subject, "bert");
    assert_int_equal(work_at(1)->runs, 2);
    assert_near(usd_double(work_at(1)->cost), 4, 1e-9);
    assert_near(advise_money_sum(&work_at(1)->money, PARTS_ALL), 2, 1e-9);
    assert_near(span_in_hours(work_at(0)->gpu_time), 3, 1e-9);
}

static void means_are_weighted_by_gpu_time(void **state)
{
    struct advise_run *a = add_run("bert", 1), *b = add_run("bert", 3);

    (void)state;
    a->busy = 0.2;
    b->busy = 0.6;
    b->gpus = 2;
    a->memory_peak = 8e9;
    b->memory_peak = 20e9;
    a->memory_total = b->memory_total = 80e9;
    b->offer = STR("gcp/us-central1/a2");
    make_works(1);
    assert_near(work_at(0)->utilization, (0.2 * 1 + 0.6 * 6) / 7, 1e-12);
    assert_near(work_at(0)->memory_used, 0.25, 1e-12);
    assert_str_equal(work_at(0)->provider, "gcp");
    assert_str_equal(work_at(0)->region, "us-central1");
    assert_int_equal(work_at(0)->gpus, 2); /* 1.75 on average */
}

static void runs_without_a_price_are_counted(void **state)
{
    (void)state;
    add_run("bert", 1);
    add_run("bert", 1)->cost = USD_UNKNOWN;
    make_works(1);
    assert_int_equal(unpriced, 1);
    assert_int_equal(work_at(0)->runs, 1);
}

/* What is not seen is a part of its own; parts above the cost shrink. */
static void parts_add_up_to_the_cost(void **state)
{
    struct advise_run *a = add_run("bert", 1), *b = add_run("gpt", 1);

    (void)state;
    a->part[PART_TRAIN] = usd_from(1.25);
    b->part[PART_IDLE] = usd_from(2); /* with the training: twice the cost */
    make_works(1);
    assert_near(usd_double(work_at(0)->part[PART_UNSEEN]), 0.75, 1e-9);
    assert_near(usd_double(work_at(1)->part[PART_IDLE]), 1, 1e-9);
    for (size_t w = 0; w < 2; w++)
        assert_near(advise_money_sum(&work_at(w)->money, PARTS_ALL), 2, 1e-9);
}

static void failed_runs_are_listed_by_cause(void **state)
{
    const struct advise_failure *f;

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct advise_run *r = add_run("bert", 1 + i);

        r->ending = ENDED_FAILED;
        r->status = i < 3 ? 137 : 1;
    }
    add_run("bert", 1);
    make_works(1);
    f = work_at(0)->failures.at;
    assert_int_equal(work_at(0)->failures.len, 2);
    assert_str_equal(f[0].cause, "killed (status 137: mostly out of memory)");
    assert_int_equal(f[0].runs, 3);
    assert_near(usd_double(f[0].cost), 12, 1e-9);
    assert_str_equal(f[0].run, "run2");
    assert_str_equal(f[1].cause, "exit status 1");
    assert_near(usd_double(work_at(0)->part[PART_FAILED]), 20, 1e-9);
    assert_near(usd_double(work_at(0)->part[PART_TRAIN]), 2, 1e-9);
}

/* Half an hour of two was not saved. */
static void lost_work_comes_out_of_the_steps(void **state)
{
    struct advise_run *r = add_run("bert", 2);

    (void)state;
    r->lost_hours = 0.5;
    make_works(1);
    assert_near(usd_double(work_at(0)->part[PART_LOST]), 1, 1e-9);
    assert_near(usd_double(work_at(0)->part[PART_TRAIN]), 3, 1e-9);
}

static struct advise_run *add_same(const char *digest, double metric)
{
    struct advise_run *r = add_run("bert", 1);

    r->digest = str_from(digest);
    r->metric = metric;
    return r;
}

static void repeats_have_the_same_digest_and_no_other_result(void **state)
{
    (void)state;
    add_same("d1", 0.5);
    add_same("d1", 0.5004); /* the same result */
    add_same("d1", 0.6);    /* another */
    add_same("d1", NAN);    /* not known */
    add_same("d2", 0.5);
    add_same("d1", 0.5)->ending = ENDED_FAILED;
    make_works(1);
    assert_int_equal(work_at(0)->repeated, 2);
    assert_near(usd_double(work_at(0)->part[PART_REPEATS]), 4, 1e-9);
    assert_near(usd_double(work_at(0)->repeated_surely), 2, 1e-9);
}

static void runs_without_digest_are_no_repeats(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        add_run("a", 1)->command = STR("python a.py");
    make_works(1);
    assert_int_equal(work_at(0)->repeated, 0);
}

static void a_slow_work_is_measured_over_runs_that_ended_well(void **state)
{
    (void)state;
    add_run("bert", 3)->estimated_hours = 2;
    add_run("bert", 1)->estimated_hours = 1;
    make_works(1);
    assert_near(work_at(0)->slowdown, 4.0 / 3, 1e-12);
    assert_int_equal(work_at(0)->estimates, 2);
}

static void no_runs_are_no_works(void **state)
{
    (void)state;
    make_works(1);
    assert_int_equal(facts.works.len, 0);
    apply_rules();
    assert_int_equal(found.count, 0);
}

static void every_allocation_may_fail(void **state)
{
    bool ok = false;

    (void)state;
    for (size_t allow = 0; !ok; allow++) {
        struct failing_alloc counter = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &counter};
        struct arena small = {.alloc = &alloc};
        struct error err = {0};

        assert_true(allow < 500);
        run_count = 0;
        add_same("d", NAN);
        add_same("d", NAN);
        add_run("bert", 1)->ending = ENDED_FAILED;
        spend_on(add_run("bert", 3), PART_IDLE, 3);
        found = (struct findings){.arena = &small};
        ok = advise_works(runs, run_count, 1, &small, &facts.works, &unpriced, &err) &&
             advise_apply(&facts, &found, &err);
        assert_true(ok || err.kind == ERROR_MEMORY);
        arena_free(&small);
        assert_int_equal(counter.held, 0);
    }
}

int group_work(void)
{
    const struct CMUnitTest tests[] = {
        world_test(runs_of_one_name_and_project_are_one_work),
        world_test(means_are_weighted_by_gpu_time),
        world_test(runs_without_a_price_are_counted),
        world_test(parts_add_up_to_the_cost),
        world_test(failed_runs_are_listed_by_cause),
        world_test(lost_work_comes_out_of_the_steps),
        world_test(repeats_have_the_same_digest_and_no_other_result),
        world_test(runs_without_digest_are_no_repeats),
        world_test(a_slow_work_is_measured_over_runs_that_ended_well),
        world_test(no_runs_are_no_works),
        world_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
