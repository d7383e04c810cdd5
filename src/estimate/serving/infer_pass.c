/* One pass through the layers: products that read weights, attention that reads the cache,
 * what tensor parallel exchanges. A decode step is a pass of one token for each sequence. */
#include "estimate/serving/infer_pass.h"

#include <math.h>

#include "estimate/kernels/comm.h"

#define TILE 128.0 /* rows of a product that are computed together */

struct view {
    const struct serving *s;
    const struct constants *c;
    const struct arch *a;
    struct rates dense, expert,
        plain; /* of the linear layers, of experts, of the rest in 16 bits */
    double dense_bytes, expert_bytes; /* of a weight */
    double weights, cache;            /* bytes/s of reading them */
    double tensor, copies;
    double sequences, tokens; /* of this copy of the attention */
    bool blind;               /* no token looks at others */
    struct pass_time time;
};

double serving_copies(const struct serving *s)
{
    return (double)s->gpus / (double)(s->tensor * s->pipeline);
}

static bool four_bits(enum weights w)
{
    return w == WEIGHTS_INT4 || weights_are_nf4(w) || weights_are_fp4(w);
}

enum weights dense_weights(const struct serving *s)
{
    return s->arch->experts > 0 && four_bits(s->weights) ? WEIGHTS_FP16 : s->weights;
}

/* What the products run in: fp8 and fp4 where the device has them, 16 bits otherwise. */
static enum precision compute_precision(const struct serving *s, enum weights w)
{
    if (w == WEIGHTS_FP32)
        return PRECISION_FP32;
    if (w == WEIGHTS_FP8)
        return PRECISION_FP8;
    return weights_are_fp4(w) && s->gpu->fp4_tflops > 0 ? PRECISION_FP4 : PRECISION_BF16;
}

/* Weights that are unpacked to 16 bits before they are multiplied. */
static bool unpacked(const struct serving *s, enum weights w)
{
    if (w == WEIGHTS_INT8)
        return true;
    if (w == WEIGHTS_FP8)
        return !(s->gpu->fp8_tflops > 0);
    return four_bits(w) && !(weights_are_fp4(w) && s->gpu->fp4_tflops > 0);
}

/* Share of the bandwidth that reading long rows reaches. */
static double serving_read_share(const struct serving *s, const struct constants *c)
{
    enum device_class class = device_class_of(s->gpu);
    /* llama.cpp has too little in flight for stacked memory. */
    bool lags = s->engine == ENGINE_LLAMACPP && str_starts(s->gpu->memory_type, STR("HBM"));
    double share = lags ? c->at[C_infer_memory_llamacpp] : 1;

    if (class == DEVICE_AMD)
        return share * c->at[C_infer_memory_amd];
    if (class == DEVICE_OTHER && str_eq(s->gpu->vendor, STR("Intel")))
        return c->at[C_infer_memory_intel];
    if (class == DEVICE_TPU || class == DEVICE_GAUDI || class == DEVICE_TRAINIUM ||
        class == DEVICE_OTHER)
        return share * c->at[C_infer_memory_other];
    return share * c->at[C_infer_memory];
}

/* Of products with weights that are stored so. */
static struct rates serving_rates(const struct serving *s, enum weights w,
                                  const struct constants *c)
{
    struct rates r = rates_of(s->gpu, compute_precision(s, w), c);

    r.products *= c->at[s->engine == ENGINE_LLAMACPP ? C_infer_gemm_llamacpp : C_infer_gemm];
    r.attention *= c->at[C_infer_attention];
    r.floor = c->at[C_infer_floor];
    if (unpacked(s, w))
        r.products *= weights_are_nf4(w) ? c->at[C_infer_unpack_nf4] : c->at[C_infer_unpack];
    else if (r.element < 2)
        r.products *= c->at[C_infer_narrow];
    return r;
}

/* Products of experts: many small ones, with kernels that are younger than those of whole
 * layers. */
static struct rates expert_rates(const struct serving *s, const struct constants *c)
{
    struct rates r = serving_rates(s, s->weights, c);
    bool blackwell = device_class_of(s->gpu) == DEVICE_BLACKWELL;

    r.products *= c->at[blackwell ? C_infer_expert_blackwell : C_infer_expert_gemm];
    if (r.element < 2)
        r.products *= c->at[C_infer_expert_narrow] / c->at[C_infer_narrow];
    if (s->engine == ENGINE_VLLM) /* whose kernel is a general one */
        r.products *= c->at[C_infer_expert_vllm];
    return r;
}

static struct view infer_view(const struct serving *s, const struct pass *pass,
                              const struct constants *c)
{
    struct view v = {.s = s, .c = c, .a = s->arch, .tensor = (double)s->tensor};
    double bandwidth = s->gpu->bandwidth_gb_s > 0 ? s->gpu->bandwidth_gb_s : 500;
    enum device_class class = device_class_of(s->gpu);
    enum weights dense = dense_weights(s);

    v.copies = serving_copies(s);
    v.sequences = fmax(1, pass->sequences / v.copies);
    v.tokens = v.sequences * pass->fresh;
    v.plain = serving_rates(s, s->weights == WEIGHTS_FP32 ? WEIGHTS_FP32 : WEIGHTS_FP16, c);
    v.dense = dense == WEIGHTS_FP16 ? v.plain : serving_rates(s, dense, c);
    v.expert = s->arch->experts > 0 ? expert_rates(s, c) : v.dense;
    v.dense_bytes = weights_bytes(dense);
    v.expert_bytes = weights_bytes(s->weights);
    v.weights = bandwidth * 1e9 * serving_read_share(s, c);
    v.cache = v.weights * c->at[class == DEVICE_AMD ? C_infer_cache_amd : C_infer_cache];
    v.plain.memory = v.dense.memory = v.expert.memory = v.weights;
    return v;
}

static void add_time(struct view *v, double arithmetic, double memory, double floor)
{
    v->time.arithmetic += arithmetic;
    v->time.device += longer(arithmetic, memory) + floor;
}

/* `m` rows times a matrix of n x k. A short batch is spread over the device along the other
 * sides, so the loss of a last wave that is not full grows with the rows. */
static void add_infer_linear(struct view *v, const struct rates *r, double weight_bytes,
                             double m, double n, double k)
{
    double wave = r->wave * m / (m + TILE);
    double work = 2 * (m * n + wave) * (k + r->depth) / r->products;
    double moved = n * k * weight_bytes + 2 * m * (n + k);

    add_time(v, work, moved / v->weights, r->floor);
}

/* Tokens that a new one looks at in a layer with a window; `full_layers` is the share of those
 * without one, which look at all. */
static double tokens_in_window(const struct arch *a, double context, double *full_layers)
{
    *full_layers = arch_full_share(a);
    return a->window > 0 ? fmin(context, (double)a->window) : context;
}

/* Elements that one token leaves in the cache of one layer on one GPU. */
static double cache_elements(const struct serving *s)
{
    const struct arch *a = s->arch;

    if (a->kv_rank > 0) /* latent attention: the same for all heads, so on every GPU */
        return (double)(a->kv_rank + a->rope_dim);
    return 2 * (double)a->head_dim * fmax(1, (double)a->kv_heads / (double)s->tensor);
}

/* The state that a mixer keeps of one sequence on one GPU: as large for any context. */
static double state_bytes(const struct serving *s)
{
    return s->arch->mixer_state * 2 / (double)s->tensor;
}

double cache_bytes(const struct serving *s, double context)
{
    const struct arch *a = s->arch;
    double full, seen = tokens_in_window(a, context, &full);
    double layers =
        (decoding_layers(a) - (double)arch_layers_without_attention(a)) / (double)s->pipeline;
    double kept = context > 0 ? full + (1 - full) * seen / context : 1;
    double keys = layers * kept * cache_elements(s) * weights_bytes(s->kv);

    return keys +
           state_bytes(s) * (double)a->mixer_layers / (double)s->pipeline / fmax(1, context);
}

/* Scores and sums of a complete layer, over `context` tokens of which the mean new one sees
 * `seen`. */
static void add_infer_attention(struct view *v, const struct pass *pass, double context,
                                double seen, double share)
{
    const struct arch *a = v->a;
    double heads = fmax(1, (double)a->heads / v->tensor), before = v->time.device;
    double moved = v->sequences * seen * cache_elements(v->s) * weights_bytes(v->s->kv);
    double flop, width = (double)a->head_dim;

    if (v->blind)
        return;
    if (a->kv_rank > 0 && pass->fresh <= 1) /* in the latent space, as wide as the rank */
        width = (double)a->kv_rank + (double)a->rope_dim / 2;
    else if (a->kv_rank > 0)
        width = (double)(a->head_dim + a->rope_dim + a->value_dim) / 2;
    flop = 4 * v->tokens * seen * heads * width;
    if (pass->fresh <= 1) {
        add_time(v, flop / v->plain.attention, moved / v->cache, v->plain.floor);
    } else {
        struct attention_shape shape = {.batch = v->sequences,
                                        .heads = heads,
                                        .head_dim = width,
                                        .rows = pass->fresh,
                                        .columns = context,
                                        .visible = seen / context};
        double time = attention_time(&v->plain, &shape, false, v->c);

        add_time(v, time, moved / v->cache, 0);
    }
    v->time.device = before + share * (v->time.device - before);
}

static void attention_linears(struct view *v)
{
    const struct arch *a = v->a;
    double h = (double)a->hidden, d = (double)a->head_dim, m = v->tokens;
    double heads = fmax(1, (double)a->heads / v->tensor);
    double kv = fmax(1, (double)a->kv_heads / v->tensor);
    double b = v->dense_bytes;

    if (a->kv_rank > 0) {
        double rank = (double)a->kv_rank, rope = (double)a->rope_dim, q = (double)a->q_rank;
        double value = (double)a->value_dim;

        add_infer_linear(v, &v->dense, b, m, q + rank + rope, h);
        add_infer_linear(v, &v->dense, b, m, heads * (d + rope), q > 0 ? q : h);
        add_infer_linear(v, &v->dense, b, m, heads * (d + value), rank);
        add_infer_linear(v, &v->dense, b, m, h, heads * value);
        return;
    }
    add_infer_linear(v, &v->dense, b, m, (heads + 2 * kv) * d, h);
    add_infer_linear(v, &v->dense, b, m, h, heads * d);
}

/* Mamba or linear attention: its products, and the state that is read and written back. */
static void add_infer_mixer(struct view *v)
{
    const struct arch *a = v->a;
    double h = (double)a->hidden, state = 2 * v->sequences * state_bytes(v->s);
    double scan = MIXER_SCAN_FLOP * v->tokens * a->mixer_state / v->tensor;

    add_infer_linear(v, &v->dense, v->dense_bytes, v->tokens, a->mixer_params / h / v->tensor,
                     h);
    add_time(v, scan / v->plain.attention, state / v->cache, v->plain.floor);
}

/* What was added since `before`, for a share of the layers. */
static void scale_since(struct view *v, struct pass_time before, double share)
{
    v->time.device = before.device + share * (v->time.device - before.device);
    v->time.arithmetic = before.arithmetic + share * (v->time.arithmetic - before.arithmetic);
}

static void add_infer_attention_block(struct view *v, const struct pass *pass, double context,
                                      double mean)
{
    double full, seen = tokens_in_window(v->a, mean, &full);

    if (full > 0)
        add_infer_attention(v, pass, context, mean, full);
    if (full < 1)
        add_infer_attention(v, pass, context, seen, 1 - full);
    attention_linears(v);
}

static void add_infer_ffn(struct view *v, double width)
{
    double h = (double)v->a->hidden, f = width / v->tensor;

    if (!(width > 0))
        return;
    add_infer_linear(v, &v->dense, v->dense_bytes, v->tokens, (v->a->gated ? 2 : 1) * f, h);
    add_infer_linear(v, &v->dense, v->dense_bytes, v->tokens, h, f);
}

/* Experts are on all GPUs together and get the tokens of all copies of the attention. Of E
 * experts with k for a token, E (1 - (1 - k/E)^tokens) would be hit if tokens chose by
 * chance; they agree more often than that. */
static void experts(struct view *v)
{
    const struct arch *a = v->a;
    double all = (double)a->experts, top = (double)a->active_experts;
    double tokens = v->tokens * v->copies, spread = v->tensor * v->copies;
    double apart = 1 + (tokens - 1) * v->c->at[C_infer_expert_variety];
    double hit = all * -expm1(apart * log1p(-fmin(0.999999, top / all)));
    double weights = (a->gated ? 3 : 2) * (double)(a->expert_ffn * a->hidden);
    /* A few rows cost an expert as much as a small tile of them. */
    double rows = tokens * top + hit * v->c->at[C_infer_expert_tile];
    /* Narrow ones, and tensor parallel makes them narrower, never get up to speed. */
    double slice = (double)a->expert_ffn / v->tensor;
    double slow = (slice + v->c->at[C_infer_expert_width]) / slice;
    double work = 2 * rows * weights / v->expert.products * slow;
    double moved =
        hit * weights * v->expert_bytes + tokens * top * 2 * 3 * (double)a->expert_ffn;

    add_time(v, work / spread, moved / spread / (v->weights * v->c->at[C_infer_expert_memory]),
             v->c->at[C_infer_expert_floor]);
    /* Tokens are sorted by expert and put back: every GPU of a tensor-parallel group does it
     * for all. */
    v->time.device += v->c->at[C_infer_expert_passes] * v->tokens * top * (double)a->hidden *
                      fmax(1, v->expert.element) / v->weights;
}

/* Norms, rotations, activations: passes over memory. */
static void small_things(struct view *v)
{
    const struct arch *a = v->a;
    double ffn = a->experts > 0 ? (double)(a->expert_ffn * a->active_experts + a->shared_ffn)
                                : (double)a->ffn;
    double width = 3 * (double)a->hidden + ffn / v->tensor;

    v->time.device += v->c->at[C_infer_passes] * v->tokens * width * 2 / v->weights;
}

static double infer_exchange(const struct view *v, double layers, double sparse)
{
    const struct serving *s = v->s;
    struct setup cluster = {.gpu = s->gpu, .gpus = s->gpus, .network_gb_s = NAN};
    enum device_class class = device_class_of(s->gpu);
    bool adds = class == DEVICE_HOPPER || class == DEVICE_BLACKWELL;
    double h = (double)v->a->hidden, time = 0;
    struct wires w;

    if (s->gpus == 1)
        return 0;
    cluster.per_node = s->gpus < 8 ? s->gpus : 8;
    if (s->per_node > 0 && s->per_node < s->gpus)
        cluster.per_node = s->per_node;
    if (s->network_gb_s > 0)
        cluster.network_gb_s = s->network_gb_s;
    w = wires_of(&cluster, v->c);
    w.link_latency =
        v->c->at[s->gpu->link_gb_s > 0 ? C_infer_link_latency : C_infer_bus_latency];
    if (s->gpu->link_gb_s > 0) /* switches from Hopper on add up what passes through them */
        w.link *= v->c->at[adds ? C_infer_link_switch : C_infer_link] / v->c->at[C_link_rate];
    if (s->tensor > 1)
        time += 2 * layers * all_reduce(&w, v->tokens * h * 2, v->tensor, 1);
    if (v->copies > 1 && sparse > 0)
        time += 2 * sparse *
                all_to_all(&w, v->tokens * (double)v->a->active_experts * h * 2,
                           v->tensor * v->copies, 1, (double)v->a->active_experts);
    if (s->pipeline > 1)
        time += (double)(s->pipeline - 1) * send_once(&w, v->tokens * h * 2, v->tensor);
    return time;
}

/* Logits are wanted of the last token of each sequence alone. */
static void add_infer_head(struct view *v)
{
    double vocab = (double)v->a->vocab;

    add_infer_linear(v, &v->plain, end_weight_bytes(v->s), v->sequences, vocab / v->tensor,
                     (double)v->a->hidden);
    v->time.device += v->c->at[C_infer_sampling] * v->sequences * vocab * 4 / v->weights;
}

static void layer_ends(struct view *v, double layers)
{
    v->time.device *= layers;
    v->time.arithmetic *= layers;
}

/* The rest of a decoder's layer that looks at `source` encoded tokens too. Their keys and
 * values are in the cache: what is computed is queries and what becomes of them. */
static void add_infer_cross_attention(struct view *v, const struct pass *pass, double source)
{
    const struct arch *a = v->a;
    double h = (double)a->hidden;
    double width = fmax(1, (double)a->heads / v->tensor) * (double)a->head_dim;

    add_infer_linear(v, &v->dense, v->dense_bytes, v->tokens, width, h);
    add_infer_attention(v, pass, source, source, 1);
    add_infer_linear(v, &v->dense, v->dense_bytes, v->tokens, h, width);
}

/* A stack of equal layers, without its ends. */
static struct pass_time stack_time(struct view *v, const struct pass *pass, double layers,
                                   bool causal)
{
    const struct arch *a = v->a;
    double all = (double)(a->layers + a->decoder_layers);
    double sparse = a->experts > 0 ? layers - (double)a->dense_layers * (layers / all) : 0;
    double context = pass->past + pass->fresh;
    double mean = pass->past + (causal ? fmax(1, pass->fresh / 2) : pass->fresh);
    double sums = pass->source > 0 ? 1.5 : 1; /* three of a layer with two attentions */
    struct pass_time part;

    v->time = (struct pass_time){0};
    add_infer_attention_block(v, pass, context, mean);
    if (a->mixer_layers > 0) {
        double share = arch_mixer_share(a);

        scale_since(v, (struct pass_time){0}, 1 - arch_share_without_attention(a));
        part = v->time;
        add_infer_mixer(v);
        scale_since(v, part, share);
    }
    if (pass->source > 0)
        add_infer_cross_attention(v, pass, pass->source);
    small_things(v);
    v->time.device += engine_constant(v->s->engine, ENGINE_LAYER, v->c);
    layer_ends(v, layers);
    part = v->time;
    v->time = (struct pass_time){0};
    if (sparse > 0) {
        experts(v);
        add_infer_ffn(v, (double)a->shared_ffn);
        layer_ends(v, sparse);
        part.device += v->time.device;
        part.arithmetic += v->time.arithmetic;
        v->time = (struct pass_time){0};
    }
    add_infer_ffn(v, (double)a->ffn);
    layer_ends(v, layers - sparse);
    v->time.device += part.device + infer_exchange(v, sums * layers, sparse);
    v->time.arithmetic += part.arithmetic;
    return v->time;
}

/* The keys and values that each layer of the decoder makes once of what was encoded. */
static struct pass_time source_time(struct view *v)
{
    const struct arch *a = v->a;
    double kv = fmax(1, (double)a->kv_heads / v->tensor) * (double)a->head_dim;

    v->time = (struct pass_time){0};
    add_infer_linear(v, &v->dense, v->dense_bytes, v->tokens, 2 * kv, (double)a->hidden);
    layer_ends(v, (double)a->decoder_layers);
    return v->time;
}

/* The prompt through the encoder, and the first token out of the decoder. */
static struct pass_time encode(const struct serving *s, struct pass pass,
                               const struct constants *c)
{
    struct view v = infer_view(s, &pass, c);
    struct pass write = {.sequences = pass.sequences, .fresh = 1, .source = pass.fresh};
    struct pass_time read = stack_time(&v, &pass, (double)s->arch->layers, false);
    struct pass_time kept = source_time(&v), first = pass_on_device(s, write, c);

    return (struct pass_time){.device = read.device + kept.device + first.device,
                              .arithmetic =
                                  read.arithmetic + kept.arithmetic + first.arithmetic};
}

struct pass_time pass_on_device(const struct serving *s, struct pass pass,
                                const struct constants *c)
{
    enum arch_kind kind = s->arch->kind;
    struct view v;

    if (kind == ARCH_ENCODER_DECODER && !(pass.source > 0))
        return encode(s, pass, c);
    v = infer_view(s, &pass, c);
    v.time = stack_time(&v, &pass, decoding_layers(s->arch),
                        kind == ARCH_DECODER || kind == ARCH_ENCODER_DECODER);
    add_infer_head(&v);
    return v.time;
}

double pass_layers(const struct serving *s, struct pass pass, const struct constants *c)
{
    struct view v = infer_view(s, &pass, c);

    v.blind = true;
    return stack_time(&v, &pass, decoding_layers(s->arch), true).device;
}

double pass_looks(const struct serving *s, struct pass pass, const struct constants *c)
{
    const struct arch *a = s->arch;
    struct view v = infer_view(s, &pass, c);
    double attends = a->mixer_layers > 0 ? 1 - arch_share_without_attention(a) : 1;
    double mean = pass.past + fmax(1, pass.fresh / 2);
    double full, seen = tokens_in_window(a, mean, &full);

    if (full > 0)
        add_infer_attention(&v, &pass, pass.past + pass.fresh, mean, full);
    if (full < 1)
        add_infer_attention(&v, &pass, pass.past + pass.fresh, seen, 1 - full);
    v.time.device *= attends;
    if (pass.source > 0)
        add_infer_attention(&v, &pass, pass.source, pass.source, 1);
    return v.time.device * decoding_layers(a);
}

double pass_head(const struct serving *s, double sequences, const struct constants *c)
{
    struct pass pass = {.sequences = sequences, .fresh = 1};
    struct view v = infer_view(s, &pass, c);

    add_infer_head(&v);
    return v.time.device;
}
