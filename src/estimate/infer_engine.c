/* Engines: how they are called, what each costs beside the arithmetic, and how fast its
 * products and its reading are with weights of each kind. */
#include "estimate/infer_pass.h"

const char *const engine_names[] = {"graph",
                                    "tensorrt-llm",
                                    "vllm",
                                    "sglang",
                                    "fastertransformer",
                                    "deepspeed-mii",
                                    "transformers",
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
        {"litgpt", ENGINE_HF},          {"eager", ENGINE_HF},
        {"pytorch", ENGINE_HF},         {"hf", ENGINE_HF},
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

double engine_constant(enum engine engine, enum engine_cost cost, const struct constants *c)
{
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
        [ENGINE_FT] = {C_engine_layer_ft, C_engine_step_other, C_engine_host_other,
                       C_engine_sequence_other, C_engine_first_other, C_engine_first_other,
                       C_engine_first_other},
        [ENGINE_MII] = {C_engine_layer_mii, C_engine_step_other, C_engine_host_mii,
                        C_engine_sequence_other, C_engine_first_other, C_engine_first_other,
                        C_engine_first_other},
        [ENGINE_HF] = {C_engine_layer_hf, C_engine_step_other, C_engine_host_hf,
                       C_engine_sequence_other, C_engine_first_other, C_engine_first_other,
                       C_engine_first_other},
        [ENGINE_LLAMACPP] = {C_engine_layer_llamacpp, C_engine_step_other, C_engine_host_other,
                             C_engine_sequence_other, C_engine_first_other,
                             C_engine_first_other, C_engine_first_other},
        [ENGINE_NEURON] = {C_engine_layer_neuron, C_engine_step_other, C_engine_host_other,
                           C_engine_sequence_other, C_engine_first_other, C_engine_first_other,
                           C_engine_first_other},
        [ENGINE_HABANA] = {C_engine_layer_habana, C_engine_step_other, C_engine_host_other,
                           C_engine_sequence_other, C_engine_first_other, C_engine_first_other,
                           C_engine_first_other},
    };

    return c->at[ids[engine][cost]];
}

bool engine_is_server(enum engine engine)
{
    return engine == ENGINE_VLLM || engine == ENGINE_SGLANG || engine == ENGINE_TRTLLM;
}

bool engine_replays(enum engine engine)
{
    return engine != ENGINE_HF && engine != ENGINE_MII;
}

static bool four_bits(enum weights w)
{
    return w == WEIGHTS_INT4 || w == WEIGHTS_NF4 || w == WEIGHTS_FP4;
}

enum weights dense_weights(const struct serving *s)
{
    return s->arch->experts > 0 && four_bits(s->weights) ? WEIGHTS_FP16 : s->weights;
}

double dense_weight_bytes(const struct serving *s)
{
    return weights_bytes(dense_weights(s));
}

double end_weight_bytes(const struct serving *s)
{
    return s->weights == WEIGHTS_FP32 ? 4 : 2;
}

/* What the products run in: fp8 and fp4 where the device has them, 16 bits otherwise. */
static enum precision compute_precision(const struct serving *s, enum weights w)
{
    if (w == WEIGHTS_FP32)
        return PRECISION_FP32;
    if (w == WEIGHTS_FP8)
        return PRECISION_FP8;
    return w == WEIGHTS_FP4 && s->gpu->fp4_tflops > 0 ? PRECISION_FP4 : PRECISION_BF16;
}

/* Weights that are unpacked to 16 bits before they are multiplied. */
static bool unpacked(const struct serving *s, enum weights w)
{
    if (w == WEIGHTS_INT8)
        return true;
    if (w == WEIGHTS_FP8)
        return !(s->gpu->fp8_tflops > 0);
    return four_bits(w) && !(w == WEIGHTS_FP4 && s->gpu->fp4_tflops > 0);
}

struct rates serving_rates(const struct serving *s, enum weights w, const struct constants *c)
{
    struct rates r = rates_of(s->gpu, compute_precision(s, w), c);

    r.products *= c->at[s->engine == ENGINE_LLAMACPP ? C_infer_gemm_llamacpp : C_infer_gemm];
    r.attention *= c->at[C_infer_attention];
    r.floor = c->at[C_infer_floor];
    if (unpacked(s, w))
        r.products *= w == WEIGHTS_NF4 ? c->at[C_infer_unpack_nf4] : c->at[C_infer_unpack];
    else if (r.element < 2)
        r.products *= c->at[C_infer_narrow];
    return r;
}

struct rates expert_rates(const struct serving *s, const struct constants *c)
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

double serving_read_share(const struct serving *s, const struct constants *c)
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
