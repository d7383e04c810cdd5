#include "test.h"

#include "plan/trials.h"

static struct trials asha(int64_t count, double keep, double first)
{
    return (struct trials){count, TRIALS_ASHA, 1, keep, first};
}

/* 27 at 1/27, 9 at 1/9, 3 at 1/3, 1 complete: 1 + 9 x 2/27 + 3 x 2/9 + 2/3 = 3 runs. */
static void test_halving_by_hand(void **state)
{
    struct trials t = asha(27, 3, 1.0 / 27);
    struct trials_need serial = trials_need(&t, 1), nine = trials_need(&t, 9);

    (void)state;
    assert_near(serial.work, 3, 1e-12);
    assert_near(serial.span, 3, 1e-12);
    assert_int_equal(serial.rungs, 4);
    assert_near(serial.stopped, 26.0 / 27, 1e-12);
    /* 3 rounds of 1/27, then one of each: 3/27 + 2/27 + 2/9 + 2/3 = 29/27. */
    assert_near(nine.work, 3, 1e-12);
    assert_near(nine.span, 29.0 / 27, 1e-12);
    assert_near(trials_need(&t, 27).span, 1, 1e-12);
    assert_near(trials_need(&t, 1000).span, 1, 1e-12);
}

/* 50 at 1/9, 16 at 1/3, 5 complete: 50/9 + 16 x 2/9 + 5 x 2/3. */
static void test_what_does_not_divide(void **state)
{
    struct trials t = asha(50, 3, 1.0 / 9), rounded = asha(50, 3, 0.1111);
    struct trials_need need = trials_need(&t, 8);

    (void)state;
    assert_near(need.work, 50.0 / 9 + 32.0 / 9 + 10.0 / 3, 1e-12);
    assert_near(need.span, 7.0 / 9 + 2 * 2.0 / 9 + 2.0 / 3, 1e-12);
    assert_int_equal(need.rungs, 3);
    assert_near(need.stopped, 0.9, 1e-12);
    assert_int_equal(trials_need(&rounded, 8).rungs, 3); /* 0.9999 is meant to be all */
    t.fraction = 0.5;
    assert_near(trials_need(&t, 8).work, need.work / 2, 1e-12);
    assert_near(trials_need(&t, 8).span, need.span / 2, 1e-12);
}

/* 5 at 1/27, then one is left: it goes to its end, and nothing more is chosen. */
static void test_one_is_left_early(void **state)
{
    struct trials t = asha(5, 3, 1.0 / 27), one = asha(1, 3, 1.0 / 27);
    struct trials_need need = trials_need(&t, 2);

    (void)state;
    assert_int_equal(need.rungs, 2);
    assert_near(need.work, 5.0 / 27 + 26.0 / 27, 1e-12);
    assert_near(need.span, 3.0 / 27 + 26.0 / 27, 1e-12);
    need = trials_need(&one, 4);
    assert_int_equal(need.rungs, 1);
    assert_near(need.work, 1, 0);
    assert_near(need.span, 1, 0);
    assert_near(need.stopped, 0, 0);
}

static void test_grid_and_random_are_the_same_work(void **state)
{
    struct trials t = {.count = 10, .scheme = TRIALS_GRID, .fraction = 0.5, NAN, NAN};
    struct trials_need grid = trials_need(&t, 4), other;

    (void)state;
    t.scheme = TRIALS_RANDOM;
    other = trials_need(&t, 4);
    assert_memory_equal(&grid, &other, sizeof grid);
    assert_near(grid.work, 5, 0);
    assert_near(grid.span, 1.5, 0);
    assert_int_equal(grid.rungs, 1);
    assert_near(grid.stopped, 0, 0);
    t.count = 0;
    assert_near(trials_need(&t, 4).work, 0, 0);
    assert_near(trials_need(&t, 4).span, 0, 0);
}

/* Numbers that would stop no trial, or never end. */
static void test_odd_schemes_end(void **state)
{
    const double keeps[] = {NAN, -1, 0, 0.5, 1, 1 + 1e-15, 1.001, 1e6, INFINITY};
    const double firsts[] = {NAN, -1, 0, 1e-300, 0.5, 1, 2, INFINITY};

    (void)state;
    for (size_t i = 0; i < sizeof keeps / sizeof *keeps; i++)
        for (size_t k = 0; k < sizeof firsts / sizeof *firsts; k++) {
            struct trials t = asha(TRIALS_MAX, keeps[i], firsts[k]);
            struct trials_need need = trials_need(&t, INT64_MAX);

            assert_near(need.span, 1, 1e-9);
            assert_true(need.work >= 1 - 1e-9 && need.work <= TRIALS_MAX + 1e-3);
            if (!(keeps[i] > 1) || !(firsts[k] > 0 && firsts[k] < 1))
                assert_near(need.work, TRIALS_MAX, 0);
        }
}

/* Machines and trials one by one: each machine takes the next trial of the rung as soon as it
 * is free, and the rung is over when the last is done. */
static void schedule(const struct trials *t, size_t machines, double *work, double *end)
{
    double busy[8] = {0}, start = 0, done = 0;
    int64_t alive = t->count;

    *work = 0;
    for (double share = t->first;; share *= t->keep) {
        double upto = share < 1 - 1e-6 ? share : 1;

        for (int64_t i = 0; i < alive; i++) {
            size_t free_one = 0;

            for (size_t k = 1; k < machines; k++)
                if (busy[k] < busy[free_one] - 1e-12)
                    free_one = k;
            busy[free_one] += upto - done;
            *work += upto - done;
        }
        for (size_t k = 0; k < machines; k++)
            start = fmax(start, busy[k]);
        for (size_t k = 0; k < machines; k++)
            busy[k] = start;
        done = upto;
        if (upto >= 1)
            break;
        alive = alive >= 2 * (int64_t)t->keep ? alive / (int64_t)t->keep : 1;
    }
    *end = start;
}

static void test_equals_a_schedule_made_by_hand(void **state)
{
    (void)state;
    for (int64_t count = 1; count <= 40; count++)
        for (int keep = 2; keep <= 4; keep++)
            for (int rungs = 2; rungs <= 4; rungs++)
                for (size_t machines = 1; machines <= 8; machines++) {
                    struct trials t = asha(count, keep, pow(keep, 1 - rungs));
                    struct trials_need need = trials_need(&t, (int64_t)machines);
                    double work, end;

                    schedule(&t, machines, &work, &end);
                    assert_near(need.work, work, 1e-9);
                    assert_near(need.span, end, 1e-9);
                }
}

static void test_monotone(void **state)
{
    const double keeps[] = {1.5, 2, 3, 4.7}, firsts[] = {0.01, 1.0 / 27, 1.0 / 9, 0.4};

    (void)state;
    for (size_t i = 0; i < 16; i++) {
        double work = 0;

        for (int64_t count = 1; count <= 200; count++) {
            struct trials t = asha(count, keeps[i % 4], firsts[i / 4]);
            double sooner = INFINITY;

            assert_true(trials_need(&t, 1).work >= work - 1e-12);
            work = trials_need(&t, 1).work;
            for (int64_t parallel = 1; parallel <= count + 1; parallel++) {
                struct trials_need need = trials_need(&t, parallel);

                assert_true(need.span <= sooner + 1e-12);
                assert_true(need.span >= 1 - 1e-12);
                assert_true(need.span * (double)parallel >= need.work - 1e-9);
                assert_near(need.work, work, 1e-12);
                sooner = need.span;
            }
        }
    }
}

static void test_within_a_ceiling(void **state)
{
    struct trials t = asha(0, 3, 1.0 / 27), grid = {.scheme = TRIALS_GRID, .fraction = 0.1};

    (void)state;
    for (double runs = 0; runs < 20; runs += 0.37) {
        int64_t most = trials_within(&t, runs);

        t.count = most;
        assert_true(trials_need(&t, 1).work <= runs + 1e-9);
        t.count = most + 1;
        assert_true(trials_need(&t, 1).work > runs);
    }
    assert_int_equal(trials_within(&grid, 5), 50);
    assert_int_equal(trials_within(&grid, 0.3), 3); /* 3 x 0.1 is a little more than 0.3 */
    assert_int_equal(trials_within(&grid, 0.09), 0);
    assert_int_equal(trials_within(&grid, -1), 0);
    assert_int_equal(trials_within(&grid, NAN), 0);
    assert_int_equal(trials_within(&grid, INFINITY), TRIALS_MAX);
}

static void test_of_a_job(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct job job;
    struct trials t;

    (void)state;
    assert_true(job_reset(&job, &arena, &err));
    assert_int_equal(trials_of(&job).count, 0);
    assert_true(job_set(&job, STR("search.trials"), STR("50"), &arena, &err));
    t = trials_of(&job);
    assert_int_equal(t.count, 50);
    assert_int_equal(t.scheme, TRIALS_RANDOM);
    assert_near(t.fraction, 1, 0);
    assert_true(job_set(&job, STR("search.scheme"), STR("asha"), &arena, &err));
    t = trials_of(&job);
    assert_int_equal(t.scheme, TRIALS_ASHA);
    assert_near(t.keep, 3, 0);
    assert_near(t.first, 1.0 / 9, 1e-15);
    assert_true(job_set(&job, STR("search.first"), STR("5%"), &arena, &err));
    assert_true(job_set(&job, STR("search.keep"), STR("2"), &arena, &err));
    assert_true(job_set(&job, STR("search.fraction"), STR("20%"), &arena, &err));
    t = trials_of(&job);
    assert_near(t.keep, 2, 0);
    assert_near(t.first, 0.05, 1e-15);
    assert_near(t.fraction, 0.2, 1e-15);
    job.kind = JOB_INFER;
    assert_int_equal(trials_of(&job).count, 0);
    arena_free(&arena);
}

int group_trials(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halving_by_hand),
        cmocka_unit_test(test_what_does_not_divide),
        cmocka_unit_test(test_one_is_left_early),
        cmocka_unit_test(test_grid_and_random_are_the_same_work),
        cmocka_unit_test(test_odd_schemes_end),
        cmocka_unit_test(test_equals_a_schedule_made_by_hand),
        cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_within_a_ceiling),
        cmocka_unit_test(test_of_a_job),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
