#include "nvml_stage.h"

static void reports_what_is_missing(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, ONE "all fail nvmlInit_v2 9\n");
    assert_null(gpu_nvidia.open(&s.stage.options, &s.stage.arena, s.stage.why));
    assert_string_equal(s.stage.why, "the NVIDIA driver is not loaded");
    stage_script(&s.stage, "all devices 0\n");
    assert_null(gpu_nvidia.open(&s.stage.options, &s.stage.arena, s.stage.why));
    assert_non_null(strstr(s.stage.why, "no device"));
    s.stage.options.nvml = "/nonexistent/libnvidia-ml.so.1";
    assert_null(gpu_nvidia.open(&s.stage.options, &s.stage.arena, s.stage.why));
    assert_non_null(strstr(s.stage.why, "cannot open /nonexistent"));
    s.stage.options.nvml = "libm.so.6";
    assert_null(gpu_nvidia.open(&s.stage.options, &s.stage.arena, s.stage.why));
    assert_non_null(strstr(s.stage.why, "not NVIDIA's"));
    end(&s);
}

static void reports_all_of_a_device(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    look(&s, 0, ONE "0 energy 5000000\n0 process 100 1500000000\n");
    assert_int_equal(s.count, 1);
    assert_string_equal(s.gpu[0].name, "NVIDIA H200");
    assert_string_equal(s.gpu[0].uuid, "GPU-aaaa");
    assert_near(s.gpu[0].joules, 0, 0);
    assert_near(s.gpu[0].watts, 350, 1e-9);
    assert_near(s.gpu[0].limit_watts, 700, 1e-9);
    assert_near(s.gpu[0].clock_mhz, 1500, 0);
    assert_near(s.gpu[0].clock_max_mhz, 1980, 0);
    assert_near(s.gpu[0].celsius, 55, 0);
    assert_near(s.gpu[0].busy, 0.8, 1e-9);
    assert_near(s.gpu[0].tree_busy, 0.8, 1e-9);
    assert_near(s.gpu[0].memory, 2e9, 0);
    assert_near(s.gpu[0].memory_total, 150e9, 0);
    assert_near(s.gpu[0].tree_memory, 1.5e9, 0);
    assert_int_equal(s.gpu[0].throttle, 0);
    assert_int_equal(s.gpu[0].use, GPU_OURS);
    look(&s, 1, ONE "0 energy 5600000\n0 process 100 1500000000\n");
    assert_near(s.gpu[0].joules, 600, 1e-9);
    assert_int_equal(s.gpu[0].joules_method, METHOD_COUNTER);
    assert_near(s.gpu[0].error, 0.05, 1e-9);
    assert_near(s.gpu[0].share, 1, 0);
    assert_int_equal(s.gpu[0].share_method, METHOD_COUNTER);
    end(&s);
}

static void names_reasons_to_be_slow(void **state)
{
    static const struct {
        const char *line;
        int bits;
    } cases[] = {
        {"0 reasons 1\n", 0}, /* idle */
        {"0 reasons 2\n", 0}, /* clocks that were set */
        {"0 reasons 4\n", THROTTLE_POWER},
        {"0 reasons 32\n", THROTTLE_HEAT},
        {"0 reasons 72\n", THROTTLE_HEAT | THROTTLE_HARDWARE},
        {"0 reasons 128\n", THROTTLE_HARDWARE},
        {"0 reasons 16\n", THROTTLE_OTHER},
        {"0 reasons 18446744073709551615\n", -1},
        {"", -1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct seen s = {0};
        char script[256];

        start(&s, "");
        (void)snprintf(script, sizeof script, "all devices 1\n0 energy 1\n%s", cases[i].line);
        look(&s, 0, script);
        assert_int_equal(s.gpu[0].throttle, cases[i].bits);
        end(&s);
    }
}

static void unknown_stays_unknown(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    look(&s, 0, "all devices 1\n");
    assert_int_equal(s.count, 1);
    assert_string_equal(s.gpu[0].name, "NVIDIA GPU");
    assert_true(isnan(s.gpu[0].joules) && isnan(s.gpu[0].watts) && isnan(s.gpu[0].busy));
    assert_true(isnan(s.gpu[0].memory) && isnan(s.gpu[0].clock_mhz) && isnan(s.gpu[0].celsius));
    assert_int_equal(s.gpu[0].joules_method, METHOD_NONE);
    end(&s);
    s = (struct seen){0};
    start(&s, "");
    look(&s, 0,
         "all devices 1\n0 energy 18446744073709551615\n0 power 4294967295\n0 util 4294967295\n"
         "0 process 100 18446744073709551615\n");
    assert_true(isnan(s.gpu[0].joules) && isnan(s.gpu[0].watts) && isnan(s.gpu[0].busy));
    assert_true(isnan(s.gpu[0].tree_memory));
    assert_int_equal(s.gpu[0].tree_processes, 1);
    end(&s);
}

static void samples_power_without_a_counter(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    look(&s, 0, ONE "0 process 100 1\n");
    look(&s, 2, ONE "0 process 100 1\n");
    assert_near(s.gpu[0].joules, 700, 1e-9);
    assert_int_equal(s.gpu[0].joules_method, METHOD_SAMPLED);
    assert_true(s.gpu[0].error > 0.05);
    look(&s, 4, "all devices 1\n0 power 450000\n0 process 100 1\n");
    assert_near(s.gpu[0].joules, 700 + 800, 1e-9);
    end(&s);
}

static void a_counter_that_restarts_does_not_jump(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    look(&s, 0, ONE "0 energy 9000000\n");
    look(&s, 1, ONE "0 energy 9500000\n");
    /* What passed is known by power only: 350 W. */
    look(&s, 2, ONE "0 energy 1000\n");
    assert_near(s.gpu[0].joules, 850, 1e-9);
    look(&s, 3, ONE "0 energy 101000\n");
    assert_near(s.gpu[0].joules, 950, 1e-9);
    look(&s, 4, ONE "0 energy 999999999999\n"); /* a gigajoule in a second */
    assert_near(s.gpu[0].joules, 1300, 1e-9);
    look(&s, 5, ONE "0 energy 1000000019999\n");
    assert_near(s.gpu[0].joules, 1320, 1e-9);
    end(&s);
}

#define SILENT "0 fail nvmlDeviceGetTotalEnergyConsumption 999\n0 process 100 1\n"

static void a_counter_that_fails_once_makes_up_for_it(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    look(&s, 0, ONE "0 energy 1000000\n0 process 100 1\n");
    look(&s, 1, ONE SILENT);
    assert_near(s.gpu[0].joules, 350, 1e-9); /* by power */
    assert_int_equal(s.gpu[0].joules_method, METHOD_COUNTER);
    look(&s, 2, ONE "0 energy 1800000\n0 process 100 1\n");
    assert_near(s.gpu[0].joules, 800, 1e-9);
    for (int i = 3; i < 20; i++)
        look(&s, i, ONE SILENT);
    assert_near(s.gpu[0].joules, 800 + 17 * 350.0, 1e-6);
    assert_int_equal(s.gpu[0].joules_method, METHOD_SAMPLED);
    s.stage.exact = true;
    look(&s, 20, ONE "0 energy 8000000\n0 process 100 1\n");
    assert_near(s.gpu[0].joules, 7000, 1e-9);
    assert_int_equal(s.gpu[0].joules_method, METHOD_COUNTER);
    /* Nothing at all answers. */
    for (int i = 21; i < 40; i++)
        look(&s, i, "all devices 1\n0 fail nvmlDeviceGetPowerUsage 999\n" SILENT);
    assert_true(isnan(s.gpu[0].joules));
    look(&s, 40, ONE "0 energy 9000000\n0 process 100 1\n");
    assert_near(s.gpu[0].joules, 8000, 1e-9);
    end(&s);
}

static void a_lost_device_is_unknown_and_others_go_on(void **state)
{
    struct seen s = {0};
    static const char *const failing[] = {"nvmlDeviceGetTotalEnergyConsumption 15",
                                          "nvmlDeviceGetUtilizationRates 15",
                                          "nvmlDeviceGetComputeRunningProcesses_v3 16"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char script[2048];

        s = (struct seen){0};
        start(&s, "");
        look(&s, 0, "all devices 2\n" H200 SECOND_GPU "0 energy 1000\n0 process 100 1\n");
        (void)snprintf(script, sizeof script,
                       "all devices 2\n" H200 SECOND_GPU "0 energy 9000\n0 fail %s\n",
                       failing[i]);
        look(&s, 1, script);
        assert_int_equal(s.count, 2);
        assert_true(isnan(s.gpu[0].joules) && isnan(s.gpu[0].watts) && isnan(s.gpu[0].busy));
        assert_int_equal(s.gpu[0].joules_method, METHOD_NONE);
        assert_int_equal(s.gpu[0].use, GPU_OURS); /* so that the run's energy is unknown too */
        assert_int_equal(s.gpu[0].tree_processes, -1);
        assert_near(s.gpu[1].joules, 0, 0);
        look(&s, 2, "all devices 2\n" H200 SECOND_GPU "0 energy 2000\n0 process 100 1\n");
        assert_true(isnan(s.gpu[0].joules)); /* for good */
        end(&s);
    }
}

static void only_visible_devices_are_ours(void **state)
{
    struct seen s = {0};
    const char *two = "all devices 2\n" H200 SECOND_GPU "0 energy 1000\n";

    (void)state;
    start(&s, "");
    stage_proc(&s.stage, "self", "environ", STR("A=1\0CUDA_VISIBLE_DEVICES=1\0"));
    look(&s, 0, two);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.gpu[0].index, 1);
    assert_int_equal(s.gpu[0].use, GPU_VISIBLE);
    /* A child that may use the other one widens it... */
    stage_proc(&s.stage, "100", "environ", STR("CUDA_VISIBLE_DEVICES=0,1\0"));
    look(&s, 1, two);
    assert_int_equal(s.count, 2);
    /* ...and narrows it; a process without the variable changes nothing. */
    stage_proc(&s.stage, "100", "environ", STR("A=1\0"));
    stage_proc(&s.stage, "101", "environ", STR("CUDA_VISIBLE_DEVICES=0\0"));
    look(&s, 2, two);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.gpu[0].index, 0);
    end(&s);
}

static void used_devices_count_whatever_the_environment_lists(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    stage_proc(&s.stage, "self", "environ", STR("CUDA_VISIBLE_DEVICES=\0"));
    stage_proc(&s.stage, "100", "environ", STR("CUDA_VISIBLE_DEVICES=\0"));
    look(&s, 0, "all devices 2\n" H200 SECOND_GPU "0 energy 1000\n");
    assert_int_equal(s.count, 0);
    for (int i = 1; i < 4; i++) /* one process is read at a time */
        look(&s, i, "all devices 2\n" H200 SECOND_GPU "0 energy 500000\n0 process 101 7\n");
    assert_int_equal(s.count, 1);
    assert_int_equal(s.gpu[0].use, GPU_OURS);
    /* What it used before it was found is not the tree's. */
    look(&s, 4, "all devices 2\n" H200 SECOND_GPU "0 energy 700000\n0 process 101 7\n");
    assert_near(s.gpu[0].joules * s.gpu[0].share, 200, 1e-6);
    end(&s);
}

static void complete_machine_includes_all_processes(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    s.stage.options.tree = 0;
    s.stage.tree.count = 0;
    stage_proc(&s.stage, "self", "environ", STR("CUDA_VISIBLE_DEVICES=\0"));
    look(&s, 0, "all devices 2\n" H200 SECOND_GPU "0 energy 1000\n0 process 7 7\n");
    assert_int_equal(s.count, 2);
    look(&s, 1, "all devices 2\n" H200 SECOND_GPU "0 energy 2000\n0 process 7 7\n");
    assert_int_equal(s.gpu[0].use, GPU_OURS);
    assert_near(s.gpu[0].share, 1, 0);
    assert_int_equal(s.gpu[1].use, GPU_OURS);
    end(&s);
}

static void a_tree_that_comes_and_goes_pays_for_its_time(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    look(&s, 0, ONE "0 energy 0\n");
    look(&s, 1, ONE "0 energy 100000\n"); /* no process */
    look(&s, 2, ONE "0 energy 200000\n0 process 100 1\n");
    look(&s, 3, ONE "0 energy 300000\n0 process 100 1\n");
    look(&s, 4, ONE "0 energy 400000\n");
    look(&s, 5, ONE "0 energy 500000\n");
    assert_near(s.gpu[0].joules, 500, 1e-9);
    assert_near(s.gpu[0].joules * s.gpu[0].share, 50 + 100 + 50, 1e-9);
    assert_int_equal(s.gpu[0].use, GPU_OURS); /* its energy must stay in the sum */
    assert_int_equal(s.gpu[0].tree_processes, 0);
    end(&s);
}

#define BOTH "0 process 100 1000000000\n0 process 999 3000000000\n"

static void a_shared_device_is_split_by_work(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    stage_proc(&s.stage, "999", "comm", STR("python3\n"));
    look(&s, 0, ONE "0 energy 0\n" BOTH "0 sm 100 60 10\n0 sm 999 20 10\n");
    look(&s, 5, ONE "0 energy 100000\n" BOTH "0 sm 100 60 20\n0 sm 999 20 20\n");
    assert_int_equal(s.gpu[0].use, GPU_SHARED);
    assert_int_equal(s.gpu[0].processes, 2);
    assert_int_equal(s.gpu[0].tree_processes, 1);
    assert_near(s.gpu[0].share, 0.75, 1e-9);
    assert_near(s.gpu[0].tree_busy, 0.6, 1e-9);
    assert_int_equal(s.gpu[0].share_method, METHOD_SAMPLED);
    /* Two readings of the same process since the last sample: their mean. */
    look(&s, 10,
         ONE "0 energy 200000\n" BOTH
             "0 sm 100 30 25\n0 sm 100 10 30\n0 sm 999 80 30\n0 sm 999 99 20\n");
    assert_near(s.gpu[0].joules * s.gpu[0].share, 75 + 20, 1e-9);
    /* It is used until the next reading. */
    look(&s, 12, ONE "0 energy 300000\n" BOTH);
    assert_near(s.gpu[0].joules * s.gpu[0].share, 75 + 20 + 20, 1e-9);
    assert_int_equal(stage_calls(&s.stage, "nvmlDeviceGetProcessUtilization"), 3);
    /* No process has worked since the reading at 10 s: that time is divided equally. */
    look(&s, 15, ONE "0 energy 400000\n" BOTH);
    assert_near(s.gpu[0].joules * s.gpu[0].share, 75 + 20 + 100, 1e-9);
    end(&s);
}

/* What the driver answers at first reaches back to before the run was there: with the other one
 * alone on the device for all of that time. */
static void work_before_the_run_came_is_not_shared(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    stage_proc(&s.stage, "999", "comm", STR("python3\n"));
    look(&s, 0, ONE "0 energy 0\n" BOTH "0 sm 999 97 10\n0 sm 100 3 10\n");
    assert_near(s.gpu[0].share, 0.5, 1e-9); /* not known yet */
    look(&s, 0.5, ONE "0 energy 100000\n" BOTH "0 sm 999 97 10\n0 sm 100 3 10\n");
    look(&s, 5, ONE "0 energy 500000\n" BOTH "0 sm 999 50 20\n0 sm 100 48 19\n");
    assert_near(s.gpu[0].share, 48 / 98.0, 1e-9);
    assert_int_equal(s.gpu[0].share_method, METHOD_SAMPLED);
    end(&s);
}

/* A reading comes after the time that it is about: that time is divided by it, as far as the
 * tree's energy does not decrease; the rest follows, and all of it at the end. */
static void work_reading_divides_the_time_before_it(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    stage_proc(&s.stage, "999", "comm", STR("python3\n"));
    look(&s, 0, ONE "0 energy 0\n" BOTH);
    look(&s, 0.8, ONE "0 energy 400000\n" BOTH);
    assert_near(s.gpu[0].joules * s.gpu[0].share, 200, 1e-9);
    look(&s, 1, ONE "0 energy 500000\n" BOTH "0 sm 999 90 20\n0 sm 100 10 20\n");
    assert_near(s.gpu[0].joules * s.gpu[0].share, 200, 1e-9); /* 50 are right */
    look(&s, 2, ONE "0 energy 600000\n" BOTH);
    assert_near(s.gpu[0].joules * s.gpu[0].share, 200, 1e-9);
    s.stage.exact = true;
    look(&s, 3, ONE "0 energy 700000\n" BOTH "0 sm 999 50 30\n0 sm 100 50 30\n");
    assert_near(s.gpu[0].joules * s.gpu[0].share, 50 + 100, 1e-9);
    end(&s);
}

/* Shares add up to 1 over all processes that worked, also those that have ended since, or whose
 * percentages do not add up to the device's. */
static void a_busy_device_is_divided_among_all_its_users(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    stage_proc(&s.stage, "999", "comm", STR("python3\n"));
    look(&s, 0, ONE "0 energy 0\n" BOTH);
    look(&s, 5,
         ONE "0 energy 100000\n" BOTH
             "0 sm 999 20 20\n0 sm 100 20 20\n0 sm 555 20 15\n0 sm 101 20 14\n");
    assert_near(s.gpu[0].share, 0.5, 1e-9);
    /* The other one ends: it is read once more, and then the device is ours alone. */
    look(&s, 7,
         ONE "0 energy 200000\n0 process 100 1000000000\n"
             "0 sm 999 75 30\n0 sm 100 25 30\n");
    assert_near(s.gpu[0].joules * s.gpu[0].share, 50 + 25, 1e-9);
    look(&s, 8, ONE "0 energy 300000\n0 process 100 1000000000\n");
    assert_near(s.gpu[0].joules * s.gpu[0].share, 50 + 25 + 100, 1e-9);
    assert_int_equal(stage_calls(&s.stage, "nvmlDeviceGetProcessUtilization"), 3);
    end(&s);
}

static void shared_device_is_split_by_memory_without_work_readings(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    stage_proc(&s.stage, "999", "comm", STR("python3\n"));
    look(&s, 0, ONE "0 energy 0\n" BOTH "0 fail nvmlDeviceGetProcessUtilization 4\n");
    look(&s, 1, ONE "0 energy 100000\n" BOTH "0 fail nvmlDeviceGetProcessUtilization 4\n");
    assert_near(s.gpu[0].share, 0.25, 1e-9);
    assert_int_equal(s.gpu[0].share_method, METHOD_MODELED);
    assert_true(isnan(s.gpu[0].tree_busy));
    end(&s);
}

static void a_service_that_works_for_others_is_no_user(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    stage_proc(&s.stage, "50", "comm", STR("nvidia-cuda-mps\n"));
    look(&s, 0, ONE "0 energy 0\n0 process 50 1000\n0 process 100 1000\n");
    assert_int_equal(s.gpu[0].use, GPU_OURS);
    assert_int_equal(s.gpu[0].processes, 1);
    end(&s);
    /* Its clients may have their own list. */
    s = (struct seen){0};
    start(&s, "");
    stage_proc(&s.stage, "50", "comm", STR("nvidia-cuda-mps\n"));
    stage_proc(&s.stage, "999", "comm", STR("python3\n"));
    for (int i = 0; i < 2; i++)
        look(&s, i, ONE "0 energy 0\n0 process 50 1000\n0 client 100 7\n0 client 999 7\n");
    assert_int_equal(s.gpu[0].use, GPU_SHARED);
    assert_int_equal(s.gpu[0].processes, 2);
    end(&s);
}

static void numbers_of_another_namespace_are_matched_or_guessed(void **state)
{
    struct seen s = {0};
    static const char script[] = ONE "0 energy 0\n0 process 31337 1000\n";

    (void)state;
    /* The tree's process has that number in another namespace. */
    start(&s, "");
    stage_proc(&s.stage, "101", "status", STR("Name:\tx\nNSpid:\t101\t31337\nNSsid:\t1\n"));
    look(&s, 0, script);
    assert_int_equal(s.gpu[0].use, GPU_OURS);
    assert_int_equal(s.gpu[0].share_method, METHOD_COUNTER);
    end(&s);
    /* In a container: unknown, so it is assumed to be ours. */
    s = (struct seen){0};
    start(&s, "");
    stage_link(&s.stage, "self", "ns", "pid", "pid:[4026539999]");
    look(&s, 0, script);
    assert_int_equal(s.gpu[0].use, GPU_OURS);
    assert_int_equal(s.gpu[0].share_method, METHOD_MODELED);
    end(&s);
    /* Not in one: another user's process that we cannot see. */
    s = (struct seen){0};
    start(&s, "");
    stage_link(&s.stage, "self", "ns", "pid", "pid:[4026531836]");
    look(&s, 0, script);
    assert_int_equal(s.gpu[0].use, GPU_VISIBLE);
    assert_int_equal(s.gpu[0].processes, 1);
    assert_near(s.gpu[0].share, 0, 0);
    end(&s);
}

static void an_empty_list_in_a_container_is_guessed_by_open_files(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    stage_link(&s.stage, "self", "ns", "pid", "pid:[4026539999]");
    look(&s, 0, ONE "0 energy 0\n");
    assert_int_equal(s.gpu[0].use, GPU_VISIBLE);
    stage_link(&s.stage, "101", "fd", "7", "/dev/nvidia-uvm");
    look(&s, 10, ONE "0 energy 1000\n");
    assert_int_equal(s.gpu[0].use, GPU_OURS);
    assert_int_equal(s.gpu[0].share_method, METHOD_MODELED);
    end(&s);
    s = (struct seen){0};
    start(&s, ""); /* an idle device has no user */
    stage_link(&s.stage, "self", "ns", "pid", "pid:[4026539999]");
    stage_link(&s.stage, "101", "fd", "7", "/dev/nvidia-uvm");
    look(&s, 0, "all devices 2\n" H200 SECOND_GPU);
    assert_int_equal(s.gpu[0].use, GPU_OURS);
    assert_int_equal(s.gpu[1].use, GPU_VISIBLE);
    end(&s);
}

static void long_entries_of_the_first_535_drivers_are_read(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    look(&s, 0,
         ONE "all long 1\n0 energy 0\n0 process 100 1000\n0 process 101 2000\n"
             "0 graphics 999 500\n");
    assert_int_equal(s.gpu[0].processes, 3);
    assert_int_equal(s.gpu[0].tree_processes, 2);
    assert_near(s.gpu[0].tree_memory, 3000, 0);
    end(&s);
}

static void old_library_is_supported(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    stage_library(&s.stage, "fake_nvml_old.so");
    stage_proc(&s.stage, "999", "comm", STR("python3\n"));
    look(&s, 0, ONE "0 energy 5\n" BOTH);
    look(&s, 1, ONE "0 energy 5\n" BOTH);
    assert_near(s.gpu[0].joules, 350, 1e-9);
    assert_int_equal(s.gpu[0].joules_method, METHOD_SAMPLED);
    assert_near(s.gpu[0].memory, 2e9, 0);
    assert_near(s.gpu[0].share, 0.25, 1e-9);
    end(&s);
}

#define CUT \
    "all devices 1\n" H200 "0 mig 7\n0/0 name NVIDIA H200 MIG 1g.18gb\n0/0 uuid MIG-1\n" \
    "0/0 gpuslices 1\n0/0 cislices 1\n0/0 slicemb 17881\n0/0 total 18750000000\n0/0 used 5\n" \
    "0/2 name NVIDIA H200 MIG 3g.71gb\n0/2 uuid MIG-2\n0/2 gpuslices 3\n0/2 cislices 3\n" \
    "0/2 slicemb 71525\n0/2 total 75000000000\n0/2 used 6\n"

static void slices_have_their_part_of_the_device(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    look(&s, 0, CUT "0 energy 0\n0/2 process 100 6\n");
    look(&s, 1, CUT "0 energy 400000\n0/2 process 100 6\n");
    assert_int_equal(s.count, 2); /* not the device itself */
    assert_true(s.gpu[0].slice && s.gpu[1].slice);
    assert_string_equal(s.gpu[1].uuid, "MIG-2");
    assert_near(s.gpu[0].joules, 400 * (1 / 7.0 + 0.125) / 2, 0.01);
    assert_near(s.gpu[1].joules, 400 * (3 / 7.0 + 0.5) / 2, 0.01);
    assert_int_equal(s.gpu[1].joules_method, METHOD_MODELED);
    assert_int_equal(s.gpu[0].use, GPU_VISIBLE);
    assert_int_equal(s.gpu[1].use, GPU_OURS);
    assert_near(s.gpu[1].share, 1, 0);
    assert_true(isnan(s.gpu[1].busy));
    end(&s);
}

static void more_processes_than_there_is_room_for_are_refused(void **state)
{
    static char script[16384];
    struct seen s = {0};
    size_t len = (size_t)snprintf(script, sizeof script, ONE "0 energy 0\n");

    (void)state;
    for (int i = 0; i < GPU_USERS + 5; i++)
        len += (size_t)snprintf(script + len, sizeof script - len, "0 process %d 10\n", i + 1);
    start(&s, "");
    look(&s, 0, script);
    assert_int_equal(s.gpu[0].use, GPU_VISIBLE);
    end(&s);
}

static void a_device_that_does_not_answer_keeps_its_number(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s, "");
    look(&s, 0, "all devices 2\n0 fail nvmlDeviceGetHandleByIndex_v2 15\n" H200 SECOND_GPU);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.gpu[0].index, 1);
    end(&s);
}

static void survives_out_of_memory(void **state)
{
    (void)state;
    for (size_t allow = 0; allow < 4; allow++) {
        struct failing_alloc memory = {allow, 0};
        struct alloc alloc = {failing_get, failing_put, &memory};
        struct seen s = {0};
        void *got;

        start(&s, ONE "0 energy 1\n");
        s.stage.arena = (struct arena){.alloc = &alloc};
        got = gpu_nvidia.open(&s.stage.options, &s.stage.arena, s.stage.why);
        assert_true(allow == 3 ? got != NULL : got == NULL);
        s.nvml = got;
        end(&s);
        assert_int_equal(memory.held, 0);
    }
}

int group_nvml(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_what_is_missing),
        cmocka_unit_test(reports_all_of_a_device),
        cmocka_unit_test(names_reasons_to_be_slow),
        cmocka_unit_test(unknown_stays_unknown),
        cmocka_unit_test(samples_power_without_a_counter),
        cmocka_unit_test(a_counter_that_restarts_does_not_jump),
        cmocka_unit_test(a_counter_that_fails_once_makes_up_for_it),
        cmocka_unit_test(a_lost_device_is_unknown_and_others_go_on),
        cmocka_unit_test(only_visible_devices_are_ours),
        cmocka_unit_test(used_devices_count_whatever_the_environment_lists),
        cmocka_unit_test(complete_machine_includes_all_processes),
        cmocka_unit_test(a_tree_that_comes_and_goes_pays_for_its_time),
        cmocka_unit_test(a_shared_device_is_split_by_work),
        cmocka_unit_test(work_before_the_run_came_is_not_shared),
        cmocka_unit_test(work_reading_divides_the_time_before_it),
        cmocka_unit_test(a_busy_device_is_divided_among_all_its_users),
        cmocka_unit_test(shared_device_is_split_by_memory_without_work_readings),
        cmocka_unit_test(a_service_that_works_for_others_is_no_user),
        cmocka_unit_test(numbers_of_another_namespace_are_matched_or_guessed),
        cmocka_unit_test(an_empty_list_in_a_container_is_guessed_by_open_files),
        cmocka_unit_test(long_entries_of_the_first_535_drivers_are_read),
        cmocka_unit_test(old_library_is_supported),
        cmocka_unit_test(slices_have_their_part_of_the_device),
        cmocka_unit_test(more_processes_than_there_is_room_for_are_refused),
        cmocka_unit_test(a_device_that_does_not_answer_keeps_its_number),
        cmocka_unit_test(survives_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
