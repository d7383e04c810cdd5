#include "estimate/model/setup.h"

#include <math.h>
#include <stdio.h>

const char *setup_framework(const struct setup *s)
{
    return stack_names[s->compiled ? STACK_COMPILED : s->stack];
}

void setup_setting(const struct setup *s, char out[static SETUP_SETTING])
{
    bool plain = s->alignment.objective == OBJECTIVE_SFT;
    int used = snprintf(out, SETUP_SETTING, "%s%s%s%s %s, sequence %lld",
                        plain ? "" : objective_names[s->alignment.objective], plain ? "" : " ",
                        method_names[s->method], s->dora ? " dora" : "",
                        precision_names[s->precision], (long long)s->sequence);

    if (s->trained_layers > 0)
        (void)snprintf(out + used, SETUP_SETTING - (size_t)used, ", last %lld layers",
                       (long long)s->trained_layers);
}

struct correction_key setup_correction_key(const struct setup *s,
                                           char setting[static SETUP_SETTING])
{
    setup_setting(s, setting);
    return (struct correction_key){s->gpu->name, str_from(setup_framework(s)), s->arch->name,
                                   str_from(setting)};
}

double setup_global_batch(const struct setup *s)
{
    return (double)s->micro_batch * (double)s->accumulation * (double)s->data;
}

double setup_item_tokens(const struct setup *s)
{
    return objective_writes(s->alignment.objective)
               ? s->alignment.length
               : objective_sequences(s->alignment.objective) * (double)s->sequence;
}

double setup_tokens_per_step(const struct setup *s)
{
    return setup_global_batch(s) * setup_item_tokens(s);
}

const char *const role_names[] = {"trained model", "engine", "reference",
                                  "reward model",  "critic", NULL};

int64_t alignment_own_gpus(const struct alignment *a)
{
    int64_t sum = 0;

    for (int role = 0; role < ROLE_COUNT; role++)
        sum += a->own[role];
    return sum;
}

int64_t setup_gpus(const struct setup *s)
{
    return s->gpus + alignment_own_gpus(&s->alignment);
}

bool setup_has_fp32_scores(const struct setup *s)
{
    const struct arch *a = s->arch;

    return a->key_not_repeated && a->kv_heads == 1 && s->attention != ATTENTION_PLAIN &&
           (s->stack == STACK_HF || s->stack == STACK_LIGHTNING || s->stack == STACK_EAGER);
}

bool precision_narrow(enum precision p)
{
    return p == PRECISION_FP8 || p == PRECISION_MXFP8 || p == PRECISION_FP4;
}

bool precision_autocast(enum precision p)
{
    return p == PRECISION_AMP_BF16 || p == PRECISION_AMP_FP16;
}

double precision_activation_bytes(enum precision p)
{
    return p == PRECISION_FP32 || p == PRECISION_TF32 ? 4 : 2;
}

/* Under autocast the residual stream stays in fp32. */
double precision_residual_bytes(enum precision p)
{
    return p == PRECISION_FP32 || p == PRECISION_TF32 || precision_autocast(p) ? 4 : 2;
}

double precision_weight_bytes(enum precision p)
{
    return precision_residual_bytes(p); /* fp32 weights make an fp32 stream */
}

double precision_gradient_bytes(enum precision p, enum stack stack)
{
    if (precision_weight_bytes(p) == 4)
        return 4;
    if (p == PRECISION_BF16_PURE)
        return 2;
    return stack == STACK_MEGATRON ? 4 : 2; /* which accumulates in fp32 */
}

double precision_master_bytes(enum precision p)
{
    return precision_weight_bytes(p) == 4 || p == PRECISION_BF16_PURE ? 0 : 4;
}

/* 1-bit Adam: what its compression left out of the last exchange, a tensor in fp32. */
double optimizer_local_bytes(enum optimizer o)
{
    return o == OPTIMIZER_ADAMW_1BIT ? 4 : 0;
}

bool optimizer_is_paged(enum optimizer o)
{
    return o == OPTIMIZER_ADAMW_PAGED || o == OPTIMIZER_ADAMW_8BIT_PAGED;
}

bool optimizer_has_kernel(enum optimizer o)
{
    return o == OPTIMIZER_ADAMW_8BIT || optimizer_is_paged(o);
}

double optimizer_state_bytes(enum optimizer o, enum precision p)
{
    bool narrow = p == PRECISION_BF16_PURE;

    switch (o) {
    case OPTIMIZER_ADAMW:
    case OPTIMIZER_ADAMW_1BIT:
        return (narrow ? 4 : 8) + optimizer_local_bytes(o);
    case OPTIMIZER_ADAMW_BF16:
        return 4;
    case OPTIMIZER_ADAMW_PAGED: /* whose states are in fp32, whatever the weights are in */
        return 8;
    case OPTIMIZER_ADAMW_8BIT:
    case OPTIMIZER_ADAMW_8BIT_PAGED:
        return 2 + 8.0 / 256; /* and a scale for each block */
    case OPTIMIZER_ADAFACTOR:
        return 0.02; /* rows and columns */
    case OPTIMIZER_SGD:
    case OPTIMIZER_LION:
    case OPTIMIZER_MUON:
    case OPTIMIZER_COUNT:
        break;
    }
    return narrow ? 2 : 4;
}

bool setup_adapts(const struct setup *s, unsigned target)
{
    return s->method != METHOD_FULL && (s->targets & target) != 0 &&
           (target != TARGET_GATE || s->arch->gated);
}

/* Inputs (times `in`) and outputs (times `out`) of the adapted matrices of one layer's
 * attention. */
static double attention_sides(const struct setup *s, double in, double out)
{
    const struct arch *a = s->arch;
    double h = (double)a->hidden, heads = (double)(a->heads * a->head_dim);
    double kv = (double)(a->kv_heads * a->head_dim), sides = 0;
    double q = in * h + out * heads, k = in * h + out * kv, v = k, o = in * heads + out * h;

    if (a->kv_rank > 0) { /* latent: keys and values pass a narrow middle, queries may */
        double count = (double)a->heads, rank = (double)a->kv_rank;
        double turned = (double)a->rope_dim, value = (double)a->value_dim;

        q = in * (a->q_rank > 0 ? (double)a->q_rank : h) +
            out * count * ((double)a->head_dim + turned);
        k = in * h + out * (rank + turned);
        v = in * rank + out * count * ((double)a->head_dim + value);
        o = in * count * value + out * h;
    }
    sides += s->targets & TARGET_Q ? q : 0;
    sides += s->targets & TARGET_K ? k : 0;
    sides += s->targets & TARGET_V ? v : 0;
    sides += s->targets & TARGET_O ? o : 0;
    return sides;
}

bool setup_is_tuned(const struct setup *s)
{
    return s->compiled || s->stack == STACK_COMPILED || s->stack == STACK_MEGATRON ||
           s->stack == STACK_XLA;
}

double setup_trained_share(const struct setup *s)
{
    double layers = (double)(s->arch->layers + s->arch->decoder_layers);

    if (s->method != METHOD_FULL || s->trained_layers == 0 || !(layers > 0))
        return 1;
    return fmin(1, (double)s->trained_layers * (double)s->pipeline / layers);
}

/* GaLore keeps the states of an m x n matrix as r x n, with a projection of m x r (m is its
 * shorter side); a matrix that is as narrow as the rank stays as it is. */
struct matrices {
    double elements, states, projections;
};

static void add_low_rank(struct matrices *all, double in, double out, double count, double rank)
{
    double short_side = fmin(in, out), long_side = fmax(in, out);

    all->elements += count * in * out;
    all->states += count * long_side * fmin(rank, short_side);
    all->projections += rank < short_side ? count * rank * short_side : 0;
}

struct low_rank setup_low_rank(const struct setup *s)
{
    const struct arch *a = s->arch;
    struct arch_params p = arch_count(a);
    double h = (double)a->hidden, q = (double)(a->heads * a->head_dim);
    double kv = (double)(a->kv_heads * a->head_dim), matrices = a->gated ? 3 : 2, others;
    struct matrices all = {0};

    if (!(s->galore_rank > 0) || s->method != METHOD_FULL || arch_is_other(a))
        return (struct low_rank){.states = 1};
    add_low_rank(&all, h, q, 2, s->galore_rank);
    add_low_rank(&all, h, kv, 2, s->galore_rank);
    if (a->ffn > 0)
        add_low_rank(&all, h, (double)a->ffn, matrices, s->galore_rank);
    if (a->experts > 0)
        add_low_rank(&all, h, (double)a->expert_ffn, matrices * (double)a->experts,
                     s->galore_rank);
    /* Embedding and head keep theirs; both are frozen where only some layers are trained. */
    others = s->trained_layers > 0 ? 0 : (p.embedding + p.head) / p.total;
    return (struct low_rank){
        .states = others + (1 - others) * all.states / all.elements,
        .projections = (1 - others) * all.projections / all.elements,
    };
}

/* rank x (in + out) of each adapted matrix, of all layers. */
struct adapters {
    double dense, experts;
};

/* PEFT adapts the matrices of every expert; the router stays as it is. DoRA adds one number for
 * each output of a matrix. */
static struct adapters adapters_of(const struct setup *s)
{
    const struct arch *a = s->arch;
    double in = s->rank, out = s->rank + s->dora, h = (double)a->hidden;
    double layers = (double)(a->layers + a->decoder_layers);
    double sparse = a->experts > 0 ? layers - (double)a->dense_layers : 0;
    double there = setup_adapts(s, TARGET_GATE) + setup_adapts(s, TARGET_UP);
    double back = setup_adapts(s, TARGET_DOWN);
    double narrow = (there * in + back * out) * h, broad = there * out + back * in;
    double ffn = (layers - sparse) * (narrow + broad * (double)a->ffn);
    double attention = layers - (double)arch_layers_without_attention(a);

    if (a->shared_ffn > 0)
        ffn += sparse * (narrow + broad * (double)a->shared_ffn);
    return (struct adapters){
        .dense = attention * attention_sides(s, in, out) + ffn,
        .experts = sparse * (double)a->experts * (narrow + broad * (double)a->expert_ffn),
    };
}

/* Embedding and head: adapters on them, and copies that are trained in full. PEFT copies both
 * even where they are one. */
static double adapted_ends(const struct setup *s)
{
    double ends = ((s->targets & TARGET_HEAD) != 0) + ((s->targets & TARGET_EMBEDDING) != 0);

    return s->rank * ends * ((double)s->arch->hidden + (double)s->arch->vocab);
}

static double saved_params(const struct setup *s)
{
    double modules = ((s->saved & SAVED_HEAD) != 0) + ((s->saved & SAVED_EMBEDDING) != 0);

    if (s->method == METHOD_FULL || arch_is_other(s->arch))
        return 0;
    return modules * (double)s->arch->hidden * (double)s->arch->vocab;
}

double setup_local_saved(const struct setup *s)
{
    double both = s->saved == (SAVED_HEAD | SAVED_EMBEDDING) && s->pipeline > 1 ? 2 : 1;

    return saved_params(s) / (double)s->tensor / both; /* first and last stage have one each */
}

double setup_trained(const struct setup *s)
{
    const struct arch *a = s->arch;
    struct adapters adapters;

    if (s->method == METHOD_FULL && s->trained_layers > 0) {
        struct arch_params p = arch_count(a);

        return (p.attention + p.ffn + p.other + p.experts) * (double)s->trained_layers /
               (double)(a->layers + a->decoder_layers);
    }
    if (s->method == METHOD_FULL)
        return arch_count(a).total;
    if (a->kind ==
        ARCH_IMAGE) /* adapters in the attention of a U-Net: about a 600th a rank of 4 */
        return a->image_params * s->rank / 2400;
    adapters = adapters_of(s);
    return adapters.dense + adapters.experts + adapted_ends(s) + saved_params(s);
}

double setup_expert_split(const struct setup *s)
{
    return (double)s->pipeline * (double)(s->expert > 1 ? s->expert : s->tensor);
}

/* Of `total`, what one GPU of the fullest pipeline stage holds. */
static double local_share(const struct setup *s, const struct arch_params *p)
{
    double pipeline = (double)s->pipeline, tensor = (double)s->tensor;
    double layers = (p->attention + p->ffn + p->other) / pipeline;
    double ends = p->embedding + p->head;

    if (s->pipeline > 1) /* first and last stage carry one each */
        ends = fmax(p->embedding, p->head);
    return (layers + ends) / tensor + p->experts / setup_expert_split(s);
}

double setup_local_params(const struct setup *s)
{
    struct arch_params p = arch_count(s->arch);

    return local_share(s, &p);
}

double setup_local_trained(const struct setup *s)
{
    double part = (double)s->pipeline * (double)s->tensor;
    struct adapters adapters;

    if (s->method == METHOD_FULL && s->trained_layers > 0) {
        struct arch_params p = arch_count(s->arch);

        p.embedding = p.head = 0;
        return local_share(s, &p) * setup_trained_share(s);
    }
    if (s->method == METHOD_FULL)
        return setup_local_params(s);
    if (s->arch->kind == ARCH_IMAGE)
        return setup_trained(s) / part;
    adapters = adapters_of(s);
    return (adapters.dense + adapted_ends(s)) / part +
           adapters.experts / setup_expert_split(s) + setup_local_saved(s);
}

double setup_local_trained_experts(const struct setup *s)
{
    if (s->arch->experts == 0)
        return 0;
    return setup_trained_share(s) *
           (s->method == METHOD_FULL ? arch_count(s->arch).experts : adapters_of(s).experts) /
           setup_expert_split(s);
}

static bool refuse_setup(struct error *err, const char *what, int64_t a, int64_t b)
{
    return error_fail(err, ERROR_INPUT, "%s (%lld and %lld)", what, (long long)a, (long long)b);
}

/* Suggests the nearest smaller degree that is possible. */
static bool hint_divisor(struct error *err, const char *field, int64_t degree, int64_t whole)
{
    int64_t good = degree < whole ? degree : whole;

    while (whole % good != 0)
        good--;
    error_hint(err, "set %s: %lld, or another number that divides %lld", field, (long long)good,
               (long long)whole);
    return false;
}

/* Numbers that are not degrees of parallelism. */
static bool check_numbers(const struct setup *s, struct error *err)
{
    if (s->micro_batch < 1 || s->micro_batch > 1 << 24)
        return refuse_setup(err, "the micro-batch must be 1 to 16777216", s->micro_batch,
                            1 << 24);
    if (s->sequence < 1 || s->sequence > 1 << 26)
        return refuse_setup(err, "the sequence must be 1 to 67108864 tokens", s->sequence,
                            1 << 26);
    if (s->resolution < 0 || s->resolution > 1 << 16)
        return refuse_setup(err, "the resolution must be 1 to 65536 pixels", s->resolution,
                            1 << 16);
    if (s->accumulation < 1 || s->accumulation > 1 << 24)
        return refuse_setup(err, "accumulation must be 1 to 16777216", s->accumulation,
                            1 << 24);
    if (s->zero < 0 || s->zero > 3)
        return refuse_setup(err, "zero must be 0 to 3", s->zero, 3);
    if (!(s->head_share >= 0 && s->head_share <= 1 && s->padding >= 0 && s->padding < 1))
        return error_fail(err, ERROR_INPUT, "shares of the tokens must be 0 to 1");
    if (!isnan(s->network_gb_s) && !(s->network_gb_s > 0 && s->network_gb_s < 1e9))
        return error_fail(err, ERROR_INPUT, "the network must be more than 0 GB/s");
    if (s->method != METHOD_FULL && !(s->rank >= 1 && s->rank <= 65536))
        return error_fail(err, ERROR_INPUT, "the rank of LoRA must be 1 to 65536");
    return true;
}

/* How a transformer can be cut. */
static bool check_layers(const struct setup *s, struct error *err)
{
    const struct arch *a = s->arch;

    if (s->pipeline > a->layers + 2)
        return refuse_setup(err, "more pipeline stages than layers", s->pipeline, a->layers);
    if (a->heads % s->tensor != 0) {
        error_set(err, ERROR_INPUT, "tensor parallel %lld does not divide the %lld heads",
                  (long long)s->tensor, (long long)a->heads);
        return hint_divisor(err, "tensor", s->tensor, a->heads);
    }
    if (s->virtual_pipeline > a->layers + a->decoder_layers)
        return refuse_setup(err, "more pipeline chunks than layers", s->virtual_pipeline,
                            a->layers);
    return true;
}

bool setup_keeps_base(const struct setup *s)
{
    return s->method == METHOD_QLORA && s->gpus == 1;
}

static bool check_offload(const struct setup *s, struct error *err)
{
    if (s->offload < OFFLOAD_ALL || !setup_keeps_base(s))
        return true;
    error_set(err, ERROR_INPUT,
              "offload %s: bitsandbytes keeps quantized weights on the GPU; only FSDP offloads "
              "them, from 2 GPUs on",
              offload_names[s->offload]);
    error_hint(err, "use more GPUs or a larger one, offload: optimizer, or method: lora");
    return false;
}

bool setup_check(const struct setup *s, struct error *err)
{
    const struct arch *a = s->arch;
    const int64_t most = 1 << 20;
    int64_t ranks;

    if (s->gpus < 1 || s->gpus > most)
        return refuse_setup(err, "GPUs must be 1 to 1048576", s->gpus, most);
    if (s->per_node < 1 || s->per_node > most)
        return refuse_setup(err, "GPUs of a node must be 1 to 1048576", s->per_node, most);
    if (!check_numbers(s, err))
        return false;
    if (s->tensor < 1 || s->pipeline < 1 || s->data < 1 || s->context < 1 || s->expert < 1 ||
        s->virtual_pipeline < 1 || s->shard < 1)
        return error_fail(err, ERROR_INPUT, "degrees of parallelism must be 1 or more");
    if (s->tensor > s->gpus || s->pipeline > s->gpus || s->context > s->gpus ||
        s->data > s->gpus || s->tensor * s->pipeline > s->gpus ||
        s->tensor * s->pipeline * s->context * s->data != s->gpus)
        return error_fail(
            err, ERROR_INPUT,
            "tensor %lld x pipeline %lld x context %lld x data %lld is not %lld GPUs",
            (long long)s->tensor, (long long)s->pipeline, (long long)s->context,
            (long long)s->data, (long long)s->gpus);
    ranks = s->data * s->context;
    if (ranks % s->shard != 0) {
        error_set(err, ERROR_INPUT, "ZeRO cannot shard over %lld: data x context is %lld",
                  (long long)s->shard, (long long)ranks);
        return hint_divisor(err, "shard", s->shard, ranks);
    }
    if (a->kind != ARCH_IMAGE && a->kind != ARCH_LSTM && !check_layers(s, err))
        return false;
    if (s->expert > 1 && (s->expert > a->experts || s->expert > s->gpus))
        return refuse_setup(err, "expert parallel is more than the experts or the GPUs",
                            s->expert, a->experts);
    return check_offload(s, err);
}
