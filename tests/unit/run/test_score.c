/* The score, the cost guides' score, and the verdict on the size of the machine. */
#include "run/supervise/score.h"

#include <string.h>

#include "test.h"

static struct meter_sample sample; /* large: not for a stack */

static struct gpu_sample device(double busy, double memory, double clock)
{
    return (struct gpu_sample){.use = GPU_OURS,
                               .busy = busy,
                               .tree_busy = NAN,
                               .memory = memory * 80e9,
                               .memory_total = 80e9,
                               .tree_memory = NAN,
                               .clock_mhz = clock,
                               .clock_max_mhz = 2000};
}

static void with_devices(size_t count, double busy, double memory, double clock)
{
    memset(&sample, 0, sizeof sample);
    sample.host.cores = 8;
    sample.gpus = count;
    for (size_t i = 0; i < count; i++)
        sample.gpu[i] = device(busy, memory, clock);
}

static void with_a_device_time_use_and_clock_count(void **state)
{
    struct score_keeper k;

    (void)state;
    score_start(&k);
    assert_true(isnan(score_now(&k)));
    assert_true(isnan(score_seed(&k)));
    with_devices(2, 0, 0.1, 2000);
    score_add(&k, &sample, PHASE_SETUP, 1, 100);
    assert_near(score_now(&k), 0, 0);
    with_devices(2, 0.9, 0.5, 1800);
    score_add(&k, &sample, PHASE_TRAIN, 1, 300);
    assert_near(score_now(&k), 100 * 0.75 * 0.9 * 0.9, 1e-9);
    assert_near(score_busy(&k), 0.675, 1e-9);
    assert_near(k.memory_peak, 0.5, 1e-9);
    assert_near(score_seed(&k), 100 * (0.7 * 0.675 + 0.3 * 0.4) / 0.95, 1e-9);
    score_add_mfu(&k, 41);
    score_add_mfu(&k, 0.39);
    score_add_mfu(&k, NAN);
    score_add_mfu(&k, -1);
    assert_near(score_now(&k), 100 * 0.75 * 0.4, 1e-9);
}

static void only_used_devices_and_the_trees_share_count(void **state)
{
    struct score_keeper k;

    (void)state;
    score_start(&k);
    with_devices(3, 1, 1, 2000);
    sample.gpu[1].use = GPU_VISIBLE;
    sample.gpu[1].busy = 0;
    sample.gpu[2].use = GPU_SHARED;
    sample.gpu[2].tree_busy = 0.5;
    sample.gpu[2].tree_memory = 20e9;
    score_add(&k, &sample, PHASE_TRAIN, 1, 60);
    assert_near(score_now(&k), 75, 1e-9);
    assert_near(k.memory_peak, 0.625, 1e-9);
}

static void unknown_use_is_no_score(void **state)
{
    struct score_keeper k;

    (void)state;
    score_start(&k);
    with_devices(1, NAN, 0.5, NAN);
    score_add(&k, &sample, PHASE_TRAIN, 1, 60);
    assert_true(isnan(score_now(&k)));
    assert_true(isnan(score_busy(&k)));
    score_start(&k);
    with_devices(1, 0.8, NAN, NAN); /* the clock is left out */
    score_add(&k, &sample, PHASE_TRAIN, 1, 60);
    assert_near(score_now(&k), 80, 1e-9);
    assert_true(isnan(score_seed(&k)));
    assert_true(isnan(k.memory_peak));
    score_add(&k, &sample, PHASE_TRAIN, 1, 0); /* a clock that stood still */
    score_add(&k, &sample, PHASE_TRAIN, 1, NAN);
    assert_near(score_now(&k), 80, 1e-9);
}

static void without_a_device_cores_count(void **state)
{
    struct score_keeper k;

    (void)state;
    score_start(&k);
    with_devices(0, 0, 0, 0);
    score_add(&k, &sample, PHASE_SETUP, 8, 60);
    score_add(&k, &sample, PHASE_TRAIN, 4, 60);
    assert_near(score_now(&k), 25, 1e-9);
    assert_true(isnan(score_seed(&k)));
    score_add(&k, &sample, PHASE_TRAIN, 16, 120); /* no more than there are */
    assert_near(score_now(&k), 100 * (30 + 120) / 240.0, 1e-9);
}

static void the_recent_score_follows_the_last_minutes(void **state)
{
    struct score_keeper k;

    (void)state;
    score_start(&k);
    with_devices(1, 0.9, 0.5, 2000);
    for (int i = 0; i < 600; i++)
        score_add(&k, &sample, PHASE_TRAIN, 1, 1);
    assert_near(k.recent, 90, 1e-6);
    with_devices(1, 0.05, 0.5, 2000);
    for (int i = 0; i < 1200; i++)
        score_add(&k, &sample, PHASE_DATA, 1, 1);
    assert_true(k.recent < 3);
    with_devices(1, 1, 0.5, 2000);
    for (int i = 0; i < 300; i++)
        score_add(&k, &sample, PHASE_TRAIN, 1, 1);
    assert_true(k.recent > 60);
}

static void check_verdict(double busy, double memory, const char *word)
{
    struct verdict v = score_verdict(busy / 100, memory / 100, 600);

    if (strcmp(v.word, word) != 0)
        fail_msg("(%g, %g) is %s, not %s", busy, memory, v.word, word);
    assert_true(strlen(v.text) > 0);
}

static void every_pair_has_a_verdict(void **state)
{
    (void)state;
    /* The rows of the matrix, and their corners. */
    check_verdict(0, 0, "downsize");
    check_verdict(29, 39, "downsize");
    check_verdict(30, 39, "review");
    check_verdict(30, 0, "review");
    check_verdict(59, 59, "review");
    check_verdict(60, 50, "good");
    check_verdict(85, 85, "good");
    check_verdict(86, 86, "upgrade");
    check_verdict(100, 100, "upgrade");
    check_verdict(20, 85, "memory-bound");
    check_verdict(0, 100, "memory-bound");
    /* What it left open, or what the guide's code calls otherwise. */
    check_verdict(55, 55, "review");
    check_verdict(88, 88, "upgrade");
    check_verdict(70, 30, "good");
    check_verdict(20, 60, "review");
    check_verdict(29, 80, "review");
    check_verdict(45, 70, "review");
    check_verdict(45, 90, "memory-bound");
    check_verdict(70, 95, "memory-bound");
    check_verdict(95, 20, "good");
    check_verdict(95, 60, "good");
    check_verdict(100, 0, "good");
    for (int busy = 0; busy <= 100; busy++) {
        for (int memory = 0; memory <= 100; memory++)
            assert_string_not_equal(score_verdict(busy / 100.0, memory / 100.0, 60).word,
                                    "unknown");
    }
    assert_string_equal(score_verdict(NAN, 0.5, 600).word, "unknown");
    assert_string_equal(score_verdict(0.5, NAN, 600).word, "unknown");
    assert_string_equal(score_verdict(0.5, 0.5, 59).word, "unknown");
    assert_string_equal(score_verdict(0.5, 0.5, NAN).word, "unknown");
}

int group_score(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_a_device_time_use_and_clock_count),
        cmocka_unit_test(only_used_devices_and_the_trees_share_count),
        cmocka_unit_test(unknown_use_is_no_score),
        cmocka_unit_test(without_a_device_cores_count),
        cmocka_unit_test(the_recent_score_follows_the_last_minutes),
        cmocka_unit_test(every_pair_has_a_verdict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
