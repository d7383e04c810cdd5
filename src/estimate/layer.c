#include "estimate/layer.h"

#include <math.h>

/* One layer as the device sees it. */
struct view {
    const struct setup *s;
    const struct constants *c;
    struct rates linear, plain; /* of the linear layers; of everything else */
    double tokens, tensor;
    double eb, rb; /* bytes of an activation; of the residual stream */
    bool trained;  /* the weights have gradients */
    struct work forward, backward;
    double matrices; /* that LoRA adapts */
};

double work_total(const struct work *w)
{
    return w->products + w->attention + w->elementwise + w->dequantise;
}

double micro_tokens(const struct setup *s)
{
    return (double)s->micro_batch * (double)s->sequence / (double)s->context * (1 - s->padding);
}

/* What the software adds: passes over memory, and the host's time for a layer. */
struct habits {
    enum constant_id passes, host;
};

static struct habits habits_of(const struct setup *s)
{
    static const struct habits by_stack[STACK_COUNT] = {
        [STACK_EAGER] = {C_passes_eager, C_host_eager},
        [STACK_COMPILED] = {C_passes_compiled, C_host_compiled},
        [STACK_FSDP] = {C_passes_fsdp, C_host_fsdp},
        [STACK_MEGATRON] = {C_passes_megatron, C_host_megatron},
        [STACK_DEEPSPEED] = {C_passes_deepspeed, C_host_deepspeed},
        [STACK_HF] = {C_passes_hf, C_host_hf},
        [STACK_XLA] = {C_passes_xla, C_host_xla},
    };

    return by_stack[s->compiled ? STACK_COMPILED : s->stack];
}

static double stack_passes(const struct setup *s, const struct constants *c)
{
    return c->at[habits_of(s).passes];
}

static struct rates plain_rates(const struct setup *s, const struct constants *c)
{
    enum precision p = precision_narrow(s->precision) ? PRECISION_BF16 : s->precision;

    return rates_with(s->gpu, p, s->attention, c);
}

/* The narrow products beside a frozen matrix. */
static void adapter(struct view *v, double in, double out)
{
    double rank = v->s->rank, passes = v->c->at[C_passes_lora] * v->eb * v->tokens;
    double narrow = product_time(&v->plain, v->tokens, rank, in) +
                    product_time(&v->plain, v->tokens, out, rank);

    v->forward.products += narrow;
    v->backward.products += 2 * narrow;
    v->forward.elementwise += memory_time(&v->plain, passes * (in + out), 3);
    v->backward.elementwise += memory_time(&v->plain, passes * (in + out), 4);
    v->matrices++;
}

/* A linear layer of `in` to `out` features: forward, gradients of the input and the weight. */
static void linear(struct view *v, double in, double out, bool adapted)
{
    const struct constants *c = v->c;
    double weights = in * out;

    v->forward.products += product_time(&v->linear, v->tokens, out, in);
    v->backward.products += product_time(&v->linear, v->tokens, in, out);
    if (v->trained)
        v->backward.products += product_time(&v->linear, out, in, v->tokens);
    if (precision_narrow(
            v->s->precision)) { /* cast, and once more transposed for the backward pass */
        double cast = c->at[C_passes_fp8] * v->tokens * (v->eb + 2);

        v->forward.elementwise += memory_time(&v->plain, cast * in, 1);
        v->backward.elementwise += memory_time(&v->plain, cast * out, 1);
    }
    if (v->s->method == METHOD_QLORA) {
        double slow =
            v->s->base == WEIGHTS_NF4 ? c->at[C_dequantise_nf4] : c->at[C_dequantise_int4];
        double time = memory_time(&v->plain, slow * weights * 2.5, 1);

        v->forward.dequantise += time;
        v->backward.dequantise += time;
    }
    if (precision_autocast(v->s->precision) && v->trained && v->s->zero < 3 &&
        !v->s->compiled) {
        v->forward.elementwise += memory_time(&v->plain, weights * 6, 1);
        v->backward.elementwise += memory_time(&v->plain, weights * 10, 1);
    }
    if (adapted)
        adapter(v, in, out);
}

/* Passes that read or write `bytes` forward, and twice that backward. */
static void passes(struct view *v, double size, double kernels)
{
    v->forward.elementwise += memory_time(&v->plain, size, kernels);
    v->backward.elementwise += memory_time(&v->plain, 2 * size, 2 * kernels);
}

/* Causal layers see half of a short sequence, sliding ones never more than the window. */
double visible_share(const struct arch *a, double sequence)
{
    double full = a->kind == ARCH_DECODER ? 0.5 : 1, windowed, share;

    if (a->window == 0 || (double)a->window >= sequence)
        return full;
    windowed = (double)a->window / sequence * (1 - (double)a->window / sequence / 2);
    share = a->full_every > 0 ? 1.0 / (double)a->full_every : 0;
    return full * share + windowed * (1 - share);
}

static void attention(struct view *v)
{
    const struct setup *s = v->s;
    const struct arch *a = s->arch;
    struct attention_shape shape = {
        .batch = (double)s->micro_batch * (1 - s->padding),
        .heads = (double)a->heads / v->tensor,
        .head_dim = (double)a->head_dim,
        .rows = (double)s->sequence / (double)s->context,
        .columns = (double)s->sequence,
        .visible = visible_share(a, (double)s->sequence),
    };

    if (a->kv_rank > 0)
        shape.head_dim = ((double)(a->head_dim + a->rope_dim) + (double)a->value_dim) / 2;
    if (s->attention != ATTENTION_PLAIN) {
        v->forward.attention += attention_time(&v->plain, &shape, false, v->c);
        v->backward.attention += attention_time(&v->plain, &shape, true, v->c);
    } else { /* the whole matrix: products at half speed, and passes over it */
        double scores = shape.batch * shape.heads * shape.rows * shape.columns;
        double flop = 4 * scores * shape.head_dim / (v->plain.products * 0.5);
        double moved = v->c->at[C_score_passes] * scores * v->eb;

        v->forward.attention += flop + memory_time(&v->plain, moved, 4);
        v->backward.attention += 2 * flop + memory_time(&v->plain, 1.5 * moved, 6);
    }
}

static void attention_block(struct view *v)
{
    const struct arch *a = v->s->arch;
    double h = (double)a->hidden, q = (double)(a->heads * a->head_dim);
    double kv = (double)(a->kv_heads * a->head_dim), t = v->tensor;
    unsigned adapted = v->s->method == METHOD_FULL ? 0 : v->s->targets;

    if (a->kv_rank > 0) {
        double rank = (double)a->kv_rank, rope = (double)a->rope_dim;
        double queries = (double)a->heads * (double)(a->head_dim + a->rope_dim);
        double value = (double)(a->heads * a->value_dim);

        if (a->q_rank > 0)
            linear(v, h, (double)a->q_rank, false);
        linear(v, a->q_rank > 0 ? (double)a->q_rank : h, queries / t, adapted & TARGET_Q);
        linear(v, h, rank + rope, adapted & TARGET_K);
        linear(v, rank, ((double)(a->heads * a->head_dim) + value) / t, adapted & TARGET_V);
        linear(v, value / t, h, adapted & TARGET_O);
    } else if (adapted != 0) {
        linear(v, h, q / t, adapted & TARGET_Q);
        linear(v, h, kv / t, adapted & TARGET_K);
        linear(v, h, kv / t, adapted & TARGET_V);
        linear(v, q / t, h, adapted & TARGET_O);
    } else {
        linear(v, h, (q + 2 * kv) / t, false);
        linear(v, q / t, h, false);
    }
    attention(v);
}

static bool ffn_adapted(const struct setup *s)
{
    return s->method != METHOD_FULL && (s->targets & TARGET_FFN);
}

static void dense_ffn(struct view *v, double width)
{
    const struct arch *a = v->s->arch;
    double h = (double)a->hidden, t = v->tensor;
    bool adapted = ffn_adapted(v->s);
    double scale = stack_passes(v->s, v->c);

    if (a->gated && adapted)
        linear(v, h, width / t, true);
    linear(v, h, width / t * (a->gated && !adapted ? 2 : 1), adapted);
    linear(v, width / t, h, adapted);
    passes(v, scale * v->tokens * width / t * v->eb * (a->gated ? 5 : 2), a->gated ? 2 : 1);
}

/* Each token visits some experts; a GPU holds some of them and gets tokens from its group. */
static void expert_ffn(struct view *v)
{
    const struct arch *a = v->s->arch;
    struct view one = *v;
    double h = (double)a->hidden, width = (double)a->expert_ffn;
    double visits = v->tokens * (double)a->active_experts;
    double scale = stack_passes(v->s, v->c);
    double local = (double)a->experts / (double)v->s->expert;
    bool adapted = ffn_adapted(v->s);

    if (v->s->expert == 1)
        width /= v->tensor;
    one.forward = one.backward = (struct work){0};
    one.tokens = visits + 32 * local; /* each expert's share is filled up to whole tiles */
    one.linear.products *= v->c->at[C_gemm_grouped];
    linear(&one, h, width * (a->gated ? 2 : 1), false);
    linear(&one, width, h, false);
    one.tokens = visits;
    if (a->gated && adapted)
        adapter(&one, h, width);
    if (adapted) {
        adapter(&one, h, width);
        adapter(&one, width, h);
    }
    passes(&one, scale * visits * width * v->eb * (a->gated ? 5 : 2), 2);
    passes(&one, v->c->at[C_passes_moe] * visits * h * v->eb, 6);
    v->forward.products += one.forward.products;
    v->forward.elementwise += one.forward.elementwise;
    v->backward.products += one.backward.products;
    v->backward.elementwise += one.backward.elementwise;
    v->forward.dequantise += one.forward.dequantise * local;
    v->backward.dequantise += one.backward.dequantise * local;
    v->matrices = one.matrices; /* all experts' at once, as their products */
    if (a->shared_ffn > 0)
        dense_ffn(v, (double)a->shared_ffn);
}

static struct view view_of(const struct setup *s, const struct constants *c)
{
    return (struct view){
        .s = s,
        .c = c,
        .linear = rates_of(s->gpu, s->precision, c),
        .plain = plain_rates(s, c),
        .tokens = micro_tokens(s),
        .tensor = (double)s->tensor,
        .eb = precision_activation_bytes(s->precision),
        .rb = precision_residual_bytes(s->precision),
        .trained = s->method == METHOD_FULL,
    };
}

/* Norms, residuals and rotation: they are split only by sequence parallel. */
static void stream(struct view *v)
{
    const struct arch *a = v->s->arch;
    double split = v->s->sequence_parallel ? v->tensor : 1;
    double h = (double)a->hidden, turned = (double)((a->heads + a->kv_heads) * a->head_dim);
    double scale = stack_passes(v->s, v->c);

    passes(v, scale * v->tokens / split * h * (4 * v->rb + 4 * v->eb), 4);
    if (a->kind == ARCH_VIT) /* torchvision packs queries, keys and values by strided copies */
        passes(v, 35 * v->tokens * h * v->eb, 8);
    if (a->positions == 0 && a->kind == ARCH_DECODER)
        passes(v, scale * v->tokens * turned / v->tensor * 4 * v->eb, 2);
    else
        passes(v, scale * v->tokens * turned / v->tensor * v->eb, 1);
}

static void add_work(struct work *to, const struct work *w, double times)
{
    to->products += w->products * times;
    to->attention += w->attention * times;
    to->elementwise += w->elementwise * times;
    to->dequantise += w->dequantise * times;
}

static void add_pass(struct pass *to, const struct pass *p, double times)
{
    add_work(&to->forward, &p->forward, times);
    add_work(&to->backward, &p->backward, times);
    to->host += p->host * times;
}

static double host_of_layer(const struct view *v)
{
    const struct setup *s = v->s;
    const struct constants *c = v->c;
    double host = c->at[habits_of(s).host], rounds = 1 + c->at[C_host_backward];

    if (s->recompute == RECOMPUTE_FULL)
        rounds++;
    if (s->arch->gated)
        host *= c->at[C_host_gated];
    if (s->arch->experts > 0)
        host *= 1.6;
    if (precision_autocast(s->precision) && !s->compiled)
        host *= c->at[C_host_autocast]; /* each product also launches casts */
    host += v->matrices * c->at[C_host_lora];
    if (s->tensor > 1)
        host += c->at[C_host_tensor];
    if (s->zero == 3)
        host += c->at[C_host_zero];
    return host * rounds;
}

static struct pass one_layer(const struct setup *s, const struct constants *c, bool sparse)
{
    struct view v = view_of(s, c);

    attention_block(&v);
    stream(&v);
    if (sparse)
        expert_ffn(&v);
    else
        dense_ffn(&v, (double)s->arch->ffn);
    return (struct pass){
        .forward = v.forward, .backward = v.backward, .host = host_of_layer(&v)};
}

/* A decoder that looks at an encoder has a second attention block in every layer. */
static struct pass cross_attention(const struct setup *s, const struct constants *c)
{
    struct view v = view_of(s, c);

    attention_block(&v);
    return (struct pass){.forward = v.forward, .backward = v.backward};
}

struct pass layers_pass(const struct setup *s, const struct constants *c)
{
    const struct arch *a = s->arch;
    double all = (double)(a->layers + a->decoder_layers), stage = all / (double)s->pipeline;
    double sparse = a->experts > 0 ? (all - (double)a->dense_layers) / all : 0;
    struct pass total = {0}, p;

    if (sparse < 1) {
        p = one_layer(s, c, false);
        add_pass(&total, &p, stage * (1 - sparse));
    }
    if (sparse > 0) {
        p = one_layer(s, c, true);
        add_pass(&total, &p, stage * sparse);
    }
    if (a->decoder_layers > 0) {
        p = cross_attention(s, c);
        add_pass(&total, &p, (double)a->decoder_layers);
    }
    return total;
}

/* Few rows that many tokens share are added up one after the other: learned positions, and the
 * two kinds of sentences of an encoder. */
static double embedding_time(const struct setup *s, const struct constants *c)
{
    double elements = micro_tokens(s) * (double)s->arch->hidden;
    double each = s->arch->positions > 0 ? c->at[C_embed_positions] : 0;

    if (s->compiled || s->stack == STACK_MEGATRON || s->stack == STACK_XLA)
        return 0;
    if (s->arch->kind == ARCH_ENCODER)
        each += c->at[C_embed_types];
    return elements * each;
}

struct pass ends_pass(const struct setup *s, const struct constants *c)
{
    const struct arch *a = s->arch;
    struct view v = view_of(s, c);
    double h = (double)a->hidden, vocab = (double)a->vocab / v.tensor;
    bool lean = s->fused_loss || s->compiled || s->stack == STACK_MEGATRON ||
                s->stack == STACK_XLA || s->stack == STACK_COMPILED;

    v.linear = v.plain; /* the head is never fp8 */
    if (a->kind == ARCH_VIT) {
        linear(&v, (double)(3 * a->patch * a->patch), h, false);
    } else {
        double logits;

        v.tokens *= s->head_share;
        logits = v.tokens * vocab * c->at[C_passes_loss];
        v.forward.products += product_time(&v.plain, v.tokens, vocab, h);
        v.backward.products += product_time(&v.plain, v.tokens, h, vocab);
        if (v.trained)
            v.backward.products += product_time(&v.plain, vocab, h, v.tokens);
        v.forward.elementwise += memory_time(&v.plain, logits * (lean ? 6 : 16), 3);
        v.backward.elementwise += memory_time(&v.plain, logits * (lean ? 4 : 12), 3);
        if (v.trained) { /* the embedding's gradient is as large as the embedding */
            v.backward.elementwise += memory_time(&v.plain, vocab * h * 8, 2);
            v.backward.elementwise += embedding_time(s, c);
        }
    }
    v.forward.elementwise += memory_time(&v.plain, micro_tokens(s) * h * 3 * v.rb, 3);
    v.backward.elementwise += memory_time(&v.plain, micro_tokens(s) * h * 4 * v.rb, 4);
    return (struct pass){
        .forward = v.forward, .backward = v.backward, .host = host_of_layer(&v)};
}
