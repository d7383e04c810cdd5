#include "test.h"

#include "estimate/correction.h"

/* One whose steps took `ratio` times as long as predicted. */
static struct correction_run run_of(const char *gpu, const char *framework, const char *model,
                                    double ratio)
{
    return (struct correction_run){
        .key = {str_from(gpu), str_from(framework), str_from(model), STR("batch 4")},
        .predicted = {0.25, NAN, NAN},
        .measured = {0.25 * ratio, NAN, NAN},
        .startup_s = NAN};
}

static struct correction_result learn(const struct correction_run *runs, size_t count,
                                      struct arena *arena)
{
    struct correction_result l;
    struct error err = {0};

    assert_true(correction_learn(runs, count, arena, &l, &err));
    return l;
}

static double factor_of(const struct correction_result *l, const char *gpu,
                        const char *framework, const char *model)
{
    const struct correction_key key = {str_from(gpu), str_from(framework), str_from(model),
                                       STR("batch 4")};

    return correction_factor(l->at, l->len, CORRECTION_STEP, &key);
}

static void runs_of_a_setting_correct_it_and_no_other(void **state)
{
    struct arena arena = test_arena();
    struct correction_run runs[40];
    struct correction_key other;
    double before = 1;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(runs); i++)
        runs[i] = run_of("H100", "hf", "phi-2", 1.2);
    other = runs[0].key;
    for (size_t n = 2; n <= ARRAY_LEN(runs); n++) {
        struct correction_result l = learn(runs, n, &arena);

        assert_int_equal(l.len, 1);
        assert_str_equal(l.at[0].model, "phi-2");
        assert_int_equal(l.at[0].runs, (int64_t)n);
        assert_true(l.at[0].factor > before && l.at[0].factor < 1.2);
        assert_true(l.at[0].low < l.at[0].factor && l.at[0].factor < l.at[0].high);
        assert_true(l.at[0].error_after < l.at[0].error_before);
        before = l.at[0].factor;
        if (n == 3) /* within 3 % after three runs */
            assert_near(before, 1.2, 0.03 * 1.2);
        assert_near(factor_of(&l, "H100", "hf", "phi-2"), before, 0);
        assert_near(factor_of(&l, "H100", "hf", "gemma-2b"), 1, 0);
        other.setting = STR("batch 8");
        assert_null(correction_find(l.at, l.len, CORRECTION_STEP, &other));
    }
    assert_near(before, 1.2, 0.002);
    arena_free(&arena);
}

static void settings_that_agree_correct_their_model(void **state)
{
    struct correction_run runs[] = {
        run_of("H100", "hf", "phi-2", 1.2), run_of("H100", "hf", "phi-2", 1.22),
        run_of("H100", "hf", "phi-2", 1.18), run_of("H100", "hf", "phi-2", 1.2)};
    struct arena arena = test_arena();
    struct correction_result l;

    (void)state;
    runs[1].key.setting = STR("batch 8");
    runs[2].key.setting = STR("batch 16");
    runs[3].key.setting = STR("batch 32");
    l = learn(runs, ARRAY_LEN(runs), &arena);
    assert_int_equal(l.len, 1);
    assert_str_equal(l.at[0].model, "phi-2");
    assert_int_equal(l.at[0].setting.len, 0);
    assert_true(l.at[0].factor > 1.08 && l.at[0].factor < 1.15);
    assert_near(factor_of(&l, "H100", "hf", "gemma-2b"), 1, 0);
    arena_free(&arena);
}

static void one_run_is_too_few(void **state)
{
    struct correction_run run = run_of("H100", "hf", "phi-2", 1.5);
    struct arena arena = test_arena();
    struct correction_result l = learn(&run, 1, &arena);

    (void)state;
    assert_int_equal(l.len, 0);
    assert_int_equal(l.single, 1);
    assert_int_equal(l.rejected, 0);
    arena_free(&arena);
}

static void models_that_agree_correct_their_gpu(void **state)
{
    struct correction_run runs[] = {
        run_of("H100", "hf", "phi-2", 1.2), run_of("H100", "hf", "gemma-2b", 1.22),
        run_of("H100", "hf", "qwen2.5-7b", 1.18), run_of("H100", "hf", "mistral-7b", 1.2)};
    struct arena arena = test_arena();
    struct correction_result l = learn(runs, ARRAY_LEN(runs), &arena);
    double other;

    (void)state;
    other = factor_of(&l, "H100", "fsdp", "llama-3-8b");
    assert_true(other > 1.03 && other < 1.15); /* a few runs change little */
    assert_near(factor_of(&l, "A100", "hf", "phi-2"), 1, 0);
    arena_free(&arena);
}

/* Half the models are too fast, half too slow: the mean is no help with the next one. */
static void what_does_not_help_left_out_runs_is_not_kept(void **state)
{
    struct correction_run runs[] = {
        run_of("H100", "hf", "phi-2", 1.2), run_of("H100", "hf", "gemma-2b", 0.85),
        run_of("H100", "hf", "qwen2.5-7b", 1.1), run_of("H100", "hf", "mistral-7b", 0.95)};
    struct correction_run right[] = {run_of("H100", "hf", "phi-2", 1.01),
                                     run_of("H100", "hf", "phi-2", 0.99),
                                     run_of("H100", "hf", "phi-2", 1.0)};
    struct arena arena = test_arena();
    struct correction_result l = learn(runs, ARRAY_LEN(runs), &arena);

    (void)state;
    assert_int_equal(l.len, 0);
    assert_int_equal(l.rejected, 2); /* the GPU's and the framework's */
    l = learn(right, ARRAY_LEN(right), &arena);
    assert_int_equal(l.len, 0);
    arena_free(&arena);
}

static void runs_far_apart_move_it_less(void **state)
{
    struct arena arena = test_arena();
    struct correction_run calm[6], wild[6];
    struct correction_result a, b;

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        calm[i] = run_of("A100", "fsdp", "phi-2", 1.25);
        wild[i] = run_of("A100", "fsdp", "phi-2", i % 2 ? 1.25 * 1.08 : 1.25 / 1.08);
    }
    a = learn(calm, 6, &arena);
    b = learn(wild, 6, &arena);
    assert_true(a.at[0].factor > b.at[0].factor && b.at[0].factor > 1.1);
    assert_true(a.at[0].high / a.at[0].low < b.at[0].high / b.at[0].low);
    arena_free(&arena);
}

static void far_outliers_are_left_out(void **state)
{
    struct correction_run runs[] = {
        run_of("H100", "hf", "phi-2", 2.1), run_of("H100", "hf", "phi-2", 0.4),
        run_of("", "hf", "phi-2", 1.1), run_of("H100", "hf", "phi-2", 1.2),
        run_of("H100", "hf", "phi-2", 1.2)};
    struct arena arena = test_arena();
    struct correction_result l = learn(runs, ARRAY_LEN(runs), &arena);

    (void)state;
    assert_int_equal(l.far, 3);
    assert_int_equal(l.len, 1);
    assert_int_equal(l.at[0].runs, 2);
    l = learn(runs, 2, &arena);
    assert_int_equal(l.len, 0);
    l = learn(NULL, 0, &arena);
    assert_int_equal(l.len, 0);
    arena_free(&arena);
}

/* A program that is always three times as slow is no accident; one that was once is. */
static void far_runs_of_a_setting_that_agree_count(void **state)
{
    struct correction_run runs[] = {
        run_of("H100", "hf", "phi-2", 3.1), run_of("H100", "hf", "phi-2", 3.0),
        run_of("H100", "hf", "phi-2", 2.9), run_of("H100", "hf", "phi-2", 9.0),
        run_of("H100", "hf", "phi-2", 0.1), run_of("H100", "hf", "gemma-2b", 1.0)};
    struct arena arena = test_arena();
    struct correction_result l;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
        runs[i].predicted[CORRECTION_MEMORY] = 10;
        runs[i].measured[CORRECTION_MEMORY] = i < 3 ? 25 : 10;
    }
    l = learn(runs, ARRAY_LEN(runs), &arena);
    assert_int_equal(l.far, 2);
    assert_near(factor_of(&l, "H100", "hf", "phi-2"), 3, 0.15);
    assert_near(factor_of(&l, "H100", "hf", "gemma-2b"), 1, 0);
    assert_near(correction_factor(l.at, l.len, CORRECTION_MEMORY, &runs[0].key), 2.5, 0.15);
    l = learn(runs, 2, &arena);
    assert_int_equal(l.far, 2);
    assert_int_equal(l.len, 0);
    runs[2] = run_of("H100", "hf", "phi-2", 2.1); /* three, but they do not agree */
    l = learn(runs, 3, &arena);
    assert_int_equal(l.far, 3);
    for (size_t i = 0; i < 3; i++) { /* too fast is no different */
        runs[i] = run_of("H100", "hf", "phi-2", 0.3);
        runs[i].key.setting = STR("");
    }
    l = learn(runs, 3, &arena);
    assert_int_equal(l.far, 3); /* of which setting is not known */
    for (size_t i = 0; i < 3; i++)
        runs[i].key.setting = STR("batch 4");
    l = learn(runs, 3, &arena);
    assert_int_equal(l.far, 0);
    assert_near(factor_of(&l, "H100", "hf", "phi-2"), 0.3, 0.03);
    arena_free(&arena);
}

static void startup_is_the_middle_whatever_the_settings_are(void **state)
{
    struct correction_run runs[] = {
        run_of("H200", "hf", "phi-2", 1), run_of("H200", "hf", "phi-2", 1),
        run_of("H200", "hf", "phi-2", 1), run_of("H200", "hf", "phi-2", 1)};
    struct arena arena = test_arena();
    struct correction_result l;

    (void)state;
    runs[0].key.setting = STR("a");
    runs[0].startup_s = 9;
    runs[1].key.setting = STR("b");
    runs[1].startup_s = 1;
    runs[2].startup_s = 3;
    runs[3].startup_s = 5;
    l = learn(runs, ARRAY_LEN(runs), &arena);
    assert_int_equal(l.len, 1);
    assert_near(l.at[0].low, 1, 0);
    assert_near(l.at[0].factor, 4, 0);
    assert_near(l.at[0].high, 9, 0);
    arena_free(&arena);
}

static void memory_power_and_startup_are_learned_apart(void **state)
{
    struct correction_run runs[3];
    struct arena arena = test_arena();
    struct correction_result l;
    struct error err = {0};
    struct str text;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        runs[i] = run_of("H200", "hf", "phi-2", 1);
        runs[i].predicted[CORRECTION_MEMORY] = 20;
        runs[i].measured[CORRECTION_MEMORY] = 22;
        runs[i].predicted[CORRECTION_POWER] = 600;
        runs[i].measured[CORRECTION_POWER] = 540;
        runs[i].startup_s = 9 + (double)i;
    }
    l = learn(runs, 3, &arena);
    assert_int_equal(l.len, 3);
    assert_int_equal(l.at[0].of, CORRECTION_MEMORY);
    assert_near(l.at[0].factor, 1.1, 0.02);
    assert_int_equal(l.at[1].of, CORRECTION_POWER);
    assert_near(l.at[1].factor, 0.9, 0.02);
    assert_int_equal(l.at[2].of, CORRECTION_STARTUP);
    assert_near(l.at[2].factor, 10, 0);
    assert_near(l.at[2].low, 9, 0);
    assert_near(l.at[2].high, 11, 0);
    assert_true(correction_describe(l.at, l.len, &runs[0].key, &arena, &text, &err));
    assert_str_equal(
        text, "memory is 1.10 times as much (1.07 to 1.13), power is 0.90 times as "
              "much (0.88 to 0.93), learned from 3 runs of this setting of phi-2 on H200 "
              "with hf; the first step starts after 10 s (not in this estimate), learned "
              "from 3 runs of phi-2 on H200 with hf");
    runs[0].key.gpu = STR("L4");
    assert_true(correction_describe(l.at, l.len, &runs[0].key, &arena, &text, &err));
    assert_int_equal(text.len, 0);
    arena_free(&arena);
}

int group_correction(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_a_setting_correct_it_and_no_other),
        cmocka_unit_test(settings_that_agree_correct_their_model),
        cmocka_unit_test(one_run_is_too_few),
        cmocka_unit_test(models_that_agree_correct_their_gpu),
        cmocka_unit_test(what_does_not_help_left_out_runs_is_not_kept),
        cmocka_unit_test(runs_far_apart_move_it_less),
        cmocka_unit_test(far_outliers_are_left_out),
        cmocka_unit_test(far_runs_of_a_setting_that_agree_count),
        cmocka_unit_test(startup_is_the_middle_whatever_the_settings_are),
        cmocka_unit_test(memory_power_and_startup_are_learned_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
