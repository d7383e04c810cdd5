#include "job/tool.h"

#include <math.h>
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "doc/toml.h"
#include "job/keys.h"

const char *const job_tool_names[] = {
    "a job file",
    "axolotl's configuration",
    "LLaMA-Factory's configuration",
    "torchtune's configuration",
    "accelerate's configuration",
    "Hugging Face's TrainingArguments",
    "the state of Hugging Face's Trainer",
    "kohya's configuration",
    NULL,
};

/* How a tool's value becomes one of ours. */
enum rule {
    AS_IT_IS,
    IF_KNOWN,      /* a word that may be new to us: left open then */
    ABOVE_ZERO,    /* -1 and 0 mean that it is not set */
    MODULES,       /* a list of modules, or a word for all */
    ALL_MODULES,   /* true: adapters on all linear layers */
    MLP_MODULES,   /* true: adapters on the feed-forward layers, too */
    METHOD,        /* full, lora, qlora */
    FOUR_BITS,     /* true or 4: the frozen weights of adapters */
    RECOMPUTE,     /* true: all of it; false: none */
    NO_RECOMPUTE,  /* the reverse */
    YES,           /* true: yes */
    FLASH,         /* true, or a word: fa2 */
    FP16,          /* true: autocast in fp16 */
    PRECISION,     /* bf16, fp16, no */
    AUTOCAST,      /* the same, of weights that stay in fp32 */
    PURE_BF16,     /* true: weights in bf16, too */
    ZERO_FILE,     /* the name of a DeepSpeed file that says the stage */
    SHARDED,       /* anything: FSDP shards all */
    OFFLOAD_STATE, /* cpu */
    OFFLOAD_PARAM,
    COMPONENT,  /* torchtune's name of a model */
    CHECKPOINT, /* the name or the file of a model of pictures */
    NETWORK,    /* anything: adapters */
    SIDES,      /* 1024, or "1024,1024" */
    CACHED,     /* true: cached */
    EIGHT_BITS, /* true: the optimizer's states */
};

struct tool_key {
    const char *path, *key;
    enum rule rule;
};

static const struct tool_key axolotl_keys[] = {
    {"base_model", "model", AS_IT_IS},
    {"adapter", "method", METHOD},
    {"load_in_4bit", "method", FOUR_BITS},
    {"lora_r", "rank", AS_IT_IS},
    {"lora_target_modules", "targets", MODULES},
    {"lora_target_linear", "targets", ALL_MODULES},
    {"sequence_len", "sequence", AS_IT_IS},
    {"micro_batch_size", "micro_batch", AS_IT_IS},
    {"gradient_accumulation_steps", "accumulation", AS_IT_IS},
    {"num_epochs", "epochs", AS_IT_IS},
    {"max_steps", "steps", ABOVE_ZERO},
    {"optimizer", "optimizer", IF_KNOWN},
    {"fp16", "precision", FP16},
    {"gradient_checkpointing", "recompute", RECOMPUTE},
    {"flash_attention", "attention", FLASH},
    {"torch_compile", "compile", YES},
    {"deepspeed", "parallel.zero", ZERO_FILE},
    {"fsdp", "parallel.zero", SHARDED},
    {"fsdp_config", "parallel.zero", SHARDED},
    {"tensor_parallel_size", "parallel.tensor", ABOVE_ZERO},
    {"context_parallel_size", "parallel.context", ABOVE_ZERO},
    {"sequence_parallel_degree", "parallel.context", ABOVE_ZERO},
};

/* What TrainingArguments and the tools around them share. */
static const struct tool_key trainer_keys[] = {
    {"model_name_or_path", "model", AS_IT_IS},
    {"per_device_train_batch_size", "micro_batch", AS_IT_IS},
    {"gradient_accumulation_steps", "accumulation", AS_IT_IS},
    {"num_train_epochs", "epochs", AS_IT_IS},
    {"max_steps", "steps", ABOVE_ZERO},
    {"optim", "optimizer", IF_KNOWN},
    {"fp16", "precision", FP16},
    {"gradient_checkpointing", "recompute", RECOMPUTE},
    {"torch_compile", "compile", YES},
    {"deepspeed", "parallel.zero", ZERO_FILE},
    {"fsdp", "parallel.zero", SHARDED},
    {"max_length", "sequence", AS_IT_IS}, /* of TRL's */
    {"max_seq_length", "sequence", AS_IT_IS},
};

static const struct tool_key factory_keys[] = {
    {"finetuning_type", "method", METHOD},
    {"quantization_bit", "method", FOUR_BITS},
    {"lora_rank", "rank", AS_IT_IS},
    {"lora_target", "targets", MODULES},
    {"cutoff_len", "sequence", AS_IT_IS},
    {"max_samples", "data.examples", ABOVE_ZERO},
    {"disable_gradient_checkpointing", "recompute", NO_RECOMPUTE},
    {"flash_attn", "attention", FLASH},
};

static const struct tool_key torchtune_keys[] = {
    {"model._component_", "model", COMPONENT},
    {"model.lora_rank", "rank", AS_IT_IS},
    {"model.lora_attn_modules", "targets", MODULES},
    {"model.apply_lora_to_mlp", "targets", MLP_MODULES},
    {"tokenizer.max_seq_len", "sequence", ABOVE_ZERO},
    {"batch_size", "micro_batch", AS_IT_IS},
    {"gradient_accumulation_steps", "accumulation", AS_IT_IS},
    {"epochs", "epochs", AS_IT_IS},
    {"optimizer._component_", "optimizer", IF_KNOWN},
    {"enable_activation_checkpointing", "recompute", RECOMPUTE},
    {"compile", "compile", YES},
    {"tensor_parallel_dim", "parallel.tensor", ABOVE_ZERO},
};

static const struct tool_key accelerate_keys[] = {
    {"mixed_precision", "precision", PRECISION},
    {"deepspeed_config.zero_stage", "parallel.zero", AS_IT_IS},
    {"deepspeed_config.gradient_accumulation_steps", "accumulation", AS_IT_IS},
    {"deepspeed_config.offload_optimizer_device", "parallel.offload", OFFLOAD_STATE},
    {"deepspeed_config.offload_param_device", "parallel.offload", OFFLOAD_PARAM},
    {"fsdp_config", "parallel.zero", SHARDED},
};

static const struct tool_key state_keys[] = {
    {"train_batch_size", "micro_batch", ABOVE_ZERO},
    {"num_train_epochs", "epochs", AS_IT_IS},
    {"max_steps", "steps", ABOVE_ZERO},
};

static const struct tool_key kohya_keys[] = {
    {"pretrained_model_name_or_path", "model", CHECKPOINT},
    {"network_module", "method", NETWORK},
    {"LoRA_type", "method", NETWORK}, /* of the window */
    {"network_dim", "rank", AS_IT_IS},
    {"resolution", "resolution", SIDES},
    {"max_resolution", "resolution", SIDES}, /* of the window */
    {"train_batch_size", "micro_batch", AS_IT_IS},
    {"gradient_accumulation_steps", "accumulation", AS_IT_IS},
    {"max_train_steps", "steps", ABOVE_ZERO},
    {"max_train_epochs", "epochs", ABOVE_ZERO}, /* replaces the steps */
    {"use_8bit_adam", "optimizer", EIGHT_BITS},
    {"optimizer_type", "optimizer", IF_KNOWN},
    {"optimizer", "optimizer", IF_KNOWN}, /* of the window */
    {"mixed_precision", "precision", AUTOCAST},
    {"full_bf16", "precision", PURE_BF16},
    {"gradient_checkpointing", "recompute", RECOMPUTE},
    {"cache_latents", "latents", CACHED},
    {"xformers", "attention", FLASH},
    {"sdpa", "attention", FLASH},
    {"torch_compile", "compile", YES},
};

/* The keys of each tool, in the order in which they count. */
static const struct {
    enum job_tool tool;
    const struct tool_key *keys;
    size_t count;
} tables[] = {
    {JOB_TOOL_AXOLOTL, axolotl_keys, ARRAY_LEN(axolotl_keys)},
    {JOB_TOOL_LLAMA_FACTORY, trainer_keys, ARRAY_LEN(trainer_keys)},
    {JOB_TOOL_LLAMA_FACTORY, factory_keys, ARRAY_LEN(factory_keys)},
    {JOB_TOOL_TORCHTUNE, torchtune_keys, ARRAY_LEN(torchtune_keys)},
    {JOB_TOOL_TRAINER, trainer_keys, ARRAY_LEN(trainer_keys)},
    {JOB_TOOL_STATE, state_keys, ARRAY_LEN(state_keys)},
    {JOB_TOOL_ACCELERATE, accelerate_keys, ARRAY_LEN(accelerate_keys)},
    {JOB_TOOL_KOHYA, kohya_keys, ARRAY_LEN(kohya_keys)},
};

/* ---- whose it is ---- */

/* Documents that have the first key and one of the others; the first row that fits counts. */
static const struct {
    enum job_tool tool;
    const char *key, *beside[8];
} signs[] = {
    {JOB_TOOL_AXOLOTL,
     "base_model",
     {"datasets", "adapter", "micro_batch_size", "sequence_len", "num_epochs",
      "pretraining_dataset"}},
    {JOB_TOOL_TORCHTUNE,
     "model._component_",
     {"batch_size", "tokenizer", "optimizer", "dataset"}},
    {JOB_TOOL_LLAMA_FACTORY,
     "model_name_or_path",
     {"finetuning_type", "stage", "cutoff_len", "lora_target"}},
    {JOB_TOOL_STATE, "log_history", {"global_step", "max_steps", "num_train_epochs"}},
    {JOB_TOOL_TRAINER,
     "per_device_train_batch_size",
     {"output_dir", "num_train_epochs", "gradient_accumulation_steps", "learning_rate",
      "max_steps", "model_name_or_path"}},
    {JOB_TOOL_KOHYA,
     "pretrained_model_name_or_path",
     {"network_module", "network_dim", "max_train_steps", "max_train_epochs", "train_data_dir",
      "LoRA_type", "dataset_config", "train_batch_size"}},
    {JOB_TOOL_ACCELERATE,
     "distributed_type",
     {"compute_environment", "num_processes", "mixed_precision"}},
};

enum job_tool job_tool_of(const struct node *root)
{
    if (root->kind != NODE_MAP || node_get(root, STR("train")) != NULL ||
        node_get(root, STR("infer")) != NULL)
        return JOB_TOOL_NONE;
    for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
        if (node_at(root, signs[i].key) == NULL)
            continue;
        for (size_t j = 0; j < ARRAY_LEN(signs[i].beside) && signs[i].beside[j] != NULL; j++)
            if (node_at(root, signs[i].beside[j]) != NULL)
                return signs[i].tool;
    }
    return JOB_TOOL_NONE;
}

/* ---- values ---- */

struct tool_reading {
    const char *name;
    struct job *job;
    struct arena *arena;
    bool four_bits;  /* of the frozen weights */
    struct buf open; /* "optimizer (magic), sequence_len (${LEN})": what is left open */
};

/* A value that only the tool's own start fills in. */
static bool is_template(struct str text)
{
    return str_has_nocase(text, STR("${")) || str_has_nocase(text, STR("{{")) ||
           str_eq_nocase(text, STR("auto")) || text.len == 0;
}

static bool is_true(struct str text)
{
    return str_eq_nocase(text, STR("true")) || str_eq_nocase(text, STR("yes")) ||
           str_eq_nocase(text, STR("on"));
}

static bool is_false(struct str text)
{
    return str_eq_nocase(text, STR("false")) || str_eq_nocase(text, STR("no")) ||
           str_eq_nocase(text, STR("off"));
}

static bool set_key(struct tool_reading *r, const struct node *node, const char *key,
                    struct str value, struct error *err)
{
    if (job_set(r->job, str_from(key), value, r->arena, err))
        return true;
    if (err->kind != ERROR_MEMORY)
        error_context(err, "%s:%u:%u", r->name, node->line, node->column);
    return false;
}

static void leave_open(struct tool_reading *r, const char *path, struct str value)
{
    if (value.len == 0)
        return;
    buf_addf(&r->open, "%s%s (%.*s)", buf_text(&r->open).len > 0 ? ", " : "", path,
             STR_ARG(value));
}

/* Set it if the value means something to us. */
static bool set_if_known(struct tool_reading *r, const struct tool_key *k,
                         const struct node *node, struct error *err)
{
    struct error refused = {0};

    if (job_set(r->job, str_from(k->key), node->text, r->arena, &refused))
        return true;
    if (refused.kind == ERROR_MEMORY) {
        *err = refused;
        return false;
    }
    leave_open(r, k->path, node->text);
    return true;
}

static bool set_words(struct tool_reading *r, const struct node *node, const char *key,
                      const char *value, struct error *err)
{
    return value == NULL || set_key(r, node, key, str_from(value), err);
}

/* "[q_proj, v_proj]" as "q_proj,v_proj". Names that are none of ours are of embeddings or
 * heads. */
static bool set_modules(struct tool_reading *r, const struct node *node, const char *key,
                        struct error *err)
{
    struct buf text = buf_new(r->arena->alloc, JOB_MAX);
    struct str joined;
    unsigned known;
    bool ok;

    if (node->kind == NODE_SCALAR)
        buf_add(&text, node->text);
    for (const struct node *item = node->first; item != NULL; item = item->next) {
        if (item->kind != NODE_SCALAR || !targets_of(item->text, &known))
            continue;
        if (buf_text(&text).len > 0)
            buf_char(&text, ',');
        buf_add(&text, item->text);
    }
    ok = buf_keep(&text, r->arena, &joined, err);
    if (!ok || joined.len == 0 || !targets_of(joined, &known))
        return ok; /* all linear layers, as without it */
    return set_key(r, node, key, joined, err);
}

/* The modules of attention are known already. */
static bool add_mlp_modules(struct tool_reading *r, const struct node *node, const char *key,
                            struct error *err)
{
    struct buf text = buf_new(r->arena->alloc, JOB_MAX);
    struct str joined;

    buf_add(&text, r->job->train.targets);
    buf_adds(&text, ",gate_proj,up_proj,down_proj");
    return buf_keep(&text, r->arena, &joined, err) && set_key(r, node, key, joined, err);
}

/* "deepspeed_configs/zero3_bf16_cpuoffload_all.json": its name is all that is at hand. */
static bool set_zero_file(struct tool_reading *r, const struct node *node, const char *key,
                          struct error *err)
{
    static const char *const stages[] = {"zero1", "zero2", "zero3"};
    static const char *const others[] = {"z1", "z2", "z3"};
    bool offload = str_has_nocase(node->text, STR("offload"));

    for (size_t i = 0; i < ARRAY_LEN(stages); i++) {
        char digit[2] = {(char)('1' + (int)i), '\0'};

        if (!str_has_nocase(node->text, str_from(stages[i])) &&
            !str_has_nocase(node->text, str_from(others[i])))
            continue;
        if (!set_key(r, node, key, str_from(digit), err))
            return false;
        return !offload ||
               set_words(r, node, "parallel.offload", i == 2 ? "all" : "optimizer", err);
    }
    return true;
}

/* "llama3_1_8b_instruct" as "llama-3.1-8b": the catalog's names, but for Qwen's, have a dash
 * before the version. */
static void write_model_name(struct str name, struct buf *out)
{
    bool dashed = !str_starts(name, STR("qwen"));

    if (str_ends(name, STR("_instruct")))
        name.len -= strlen("_instruct");
    for (size_t i = 0; i < name.len; i++) {
        char before = i > 0 ? name.at[i - 1] : '_', c = name.at[i];
        bool point = is_digit(before) && i + 2 < name.len && is_digit(name.at[i + 1]) &&
                     name.at[i + 2] == '_';

        if (dashed && is_digit(c) && !is_digit(before) && before != '_')
            buf_char(out, '-');
        buf_char(out, c != '_' ? c : point ? '.' : '-');
    }
}

/* "torchtune.models.llama3_1.qlora_llama3_1_8b": the method, and the model. */
static bool set_component(struct tool_reading *r, const struct node *node, const char *key,
                          struct error *err)
{
    struct buf text = buf_new(r->arena->alloc, JOB_MAX);
    struct str name = node->text, model;

    for (struct str rest = name; rest.len > 0;)
        name = str_cut(&rest, '.');
    if ((str_starts(name, STR("qlora_")) || str_starts(name, STR("lora_"))) &&
        !set_key(r, node, "method", str_cut(&name, '_'), err))
        return false;
    write_model_name(name, &text);
    return buf_keep(&text, r->arena, &model, err) && set_key(r, node, key, model, err);
}

/* What is in the name of a model of pictures or of one that was made from it. The first that
 * fits counts; "sdxl" is usually spelled with what comes before it: "juggernautXL_v9". */
static const struct {
    const char *part, *model;
} picture_models[] = {
    {"3.5-large", "sd3.5-large"},
    {"3.5_large", "sd3.5-large"},
    {"3.5", "sd3.5-medium"},
    {"sd3", "sd3-medium"},
    {"diffusion-3", "sd3-medium"},
    {"flux", "flux.1-dev"},
    {"xl", "sdxl"},
    {"pony", "sdxl"},
    {"illustrious", "sdxl"},
    {"noobai", "sdxl"},
    {"v2-1", "sd-2.1"},
    {"diffusion-2", "sd-2.1"},
    {"768-v", "sd-2.1"},
    {"v1-", "sd-1.5"},
    {"diffusion-v1", "sd-1.5"},
    {"sd15", "sd-1.5"},
    {"sd-1.5", "sd-1.5"},
    {"1.5", "sd-1.5"},
};

/* "models/sd_xl_base_1.0.safetensors", "runwayml/stable-diffusion-v1-5". */
static bool set_checkpoint(struct tool_reading *r, const struct tool_key *k,
                           const struct node *node, struct error *err)
{
    struct str name = node->text;

    for (size_t i = node->text.len; i > 0; i--)
        if (node->text.at[i - 1] == '/' || node->text.at[i - 1] == '\\') {
            name = (struct str){node->text.at + i, node->text.len - i};
            break;
        }
    for (size_t i = 0; i < ARRAY_LEN(picture_models); i++)
        if (str_has_nocase(name, str_from(picture_models[i].part)))
            return set_words(r, node, k->key, picture_models[i].model, err);
    leave_open(r, k->path, node->text);
    return true;
}

/* Pictures are squares to us: "1024,768" has the pixels of 887 x 887. */
static bool set_sides(struct tool_reading *r, const struct tool_key *k, const struct node *node,
                      struct error *err)
{
    struct str rest = str_trim(node->text), side;
    double width, height = 1;
    char number[24];

    if (str_starts(rest, STR("[")) && str_ends(rest, STR("]")))
        rest = (struct str){rest.at + 1, rest.len - 2};
    side = str_trim(str_cut(&rest, ','));
    rest = str_trim(rest);
    if (!num_double(side, &width) || (rest.len > 0 && !num_double(rest, &height)) ||
        !(width >= 1 && width <= 1e5) || !(height >= 1 && height <= 1e5))
        return set_key(r, node, k->key, node->text, err); /* which tells what is wrong */
    (void)snprintf(number, sizeof number, "%.0f", rest.len > 0 ? sqrt(width * height) : width);
    return set_key(r, node, k->key, str_from(number), err);
}

static bool set_method(struct tool_reading *r, const struct node *node, const char *key,
                       struct error *err)
{
    if (is_false(node->text) || str_eq_nocase(node->text, STR("none")))
        return true;
    return set_key(r, node, key, node->text, err);
}

static bool apply_flag(struct tool_reading *r, const struct tool_key *k,
                       const struct node *node, struct error *err)
{
    bool yes = is_true(node->text), no = is_false(node->text);

    switch (k->rule) {
    case ALL_MODULES:
        return !yes || set_words(r, node, k->key, "all-linear", err);
    case MLP_MODULES:
        return !yes || r->job->train.targets.len == 0 || add_mlp_modules(r, node, k->key, err);
    case RECOMPUTE:
        return set_words(r, node, k->key, yes ? "full" : no ? "none" : NULL, err);
    case NO_RECOMPUTE:
        return set_words(r, node, k->key, yes ? "none" : no ? "full" : NULL, err);
    case YES:
        return set_words(r, node, k->key, yes ? "yes" : NULL, err);
    case FLASH:
        return set_words(r, node, k->key,
                         yes || str_eq_nocase(node->text, STR("fa2")) ? "flash" : NULL, err);
    case FP16:
        return set_words(r, node, k->key, yes ? "amp-fp16" : NULL, err);
    case SHARDED:
        return no || set_words(r, node, k->key, "3", err);
    case OFFLOAD_STATE:
    case OFFLOAD_PARAM:
        if (!str_eq_nocase(node->text, STR("cpu")))
            return true;
        return set_words(r, node, k->key, k->rule == OFFLOAD_PARAM ? "all" : "optimizer", err);
    case FOUR_BITS:
        r->four_bits = r->four_bits || yes || str_eq(node->text, STR("4"));
        return true;
    case PRECISION:
        if (no)
            return set_words(r, node, k->key, "fp32", err);
        return set_words(r, node, k->key,
                         str_eq_nocase(node->text, STR("fp16")) ? "amp-fp16" : NULL, err);
    case AUTOCAST:
        return set_words(r, node, k->key,
                         no                                       ? "fp32"
                         : str_eq_nocase(node->text, STR("fp16")) ? "amp-fp16"
                         : str_eq_nocase(node->text, STR("bf16")) ? "amp-bf16"
                                                                  : NULL,
                         err);
    case PURE_BF16:
        return !yes || set_words(r, node, k->key, "bf16-pure", err);
    case CACHED:
        return !yes || set_words(r, node, k->key, "cached", err);
    case EIGHT_BITS:
        return !yes || set_words(r, node, k->key, "adamw-8bit", err);
    case NETWORK:
        return set_words(r, node, k->key, "lora", err);
    case AS_IT_IS:
    case IF_KNOWN:
    case ABOVE_ZERO:
    case MODULES:
    case METHOD:
    case ZERO_FILE:
    case COMPONENT:
    case CHECKPOINT:
    case SIDES:
        break;
    }
    return true;
}

static bool apply_key(struct tool_reading *r, const struct tool_key *k, const struct node *node,
                      struct error *err)
{
    int64_t n;

    if (node->kind == NODE_SCALAR && is_template(node->text)) {
        if (!str_eq_nocase(node->text, STR("auto"))) /* which is the tool's own choice */
            leave_open(r, k->path, node->text);
        return true;
    }
    if (k->rule == MODULES)
        return set_modules(r, node, k->key, err);
    if (k->rule == SHARDED && node->kind != NODE_SCALAR)
        return node->first == NULL || set_words(r, node, k->key, "3", err);
    if (k->rule == SIDES && node->text.len > 0)
        return set_sides(r, k, node, err);
    if (node->kind != NODE_SCALAR)
        return true;
    if (k->rule == CHECKPOINT)
        return set_checkpoint(r, k, node, err);
    if (k->rule == ZERO_FILE)
        return set_zero_file(r, node, k->key, err);
    if (k->rule == COMPONENT)
        return set_component(r, node, k->key, err);
    if (k->rule == IF_KNOWN)
        return set_if_known(r, k, node, err);
    if (k->rule == METHOD)
        return set_method(r, node, k->key, err);
    if (k->rule == ABOVE_ZERO && num_int(node->text, &n) && n <= 0)
        return true;
    if (k->rule == AS_IT_IS || k->rule == ABOVE_ZERO)
        return set_key(r, node, k->key, node->text, err);
    return apply_flag(r, k, node, err);
}

static bool apply_keys(struct tool_reading *r, const struct node *root, enum job_tool tool,
                       struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        for (size_t j = 0; tables[i].tool == tool && j < tables[i].count; j++) {
            const struct node *node = node_at(root, tables[i].keys[j].path);

            if (node != NULL && !apply_key(r, &tables[i].keys[j], node, err))
                return false;
        }
    return true;
}

/* ---- what the tools do by themselves ---- */

/* What they do where the file says nothing. */
static const struct {
    enum job_tool tool;
    const char *key, *value;
} defaults[] = {
    {JOB_TOOL_AXOLOTL, "micro_batch", "1"},
    {JOB_TOOL_AXOLOTL, "accumulation", "1"},
    {JOB_TOOL_AXOLOTL, "epochs", "1"},
    {JOB_TOOL_LLAMA_FACTORY, "recompute", "full"},
    {JOB_TOOL_LLAMA_FACTORY, "micro_batch", "8"},
    {JOB_TOOL_LLAMA_FACTORY, "accumulation", "1"},
    {JOB_TOOL_LLAMA_FACTORY, "epochs", "3"},
    {JOB_TOOL_LLAMA_FACTORY, "sequence", "2048"},
    {JOB_TOOL_TORCHTUNE, "framework", "torchtune"},
    {JOB_TOOL_TRAINER, "accumulation", "1"},
    {JOB_TOOL_TRAINER, "epochs", "3"},
    {JOB_TOOL_KOHYA, "framework", "kohya"},
    {JOB_TOOL_KOHYA, "recompute", "none"},
    {JOB_TOOL_KOHYA, "micro_batch", "1"},
    {JOB_TOOL_KOHYA, "accumulation", "1"},
    {JOB_TOOL_KOHYA, "steps", "1600"},
};

/* Does the file leave the key to the tool's own start? */
static bool is_open(const struct node *root, enum job_tool tool, const char *key)
{
    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        for (size_t j = 0; tables[i].tool == tool && j < tables[i].count; j++) {
            const struct node *node = strcmp(tables[i].keys[j].key, key) == 0
                                          ? node_at(root, tables[i].keys[j].path)
                                          : NULL;

            if (node != NULL && node->kind == NODE_SCALAR && is_template(node->text))
                return true;
        }
    return false;
}

static bool apply_defaults(struct tool_reading *r, const struct node *root, enum job_tool tool,
                           struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(defaults); i++)
        if (defaults[i].tool == tool && !is_open(root, tool, defaults[i].key) &&
            !set_words(r, root, defaults[i].key, defaults[i].value, err))
            return false;
    return true;
}

/* Adapters over weights in 4 bits are QLoRA, whatever the tool calls it; full training has no
 * adapters, even if the file still has their keys. */
static bool settle_method(struct tool_reading *r, const struct node *root, struct error *err)
{
    struct job_train *t = &r->job->train;

    if (r->four_bits && str_eq_nocase(t->method, STR("lora")) &&
        !set_key(r, root, "method", STR("qlora"), err))
        return false;
    if (t->method.len == 0 || str_eq_nocase(t->method, STR("full"))) {
        t->rank = NAN;
        t->targets = (struct str){0};
    }
    return true;
}

/* kohya: another key may tell the model, and a rank is of adapters. */
static bool settle_kohya(struct tool_reading *r, const struct node *root, struct error *err)
{
    const struct node *sdxl = node_get(root, STR("sdxl")), *v2 = node_get(root, STR("v2"));
    struct job_train *t = &r->job->train;

    if (t->model.len == 0 && sdxl != NULL && is_true(sdxl->text) &&
        !set_key(r, sdxl, "model", STR("sdxl"), err))
        return false;
    if (t->model.len == 0 && v2 != NULL && is_true(v2->text) &&
        !set_key(r, v2, "model", STR("sd-2.1"), err))
        return false;
    return isnan(t->rank) || set_key(r, root, "method", STR("lora"), err);
}

struct node *job_tool_toml(struct str text, const char *name, struct arena *arena,
                           struct error *err)
{
    struct str kept = {str_dup(text, arena, err), text.len};
    struct node *flat = node_new(NODE_MAP, arena, err), *last = NULL, *next;
    const struct node *root =
        kept.at != NULL && flat != NULL ? toml_read(kept, name, arena, err) : NULL;

    if (root == NULL)
        return NULL;
    for (struct node *child = root->first; child != NULL; child = next) {
        next = child->next;
        for (struct node *inside = toml_is_table(child) ? child->first : NULL, *after;
             inside != NULL; inside = after) {
            after = inside->next;
            inside->next = NULL;
            node_append(flat, &last, inside);
        }
        child->next = NULL;
        if (!toml_is_table(child))
            node_append(flat, &last, child);
    }
    if (job_tool_of(flat) != JOB_TOOL_NONE)
        return flat;
    error_set(err, ERROR_INPUT, "%s: a TOML file, but not a configuration of kohya's training",
              name);
    error_hint(err, "give the file of --config_file; job files are YAML: train: {model: sdxl}");
    return NULL;
}

bool job_from_tool(const struct node *root, enum job_tool tool, const char *name,
                   struct job *job, struct arena *arena, struct error *err)
{
    struct tool_reading r = {
        .name = name, .job = job, .arena = arena, .open = buf_new(arena->alloc, JOB_MAX)};
    bool ok = apply_defaults(&r, root, tool, err) && apply_keys(&r, root, tool, err) &&
              (tool != JOB_TOOL_KOHYA || settle_kohya(&r, root, err)) &&
              settle_method(&r, root, err);

    if (ok && job->train.framework.len == 0)
        ok = set_key(&r, root, "framework", STR("hf"), err);
    job->tool = tool;
    ok = ok && buf_keep(&r.open, arena, &job->tool_open, err);
    buf_free(&r.open);
    return ok;
}
