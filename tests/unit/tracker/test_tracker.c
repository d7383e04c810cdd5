#include "sinks.h"

static void times_are_milliseconds_seconds_or_texts(void **state)
{
    (void)state;
    assert_int_equal(tracker_time(STR("1793527200123")), INT64_C(1793527200123));
    assert_int_equal(tracker_time(STR("1793527200.5")), INT64_C(1793527200500));
    assert_int_equal(tracker_time(STR("2026-11-01T10:00:00Z")), INT64_C(1793527200000));
    assert_int_equal(tracker_time(STR("2026-11-01 10:00:00.123456")), INT64_C(1793527200000));
    assert_int_equal(tracker_time(STR("2026-11-01T12:00:00+02:00")), INT64_C(1793527200000));
    assert_int_equal(tracker_time(STR("1e300")), -1);
    assert_int_equal(tracker_time(STR("-5")), -1);
    assert_int_equal(tracker_time(STR("soon")), -1);
    assert_int_equal(tracker_time(STR("")), -1);
}

static void texts_are_one_line_of_utf8(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct str out;
    char large[600];

    (void)state;
    assert_true(tracker_text(STR(" a\nb\xff\xc3\xa9 "), &arena, &out, &err));
    assert_str_equal(out, "a b?\xc3\xa9");
    assert_true(tracker_text(STR("Tags\xd5"), &arena, &out, &err)); /* ends inside it */
    assert_str_equal(out, "Tags?");
    memset(large, 'x', sizeof large);
    memcpy(large + TRACKER_TEXT - 1, "\xc3\xa9", 2); /* is not cut in two */
    assert_true(tracker_text((struct str){large, sizeof large}, &arena, &out, &err));
    assert_int_equal(out.len, TRACKER_TEXT - 1);
    arena_free(&arena);
}

static void gpus_are_named_by_parameters_and_metrics(void **state)
{
    struct arena arena = test_arena();
    struct tracker_metric power = {.name = STR("system/gpu_7_power_usage_watts"), .at_ms = 5};
    struct tracker_run run;
    struct error err = {0};

    (void)state;
    tracker_run_clear(&run);
    assert_true(tracker_add_param(&run, STR("gpu"), STR("auto"), &arena, &err));
    assert_true(tracker_add_param(&run, STR("device_name"), STR("cuda:0"), &arena, &err));
    assert_true(tracker_add_param(&run, STR("num_gpus"), STR("-1"), &arena, &err));
    assert_int_equal(run.gpu.len, 0);
    assert_int_equal(run.gpus, -1);
    assert_true(tracker_add_metric(&run, &power, &arena, &err));
    assert_int_equal(run.gpus, 8);
    assert_int_equal(run.heard_ms, 5);
    assert_true(tracker_add_tag(&run, STR("env.GPU_Name"), STR("NVIDIA L40S"), &arena, &err));
    assert_str_equal(run.gpu, "NVIDIA L40S");
    assert_true(tracker_add_tag(&run, STR("stint.run"), STR("0192"), &arena, &err));
    assert_str_equal(run.stint_run, "0192");
    assert_int_equal(run.tag_count, 1);
    arena_free(&arena);
}

/* The first are kept, the rest is counted; a key that comes again replaces the first. */
static void what_is_kept_has_a_limit(void **state)
{
    struct arena arena = test_arena();
    struct tracker_run run;
    struct error err = {0};
    char key[16];

    (void)state;
    tracker_run_clear(&run);
    for (int i = 0; i < TRACKER_PARAMS + 10; i++) {
        (void)snprintf(key, sizeof key, "k=%d", i);
        assert_true(tracker_add_param(&run, str_from(key), STR("v"), &arena, &err));
    }
    assert_int_equal(run.param_count, TRACKER_PARAMS);
    assert_int_equal(run.left_out, 10);
    assert_str_equal(run.params[3], "k_3=v");
    assert_true(tracker_add_param(&run, STR("k=3"), STR("w"), &arena, &err));
    assert_str_equal(run.params[3], "k_3=w");
    arena_free(&arena);
}

static void numbers_may_be_none(void **state)
{
    double value;

    (void)state;
    assert_true(tracker_number(STR("NaN"), &value) && isnan(value));
    assert_true(tracker_number(STR("-Infinity"), &value) && isinf(value) && value < 0);
    assert_true(tracker_number(STR("1e-3"), &value));
    assert_near(value, 0.001, 1e-12);
    assert_false(tracker_number(STR("high"), &value));
    assert_false(tracker_number(STR(""), &value));
    assert_int_equal(tracker_state_of(STR("crashed")), TRACKER_FAILED);
    assert_int_equal(tracker_state_of(STR("KILLED")), TRACKER_STOPPED);
    assert_int_equal(tracker_state_of(STR("?")), TRACKER_UNKNOWN);
}

int group_tracker(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_milliseconds_seconds_or_texts),
        cmocka_unit_test(texts_are_one_line_of_utf8),
        cmocka_unit_test(gpus_are_named_by_parameters_and_metrics),
        cmocka_unit_test(what_is_kept_has_a_limit),
        cmocka_unit_test(numbers_may_be_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
