/* What a serving GPU holds, and so how many sequences and how long a context fit. */
#include <math.h>

#include "estimate/infer_pass.h"
#include "estimate/infer_small.h"
#include "estimate/memory.h"

#define MOST_TOKENS 1e9

/* Servers that take the memory of the card in advance. */
static bool is_server(const struct serving *s)
{
    return model_writes(s->arch) && engine_is_server(s->engine);
}

double serving_weight_bytes(const struct serving *s)
{
    struct arch_params p = arch_count(s->arch);
    double held = (double)(s->tensor * s->pipeline);
    double ends = (p.embedding + p.head) * end_weight_bytes(s);

    if (arch_is_other(s->arch))
        return p.total * (s->weights == WEIGHTS_FP32 ? 4 : 2);
    if (s->pipeline > 1) /* first and last stage carry one each */
        ends = fmax(p.embedding, p.head) * end_weight_bytes(s) * (double)s->pipeline;
    return ((p.attention + p.ffn) * dense_weight_bytes(s) + p.other * 2 + ends) / held +
           p.experts * weights_bytes(s->weights) / (double)s->gpus;
}

/* Of the tokens that go through a layer together. */
static double activation_bytes(const struct serving *s)
{
    const struct arch *a = s->arch;
    double own = fmax(1, s->batch / serving_copies(s));
    double tokens = own * fmax(1, s->input), element = s->weights == WEIGHTS_FP32 ? 4 : 2;
    double ffn = a->experts > 0 ? (double)(a->expert_ffn * a->active_experts + a->shared_ffn)
                                : (double)a->ffn;
    double width = 4 * (double)a->hidden + (a->gated ? 3 : 2) * ffn / (double)s->tensor;

    if (arch_is_other(a))
        return small_activations(s);
    if (is_server(s))
        tokens = fmin(tokens, PROMPT_CHUNK);
    return tokens * width * element + own * (double)a->vocab * 8 / (double)s->tensor;
}

struct serving_memory estimate_serving_memory(const struct serving *s,
                                              const struct constants *c)
{
    struct serving_memory m = {.weights = serving_weight_bytes(s)};
    double tokens = s->input + s->output;

    if (model_writes(s->arch)) /* and so keeps what it has read */
        m.cache = fmax(1, s->batch / serving_copies(s)) * tokens * cache_bytes(s, tokens);
    m.activations = activation_bytes(s);
    m.workspace = c->at[is_server(s) || s->engine == ENGINE_FT ? C_infer_workspace_server
                                                               : C_infer_workspace];
    m.context = c->at[C_infer_context] + (s->gpus > 1 ? c->at[C_infer_buffers] : 0);
    m.allocated = m.weights + m.cache + m.activations + m.workspace;
    m.device = m.allocated + m.context;
    if (is_server(s)) /* the rest of its share becomes cache */
        m.device = fmax(m.device, usable_memory(s->gpu) * c->at[C_infer_share]);
    return m;
}

/* Bytes that are left for the cache of one GPU. Servers leave some: TensorRT-LLM of what is
 * free once the model is loaded, others of the whole card. */
static double room_for_cache(const struct serving *s, const struct constants *c)
{
    struct serving one = *s;
    struct serving_memory m;
    double share = is_server(s) ? c->at[C_infer_share] : 1, taken;

    one.batch = is_server(s) ? s->batch : 1;
    m = estimate_serving_memory(&one, c);
    taken = m.weights + m.activations + m.workspace + m.context;
    if (s->engine == ENGINE_TRTLLM)
        return (usable_memory(s->gpu) - taken) * share;
    return usable_memory(s->gpu) * share - taken;
}

/* Tokens of a request that are held at a time. TensorRT-LLM reserves all that it may need;
 * others take blocks as the sequence grows, and others have just begun. */
static double tokens_held(const struct serving *s)
{
    if (s->rolling && s->engine != ENGINE_TRTLLM)
        return s->input + s->output / 2;
    return s->input + s->output;
}

double serving_max_batch(const struct serving *s, const struct constants *c)
{
    double tokens = fmax(1, tokens_held(s)), room = room_for_cache(s, c), each;

    if (room <= 0)
        return 0;
    if (!model_writes(s->arch)) {
        struct serving one = *s;
        double together = arch_is_other(s->arch) ? (double)s->gpus : serving_copies(s);

        one.batch = 1; /* whose activations have left the room that there is */
        room += activation_bytes(&one);
        one.batch = together;
        return floor(fmin(MOST_TOKENS, room / activation_bytes(&one))) * together;
    }
    each = tokens * cache_bytes(s, tokens);
    if (!is_server(s)) {
        struct serving one = *s;

        one.batch = serving_copies(s);
        each += activation_bytes(&one);
    }
    return floor(fmin(MOST_TOKENS, room / each) * serving_copies(s));
}

double serving_holds(const struct serving *s, const struct constants *c)
{
    struct serving full = *s;
    double low, high, most;

    full.rolling = false;
    full.batch = 1;
    most = low = serving_max_batch(&full, c);
    if (most < 1)
        return most;
    full.batch = most;
    if (serving_max_batch(&full, c) >= most)
        return most;
    /* The activations of so many leave less room for their caches: halve until a batch and
     * what is left beside it agree. One fits. */
    for (low = 1, high = most; high - low > 1;) {
        full.batch = floor((low + high) / 2);
        *(serving_max_batch(&full, c) >= full.batch ? &low : &high) = full.batch;
    }
    return low;
}

double serving_max_context(const struct serving *s, const struct constants *c)
{
    struct serving one = *s;
    double low = 0, high = MOST_TOKENS;

    if (arch_is_other(s->arch) || s->arch->kind == ARCH_VIT)
        return 0;
    one.batch = serving_copies(s);
    one.output = 0;
    /* Windows make the cache a bent function of the context: halve until it is known to 1
     * token. */
    while (high - low > 1) {
        double middle = floor((low + high) / 2);

        one.input = middle;
        if (serving_max_batch(&one, c) >= serving_copies(s))
            low = middle;
        else
            high = middle;
    }
    return s->arch->context > 0 ? fmin(low, (double)s->arch->context) : low;
}

static bool sane(double n, double least, double most)
{
    return n >= least && n <= most; /* false for NaN */
}

bool serving_check(const struct serving *s, struct error *err)
{
    const struct arch *a = s->arch;

    if (!arch_check(a, err))
        return false;
    if (s->gpus < 1 || s->gpus > 1 << 20 || s->tensor < 1 || s->tensor > s->gpus ||
        s->pipeline < 1 || s->pipeline > s->gpus || s->gpus % (s->tensor * s->pipeline) != 0)
        return error_fail(err, ERROR_INPUT,
                          "tensor %lld x pipeline %lld does not divide %lld GPUs",
                          (long long)s->tensor, (long long)s->pipeline, (long long)s->gpus);
    if (!sane(s->batch, 1, 1e7))
        return error_fail(err, ERROR_INPUT, "the batch must be 1 to 10000000");
    if (!sane(s->input, 0, 1e8) || !sane(s->output, 0, 1e8))
        return error_fail(err, ERROR_INPUT, "requests must have 0 to 100000000 tokens");
    if (s->resolution < 0 || s->resolution > 1 << 16)
        return error_fail(err, ERROR_INPUT, "the resolution must be 1 to 65536 pixels");
    if (!sane(s->passes, 0, 1e6))
        return error_fail(err, ERROR_INPUT, "a request must take 1 to 1000000 passes");
    if (s->weights < 0 || s->weights >= WEIGHTS_COUNT || s->kv < 0 || s->kv >= WEIGHTS_COUNT ||
        s->engine < 0 || s->engine >= ENGINE_COUNT)
        return error_fail(err, ERROR_INPUT, "the weights, the cache or the engine are unknown");
    if (!arch_is_other(a) && s->pipeline > a->layers + a->decoder_layers)
        return error_fail(err, ERROR_INPUT, "more pipeline stages (%lld) than layers (%lld)",
                          (long long)s->pipeline, (long long)(a->layers + a->decoder_layers));
    if (!arch_is_other(a) && s->tensor > a->heads * 64)
        return error_fail(err, ERROR_INPUT, "tensor %lld is too wide for %lld heads",
                          (long long)s->tensor, (long long)a->heads);
    return true;
}
