#include "test.h"

#include "estimate/correction.h"

static struct correction_run run_of(const char *gpu, const char *framework, double ratio)
{
    return (struct correction_run){str_from(gpu), str_from(framework), 1000, 1000 * ratio};
}

struct learned {
    const struct correction *at;
    size_t count, left_out;
};

static struct learned learn(const struct correction_run *runs, size_t count,
                            struct arena *arena)
{
    struct learned l;
    struct error err = {0};

    assert_true(correction_learn(runs, count, arena, &l.at, &l.count, &l.left_out, &err));
    return l;
}

static void one_run_moves_it_little_and_many_most_of_the_way(void **state)
{
    struct arena arena = test_arena();
    struct correction_run runs[40];
    double before = 1;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(runs); i++)
        runs[i] = run_of("H100", "hf", 1.5);
    for (size_t n = 1; n <= ARRAY_LEN(runs); n++) {
        struct learned l = learn(runs, n, &arena);

        assert_int_equal(l.at[0].runs, (int64_t)n);
        assert_true(l.at[0].factor > before && l.at[0].factor < 1.5);
        assert_true(l.at[0].low < l.at[0].factor && l.at[0].factor < l.at[0].high);
        before = l.at[0].factor;
        if (n == 1)
            assert_true(before < 1.17);
    }
    assert_true(before > 1.45);
    arena_free(&arena);
}

static void noisy_runs_move_it_less(void **state)
{
    struct arena arena = test_arena();
    struct correction_run calm[8], wild[8];
    struct learned a, b;

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        calm[i] = run_of("A100", "fsdp", 1.3);
        wild[i] = run_of("A100", "fsdp", i % 2 ? 1.3 * 1.8 : 1.3 / 1.8);
    }
    a = learn(calm, 8, &arena);
    b = learn(wild, 8, &arena);
    assert_true(a.at[0].factor > b.at[0].factor);
    assert_true(a.at[0].high / a.at[0].low < b.at[0].high / b.at[0].low);
    arena_free(&arena);
}

static void a_framework_has_its_own_from_two_runs_on(void **state)
{
    struct correction_run runs[] = {run_of("H100", "hf", 1.4), run_of("H100", "megatron", 0.9),
                                    run_of("A100", "hf", 1.0), run_of("H100", "hf", 1.4),
                                    run_of("H100", "", 1.2)};
    struct arena arena = test_arena();
    struct learned l = learn(runs, ARRAY_LEN(runs), &arena);
    const struct correction *hf, *any;

    (void)state;
    hf = correction_find(l.at, l.count, STR("H100"), STR("hf"));
    any = correction_find(l.at, l.count, STR("H100"), STR("megatron"));
    assert_str_equal(hf->framework, "hf");
    assert_int_equal(hf->runs, 2);
    assert_int_equal(any->framework.len, 0);
    assert_int_equal(any->runs, 4);
    assert_true(hf->factor > any->factor);
    assert_null(correction_find(l.at, l.count, STR("L4"), STR("hf")));
    arena_free(&arena);
}

static void far_outliers_are_left_out(void **state)
{
    struct correction_run runs[] = {run_of("H100", "hf", 9), run_of("H100", "hf", 0.01),
                                    run_of("", "hf", 1.1), run_of("H100", "hf", 1.1)};
    struct arena arena = test_arena();
    struct learned l = learn(runs, ARRAY_LEN(runs), &arena);

    (void)state;
    assert_int_equal(l.left_out, 3);
    assert_int_equal(l.count, 1);
    l = learn(runs, 2, &arena);
    assert_int_equal(l.count, 0);
    l = learn(NULL, 0, &arena);
    assert_int_equal(l.count, 0);
    arena_free(&arena);
}

/* Runs are drawn around a true value that is drawn from the prior: the range contains it. */
static void eighty_of_a_hundred_ranges_contain_the_true_value(void **state)
{
    uint64_t random = 11;
    int held = 0, worlds = 2000;

    (void)state;
    for (int w = 0; w < worlds; w++) {
        struct arena arena = test_arena();
        struct correction_run runs[6];
        double normal[7];
        struct learned l;

        for (int i = 0; i < 7; i++) { /* twelve uniform numbers make a normal one */
            normal[i] = -6;
            for (int j = 0; j < 12; j++) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                normal[i] += (double)(random >> 11) / 9007199254740992.0;
            }
        }
        for (int i = 0; i < 6; i++)
            runs[i] = run_of("H100", "hf", exp(0.15 * normal[6] + 0.2 * normal[i]));
        l = learn(runs, 6, &arena);
        held += l.at[0].low <= exp(0.15 * normal[6]) && exp(0.15 * normal[6]) <= l.at[0].high;
        arena_free(&arena);
    }
    assert_near(held / (double)worlds, 0.8, 0.04);
}

int group_correction(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_moves_it_little_and_many_most_of_the_way),
        cmocka_unit_test(noisy_runs_move_it_less),
        cmocka_unit_test(a_framework_has_its_own_from_two_runs_on),
        cmocka_unit_test(far_outliers_are_left_out),
        cmocka_unit_test(eighty_of_a_hundred_ranges_contain_the_true_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
