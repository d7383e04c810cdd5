/* Serving: prefill, decode steps, and requests that share the device. */
#include "estimate/serving/infer.h"

#include <math.h>

#include "estimate/kernels/kernels.h"
#include "estimate/memory/memory.h"
#include "estimate/range.h"
#include "estimate/serving/corrected.h"
#include "estimate/serving/infer_pass.h"
#include "estimate/step/image.h"
#include "estimate/step/latent.h"

/* ---- the forward pass of what is no transformer is taken from its training step ---- */

/* Of a training step: convolutions go back twice for each time forward; the large products
 * of an LSTM three times, the small ones of its steps once. */
#define FORWARD_PICTURE (1.0 / 3)
#define FORWARD_LSTM 0.4
#define FORWARD_HOST (1.0 / 3)

/* Each GPU has a copy of the model and a share of the batch. */
static double own_batch(const struct serving *s)
{
    return fmax(1, s->batch / (double)s->gpus);
}

static struct setup training_of(const struct serving *s)
{
    return (struct setup){
        .arch = s->arch,
        .gpu = s->gpu,
        .gpus = 1,
        .per_node = 1,
        .network_gb_s = NAN,
        .precision = s->weights == WEIGHTS_FP32 ? PRECISION_FP32 : PRECISION_BF16_PURE,
        .fused_optimizer = true,
        .sequence = llround(fmax(1, s->input)),
        .resolution = s->resolution,
        .micro_batch = llround(own_batch(s)),
        .accumulation = 1,
        .data = 1,
        .channels_last = true, /* as servers have it */
        .tensor = 1,
        .pipeline = 1,
        .virtual_pipeline = 1,
        .context = 1,
        .expert = 1,
        .shard = 1,
    };
}

/* Decode steps are replayed, not launched kernel by kernel. */
bool engine_replays(enum engine engine)
{
    return engine != ENGINE_HF && engine != ENGINE_EAGER && engine != ENGINE_MII;
}

/* Launches that an engine without a captured graph pays for. */
static double launch_time(const struct serving *s, const struct constants *c)
{
    const struct arch *a = s->arch;

    if (engine_replays(s->engine))
        return 0;
    if (a->kind == ARCH_LSTM)
        return FORWARD_HOST * fmax(1, s->input) * (double)a->layers * c->at[C_lstm_step];
    return FORWARD_HOST * a->operations * c->at[C_image_step];
}

/* `prefill` is the forward pass of one batch, or all of them that a request takes; there is
 * nothing to decode. */
static struct serving_time estimate_small_serving(const struct serving *s,
                                                  const struct constants *c)
{
    struct setup one = training_of(s);
    struct step step = estimate_image_step(&one, c);
    bool lstm = s->arch->kind == ARCH_LSTM;
    double device =
        (step.products + step.elementwise) * (lstm ? FORWARD_LSTM : FORWARD_PICTURE);
    double passes = fmax(1, s->passes);
    struct serving_time t = {.prefill = passes * fmax(device, launch_time(s, c))};

    if (arch_is_latent(s->arch)) {
        struct rates r = rates_of(s->gpu, one.precision, c);

        t.prefill += latent_decode_time(&r, (double)one.micro_batch,
                                        picture_side(s->arch, s->resolution));
    }
    t.first_token = t.request = t.prefill;
    t.prefill_bound =
        fmin(1, passes * step.model_flop / 3 / peak_flops(s->gpu, one.precision) / t.prefill);
    return t;
}

/* Activations of one batch, bytes. */
static double small_activations(const struct serving *s)
{
    const struct arch *a = s->arch;
    double width = s->weights == WEIGHTS_FP32 ? 4 : 2;

    if (a->kind == ARCH_LSTM)
        return own_batch(s) * fmax(1, s->input) * (double)(a->hidden + a->input) * 2 * width;
    if (arch_is_latent(a)) /* the most when latents become pictures */
        return latent_decode_bytes(own_batch(s), picture_side(a, s->resolution)) * width / 2;
    /* Few of the layers' outputs live at once. */
    return own_batch(s) * image_scale(a, s->resolution) * a->output_elements /
           fmax(1, a->operations) * 8 * width;
}

/* ---- transformers: prefill, decode steps, requests that share the device ---- */

bool model_writes(const struct arch *a)
{
    return a->kind == ARCH_DECODER || a->kind == ARCH_ENCODER_DECODER;
}

/* Are tokens written one after the other, as the model can and the request wants? */
bool serving_writes(const struct serving *s)
{
    return model_writes(s->arch) && s->output > 0;
}

double decoding_layers(const struct arch *a)
{
    return (double)(a->kind == ARCH_ENCODER_DECODER ? a->decoder_layers
                                                    : a->layers + a->decoder_layers);
}

double engine_constant(enum engine engine, enum engine_cost cost, const struct constants *c)
{
    /* Engines of which little was measured share what is not their own. */
#define OTHER(layer, host) \
    { \
        layer, C_engine_step_other, host, C_engine_sequence_other, C_engine_first_other, \
            C_engine_first_other, C_engine_first_other \
    }
    static const enum constant_id ids[ENGINE_COUNT][ENGINE_COSTS] = {
        [ENGINE_GRAPH] = {C_engine_layer_graph, C_engine_step_graph, C_engine_host_graph,
                          C_engine_sequence_other, C_engine_first_other, C_engine_first_other,
                          C_engine_first_other},
        [ENGINE_TRTLLM] = {C_engine_layer_trtllm, C_engine_step_trtllm, C_engine_host_trtllm,
                           C_engine_sequence_trtllm, C_engine_first_trtllm,
                           C_engine_first_trtllm_experts, C_engine_first_trtllm_latent},
        [ENGINE_VLLM] = {C_engine_layer_vllm, C_engine_step_vllm, C_engine_host_vllm,
                         C_engine_sequence_vllm, C_engine_first_vllm,
                         C_engine_first_vllm_experts, C_engine_first_vllm_latent},
        [ENGINE_SGLANG] = {C_engine_layer_sglang, C_engine_step_sglang, C_engine_host_sglang,
                           C_engine_sequence_sglang, C_engine_first_sglang,
                           C_engine_first_sglang_experts, C_engine_first_sglang_latent},
        [ENGINE_FT] = OTHER(C_engine_layer_ft, C_engine_host_other),
        [ENGINE_MII] = OTHER(C_engine_layer_mii, C_engine_host_mii),
        [ENGINE_HF] = {C_engine_layer_hf, C_engine_step_hf, C_engine_host_hf,
                       C_engine_sequence_other, C_engine_first_other, C_engine_first_other,
                       C_engine_first_other},
        [ENGINE_EAGER] = OTHER(C_engine_layer_hf, C_engine_host_eager),
        [ENGINE_LLAMACPP] = OTHER(C_engine_layer_llamacpp, C_engine_host_other),
        [ENGINE_NEURON] = OTHER(C_engine_layer_neuron, C_engine_host_other),
        [ENGINE_HABANA] = OTHER(C_engine_layer_habana, C_engine_host_other),
    };
#undef OTHER

    return c->at[ids[engine][cost]];
}

double host_time(const struct serving *s, double layers, const struct constants *c)
{
    return engine_constant(s->engine, ENGINE_HOST, c) * layers;
}

static double all_serving_layers(const struct arch *a)
{
    return (double)(a->layers + a->decoder_layers);
}

/* What an engine does around each pass. A server does part of it while the device works on
 * the next one; a batch that is run in one process waits for it. */
double around_pass(const struct serving *s, const struct constants *c)
{
    double time = engine_constant(s->engine, ENGINE_STEP, c);

    return s->rolling || s->engine == ENGINE_GRAPH ? time : time * c->at[C_infer_offline];
}

/* With what the engine does around it. */
static double prefill_pass(const struct serving *s, double sequences, double tokens,
                           const struct constants *c)
{
    struct pass pass = {.sequences = sequences, .fresh = fmax(1, tokens)};
    double device = pass_on_device(s, pass, c).device;

    /* Prompts differ in length: their passes are launched kernel by kernel. */
    return fmax(device, host_time(s, all_serving_layers(s->arch), c)) + around_pass(s, c);
}

static double serving_step(const struct serving *s, double batch, double context,
                           const struct constants *c, double *bound)
{
    struct pass pass = {.sequences = fmax(1, batch / (double)s->pipeline),
                        .fresh = 1,
                        .past = fmax(0, context)};
    double host = host_time(s, decoding_layers(s->arch), c), time;
    struct pass_time t;

    if (s->arch->kind == ARCH_ENCODER_DECODER) { /* what was read stays with the encoder */
        pass.source = fmax(1, s->input);
        pass.past = fmax(0, context - s->input);
    }
    t = pass_on_device(s, pass, c);
    time = engine_replays(s->engine) ? t.device : fmax(t.device, host);
    if (bound != NULL)
        *bound = fmin(1, t.arithmetic / time);
    time += around_pass(s, c) + engine_constant(s->engine, ENGINE_SEQUENCE, c) * batch;
    return serving_corrected(s, time, c);
}

double decode_step(const struct serving *s, double context, const struct constants *c)
{
    return serving_step(s, s->batch, context, c, NULL);
}

static double mean_context(const struct serving *s)
{
    return s->input + s->output / 2;
}

double serving_host_share(const struct serving *s, bool decodes, const struct constants *c)
{
    struct pass pass = {.sequences = s->batch, .fresh = fmax(1, s->input)};
    double device, host, around = around_pass(s, c), ratio;

    decodes = decodes && model_writes(s->arch);
    if (decodes)
        pass = (struct pass){.sequences = s->batch, .fresh = 1, .past = mean_context(s)};
    device = pass_on_device(s, pass, c).device;
    host = host_time(s, decodes ? decoding_layers(s->arch) : all_serving_layers(s->arch), c);
    if (decodes && engine_replays(s->engine))
        host = 0;
    ratio = device > 0 ? fmin(1, pow(host / device, 8)) : 1; /* 1: the host decides */
    return (ratio * fmax(host, device) + around) / (fmax(host, device) + around);
}

/* One batch that starts and ends together. */
static struct serving_time batch_time(const struct serving *s, const struct constants *c)
{
    struct serving_time t = {0};
    struct pass prompt = {.sequences = s->batch, .fresh = fmax(1, s->input)};

    t.prefill = prefill_pass(s, s->batch, s->input, c);
    t.first_token = t.prefill;
    t.prefill_bound = fmin(1, pass_on_device(s, prompt, c).arithmetic / t.prefill);
    t.request = t.first_token;
    if (!model_writes(s->arch))
        return t;
    t.decode = serving_step(s, s->batch, mean_context(s), c, &t.decode_bound);
    /* The first of the output comes with the prefill. */
    t.request = t.first_token + fmax(0, s->output - 1) * t.decode;
    return t;
}

/* What a request costs that does not keep others from going on: text to tokens, queues between
 * processes, the launch of a pass that is not captured. */
double request_time(const struct serving *s, const struct constants *c)
{
    const struct arch *a = s->arch;
    enum engine_cost cost = a->kv_rank > 0   ? ENGINE_FIRST_LATENT
                            : a->experts > 0 ? ENGINE_FIRST_EXPERTS
                                             : ENGINE_FIRST;

    return engine_constant(s->engine, cost, c) * all_serving_layers(a);
}

#define MOST_TOKENS 1e9

enum weights engine_cache(enum engine engine, enum weights weights)
{
    bool narrow = engine == ENGINE_TRTLLM ? weights == WEIGHTS_FP8 || weights_are_fp4(weights)
                                          : engine_is_server(engine) && weights == WEIGHTS_FP4;

    return narrow ? WEIGHTS_FP8 : WEIGHTS_FP16;
}

bool engine_is_server(enum engine engine)
{
    return engine == ENGINE_VLLM || engine == ENGINE_SGLANG || engine == ENGINE_TRTLLM;
}

/* Servers that take the memory of the card in advance. */
static bool is_serving_engine(const struct serving *s)
{
    return model_writes(s->arch) && engine_is_server(s->engine);
}

/* Transformers and the like let the cache grow; others have it at full length from the
 * start. */
static bool cache_grows(const struct serving *s)
{
    return serving_writes(s) && (s->engine == ENGINE_HF || s->engine == ENGINE_EAGER);
}

/* Of `tokens` of each of `own` sequences that go through a layer together. */
static double pass_activations(const struct serving *s, double own, double tokens)
{
    const struct arch *a = s->arch;
    double together = own * fmax(1, tokens), element = s->weights == WEIGHTS_FP32 ? 4 : 2;
    double ffn = a->experts > 0 ? (double)(a->expert_ffn * a->active_experts + a->shared_ffn)
                                : (double)a->ffn;
    double width = 4 * (double)a->hidden + (a->gated ? 3 : 2) * ffn / (double)s->tensor;

    if (is_serving_engine(s))
        together = fmin(together, PROMPT_CHUNK);
    return together * width * element + own * (double)a->vocab * 8 / (double)s->tensor;
}

/* Beside the cache at full length. Where the cache grows, the prompt's pass runs before the
 * part that will be written is there. */
static double activation_bytes(const struct serving *s)
{
    double own = fmax(1, s->batch / serving_copies(s)), total = s->input + s->output;
    double prompt, written;

    if (arch_is_other(s->arch))
        return small_activations(s);
    prompt = pass_activations(s, own, s->input);
    if (!cache_grows(s))
        return prompt;
    written = own * (total * cache_bytes(s, total) - s->input * cache_bytes(s, s->input));
    return fmax(prompt - written, pass_activations(s, own, 1));
}

static double dense_weight_bytes(const struct serving *s)
{
    return weights_bytes(dense_weights(s));
}

double end_weight_bytes(const struct serving *s)
{
    return s->weights == WEIGHTS_FP32 ? 4 : 2;
}

double serving_weight_bytes(const struct serving *s)
{
    struct arch_params p = arch_count(s->arch);
    double held = (double)(s->tensor * s->pipeline);
    double ends = (p.embedding + p.head) * end_weight_bytes(s);

    if (arch_is_other(s->arch))
        return (p.total + (arch_is_latent(s->arch) ? latent_serving_params(s->arch) : 0)) *
               (s->weights == WEIGHTS_FP32 ? 4 : 2);
    if (s->pipeline > 1) /* first and last stage carry one each */
        ends = fmax(p.embedding, p.head) * end_weight_bytes(s) * (double)s->pipeline;
    return ((p.attention + p.ffn) * dense_weight_bytes(s) + p.other * 2 + ends) / held +
           p.experts * weights_bytes(s->weights) / (double)s->gpus;
}

/* Tokens of a request that are held at a time. TensorRT-LLM reserves all that it may need;
 * others take blocks as the sequence grows, and others have just begun. */
static double tokens_held(const struct serving *s)
{
    if (s->rolling && s->engine != ENGINE_TRTLLM)
        return s->input + s->output / 2;
    return s->input + s->output;
}

struct serving_memory estimate_serving_memory(const struct serving *s,
                                              const struct constants *c)
{
    struct serving_memory m = {.weights = serving_weight_bytes(s)};
    double tokens = tokens_held(s);

    if (model_writes(s->arch)) /* and so keeps what it has read */
        m.cache =
            fmax(1, s->batch / serving_copies(s)) * tokens * cache_bytes(s, fmax(1, tokens));
    m.activations = activation_bytes(s);
    m.workspace =
        c->at[is_serving_engine(s) || s->engine == ENGINE_FT ? C_infer_workspace_server
                                                             : C_infer_workspace];
    m.context = c->at[C_infer_context] + (s->gpus > 1 ? c->at[C_infer_buffers] : 0);
    m.allocated = m.weights + m.cache + m.activations + m.workspace;
    m.device = m.allocated + m.context;
    if (is_serving_engine(s)) /* the rest of its share becomes cache */
        m.device = fmax(m.device, usable_memory(s->gpu) * c->at[C_infer_share]);
    return m;
}

/* Bytes that are left for the cache of one GPU. Servers leave some: TensorRT-LLM of what is
 * free once the model is loaded, others of the complete card. */
double room_for_cache(const struct serving *s, const struct constants *c)
{
    struct serving one = *s;
    struct serving_memory m;
    double share = is_serving_engine(s) ? c->at[C_infer_share] : 1, taken;

    one.batch = is_serving_engine(s) ? s->batch : 1;
    m = estimate_serving_memory(&one, c);
    taken = m.weights + m.activations + m.workspace + m.context;
    if (s->engine == ENGINE_TRTLLM)
        return (usable_memory(s->gpu) - taken) * share;
    if (!is_serving_engine(s)) { /* what takes memory as it goes must fit, too (range.h) */
        m.cache = fmax(0, usable_memory(s->gpu) - taken);
        m.allocated = m.weights + m.cache + m.activations + m.workspace;
        m.device = m.allocated + m.context;
        share = fits_share(serving_memory_doubt(&m, c));
    }
    return usable_memory(s->gpu) * share - taken;
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
    if (!is_serving_engine(s)) {
        struct serving one = *s;

        one.batch = serving_copies(s);
        each += activation_bytes(&one);
    }
    return floor(fmin(MOST_TOKENS, room / each) * serving_copies(s));
}

struct serving_time estimate_serving(const struct serving *s, const struct constants *c)
{
    if (s->arch->kind == ARCH_IMAGE || s->arch->kind == ARCH_LSTM)
        return estimate_small_serving(s, c);
    return s->rolling && serving_writes(s) ? estimate_kept_busy(s, c) : batch_time(s, c);
}

/* ---- what a serving GPU holds, and so how many sequences and how long a context fit ---- */

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

/* Engines: how they are called, what each costs beside the arithmetic, and how fast its
 * products and its reading are with weights of each kind. */

const char *const engine_names[] = {"graph",
                                    "tensorrt-llm",
                                    "vllm",
                                    "sglang",
                                    "fastertransformer",
                                    "deepspeed-mii",
                                    "transformers",
                                    "eager",
                                    "llama.cpp",
                                    "neuron",
                                    "habana",
                                    NULL};

_Static_assert(ARRAY_LEN(engine_names) == ENGINE_COUNT + 1, "a name for each");

bool engine_of(struct str framework, enum engine *out)
{
    static const struct {
        const char *word;
        enum engine engine;
    } words[] = {
        {"vllm", ENGINE_VLLM},          {"tensorrt", ENGINE_TRTLLM},
        {"trtllm", ENGINE_TRTLLM},      {"trt-llm", ENGINE_TRTLLM},
        {"sglang", ENGINE_SGLANG},      {"fastertransformer", ENGINE_FT},
        {"habana", ENGINE_HABANA},      {"gaudi", ENGINE_HABANA},
        {"deepspeed", ENGINE_MII},      {"mii", ENGINE_MII},
        {"llama.cpp", ENGINE_LLAMACPP}, {"llamacpp", ENGINE_LLAMACPP},
        {"gguf", ENGINE_LLAMACPP},      {"ollama", ENGINE_LLAMACPP},
        {"neuron", ENGINE_NEURON},      {"graph", ENGINE_GRAPH},
        {"transformers", ENGINE_HF},    {"huggingface", ENGINE_HF},
        {"litgpt", ENGINE_EAGER},       {"eager", ENGINE_EAGER},
        {"pytorch", ENGINE_EAGER},      {"hf", ENGINE_HF},
    };

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_has_nocase(framework, str_from(words[i].word))) {
            *out = words[i].engine;
            return true;
        }
    for (int i = 0; i < ENGINE_COUNT; i++)
        if (str_eq_nocase(framework, str_from(engine_names[i]))) {
            *out = (enum engine)i;
            return true;
        }
    return false;
}
