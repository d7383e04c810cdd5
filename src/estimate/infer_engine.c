/* Engines: how they are called, and what each costs beside the arithmetic. */
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
        {"pytorch", ENGINE_HF},
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

bool engine_replays(enum engine engine)
{
    return engine != ENGINE_HF && engine != ENGINE_MII;
}
