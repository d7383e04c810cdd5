/* A model's shape from its Hugging Face config.json. Each family of models has its own words
 * for the same numbers, and leaves out what its code takes for granted; the tables here know
 * both. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "job/hf_mixers.h"
#include "job/keys.h"

#define CONFIG_MAX INT64_C(100000000) /* no number of a real model comes near */
#define NAMES_MAX 8

/* What the code of a family takes for granted. */
struct family {
    enum arch_kind kind;
    bool gated, tied, positions; /* positions: learned ones */
    enum { BIAS_NONE, BIAS_QKV, BIAS_ALL } bias;
    const char *types[13]; /* of model_type; ends with NULL */
};

static const struct family families[] = {
    {ARCH_DECODER,
     true,
     false,
     false,
     BIAS_NONE,
     {"llama", "mistral", "mixtral", "phi3", "phimoe", "qwen3", "qwen3_moe", "deepseek",
      "deepseek_v2", "deepseek_v3", "olmo2", "internlm2", NULL}},
    {ARCH_DECODER,
     true,
     true,
     false,
     BIAS_NONE,
     {"gemma", "gemma2", "gemma3", "gemma3_text", "cohere", "cohere2", NULL}},
    {ARCH_DECODER,
     true,
     false,
     false,
     BIAS_QKV,
     {"qwen", "qwen2", "qwen2_moe", "qwen2_vl", "qwen2_5_vl", "chatglm", "gpt_oss", NULL}},
    {ARCH_DECODER, false, true, true, BIAS_ALL, {"gpt2", "gpt_bigcode", "opt", NULL}},
    {ARCH_DECODER, false, true, true, BIAS_NONE, {"gpt_neo", NULL}},
    {ARCH_DECODER, false, true, false, BIAS_ALL, {"bloom", "starcoder2", NULL}},
    {ARCH_DECODER, false, false, false, BIAS_ALL, {"gpt_neox", "phi", "phi-msft", NULL}},
    {ARCH_DECODER,
     false,
     false,
     false,
     BIAS_NONE,
     {"gptj", "codegen", "nemotron", "nemotron_h", NULL}},
    {ARCH_DECODER,
     false,
     true,
     false,
     BIAS_NONE,
     {"falcon", "RefinedWeb", "RefinedWebModel", "mpt", NULL}},
    {ARCH_DECODER, true, false, false, BIAS_NONE, {"dbrx", NULL}},
    {ARCH_ENCODER,
     false,
     true,
     true,
     BIAS_ALL,
     {"bert", "roberta", "xlm-roberta", "distilbert", "electra", "deberta", "deberta-v2",
      "camembert", "mpnet", "esm", NULL}},
    {ARCH_ENCODER, true, true, false, BIAS_NONE, {"modernbert", NULL}},
    {ARCH_ENCODER_DECODER,
     false,
     true,
     false,
     BIAS_NONE,
     {"t5", "mt5", "umt5", "longt5", NULL}},
    {ARCH_ENCODER_DECODER,
     false,
     true,
     true,
     BIAS_ALL,
     {"bart", "mbart", "pegasus", "marian", "m2m_100", "whisper", NULL}},
    {ARCH_VIT,
     false,
     false,
     true,
     BIAS_ALL,
     {"vit", "deit", "beit", "dinov2", "vit_mae", NULL}},
};

/* Not made of equal transformer layers: read as if, they would come out wrong. */
static const char *const other_kinds[] = {
    "albert", "falcon_mamba", "mamba", "mamba2", "recurrent_gemma",
    "rwkv",   "xlstm",        "zamba", "zamba2", NULL};

static const struct number {
    size_t offset;
    const char *names[NAMES_MAX]; /* ends with NULL; a dot goes into a map */
} numbers[] = {
    {offsetof(struct arch, layers),
     {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers", NULL}},
    {offsetof(struct arch, hidden), {"hidden_size", "n_embd", "d_model", "dim", NULL}},
    {offsetof(struct arch, heads),
     {"num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads",
      NULL}},
    {offsetof(struct arch, kv_heads),
     {"num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num",
      "attn_config.kv_n_heads", NULL}},
    {offsetof(struct arch, head_dim),
     {"qk_nope_head_dim", "head_dim", "attention_head_dim", "d_kv", NULL}},
    {offsetof(struct arch, ffn),
     {"intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim", "d_ff", "encoder_ffn_dim",
      "hidden_dim", NULL}},
    {offsetof(struct arch, vocab), {"padded_vocab_size", "vocab_size", NULL}},
    {offsetof(struct arch, context),
     {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx",
      "max_target_positions", NULL}},
    {offsetof(struct arch, window), {"sliding_window", NULL}},
    {offsetof(struct arch, full_every), {"sliding_window_pattern", NULL}},
    {offsetof(struct arch, experts),
     {"num_local_experts", "num_experts", "n_routed_experts", "ffn_config.moe_num_experts",
      NULL}},
    {offsetof(struct arch, active_experts),
     {"num_experts_per_tok", "experts_per_token", "moe_top_k", "ffn_config.moe_top_k", NULL}},
    {offsetof(struct arch, expert_ffn),
     {"moe_intermediate_size", "ffn_config.ffn_hidden_size", NULL}},
    {offsetof(struct arch, shared_ffn),
     {"shared_expert_intermediate_size", "shared_intermediate_size",
      "moe_shared_expert_intermediate_size", NULL}},
    {offsetof(struct arch, dense_layers), {"first_k_dense_replace", NULL}},
    {offsetof(struct arch, q_rank), {"q_lora_rank", NULL}},
    {offsetof(struct arch, kv_rank), {"kv_lora_rank", NULL}},
    {offsetof(struct arch, rope_dim), {"qk_rope_head_dim", NULL}},
    {offsetof(struct arch, value_dim), {"v_head_dim", NULL}},
    {offsetof(struct arch, decoder_layers), {"num_decoder_layers", "decoder_layers", NULL}},
};

/* 0 when it is absent. */
static bool read_hf_number(const struct node *config, const char *path, int64_t *out,
                           struct error *err)
{
    const struct node *node = node_at(config, path);

    *out = 0;
    if (node == NULL)
        return true;
    if (node->kind == NODE_SCALAR && num_int(node->text, out) && *out >= 0 &&
        *out <= CONFIG_MAX)
        return true;
    return error_fail(err, ERROR_INPUT, "%s: '%.*s' is not a whole number from 0 to %lld", path,
                      STR_ARG(node->text), (long long)CONFIG_MAX);
}

static bool read_flag(const struct node *config, const char *path, bool otherwise)
{
    const struct node *node = node_at(config, path);

    return node == NULL ? otherwise : str_eq(node->text, STR("true"));
}

static struct str read_hf_text(const struct node *config, const char *path)
{
    const struct node *node = node_at(config, path);
    struct str none = {0};

    return node == NULL ? none : node->text;
}

/* --- what a family means ------------------------------------------------------------------ */

static void apply_family(const struct node *config, struct str type, struct arch *a)
{
    struct str act = read_hf_text(config, "hidden_act");
    struct family f = {.kind = ARCH_DECODER, /* an unknown one: as models are made now */
                       .gated = str_eq(act, STR("silu")) || str_eq(act, STR("swish"))};

    if (read_flag(config, "is_encoder_decoder", false))
        f.kind = ARCH_ENCODER_DECODER;
    for (size_t i = 0; i < ARRAY_LEN(families); i++)
        if (str_is_one_of(type, families[i].types))
            f = families[i];
    a->kind = f.kind;
    a->gated = f.gated || str_starts(read_hf_text(config, "feed_forward_proj"), STR("gated"));
    a->tied = read_flag(config, "tie_word_embeddings", f.tied);
    a->bias_all = f.bias == BIAS_ALL;
    a->bias_qkv = f.bias != BIAS_NONE || read_flag(config, "attention_bias", false);
    a->positions = f.positions ? a->context : 0;
    arch_apply_family(a, type);
    a->gelu_formula = str_eq(act, STR("gelu_new")) ||
                      str_eq(read_hf_text(config, "activation_function"), STR("gelu_new"));
}

/* Of sliding attention: which layers, and whether at all. Qwen 2 gives the first
 * `max_window_layers` no window. */
static bool read_hf_window(const struct node *config, struct str type, struct arch *a,
                           struct error *err)
{
    struct layer_kinds k = layer_kinds_of(config);
    int64_t first;

    if (!read_hf_number(config, "max_window_layers", &first, err))
        return false;
    if (a->full_every == 0 && str_eq(type, STR("gemma2")))
        a->full_every = 2;
    if (k.full > 0)
        a->full_every = k.listed / k.full;
    if (!read_flag(config, "use_sliding_window", true) || (k.listed > 0 && k.windowed == 0))
        a->window = 0;
    if (a->window == 0)
        a->full_every = 0;
    else if (k.listed == a->layers)
        a->full_layers = k.full;
    else if (first > 0 && k.listed == 0)
        a->full_layers = first < a->layers ? first : a->layers;
    return true;
}

static bool read_experts(const struct node *config, struct arch *a, struct error *err)
{
    int64_t shared, more, period;

    if (!read_hf_number(config, "n_shared_experts", &shared, err) ||
        !read_hf_number(config, "expert_layer_period", &period, err) ||
        !read_hf_number(config, "num_shared_experts", &more, err))
        return false;
    if (a->experts < 2) { /* one expert is none */
        a->experts = a->active_experts = a->expert_ffn = a->shared_ffn = a->dense_layers = 0;
        return true;
    }
    if (a->expert_ffn == 0) {
        a->expert_ffn = a->ffn;
        a->ffn = period > 1 ? a->ffn : 0;
    }
    if (period > 1) /* Jamba: one layer in so many has experts */
        a->dense_layers = a->layers - a->layers / period;
    if (shared + more > CONFIG_MAX / (a->expert_ffn > 0 ? a->expert_ffn : 1))
        return error_fail(err, ERROR_INPUT, "n_shared_experts: too many");
    if (a->shared_ffn == 0)
        a->shared_ffn = (shared + more) * a->expert_ffn;
    return true;
}

/* What follows from the rest when it is not there. */
static bool fill_in_hf_arch(const struct node *config, struct str type, struct arch *a,
                            struct error *err)
{
    int64_t ratio;

    if (!read_hf_number(config, "expansion_ratio", &ratio, err))
        return false;
    if (a->ffn == 0 && a->hidden <= CONFIG_MAX && ratio <= 1000)
        a->ffn = (ratio > 0 ? ratio : 4) * a->hidden;
    if (str_eq(type, STR("qwen"))) /* it counts the gate in */
        a->ffn /= 2;
    if (a->kv_heads == 0)
        a->kv_heads = read_flag(config, "multi_query", false) ? 1 : a->heads;
    if (a->head_dim == 0 && a->heads > 0 && a->hidden % a->heads == 0)
        a->head_dim = a->hidden / a->heads;
    if (a->kind == ARCH_ENCODER_DECODER && a->decoder_layers == 0)
        a->decoder_layers = a->layers;
    if (a->kind != ARCH_ENCODER_DECODER)
        a->decoder_layers = 0;
    if (a->decoder_layers > 10000)
        return error_fail(err, ERROR_INPUT, "decoder_layers must be 1 to 10000");
    if (a->kind != ARCH_VIT)
        return true;
    if (a->vocab == 0)
        a->vocab = 1000; /* the classes of ImageNet */
    return read_hf_number(config, "patch_size", &a->patch, err) &&
           read_hf_number(config, "image_size", &a->resolution, err);
}

static bool read_hf_numbers(const struct node *config, struct arch *a, struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        int64_t *to = (int64_t *)(void *)((unsigned char *)a + numbers[i].offset);

        *to = 0;
        for (size_t n = 0; *to == 0 && numbers[i].names[n] != NULL; n++)
            if (!read_hf_number(config, numbers[i].names[n], to, err))
                return false;
    }
    return true;
}

/* Models of pictures and text have that of the text inside. */
static const struct node *text_part(const struct node *config)
{
    static const char *const names[] = {"text_config", "llm_config", "language_config"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const struct node *inner = node_at(config, names[i]);

        if (inner != NULL && inner->kind == NODE_MAP && node_at(config, "hidden_size") == NULL)
            return inner;
    }
    return config;
}

static bool check_is_config(const struct node *config, struct str type, struct error *err)
{
    /* The first of `numbers`, in their order. */
    static const char *const needed[] = {"layers", "width", "attention heads"};

    if (config->kind != NODE_MAP)
        return error_fail(err, ERROR_INPUT,
                          "this is not a config.json: expected keys and values");
    if (str_is_one_of(type, other_kinds) || node_at(config, "_class_name") != NULL) {
        struct str what = type.len > 0 ? type : read_hf_text(config, "_class_name");

        error_set(err, ERROR_INPUT, "'%.*s' is not a transformer with equal layers",
                  STR_ARG(what));
        error_hint(err, "name a known model, or give a throughput: measured: {...}");
        return false;
    }
    /* Nemotron-H may list its layers instead of counting them. */
    for (size_t i = str_eq(type, STR("nemotron_h")); i < ARRAY_LEN(needed); i++) {
        const struct number *n = &numbers[i];
        bool found = false;

        for (size_t k = 0; n->names[k] != NULL; k++)
            found = found || node_at(config, n->names[k]) != NULL;
        if (!found) {
            error_set(err, ERROR_INPUT, "the model's %s: the number is missing", needed[i]);
            error_hint(err, "a Hugging Face config.json has it as '%s'", n->names[0]);
            return false;
        }
    }
    return true;
}

/* "compressed-tensors": its first group. */
static bool read_compressed(const struct node *q, enum weights *out)
{
    struct str width = read_hf_text(q, "config_groups.group_0.weights.num_bits");
    bool real = str_eq(read_hf_text(q, "config_groups.group_0.weights.type"), STR("float"));

    if (str_eq(width, STR("8")))
        *out = real ? WEIGHTS_FP8 : WEIGHTS_INT8;
    else
        *out = real ? WEIGHTS_FP4 : WEIGHTS_INT4;
    return str_eq(width, STR("8")) || str_eq(width, STR("4"));
}

/* By bitsandbytes. */
static bool read_loaded_in(const struct node *q, enum weights *out)
{
    bool eight = read_flag(q, "load_in_8bit", false);

    if (!eight && !read_flag(q, "load_in_4bit", false))
        return false;
    if (eight)
        *out = WEIGHTS_INT8;
    else
        *out = read_flag(q, "bnb_4bit_use_double_quant", false) ? WEIGHTS_NF4_DQ : WEIGHTS_NF4;
    return true;
}

/* "quantization_config": what bitsandbytes, GPTQ, AWQ and others left. */
static bool read_stored(const struct node *config, enum weights *out)
{
    static const struct {
        const char *method;
        enum weights weights;
    } known[] = {{"awq", WEIGHTS_INT4},       {"gptq", WEIGHTS_INT4},   {"fp8", WEIGHTS_FP8},
                 {"fbgemm_fp8", WEIGHTS_FP8}, {"mxfp4", WEIGHTS_MXFP4}, {"nvfp4", WEIGHTS_FP4},
                 {"eetq", WEIGHTS_INT8},      {"aqlm", WEIGHTS_INT4},   {"hqq", WEIGHTS_INT4}};
    const struct node *q = node_at(config, "quantization_config");
    struct str method, bits;

    if (q == NULL)
        q = node_at(config, "quantization"); /* MLX's */
    if (q == NULL || q->kind != NODE_MAP)
        return false;
    method = read_hf_text(q, "quant_method");
    bits = read_hf_text(q, "bits");
    if (bits.len == 0)
        bits = read_hf_text(q, "w_bit");
    if (read_loaded_in(q, out))
        return true;
    if (str_eq(bits, STR("8")) || (str_eq(bits, STR("4")) && method.len == 0)) {
        *out = str_eq(bits, STR("8")) ? WEIGHTS_INT8 : WEIGHTS_INT4;
        return true;
    }
    if (str_eq(method, STR("compressed-tensors")))
        return read_compressed(q, out);
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (str_eq(method, str_from(known[i].method))) {
            *out = known[i].weights;
            return true;
        }
    return false;
}

/* "./out/mine/" is called "mine"; a file by its path, a model of the Hub by its name. */
static struct str folder_name(struct str path)
{
    struct str name;

    if (str_ends(path, STR(".json")) || path.len == 0 ||
        (strchr("./~", path.at[0]) == NULL && !str_ends(path, STR("/"))))
        return path;
    while (path.len > 1 && path.at[path.len - 1] == '/')
        path.len--;
    name = path;
    for (size_t i = 0; i + 1 < path.len; i++)
        if (path.at[i] == '/')
            name = (struct str){path.at + i + 1, path.len - i - 1};
    return str_eq(name, STR(".")) || str_eq(name, STR("..")) ? STR("config.json") : name;
}

bool arch_from_config(const struct node *config, const char *name, struct arch *out,
                      struct error *err)
{
    const struct node *text = text_part(config);
    struct str type = read_hf_text(text, "model_type"),
               called = read_hf_text(config, "_name_or_path");
    struct arch a = {.stated_params = NAN};

    a.name = called.len > 0 ? called : folder_name(str_from(name));
    if (!check_is_config(text, type, err) || !read_hf_numbers(text, &a, err)) {
        error_context(err, "%s", name);
        return false;
    }
    apply_family(text, type, &a);
    if (!read_hf_window(text, type, &a, err) || !fill_in_hf_arch(text, type, &a, err) ||
        !read_experts(text, &a, err) ||
        (str_eq(type, STR("nemotron_h")) && !join_single_layers(text, &a, err))) {
        error_context(err, "%s", name);
        return false;
    }
    a.quantized = read_stored(config, &a.stored);
    a.mixers_beside = str_eq(type, STR("falcon_h1"));
    read_mixers(text, &a);
    if (!arch_check(&a, err)) {
        error_context(err, "%s", name);
        return false;
    }
    *out = a;
    return true;
}
