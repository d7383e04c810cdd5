/* memory_cases.h - cards, models and settings whose memory is known, with round constants. */
#ifndef TESTS_ESTIMATE_MEMORY_CASES_H
#define TESTS_ESTIMATE_MEMORY_CASES_H

#include "known.h"

#include "estimate/memory/memory.h"

static const struct accelerator a100 = {
    .name = {"A100-SXM-80GB", 13}, .memory_type = {"HBM2e", 5}, .memory_gb = 80};
static const struct accelerator h200 = {
    .name = {"H200-SXM-141GB", 14}, .memory_type = {"HBM3e", 5}, .memory_gb = 141};

/* GPT-3 as Korthikanti et al. count it. */
static const struct arch gpt = {.kind = ARCH_DECODER,
                                .layers = 96,
                                .hidden = 12288,
                                .heads = 96,
                                .kv_heads = 96,
                                .head_dim = 128,
                                .ffn = 49152,
                                .vocab = 51200,
                                .positions = 2048,
                                .tied = true,
                                .bias_qkv = true,
                                .bias_all = true};
static const struct arch gpt2 = {.kind = ARCH_DECODER,
                                 .gelu_formula = true,
                                 .layers = 12,
                                 .hidden = 768,
                                 .heads = 12,
                                 .kv_heads = 12,
                                 .head_dim = 64,
                                 .ffn = 3072,
                                 .vocab = 50304,
                                 .positions = 1024,
                                 .tied = true,
                                 .bias_qkv = true,
                                 .bias_all = true};
static const struct arch llama3_8b = {.kind = ARCH_DECODER,
                                      .layers = 32,
                                      .hidden = 4096,
                                      .heads = 32,
                                      .kv_heads = 8,
                                      .head_dim = 128,
                                      .ffn = 14336,
                                      .vocab = 128256,
                                      .gated = true};
static const struct arch mixtral = {.kind = ARCH_DECODER,
                                    .layers = 32,
                                    .hidden = 4096,
                                    .heads = 32,
                                    .kv_heads = 8,
                                    .head_dim = 128,
                                    .vocab = 32000,
                                    .gated = true,
                                    .experts = 8,
                                    .active_experts = 2,
                                    .expert_ffn = 14336};

/* Round figures near the fitted ones, so that a new fit changes no test. */
static inline struct constants numbers(void)
{
    struct constants c = {0};

    c.at[C_mem_workspace] = 1.2e8;
    c.at[C_mem_trainer] = 1e9;
    c.at[C_mem_context] = 8e8;
    c.at[C_mem_group] = 4e8;
    c.at[C_mem_fragment] = 0.08;
    c.at[C_mem_fragment_full] = 0.36;
    c.at[C_mem_fragment_image] = 0.18;
    c.at[C_mem_logits_trainer] = 24;
    c.at[C_mem_image_working] = 0.03;
    c.at[C_mem_image_autocast] = 1.04;
    return c;
}

/* Pure bf16 on one GPU of a node of eight, in plain PyTorch. */
static inline struct setup setup_for(const struct arch *arch, const struct accelerator *gpu)
{
    struct setup s = known_setup_on(arch, gpu, 1);

    s.per_node = 8;
    s.precision = PRECISION_BF16_PURE;
    s.stack = STACK_EAGER;
    s.attention = ATTENTION_FUSED;
    s.fused_optimizer = true;
    return s;
}

static inline void within(double got, double expected, double share)
{
    if (!(fabs(got - expected) <= share * fabs(expected)))
        fail_msg("%.6g, not %.6g", got, expected);
}

static inline struct setup megatron(int64_t tensor, bool sequence_parallel)
{
    struct setup s = setup_for(&gpt, &a100);

    s.stack = STACK_MEGATRON;
    s.precision = PRECISION_FP16;
    s.attention = ATTENTION_PLAIN;
    s.gpus = s.tensor = tensor;
    s.sequence_parallel = sequence_parallel;
    return s;
}

#endif
