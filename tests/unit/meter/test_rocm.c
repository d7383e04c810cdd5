#include "fake.h"

#define ONE \
    "all devices 1\n0 name AMD Instinct MI300X\n0 id 1a2b3c\n0 cap 750000000\n0 total " \
    "206000000000\n" \
    "0 used 9000000000\n0 busy 40\n0 junction 61000\n0 clocks 3 1 132000000 1500000000 " \
    "2100000000\n" \
    "0 power 300000000\n"
#define OURS "all process 100\n100 on 0\n100 use0 8000000000 30\n"
#define THEIRS "all process 999\n999 on 0\n999 use0 2000000000 10\n"

struct seen {
    struct stage stage;
    void *rocm;
    struct gpu_sample gpu[METER_GPUS];
    size_t count;
};

static void start(struct seen *s)
{
    stage_open(&s->stage, "FAKE_ROCM", "fake_rocm.so");
    s->stage.tree = (struct tree){{100}, 1};
}

static void look(struct seen *s, double seconds, const char *script)
{
    stage_script(&s->stage, script);
    if (s->rocm == NULL)
        s->rocm = gpu_amd.open(&s->stage.options, &s->stage.arena, s->stage.why);
    assert_non_null(s->rocm);
    s->count = stage_read(&s->stage, &gpu_amd, s->rocm, seconds, s->gpu);
}

static void end(struct seen *s)
{
    if (s->rocm != NULL)
        gpu_amd.close(s->rocm);
    stage_close(&s->stage);
}

static void reports_what_is_missing(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s);
    stage_script(&s.stage, ONE "all fail rsmi_init 8\n");
    assert_null(gpu_amd.open(&s.stage.options, &s.stage.arena, s.stage.why));
    assert_non_null(strstr(s.stage.why, "does not answer"));
    stage_script(&s.stage, "all devices 0\n");
    assert_null(gpu_amd.open(&s.stage.options, &s.stage.arena, s.stage.why));
    assert_non_null(strstr(s.stage.why, "no device"));
    s.stage.options.rocm = "/nonexistent/librocm_smi64.so";
    assert_null(gpu_amd.open(&s.stage.options, &s.stage.arena, s.stage.why));
    assert_non_null(strstr(s.stage.why, "cannot open"));
    s.stage.options.rocm = "libm.so.6";
    assert_null(gpu_amd.open(&s.stage.options, &s.stage.arena, s.stage.why));
    assert_non_null(strstr(s.stage.why, "not AMD's"));
    /* Without the driver even an installed library is left alone: it would print. */
    s.stage.options.rocm = NULL;
    assert_null(gpu_amd.open(&s.stage.options, &s.stage.arena, s.stage.why));
    assert_string_equal(s.stage.why, "the driver amdgpu is not loaded");
    end(&s);
}

static void reports_all_of_a_device(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s);
    look(&s, 0, ONE OURS "0 energy 1000000\n");
    look(&s, 1, ONE OURS "0 energy 21000000\n");
    assert_int_equal(s.count, 1);
    assert_string_equal(s.gpu[0].vendor, "amd");
    assert_string_equal(s.gpu[0].name, "AMD Instinct MI300X");
    assert_string_equal(s.gpu[0].uuid, "GPU-00000000001a2b3c");
    assert_near(s.gpu[0].joules, 306, 0.001);
    assert_int_equal(s.gpu[0].joules_method, METHOD_COUNTER);
    assert_near(s.gpu[0].watts, 300, 1e-9);
    assert_near(s.gpu[0].limit_watts, 750, 1e-9);
    assert_near(s.gpu[0].busy, 0.4, 1e-9);
    assert_near(s.gpu[0].memory, 9e9, 0);
    assert_near(s.gpu[0].memory_total, 206e9, 0);
    assert_near(s.gpu[0].celsius, 61, 0);
    assert_near(s.gpu[0].clock_mhz, 1500, 0);
    assert_near(s.gpu[0].clock_max_mhz, 2100, 0);
    assert_int_equal(s.gpu[0].use, GPU_OURS);
    assert_near(s.gpu[0].share, 1, 0);
    assert_near(s.gpu[0].tree_memory, 8e9, 0);
    end(&s);
}

static void both_tables_of_clocks_are_read(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s);
    look(&s, 0, ONE "all deepsleep 1\n");
    assert_near(s.gpu[0].clock_mhz, 1500, 0);
    assert_near(s.gpu[0].clock_max_mhz, 2100, 0);
    look(&s, 1, "all devices 1\n0 clocks 40 39 1 2 3\n");
    assert_true(isnan(s.gpu[0].clock_mhz));
    end(&s);
}

static void without_a_counter_power_is_sampled(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s);
    look(&s, 0, ONE OURS);
    look(&s, 2, ONE OURS);
    assert_near(s.gpu[0].joules, 600, 1e-9);
    assert_int_equal(s.gpu[0].joules_method, METHOD_SAMPLED);
    end(&s);
}

static void a_counter_that_no_longer_answers_leaves_power(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s);
    look(&s, 0, ONE OURS "0 energy 1000000\n");
    for (int i = 1; i < 20; i++)
        look(&s, i, ONE OURS "0 fail rsmi_dev_energy_count_get 6\n");
    assert_near(s.gpu[0].joules, 19 * 300.0, 1e-6);
    assert_int_equal(s.gpu[0].joules_method, METHOD_SAMPLED);
    for (int i = 20; i < 40; i++)
        look(&s, i, "all devices 1\n" OURS "0 fail rsmi_dev_energy_count_get 6\n");
    assert_true(isnan(s.gpu[0].joules));
    assert_int_equal(s.gpu[0].use, GPU_OURS);
    end(&s);
}

static void expensive_counter_is_read_rarely(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s);
    call_ms = 6;
    for (int i = 0; i < 60; i++)
        look(&s, i, ONE OURS "all devices 2\n0 energy 0\n1 energy 0\n");
    assert_in_range(stage_calls(&s.stage, "rsmi_dev_energy_count_get"), 3, 4);
    s.stage.exact = true;
    look(&s, 60, ONE OURS "0 energy 2000000000\n"); /* 30600 J, of 18000 by power */
    assert_near(s.gpu[0].joules, 30600, 1);
    assert_int_equal(s.gpu[0].joules_method, METHOD_COUNTER);
    end(&s);
}

static void several_users_are_split(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s);
    stage_proc(&s.stage, "999", "comm", STR("python3\n"));
    look(&s, 0, ONE OURS THEIRS "0 energy 0\n");
    look(&s, 1, ONE OURS THEIRS "0 energy 1000000\n");
    assert_int_equal(s.gpu[0].use, GPU_SHARED);
    assert_near(s.gpu[0].share, 0.75, 1e-9);
    assert_int_equal(s.gpu[0].share_method, METHOD_SAMPLED);
    end(&s);
    /* By memory where the units' work is not reported. */
    s = (struct seen){0};
    start(&s);
    stage_proc(&s.stage, "999", "comm", STR("python3\n"));
    look(&s, 0, ONE OURS "0 energy 0\nall process 999\n999 on 0\n999 use0 24000000000 -1\n");
    look(&s, 1,
         ONE OURS "0 energy 1000000\nall process 999\n999 on 0\n999 use0 24000000000 -1\n");
    assert_near(s.gpu[0].share, 0.25, 1e-9);
    assert_int_equal(s.gpu[0].share_method, METHOD_MODELED);
    end(&s);
}

static void only_visible_or_used_devices_are_reported(void **state)
{
    struct seen s = {0};

    (void)state;
    start(&s);
    stage_proc(&s.stage, "self", "environ", STR("HIP_VISIBLE_DEVICES=1\0"));
    look(&s, 0,
         "all devices 3\n0 energy 0\n1 energy 0\n2 energy 0\nall process 100\n100 on 2\n");
    assert_int_equal(s.count, 2);
    assert_int_equal(s.gpu[0].index, 1);
    assert_int_equal(s.gpu[0].use, GPU_VISIBLE);
    assert_int_equal(s.gpu[1].index, 2);
    assert_int_equal(s.gpu[1].use, GPU_OURS);
    assert_string_equal(s.gpu[1].name, "AMD GPU");
    end(&s);
}

static void survives_out_of_memory(void **state)
{
    (void)state;
    for (size_t allow = 0; allow < 4; allow++) {
        struct failing_alloc memory = {allow, 0};
        struct alloc alloc = {failing_get, failing_put, &memory};
        struct seen s = {0};

        start(&s);
        stage_script(&s.stage, ONE);
        s.stage.arena = (struct arena){.alloc = &alloc};
        s.rocm = gpu_amd.open(&s.stage.options, &s.stage.arena, s.stage.why);
        assert_true(allow == 3 ? s.rocm != NULL : s.rocm == NULL);
        end(&s);
        assert_int_equal(memory.held, 0);
    }
}

int group_rocm(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_what_is_missing),
        cmocka_unit_test(reports_all_of_a_device),
        cmocka_unit_test(both_tables_of_clocks_are_read),
        cmocka_unit_test(without_a_counter_power_is_sampled),
        cmocka_unit_test(a_counter_that_no_longer_answers_leaves_power),
        cmocka_unit_test(expensive_counter_is_read_rarely),
        cmocka_unit_test(several_users_are_split),
        cmocka_unit_test(only_visible_or_used_devices_are_reported),
        cmocka_unit_test(survives_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
