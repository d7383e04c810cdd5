/* What a measured row leaves open, decided as the software it names does by default. */
#include <math.h>

#include "estimate/kernels.h"
#include "truth/rows.h"

static enum attention attention_of(const struct rows_reader *r, const struct setup *s)
{
    enum device_class class = device_class_of(s->gpu);
    bool old = class == DEVICE_VOLTA || class == DEVICE_TURING || class == DEVICE_AMPERE;

    if (s->padding > 0)
        return ATTENTION_FLASH; /* a fused kernel that knows the lengths */
    if (str_eq_nocase(row_text(r, "flash_attention"), STR("no")))
        return ATTENTION_PLAIN;
    if (s->stack == STACK_MEGATRON) { /* had none of its own in the years of the older cards */
        if (!row_has(r, "flash_attention") && old)
            return ATTENTION_PLAIN;
        return old ? ATTENTION_FLASH : ATTENTION_FUSED;
    }
    if (s->stack == STACK_XLA)
        return ATTENTION_FUSED;
    if (s->stack == STACK_EAGER || s->stack == STACK_COMPILED)
        return ATTENTION_FUSED; /* what today's PyTorch chooses */
    if (str_has_nocase(row_text(r, "framework"), STR("llm-foundry")))
        return ATTENTION_FIRST; /* MPT's is Triton's */
    return ATTENTION_FLASH;
}

/* Encoders are fine-tuned with a small head; NVIDIA's pretraining passes only masked tokens. */
static double head_share_of(const struct rows_reader *r, const struct setup *s)
{
    if (s->arch->kind != ARCH_ENCODER)
        return 1;
    if (str_eq(row_text(r, "method"), STR("full-ft")))
        return 0;
    return str_has_nocase(row_text(r, "framework"), STR("DeepLearningExamples")) ? 0.15 : 1;
}

/* NVIDIA's BERT pretraining drops the padding: half of Wikipedia's sequences of 512. */
static double padding_of(const struct rows_reader *r, const struct setup *s)
{
    bool dropped = str_has_nocase(row_text(r, "framework"), STR("DeepLearningExamples")) &&
                   str_eq(row_text(r, "method"), STR("pretrain")) && s->sequence >= 512;

    return dropped && s->arch->kind == ARCH_ENCODER ? 0.5 : 0;
}

void settle_setup(struct setup *s, const struct rows_reader *r)
{
    s->padding = padding_of(r, s);
    s->attention = attention_of(r, s);
    s->head_share = head_share_of(r, s);
    s->fused_optimizer = (s->stack == STACK_EAGER || s->stack == STACK_COMPILED) &&
                         (s->arch->kind == ARCH_DECODER || s->arch->kind == ARCH_ENCODER);
    if (s->zero < 0)
        s->zero = s->stack == STACK_MEGATRON && s->data > 1 ? 1 : 0;
    s->shard = s->data * s->context;
    if (isnan(s->rank))
        s->rank = 8;
    if (s->targets == 0) /* NeMo adapts only the attention's inputs */
        s->targets = s->stack == STACK_MEGATRON ? TARGET_Q | TARGET_K | TARGET_V : TARGET_ALL;
    /* Neuron runs fp32 products in a narrower form. */
    if (s->precision == PRECISION_FP32 && str_eq(s->gpu->vendor, STR("AWS")))
        s->precision = PRECISION_TF32;
    /* Fine-tuning scripts of Hugging Face turn it on; others recompute as little as can be. */
    if (s->recompute == RECOMPUTE_COUNT)
        s->recompute = s->stack == STACK_HF ? RECOMPUTE_FULL : RECOMPUTE_NONE;
}
