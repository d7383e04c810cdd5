/* How busy a run, or a machine, is. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "run/supervise/alert_events.h"
#include "run/supervise/guard.h"

/* A machine with `cores` and devices that the tree uses alone, this busy. */
static struct meter_sample *machine(double cores, size_t gpus, double busy)
{
    static struct meter_sample sample;

    sample = (struct meter_sample){.host.cores = cores, .gpus = gpus};
    for (size_t i = 0; i < gpus; i++)
        sample.gpu[i] = (struct gpu_sample){.use = GPU_OURS,
                                            .busy = busy,
                                            .tree_busy = busy,
                                            .processes = 1,
                                            .tree_processes = 1};
    return &sample;
}

static double run_busy(const struct meter_sample *sample, double cores)
{
    return busy_of_run(sample, &(struct use_now){cores, NAN});
}

static double machine_busy(const struct meter_sample *sample, double cores)
{
    return busy_of_machine(sample, &(struct use_now){cores, NAN});
}

/* One core is at work, however many there are. */
static void a_core_is_a_core(void **state)
{
    (void)state;
    assert_near(run_busy(machine(64, 0, 0), 1), 1, 0);
    assert_near(run_busy(machine(64, 0, 0), 0.02), 0.02, 0);
    assert_near(machine_busy(machine(64, 0, 0), 1), 1, 0);
    assert_near(machine_busy(machine(4, 0, 0), 0.2), 0.05, 0); /* its daemons */
    assert_near(run_busy(machine(4, 1, 0.01), 2), 1, 0);
}

static void disk_and_network_are_work(void **state)
{
    (void)state;
    assert_near(busy_of_run(machine(4, 1, 0), &(struct use_now){0, USE_RATE / 4}), 0.25, 1e-12);
    assert_near(busy_of_machine(machine(4, 0, 0), &(struct use_now){0, 1e9}), 1, 0);
    assert_near(busy_of_run(machine(4, 0, 0), &(struct use_now){NAN, 0}), 0, 0);
}

static void cores_are_between_none_and_all(void **state)
{
    (void)state;
    assert_near(machine_busy(machine(2, 0, 0), 64), 1, 0); /* others' cores are seen too */
    assert_near(machine_busy(machine(2, 0, 0), -0.01), 0, 0);
}

static void of_a_machine_the_busier_counts(void **state)
{
    (void)state;
    assert_near(machine_busy(machine(4, 2, 0.02), 4), 1, 0);
    assert_near(machine_busy(machine(4, 2, 0.9), 0), 0.9, 0);
}

static void the_busiest_device_counts(void **state)
{
    struct meter_sample *sample = machine(4, 3, 0.1);

    (void)state;
    sample->gpu[1].busy = sample->gpu[1].tree_busy = 0.7;
    assert_near(run_busy(sample, 0), 0.7, 0);
    assert_near(machine_busy(sample, 0), 0.7, 0);
}

static void a_device_that_the_run_does_not_use_is_not_its_work(void **state)
{
    struct meter_sample *sample = machine(4, 2, 0.9);

    (void)state;
    sample->gpu[0].use = GPU_VISIBLE;
    sample->gpu[1].busy = sample->gpu[1].tree_busy = 0.1;
    assert_near(run_busy(sample, 0), 0.1, 0);
    sample->gpu[1].use = GPU_VISIBLE; /* none yet: the cores */
    assert_near(run_busy(sample, 0.5), 0.5, 0);
    assert_near(machine_busy(sample, 0), 0.9, 0);
}

static void work_of_others_on_a_shared_device_is_not_the_runs(void **state)
{
    struct meter_sample *sample = machine(4, 1, 0.9);

    (void)state;
    sample->gpu[0].use = GPU_SHARED;
    sample->gpu[0].tree_busy = 0.01;
    assert_near(run_busy(sample, 0), 0.01, 0);
    assert_near(machine_busy(sample, 0), 0.9, 0);
    sample->gpu[0].tree_busy = NAN; /* whose work it is is unknown */
    assert_near(run_busy(sample, 0), 0.9, 0);
    sample->gpu[0].tree_busy = 0; /* nor which processes use it: 0 is no answer then */
    sample->gpu[0].tree_processes = -1;
    assert_near(run_busy(sample, 0), 0.9, 0);
}

static void a_silent_device_does_not_hide_the_others(void **state)
{
    for (size_t silent = 0; silent < 2; silent++) {
        struct meter_sample *sample = machine(4, 2, 0.3);

        sample->gpu[silent].busy = sample->gpu[silent].tree_busy = NAN;
        assert_near(run_busy(sample, 0), 0.3, 0);
        assert_near(machine_busy(sample, 0), 0.3, 0);
        assert_near(machine_busy(sample, NAN), 0.3, 0);
    }
    (void)state;
}

static void unreported_use_is_unknown(void **state)
{
    (void)state;
    assert_true(isnan(run_busy(machine(4, 2, NAN), 0)));
    assert_true(isnan(run_busy(machine(4, 0, 0), NAN)));
    assert_true(isnan(machine_busy(machine(4, 2, NAN), NAN)));
    assert_near(machine_busy(machine(4, 2, NAN), 0), 0, 0); /* the cores decide */
}

#define AT(minutes) ((instant){(minutes)*INT64_C(60000000000) + 1})

static void half_an_hour_of_low_use_is_reported_once(void **state)
{
    struct use_watch watch = {.reported = false};
    double mean = NAN;
    int reports = 0;

    (void)state;
    for (int m = 0; m <= 30; m++) /* busy */
        assert_false(use_see(&watch, 0.9, 0.5, AT(m), &mean));
    for (int m = 31; m <= 60; m++) {
        bool low = use_see(&watch, 0.2, 0.5, AT(m), &mean);

        assert_int_equal(low, m == 60);
        if (low)
            assert_near(mean, 0.2, 1e-9);
    }
    for (int m = 61; m <= 200; m++)
        reports += use_see(&watch, 0.2, 0.5, AT(m), &mean);
    assert_int_equal(reports, 0);
    watch = (struct use_watch){.reported = false};
    for (int m = 0; m <= 100; m++) /* nothing is known: nothing is reported */
        assert_false(use_see(&watch, m % 5 == 0 ? 0 : NAN, 0.5, AT(m), &mean));
}

static void events_belong_to_groups(void **state)
{
    struct arena arena = test_arena();
    struct str name = STR("costs");
    struct alert_events alerts;
    struct error err = {0};

    (void)state;
    assert_int_equal(alert_on_event("idle-warning"), ALERT_ON_IDLE);
    assert_int_equal(alert_on_event("low-utilization"), ALERT_ON_UTILIZATION);
    assert_int_equal(alert_on_event("budget-75"), ALERT_ON_COST);
    assert_int_equal(alert_on_event("month"), ALERT_ON_COST);
    assert_int_equal(alert_on_event("divergence"), ALERT_ON_STOP);
    assert_int_equal(alert_on_event("taken"), ALERT_ON_NOTICE);
    assert_int_equal(alert_on_event("checkpoint"), 0);
    assert_int_equal(alert_on_event("early-stop-near"), 0);
    assert_false(alert_events_make((struct strs){&name, 1}, (struct strs){&name, 1}, STR(""),
                                   &arena, &alerts, &err));
    assert_non_null(strstr(err.text, "'costs' is not a kind of event"));
    arena_free(&arena);
}

int group_busy(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_core_is_a_core),
        cmocka_unit_test(disk_and_network_are_work),
        cmocka_unit_test(cores_are_between_none_and_all),
        cmocka_unit_test(of_a_machine_the_busier_counts),
        cmocka_unit_test(the_busiest_device_counts),
        cmocka_unit_test(a_device_that_the_run_does_not_use_is_not_its_work),
        cmocka_unit_test(work_of_others_on_a_shared_device_is_not_the_runs),
        cmocka_unit_test(a_silent_device_does_not_hide_the_others),
        cmocka_unit_test(unreported_use_is_unknown),
        cmocka_unit_test(half_an_hour_of_low_use_is_reported_once),
        cmocka_unit_test(events_belong_to_groups),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
