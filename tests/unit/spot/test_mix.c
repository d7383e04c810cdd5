/* Which jobs go on spot, and on which machine. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "spot/mix.h"

#define HOUR 3600.0

static struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static const struct mix_terms terms = {
    .on_demand = 3, .delay = 0.1 * HOUR, .policy = &policy_stint, .seed = 1, .runs = 60};

static struct mix_choice mixed(const struct mix_job *job, double spot)
{
    struct mix_offer offer = {.spot = spot, .on_demand = 3, .life = &lifetimes_typical};
    struct error err = {0};
    struct mix_choice c;

    if (!mix_choose(job, &terms, &offer, 1, &arena, &c, &err))
        fail_msg("%s", err.text);
    return c;
}

/* The lowest price is not the lowest cost; a job without a fallback has no guaranteed
 * deadline. */
static void the_machine_is_the_one_that_costs_least(void **state)
{
    struct lifetimes flapping = lifetimes_from_hazard(8, 1, 0.5);
    struct mix_offer offers[] = {{1, 3, &flapping}, {1.1, 3, &lifetimes_typical}};
    struct mix_job job = {.work = 10 * HOUR, .gang = 1}, once = {.work = HOUR, .gang = 1};
    struct mix_terms none = terms;
    struct error err = {0};
    struct mix_choice c, d;

    (void)state;
    once.once = true;
    assert_true(mix_choose(&job, &terms, offers, 2, &arena, &c, &err));
    assert_true(c.spot);
    assert_int_equal(c.offer, 1);
    assert_true(mix_choose(&once, &terms, offers, 2, &arena, &c, &err));
    assert_int_equal(c.offer, 1);
    /* More to choose from never costs more. */
    job.deadline = 16 * HOUR;
    assert_true(mix_choose(&job, &terms, offers, 2, &arena, &c, &err));
    assert_true(mix_choose(&job, &terms, offers, 1, &arena, &d, &err));
    assert_true(c.usd <= d.usd);
    none.on_demand = offers[1].on_demand = NAN;
    assert_true(mix_choose(&job, &none, offers, 2, &arena, &c, &err));
    assert_true(c.spot && c.offer == 0 && c.reason == MIX_ONLY);
    offers[0].on_demand = NAN;
    assert_false(mix_choose(&job, &none, offers, 2, &arena, &c, &err));
    assert_int_equal(err.kind, ERROR_UNFIT);
    job.deadline = 0;
    assert_true(mix_choose(&job, &none, offers, 2, &arena, &c, &err));
    assert_true(c.spot && c.offer == 1 && isnan(c.on_demand_usd));
}

static void jobs_go_where_they_cost_less(void **state)
{
    struct mix_job job = {.work = 10 * HOUR, .gang = 2};
    struct mix_choice c = mixed(&job, 1);

    (void)state;
    assert_true(c.spot);
    assert_near(c.on_demand_usd, 3 * 2 * 10.1, 1e-9);
    assert_true(c.usd < c.on_demand_usd && c.usd_p90 >= c.usd * 0.9);
    job.critical = true;
    c = mixed(&job, 1);
    assert_false(c.spot);
    assert_int_equal(c.reason, MIX_CRITICAL);
    assert_near(c.usd, c.on_demand_usd, 0);
    job.critical = false;
    c = mixed(&job, 2.99);
    assert_false(c.spot);
    assert_int_equal(c.reason, MIX_MORE_EXPENSIVE);
}

/* A long job that restarts from zero after each loss costs more on spot; a short one does
 * not. */
static void jobs_that_cannot_go_on_are_tried_again(void **state)
{
    struct mix_job job = {.work = 24 * HOUR, .gang = 1, .once = true};
    struct mix_choice c = mixed(&job, 1);

    (void)state;
    assert_false(c.spot);
    assert_int_equal(c.reason, MIX_MORE_EXPENSIVE);
    assert_true(c.spot_usd > c.on_demand_usd);
    job.work = 0.2 * HOUR;
    c = mixed(&job, 1);
    assert_true(c.spot);
    job.deadline = 1 * HOUR; /* which nothing can promise */
    c = mixed(&job, 1);
    assert_false(c.spot);
    assert_int_equal(c.reason, MIX_TIGHT);
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
    assert_true(mix_job_parse(STR("train:48h:4:by=60h"), &name, &job, &err));
    assert_str_equal(name, "train");
    assert_near(job.work, 48 * 3600, 0);
    assert_near(job.deadline, 60 * 3600, 0);
    assert_int_equal(job.gang, 4);
    assert_false(job.critical || job.once);
    assert_true(mix_job_parse(STR("x:2:once:critical"), &name, &job, &err));
    assert_true(job.critical && job.once);
    assert_near(job.work, 7200, 0); /* a bare number is hours */
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        err = (struct error){0};
        assert_false(mix_job_parse(str_from(bad[i]), &name, &job, &err));
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_non_null(strstr(err.hint, "NAME:HOURS"));
    }
}

int group_mix(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_read_as_they_are_written),
        cmocka_unit_test_teardown(jobs_go_where_they_cost_less, end),
        cmocka_unit_test_teardown(the_machine_is_the_one_that_costs_least, end),
        cmocka_unit_test_teardown(jobs_that_cannot_go_on_are_tried_again, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
