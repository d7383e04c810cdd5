#include "known.h"

#include "estimate/step/image.h"

static const struct accelerator h200 = {
    .architecture = {"Hopper", 6},
    .bf16_tflops = 1250,
    .fp16_tflops = 1250,
    .tf32_tflops = 625,
    .fp32_tflops = 62.5,
    .bandwidth_gb_s = 5000,
    .tdp_w = 700,
    .fp8_tflops = NAN,
    .fp4_tflops = NAN,
};

/* A network of convolutions: 10 GFLOP and 20 million elements for a picture. */
static const struct arch network = {
    .kind = ARCH_IMAGE,
    .resolution = 200,
    .image_params = 20e6,
    .forward_flop = 10e9,
    .saved_elements = 10e6,
    .output_elements = 20e6,
    .operations = 100,
    .group_width = 1,
    .group_kernel = 3,
    .stated_params = 20e6,
};

static const struct arch recurrent = {
    .kind = ARCH_LSTM, .hidden = 512, .layers = 2, .input = 5, .stated_params = NAN};

/* Round figures near the fitted ones, so that a new fit changes no test. */
static struct constants numbers(void)
{
    struct constants c = {0};

    for (size_t i = 0; i < CONSTANT_COUNT; i++)
        c.at[i] = 1;
    c.at[C_gemm_hopper] = 0.8; /* 1000 TFLOP/s in bf16, 500 in TF32, 50 in fp32 */
    c.at[C_gemm_power] = 1e-9;
    c.at[C_memory_eager] = 1e13;
    c.at[C_kernel_floor] = 2e-6;
    c.at[C_gemm_wave] = 0.25;
    c.at[C_gemm_depth] = 100;
    c.at[C_host_step] = 1e-3;
    c.at[C_host_autocast] = 1.5;
    c.at[C_overlap_data] = 0.7;
    c.at[C_link_latency] = c.at[C_network_latency] = 1e-5;
    c.at[C_image_bytes] = 3;
    c.at[C_image_layered] = 10;
    c.at[C_image_stem] = 800;
    c.at[C_image_depthwise_rate] = 0.08;
    c.at[C_image_window] = 8;
    c.at[C_image_grouped] = 0.06;
    c.at[C_image_fp32] = 0.5;
    c.at[C_image_step] = 6e-5;
    c.at[C_lstm_step] = 5e-5;
    c.at[C_lstm_narrow] = 0.1;
    return c;
}

static struct setup setup_of(const struct arch *arch, enum precision precision, int64_t batch)
{
    struct setup s = known_setup_on(arch, &h200, 1);

    s.precision = precision;
    s.channels_last = true;
    s.stack = STACK_EAGER;
    s.sequence = 1;
    s.micro_batch = batch;
    s.rank = 8;
    return s;
}

static struct step step_of(const struct setup *s)
{
    struct constants c = numbers();
    struct step t = estimate_image_step(s, &c);
    double sum = t.products + t.elementwise + t.recompute + t.dequantise + t.encoders +
                 t.optimizer + t.data + t.host;

    assert_true(t.total > 0 && isfinite(t.total));
    assert_true(fabs(t.total - sum) < 1e-9 * sum);
    assert_true(t.busy > 0 && t.busy <= 1);
    return t;
}

static void near(double got, double expected, double share)
{
    if (!(fabs(got - expected) <= share * fabs(expected)))
        fail_msg("%.12g, not %.12g", got, expected);
}

static void a_large_batch_is_bound_by_memory_and_work(void **state)
{
    struct setup s = setup_of(&network, PRECISION_AMP_BF16, 512);
    struct step one, two;

    (void)state;
    one = step_of(&s);
    near(one.products, 3 * 512 * 10e9 / 1e15, 1e-6);
    near(one.elementwise, 512 * (3 * 6 * 20e6 + 800 * 4e4) / 5e12, 0.02);
    assert_true(one.host < 0.01 * one.total);
    s.micro_batch = 1024;
    two = step_of(&s);
    near(two.total, 2 * one.total, 0.03);
}

static void a_small_batch_waits_for_the_host(void **state)
{
    struct setup s = setup_of(&network, PRECISION_AMP_BF16, 4);

    (void)state;
    near(step_of(&s).total, 100 * 6e-5 * 1.5 + 1e-3, 0.01);
    s.precision = PRECISION_TF32; /* no casts */
    near(step_of(&s).total, 100 * 6e-5 + 1e-3, 0.01);
}

static void a_larger_picture_is_more_work(void **state)
{
    struct setup s = setup_of(&network, PRECISION_TF32, 256);
    double base;

    (void)state;
    base = step_of(&s).products;
    s.resolution = 400;
    near(step_of(&s).products, 4 * base, 1e-6);
    s.resolution = 200;
    near(step_of(&s).products, base, 1e-6);
    near(image_scale(&network, 0), 1, 1e-12);
}

static void depthwise_convolutions_are_slow(void **state)
{
    struct constants c = numbers();
    struct arch a = network;

    (void)state;
    near(grouped_time(&a, &h200, PRECISION_AMP_BF16, 1e12, &c), 1e12 / 5e12, 1e-6);
    near(grouped_time(&a, &h200, PRECISION_TF32, 1e12, &c), 1e12 / 5e12, 1e-6);
    a.group_kernel = 7; /* cuDNN has none of its own in fp32 */
    near(grouped_time(&a, &h200, PRECISION_AMP_BF16, 1e12, &c), 1e12 / 5e12, 1e-6);
    near(grouped_time(&a, &h200, PRECISION_TF32, 1e12, &c), 8e12 / 5e12, 1e-6);
    a.group_width = 16;
    near(grouped_time(&a, &h200, PRECISION_TF32, 1e12, &c), 1e12 / 30e12, 1e-6);
    assert_true(grouped_time(&a, &h200, PRECISION_TF32, 0, &c) == 0);
}

static void plain_fp32_is_slow_where_there_is_tf32(void **state)
{
    struct setup s = setup_of(&network, PRECISION_FP32, 256);
    struct accelerator old = h200;

    (void)state;
    near(step_of(&s).products, 3 * 256 * 10e9 / 25e12, 1e-6);
    old.tf32_tflops = NAN;
    s.gpu = &old;
    near(step_of(&s).products, 3 * 256 * 10e9 / 50e12, 1e-6);
}

static void layer_norms_cost_more_passes(void **state)
{
    struct arch layered = network;
    struct setup s = setup_of(&network, PRECISION_AMP_BF16, 512);
    double plain;

    (void)state;
    plain = step_of(&s).elementwise;
    layered.layered = true;
    s.arch = &layered;
    near(step_of(&s).elementwise, plain + 512 * 10 * 20e6 / 5e12, 1e-6);
}

static void default_layout_is_turned_round(void **state)
{
    struct arch layered = network, thin = network;
    struct setup s = setup_of(&network, PRECISION_AMP_BF16, 512);
    double last = step_of(&s).elementwise, turned;

    (void)state;
    s.channels_last = false;
    turned = step_of(&s).elementwise - last;
    assert_true(turned > 0);
    thin.depthwise_share = 0.1;
    thin.group_width = 1;
    s.arch = &thin;
    near(step_of(&s).elementwise - last, 1.7 * turned, 1e-6);
    layered.layered = true; /* no convolutions that would want another layout */
    s.arch = &layered;
    turned = step_of(&s).elementwise;
    s.channels_last = true;
    near(step_of(&s).elementwise, turned, 1e-9);
}

static void diffusion_has_encoders_and_adapters(void **state)
{
    struct arch latent = network, adapted = network;
    struct setup s = setup_of(&latent, PRECISION_BF16, 4), one;
    struct step alone, with;

    (void)state;
    latent.layered = adapted.layered = true;
    latent.text_params = 123e6;
    alone = step_of(&s);
    s.encoders = true;
    with = step_of(&s);
    assert_true(alone.encoders == 0 && with.encoders > 0);
    near(with.total, alone.total - alone.host + with.encoders + with.host, 1e-6);
    one = setup_of(&adapted, PRECISION_BF16, 1);
    one.method = METHOD_LORA;
    adapted.adapters = 128;
    alone = step_of(&one);
    adapted.adapters = 560;
    with = step_of(&one);
    near(with.host + with.products - alone.host - alone.products, (560 - 128) * 6e-4, 0.05);
    one.optimizer = OPTIMIZER_ADAFACTOR; /* one tensor after the other, two for each adapter */
    near(step_of(&one).host - with.host, 2 * 560 * 1.7e-4, 0.05);
}

static void adapters_spare_the_gradients_of_weights(void **state)
{
    struct setup s = setup_of(&network, PRECISION_BF16, 512);
    struct step full, lora, quantised;

    (void)state;
    full = step_of(&s);
    s.method = METHOD_LORA;
    lora = step_of(&s);
    near(lora.products, full.products * 0.7, 1e-6);
    assert_true(lora.optimizer < full.optimizer);
    s.method = METHOD_QLORA;
    s.base = WEIGHTS_NF4;
    quantised = step_of(&s);
    assert_true(quantised.dequantise > 0 && lora.dequantise == 0);
}

static void recompute_is_one_more_forward_pass(void **state)
{
    struct setup s = setup_of(&network, PRECISION_BF16, 512);
    struct step t;

    (void)state;
    s.recompute = RECOMPUTE_FULL;
    t = step_of(&s);
    near(t.recompute, (t.products + t.elementwise) / 3, 1e-6);
}

static void accumulation_shares_one_optimizer_step(void **state)
{
    struct setup s = setup_of(&network, PRECISION_BF16, 256);
    struct step one, four;

    (void)state;
    one = step_of(&s);
    s.accumulation = 4;
    four = step_of(&s);
    near(four.products, 4 * one.products, 1e-6);
    near(four.optimizer, one.optimizer, 1e-6);
}

static void gradients_are_exchanged_among_gpus(void **state)
{
    struct setup s = setup_of(&network, PRECISION_BF16, 1);

    (void)state;
    assert_true(step_of(&s).data == 0);
    s.gpus = s.data = s.shard = 16;
    s.per_node = 8;
    s.network_gb_s = 0.01; /* so slow that nothing hides it */
    assert_true(step_of(&s).data > 0.1);
}

static void each_step_of_an_lstm_is_launched(void **state)
{
    struct setup s = setup_of(&recurrent, PRECISION_TF32, 32);
    struct step t;

    (void)state;
    s.sequence = 1000;
    t = step_of(&s);
    near(t.total, 2000 * 5e-5, 0.1);
    s.sequence = 2000;
    near(step_of(&s).total, 2 * t.total, 0.1);
}

static void narrow_lstms_stay_on_the_chip_in_fp32(void **state)
{
    struct arch narrow = recurrent;
    struct setup s = setup_of(&narrow, PRECISION_TF32, 32);
    double fused;

    (void)state;
    narrow.hidden = 128;
    s.sequence = 1000;
    fused = step_of(&s).total;
    assert_true(fused < 0.02);
    s.precision = PRECISION_AMP_BF16;
    assert_true(step_of(&s).total > 4 * fused);
}

int group_image(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_batch_is_bound_by_memory_and_work),
        cmocka_unit_test(a_small_batch_waits_for_the_host),
        cmocka_unit_test(a_larger_picture_is_more_work),
        cmocka_unit_test(depthwise_convolutions_are_slow),
        cmocka_unit_test(plain_fp32_is_slow_where_there_is_tf32),
        cmocka_unit_test(layer_norms_cost_more_passes),
        cmocka_unit_test(default_layout_is_turned_round),
        cmocka_unit_test(diffusion_has_encoders_and_adapters),
        cmocka_unit_test(adapters_spare_the_gradients_of_weights),
        cmocka_unit_test(recompute_is_one_more_forward_pass),
        cmocka_unit_test(accumulation_shares_one_optimizer_step),
        cmocka_unit_test(gradients_are_exchanged_among_gpus),
        cmocka_unit_test(each_step_of_an_lstm_is_launched),
        cmocka_unit_test(narrow_lstms_stay_on_the_chip_in_fp32),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
