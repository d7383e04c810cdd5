/* What of a training job does not depend on how GPUs share the work, where it does not say. */
#include "estimate/model/choose.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/num.h"
#include "estimate/kernels/comm.h"
#include "estimate/kernels/kernels.h"
#include "estimate/model/alignment.h"
#include "estimate/step/latent.h"

#define USUAL_SEQUENCE 2048
#define PRETRAINING_TOKENS 5.0 /* of each parameter */
#define MANY_TOKENS 100e9      /* more than any fine-tuning has, however large the model */
#define MANY_GPUS 64           /* from here on models are trained with Megatron */
#define SEQUENCE_SHARE 0.55    /* of a GPU's memory, that one sequence may fill */
#define WHOLE_NODE 8           /* GPUs of machines that have a fast network of their own */
#define ETHERNET_GB_S 3.125    /* of others: 25 Gbit/s for the machine */
#define BITS_PER_BYTE 8.0
#define LOADING_BYTES 2e9 /* of a machine's memory, besides the model */

void note(struct notes *notes, const char *fmt, ...)
{
    va_list args;

    if (notes == NULL || notes->len == MAX_NOTES)
        return;
    va_start(args, fmt);
    (void)vsnprintf(notes->at[notes->len++], sizeof notes->at[0], fmt, args);
    va_end(args);
}

bool choose_unknown(struct error *err, const char *key, struct str value)
{
    return error_fail(err, ERROR_INPUT, "%s: '%.*s' is not known", key, STR_ARG(value));
}

double loading_host_bytes(const struct arch *arch, double each, double machines)
{
    return LOADING_BYTES + arch_count(arch).total * each / 2 / machines;
}

int64_t choose_or_one(int64_t n)
{
    return n > 0 ? n : 1;
}

/* bf16 where the card has it; a card without is trained in fp16 autocast. On one GPU full
 * training is autocast over fp32 weights; the sharding trainers keep bf16 weights with an fp32
 * copy. */
static enum precision usual_precision(const struct hardware *hw, enum method method)
{
    const struct accelerator *gpu = hw->gpu;

    if (!(gpu->bf16_tflops > 0) && gpu->fp16_tflops > 0)
        return PRECISION_AMP_FP16;
    if (!(gpu->bf16_tflops > 0))
        return PRECISION_FP32;
    return method == METHOD_FULL && hw->gpus == 1 ? PRECISION_AMP_BF16 : PRECISION_BF16;
}

/* What a narrower precision usually costs in accuracy: rules of thumb, so that it is never
 * chosen where the user asked for better. */
static bool check_tolerance(const struct job_train *t, const struct setup *s, struct error *err)
{
    double loss = s->precision == PRECISION_FP4                                      ? 0.015
                  : s->precision == PRECISION_FP8 || s->precision == PRECISION_MXFP8 ? 0.005
                                                                                     : 0;

    if (isnan(t->tolerance) || loss <= t->tolerance)
        return true;
    error_set(err, ERROR_INPUT,
              "precision %s usually costs %.1f %% of accuracy, and %s %% is tolerated",
              precision_names[s->precision], 100 * loss, num_about(100 * t->tolerance).text);
    error_hint(err, "set precision: bf16, or tolerance: %.1f%%", 100 * loss);
    return false;
}

static bool choose_method(const struct job_train *t, struct setup *s, struct notes *notes,
                          struct error *err)
{
    s->method =
        t->method.len > 0 ? (enum method)choice_of(method_names, t->method) : METHOD_FULL;
    s->base = WEIGHTS_NF4;
    s->targets = TARGET_ALL;
    s->rank = isnan(t->rank) ? 16 : t->rank;
    if (t->base.len > 0 && !weights_of(t->base, &s->base))
        return choose_unknown(err, "base", t->base);
    if (t->targets.len > 0 && !targets_of(t->targets, &s->targets))
        return choose_unknown(err, "targets", t->targets);
    if (s->method != METHOD_FULL && s->targets == TARGET_GATE && !s->arch->gated &&
        !arch_is_other(s->arch)) {
        error_set(err, ERROR_INPUT,
                  "targets: %.*s: the feed-forward layers of this model have no gate",
                  STR_ARG(t->targets));
        error_hint(err, "use targets: up_proj,down_proj");
        return false;
    }
    if (t->modules_to_save.len > 0 && !saved_modules_of(t->modules_to_save, &s->saved))
        return choose_unknown(err, "modules_to_save", t->modules_to_save);
    s->dora = s->method != METHOD_FULL && str_eq(t->dora, STR("yes"));
    s->trained_layers = t->trained_layers > 0 ? t->trained_layers : 0;
    s->galore_rank = isnan(t->galore_rank) ? 0 : t->galore_rank;
    s->fused_step = str_eq(t->fused_step, STR("yes"));
    if (s->galore_rank > 0)
        note(notes, "GaLore: memory of its states is computed, the time of its projections "
                    "is not");
    if (s->arch->native && s->method != METHOD_QLORA)
        note(notes,
             "published in %s: the weights are unpacked to 16 bits for this training, %.0f GB; "
             "--qlora keeps them small",
             weights_names[s->arch->stored], 2 * arch_count(s->arch).total / 1e9);
    if (s->method != METHOD_FULL && isnan(t->rank))
        note(notes, "LoRA of rank 16 on %s",
             t->targets.len > 0 ? "these layers" : "all linear layers");
    return true;
}

bool choose_native(const struct accelerator *gpu, enum precision p)
{
    if (p == PRECISION_AMP_BF16 || p == PRECISION_BF16 || p == PRECISION_BF16_PURE)
        return gpu->bf16_tflops > 0;
    if (p == PRECISION_FP8 || p == PRECISION_MXFP8)
        return gpu->fp8_tflops > 0;
    return p != PRECISION_FP4 || gpu->fp4_tflops > 0;
}

/* What the card cannot do is done in the next wider way; the user should know. */
static void note_missing(const struct accelerator *gpu, enum precision p, struct notes *notes)
{
    if (choose_native(gpu, p))
        return;
    if (p == PRECISION_FP4)
        note(notes, "the card has no 4-bit products: they run in 8 or 16 bits");
    else if (precision_narrow(p))
        note(notes, "the card has no fp8: products run in 16 bits");
    else
        note(notes, "the card has no bf16: products run as fp16 or fp32 do");
}

/* What the word means for what is stored. */
static const char *stored_words(const struct setup *s)
{
    if (s->method == METHOD_QLORA)
        return s->base == WEIGHTS_INT8 || s->base == WEIGHTS_FP8
                   ? ": products; the frozen weights have 8 bits, adapters 32"
                   : ": products; the frozen weights have 4 bits, adapters 32";
    if (s->method == METHOD_LORA)
        return ": products and frozen weights; adapters and their states have 32 bits";
    if (precision_autocast(s->precision))
        return ": products; weights, gradients and states have 32 bits";
    if (s->precision == PRECISION_BF16)
        return ": products and weights, with a copy and states of 32 bits";
    return "";
}

static bool choose_numbers(const struct job_train *t, const struct hardware *hw,
                           struct setup *s, struct notes *notes, struct error *err)
{
    s->precision = usual_precision(hw, s->method);
    if (t->precision.len == 0)
        note(notes, "precision %s, as usual on this card%s", precision_names[s->precision],
             stored_words(s));
    else if (!precision_of(t->precision, &s->precision))
        return choose_unknown(err, "precision", t->precision);
    note_missing(hw->gpu, s->precision, notes);
    /* Adapters train beside a base that is not kept in fp32. */
    if (s->method != METHOD_FULL && s->precision == PRECISION_AMP_FP16)
        s->precision = PRECISION_FP16;
    if (s->method != METHOD_FULL && s->precision == PRECISION_AMP_BF16)
        s->precision = PRECISION_BF16;
    s->optimizer = OPTIMIZER_ADAMW;
    if (t->optimizer.len == 0)
        note(notes, "optimizer adamw");
    else if (!optimizer_of(t->optimizer, &s->optimizer))
        return choose_unknown(err, "optimizer", t->optimizer);
    return check_tolerance(t, s, err);
}

/* Which of the names, or the usual one when nothing is given. */
static int given_or(const char *const *names, struct str given, int usual)
{
    int choice = given.len > 0 ? choice_of(names, given) : -1;

    return choice >= 0 ? choice : usual;
}

bool choose_pretraining(const struct job *job, enum method method, int64_t gpus)
{
    double tokens = job_tokens(job);

    if (method != METHOD_FULL)
        return false;
    if (isnan(tokens))
        return gpus > MANY_GPUS;
    return tokens >= fmin(PRETRAINING_TOKENS * arch_count(&job->arch).total, MANY_TOKENS);
}

/* Does one sequence fill a GPU in code that splits neither layers nor sequences? Such code
 * keeps the logits of all its tokens (16 bits, then fp32 and their gradient), the input of
 * each layer and what one layer computes on one GPU, whatever ZeRO shards. The shards, what
 * is gathered of the others, and fragments take the rest of the memory. */
static bool sequence_fills_gpu(const struct job *job, const struct hardware *hw,
                               const struct setup *s)
{
    const struct arch *a = s->arch;
    double tokens = job->train.sequence > 0 ? (double)job->train.sequence
                                            : fmax(0, job->train.data.example_tokens);
    double logits = str_eq(job->train.loss, STR("fused")) ? 0 : 10 * (double)a->vocab;
    double inputs = 2 * (double)a->layers * (double)a->hidden;
    double layer = 20 * (double)a->hidden + 8 * (double)a->ffn;

    return tokens * (logits + inputs + layer) > SEQUENCE_SHARE * hw->gpu->memory_gb * 1e9;
}

/* What most people would use: Hugging Face's model code, but trainers made for many GPUs where
 * a model is trained from its beginning or a sequence fills a GPU, and plain code for pictures
 * and series. */
static enum stack usual_stack(const struct job *job, const struct hardware *hw,
                              const struct setup *s)
{
    enum device_class class = device_class_of(hw->gpu);

    if (arch_is_other(s->arch) || s->arch->kind == ARCH_VIT)
        return hw->gpus > 1 ? STACK_FSDP : STACK_EAGER;
    if (class == DEVICE_TPU || class == DEVICE_TRAINIUM || class == DEVICE_GAUDI)
        return STACK_XLA;
    if (hw->gpus > 1 && s->method == METHOD_FULL && sequence_fills_gpu(job, hw, s))
        return STACK_MEGATRON; /* splits layers and sequences */
    if (!choose_pretraining(job, s->method, hw->gpus))
        return STACK_HF;
    return hw->gpus > MANY_GPUS ? STACK_MEGATRON : hw->gpus > 1 ? STACK_FSDP : STACK_HF;
}

double choose_head_share(const struct arch *arch, enum stack stack, bool pretraining)
{
    if (arch->kind != ARCH_ENCODER)
        return 1;
    return !pretraining ? 0 : stack == STACK_HF || stack == STACK_LIGHTNING ? 1 : 0.15;
}

static bool choose_software(const struct job *job, const struct hardware *hw, struct setup *s,
                            struct notes *notes, struct error *err)
{
    const struct job_train *t = &job->train;

    s->stack = usual_stack(job, hw, s);
    if (t->framework.len > 0 && !stack_of(t->framework, &s->stack))
        return choose_unknown(err, "framework", t->framework);
    if (s->stack == STACK_DEEPSPEED && s->method != METHOD_FULL)
        s->stack = STACK_HF; /* DeepSpeed shards; adapters and layers are Hugging Face's */
    if (t->framework.len == 0 && s->stack == STACK_HF && !str_eq(t->compile, STR("yes")))
        note(notes,
             "framework hf, Hugging Face's model code: choose another with --set framework");
    if (t->framework.len == 0 && s->stack == STACK_MEGATRON && sequence_fills_gpu(job, hw, s))
        note(notes, "framework megatron: one sequence fills a GPU in code that does not split "
                    "sequences; --set loss=fused needs less");
    /* InternEvo: since 2024 with PyTorch's fused AdamW. */
    s->flat_step = s->fused_optimizer = str_has_nocase(t->framework, STR("internevo"));
    s->channels_last = str_eq(t->layout, STR("channels-last"));
    if (s->arch->kind == ARCH_IMAGE && !s->arch->layered && t->layout.len == 0)
        note(notes, "PyTorch's default layout of convolutions: --set layout=channels-last is "
                    "up to 1.9 times as fast");
    s->encoders = arch_is_latent(s->arch) && !str_eq(t->latents, STR("cached"));
    if (s->encoders && t->latents.len == 0)
        note(notes, "latents and texts are encoded in each step: --set latents=cached leaves "
                    "that out");
    s->compiled = str_eq(t->compile, STR("yes")) || s->stack == STACK_COMPILED;
    s->attention = (enum attention)given_or(attention_names, t->attention, ATTENTION_FUSED);
    if (s->arch->disentangled) /* no fused kernel computes its scores */
        s->attention = ATTENTION_PLAIN;
    s->fused_loss = str_eq(t->loss, STR("fused"));
    s->offload = (enum offload)given_or(offload_names, t->parallel.offload, OFFLOAD_NONE);
    s->sequence_parallel = !str_eq(t->parallel.sequence, STR("no"));
    s->head_share =
        choose_head_share(s->arch, s->stack, choose_pretraining(job, s->method, hw->gpus));
    return true;
}

static void choose_lengths(const struct job *job, struct setup *s, struct notes *notes)
{
    const struct job_train *t = &job->train;
    const struct arch *a = s->arch;

    s->sequence = t->sequence;
    if (a->kind == ARCH_VIT) {
        struct arch sized = *a;

        if (t->resolution >= a->patch)
            sized.resolution = t->resolution;
        s->sequence = arch_patches(&sized);
    } else if (a->kind == ARCH_IMAGE) {
        s->sequence = 1;
        s->resolution = t->resolution > 0 ? t->resolution : 0;
    }
    if (s->sequence < 1 && t->data.example_tokens >= 1)
        s->sequence = (int64_t)t->data.example_tokens;
    if (s->sequence < 1) {
        s->sequence =
            a->context > 0 && a->context < USUAL_SEQUENCE ? a->context : USUAL_SEQUENCE;
        note(notes, "sequences of %lld tokens", (long long)s->sequence);
    }
    if (a->kind != ARCH_VIT && a->kind != ARCH_IMAGE && isnan(t->steps) &&
        !isnan(t->data.examples) && isnan(t->data.example_tokens) && isnan(t->data.tokens))
        note(notes, "each example counts as %lld tokens; --set data.tokens=N, if shorter",
             (long long)s->sequence);
    if (a->context > 0 && s->sequence > a->context && a->kind != ARCH_VIT)
        note(notes, "sequences are longer than the %lld tokens the model was made for",
             (long long)a->context);
}

/* The speed of some cards is not published. */
static bool choose_check_speed(const struct accelerator *gpu, struct error *err)
{
    if (peak_flops(gpu, PRECISION_BF16) > 0)
        return true;
    error_set(err, ERROR_INPUT, "how fast %.*s computes is not published", STR_ARG(gpu->name));
    error_hint(err, "take another GPU, or add the row with its peaks to a catalog of your own");
    return false;
}

double choose_network(const struct hardware *hw)
{
    bool whole = hw->per_node >= WHOLE_NODE && !str_eq(hw->gpu->form, STR("PCIe"));

    if (hw->gpus <= hw->per_node)
        return NAN;
    if (hw->network_gb_s > 0)
        return hw->network_gb_s;
    return whole ? usual_network_gb_s(hw->gpu) : ETHERNET_GB_S / (double)hw->per_node;
}

double choose_network_gbit_s(const struct hardware *hw)
{
    return choose_network(hw) * (double)hw->per_node * BITS_PER_BYTE;
}

bool choose_base(const struct job *job, const struct hardware *hw, struct setup *out,
                 struct notes *notes, struct error *err)
{
    const struct job_train *t = &job->train;

    *out = (struct setup){.arch = &job->arch, .gpu = hw->gpu, .network_gb_s = NAN};
    if (!choose_check_speed(hw->gpu, err) || !choose_method(t, out, notes, err) ||
        !choose_numbers(t, hw, out, notes, err) || !choose_software(job, hw, out, notes, err))
        return false;
    if (!choose_alignment(job, out, notes, err))
        return false;
    if (!objective_writes(out->alignment.objective)) /* which has lengths of its own */
        choose_lengths(job, out, notes);
    return true;
}

double choose_total(const struct job *job, const struct setup *s)
{
    bool samples = arch_counts_samples(s->arch);
    double total = samples ? job_samples(job) : job_tokens(job);

    if (s->alignment.objective != OBJECTIVE_SFT)
        total = alignment_total(job, s);

    if (isnan(total) && !samples) /* examples whose length is that of a sequence */
        total = job_samples(job) * (double)s->sequence;
    if (job->train.steps > 0)
        total = job->train.steps * (samples ? setup_global_batch(s) : setup_tokens_per_step(s));
    return total;
}
