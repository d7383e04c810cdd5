/* Hugging Face's model code, against what was measured and profiled on one H200. */
#include "memory_cases.h"

#include "estimate/step/transformers.h"

static struct setup hf_setup(const struct arch *arch)
{
    struct setup s = setup_for(arch, &h200);

    s.stack = STACK_HF;
    s.precision = PRECISION_BF16_PURE;
    s.sequence = 2048;
    s.micro_batch = 4;
    return s;
}

/* A layer of Llama 3 8B with adapters on all matrices: 41 % of the traffic in the profile is
 * forward. */
static void traffic_of_a_layer_is_that_of_the_profile(void **state)
{
    struct setup s = hf_setup(&llama3_8b);
    struct code_passes stream, ffn, adapter;
    double forward, backward;

    (void)state;
    s.method = METHOD_LORA;
    stream = transformers_stream(&s);
    ffn = transformers_ffn(&s, 14336);
    adapter = transformers_adapter(&s, 38912, 43008); /* all seven matrices together */
    forward = stream.forward + ffn.forward + adapter.forward;
    backward = stream.backward + ffn.backward + adapter.backward;
    within(forward + backward, 3.5e6, 0.05);
    within(forward / (forward + backward), 0.41, 0.05);
}

/* Peak allocated: Llama 3 8B with adapters, and GPT-2 with its GELU in fp32. */
static void memory_is_what_was_measured(void **state)
{
    struct constants c = numbers();
    struct setup s = hf_setup(&llama3_8b);

    (void)state;
    s.method = METHOD_LORA;
    s.targets = TARGET_ALL;
    s.rank = 16;
    within(estimate_memory(&s, &c).allocated, 86.328e9, 0.01);
    s.recompute = RECOMPUTE_FULL;
    within(estimate_memory(&s, &c).allocated, 31.523e9, 0.01);
    s.recompute = RECOMPUTE_NONE;
    s.targets = TARGET_Q | TARGET_V;
    s.rank = 8;
    s.sequence = 1024;
    within(estimate_memory(&s, &c).allocated, 42.904e9, 0.01);
    s = hf_setup(&gpt2);
    s.precision = PRECISION_AMP_BF16;
    s.sequence = 1024;
    s.micro_batch = 8;
    within(estimate_memory(&s, &c).allocated, 13.308e9, 0.01);
}

static void norms_on_heads_and_wide_streams_cost_more(void **state)
{
    struct arch normed = llama3_8b;
    struct setup s = hf_setup(&llama3_8b), other = hf_setup(&normed);

    (void)state;
    normed.normed_heads = true;
    assert_true(transformers_stream(&other).forward > transformers_stream(&s).forward);
    other = s;
    other.precision = PRECISION_AMP_BF16; /* a copy for each matrix, rotation in fp32 */
    assert_true(transformers_stream(&other).forward_kernels >
                transformers_stream(&s).forward_kernels);
    other.stack = STACK_LIGHTNING; /* which makes no second copy of the logits */
    assert_true(transformers_loss(&other).forward < transformers_loss(&s).forward);
}

static void compiled_code_is_not_spelled_out(void **state)
{
    struct setup s = hf_setup(&llama3_8b);

    (void)state;
    assert_true(setup_has_transformers(&s));
    s.compiled = true;
    assert_false(setup_has_transformers(&s));
    s.compiled = false;
    s.stack = STACK_HF_2023;
    assert_false(setup_has_transformers(&s));
}

int group_transformers(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traffic_of_a_layer_is_that_of_the_profile),
        cmocka_unit_test(memory_is_what_was_measured),
        cmocka_unit_test(norms_on_heads_and_wide_streams_cost_more),
        cmocka_unit_test(compiled_code_is_not_spelled_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
