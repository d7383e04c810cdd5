/* The fullest of four moments of a step: the loss (all activations and the logits are
 * there), the first layer's backward pass (nearly all gradients are), the optimizer's step
 * (all gradients, and its temporaries), the first pipeline stage when it is full (activations
 * of many micro-batches). */
#include "estimate/memory/memory.h"

#include <math.h>

#include "estimate/range.h"
#include "estimate/step/image.h"
#include "estimate/step/latent.h"
#include "estimate/step/rollout.h"
#include "estimate/step/step.h"
#include "estimate/step/transformers.h"

/* How the software's operations are cut: it decides which tensors stay between them. */
enum style {
    STYLE_EAGER,   /* each operation keeps its own inputs */
    STYLE_TRAINER, /* the same, with norms spelled out in fp32, as Transformers has them */
    STYLE_FUSED,   /* kernels that keep the least by hand: Megatron */
    STYLE_COMPILED /* a compiler chose what to keep and what to compute again */
};

/* One layer, with the sizes that one GPU holds of it. */
struct view {
    const struct setup *s;
    enum style style;
    bool autocast, rotary, dropout;
    double tokens;
    double h, q, kv;       /* features: of the stream, of queries, of keys */
    double stream, tensor; /* what sequence and tensor parallel divide by */
    double eb, rb, in; /* bytes: an activation, the residual stream, a linear layer's input */
    double bytes;      /* the sum, of one token */
};

/* DeepSpeed's trainers: alone, or under Hugging Face's of 2023; and those of pictures. */
static bool is_trainer(const struct setup *s)
{
    return s->stack == STACK_HF_2023 || s->stack == STACK_DEEPSPEED ||
           (s->stack == STACK_HF && arch_is_other(s->arch));
}

static enum style memory_style(const struct setup *s)
{
    if (s->compiled || s->stack == STACK_COMPILED || s->stack == STACK_XLA)
        return STYLE_COMPILED;
    if (s->stack == STACK_MEGATRON)
        return STYLE_FUSED;
    return setup_has_transformers(s) || is_trainer(s) ? STYLE_TRAINER : STYLE_EAGER;
}

/* Autocast keeps a 16-bit copy of each weight that it multiplied with. */
static bool keeps_copies(const struct setup *s)
{
    return precision_autocast(s->precision) && s->zero < 3;
}

/* Does the input of this matrix have to stay, for the gradient of its weight or of its
 * adapter? Products with packed weights keep it always. */
static bool is_target_kept(const struct setup *s, unsigned target)
{
    return s->method != METHOD_LORA || (s->targets & target) != 0;
}

static struct view make_memory_view(const struct setup *s)
{
    const struct arch *a = s->arch;
    enum style style = memory_style(s);
    bool learned = a->positions > 0 || a->kind == ARCH_ENCODER || a->kind == ARCH_VIT;

    return (struct view){
        .s = s,
        .style = style,
        .autocast = precision_autocast(s->precision) && style != STYLE_COMPILED,
        .rotary = !learned,
        /* GPT-2 and 3, OPT, BERT are trained with it; what came after is not. */
        .dropout = !a->gated && (s->attention == ATTENTION_PLAIN || style == STYLE_FUSED ||
                                 style == STYLE_TRAINER),
        .tokens = micro_tokens(s),
        .h = (double)a->hidden,
        .q = (double)(a->heads * a->head_dim),
        .kv = (double)(a->kv_heads * a->head_dim),
        .stream = s->sequence_parallel ? (double)s->tensor : 1,
        .tensor = (double)s->tensor,
        .eb = precision_activation_bytes(s->precision),
        .rb = precision_residual_bytes(s->precision),
        .in = precision_narrow(s->precision) ? 1 : precision_activation_bytes(s->precision),
    };
}

/* Code from before flash attention writes GELU and norms as formulas, each term a tensor. */
static bool is_spelled_out(const struct view *v)
{
    return !v->s->arch->gated && v->s->attention == ATTENTION_PLAIN &&
           (v->style == STYLE_EAGER || v->style == STYLE_TRAINER);
}

/* A norm keeps its input. Transformers' RMSNorm makes an fp32 copy first, and keeps the
 * scaled values for the gradient of its weight. */
static double norm_bytes(const struct view *v, bool second)
{
    double each = v->rb;

    if (v->style == STYLE_TRAINER && v->s->arch->gated)
        each = 4 + (v->s->method == METHOD_FULL ? (is_trainer(v->s) ? v->eb : v->rb) : 0);
    if (is_spelled_out(v)) /* the distance from the mean, and the scaled value */
        each += 4;
    if (v->style == STYLE_COMPILED &&
        second) /* the sum is made again from its narrower parts */
        each = v->eb;
    return each;
}

static void add_norm_memory(struct view *v, bool second)
{
    v->bytes += norm_bytes(v, second) * v->h / v->stream;
}

/* Kernels without the matrix of scores want 16 bits, or else as many heads of keys as of
 * queries: PyTorch falls back on the matrix. */
static bool has_scores(const struct setup *s)
{
    bool fp32 = precision_activation_bytes(s->precision) == 4;

    if (s->recompute == RECOMPUTE_SELECTIVE)
        return false;
    return s->attention == ATTENTION_PLAIN || setup_has_fp32_scores(s) ||
           (fp32 && s->stack != STACK_XLA && s->arch->kv_heads != s->arch->heads);
}

/* The matrix of scores: softmax, then dropout's mask and result. */
static double scores(const struct view *v)
{
    const struct setup *s = v->s;
    double each = v->autocast ? 4 : v->eb;

    if (!has_scores(s))
        return 0;
    if (setup_has_fp32_scores(s)) /* only its softmax is kept */
        return 4 * (double)s->arch->heads / v->tensor * (double)s->sequence;
    if (setup_has_transformers(s))
        each = 4; /* the softmax is in fp32 */
    if (v->dropout)
        each += 1 + v->eb;
    else if (v->autocast || setup_has_transformers(s))
        each += v->eb;
    return each * (double)s->arch->heads / v->tensor * (double)s->sequence;
}

/* Latent attention: the narrow middles, and keys and queries with their rotated part. */
static void add_latent(struct view *v)
{
    const struct arch *a = v->s->arch;
    double narrow = (double)(a->q_rank + a->kv_rank + a->rope_dim);
    double key = (double)a->heads * (double)(a->head_dim + a->rope_dim);
    double value = (double)(a->heads * a->value_dim);

    v->bytes += v->eb * (2 * narrow + (2 * key + 2 * value) / v->tensor);
}

/* Copies of the input of queries, keys and values: Transformers has a matrix for each (GPT-2
 * one for all), autocast makes a copy for each, and so does PEFT for each adapter. */
static double inputs_kept(const struct view *v)
{
    const struct setup *s = v->s;
    unsigned targets = s->targets;

    if (s->method == METHOD_LORA)
        return ((targets & TARGET_Q) != 0) + ((targets & TARGET_K) != 0) +
               ((targets & TARGET_V) != 0);
    return v->autocast && !transformers_joins_qkv(s->arch) ? 3 : 1;
}

/* Queries, keys, values and what is made of them. */
static void add_heads_memory(struct view *v)
{
    const struct setup *s = v->s;
    const struct arch *a = s->arch;

    if (a->kv_rank > 0)
        add_latent(v);
    else
        v->bytes += v->eb * (2 * v->q + 2 * v->kv) / v->tensor; /* with the result */
    if (a->normed_heads)
        v->bytes += norm_bytes(v, false) * (v->q + v->kv) / v->tensor;
    if (v->style == STYLE_EAGER && v->rotary)
        v->bytes +=
            v->eb * v->kv / v->tensor; /* values are a view: keys before the rotation stay */
    /* Rotation leaves heads before positions: the result is turned round in a copy. */
    if (is_target_kept(s, TARGET_O) && (v->rotary || a->kind == ARCH_VIT) &&
        v->style != STYLE_FUSED)
        v->bytes += v->in * v->q / v->tensor;
    v->bytes += 4 * (double)a->heads / v->tensor + scores(v);
}

static void add_attention(struct view *v)
{
    const struct setup *s = v->s;
    const struct arch *a = s->arch;
    bool apart = v->autocast && a->kind != ARCH_VIT; /* queries and keys each cast the input */
    double before;

    add_norm_memory(v, false);
    if (setup_has_transformers(s))
        v->bytes += inputs_kept(v) * v->in * v->h / v->stream;
    else if (is_target_kept(s, TARGET_Q | TARGET_K | TARGET_V))
        v->bytes += (apart ? 2 : 1) * v->in * v->h / v->stream;
    before = v->bytes;
    add_heads_memory(v);
    if (a->mixer_layers > 0) { /* the first product's result, and what the last one reads */
        double mixer = v->eb * a->mixer_params / v->h / v->tensor;

        v->bytes = before + (v->bytes - before) * (1 - arch_share_without_attention(a)) +
                   mixer * arch_mixer_share(a);
    }
    if (v->dropout)
        v->bytes += v->h / v->stream;
}

/* Bytes for each unit of the feed-forward width: what the activation function keeps, and its
 * result. Compilers make the result of a plain one again. */
static double wide_bytes(const struct view *v)
{
    bool gated = v->s->arch->gated;
    double result = is_target_kept(v->s, TARGET_DOWN) ? v->in : 0;

    if (v->style == STYLE_FUSED || (v->style == STYLE_COMPILED && gated))
        return v->eb * (gated ? 2 : 1) + result;
    if (v->style == STYLE_COMPILED)
        return v->eb;
    if (is_spelled_out(v))
        return v->eb * 3 + result;
    if (setup_has_transformers(v->s) && v->s->arch->gelu_formula)
        return 3 * 4 + v->eb + result; /* in fp32: the input, tanh, and one more than it */
    return v->eb * (gated ? 3 : 1) + result;
}

/* Copies of the input of a feed-forward: autocast makes one for each matrix, PEFT one for each
 * adapter. */
static double wide_inputs_kept(const struct view *v)
{
    const struct setup *s = v->s;
    double adapters = setup_adapts(s, TARGET_GATE) + setup_adapts(s, TARGET_UP);
    double fewest = is_target_kept(s, TARGET_WIDEN); /* where one copy serves all */

    if (v->autocast && s->method != METHOD_LORA)
        return s->arch->gated ? 2 : 1;
    return v->autocast || setup_has_transformers(s) ? fmax(adapters, fewest) : fewest;
}

static void add_dense(struct view *v, double width)
{
    v->bytes += wide_inputs_kept(v) * v->in * v->h / v->stream;
    v->bytes += wide_bytes(v) * width / v->tensor;
    if (v->dropout)
        v->bytes += v->h / v->stream;
}

/* Each token is copied for every expert it visits, and the results are kept to weigh them. */
static void add_experts(struct view *v)
{
    const struct arch *a = v->s->arch;
    double visits = (double)a->active_experts, width = (double)a->expert_ffn;
    double times = setup_has_transformers(v->s) && transformers_has_wide_experts(v->s) ? 2 : 1;

    if (v->s->expert == 1)
        width /= v->tensor;
    else
        visits /= v->stream; /* tokens are spread over the tensor group too */
    v->bytes += times * visits * ((v->in + v->eb) * v->h + wide_bytes(v) * width);
    v->bytes += 8 * (double)a->experts; /* the router, in fp32 */
    if (a->shared_ffn > 0)
        add_dense(v, (double)a->shared_ffn);
}

/* While a layer goes backward: the stream's gradient, and those of its widest tensors. */
static double working_of(const struct view *v, bool sparse)
{
    const struct arch *a = v->s->arch;
    double width =
        sparse ? (double)(a->active_experts * a->expert_ffn + a->shared_ffn) : (double)a->ffn;

    if (!sparse || v->s->expert == 1)
        width /= v->tensor;
    return v->tokens * (v->rb * v->h + v->eb * width * (a->gated ? 2 : 1));
}

/* DoRA scales the results of the matrix and of its adapters by the trained lengths, and
 * keeps both for their gradient. */
static void add_dora(struct view *v, bool sparse)
{
    const struct arch *a = v->s->arch;
    unsigned targets = v->s->targets;
    double width =
        sparse ? (double)(a->active_experts * a->expert_ffn + a->shared_ffn) : (double)a->ffn;
    double out = (targets & TARGET_Q ? v->q : 0) + (targets & TARGET_K ? v->kv : 0) +
                 (targets & TARGET_V ? v->kv : 0) + (targets & TARGET_O ? v->h : 0);

    out += (setup_adapts(v->s, TARGET_GATE) + setup_adapts(v->s, TARGET_UP)) * width;
    if (setup_adapts(v->s, TARGET_DOWN))
        out += (sparse ? (double)a->active_experts : 1) * v->h;
    if (v->s->dora)
        v->bytes += 2 * v->eb * out / v->tensor;
}

struct layer_memory layer_memory_of(const struct setup *s, bool sparse)
{
    struct view v = make_memory_view(s);

    add_attention(&v);
    add_norm_memory(&v, true);
    if (sparse)
        add_experts(&v);
    else
        add_dense(&v, (double)s->arch->ffn);
    add_dora(&v, sparse);
    return (struct layer_memory){
        .saved = v.bytes * v.tokens,
        .input = v.rb * v.h / v.stream * v.tokens,
        .working = working_of(&v, sparse),
    };
}

/* A decoder that looks at an encoder has a second attention block in each layer. */
static double cross_attention_memory(const struct setup *s)
{
    struct view v = make_memory_view(s);

    if (s->arch->decoder_layers == 0)
        return 0;
    add_attention(&v);
    return v.bytes * v.tokens;
}

/* Of a layer's saved tensors, what the kind of recompute leaves. */
static double left(const struct setup *s, const struct layer_memory *m)
{
    switch (s->recompute) {
    case RECOMPUTE_FULL:
        return m->input;
    case RECOMPUTE_SELECTIVE:
        /* Megatron's means the scores, which are not counted then. PyTorch's trainers keep
         * every second layer's tensors. */
        if (memory_style(s) != STYLE_FUSED && s->attention != ATTENTION_PLAIN)
            return (m->saved + m->input) / 2;
        break;
    case RECOMPUTE_NONE:
    case RECOMPUTE_COUNT:
        break;
    }
    return m->saved;
}

double stage_activations(const struct setup *s)
{
    const struct arch *a = s->arch;
    double all = (double)(a->layers + a->decoder_layers);
    double sparse = a->experts > 0 ? all - (double)a->dense_layers : 0, sum = 0;
    struct layer_memory m;

    if (sparse < all) {
        m = layer_memory_of(s, false);
        sum += left(s, &m) * (all - sparse);
    }
    if (sparse > 0) {
        m = layer_memory_of(s, true);
        sum += left(s, &m) * sparse;
    }
    if (s->recompute != RECOMPUTE_FULL)
        sum += cross_attention_memory(s) * (double)a->decoder_layers;
    return sum / all * ceil(all / (double)s->pipeline) * setup_trained_share(s);
}

double layer_working(const struct setup *s)
{
    struct layer_memory m = layer_memory_of(s, s->arch->experts > 0);
    double matrix = 0;

    if (s->method == METHOD_QLORA) { /* the matrix in use, and the one for the gradient */
        double width = (double)(s->arch->ffn > 0 ? s->arch->ffn : s->arch->expert_ffn);

        matrix = 2 * 2 * (double)s->arch->hidden * width / (double)s->tensor;
    }
    if (s->dora) /* adapters multiplied, and added to the weights, for their lengths */
        matrix += 2 * 2 * (double)s->arch->hidden *
                  (double)(s->arch->ffn > 0 ? s->arch->ffn : s->arch->expert_ffn) /
                  (double)s->tensor;
    return (s->recompute == RECOMPUTE_NONE ? 0 : m.saved) + m.working + matrix;
}

double head_activations(const struct setup *s)
{
    struct view v = make_memory_view(s);
    bool reads = (s->method == METHOD_FULL && s->trained_layers == 0) ||
                 (s->saved & SAVED_HEAD) || (s->targets & TARGET_HEAD);
    double head = reads ? v.eb : 0;

    return v.tokens * v.h / v.stream * (v.rb + head);
}

/* Bytes for each logit when the loss needs the most. */
static double logit_bytes(const struct setup *s, const struct constants *c)
{
    if (s->fused_loss) /* one of eight pieces at a time */
        return 12.0 / 8;
    switch (memory_style(s)) {
    case STYLE_COMPILED:
        if (s->stack == STACK_FSDP) /* which compiles the layers, not the loss */
            break;
        return 2 * precision_activation_bytes(s->precision); /* and the gradient, in place */
    case STYLE_FUSED:
        return 10; /* as they come, the softmax in fp32, its gradient */
    case STYLE_TRAINER:
        if (s->stack == STACK_DEEPSPEED) /* 16 bits throughout, in five tensors */
            return 10;
        if (is_trainer(s))
            return c->at[C_mem_logits_trainer];
        break;
    case STYLE_EAGER:
        break;
    }
    return 12; /* fp32: log-softmax, the gradient of the loss, the gradient of the logits */
}

double loss_memory(const struct setup *s, const struct constants *c)
{
    const struct arch *a = s->arch;

    if (a->kind == ARCH_VIT) /* one row for each picture */
        return (double)s->micro_batch * (double)a->vocab * 12;
    return micro_tokens(s) * s->head_share * (double)a->vocab / (double)s->tensor *
           logit_bytes(s, c);
}

/* cuDNN's reserve for the backward pass: gates, cells and outputs, and a part that does not
 * grow with the width. */
static double lstm_activations(const struct setup *s)
{
    const struct arch *a = s->arch;
    double steps = (double)s->micro_batch * (double)s->sequence;

    return steps * (double)a->layers * (8 * (double)a->hidden + 1200) * 4;
}

/* Pictures and series: everything that is kept of a micro-batch. */
/* With recomputation, a model of so many operations keeps as little as if each were a block. */
#define BLOCK_OPERATIONS 150

static double small_model_activations(const struct setup *s, const struct constants *c)
{
    const struct arch *a = s->arch;
    double eb = precision_activation_bytes(s->precision), saved;

    if (a->kind == ARCH_LSTM)
        return lstm_activations(s);
    /* Some operations stay in fp32 under autocast. */
    saved = a->saved_elements * eb *
            (precision_autocast(s->precision) ? c->at[C_mem_image_autocast] : 1);
    if (s->recompute == RECOMPUTE_FULL) /* the blocks' inputs, and one block */
        saved /= fmax(4, a->operations / BLOCK_OPERATIONS);
    return saved * (double)s->micro_batch * image_scale(a, s->resolution);
}

/* ---- the fullest moment of a step ---- */

#define LIVE_PARAMS 1e9 /* DeepSpeed: parameters gathered, or updated, at a time */

const char *const memory_moment_names[] = {"the loss",
                                           "the last gradients",
                                           "the optimizer's step",
                                           "the first pipeline stage",
                                           "the writing of answers",
                                           "the latents",
                                           "the reading of answers",
                                           NULL};

/* What stays on the GPU from step to step, and the sizes that the moments are made of. */
struct held {
    double weights, master, optimizer, gradients, lora;
    double lora_gradients;
    double lora_states;   /* of `lora`, what the optimizer keeps */
    double copies;        /* 16-bit weights that autocast keeps for the backward pass */
    double all_copies;    /* those that it has at the end of the forward pass */
    double models;        /* beside the trained one */
    double layer, ends;   /* parameters of a layer; of embedding and head, on this GPU */
    double gathered;      /* bytes of the layers that ZeRO-3 has together */
    double gathered_ends; /* the same, embedding and head */
    double paged;         /* of the states, what a paged optimizer may move to the host */
    double host;
};

/* Parameters on this GPU: of the experts, and of all else. ZeRO spreads experts over fewer
 * ranks: those that hold the same ones. */
struct share {
    double dense, experts, shard, expert_shard;
};

static struct share memory_share_of(const struct setup *s, const struct arch_params *p)
{
    struct share r = {.shard = fmax(1, (double)s->shard)};
    double local = setup_local_params(s);

    r.experts = fmin(local, p->experts / setup_expert_split(s));
    r.dense = local - r.experts;
    r.expert_shard = fmax(1, r.shard / (double)s->expert);
    return r;
}

static double shard_params(const struct share *r, bool sharded)
{
    return sharded ? r->dense / r->shard + r->experts / r->expert_shard : r->dense + r->experts;
}

/* Frozen weights in few bits; embedding, head and norms stay wide. PEFT turns these into
 * fp32 before it trains adapters on bitsandbytes' weights; Qwen's own script on any. */
static double packed_weights(const struct setup *s, const struct arch_params *p)
{
    bool peft = s->stack == STACK_DEEPSPEED ||
                (memory_style(s) == STYLE_TRAINER && weights_are_nf4(s->base));
    double ends = p->embedding + p->head, unpacked = peft ? 4 : 2;
    double part = (double)s->pipeline * (double)s->tensor, packed;

    if (arch_is_other(s->arch))
        return p->total * weights_bytes(s->base);
    if (s->pipeline > 1)
        ends = fmax(p->embedding, p->head) * (double)s->pipeline;
    packed = (p->attention + p->ffn) / part + p->experts / setup_expert_split(s);
    return packed * weights_bytes(s->base) + (ends + p->other) / part * unpacked;
}

static double base_weights(const struct setup *s, const struct arch_params *p,
                           const struct share *r)
{
    double shards = s->zero == 3 ? r->shard : 1;

    if (s->method == METHOD_QLORA)
        return packed_weights(s, p) / shards;
    return shard_params(r, s->zero == 3) * precision_weight_bytes(s->precision);
}

/* Frozen layers have no gradients and states, and no fp32 weights: LLaMA-Factory, for one,
 * casts only what it trains. */
static struct share trained_share(struct held *m, const struct setup *s,
                                  const struct share *all)
{
    struct share r = *all;
    double stored = precision_weight_bytes(s->precision);
    double frozen = fmin(stored, precision_activation_bytes(s->precision));

    if (s->trained_layers == 0)
        return r;
    r.experts = setup_local_trained_experts(s);
    r.dense = fmax(0, setup_local_trained(s) - r.experts);
    m->weights -=
        (shard_params(all, s->zero == 3) - shard_params(&r, s->zero == 3)) * (stored - frozen);
    return r;
}

static void hold_full(struct held *m, const struct setup *s, const struct share *all)
{
    enum precision p = s->precision;
    struct share trained = trained_share(m, s, all);
    const struct share *r = &trained;
    double gradients = shard_params(r, s->zero >= 2) * precision_gradient_bytes(p, s->stack);
    double whole = optimizer_local_bytes(s->optimizer);
    struct low_rank low = setup_low_rank(s);

    /* A step for each layer leaves the gradients of one at a time; micro-batches add theirs
     * up. */
    if (s->fused_step && s->accumulation == 1)
        gradients = fmin(gradients, fmax(m->layer, s->trained_layers > 0 ? 0 : m->ends) *
                                        precision_gradient_bytes(p, s->stack));
    m->master = shard_params(r, s->zero >= 1) * precision_master_bytes(p);
    m->optimizer = shard_params(r, s->zero >= 1) *
                       ((optimizer_state_bytes(s->optimizer, p) - whole) * low.states +
                        low.projections * precision_weight_bytes(p)) +
                   shard_params(r, false) * whole;
    if (optimizer_is_paged(s->optimizer))
        m->paged = m->optimizer;
    m->gradients = gradients;
    /* DistributedDataParallel sends from buckets that are a second copy. */
    if (s->data > 1 && s->zero == 0 && (s->stack == STACK_EAGER || s->stack == STACK_COMPILED))
        m->gradients += gradients;
}

/* Adapters are small, in fp32 (PEFT keeps them so beside a bf16 base; the script of QLoRA does
 * not), and on every rank unless ZeRO spreads them. */
static void hold_adapters(struct held *m, const struct setup *s, const struct share *r)
{
    double trained = setup_local_trained(s) - setup_local_saved(s);
    double whole = optimizer_local_bytes(s->optimizer);
    bool narrow = s->method == METHOD_QLORA && s->precision == PRECISION_BF16_PURE;
    enum precision kept_in = narrow ? PRECISION_BF16_PURE : PRECISION_FP32;
    double each = narrow ? 2 : 4;
    double state = optimizer_state_bytes(s->optimizer, kept_in) - whole;

    state = trained * state / (s->zero >= 1 ? r->shard : 1);
    m->lora = trained * (each / (s->zero == 3 ? r->shard : 1) + whole) + state;
    m->lora_states = state;
    if (optimizer_is_paged(s->optimizer))
        m->paged = state;
    m->lora_gradients = trained * each / (s->zero >= 2 ? r->shard : 1);
    if (!arch_is_other(s->arch) && s->stack != STACK_DEEPSPEED && !narrow)
        m->lora += trained * 2; /* as autocast's products read them */
}

/* A copy of embedding or head that is trained in full beside the adapters: in the base's
 * precision, which PEFT makes fp32 where the rest is packed. */
static void hold_saved(struct held *m, const struct setup *s, const struct share *r)
{
    double saved = setup_local_saved(s), state;
    bool full = precision_weight_bytes(s->precision) == 4 ||
                (s->method == METHOD_QLORA && s->precision != PRECISION_BF16_PURE);
    double each = full ? 4 : 2;

    if (!(saved > 0))
        return;
    state = saved *
            optimizer_state_bytes(s->optimizer, full ? PRECISION_FP32 : PRECISION_BF16_PURE) /
            (s->zero >= 1 ? r->shard : 1);
    m->lora += saved * each / (s->zero == 3 ? r->shard : 1) + state;
    m->lora_states += state;
    if (optimizer_is_paged(s->optimizer))
        m->paged += state;
    m->lora_gradients += saved * each / (s->zero >= 2 ? r->shard : 1);
}

/* Of a parameter on its way: quantized ones travel packed, and are unpacked one by one. */
static double passing_bytes(const struct setup *s)
{
    return s->method == METHOD_QLORA ? weights_bytes(s->base)
                                     : precision_activation_bytes(s->precision);
}

static void hold_gathered(struct held *m, const struct setup *s)
{
    double layers = 2 * m->layer;

    if (s->zero < 3)
        return;
    if (memory_style(s) == STYLE_TRAINER)
        layers = fmax(layers, fmin(LIVE_PARAMS, m->layer * (double)s->arch->layers));
    m->gathered = layers * passing_bytes(s);
    m->gathered_ends = m->ends * precision_activation_bytes(s->precision);
}

/* To the host: the states, or all that lasts. */
static void offload(struct held *m, const struct setup *s)
{
    if (s->offload == OFFLOAD_NONE)
        return;
    m->host = m->master + m->optimizer + m->lora_states;
    m->master = m->optimizer = 0;
    m->lora -= m->lora_states;
    m->paged = 0; /* gone already */
    if (s->offload == OFFLOAD_OPTIMIZER) {
        m->host += m->gradients; /* gradients follow, for the step there */
        if (s->zero >= 2)
            m->gradients = 0;
        return;
    }
    m->host += m->weights + m->gradients + m->lora + m->lora_gradients;
    /* What remains is what passes through: two layers and the ends. */
    m->gathered = fmax(m->gathered, 2 * m->layer * passing_bytes(s));
    m->weights = m->gradients = m->lora = m->lora_gradients = 0;
    if (s->offload == OFFLOAD_NVME)
        m->host *= 0.1; /* buffers on the way to the disk */
}

/* Layers that are computed again cast again. The embedding is looked up in fp32, but as the
 * head it is cast. */
static void hold_copies(struct held *m, const struct setup *s, const struct arch_params *p)
{
    double ends = (p->embedding + p->head) / (double)s->tensor;
    double head = (s->arch->tied ? p->embedding : p->head) / (double)s->tensor * s->head_share;

    if (arch_is_other(s->arch))
        head = ends = 0;
    if (s->trained_layers > 0) /* what is frozen is in 16 bits anyway */
        head = 0;
    m->all_copies = s->trained_layers > 0 ? setup_local_trained(s) * 2
                                          : (fmax(0, setup_local_params(s) - ends) + head) * 2;
    m->copies = s->recompute == RECOMPUTE_FULL ? (head + m->layer) * 2 : m->all_copies;
}

/* Of those that share the GPUs: a reference has the trained model's weights, in its precision;
 * a reward model is read in 16 bits; a critic is trained as the model is. ZeRO-3 shards them
 * all. */
static double other_models(const struct setup *s, const struct held *h, const struct share *r)
{
    const struct alignment *a = &s->alignment;
    double part = (double)(s->tensor * s->pipeline) * (s->zero == 3 ? r->shard : 1);
    double trained = h->weights + h->master + h->gradients + h->optimizer + h->lora, held = 0;

    if (s->offload >= OFFLOAD_ALL)
        return 0; /* they go with the rest, a layer at a time */
    if (a->at[ROLE_CRITIC] == ROLE_POLICY)
        held += a->critic_params / arch_count(s->arch).total * trained;
    if (a->reference_held && a->at[ROLE_REFERENCE] == ROLE_POLICY)
        held += shard_params(r, s->zero == 3) * precision_weight_bytes(s->precision);
    if (a->at[ROLE_REWARD] == ROLE_POLICY)
        held += a->reward_params * 2 / part;
    return held;
}

static struct held held_of(const struct setup *s)
{
    struct arch_params p = arch_count(s->arch);
    struct share r = memory_share_of(s, &p);
    double layers = fmax(1, (double)(s->arch->layers + s->arch->decoder_layers));
    struct held m = {.weights = base_weights(s, &p, &r)};

    if (s->encoders)
        m.weights += latent_training_params(s->arch) * 2;

    m.layer = ((p.attention + p.ffn) / (double)s->tensor +
               p.experts * (double)s->pipeline / setup_expert_split(s)) /
              layers;
    m.ends = (p.embedding + p.head) / (double)s->tensor;
    if (s->method == METHOD_FULL)
        hold_full(&m, s, &r);
    else {
        hold_adapters(&m, s, &r);
        hold_saved(&m, s, &r);
    }
    m.models = other_models(s, &m, &r);
    hold_gathered(&m, s);
    if (keeps_copies(s) && s->method == METHOD_FULL)
        hold_copies(&m, s, &p);
    offload(&m, s);
    return m;
}

/* Micro-batches whose activations the first stage holds at once. */
static double in_flight(const struct setup *s)
{
    double stages = (double)s->pipeline, virtual = (double)s->virtual_pipeline;
    double most = fmin(stages, (double)s->accumulation);

    if (s->pipeline > 1 && s->virtual_pipeline > 1 && most >= stages)
        most *= 1 + (stages - 1) / (stages * virtual);
    return most;
}

/* What an engine beside the training keeps, which does not sleep meanwhile. */
static double engine_share(const struct setup *s)
{
    const struct alignment *a = &s->alignment;
    bool beside = objective_writes(a->objective) && a->at[ROLE_ENGINE] == ROLE_POLICY;

    return beside ? s->alignment.engine_memory * usable_memory(s->gpu) : 0;
}

/* The parts that last through every moment. */
static struct memory lasting(const struct setup *s, const struct held *h,
                             const struct constants *c)
{
    struct memory m = {.weights = h->weights,
                       .master = h->master,
                       .optimizer = h->optimizer,
                       .lora = h->lora,
                       .models = h->models,
                       .engine = engine_share(s),
                       .workspace = c->at[C_mem_workspace],
                       .host = h->host};

    if (is_trainer(s))
        m.workspace += c->at[C_mem_trainer];
    return m;
}

static double sum_of_memory(const struct memory *m)
{
    return m->weights + m->master + m->gradients + m->optimizer + m->lora + m->models +
           m->engine + m->activations + m->working + m->logits + m->gathered + m->workspace;
}

/* Are there gradients already when a micro-batch goes forward? Before 2.0, from the years of
 * plain attention, PyTorch set them to zero where it frees them now. */
static bool gradients_stay(const struct setup *s)
{
    return s->accumulation > 1 || s->stack == STACK_MEGATRON || s->stack == STACK_XLA ||
           s->attention == ATTENTION_PLAIN;
}

/* Pictures and series: the first layers hold the most, and nearly all gradients are there
 * when their turn comes. */
static struct memory at_first_layers(const struct setup *s, const struct held *h,
                                     const struct constants *c)
{
    struct memory m = lasting(s, h, c);

    m.moment = MOMENT_GRADIENTS;
    m.gradients = h->gradients;
    m.lora += h->lora_gradients;
    m.workspace /= 2; /* convolutions take theirs and give it back */
    m.activations = small_model_activations(s, c);
    if (s->arch->kind == ARCH_IMAGE) /* gradients of the widest tensors */
        m.working = c->at[C_mem_image_working] * m.activations;
    return m;
}

/* A diffusion model's pictures become latents before its own pass. */
static struct memory at_encoding(const struct setup *s, const struct held *h,
                                 const struct constants *c)
{
    struct memory m = lasting(s, h, c);

    m.moment = MOMENT_ENCODING;
    m.activations =
        latent_encode_bytes((double)s->micro_batch, picture_side(s->arch, s->resolution));
    return m;
}

/* Answers are written while nothing is trained, beside what lasts. Transformers' generate()
 * needs no second copy of the weights. */
static struct memory at_writing(const struct setup *s, const struct held *h,
                                const struct constants *c)
{
    struct memory m = lasting(s, h, c);

    m.moment = MOMENT_WRITING;
    if (!s->alignment.transformers)
        m.engine = fmax(m.engine, alignment_engine_bytes(s));
    return m;
}

static struct memory at_loss(const struct setup *s, const struct held *h,
                             const struct constants *c)
{
    struct memory m = lasting(s, h, c);
    double forward = 10.0 / 12; /* of the logits' memory, before there are gradients */
    double working = layer_working(s);

    if (gradients_stay(s)) {
        m.gradients = h->gradients;
        m.lora += h->lora_gradients;
    }
    m.activations = stage_activations(s) + head_activations(s);
    m.logits = loss_memory(s, c);
    m.gathered = h->gathered_ends;
    if (working > m.logits) { /* of the last layer, when the logits are gone */
        m.working = working;
        m.logits = 0;
    }
    m.weights += h->copies;
    if (h->all_copies - h->copies > m.logits * (1 - forward)) {
        m.weights += h->all_copies - h->copies;
        m.logits *= forward;
    }
    return m;
}

/* The first pipeline stage, when the most micro-batches are under way in it. */
static struct memory at_first_stage(const struct setup *s, const struct held *h,
                                    const struct constants *c)
{
    struct memory m = lasting(s, h, c);

    m.moment = MOMENT_PIPELINE;
    m.weights += h->copies;
    if (gradients_stay(s)) {
        m.gradients = h->gradients;
        m.lora += h->lora_gradients;
    }
    m.activations = stage_activations(s) * in_flight(s);
    m.working = layer_working(s);
    m.gathered = h->gathered;
    return m;
}

static struct memory at_last_gradient(const struct setup *s, const struct held *h,
                                      const struct constants *c)
{
    struct memory m = lasting(s, h, c);
    double gradient = precision_gradient_bytes(s->precision, s->stack);

    m.moment = MOMENT_GRADIENTS;
    m.gradients = h->gradients;
    m.lora += h->lora_gradients;
    m.working = layer_working(s);
    if (s->recompute == RECOMPUTE_NONE)
        m.working += layer_memory_of(s, s->arch->experts > 0).saved;
    m.gathered = h->gathered;
    if (s->method != METHOD_FULL || s->trained_layers > 0)
        return m;
    if (s->zero >= 2) /* complete gradients of the layer, before each rank has its part */
        m.working += h->layer * gradient;
    else if (!gradients_stay(s) && !s->fused_step && s->pipeline == 1 &&
             !s->arch->tied) /* not there yet */
        m.gradients = fmax(0, m.gradients - (double)(s->arch->vocab * s->arch->hidden) /
                                                (double)s->tensor * gradient);
    return m;
}

static struct memory at_step(const struct setup *s, const struct held *h,
                             const struct constants *c)
{
    struct memory m = lasting(s, h, c);
    double trained = setup_local_trained(s);

    m.moment = MOMENT_STEP;
    if (s->zero >= 1)
        trained /= fmax(1, (double)s->shard);
    m.gradients = h->gradients;
    m.lora += h->lora_gradients;
    if (s->offload != OFFLOAD_NONE)
        return m;
    if (s->flat_step && s->method == METHOD_FULL)
        /* gradients in 16 bits, flattened, and a copy in fp32; unless it is one kernel, AdamW's
         * root of the second moment and that root corrected */
        m.working = trained * (s->fused_optimizer ? 4 : 12);
    else if (s->stack == STACK_DEEPSPEED && s->method == METHOD_FULL)
        /* gradients in fp32, a group of parameters at a time */
        m.working = 8 * fmin(trained, LIVE_PARAMS);
    else if (s->optimizer == OPTIMIZER_ADAMW && !s->fused_optimizer &&
             s->stack != STACK_MEGATRON && s->stack != STACK_HF && s->stack != STACK_XLA)
        /* PyTorch's AdamW goes over all tensors at once: a root of the second moment for
         * each. Others have a kernel for all of it, or take one tensor after the other. */
        m.working = trained * optimizer_state_bytes(s->optimizer, s->precision) / 2;
    return m;
}

/* What comes and goes within a step. */
static double moving_part(const struct memory *m)
{
    return m->activations + m->working + m->logits + m->gathered;
}

/* Freed blocks of what was `moving` that do not fit what is asked for next. Where the card
 * is nearly full the allocator gives them back, but for a few. */
static void add_outside(struct memory *m, double moving, const struct setup *s,
                        const struct constants *c)
{
    double groups = (s->data > 1) + (s->tensor > 1) + (s->pipeline > 1) + (s->context > 1) +
                    (s->expert > 1);
    double room;
    bool again = s->recompute == RECOMPUTE_FULL;

    m->context = s->stack == STACK_XLA ? 0 : c->at[C_mem_context];
    m->buffers = groups * c->at[C_mem_group];
    m->fragmentation = moving * c->at[again                         ? C_mem_fragment_full
                                      : s->arch->kind == ARCH_IMAGE ? C_mem_fragment_image
                                                                    : C_mem_fragment];
    if (s->stack == STACK_XLA)
        m->fragmentation = 0; /* the compiler placed every tensor */
    room = usable_memory(s->gpu) - m->allocated - m->context - m->buffers - 1;
    m->fragmentation = fmin(m->fragmentation, fmax(room, 0.02 * moving));
    m->reserved = m->allocated + m->fragmentation;
    m->device = m->reserved + m->context + m->buffers;
}

#define LEAST_REST 0.2 /* of what is not known to the byte, that no correction takes away */

/* What was learned from the user's runs holds for the whole. Weights, gradients and states are
 * known to the byte: the other parts take the difference, as far as they go. */
static void correct_memory(struct memory *m, const struct setup *s, const struct constants *c)
{
    double *parts[] = {&m->activations, &m->working,   &m->logits,   &m->gathered,
                       &m->workspace,   &m->allocated, &m->reserved, &m->fragmentation,
                       &m->context,     &m->buffers,   &m->device};
    double known =
        m->weights + m->master + m->gradients + m->optimizer + m->lora + m->models + m->engine;
    char setting[SETUP_SETTING];
    struct correction_key key;
    double factor, rest;

    if (c->learned_count == 0)
        return;
    key = setup_correction_key(s, setting);
    factor = correction_factor(c->learned, c->learned_count, CORRECTION_MEMORY, &key);
    if (factor == 1 || !(m->device > known))
        return;
    rest = fmax((factor * m->device - known) / (m->device - known), LEAST_REST);
    m->allocated -= known;
    m->reserved -= known;
    m->device -= known;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        *parts[i] *= rest;
    m->allocated += known;
    m->reserved += known;
    m->device += known;
}

/* A paged optimizer's states are in unified memory: the driver moves to the host what finds no
 * room, and nothing before that. What is sure to fit is filled, the rest makes way. */
static void page_out(struct memory *m, double states, const struct setup *s,
                     const struct constants *c)
{
    double room = fits_share(memory_doubt(s, c)) * usable_memory(s->gpu) * (1 - 1e-6);
    double *part = s->method == METHOD_FULL ? &m->optimizer : &m->lora;

    m->paged = fmin(fmax(0, m->device - room), states);
    *part -= m->paged;
    m->allocated -= m->paged;
    m->reserved -= m->paged;
    m->device -= m->paged;
    m->host += m->paged;
}

static struct memory fullest_moment(const struct setup *s, const struct constants *c)
{
    struct held h = held_of(s);
    bool small = arch_is_other(s->arch);
    struct memory best = small ? at_first_layers(s, &h, c) : at_loss(s, &h, c), other[4];
    double most = sum_of_memory(&best), moving = moving_part(&best);
    int count = 0;

    other[count++] = at_step(s, &h, c);
    if (s->encoders)
        other[count++] = at_encoding(s, &h, c);
    if (!small)
        other[count++] = at_last_gradient(s, &h, c);
    if (!small && s->pipeline > 1)
        other[count++] = at_first_stage(s, &h, c);
    if (objective_writes(s->alignment.objective) && s->alignment.at[ROLE_ENGINE] == ROLE_POLICY)
        other[count++] = at_writing(s, &h, c);
    for (int i = 0; i < count; i++) {
        moving = fmax(moving, moving_part(&other[i]));
        if (sum_of_memory(&other[i]) > most) {
            best = other[i];
            most = sum_of_memory(&best);
        }
    }
    best.allocated = most;
    add_outside(&best, moving, s, c);
    correct_memory(&best, s, c);
    if (h.paged > 0)
        page_out(&best, h.paged, s, c);
    return best;
}

/* ---- models on GPUs of their own ---- */

#define SCORED_LOGIT 6.0 /* bytes of a logit that becomes a probability: in 16 bits, and fp32 */

/* What is there at one moment, with what the driver and the allocator take beside it. */
static struct memory whole_of(struct memory m, const struct setup *s, const struct constants *c)
{
    m.allocated = sum_of_memory(&m);
    add_outside(&m, moving_part(&m), s, c);
    return m;
}

/* A frozen model that reads answers: its weights in 16 bits, a layer's tensors, and of the
 * reference the logits. */
static struct memory scoring_memory(const struct setup *s, enum role role,
                                    const struct constants *c)
{
    const struct alignment *a = &s->alignment;
    struct setup g = alignment_longest(s, role);
    struct layer_memory layer = layer_memory_of(&g, g.arch->experts > 0);
    double scale = role == ROLE_REWARD ? a->reward_params / arch_count(g.arch).total : 1;
    double shards = g.zero == 3 ? (double)g.shard : 1;
    struct held h = held_of(&g);
    struct memory m = {.moment = MOMENT_SCORING, .at = role};

    m.models = scale * setup_local_params(&g) * 2 / shards;
    if (shards > 1)
        m.gathered = fmin(scale * fmax(h.gathered, h.gathered_ends), 2 * LIVE_PARAMS);
    m.working = cbrt(scale) * layer.saved;
    m.workspace = c->at[C_mem_workspace];
    if (role == ROLE_REFERENCE)
        m.logits = micro_tokens(&g) * (double)g.arch->vocab / (double)g.tensor * SCORED_LOGIT;
    return whole_of(m, &g, c);
}

/* Of a model `by` times as large: its layers are more and wider, alike. */
static void scale_memory(struct memory *m, double by)
{
    double *held[] = {&m->weights, &m->master, &m->gradients, &m->optimizer,
                      &m->lora,    &m->models, &m->host};

    for (size_t i = 0; i < ARRAY_LEN(held); i++)
        *held[i] *= by;
    m->activations *= cbrt(by) * cbrt(by);
    m->working *= cbrt(by);
}

/* A critic is trained as the model is, with one number in place of a vocabulary. */
static struct memory critic_memory(const struct setup *s, const struct constants *c)
{
    const struct alignment *a = &s->alignment;
    struct setup g = alignment_longest(s, ROLE_CRITIC);
    struct memory m;

    g.head_share = 0;
    m = fullest_moment(&g, c);
    scale_memory(&m, a->critic_params / arch_count(g.arch).total);
    m.at = ROLE_CRITIC;
    m.critic_host = m.host;
    if (a->reward_params > 0 && a->at[ROLE_REWARD] == ROLE_CRITIC && g.offload < OFFLOAD_ALL)
        m.models += a->reward_params * 2 / (double)(g.tensor * g.pipeline) /
                    (g.zero == 3 ? (double)g.shard : 1);
    m.fragmentation = m.context = m.buffers = 0;
    return whole_of(m, &g, c);
}

static struct memory engine_memory(const struct setup *s, const struct constants *c)
{
    struct memory m = {.moment = MOMENT_WRITING,
                       .at = ROLE_ENGINE,
                       .engine = alignment_engine_bytes(s),
                       .workspace = c->at[C_mem_workspace]};

    return whole_of(m, s, c);
}

/* Both sequences of a pair go through the model together. */
struct memory estimate_role_memory(const struct setup *s, enum role role,
                                   const struct constants *c)
{
    struct setup pairs = *s;

    switch (role) {
    case ROLE_ENGINE:
        return engine_memory(s, c);
    case ROLE_REFERENCE:
    case ROLE_REWARD:
        return scoring_memory(s, role, c);
    case ROLE_CRITIC:
        return critic_memory(s, c);
    case ROLE_POLICY:
    case ROLE_COUNT:
        break;
    }
    pairs.micro_batch *= objective_sequences(s->alignment.objective);
    return fullest_moment(&pairs, c);
}

struct memory estimate_memory(const struct setup *s, const struct constants *c)
{
    struct memory best = estimate_role_memory(s, ROLE_POLICY, c);
    double host = best.host, paged = best.paged, critic_host = 0;

    for (int role = ROLE_ENGINE; role < ROLE_COUNT; role++) {
        struct memory m;

        if (s->alignment.own[role] < 1)
            continue;
        m = estimate_role_memory(s, (enum role)role, c);
        critic_host = fmax(critic_host, m.critic_host);
        if (m.device > best.device)
            best = m;
    }
    best.host = host;
    best.paged = paged;
    best.critic_host = critic_host;
    return best;
}

/* Data sheets say GB and mean GiB. Cards with GDDR that check their memory keep a sixteenth
 * for it; gamers' and workstations' have that turned off. Firmware and page tables take a
 * hundredth. What a chip shares with its CPU it gets three quarters of. */
double usable_memory(const struct accelerator *gpu)
{
    bool gddr = str_starts(gpu->memory_type, STR("GDDR"));
    bool unchecked = str_starts(gpu->name, STR("RTX")) || str_starts(gpu->name, STR("GTX")) ||
                     str_starts(gpu->name, STR("Titan")) || str_starts(gpu->name, STR("RX")) ||
                     str_starts(gpu->name, STR("Quadro"));

    if (str_eq(gpu->form, STR("integrated")))
        return gpu->memory_gb * BYTES_PER_GIB * 0.75;
    return gpu->memory_gb * BYTES_PER_GIB * 0.99 * (gddr && !unchecked ? 15.0 / 16 : 1);
}
