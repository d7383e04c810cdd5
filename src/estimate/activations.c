#include "estimate/activations.h"

#include <math.h>

#include "estimate/image.h"
#include "estimate/layer.h"

/* How the software's operations are cut: it decides which tensors stay between them. */
enum style {
    STYLE_EAGER,   /* each operation keeps its own inputs */
    STYLE_TRAINER, /* ditto, with norms spelled out in fp32, as Transformers has them */
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

static enum style style_of(const struct setup *s)
{
    if (s->compiled || s->stack == STACK_COMPILED || s->stack == STACK_XLA)
        return STYLE_COMPILED;
    if (s->stack == STACK_MEGATRON)
        return STYLE_FUSED;
    return s->stack == STACK_HF || s->stack == STACK_DEEPSPEED ? STYLE_TRAINER : STYLE_EAGER;
}

bool keeps_copies(const struct setup *s)
{
    return precision_autocast(s->precision) && s->zero < 3;
}

/* Does the input of this matrix have to stay, for the gradient of its weight or of its
 * adapter? Products with packed weights keep it always. */
static bool kept(const struct setup *s, unsigned target)
{
    return s->method != METHOD_LORA || (s->targets & target) != 0;
}

static struct view view_of(const struct setup *s)
{
    const struct arch *a = s->arch;
    enum style style = style_of(s);
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
static void add_norm(struct view *v, bool second)
{
    double each = v->rb;

    if (v->style == STYLE_TRAINER && v->s->arch->gated)
        each = 4 + (v->s->method == METHOD_FULL ? v->eb : 0);
    if (is_spelled_out(v)) /* the distance from the mean, and the scaled value */
        each += 4;
    if (v->style == STYLE_COMPILED &&
        second) /* the sum is made again from its narrower parts */
        each = v->eb;
    v->bytes += each * v->h / v->stream;
}

/* Kernels without the matrix of scores want 16 bits, or else as many heads of keys as of
 * queries: PyTorch falls back on the matrix. */
static bool has_scores(const struct setup *s)
{
    bool fp32 = precision_activation_bytes(s->precision) == 4;

    if (s->recompute == RECOMPUTE_SELECTIVE)
        return false;
    return s->attention == ATTENTION_PLAIN ||
           (fp32 && s->stack != STACK_XLA && s->arch->kv_heads != s->arch->heads);
}

/* The matrix of scores: softmax, then dropout's mask and result. */
static double scores(const struct view *v)
{
    const struct setup *s = v->s;
    double each = v->autocast ? 4 : v->eb;

    if (!has_scores(s))
        return 0;
    if (v->dropout)
        each += 1 + v->eb;
    else if (v->autocast)
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

static void add_attention(struct view *v)
{
    const struct setup *s = v->s;
    const struct arch *a = s->arch;
    bool apart = v->autocast && a->kind != ARCH_VIT; /* queries and keys each cast the input */

    add_norm(v, false);
    if (kept(s, TARGET_Q | TARGET_K | TARGET_V))
        v->bytes += (apart ? 2 : 1) * v->in * v->h / v->stream;
    if (a->kv_rank > 0)
        add_latent(v);
    else
        v->bytes += v->eb * (2 * v->q + 2 * v->kv) / v->tensor; /* with the result */
    if (v->style == STYLE_EAGER && v->rotary)
        v->bytes +=
            v->eb * v->kv / v->tensor; /* values are a view: keys before the rotation stay */
    /* Rotation leaves heads before positions: the result is turned round in a copy. */
    if (kept(s, TARGET_O) && (v->rotary || a->kind == ARCH_VIT) && v->style != STYLE_FUSED)
        v->bytes += v->in * v->q / v->tensor;
    v->bytes += 4 * (double)a->heads / v->tensor + scores(v);
    if (v->dropout)
        v->bytes += v->h / v->stream;
}

/* Bytes for each unit of the feed-forward width: what the activation function keeps, and its
 * result. Compilers make the result of a plain one again. */
static double wide_bytes(const struct view *v)
{
    bool gated = v->s->arch->gated;
    double result = kept(v->s, TARGET_FFN) ? v->in : 0;

    if (v->style == STYLE_FUSED || (v->style == STYLE_COMPILED && gated))
        return v->eb * (gated ? 2 : 1) + result;
    if (v->style == STYLE_COMPILED)
        return v->eb;
    if (is_spelled_out(v))
        return v->eb * 3 + result;
    return v->eb * (gated ? 3 : 1) + result;
}

static void add_dense(struct view *v, double width)
{
    bool apart = v->autocast && v->s->arch->gated;

    if (kept(v->s, TARGET_FFN))
        v->bytes += (apart ? 2 : 1) * v->in * v->h / v->stream;
    v->bytes += wide_bytes(v) * width / v->tensor;
    if (v->dropout)
        v->bytes += v->h / v->stream;
}

/* Each token is copied for every expert it visits, and the results are kept to weigh them. */
static void add_experts(struct view *v)
{
    const struct arch *a = v->s->arch;
    double visits = (double)a->active_experts, width = (double)a->expert_ffn;

    if (v->s->expert == 1)
        width /= v->tensor;
    else
        visits /= v->stream; /* tokens are spread over the tensor group too */
    v->bytes += visits * (v->in + v->eb) * v->h + visits * wide_bytes(v) * width;
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

struct layer_memory layer_memory_of(const struct setup *s, bool sparse)
{
    struct view v = view_of(s);

    add_attention(&v);
    add_norm(&v, true);
    if (sparse)
        add_experts(&v);
    else
        add_dense(&v, (double)s->arch->ffn);
    return (struct layer_memory){
        .saved = v.bytes * v.tokens,
        .input = v.rb * v.h / v.stream * v.tokens,
        .working = working_of(&v, sparse),
    };
}

/* A decoder that looks at an encoder has a second attention block in each layer. */
static double cross_attention(const struct setup *s)
{
    struct view v = view_of(s);

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
        if (style_of(s) != STYLE_FUSED && s->attention != ATTENTION_PLAIN)
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
        sum += cross_attention(s) * (double)a->decoder_layers;
    return sum / all * ceil(all / (double)s->pipeline);
}

double layer_working(const struct setup *s)
{
    struct layer_memory m = layer_memory_of(s, s->arch->experts > 0);
    double matrix = 0;

    if (s->method == METHOD_QLORA) { /* the matrix in use, and the one for the gradient */
        double width = (double)(s->arch->ffn > 0 ? s->arch->ffn : s->arch->expert_ffn);

        matrix = 2 * 2 * (double)s->arch->hidden * width / (double)s->tensor;
    }
    return (s->recompute == RECOMPUTE_NONE ? 0 : m.saved) + m.working + matrix;
}

double head_activations(const struct setup *s)
{
    struct view v = view_of(s);
    double head = s->method == METHOD_FULL ? v.eb : 0;

    return v.tokens * v.h / v.stream * (v.rb + head);
}

/* Bytes for each logit when the loss needs the most. */
static double logit_bytes(const struct setup *s, const struct constants *c)
{
    if (s->fused_loss) /* one of eight pieces at a time */
        return 12.0 / 8;
    switch (style_of(s)) {
    case STYLE_COMPILED:
        if (s->stack == STACK_FSDP) /* which compiles the layers, not the loss */
            break;
        return 2 * precision_activation_bytes(s->precision); /* and the gradient, in place */
    case STYLE_FUSED:
        return 10; /* as they come, the softmax in fp32, its gradient */
    case STYLE_TRAINER:
        if (s->stack == STACK_DEEPSPEED) /* 16 bits throughout, in five tensors */
            return 10;
        return c->at[C_mem_logits_trainer];
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

double small_model_activations(const struct setup *s, const struct constants *c)
{
    const struct arch *a = s->arch;
    double eb = precision_activation_bytes(s->precision), saved;

    if (a->kind == ARCH_LSTM)
        return lstm_activations(s);
    /* Some operations stay in fp32 under autocast. */
    saved = a->saved_elements * eb *
            (precision_autocast(s->precision) ? c->at[C_mem_image_autocast] : 1);
    if (s->recompute == RECOMPUTE_FULL)
        saved /= 4; /* the blocks' inputs, and one block */
    return saved * (double)s->micro_batch * image_scale(a, s->resolution);
}
