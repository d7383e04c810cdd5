/* Measured training rates: tokens (or samples) a second of one GPU. */
#include <math.h>
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "estimate/kernels.h"
#include "truth/rows.h"

/* Gb/s of a node in "4x100Gb/s RoCE per node", "1600Gb/s RoCE per node"; as GB/s of one GPU. */
static double network_of(struct str text, int64_t per_node)
{
    double product = 1, digits = -1;

    for (size_t i = 0; i < text.len; i++) {
        char ch = text.at[i];

        if (is_digit(ch)) {
            digits = (digits < 0 ? 0 : digits * 10) + (ch - '0');
            continue;
        }
        if (digits > 0 && ch == 'x')
            product *= digits;
        else if (digits > 0 && str_starts((struct str){text.at + i, text.len - i}, STR("Gb/s")))
            return product * digits / 8 / (double)per_node;
        digits = -1;
    }
    return NAN;
}

static void read_parallel(const struct rows_reader *r, struct setup *s)
{
    double cores =
        str_eq(s->gpu->vendor, STR("AWS")) ? 2 : 1; /* a chip has two, degrees count them */
    double inner;                                   /* of absurd degrees no int64_t */

    s->gpus = row_count(r, "gpu_count", 1);
    s->per_node = row_count(r, "gpus_per_node", s->gpus < 8 ? s->gpus : 8);
    s->tensor = (int64_t)ceil((double)row_count(r, "tensor_parallel", 1) / cores);
    s->pipeline = row_count(r, "pipeline_parallel", 1);
    s->virtual_pipeline = row_count(r, "virtual_pipeline", 1);
    s->context = row_count(r, "context_parallel", 1);
    s->expert = row_count(r, "expert_parallel", 1);
    if (s->arch->experts == 0)
        s->expert = 1;
    inner = (double)s->tensor * (double)s->pipeline * (double)s->context;
    s->data = (double)s->gpus >= inner ? (int64_t)((double)s->gpus / inner) : 1;
    s->network_gb_s = network_of(row_text(r, "interconnect"), s->per_node);
}

static bool read_method(const struct rows_reader *r, struct setup *s)
{
    struct str method = row_text(r, "method"), precision = row_text(r, "precision");

    s->method = str_eq(method, STR("lora"))    ? METHOD_LORA
                : str_eq(method, STR("qlora")) ? METHOD_QLORA
                                               : METHOD_FULL;
    s->base = WEIGHTS_NF4;
    if (s->method == METHOD_QLORA)
        (void)weights_of(precision, &s->base);
    s->rank = row_number(r, "lora_rank");
    if (!targets_of(row_text(r, "lora_targets"), &s->targets))
        s->targets = 0;
    if (!precision_of(precision, &s->precision)) {
        s->precision = PRECISION_BF16;
        return false;
    }
    return true;
}

static void read_batch(const struct rows_reader *r, struct setup *s)
{
    int64_t global = row_count(r, "global_batch", 0);

    s->micro_batch = row_count(r, "micro_batch", 1);
    s->sequence = row_count(r, "seq_len", 0);
    s->accumulation = 1;
    if (global > s->micro_batch * s->data)
        s->accumulation = (global + s->micro_batch * s->data - 1) / (s->micro_batch * s->data);
    if (s->arch->kind == ARCH_LSTM)
        s->sequence = row_count(r, "resolution_or_steps", 1);
    if (s->arch->kind == ARCH_VIT)
        s->sequence = arch_patches(s->arch);
    if (s->arch->kind == ARCH_IMAGE) {
        s->sequence = 1;
        s->resolution = row_count(r, "resolution_or_steps", 0);
    }
}

/* Tokens a second of one GPU, or samples for what has no tokens. */
static double rate_of(const struct rows_reader *r, const struct setup *s, bool samples)
{
    double rate = row_number(r, "tokens_per_s_per_gpu"), n;

    if (!samples && rate > 0)
        return rate;
    rate = row_number(r, "derived_tokens_per_s_per_gpu");
    if (!samples && rate > 0)
        return rate;
    n = row_number(r, "samples_per_s");
    if (n > 0)
        return n / (double)s->gpus * (samples ? 1 : (double)s->sequence);
    n = row_number(r, "step_time_s");
    if (n > 0)
        return setup_global_batch(s) / n / (double)s->gpus *
               (samples ? 1 : (double)s->sequence);
    return NAN;
}

static void read_choices(const struct rows_reader *r, struct setup *s)
{
    struct str zero = row_text(r, "zero_stage"),
               again = row_text(r, "activation_checkpointing");
    int choice = choice_of(recompute_names, again);

    s->stack = STACK_EAGER;
    (void)stack_of(row_text(r, "framework"), &s->stack);
    s->compiled = s->stack == STACK_COMPILED;
    s->optimizer = OPTIMIZER_ADAMW;
    (void)optimizer_of(row_text(r, "optimizer"), &s->optimizer);
    s->zero = zero.len > 0 && zero.at[0] >= '0' && zero.at[0] <= '3' ? zero.at[0] - '0' : -1;
    s->offload = str_ends(zero, STR("offload")) ? OFFLOAD_ALL : OFFLOAD_NONE;
    s->recompute = choice >= 0 ? (enum recompute)choice : RECOMPUTE_COUNT;
    s->sequence_parallel = s->tensor > 1;
}

bool read_training_row(const struct rows_reader *r, struct point_list *list, struct error *err)
{
    struct point *p = point_add(list, err);
    struct setup *s;
    struct error why = {0};

    if (p == NULL || !row_begin(r, p, &p->setup.gpu, err))
        return false;
    p->metric = METRIC_TRAINING;
    if (p->reason != NULL)
        return true;
    s = &p->setup;
    s->arch = &p->arch;
    if (str_eq(p->set, STR("other"))) {
        p->reason = "set other: its setting is not complete";
        return true;
    }
    if (!row_arch(r, p))
        return true;
    read_parallel(r, s);
    read_batch(r, s);
    read_choices(r, s);
    p->samples = arch_counts_samples(&p->arch);
    if (p->samples && p->set.len == 0)
        p->set = STR("vision");
    p->measured = rate_of(r, s, p->samples);
    if (!read_method(r, s))
        p->reason = "the precision is not known";
    else if (s->sequence < 1)
        p->reason = "the sequence length is not given";
    else if (!(p->measured > 0))
        p->reason = "no throughput";
    else if (!(peak_flops(s->gpu, PRECISION_BF16) > 0))
        p->reason = "how fast the GPU computes is not published";
    settle_setup(s, r);
    if (p->reason == NULL && !setup_check(s, &why))
        p->reason = "the setting is impossible";
    return true;
}
