/* Work on another GPU, by data sheets. */
#include "test.h"

#include <math.h>

#include "estimate/kernels/relative.h"

static const struct accelerator a100 = {.bf16_tflops = 312, .bandwidth_gb_s = 2039};
static const struct accelerator h100 = {.bf16_tflops = 989, .bandwidth_gb_s = 3350};
static const struct accelerator v100 = {
    .bf16_tflops = NAN, .fp16_tflops = 125, .fp32_tflops = 15.7, .bandwidth_gb_s = 900};
static const struct accelerator nothing = {
    .bf16_tflops = NAN, .fp16_tflops = NAN, .fp32_tflops = NAN, .bandwidth_gb_s = NAN};

/* MPT on A100 and H100 (llm-foundry): 0.38 to 0.52 of the time. */
static void an_h100_takes_less_than_half_the_time_of_an_a100(void **state)
{
    struct relative_time t;

    (void)state;
    assert_true(relative_time(&a100, &h100, NAN, &t));
    assert_near(t.expected, 0.438, 0.001);
    assert_near(t.low, 312.0 / 989, 1e-9);
    assert_near(t.high, 2039.0 / 3350, 1e-9);
}

static void the_same_gpu_takes_the_same_time(void **state)
{
    struct relative_time t;

    (void)state;
    assert_true(relative_time(&h100, &h100, 0.7, &t));
    assert_near(t.expected, 1, 1e-12);
    assert_near(t.low, t.high, 1e-12);
}

static void what_waits_does_not_get_faster(void **state)
{
    struct relative_time t;

    (void)state;
    assert_true(relative_time(&a100, &h100, 0, &t));
    assert_near(t.expected, 1, 1e-12);
    assert_true(relative_time(&a100, &h100, 0.5, &t));
    assert_near(t.expected, 0.5 + 0.219, 0.001);
}

static void older_cards_are_compared_in_fp16(void **state)
{
    struct relative_time t;

    (void)state;
    assert_true(relative_time(&v100, &a100, 1, &t));
    assert_near(t.low, 125.0 / 312, 1e-9);
    assert_false(relative_time(&nothing, &a100, 1, &t));
    assert_false(relative_time(&a100, &nothing, 1, &t));
}

/* Deviations of 3 and 4 % together are 5 %: the 90th percentile is exp(1.2816 x 0.05). */
static void memory_needs_a_margin_elsewhere(void **state)
{
    static struct constants c;

    (void)state;
    c.at[C_spread_memory_hf] = 0.03;
    c.at[C_spread_memory_again] = 0.04;
    assert_near(relative_memory(20e9, &c), 20e9 * exp(1.2816 * 0.05), 1e5);
    assert_true(isnan(relative_memory(NAN, &c)));
}

int group_relative(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_h100_takes_less_than_half_the_time_of_an_a100),
        cmocka_unit_test(the_same_gpu_takes_the_same_time),
        cmocka_unit_test(what_waits_does_not_get_faster),
        cmocka_unit_test(older_cards_are_compared_in_fp16),
        cmocka_unit_test(memory_needs_a_margin_elsewhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
