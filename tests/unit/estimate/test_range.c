/* How certain an estimate is. */
#include "known.h"

#include "estimate/kernels/measured.h"
#include "estimate/range.h"
#include "estimate/step/step.h"

static double spread_of_step(const struct setup *s, const struct constants *c)
{
    struct step step = estimate_step(s, c);

    return step_spread(s, &step, c);
}

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
    c.at[C_spread_host] = 0;
    assert_true(fabs(spread_of_step(&s, &c) - 0.03) < 1e-12);
    s = known_setup(&a, "A100", 8);
    assert_true(fabs(spread_of_step(&s, &c) - 0.05) < 1e-12);
    s = known_setup(&a, "A100", 64);
    assert_true(fabs(spread_of_step(&s, &c) - 0.13) < 1e-12);
}

/* A network whose rate is doubted widens the range by what a slower one costs, and by nothing
 * within one machine. */
static void doubted_networks_widen_the_range(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "A100", 64), slower;
    struct constants c = known_constants;
    double sure, times;

    (void)state;
    c.at[C_spread_host] = 0; /* its share of the step changes with the network */
    sure = spread_of_step(&s, &c);
    s.network_gb_s = 1;
    assert_true(spread_of_step(&s, &c) == sure);
    s.network_doubt = log(1.5);
    slower = s;
    slower.network_gb_s = 1 / 1.5;
    times = estimate_step(&slower, &c).total / estimate_step(&s, &c).total;
    assert_true(times > 1.1);
    assert_true(fabs(spread_of_step(&s, &c) - hypot(sure, log(times))) < 1e-9);
    s = known_setup(&a, "A100", 8);
    sure = spread_of_step(&s, &c);
    s.network_doubt = log(1.5);
    assert_true(spread_of_step(&s, &c) == sure);
}

static void less_known_parts_have_wider_ranges(void **state)
{
    struct arch dense = known_arch("llama-2-7b"), sparse = known_arch("mixtral-8x7b"),
                picture = known_arch("resnet50");
    struct setup plain = known_setup(&dense, "A100", 1), experts = plain, image = plain,
                 trainer = plain;
    double least = spread_of_step(&plain, &known_constants);

    (void)state;
    experts.arch = &sparse;
    image.arch = &picture;
    trainer.stack = STACK_HF_2023;
    assert_true(spread_of_step(&experts, &known_constants) > least);
    assert_true(spread_of_step(&image, &known_constants) > least);
    assert_true(spread_of_step(&trainer, &known_constants) > least);
    assert_true(least > 0 && least < 0.5);
}

/* More can make work slower than faster: a time's range reaches further up, a rate's down. */
static void ranges_of_times_lie_late(void **state)
{
    struct arch a = known_arch("llama-2-7b");
    struct setup s = known_setup(&a, "A100", 8);
    struct step step = estimate_step(&s, &known_constants);
    struct doubt doubt = step_doubt(&s, &step, &known_constants);
    struct guess time = guess_time(100, doubt), rate = guess_rate(100, doubt);

    (void)state;
    assert_true(doubt.late > 0 && doubt.late < doubt.spread);
    assert_true(time.value == 100 && rate.value == 100);
    assert_true(time.low < 100 && 100 / time.low < time.high / 100);
    assert_true(fabs(time.low * rate.high / 1e4 - 1) < 1e-9);
    assert_true(fabs(time.high * rate.low / 1e4 - 1) < 1e-9);
    assert_true(fabs(guess_chance_below(time, time.high) - 0.9) < 1e-4);
    assert_true(fabs(guess_chance_below(time, time.low) - 0.1) < 1e-4);
    assert_true(guess_chance_below(time, 100) < 0.5);
    s.method = METHOD_LORA;
    assert_true(step_doubt(&s, &step, &known_constants).late == 0);
}

/* One short sequence keeps the host busy, many long ones the GPU. */
static void ranges_are_widest_where_the_host_decides(void **state)
{
    struct arch a = known_arch("llama-3.2-1b");
    struct setup s = known_setup(&a, "H100", 1);
    struct constants sure = known_constants;
    struct serving few = {.arch = &a,
                          .gpu = known_gpu("H100-SXM-80GB"),
                          .gpus = 1,
                          .tensor = 1,
                          .pipeline = 1,
                          .weights = WEIGHTS_FP16,
                          .kv = WEIGHTS_FP16,
                          .engine = ENGINE_HF,
                          .batch = 1,
                          .input = 16,
                          .output = 128};
    struct serving many = few;
    double own = known_constants.at[C_spread_host];

    (void)state;
    sure.at[C_spread_host] = 0;
    s.stack = STACK_HF;
    s.sequence = 128;
    s.micro_batch = 1;
    assert_near(spread_of_step(&s, &known_constants), hypot(spread_of_step(&s, &sure), own),
                0.01);
    s.sequence = 4096;
    s.micro_batch = 8;
    assert_near(spread_of_step(&s, &known_constants), spread_of_step(&s, &sure), 0.01);
    many.batch = 64;
    many.input = 4096;
    assert_true(serving_host_share(&few, false, &known_constants) > 0.99);
    assert_true(serving_host_share(&many, false, &known_constants) < 0.1);
    assert_true(serving_spread(&few, C_spread_prefill, &known_constants) >
                1.2 * serving_spread(&many, C_spread_prefill, &known_constants));
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
    assert_true(memory_doubt(&counted, &known_constants).spread <
                memory_doubt(&plain, &known_constants).spread / 2);
    assert_true(memory_doubt(&several, &known_constants).spread >
                memory_doubt(&counted, &known_constants).spread);
    assert_true(memory_doubt(&counted, &known_constants).late == 0);
    assert_true(memory_doubt(&plain, &known_constants).late > 0); /* rather more than less */
    counted.method = METHOD_QLORA; /* packed weights were not measured */
    assert_true(memory_doubt(&counted, &known_constants).spread ==
                memory_doubt(&plain, &known_constants).spread);
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
        cmocka_unit_test(ranges_of_times_lie_late),
        cmocka_unit_test(ranges_are_widest_where_the_host_decides),
        cmocka_unit_test(a_measured_rate_is_carried_by_arithmetic_and_bandwidth),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
