/* What a run is doing, from what is observed. */
#include "run/supervise/phase.h"
#include "test.h"

static struct phase_sight quiet(bool has_gpu)
{
    return (struct phase_sight){.reported = -1,
                                .has_gpu = has_gpu,
                                .gpu_busy = has_gpu ? 0 : (double)NAN,
                                .cpu_cores = 0,
                                .io_rate = 0};
}

/* The phase after `seconds` of the same sight. */
static enum run_phase after(struct phase_watch *w, const struct phase_sight *s, int seconds)
{
    enum run_phase phase = PHASE_COUNT;

    for (int i = 0; i < seconds; i++)
        phase = phase_see(w, s, 1);
    return phase;
}

static void names_are_read(void **state)
{
    (void)state;
    assert_int_equal(phase_parse(STR("train")), PHASE_TRAIN);
    assert_int_equal(phase_parse(STR(" EVAL ")), PHASE_EVALUATE);
    assert_int_equal(phase_parse(STR("checkpoint")), PHASE_CHECKPOINT);
    assert_int_equal(phase_parse(STR("")), -1);
    assert_int_equal(phase_parse(STR("lunch")), -1);
    assert_int_equal(phase_parse(STR("auto")), PHASE_COUNT);
    for (int i = 0; i < PHASE_COUNT; i++)
        assert_int_equal(phase_parse(str_from(phase_name((enum run_phase)i))), i);
}

static void reported_phase_wins(void **state)
{
    struct phase_watch w = {.trained = false};
    struct phase_sight s = quiet(true);

    (void)state;
    s.reported = PHASE_EVALUATE;
    s.gpu_busy = 1;
    s.stepped = true;
    assert_int_equal(phase_see(&w, &s, 1), PHASE_EVALUATE);
}

static void set_up_ends_with_the_first_step(void **state)
{
    struct phase_watch w = {.trained = false};
    struct phase_sight s = quiet(true);

    (void)state;
    s.cpu_cores = 2;
    assert_int_equal(after(&w, &s, 300), PHASE_SETUP);
    s.stepped = true;
    assert_int_equal(phase_see(&w, &s, 1), PHASE_TRAIN);
    s.stepped = false;
    assert_int_equal(phase_see(&w, &s, 1), PHASE_DATA);
    s.gpu_busy = 0.9;
    assert_int_equal(phase_see(&w, &s, 1), PHASE_TRAIN);
}

static void busy_device_is_training(void **state)
{
    struct phase_watch w = {.trained = false};
    struct phase_sight s = quiet(true);

    (void)state;
    s.gpu_busy = 0.8;
    assert_int_equal(after(&w, &s, 4), PHASE_SETUP);
    assert_int_equal(after(&w, &s, 2), PHASE_TRAIN);
    s = quiet(false);
    w = (struct phase_watch){.trained = false};
    s.cpu_cores = 4;
    assert_int_equal(after(&w, &s, 29), PHASE_SETUP);
    assert_int_equal(after(&w, &s, 2), PHASE_TRAIN);
    s.cpu_cores = 0;
    s.io_rate = 1e8;
    assert_int_equal(after(&w, &s, 1), PHASE_DATA);
}

static void quiet_becomes_idle(void **state)
{
    struct phase_watch w = {.trained = true};
    struct phase_sight s = quiet(true);

    (void)state;
    assert_int_equal(after(&w, &s, 2), PHASE_TRAIN); /* between two steps */
    assert_int_equal(after(&w, &s, 1), PHASE_IDLE);
    s.cpu_cores = 1;
    assert_int_equal(after(&w, &s, 1), PHASE_DATA);
    w = (struct phase_watch){.trained = false};
    s = quiet(false);
    assert_int_equal(after(&w, &s, 59), PHASE_SETUP);
    assert_int_equal(after(&w, &s, 1), PHASE_IDLE);
}

static void evaluations_last_between_their_lines(void **state)
{
    struct phase_watch w = {.trained = true};
    struct phase_sight s = quiet(true);

    (void)state;
    s.gpu_busy = 0.9;
    s.evaluated = true;
    assert_int_equal(phase_see(&w, &s, 1), PHASE_EVALUATE);
    s.evaluated = false;
    assert_int_equal(after(&w, &s, 4), PHASE_EVALUATE);
    assert_int_equal(after(&w, &s, 1), PHASE_TRAIN);
    s.evaluated = true;
    assert_int_equal(phase_see(&w, &s, 1), PHASE_EVALUATE);
    s.evaluated = false;
    s.stepped = true;
    assert_int_equal(phase_see(&w, &s, 1), PHASE_TRAIN);
    s.stepped = false;
    assert_int_equal(phase_see(&w, &s, 1), PHASE_TRAIN);
}

static void checkpoint_counts_when_it_delays_training(void **state)
{
    struct phase_watch w = {.trained = true};
    struct phase_sight s = quiet(true);

    (void)state;
    s.saving_s = 0.001;
    s.gpu_busy = 0.9;
    assert_int_equal(phase_see(&w, &s, 1), PHASE_TRAIN);
    assert_near(phase_saving(&s, 1), 0.001, 1e-12);
    s.saving_s = 0.3;
    assert_near(phase_saving(&s, 1), 0.1, 1e-12); /* the device was at work for the rest */
    s.gpu_busy = NAN;
    assert_near(phase_saving(&s, 1), 0.3, 1e-12);
    s.saving_s = 5; /* seen late: the rest comes later */
    assert_near(phase_saving(&s, 1), 1, 1e-12);
    s.reported = PHASE_TRAIN;
    assert_near(phase_saving(&s, 1), 0, 0);
}

/* A disk that is slow to take it leaves nothing busy: that is not idleness. */
static void saving_is_not_idle(void **state)
{
    struct phase_watch w = {.trained = true};
    struct phase_sight s = quiet(true);

    (void)state;
    s.saving_s = 0.5;
    assert_int_not_equal(after(&w, &s, 60), PHASE_IDLE);
}

static void unknown_is_not_busy(void **state)
{
    struct phase_watch w = {.trained = true};
    struct phase_sight s = quiet(true);

    (void)state;
    s.gpu_busy = s.io_rate = NAN;
    s.cpu_cores = 1;
    assert_int_equal(phase_see(&w, &s, 1), PHASE_TRAIN); /* the device may well be at work */
    s.cpu_cores = NAN;
    assert_int_equal(after(&w, &s, 10), PHASE_IDLE);
}

int group_phase(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read),
        cmocka_unit_test(reported_phase_wins),
        cmocka_unit_test(set_up_ends_with_the_first_step),
        cmocka_unit_test(busy_device_is_training),
        cmocka_unit_test(quiet_becomes_idle),
        cmocka_unit_test(evaluations_last_between_their_lines),
        cmocka_unit_test(checkpoint_counts_when_it_delays_training),
        cmocka_unit_test(saving_is_not_idle),
        cmocka_unit_test(unknown_is_not_busy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
