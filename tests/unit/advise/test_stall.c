#include "test.h"

#include "advise/explain/stall.h"
#include "advise/explain/why.h"

/* `count` moments of a second that are all alike. */
static double share_of(size_t count, double busy, double cores)
{
    struct stall_moment moments[2 * STALL_LEAST];

    for (size_t i = 0; i < count; i++)
        moments[i] = (struct stall_moment){1, busy, cores};
    return stall_share(moments, count);
}

static void idle_gpus_wait_for_data_or_the_program(void **state)
{
    (void)state;
    assert_true(fabs(share_of(20, 0.6, 4) - 0.4) < 1e-9);   /* loaders work */
    assert_true(fabs(share_of(20, 0.6, 0.2) - 0.4) < 1e-9); /* nothing does: it waits */
    assert_true(share_of(20, 0.6, 1) == 0);                 /* the program itself is slow */
    assert_true(share_of(20, 0.97, 4) == 0);                /* gaps between kernels */
    assert_true(isnan(share_of(STALL_LEAST - 1, 0.6, 4)));
    assert_true(isnan(share_of(20, NAN, 4)));
    assert_true(isnan(share_of(20, 0.6, NAN)));
    assert_true(isnan(share_of(20, 1.5, 4)));
    assert_true(isnan(share_of(0, 1, 1)));
}

/* Half of the time in moments of 3 s with loaders busy: 0.75 x 0.4. */
static void moments_count_by_their_length(void **state)
{
    struct stall_moment moments[20];

    (void)state;
    for (size_t i = 0; i < 20; i++)
        moments[i] =
            i % 2 == 0 ? (struct stall_moment){3, 0.6, 4} : (struct stall_moment){1, 0.6, 1};
    assert_true(fabs(stall_share(moments, 20) - 0.3) < 1e-9);
}

static void names_of_waiting(void **state)
{
    static const struct {
        const char *name;
        double unit; /* 0: it is none */
    } names[] = {
        {"data_time", 1},
        {"train_data_time", 1},
        {"train/data_time_ms", 1e-3},
        {"Data_Time_s", 1},
        {"data_wait_avg", 1},
        {"dataloader_time_ms_mean", 1e-3},
        {"time_data", 1},
        {"metadata_time", 0},
        {"data", 0},
        {"data_time_left", 0},
        {"step_time", 0},
        {"", 0},
        {"_ms", 0},
    };
    double unit;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        bool is = stall_is_metric(str_from(names[i].name), &unit);

        if (is != (names[i].unit > 0) || (is && unit != names[i].unit))
            fail_msg("%s", names[i].name);
    }
}

/* 100 steps of 2 s at $3.60/hr, of which 0.5 s is waiting: $0.05 of $0.20. */
static void waiting_is_no_training(void **state)
{
    struct why_side side = {
        .cost = {250000000}, .rate = 3.6, .share = 1, .steps = 100, .step_s = 2};
    struct why_wait wait = {.step_s = 0.5};

    (void)state;
    side.item[WHY_TRAINING].nano = 200000000;
    assert_true(why_side_wait(&wait, &side));
    assert_int_equal(side.item[WHY_TRAINING].nano, 150000000);
    assert_int_equal(side.item[WHY_WAITS].nano, 50000000);
    assert_true(fabs(side.step_s - 1.5) < 1e-9);
    /* Of which $0.05 was seen between steps: nothing is counted twice. */
    wait.step_s = 0.8;
    side.item[WHY_DATA].nano = 50000000;
    side.item[WHY_WAITS].nano = 0;
    assert_true(why_side_wait(&wait, &side));
    assert_int_equal(side.item[WHY_TRAINING].nano, 120000000);
    assert_int_equal(side.item[WHY_WAITS].nano, 30000000);
    assert_int_equal(side.item[WHY_DATA].nano, 50000000); /* as the phases have it */
    assert_true(fabs(side.step_s - 1.2) < 1e-9);
    /* All of it was; not known; no less than a step: nothing changes. */
    wait.step_s = 0.3;
    assert_false(why_side_wait(&wait, &side));
    wait.step_s = NAN;
    assert_false(why_side_wait(&wait, &side));
    wait.step_s = 5;
    assert_false(why_side_wait(&wait, &side));
    assert_int_equal(side.item[WHY_WAITS].nano, 30000000);
    assert_true(fabs(side.step_s - 1.2) < 1e-9);
}

/* The time of a step includes the $0.04 that was seen between steps; it waits $0.06 in all. */
static void waiting_between_steps_is_in_their_time(void **state)
{
    struct why_side side = {
        .cost = {250000000}, .rate = 3.6, .share = 1, .steps = 100, .step_s = 2};
    struct why_wait wait = {.step_s = 0.6};

    (void)state;
    side.item[WHY_TRAINING].nano = 160000000;
    side.item[WHY_DATA].nano = 40000000;
    assert_true(why_side_wait(&wait, &side));
    assert_int_equal(side.item[WHY_TRAINING].nano, 140000000);
    assert_int_equal(side.item[WHY_DATA].nano, 40000000);
    assert_int_equal(side.item[WHY_WAITS].nano, 20000000);
    assert_true(fabs(side.step_s - 1.4) < 1e-9);
}

int group_stall(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_gpus_wait_for_data_or_the_program),
        cmocka_unit_test(moments_count_by_their_length),
        cmocka_unit_test(names_of_waiting),
        cmocka_unit_test(waiting_is_no_training),
        cmocka_unit_test(waiting_between_steps_is_in_their_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
