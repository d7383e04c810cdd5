#include "test.h"

#include <stdio.h>

#include "job/choices.h"

#define NONE (-1)

static void check_precision(const char *text, int expected)
{
    enum precision p = PRECISION_COUNT;
    int got = precision_of(str_from(text), &p) ? (int)p : NONE;

    if (got != expected)
        fail_msg("precision '%s' is %d, not %d", text, got, expected);
}

static void check_optimizer(const char *text, int expected)
{
    enum optimizer o = OPTIMIZER_COUNT;
    int got = optimizer_of(str_from(text), &o) ? (int)o : NONE;

    if (got != expected)
        fail_msg("optimizer '%s' is %d, not %d", text, got, expected);
}

static void check_weights(const char *text, int expected)
{
    enum weights w = WEIGHTS_COUNT;
    int got = weights_of(str_from(text), &w) ? (int)w : NONE;

    if (got != expected)
        fail_msg("weights '%s' are %d, not %d", text, got, expected);
}

static void check_stack(const char *text, int expected)
{
    enum stack s = STACK_COUNT;
    int got = stack_of(str_from(text), &s) ? (int)s : NONE;

    if (got != expected)
        fail_msg("framework '%s' is %d, not %d", text, got, expected);
}

static void check_targets(const char *text, unsigned expected)
{
    unsigned bits = 0;

    if (targets_of(str_from(text), &bits) != (expected != 0) || bits != expected)
        fail_msg("targets '%s' are %x, not %x", text, bits, expected);
}

static void every_name_means_itself(void **state)
{
    (void)state;
    for (int i = 0; i < PRECISION_COUNT; i++)
        check_precision(precision_names[i], i);
    for (int i = 0; i < OPTIMIZER_COUNT; i++)
        check_optimizer(optimizer_names[i], i);
    for (int i = 0; i < WEIGHTS_COUNT; i++)
        check_weights(weights_names[i], i);
    for (int i = 0; i < STACK_COUNT; i++)
        check_stack(stack_names[i], i);
    for (int i = 0; i < METHOD_COUNT; i++) {
        enum method m = METHOD_COUNT;

        assert_true(method_of(str_from(method_names[i]), &m) && (int)m == i);
    }
    for (int i = 0; i < RECOMPUTE_COUNT; i++) {
        enum recompute r = RECOMPUTE_COUNT;

        assert_true(recompute_of(str_from(recompute_names[i]), &r) && (int)r == i);
    }
}

static void names_are_found_whatever_the_case_and_the_dash(void **state)
{
    (void)state;
    assert_int_equal(choice_of(precision_names, STR("BF16_Pure")), PRECISION_BF16_PURE);
    assert_int_equal(choice_of(offload_names, STR("NVMe")), OFFLOAD_NVME);
    assert_int_equal(choice_of(offload_names, STR("nvm")), NONE);
    assert_int_equal(choice_of(offload_names, STR("nvme2")), NONE);
    assert_int_equal(choice_of(offload_names, STR("")), NONE);
}

static void knows_how_trainers_spell_precision(void **state)
{
    (void)state;
    check_precision("bf16-mixed", PRECISION_AMP_BF16);
    check_precision("amp_bf16", PRECISION_AMP_BF16);
    check_precision("bf16-true", PRECISION_BF16_PURE);
    check_precision("BF16", PRECISION_BF16);
    check_precision("bfloat16", PRECISION_BF16);
    check_precision("fp16", PRECISION_AMP_FP16);
    check_precision("fp16-amp", PRECISION_AMP_FP16);
    check_precision("16-mixed", PRECISION_AMP_FP16);
    check_precision("tf32/fp32", PRECISION_TF32);
    check_precision("FP32", PRECISION_FP32);
    check_precision("fp8-cs", PRECISION_FP8);
    check_precision("amp_fp8", PRECISION_FP8);
    check_precision("fp8 (alt. granularity)", PRECISION_MXFP8);
    check_precision("fp8-mx", PRECISION_MXFP8);
    check_precision("nvfp4", PRECISION_FP4);
    check_precision("Autocast:BF16+FP32Optimizer", PRECISION_BF16);
    check_precision("Autocast:BF16+SR", PRECISION_BF16_PURE);
    check_precision("Autocast:BF16/AMP", PRECISION_AMP_BF16);
    check_precision("nf4+bf16", PRECISION_BF16);
    check_precision("nf4+fp16", PRECISION_AMP_FP16);
    check_precision("int4-gptq+bf16", PRECISION_BF16);
    check_precision("int4 (bnb)", PRECISION_BF16);
    check_precision("bf16 (as recipe; check for int8)", PRECISION_BF16);
    check_precision("bf61", NONE);
    check_precision("", NONE);
}

static void knows_how_trainers_spell_optimizers(void **state)
{
    (void)state;
    check_optimizer("AdamW", OPTIMIZER_ADAMW);
    check_optimizer("distributed adam", OPTIMIZER_ADAMW);
    check_optimizer("Lamb", OPTIMIZER_ADAMW);
    check_optimizer("adamw_torch_fused", OPTIMIZER_ADAMW);
    check_optimizer("adamw8bit", OPTIMIZER_ADAMW_8BIT);
    check_optimizer("paged-adamw-8bit (recipe default)", OPTIMIZER_ADAMW_8BIT_PAGED);
    check_optimizer("paged_adamw_8bit", OPTIMIZER_ADAMW_8BIT_PAGED);
    check_optimizer("PagedAdamW8bit", OPTIMIZER_ADAMW_8BIT_PAGED);
    check_optimizer("paged_adamw_32bit", OPTIMIZER_ADAMW_PAGED);
    check_optimizer("PagedAdamW", OPTIMIZER_ADAMW_PAGED);
    check_optimizer("paged_lion_32bit", OPTIMIZER_LION);
    check_optimizer("OneBitAdam", OPTIMIZER_ADAMW_1BIT);
    check_optimizer("1-bit Adam", OPTIMIZER_ADAMW_1BIT);
    check_optimizer("adafactor", OPTIMIZER_ADAFACTOR);
    check_optimizer("adamx", NONE);
}

static void distinguishes_the_format_of_weights_from_the_method(void **state)
{
    (void)state;
    check_weights("AWQ", WEIGHTS_INT4);
    check_weights("AWQ-INT4", WEIGHTS_INT4);
    check_weights("GPTQ-Int4", WEIGHTS_INT4);
    check_weights("GPTQ-Int8", WEIGHTS_INT8);
    check_weights("int8 (gptq)", WEIGHTS_INT8);
    check_weights("int4 (gptq)", WEIGHTS_INT4);
    check_weights("int4 (bnb)", WEIGHTS_NF4);
    check_weights("nf4-dq", WEIGHTS_NF4_DQ);
    check_weights("bnb.nf4-dq", WEIGHTS_NF4_DQ);
    check_weights("nf4 double quant", WEIGHTS_NF4_DQ);
    check_weights("nf4+bf16", WEIGHTS_NF4);
    check_weights("int4-gptq+bf16", WEIGHTS_INT4);
    check_weights("q4_k_m", WEIGHTS_INT4);
    check_weights("f16", WEIGHTS_FP16);
    check_weights("fp16/bf16", WEIGHTS_FP16);
    check_weights("bfloat16", WEIGHTS_FP16);
    check_weights("bf16 (as recipe; check for int8)", WEIGHTS_FP16);
    check_weights("mxfp4", WEIGHTS_MXFP4);
    check_weights("nvfp4", WEIGHTS_FP4);
    check_weights("FP8", WEIGHTS_FP8);
    check_weights("tf32", WEIGHTS_FP32);
    check_weights("q", NONE);
}

static void knows_the_stack_of_a_framework(void **state)
{
    (void)state;
    check_stack("llm-foundry/Composer FSDP", STACK_FSDP);
    check_stack("torchtitan", STACK_FSDP);
    check_stack("torchtune", STACK_COMPILED);
    check_stack("pytorch-eager", STACK_EAGER);
    check_stack("pytorch-compile", STACK_COMPILED);
    check_stack("NeMo 24.07 / Megatron-Core + TE", STACK_MEGATRON);
    check_stack("InternEvo", STACK_MEGATRON);
    check_stack("Transformer Engine", STACK_MEGATRON);
    check_stack("NVIDIA DeepLearningExamples (PyTorch, NGC 24.x)", STACK_EAGER);
    check_stack("HF Trainer / DeepSpeed", STACK_HF);
    check_stack("ms-swift (HF Trainer); device_map model split over 2 GPUs", STACK_HF);
    check_stack("axolotl", STACK_HF);
    check_stack("hf-2023", STACK_HF_2023);
    check_stack("lightning", STACK_LIGHTNING);
    check_stack("plain", STACK_EAGER);
    check_stack("XTuner + DeepSpeed ZeRO-3", STACK_DEEPSPEED);
    check_stack("Megatron-DeepSpeed (Gaudi)", STACK_XLA);
    check_stack("MaxText (GPU, A3)", STACK_XLA);
    check_stack("Neuron 2.28.0", STACK_XLA);
    check_stack("Unsloth+FA2", STACK_COMPILED);
    check_stack("litgpt", STACK_EAGER);
    check_stack("CUDA 12.3", NONE);
}

static void targets_are_modules_or_groups_of_them(void **state)
{
    (void)state;
    check_targets("q,v", TARGET_Q | TARGET_V);
    check_targets("all-linear", TARGET_ALL);
    check_targets("q_proj, k_proj, v_proj, o_proj", TARGET_ATTENTION);
    check_targets("attention+mlp", TARGET_ALL);
    check_targets("c_attn", TARGET_Q | TARGET_K | TARGET_V);
    check_targets("gate_proj,up_proj,down_proj,", TARGET_FFN);
    check_targets("down_proj", TARGET_DOWN);
    check_targets("gate_up_proj", TARGET_GATE | TARGET_UP);
    check_targets("w1 w3", TARGET_GATE | TARGET_UP);
    check_targets("linear_fc1,linear_fc2", TARGET_FFN);
    check_targets("c_proj", TARGET_O | TARGET_DOWN);
    check_targets("q,w", 0);
    check_targets(",", 0);
    check_targets("", 0);
}

static void overlong_text_means_nothing(void **state)
{
    static char text[4096];

    (void)state;
    for (size_t i = 0; i + 5 < sizeof text; i += 5)
        (void)snprintf(text + i, 6, "bf16 ");
    check_precision(text, NONE);
    check_weights(text, NONE);
    check_stack(text, NONE);
    check_targets(text, 0);
}

static void a_weight_has_its_share_of_the_scales(void **state)
{
    (void)state;
    assert_true(weights_bytes(WEIGHTS_FP32) == 4 && weights_bytes(WEIGHTS_FP16) == 2);
    assert_true(weights_bytes(WEIGHTS_NF4) == 0.5625);
    assert_true(weights_bytes(WEIGHTS_INT4) > 0.5 && weights_bytes(WEIGHTS_INT4) < 0.53);
    for (int i = 0; i < WEIGHTS_COUNT; i++)
        assert_true(weights_bytes((enum weights)i) >= 0.5);
}

int group_choices(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_means_itself),
        cmocka_unit_test(names_are_found_whatever_the_case_and_the_dash),
        cmocka_unit_test(knows_how_trainers_spell_precision),
        cmocka_unit_test(knows_how_trainers_spell_optimizers),
        cmocka_unit_test(distinguishes_the_format_of_weights_from_the_method),
        cmocka_unit_test(knows_the_stack_of_a_framework),
        cmocka_unit_test(targets_are_modules_or_groups_of_them),
        cmocka_unit_test(overlong_text_means_nothing),
        cmocka_unit_test(a_weight_has_its_share_of_the_scales),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
