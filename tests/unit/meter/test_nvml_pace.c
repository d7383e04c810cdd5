/* Expensive calls are made rarely, and nothing is lost by it. */
#include "nvml_stage.h"

/* 100 seconds at a power of which the counter reports `part`. */
static void run_apart(struct seen *s, double part)
{
    double before = 0;

    for (int i = 0; i <= 100; i++) {
        char script[1024];

        (void)snprintf(script, sizeof script, ONE "0 energy %.0f\n0 process 100 1\n",
                       i * 350e3 * part);
        look(s, i, script);
        /* It never decreases, and a rate from two samples is never far off. */
        if (i > 0)
            assert_true(s->gpu[0].joules - before >= 0.49 * 350 &&
                        s->gpu[0].joules - before <= 1.51 * 350);
        assert_int_equal(s->gpu[0].joules_method, METHOD_COUNTER);
        before = s->gpu[0].joules;
    }
}

static void expensive_counter_is_read_rarely_and_followed(void **state)
{
    static const double part[] = {0.91, 1, 1.02, 1.3};

    (void)state;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        struct seen s = {0};
        double all = 100 * 350 * part[i], ahead = 15 * 350 * (1 - part[i]);
        char script[1024];
        unsigned calls;

        start(&s, "");
        call_ms = 3.8;
        run_apart(&s, part[i]);
        calls = stage_calls(&s.stage, "nvmlDeviceGetTotalEnergyConsumption");
        assert_in_range(calls, 7, 9); /* each 13 s */
        /* Off by no more than what a period can bring. */
        assert_true(fabs(s.gpu[0].joules - all) <= fabs(ahead) + 1);
        s.stage.exact = true;
        (void)snprintf(script, sizeof script, ONE "0 energy %.0f\n0 process 100 1\n",
                       all * 1e3);
        look(&s, 100, script);
        assert_int_equal(stage_calls(&s.stage, "nvmlDeviceGetTotalEnergyConsumption"),
                         calls + 1);
        assert_true(s.gpu[0].joules >= all - 1e-6);
        assert_true(s.gpu[0].joules <= all + fmax(ahead, 0) + 1e-6);
        end(&s);
    }
}

/* Samples of a minute at eight devices, two processes on each when `shared`. */
static void watch_eight(struct seen *s, bool shared)
{
    static char script[8192];
    size_t len = (size_t)snprintf(script, sizeof script, "all devices 8\n");

    for (int i = 0; i < 8; i++)
        len += (size_t)snprintf(script + len, sizeof script - len,
                                "%d energy 1000\n%d power 0\n%d process 100 1\n", i, i, i);
    for (int i = 0; shared && i < 8; i++)
        len += (size_t)snprintf(script + len, sizeof script - len,
                                "%d process 999 1\n%d sm 100 50 10\n", i, i);
    start(s, "");
    stage_proc(&s->stage, "999", "comm", STR("python3\n"));
    call_ms = shared ? 1.4 : 3.8;
    for (int i = 0; i < 60; i++)
        look(s, i, script);
}

static void expensive_calls_are_few(void **state)
{
    struct seen s = {0};

    (void)state;
    watch_eight(&s, false);
    assert_int_equal(s.count, 8);
    /* Each once to begin: 30 ms, for which a hundred seconds must pass. */
    assert_int_equal(stage_calls(&s.stage, "nvmlDeviceGetTotalEnergyConsumption"), 8);
    assert_int_equal(stage_calls(&s.stage, "nvmlDeviceGetProcessUtilization"), 0);
    assert_in_range(stage_calls(&s.stage, "nvmlDeviceGetPowerUsage"), 8 * 60, 8 * 60);
    s.stage.exact = true;
    look(&s, 60, "all devices 8\n0 energy 1000\n");
    assert_int_equal(stage_calls(&s.stage, "nvmlDeviceGetTotalEnergyConsumption"), 16);
    end(&s);
    s = (struct seen){0};
    watch_eight(&s, true);
    /* 0.3 ms a second for all of them, and each has had its turn. */
    assert_in_range(stage_calls(&s.stage, "nvmlDeviceGetProcessUtilization"), 11, 14);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(s.gpu[i].share_method, METHOD_SAMPLED);
    end(&s);
}

static void cheap_counters_are_read_at_each_sample(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    call_ms = 0.02;
    for (int i = 0; i < 30; i++)
        look(&s, i, "all devices 2\n" H200 SECOND_GPU "0 energy 1000\n");
    assert_int_equal(stage_calls(&s.stage, "nvmlDeviceGetTotalEnergyConsumption"), 60);
    end(&s);
}

static void power_of_long_ago_is_not_trusted(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    call_ms = 3.8;
    look(&s, 0, ONE "0 energy 0\n0 process 100 1\n");
    look(&s, 1, ONE "0 energy 350000\n0 process 100 1\n");
    look(&s, 40, ONE "0 energy 9000000\n0 process 100 1\n");
    assert_int_equal(stage_calls(&s.stage, "nvmlDeviceGetTotalEnergyConsumption"), 2);
    end(&s);
}

int group_nvml_pace(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expensive_counter_is_read_rarely_and_followed),
        cmocka_unit_test(expensive_calls_are_few),
        cmocka_unit_test(cheap_counters_are_read_at_each_sample),
        cmocka_unit_test(power_of_long_ago_is_not_trusted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
