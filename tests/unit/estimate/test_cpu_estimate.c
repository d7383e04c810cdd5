/* Training on the processors of a machine without an accelerator. */
#include "known.h"

#include <math.h>
#include <string.h>

#include "estimate/cpu_estimate.h"

static const struct cpu_host host = {
    .name = {"Some Xeon", 9}, .cores = 8, .fp32_gflops = 80, .watts = 4, .memory = 32e9};

static struct job job_of(const char *text)
{
    struct error err = {0};
    struct job job;

    if (!job_reset(&job, &known_arena, &err) ||
        !job_read(str_from(text), "job", &job, &known_arena, &err) ||
        !job_resolve(&job, &known_catalog, (struct str){0}, &known_arena, &err))
        fail_msg("%s", err.text);
    return job;
}

static struct estimate estimate_of(const char *text, const struct cpu_host *on)
{
    struct job job = job_of(text);
    struct error err = {0};
    struct estimate e;

    if (!estimate_on_cpu(&job, on, &known_catalog, &known_constants, &known_arena, &e, &err))
        fail_msg("%s", err.text);
    return e;
}

static void test_a_run_is_its_steps(void **state)
{
    struct estimate e = estimate_of(
        "train: {model: bert-base, sequence: 128, micro_batch: 4, steps: 100}", &host);
    const struct estimate_line *line = e.cost.at;

    (void)state;
    assert_near(e.steps, 100, 0);
    assert_near(e.hours.value, 100 * e.step_s.value / 3600, 1e-9);
    assert_near(e.hours.high / e.hours.value, e.hours.value / e.hours.low, 1e-6);
    assert_near(e.energy_kwh.value, 8 * 4 * e.hours.value / 1000, 1e-9);
    assert_int_equal(e.cost.len, 1);
    assert_near(line->hours, e.hours.value, 0);
    assert_true(str_eq(e.key.gpu, STR("Some Xeon")));
    assert_true(str_eq(e.key.model, STR("bert-base")));
    assert_true(str_has_nocase(e.key.setting, STR("fp32")));
    assert_true(isnan(e.memory_gb) && isnan(e.board_w) && e.fits);
    /* 6 x 86 M parameters of its layers x 512 tokens at half of 640 GFLOP/s. */
    assert_true(e.step_s.value > 0.4 && e.step_s.value < 2);
}

static void test_what_makes_a_step_longer(void **state)
{
    const char *base = "train: {model: bert-base, sequence: 128, micro_batch: 4, steps: 100}";
    double step_s = estimate_of(base, &host).step_s.value;
    struct cpu_host fewer = host;

    (void)state;
    fewer.cores = 2;
    assert_true(estimate_of(base, &fewer).step_s.value > 2 * step_s);
    assert_near(estimate_of("train: {model: bert-base, sequence: 128, global_batch: 4, "
                            "steps: 100}",
                            &host)
                    .step_s.value,
                step_s, 1e-9);
    assert_near(
        estimate_of("train: {model: bert-base, sequence: 128, steps: 100}", &host).global_batch,
        8, 0); /* that of Trainer */
    assert_true(estimate_of("train: {model: bert-base, sequence: 128, micro_batch: 2, "
                            "global_batch: 8, steps: 100}",
                            &host)
                    .step_s.value > 1.5 * step_s);
}

/* Without an amount of work, a step is what is known. */
static void test_nothing_says_how_much_there_is_to_do(void **state)
{
    struct estimate e =
        estimate_of("train: {model: bert-base, sequence: 128, micro_batch: 4}", &host);

    (void)state;
    assert_true(e.step_s.value > 0);
    assert_true(isnan(e.hours.value));
    assert_int_equal(e.cost.len, 0);
}

static void test_what_runs_showed_counts(void **state)
{
    const char *text = "train: {model: bert-base, sequence: 128, micro_batch: 4, steps: 100}";
    struct estimate before = estimate_of(text, &host), after;
    const struct correction learned = {.of = CORRECTION_STEP,
                                       .gpu = before.key.gpu,
                                       .framework = before.key.framework,
                                       .model = before.key.model,
                                       .setting = before.key.setting,
                                       .factor = 1.5,
                                       .low = 1.4,
                                       .high = 1.6,
                                       .runs = 3};
    const struct constants kept = known_constants;

    (void)state;
    known_constants.learned = &learned;
    known_constants.learned_count = 1;
    after = estimate_of(text, &host);
    known_constants = kept;
    assert_near(after.step_s.value, 1.5 * before.step_s.value, 1e-9);
    assert_near(after.corrections[CORRECTION_STEP], 1.5, 0);
    assert_true(isnan(before.corrections[CORRECTION_STEP]));
}

static void test_what_is_trained_elsewhere(void **state)
{
    static const struct {
        const char *job, *why;
    } cases[] = {
        {"train: {model: llama-2-7b, sequence: 128, micro_batch: 1, steps: 10}",
         "no GPU was found on this machine, and training without one takes some 109 GB of its "
         "memory, which has 32"},
        {"train: {model: llama-2-7b, method: lora, sequence: 2048, micro_batch: 8, steps: 10}",
         "no GPU was found on this machine, and a step without one would take some"},
        {"train: {model: gpt2, method: qlora, sequence: 128, steps: 10}",
         "no GPU was found on this machine, and qlora is not estimated without"},
        {"train: {model: gpt2, objective: dpo, sequence: 128, steps: 10}",
         "no GPU was found on this machine, and dpo is not estimated without"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct job job = job_of(cases[i].job);
        struct error err = {0};
        struct estimate e;

        assert_false(estimate_on_cpu(&job, &host, &known_catalog, &known_constants,
                                     &known_arena, &e, &err));
        if (strncmp(err.text, cases[i].why, strlen(cases[i].why)) != 0)
            fail_msg("%s", err.text);
    }
}

int group_cpu_estimate(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_run_is_its_steps),
        cmocka_unit_test(test_what_makes_a_step_longer),
        cmocka_unit_test(test_nothing_says_how_much_there_is_to_do),
        cmocka_unit_test(test_what_runs_showed_counts),
        cmocka_unit_test(test_what_is_trained_elsewhere),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
