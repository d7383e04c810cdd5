#include "estimate/step/step.h"

#include <math.h>

#include "estimate/kernels/comm.h"
#include "estimate/memory/memory.h"
#include "estimate/step/image.h"
#include "estimate/step/rollout.h"
#include "estimate/step/transformers.h"

/* Hugging Face's model code: kernels outside the layers; passes over the matrix of scores,
 * against lean code; the host's time for a kernel of an encoder, which casts more, against a
 * decoder's; Adafactor's bytes for a parameter. From profiles and steps on one H200
 * (docs/evidence/accuracy.md). */
#define ENDS_FORWARD 60
#define ENDS_BACKWARD 100
#define SPELLED_SCORES 1.4
#define SPELLED_ENCODER 1.18
#define RELATIVE_POSITIONS 512.0 /* of DeBERTa: two sides of 256 */
#define ADAFACTOR_BYTES 120

/* Seconds of GPU work. */
struct work {
    double products, attention, elementwise, dequantise;
};

struct pass {
    struct work forward, backward;
    double host; /* seconds in which the host prepares all that, recomputation included */
    double
        wait; /* of them, those that follow a wait for the device and so hide behind nothing */
};

/* One layer as the device sees it. */
struct view {
    const struct setup *s;
    const struct constants *c;
    struct rates linear, plain; /* of the linear layers; of everything else */
    double tokens, tensor;
    double experts; /* whose matrices are multiplied at once, each with its share of tokens */
    double eb, rb;  /* bytes of an activation; of the residual stream */
    bool trained;   /* the weights have gradients */
    struct work forward, backward;
    double matrices; /* that LoRA adapts */
    bool spelled;    /* Hugging Face's model code: an operation is a kernel */
    double forward_kernels, backward_kernels; /* of such code, which the host launches */
};

static double work_total(const struct work *w)
{
    return w->products + w->attention + w->elementwise + w->dequantise;
}

static void add_step_work(struct work *to, const struct work *w, double times)
{
    to->products += w->products * times;
    to->attention += w->attention * times;
    to->elementwise += w->elementwise * times;
    to->dequantise += w->dequantise * times;
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
        [STACK_LIGHTNING] = {C_passes_hf, C_host_hf},
        [STACK_HF_2023] = {C_passes_hf_2023, C_host_hf_2023},
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

/* What model code does beside the products, in so many tokens. */
static void add_code(struct view *v, struct code_passes p)
{
    double size = v->c->at[C_passes_hf] * v->tokens;

    v->forward.elementwise += memory_time(&v->plain, size * p.forward, p.forward_kernels);
    v->backward.elementwise += memory_time(&v->plain, size * p.backward, p.backward_kernels);
    v->forward_kernels += p.forward_kernels;
    v->backward_kernels += p.backward_kernels;
}

/* DoRA as PEFT computes it, mostly in fp32 and one operation after the other: the product of
 * both adapters, made by sending a unit matrix through them, is added to the matrix, and the
 * length of each column taken; the result of the matrix and that of the adapters are scaled
 * by it and added. Backward, both have a gradient, and so has the scale, summed over all
 * tokens. The bytes are fitted to five pairs of steps with LoRA and with DoRA on an H200. */
#define DORA_MATRIX 40.0
#define DORA_UNIT 16.0
#define DORA_FORWARD 58.0
#define DORA_BACKWARD 136.0

static void dora(struct view *v, double in, double out)
{
    double results = v->tokens * out;
    double matrix = (DORA_MATRIX * in * out + DORA_UNIT * in * in) * v->experts;

    v->forward.elementwise += memory_time(&v->plain, matrix + DORA_FORWARD * results, 16);
    v->backward.elementwise += memory_time(&v->plain, DORA_BACKWARD * results, 16);
    v->forward_kernels += 16;
    v->backward_kernels += 16;
}

/* The narrow products beside a frozen matrix. */
static void adapter(struct view *v, double in, double out)
{
    double rank = v->s->rank, passes = v->c->at[C_passes_lora] * v->eb * v->tokens;
    double narrow = product_time(&v->plain, v->tokens, rank, in) +
                    product_time(&v->plain, v->tokens, out, rank);

    v->forward.products += narrow;
    v->backward.products += 2 * narrow;
    if (v->s->dora)
        dora(v, in, out);
    if (v->spelled) {
        add_code(v, transformers_adapter(v->s, in, out));
        return;
    }
    v->matrices++;
    if (v->s->stack == STACK_HF_2023) {
        struct code_passes p = transformers_adapter(v->s, in, out);

        v->forward.elementwise += memory_time(&v->plain, v->tokens * p.forward, 3);
        v->backward.elementwise += memory_time(&v->plain, v->tokens * p.backward, 4);
        return;
    }
    v->forward.elementwise += memory_time(&v->plain, passes * (in + out), 3);
    v->backward.elementwise += memory_time(&v->plain, passes * (in + out), 4);
}

/* A linear layer of `in` to `out` features: forward, gradients of the input and the weight. */
static void add_step_linear(struct view *v, double in, double out, bool adapted)
{
    const struct constants *c = v->c;
    double weights = in * out * v->experts, each = v->tokens / v->experts;

    v->forward.products += grouped_product_time(&v->linear, v->experts, each, out, in);
    v->backward.products += grouped_product_time(&v->linear, v->experts, each, in, out);
    v->forward_kernels++;
    v->backward_kernels++;
    if (v->trained) {
        v->backward.products += grouped_product_time(&v->linear, v->experts, out, in, each);
        v->backward_kernels++;
    }
    if (precision_narrow(
            v->s->precision)) { /* cast, and once more transposed for the backward pass */
        double cast = c->at[C_passes_fp8] * v->tokens * (v->eb + 2);

        v->forward.elementwise += memory_time(&v->plain, cast * in, 1);
        v->backward.elementwise += memory_time(&v->plain, cast * out, 1);
    }
    if (v->s->method == METHOD_QLORA) {
        double slow =
            weights_are_nf4(v->s->base) ? c->at[C_dequantise_nf4] : c->at[C_dequantise_int4];
        double time = memory_time(&v->plain, slow * weights * 2.5, 1);

        v->forward.dequantise += time;
        v->backward.dequantise += time;
    }
    if (precision_autocast(v->s->precision) && v->trained && v->s->zero < 3 &&
        !v->s->compiled) {
        v->forward.elementwise += memory_time(&v->plain, weights * 6, 1);
        v->backward.elementwise += memory_time(&v->plain, weights * 10, 1);
        v->forward_kernels++;
        v->backward_kernels++;
    }
    if (adapted)
        adapter(v, in, out);
}

/* Passes that read or write `bytes` forward, and twice that backward. */
static void add_step_passes(struct view *v, double size, double kernels)
{
    v->forward.elementwise += memory_time(&v->plain, size, kernels);
    v->backward.elementwise += memory_time(&v->plain, 2 * size, 2 * kernels);
}

/* Causal layers see half of a short sequence, sliding ones never more than the window. */
double visible_share(const struct arch *a, double sequence)
{
    double full = a->kind == ARCH_DECODER ? 0.5 : 1,
           looks = 1 - arch_share_without_attention(a);
    double share = arch_full_share(a), windowed;

    if (a->window == 0 || (double)a->window >= sequence)
        return looks * full;
    windowed = (double)a->window / sequence * (1 - (double)a->window / sequence / 2);
    return looks * (full * share + windowed * (1 - share));
}

/* PyTorch's own formula, where no fused kernel takes the heads: products and passes in fp32. */
static void fp32_scores(struct view *v, const struct attention_shape *shape)
{
    struct rates fp32 = rates_of(v->s->gpu, PRECISION_FP32, v->c);
    double scores = shape->batch * shape->heads * shape->rows * shape->columns;
    double flop = 4 * scores * shape->head_dim / fp32.products;
    double moved = v->c->at[C_score_passes] * scores * sizeof(float);

    v->forward.attention += flop + memory_time(&v->plain, moved, 6);
    v->backward.attention += 2 * flop + memory_time(&v->plain, 1.5 * moved, 9);
}

/* DeBERTa's scores of positions: two more products forward and four backward, with a matrix of
 * all relative positions each, and passes over the scores. */
static void disentangled_scores(struct view *v, const struct attention_shape *shape)
{
    struct code_passes p = transformers_disentangled();
    double rows = shape->batch * shape->heads * shape->rows, scores = rows * shape->columns;
    double related = 2 * rows * RELATIVE_POSITIONS, h = (double)v->s->arch->hidden;
    double flop = 2 * related * shape->head_dim / (v->plain.products * 0.5);
    double moved = 4 * related + v->c->at[C_passes_hf] * scores * p.forward;
    double projected = 2 * product_time(&v->plain, RELATIVE_POSITIONS, h, h);

    v->forward.attention += flop + projected + memory_time(&v->plain, moved, p.forward_kernels);
    moved = 8 * related + v->c->at[C_passes_hf] * scores * p.backward;
    v->backward.attention +=
        2 * (flop + projected) + memory_time(&v->plain, moved, p.backward_kernels);
    v->forward_kernels += p.forward_kernels;
    v->backward_kernels += p.backward_kernels;
}

/* Fused kernels want heads whose width is a multiple of 8: PyTorch fills up copies of queries,
 * keys and values, and of the gradient. */
static void fill_up_heads(struct view *v)
{
    const struct arch *a = v->s->arch;
    double width = (double)((a->heads + 2 * a->kv_heads) * a->head_dim) / v->tensor;

    if (a->head_dim % 8 == 0 || a->kv_rank > 0)
        return;
    v->forward.elementwise += memory_time(&v->plain, 2 * v->eb * v->tokens * width, 3);
    v->backward.elementwise += memory_time(&v->plain, 4 * v->eb * v->tokens * width, 7);
    v->forward_kernels += 3;
    v->backward_kernels += 7;
}

static void add_step_attention(struct view *v)
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
    if (setup_has_fp32_scores(s)) {
        fp32_scores(v, &shape);
    } else if (s->attention != ATTENTION_PLAIN) {
        v->forward.attention += attention_time(&v->plain, &shape, false, v->c);
        v->backward.attention += attention_time(&v->plain, &shape, true, v->c);
        fill_up_heads(v);
    } else { /* the complete matrix: products at half speed, and passes over it */
        double scores = shape.batch * shape.heads * shape.rows * shape.columns;
        double flop = 4 * scores * shape.head_dim / (v->plain.products * 0.5);
        double moved = v->c->at[C_score_passes] * scores * v->eb;

        if (v->spelled) /* scaled, masked, cast and cast back, one after the other */
            moved *= v->c->at[C_passes_hf] * SPELLED_SCORES * (a->softcaps ? 2 : 1);

        v->forward.attention += flop + memory_time(&v->plain, moved, 4);
        v->backward.attention += 2 * flop + memory_time(&v->plain, 1.5 * moved, 6);
    }
    if (a->disentangled)
        disentangled_scores(v, &shape);
}

/* Products of a layer's attention. */
static void attention_products(struct view *v)
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
            add_step_linear(v, h, (double)a->q_rank, false);
        add_step_linear(v, a->q_rank > 0 ? (double)a->q_rank : h, queries / t,
                        adapted & TARGET_Q);
        add_step_linear(v, h, rank + rope, adapted & TARGET_K);
        add_step_linear(v, rank, ((double)(a->heads * a->head_dim) + value) / t,
                        adapted & TARGET_V);
        add_step_linear(v, value / t, h, adapted & TARGET_O);
    } else if (adapted != 0 || (v->spelled && !transformers_joins_qkv(a))) {
        add_step_linear(v, h, q / t, adapted & TARGET_Q);
        add_step_linear(v, h, kv / t, adapted & TARGET_K);
        add_step_linear(v, h, kv / t, adapted & TARGET_V);
        add_step_linear(v, q / t, h, adapted & TARGET_O);
    } else {
        add_step_linear(v, h, (q + 2 * kv) / t, false);
        add_step_linear(v, q / t, h, false);
    }
}

/* Reads and writes of each element of a mixer's inner width: convolution, gate and norm.
 * Counted in code, not measured. */
#define MIXER_PASSES 8.0

/* Mamba or linear attention: products into and out of a wider space, the scan over its state,
 * and passes over that space (convolution, gate, norm). */
static void add_step_mixer(struct view *v)
{
    const struct arch *a = v->s->arch;
    double h = (double)a->hidden, t = v->tensor, inner = a->mixer_params / h / 3;
    double scan = MIXER_SCAN_FLOP * v->tokens * a->mixer_state / t / v->plain.attention;

    add_step_linear(v, h, 2 * inner / t, false);
    add_step_linear(v, inner / t, h, false);
    v->forward.attention += scan;
    v->backward.attention += 2 * scan;
    add_step_passes(v, stack_passes(v->s, v->c) * v->tokens * inner / t * v->eb * MIXER_PASSES,
                    3);
}

/* A part that a share of the layers has. */
static void add_step_part(struct view *v, void (*part)(struct view *), double share)
{
    struct view one = *v;

    one.forward = one.backward = (struct work){0};
    one.matrices = one.forward_kernels = one.backward_kernels = 0;
    part(&one);
    add_step_work(&v->forward, &one.forward, share);
    add_step_work(&v->backward, &one.backward, share);
    v->matrices += share * one.matrices;
    v->forward_kernels += share * one.forward_kernels;
    v->backward_kernels += share * one.backward_kernels;
}

/* Of a mean layer, where some have a mixer in the place of attention or beside it. */
static void add_step_attention_block(struct view *v)
{
    const struct arch *a = v->s->arch;

    add_step_part(v, attention_products, 1 - arch_share_without_attention(a));
    if (a->mixer_layers > 0)
        add_step_part(v, add_step_mixer, arch_mixer_share(a));
    add_step_attention(v);
}

static void add_step_ffn(struct view *v, double width)
{
    const struct arch *a = v->s->arch;
    double h = (double)a->hidden, t = v->tensor;
    bool gate = setup_adapts(v->s, TARGET_GATE), up = setup_adapts(v->s, TARGET_UP);
    bool apart = gate || up || v->spelled;
    double scale = stack_passes(v->s, v->c);

    if (a->gated && apart)
        add_step_linear(v, h, width / t, gate);
    add_step_linear(v, h, width / t * (a->gated && !apart ? 2 : 1), up);
    add_step_linear(v, width / t, h, setup_adapts(v->s, TARGET_DOWN));
    if (v->spelled) {
        add_code(v, transformers_ffn(v->s, width));
        return;
    }
    add_step_passes(v, scale * v->tokens * width / t * v->eb * (a->gated ? 5 : 2),
                    a->gated ? 2 : 1);
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

    if (v->s->expert == 1)
        width /= v->tensor;
    one.forward = one.backward = (struct work){0};
    one.experts = local;
    one.tokens = visits + 32 * local; /* each expert's share is filled up to whole tiles */
    if (v->spelled && transformers_has_wide_experts(v->s)) /* one expert after the other */
        one.linear = rates_of(v->s->gpu, PRECISION_FP32, v->c);
    else
        one.linear.products *= v->c->at[C_gemm_grouped];
    add_step_linear(&one, h, width * (a->gated ? 2 : 1), false);
    add_step_linear(&one, width, h, false);
    one.tokens = visits;
    if (setup_adapts(v->s, TARGET_GATE))
        adapter(&one, h, width);
    if (setup_adapts(v->s, TARGET_UP))
        adapter(&one, h, width);
    if (setup_adapts(v->s, TARGET_DOWN))
        adapter(&one, width, h);
    if (v->spelled) {
        add_code(&one, transformers_experts(v->s, width));
    } else {
        add_step_passes(&one, scale * visits * width * v->eb * (a->gated ? 5 : 2), 2);
        add_step_passes(&one, v->c->at[C_passes_moe] * visits * h * v->eb, 6);
    }
    v->forward.products += one.forward.products;
    v->forward.elementwise += one.forward.elementwise;
    v->backward.products += one.backward.products;
    v->backward.elementwise += one.backward.elementwise;
    v->forward.dequantise += one.forward.dequantise;
    v->backward.dequantise += one.backward.dequantise;
    v->matrices = one.matrices; /* all experts' at once, as their products */
    v->forward_kernels = one.forward_kernels;
    v->backward_kernels = one.backward_kernels;
    if (a->shared_ffn > 0)
        add_step_ffn(v, (double)a->shared_ffn);
}

static struct view step_view(const struct setup *s, const struct constants *c)
{
    struct view v = {
        .s = s,
        .c = c,
        .linear = rates_of(s->gpu, s->precision, c),
        .plain = plain_rates(s, c),
        .tokens = micro_tokens(s),
        .tensor = (double)s->tensor,
        .experts = 1,
        .eb = precision_activation_bytes(s->precision),
        .rb = precision_residual_bytes(s->precision),
        .trained = s->method == METHOD_FULL,
        .spelled = setup_has_transformers(s),
    };

    rates_sustain(&v.linear, s->gpu, setup_is_tuned(s), c);
    rates_sustain(&v.plain, s->gpu, setup_is_tuned(s), c);
    /* Passes over memory between the products leave power for them. */
    if (v.spelled) {
        v.linear.products *= c->at[C_gemm_mixed];
        v.plain.products *= c->at[C_gemm_mixed];
    }
    return v;
}

/* Norms, residuals and rotation: they are split only by sequence parallel. */
static void add_step_stream(struct view *v)
{
    const struct arch *a = v->s->arch;
    double split = v->s->sequence_parallel ? v->tensor : 1;
    double h = (double)a->hidden, turned = (double)((a->heads + a->kv_heads) * a->head_dim);
    double scale = stack_passes(v->s, v->c);

    if (v->spelled) {
        add_code(v, transformers_stream(v->s));
        return;
    }
    add_step_passes(v, scale * v->tokens / split * h * (4 * v->rb + 4 * v->eb), 4);
    if (a->kind == ARCH_VIT) /* torchvision packs queries, keys and values by strided copies */
        add_step_passes(v, 35 * v->tokens * h * v->eb, 8);
    if (a->positions == 0 && a->kind == ARCH_DECODER)
        add_step_passes(v, scale * v->tokens * turned / v->tensor * 4 * v->eb, 2);
    else
        add_step_passes(v, scale * v->tokens * turned / v->tensor * v->eb, 1);
}

static void add_pass(struct pass *to, const struct pass *p, double times)
{
    add_step_work(&to->forward, &p->forward, times);
    add_step_work(&to->backward, &p->backward, times);
    to->host += p->host * times;
    to->wait += p->wait * times;
}

static double host_of_layer(const struct view *v)
{
    const struct setup *s = v->s;
    const struct constants *c = v->c;
    double host = c->at[habits_of(s).host], rounds = 1 + c->at[C_host_backward];
    double host_zero = 0;

    if (v->spelled) {
        bool again = s->recompute == RECOMPUTE_FULL;
        double kernels = v->forward_kernels * (again ? 2 : 1) + v->backward_kernels;

        if (s->zero == 3)
            host_zero = c->at[C_host_zero] * (again ? 3 : 2);
        if (s->arch->kind == ARCH_ENCODER)
            host *= SPELLED_ENCODER;
        return host * kernels + host_zero + (again ? c->at[C_host_checkpoint] : 0);
    }
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

/* The host must know how many tokens each expert gets before it can launch the experts'
 * products: it waits for the router, and then the device waits for what moves the tokens, about
 * as many kernels as a dense layer has. Transformers keeps the counts on the device. */
static double wait_of_experts(const struct view *v)
{
    if (v->spelled || v->s->stack == STACK_XLA)
        return 0;
    return v->c->at[habits_of(v->s).host];
}

static struct pass one_layer(const struct setup *s, const struct constants *c, bool sparse)
{
    struct view v = step_view(s, c);

    add_step_attention_block(&v);
    add_step_stream(&v);
    if (sparse)
        expert_ffn(&v);
    else
        add_step_ffn(&v, (double)s->arch->ffn);
    return (struct pass){.forward = v.forward,
                         .backward = v.backward,
                         .host = host_of_layer(&v),
                         .wait = sparse ? wait_of_experts(&v) : 0};
}

/* A decoder that looks at an encoder has a second attention block in every layer. */
static struct pass step_cross_attention(const struct setup *s, const struct constants *c)
{
    struct view v = step_view(s, c);

    add_step_attention_block(&v);
    return (struct pass){.forward = v.forward, .backward = v.backward};
}

/* The layers of the fullest pipeline stage, which all others wait for. */
static double stage_layers(const struct setup *s)
{
    const struct arch *a = s->arch;

    return ceil((double)(a->layers + a->decoder_layers) / (double)s->pipeline);
}

/* Does nothing go backward through the layers below the first that is trained? transformers
 * gives the embedding's result a gradient as soon as anything is computed again. */
static bool stops_at_frozen(const struct setup *s)
{
    return s->recompute == RECOMPUTE_NONE || !setup_has_transformers(s);
}

static void leave_frozen(struct pass *layers, const struct setup *s, const struct constants *c)
{
    double share = setup_trained_share(s), back = c->at[C_host_backward];
    struct work backward = layers->backward, through = backward;

    if (share >= 1)
        return;
    layers->backward = (struct work){0};
    add_step_work(&layers->backward, &backward, share);
    if (!stops_at_frozen(s)) {
        through.products /= 2; /* weights without a gradient */
        add_step_work(&layers->backward, &through, 1 - share);
        return;
    }
    layers->host *= (1 + share * back) / (1 + back);
}

/* The layers of a pipeline stage, for one micro-batch. */
static struct pass layers_pass(const struct setup *s, const struct constants *c)
{
    const struct arch *a = s->arch;
    double all = (double)(a->layers + a->decoder_layers), stage = stage_layers(s);
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
        p = step_cross_attention(s, c);
        add_pass(&total, &p, (double)a->decoder_layers);
    }
    leave_frozen(&total, s, c);
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
    if (s->arch->token_types)
        each += c->at[C_embed_types];
    return elements * each;
}

/* Embedding, head and loss, where they are. */
static struct pass ends_pass(const struct setup *s, const struct constants *c)
{
    const struct arch *a = s->arch;
    struct view v = step_view(s, c);
    double h = (double)a->hidden, vocab = (double)a->vocab / v.tensor;
    bool lean = s->fused_loss || s->compiled || s->stack == STACK_MEGATRON ||
                s->stack == STACK_XLA || s->stack == STACK_COMPILED;
    bool trained = v.trained && s->trained_layers == 0;

    v.linear = v.plain; /* the head is never fp8 */
    if (a->kind == ARCH_VIT) {
        add_step_linear(&v, (double)(3 * a->patch * a->patch), h, false);
    } else {
        struct rates head = v.plain;
        double logits, forward = lean ? 6 : 16, backward = lean ? 4 : 12;

        if (v.spelled && a->vocab % 8 != 0)
            head.products *= c->at[C_gemm_unaligned];
        if (v.spelled || s->stack == STACK_HF_2023) {
            struct code_passes loss = transformers_loss(s);

            forward = loss.forward;
            backward = loss.backward;
        }
        v.tokens *= s->head_share;
        logits = v.tokens * vocab * c->at[C_passes_loss];
        v.forward.products += product_time(&head, v.tokens, vocab, h);
        v.backward.products += product_time(&head, v.tokens, h, vocab);
        if (trained || (s->method != METHOD_FULL && (s->saved & SAVED_HEAD)))
            v.backward.products += product_time(&head, vocab, h, v.tokens);
        if (s->method != METHOD_FULL && (s->targets & TARGET_HEAD))
            adapter(&v, h, vocab);
        v.forward.elementwise += memory_time(&v.plain, logits * forward, 3);
        v.backward.elementwise += memory_time(&v.plain, logits * backward, 3);
        if (trained || (s->method != METHOD_FULL && (s->saved & SAVED_EMBEDDING))) {
            /* the embedding's gradient is as large as the embedding */
            v.backward.elementwise += memory_time(&v.plain, vocab * h * 8, 2);
            v.backward.elementwise += embedding_time(s, c);
        }
    }
    v.forward_kernels += ENDS_FORWARD;
    v.backward_kernels += ENDS_BACKWARD;
    v.forward.elementwise += memory_time(&v.plain, micro_tokens(s) * h * 3 * v.rb, 3);
    v.backward.elementwise += memory_time(&v.plain, micro_tokens(s) * h * 4 * v.rb, 4);
    return (struct pass){
        .forward = v.forward, .backward = v.backward, .host = host_of_layer(&v)};
}

/* ---- an optimizer step: layers, communication, the pipeline, the optimizer ---- */

/* What of `inner` sticks out when it runs beside `cover`. */
static double exposed(double inner, double cover)
{
    return longer(inner, cover) - cover;
}

/* The same for a collective, which takes cores and bandwidth from the work that hides it. */
static double exposed_comm(double comm, double cover, const struct constants *c)
{
    return exposed(comm, cover) + c->at[C_comm_friction] * fmin(comm, cover);
}

/* How far apart the ranks of a group of experts are: more experts than data parallel ranks are
 * spread over those of tensor and context parallel, too. */
static double expert_stride(const struct setup *s)
{
    double near = (double)(s->tensor * s->context);

    return fmin(near, fmax(1, (double)s->data * near / (double)s->expert));
}

/* Exchange inside the layers, of one micro-batch on one stage. */
static void add_layer_comm(struct step *t, const struct setup *s, const struct wires *w,
                           double attention, const struct constants *c)
{
    const struct arch *a = s->arch;
    double stage = stage_layers(s);
    double tokens = micro_tokens(s), eb = precision_activation_bytes(s->precision);
    double again = s->recompute == RECOMPUTE_FULL ? 1.5 : 1;
    double tensor = (double)s->tensor, context = (double)s->context;

    if (s->tensor > 1) /* two forward, two backward in each layer */
        t->tensor += 4 * again * stage * (1 - fmin(0.95, c->at[C_overlap_tensor])) *
                     all_reduce(w, tokens * (double)a->hidden * eb, tensor, 1);
    if (s->context > 1) {
        double kv = 2 * (double)(a->kv_heads * a->head_dim) / tensor * tokens * eb;
        double ring = stage * 3 * again * all_gather(w, kv * context, context, tensor);

        t->context += exposed_comm(ring, attention * c->at[C_overlap_context], c);
    }
    if (s->expert > 1) {
        double sparse = stage * (1 - (double)a->dense_layers / (double)a->layers);
        double sent =
            precision_narrow(s->precision) ? (1 + eb) / 2 : eb; /* fp8 there, full width back */
        double size = tokens * (double)(a->active_experts * a->hidden) * sent;
        /* Another micro-batch's work hides it, which a stage with one part has none of. */
        bool alone = s->pipeline > 1 && s->virtual_pipeline == 1;
        double hidden = alone ? 0 : fmin(0.95, c->at[C_overlap_expert]);

        t->expert +=
            4 * again * sparse * (1 - hidden) *
            all_to_all(w, size, (double)s->expert, expert_stride(s), (double)a->active_experts);
    }
}

/* Sum `gradient` bytes over the ranks that hold the same weights; `shard` of them split states
 * between each other. */
static double reduce_time(const struct wires *w, double gradient, double ranks, double shard,
                          double stride)
{
    double copies = ranks / shard;

    if (copies > 1)
        return all_gather(w, gradient, shard, stride) * 2 +
               all_reduce(w, gradient / shard, copies, stride * shard);
    return all_reduce(w, gradient, ranks, stride);
}

/* With expert parallel the ranks of a group hold different experts: the same ones are further
 * apart and fewer, and each sends its own through its own adapter. */
static double reduce_all_time(const struct setup *s, const struct wires *w, double gradient,
                              double ranks, double shard)
{
    double stride = (double)s->tensor, group = (double)s->expert;
    double same = ranks * stride / group, experts;

    if (s->expert <= 1)
        return reduce_time(w, gradient, ranks, shard, stride);
    experts = gradient * setup_local_trained_experts(s) / setup_local_trained(s);
    return reduce_time(w, gradient - experts, ranks, shard, stride) +
           (same > 1 ? all_reduce(w, experts, same, group) : 0);
}

/* Gradients, and the gathers of ZeRO, for a complete step. `forward` and `backward` are the
 * seconds of one micro-batch that can hide them. An all-reduce is a reduce-scatter and a
 * gather: plain processes and ZeRO 1 move as many bytes of the same type. Where Hugging Face's
 * Trainer has autocast over fp32 weights (fp16 on cards without bf16), gradients have twice the
 * bytes, matrices are cast, and all states are updated everywhere: ZeRO 1, by DeepSpeed with
 * fp16 weights, is faster by that, and measured on an H200 by more
 * (docs/evidence/accuracy.md). */
static double data_time(const struct setup *s, const struct wires *w, double forward,
                        double backward, const struct constants *c)
{
    double ranks = (double)(s->data * s->context), stride = (double)s->tensor;
    double shard = fmin((double)s->shard, ranks), copies = ranks / shard;
    double micro = (double)s->accumulation, trained = setup_local_trained(s);
    double gradient =
        trained *
        (s->method == METHOD_FULL ? precision_gradient_bytes(s->precision, s->stack) : 4);
    bool deepspeed =
        s->stack == STACK_HF || s->stack == STACK_HF_2023 || s->stack == STACK_DEEPSPEED;
    double hidden = c->at[deepspeed ? C_overlap_deepspeed : C_overlap_gather], time = 0;

    if (ranks <= 1)
        return 0;
    if (s->stack == STACK_FSDP)
        gradient = fmin(gradient, trained * 2); /* reduced in the precision of the products */
    if (s->optimizer == OPTIMIZER_ADAMW_1BIT)
        gradient *= c->at[C_gradient_1bit];
    if (s->zero < 3) {
        double reduce = reduce_all_time(s, w, gradient, ranks, shard);

        if (s->zero == 2 &&
            s->stack != STACK_MEGATRON) /* reduced after every micro-batch, not once */
            return exposed_comm(reduce / 2, backward * c->at[C_overlap_data], c) * micro +
                   reduce / 2;
        return exposed_comm(reduce, backward * c->at[C_overlap_data], c);
    }
    {
        double size =
            setup_local_params(s) * (s->method == METHOD_QLORA
                                         ? weights_bytes(s->base)
                                         : fmin(2, precision_weight_bytes(s->precision)));
        double gather = all_gather(w, size, shard, stride);
        double reduce = all_gather(w, gradient, shard, stride);

        if (copies > 1)
            reduce += all_reduce(w, gradient / shard, copies, stride * shard);
        time = exposed_comm(gather, forward * hidden, c) +
               exposed_comm(gather + reduce, backward * hidden, c);
    }
    return time * micro;
}

/* Transformers' Adafactor goes through the tensors one by one, in some 25 kernels each. */
static double adafactor_time(const struct setup *s, const struct rates *r, double params)
{
    double layers = (double)(s->arch->layers + s->arch->decoder_layers);
    double tensors = layers * (s->arch->gated ? 9 : 12) + 3;

    return longer(memory_time(r, params * ADAFACTOR_BYTES, 0),
                  transformers_adafactor_host(tensors));
}

static double optimizer_time(const struct setup *s, const struct constants *c, double *offload)
{
    struct rates r = rates_of(s->gpu, PRECISION_FP32, c);
    enum precision p = s->precision;
    double params = setup_local_trained(s), weight = precision_weight_bytes(p), each, size;

    if (s->zero >= 1)
        params /= fmin((double)s->shard, (double)(s->data * s->context));
    if (s->method != METHOD_FULL)
        weight = 4;
    each = 2 * fmax(precision_master_bytes(p), weight) +
           (precision_master_bytes(p) > 0 ? weight : 0) +
           2 * optimizer_state_bytes(s->optimizer, p) + precision_gradient_bytes(p, s->stack);
    size = params * each * c->at[C_passes_optimizer];
    if (s->stack == STACK_HF) /* the norm of the gradients, and scaling them */
        size += params * 3 * precision_gradient_bytes(p, s->stack);
    if (s->offload != OFFLOAD_NONE) {
        double bus = offload_bytes(s->gpu, c) * (s->offload == OFFLOAD_NVME ? 0.25 : 1);

        *offload = params * 6 / bus + params / c->at[C_offload_step];
        if (s->offload != OFFLOAD_OPTIMIZER)
            *offload += 2 * setup_local_params(s) *
                        (s->method == METHOD_QLORA ? weights_bytes(s->base) : 2) / bus *
                        (double)s->accumulation / (s->zero == 3 ? (double)s->shard : 1);
        if (s->optimizer == OPTIMIZER_ADAFACTOR && setup_has_transformers(s))
            *offload += adafactor_time(s, &r, params); /* tensor by tensor, wherever */
        return 0;
    }
    if (s->optimizer == OPTIMIZER_ADAFACTOR && setup_has_transformers(s))
        return adafactor_time(s, &r, params);
    if (!s->fused_optimizer && !optimizer_has_kernel(s->optimizer) &&
        s->stack != STACK_MEGATRON && s->stack != STACK_DEEPSPEED && s->stack != STACK_HF &&
        s->stack != STACK_XLA)
        size *=
            c->at[C_passes_foreach]; /* PyTorch's default: one pass for each arithmetic step */
    return memory_time(&r, size, 20);
}

/* DeepSpeed goes over the gradients of every micro-batch: buckets, checks, fp32 sums. */
static double bookkeeping_time(const struct setup *s, const struct constants *c)
{
    struct rates r = rates_of(s->gpu, PRECISION_FP32, c);

    bool deepspeed = s->stack == STACK_DEEPSPEED || s->stack == STACK_HF_2023;

    if (!deepspeed || s->method != METHOD_FULL)
        return 0;
    return memory_time(&r, c->at[C_passes_bucket] * setup_local_trained(s), 0) *
           (double)s->accumulation;
}

static double model_flop(const struct setup *s)
{
    const struct arch *a = s->arch;
    double tokens = setup_tokens_per_step(s) / (double)s->gpus;
    double pairs = (double)(a->layers + a->decoder_layers) * (double)(a->heads * a->head_dim) *
                   (double)s->sequence * visible_share(a, (double)s->sequence);

    /* Frozen weights have no gradient of their own; below all trained ones nothing has. */
    if (s->trained_layers > 0) {
        double back = 4 * setup_trained_share(s);

        return tokens * ((2 + back) * arch_count(a).matmul + (4 + 2 * back) * pairs);
    }
    return tokens * ((s->method == METHOD_FULL ? 6 : 4) * arch_count(a).matmul + 12 * pairs);
}

/* Compute of one micro-batch on one stage: what is needed once, and what is done again. */
static void add_compute(struct step *t, const struct pass *layers, const struct pass *ends,
                        const struct setup *s)
{
    double share = 1 / (double)s->pipeline,
           again = stops_at_frozen(s) ? setup_trained_share(s) : 1;

    /* Where layers divide evenly, the stage with the head has more to do than the others. */
    if (s->pipeline > 1 && s->arch->layers % s->pipeline == 0)
        share = 1;
    t->products += layers->forward.products + layers->backward.products;
    t->attention += layers->forward.attention + layers->backward.attention;
    t->elementwise += layers->forward.elementwise + layers->backward.elementwise;
    t->dequantise += layers->forward.dequantise + layers->backward.dequantise;
    t->loss += share * (work_total(&ends->forward) + work_total(&ends->backward));
    if (s->recompute == RECOMPUTE_FULL) {
        t->recompute += again * (work_total(&layers->forward) - layers->forward.dequantise);
        t->dequantise += layers->forward.dequantise;
    } else if (s->recompute == RECOMPUTE_SELECTIVE) {
        if (s->attention == ATTENTION_PLAIN)
            t->recompute += again * layers->forward.attention;
        /* PyTorch's trainers keep every other product and compute the rest again. */
        if (s->stack != STACK_MEGATRON)
            t->recompute +=
                again * (layers->forward.elementwise + layers->forward.products / 2);
    }
}

static double compute_of(const struct step *t)
{
    return t->products + t->attention + t->elementwise + t->loss + t->recompute + t->dequantise;
}

static void step_times(struct step *t, double n)
{
    t->products *= n;
    t->attention *= n;
    t->elementwise *= n;
    t->loss *= n;
    t->recompute *= n;
    t->dequantise *= n;
    t->tensor *= n;
    t->context *= n;
    t->expert *= n;
}

static struct step text_step(const struct setup *s, const struct constants *c)
{
    struct step t = {0};
    struct pass layers, ends;
    struct wires w;
    double micro = (double)s->accumulation, nodes, compute, once, forward;

    layers = layers_pass(s, c);
    ends = ends_pass(s, c);
    w = wires_of(s, c);
    add_compute(&t, &layers, &ends, s);
    add_layer_comm(&t, s, &w, layers.forward.attention + layers.backward.attention, c);
    compute = compute_of(&t);
    once = compute + t.tensor + t.context + t.expert;
    t.host = exposed(layers.host + ends.host, once) + layers.wait;
    once += t.host;
    if (s->pipeline > 1) {
        double size = micro_tokens(s) * (double)s->arch->hidden *
                      precision_activation_bytes(s->precision) / (double)s->tensor;
        double v = (double)s->virtual_pipeline;

        t.pipeline = (double)(s->pipeline - 1) / v * once +
                     c->at[C_pipeline_slack] * micro * 2 * v *
                         send_once(&w, size, (double)s->gpus / (double)s->pipeline);
    }
    forward = once * work_total(&layers.forward) /
              (work_total(&layers.forward) + work_total(&layers.backward));
    t.data = data_time(s, &w, forward, once - forward, c);
    t.host *= micro;
    t.host += c->at[C_host_step];
    step_times(&t, micro);
    t.optimizer = optimizer_time(s, c, &t.offload) + bookkeeping_time(s, c);
    nodes = ceil((double)s->gpus / fmax(w.domain, (double)s->per_node));
    t.total = compute_of(&t) + t.tensor + t.context + t.expert + t.pipeline + t.data + t.host +
              t.optimizer + t.offload;
    if (nodes > 1) { /* everyone waits for the slowest */
        double late = t.total * c->at[C_node_delay] * log2(nodes);

        t.data += late;
        t.total += late;
    }
    t.tokens = setup_tokens_per_step(s);
    t.model_flop = model_flop(s);
    t.effort = 1;
    t.busy = fmin(1, (compute * micro + t.optimizer) / t.total);
    return t;
}

/* What was learned from the user's runs holds for the step as a whole: each part takes its
 * share. */
static void correct_step(struct step *t, const struct setup *s, const struct constants *c)
{
    double *parts[] = {&t->products,  &t->attention,  &t->elementwise, &t->loss,
                       &t->recompute, &t->dequantise, &t->encoders,    &t->optimizer,
                       &t->offload,   &t->tensor,     &t->context,     &t->expert,
                       &t->pipeline,  &t->data,       &t->host,        &t->scores,
                       &t->critic,    &t->rollouts,   &t->total};
    char setting[SETUP_SETTING];
    struct correction_key key;
    double factor;

    if (c->learned_count == 0)
        return;
    key = setup_correction_key(s, setting);
    factor = correction_factor(c->learned, c->learned_count, CORRECTION_STEP, &key);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        *parts[i] *= factor;
    for (size_t i = 0; i < ARRAY_LEN(t->at_work); i++)
        t->at_work[i] *= factor;
    t->power_more = correction_factor(c->learned, c->learned_count, CORRECTION_POWER, &key) - 1;
}

/* States that find no room beside a pass come back for the optimizer's step, each page in the
 * place of one that goes: the bus carries both at the same time. */
static void add_paging(struct step *t, const struct setup *s, const struct constants *c)
{
    double time = estimate_memory(s, c).paged / offload_bytes(s->gpu, c);

    t->busy *= t->total / (t->total + time);
    t->offload += time;
    t->total += time;
}

struct step estimate_plain_step(const struct setup *s, const struct constants *c)
{
    struct setup plain = alignment_training(s);
    struct step t =
        arch_is_other(s->arch) ? estimate_image_step(&plain, c) : text_step(&plain, c);

    if (optimizer_is_paged(s->optimizer))
        add_paging(&t, s, c);
    return t;
}

double step_idle_share(const struct step *step, const struct setup *s)
{
    double gpus = (double)setup_gpus(s), work = 0;

    for (int role = 0; role < ROLE_COUNT; role++)
        work += step->at_work[role] *
                (double)(role == ROLE_POLICY ? s->gpus : s->alignment.own[role]);
    return gpus > (double)s->gpus ? fmax(0, 1 - work / (gpus * step->total)) : 0;
}

struct step estimate_step_alone(const struct setup *s, const struct constants *c)
{
    struct step t = estimate_plain_step(s, c);

    correct_step(&t, s, c);
    return t;
}

struct step estimate_step(const struct setup *s, const struct constants *c)
{
    struct step t = estimate_plain_step(s, c);

    alignment_add_time(&t, s, c);
    correct_step(&t, s, c);
    return t;
}

double step_samples(const struct setup *s)
{
    return setup_global_batch(s);
}

double step_rate(const struct step *step, const struct setup *s)
{
    bool samples = arch_counts_samples(s->arch);
    double done = samples ? setup_global_batch(s) : step->tokens;

    return done / step->total / (double)s->gpus;
}
