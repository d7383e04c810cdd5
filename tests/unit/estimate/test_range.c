/* How certain an estimate is. */
#include "known.h"

#include "estimate/measured.h"
#include "estimate/range.h"
#include "estimate/step.h"

static void eight_of_ten_lie_between_low_and_high(void **state)
{
    struct guess g = guess_of(100, 0.1);

    (void)state;
    assert_true(g.value == 100);
    assert_true(fabs(g.high / (100 * exp(0.12816)) - 1) < 1e-9);
    assert_true(fabs(g.low * g.high / 1e4 - 1) < 1e-9); /* as far below as above, as a factor */
    g = guess_of(100, 0);
    assert_true(g.low == 100 && g.high == 100);
    g = guess_of(0, 0.5);
    assert_true(g.low == 0 && g.value == 0 && g.high == 0);
}

/* Squares of standard deviations add up. */
static void independent_causes_add_as_squares(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "A100", 1);
    struct constants c = known_constants;

    (void)state;
    c.at[C_spread_step] = 0.03;
    c.at[C_spread_gpus] = 0.04;
    c.at[C_spread_machines] = 0.12;
    assert_true(fabs(step_spread(&s, &c) - 0.03) < 1e-12);
    s = known_setup(&a, "A100", 8);
    assert_true(fabs(step_spread(&s, &c) - 0.05) < 1e-12);
    s = known_setup(&a, "A100", 64);
    assert_true(fabs(step_spread(&s, &c) - 0.13) < 1e-12);
}

/* A network whose rate is doubted widens the range by what a slower one costs, and by nothing
 * within one machine. */
static void doubted_networks_widen_the_range(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "A100", 64), slower;
    double sure = step_spread(&s, &known_constants), times;

    (void)state;
    s.network_gb_s = 1;
    assert_true(step_spread(&s, &known_constants) == sure);
    s.network_doubt = log(1.5);
    slower = s;
    slower.network_gb_s = 1 / 1.5;
    times = estimate_step(&slower, &known_constants).total /
            estimate_step(&s, &known_constants).total;
    assert_true(times > 1.1);
    assert_true(fabs(step_spread(&s, &known_constants) - hypot(sure, log(times))) < 1e-9);
    s = known_setup(&a, "A100", 8);
    sure = step_spread(&s, &known_constants);
    s.network_doubt = log(1.5);
    assert_true(step_spread(&s, &known_constants) == sure);
}

static void less_known_parts_have_wider_ranges(void **state)
{
    struct arch dense = known_arch("llama-2-7b"), sparse = known_arch("mixtral-8x7b"),
                picture = known_arch("resnet50");
    struct setup plain = known_setup(&dense, "A100", 1), experts = plain, image = plain,
                 trainer = plain;
    double least = step_spread(&plain, &known_constants);

    (void)state;
    experts.arch = &sparse;
    image.arch = &picture;
    trainer.stack = STACK_HF_2023;
    assert_true(step_spread(&experts, &known_constants) > least);
    assert_true(step_spread(&image, &known_constants) > least);
    assert_true(step_spread(&trainer, &known_constants) > least);
    assert_true(least > 0 && least < 0.5);
}

/* The tensors of Hugging Face's code are counted; others' are guessed. */
static void memory_is_surer_where_tensors_are_counted(void **state)
{
    struct arch dense = known_arch("llama-2-7b");
    struct setup plain = known_setup(&dense, "A100", 1), counted = plain, several;

    (void)state;
    counted.stack = STACK_HF;
    several = counted;
    several.gpus = 8;
    assert_true(memory_spread(&counted, &known_constants) <
                memory_spread(&plain, &known_constants) / 2);
    assert_true(memory_spread(&several, &known_constants) >
                memory_spread(&counted, &known_constants));
    counted.method = METHOD_QLORA; /* packed weights were not measured */
    assert_true(memory_spread(&counted, &known_constants) ==
                memory_spread(&plain, &known_constants));
}

static void a_measured_rate_is_carried_by_arithmetic_and_bandwidth(void **state)
{
    const struct accelerator *a100 = known_gpu("A100-SXM-80GB"),
                             *h100 = known_gpu("H100-SXM-80GB");
    double arithmetic = h100->bf16_tflops / a100->bf16_tflops,
           memory = h100->bandwidth_gb_s / a100->bandwidth_gb_s;
    double mixed = carried_speed(a100, h100, USUAL_COMPUTE);

    (void)state;
    assert_true(fabs(carried_speed(a100, a100, 0.3) - 1) < 1e-12);
    assert_true(fabs(carried_speed(a100, h100, 1) - arithmetic) < 1e-9);
    assert_true(fabs(carried_speed(a100, h100, 0) - memory) < 1e-9);
    assert_true(mixed > fmin(arithmetic, memory) && mixed < fmax(arithmetic, memory));
    assert_true(fabs(mixed * carried_speed(h100, a100, 1) - mixed / arithmetic) < 1e-9);
}

int group_range(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_of_ten_lie_between_low_and_high),
        cmocka_unit_test(independent_causes_add_as_squares),
        cmocka_unit_test(memory_is_surer_where_tensors_are_counted),
        cmocka_unit_test(doubted_networks_widen_the_range),
        cmocka_unit_test(less_known_parts_have_wider_ranges),
        cmocka_unit_test(a_measured_rate_is_carried_by_arithmetic_and_bandwidth),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
