#include "job/tool_value.h"

#include <math.h>
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "job/keys.h"
#include "job/tool_lean.h"
#include "job/tool_modules.h"
#include "job/tool_refs.h"

bool tool_is_template(struct str text)
{
    return str_has_nocase(text, STR("${")) || str_has_nocase(text, STR("{{")) ||
           str_eq_nocase(text, STR("auto")) || text.len == 0;
}

bool tool_is_true(struct str text)
{
    return str_eq_nocase(text, STR("true")) || str_eq_nocase(text, STR("yes")) ||
           str_eq_nocase(text, STR("on"));
}

bool tool_is_false(struct str text)
{
    return str_eq_nocase(text, STR("false")) || str_eq_nocase(text, STR("no")) ||
           str_eq_nocase(text, STR("off"));
}

bool tool_set_text(struct tool_reading *r, const struct node *node, const char *key,
                   struct str value, struct error *err)
{
    if (job_set(r->job, str_from(key), value, r->arena, err))
        return true;
    if (err->kind != ERROR_MEMORY)
        error_context(err, "%s:%u:%u", r->name, node->line, node->column);
    return false;
}

bool tool_is_off(const struct node *node)
{
    double n;

    if (node->kind == NODE_NULL)
        return true;
    if (node->kind != NODE_SCALAR)
        return node->first == NULL;
    return node->text.len == 0 || tool_is_false(node->text) ||
           str_eq_nocase(node->text, STR("none")) || str_eq_nocase(node->text, STR("null")) ||
           (num_double(node->text, &n) && n == 0);
}

bool tool_add_unused(struct tool_reading *r, const char *path, const struct node *node,
                     struct error *err)
{
    struct buf text = buf_new(r->arena->alloc, JOB_MAX);

    if (r->unused_count == TOOL_UNUSED_MAX)
        return true;
    buf_adds(&text, path);
    if (node->kind == NODE_SCALAR && !tool_is_true(node->text) && node->text.len <= 60)
        buf_addf(&text, " (%.*s)", STR_ARG(node->text));
    return buf_keep(&text, r->arena, &r->unused[r->unused_count++], err);
}

static void leave_open(struct tool_reading *r, const char *path, struct str value)
{
    if (value.len == 0)
        return;
    buf_addf(&r->open, "%s%s (%.*s)", buf_text(&r->open).len > 0 ? ", " : "", path,
             STR_ARG(value));
}

void tool_open_as(struct tool_reading *r, const char *path, struct str value, const char *other)
{
    buf_addf(&r->open, "%s%s (%.*s, computed as %s)", buf_text(&r->open).len > 0 ? ", " : "",
             path, STR_ARG(value), other);
}

/* Optimizers whose states are smaller than their name says: APOLLO's are of low rank,
 * BAdam's of one block, LOMO has none. They are computed as AdamW. */
static bool is_lean_optimizer(struct str text)
{
    static const char *const words[] = {"apollo",    "badam",         "lomo",
                                        "grokadamw", "schedule_free", NULL};

    return str_has_any(text, words);
}

/* Set it if the value means something to us. */
static bool set_if_known(struct tool_reading *r, const struct tool_key *k,
                         const struct node *node, struct error *err)
{
    struct error refused = {0};

    if (strcmp(k->key, "optimizer") == 0 && is_lean_optimizer(node->text))
        return tool_add_unused(r, k->path, node, err) &&
               tool_set(r, node, k->key,
                        str_has_nocase(node->text, STR("8bit")) ? "adamw-8bit" : "adamw", err);

    if (job_set(r->job, str_from(k->key), node->text, r->arena, &refused))
        return true;
    if (refused.kind == ERROR_MEMORY) {
        *err = refused;
        return false;
    }
    leave_open(r, k->path, node->text);
    return true;
}

bool tool_set(struct tool_reading *r, const struct node *node, const char *key,
              const char *value, struct error *err)
{
    return value == NULL || tool_set_text(r, node, key, str_from(value), err);
}

struct str tool_last_part(struct str path, const char *separators)
{
    for (size_t i = path.len; i > 0; i--)
        if (strchr(separators, path.at[i - 1]) != NULL)
            return (struct str){path.at + i, path.len - i};
    return path;
}

/* ---- how it is spread over GPUs ---- */

/* "deepspeed_configs/zero3_bf16_cpuoffload_all.json": what its name says, for callers that do
 * not find the file. */
static bool set_deepspeed_name(struct tool_reading *r, const struct node *node, const char *key,
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
        if (!tool_set_text(r, node, key, str_from(digit), err))
            return false;
        return !offload ||
               tool_set(r, node, "parallel.offload", i == 2 ? "all" : "optimizer", err);
    }
    return true;
}

static bool set_tool_deepspeed(struct tool_reading *r, const struct node *node, const char *key,
                               struct error *err)
{
    if (node->kind == NODE_MAP)
        return job_deepspeed_node(node, r->name, r->job, r->arena, err);
    if (node->kind != NODE_SCALAR || tool_is_false(node->text))
        return true;
    r->job->tool_deepspeed = node->text;
    return set_deepspeed_name(r, node, key, err);
}

/* FSDP's strategies, by name and by number, as the ZeRO stage that keeps as much on each GPU;
 * FSDP 2 only says whether weights are dropped after the forward pass. */
static const char *stage_of_strategy(struct str word)
{
    static const struct {
        const char *strategy, *stage;
    } known[] = {
        {"full_shard", "3"},
        {"1", "3"},
        {"shard_grad_op", "2"},
        {"2", "2"},
        {"no_shard", "0"},
        {"3", "0"},
        {"hybrid_shard_zero2", "2"},
        {"5", "2"},
        {"hybrid_shard", "3"},
        {"4", "3"},
        {"true", "3"},
        {"false", "2"},
    };

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (str_eq_nocase(word, str_from(known[i].strategy)))
            return known[i].stage;
    return NULL;
}

/* "full_shard auto_wrap offload". */
static bool set_fsdp_words(struct tool_reading *r, const struct node *node, const char *key,
                           struct error *err)
{
    for (struct str rest = node->text; rest.len > 0;) {
        struct str word = str_trim(str_cut(&rest, ' '));

        if (!tool_set(r, node, key, stage_of_strategy(word), err))
            return false;
        if (str_eq_nocase(word, STR("offload")) &&
            !tool_set(r, node, "parallel.offload", "all", err))
            return false;
    }
    return true;
}

static bool set_tool_fsdp(struct tool_reading *r, const struct node *node, const char *key,
                          struct error *err)
{
    if (node->kind == NODE_SCALAR ? tool_is_false(node->text) : node->first == NULL)
        return true;
    if (!tool_set(r, node, key, "3", err)) /* as FSDP does by itself */
        return false;
    if (node->kind == NODE_SCALAR)
        return set_fsdp_words(r, node, key, err);
    for (const struct node *item = node->first; node->kind == NODE_LIST && item != NULL;
         item = item->next)
        if (item->kind == NODE_SCALAR && !set_fsdp_words(r, item, key, err))
            return false;
    return true;
}

/* ---- models ---- */

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

bool tool_component_name(struct str name, struct arena *arena, struct str *out,
                         struct error *err)
{
    struct buf text = buf_new(arena->alloc, JOB_MAX);

    write_model_name(name, &text);
    return buf_keep(&text, arena, out, err);
}

/* "torchtune.models.llama3_1.qlora_llama3_1_8b": the method, and the model. */
static bool set_component(struct tool_reading *r, const struct node *node, const char *key,
                          struct error *err)
{
    struct str name = node->text, model;

    for (struct str rest = name; rest.len > 0;)
        name = str_cut(&rest, '.');
    if ((str_starts(name, STR("qlora_")) || str_starts(name, STR("lora_"))) &&
        !tool_set_text(r, node, "method", str_cut(&name, '_'), err))
        return false;
    return tool_component_name(name, r->arena, &model, err) &&
           tool_set_text(r, node, key, model, err);
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
    {"sd-3", "sd3-medium"},
    {"diffusion-3", "sd3-medium"},
    {"flux", "flux.1-dev"},
    {"xl", "sdxl"},
    {"pony", "sdxl"},
    {"illustrious", "sdxl"},
    {"noobai", "sdxl"},
    {"v2-1", "sd-2.1"},
    {"diffusion-2", "sd-2.1"},
    {"768-v", "sd-2.1"},
    {"sd-2", "sd-2.1"},
    {"sd2", "sd-2.1"},
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
            return tool_set(r, node, k->key, picture_models[i].model, err);
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
        return tool_set_text(r, node, k->key, node->text, err); /* which tells what is wrong */
    (void)snprintf(number, sizeof number, "%.0f", rest.len > 0 ? sqrt(width * height) : width);
    return tool_set_text(r, node, k->key, str_from(number), err);
}

/* ---- methods and amounts ---- */

static bool set_tool_method(struct tool_reading *r, const struct tool_key *k,
                            const struct node *node, struct error *err)
{
    enum method known;

    if (tool_is_false(node->text) || str_eq_nocase(node->text, STR("none")))
        return true;
    if (method_of(node->text, &known))
        return (!str_eq_nocase(node->text, STR("dora")) ||
                tool_set(r, node, "dora", "yes", err)) &&
               tool_set_text(r, node, k->key, node->text, err);
    r->freezes = str_eq_nocase(node->text, STR("freeze"));
    if (r->freezes)
        return tool_set(r, node, k->key, "full", err);
    tool_open_as(r, k->path, node->text, "full");
    return true;
}

void tool_open_multiplied(struct tool_reading *r, const char *path, struct str value)
{
    tool_open_as(r, path, value,
                 "plain fine-tuning: generated answers, second answers, reference and reward "
                 "models multiply the work and are not counted");
}

static bool set_product(struct tool_reading *r, const struct tool_key *k,
                        const struct node *node, double times, struct error *err)
{
    char number[32];
    int64_t n;

    if (!num_int(node->text, &n))
        return tool_set_text(r, node, k->key, node->text, err); /* which tells what is wrong */
    if (n <= 0)
        return true;
    (void)snprintf(number, sizeof number, "%.0f", (double)n * times);
    return tool_set_text(r, node, k->key, str_from(number), err);
}

/* LLaMA-Factory takes so many of each data set ("dataset: identity,alpaca_en"), without the
 * share that it holds back. */
static double count_sets(const struct node *root)
{
    const struct node *sets = node_at(root, "dataset"), *held = node_at(root, "val_size");
    double count = 0, share = 0;

    if (held == NULL || !num_double(held->text, &share) || !(share > 0 && share < 1))
        share = 0; /* a number of examples changes little */
    if (sets == NULL)
        return 1 - share;
    for (const struct node *item = sets->first; item != NULL; item = item->next)
        count++;
    for (struct str rest = sets->text; sets->kind == NODE_SCALAR && rest.len > 0;)
        count += str_trim(str_cut(&rest, ',')).len > 0;
    return fmax(count, 1) * (1 - share);
}

static void note_bits(struct tool_reading *r, const struct tool_key *k, struct str bits)
{
    if (str_eq(bits, STR("4")))
        r->base = "nf4";
    else if (str_eq(bits, STR("8")))
        r->base = "int8";
    else
        leave_open(r, k->path, bits);
}

/* ---- words ---- */

/* What a switch sets, on, off, and with any other value. NULL: nothing. */
static const struct {
    enum rule rule;
    const char *on, *off, *other;
} switches[] = {
    {ALL_MODULES, "all-linear", NULL, NULL},
    {RECOMPUTE, "full", "none", "full"},
    {RECOMPUTE_TOO, "full", NULL, NULL},
    {NO_RECOMPUTE, "none", "full", NULL},
    {YES, "yes", NULL, NULL},
    {FLASH, "flash", NULL, NULL},
    {FP16, "amp-fp16", NULL, NULL},
    {PURE_BF16, "bf16-pure", NULL, NULL},
    {PRECISION, NULL, "fp32", NULL},
    {AUTOCAST, NULL, "fp32", NULL},
    {OFFLOADED, "all", NULL, NULL},
    {OFFLOADED_STATES, "optimizer", NULL, NULL},
    {CACHED, "cached", NULL, NULL},
    {ADAM_8BIT, "adamw-8bit", NULL, NULL},
    {ADAPTERS, "lora", "full", NULL},
    {NETWORK, "lora", "lora", "lora"},
    {PLAIN, "plain", NULL, NULL},
    {FLOAT_8_PRODUCTS, "fp8", NULL, NULL},
    {AMP, "amp-fp16", "fp32", NULL},
    {FUSED_LOSS, "fused", NULL, NULL},
};

/* What a word sets. "bf16" as a trainer's precision sets nothing: it is what is usual on a
 * card, and fp16 on those that have no bf16. */
static const struct {
    enum rule rule;
    const char *text, *value;
} words[] = {
    {FLASH, "fa2", "flash"},
    {FLASH, "flex_attention", "flash"},
    {FLASH, "sdpa", "flash"},
    {FLASH, "eager", "plain"},
    {FLASH, "disabled", "plain"},
    {FLASH, "flash_attention_3", "fused"},
    {FLASH, "kernels-community/flash-attn3", "fused"},
    {PRECISION_TRUE, "bf16-true", "bf16-pure"},
    {PRECISION_TRUE, "bf16-mixed", "amp-bf16"},
    {PRECISION_TRUE, "bf16", "bf16"},
    {PRECISION_TRUE, "16-mixed", "amp-fp16"},
    {PRECISION_TRUE, "16", "amp-fp16"},
    {PRECISION_TRUE, "32-true", "fp32"},
    {PRECISION_TRUE, "32", "fp32"},
    {GRANULARITY, "selective", "selective"},
    {GRANULARITY, "full", "full"},
    {SCHEME, "lora", "lora"},
    {SCHEME, "dora", "lora"},
    {SCHEME, "qlora", "qlora"},
    {BF16, "full", "bf16-pure"},
    {WEIGHTS, "bf16", "bf16-pure"},
    {WEIGHTS, "bfloat16", "bf16-pure"},
    {WEIGHTS, "torch.bfloat16", "bf16-pure"},
    {WEIGHTS, "fp32", "fp32"},
    {WEIGHTS, "float32", "fp32"},
    {WEIGHTS, "torch.float32", "fp32"},
    {PRECISION, "bf16", NULL}, /* as usual */
    {PRECISION, "fp16", "amp-fp16"},
    {PRECISION, "fp8", "fp8"},
    {AUTOCAST, "fp16", "amp-fp16"},
    {AUTOCAST, "bf16", "amp-bf16"},
    {OFFLOAD_STATE, "cpu", "optimizer"},
    {OFFLOAD_PARAM, "cpu", "all"},
};

/* Our word for the tool's value; NULL: it sets nothing. */
static const char *word_of(enum rule rule, struct str text)
{
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (words[i].rule == rule && str_eq_nocase(text, str_from(words[i].text)))
            return words[i].value;
    if (rule == STRATEGY)
        return stage_of_strategy(text);
    if (rule == FLASH && str_has_nocase(text, STR("flash")))
        return "flash";
    if (rule == FUSED_LOSS && (str_has_nocase(text, STR("LinearCrossEntropy")) ||
                               str_has_nocase(text, STR("ChunkedOutput"))))
        return "fused";
    for (size_t i = 0; i < ARRAY_LEN(switches); i++)
        if (switches[i].rule == rule)
            return tool_is_true(text)    ? switches[i].on
                   : tool_is_false(text) ? switches[i].off
                                         : switches[i].other;
    return NULL;
}

/* Is it a word that nothing here knows, of a key whose words are in the tables? */
static bool is_new_word(enum rule rule, struct str text)
{
    static const enum rule closed[] = {FLASH,   PRECISION_TRUE, GRANULARITY, PRECISION,
                                       WEIGHTS, AUTOCAST,       STRATEGY,    SCHEME};
    bool listed = false;
    double n;

    for (size_t i = 0; i < ARRAY_LEN(closed); i++)
        listed = listed || closed[i] == rule;
    for (size_t i = 0; listed && i < ARRAY_LEN(words); i++)
        if (words[i].rule == rule && str_eq_nocase(text, str_from(words[i].text)))
            return false;
    return listed && word_of(rule, text) == NULL && !tool_is_true(text) &&
           !tool_is_false(text) && !str_eq_nocase(text, STR("none")) &&
           !str_eq_nocase(text, STR("null")) && !(num_double(text, &n) && n == 0);
}

/* What the frozen weights are stored in, if the rule is about that. */
static bool take_base_model(struct tool_reading *r, const struct tool_key *k, struct str text)
{
    const char *base = k->rule == FOUR_BITS    ? "nf4"
                       : k->rule == FOUR_INTS  ? "int4"
                       : k->rule == EIGHT_BITS ? "int8"
                       : k->rule == FLOAT_8    ? "fp8"
                                               : NULL;

    if (k->rule == BITS)
        note_bits(r, k, text);
    else if (base != NULL && tool_is_true(text))
        r->base = base;
    return base != NULL || k->rule == BITS;
}

/* ---- other tools' words ---- */

/* LitGPT: "bnb.nf4-dq", "bnb.int8". */
static void take_quantize(struct tool_reading *r, const struct tool_key *k, struct str text)
{
    struct str kind = tool_last_part(text, ".");

    if (str_starts(kind, STR("int8")))
        r->base = "int8";
    else if (str_eq(kind, STR("nf4-dq")))
        r->base = "nf4-dq";
    else if (str_starts(kind, STR("nf4")))
        r->base = "nf4";
    else if (str_starts(kind, STR("fp4")))
        r->base = "fp4";
    else
        leave_open(r, k->path, text);
}

/* "checkpoints/meta-llama/Llama-2-7b-hf", "/models/llama2-7b.nemo", "runs/yolov8n-seg.pt". */
static bool set_path_model(struct tool_reading *r, const struct tool_key *k,
                           const struct node *node, struct error *err)
{
    static const char *const endings[] = {".pt",   ".pth",         ".yaml", ".yml",
                                          ".nemo", ".safetensors", ".ckpt"};
    /* by the operations in ultralytics' tables of models */
    static const struct {
        const char *ending, *than;
    } tasks[] = {{"-seg", "the detector, which costs a third less"},
                 {"-pose", "the detector, which costs a little less"},
                 {"-obb", "the detector, which costs a little less"},
                 {"-cls", "the detector, which costs about twice as much"}};
    struct str name = node->text;

    while (name.len > 0 && name.at[name.len - 1] == '/')
        name.len--;
    name = tool_last_part(name, "/\\");
    for (size_t i = 0; i < ARRAY_LEN(endings); i++)
        if (str_ends(name, str_from(endings[i])))
            name.len -= strlen(endings[i]);
    for (size_t i = 0; str_starts(name, STR("yolo")) && i < ARRAY_LEN(tasks); i++)
        if (str_ends(name, str_from(tasks[i].ending))) {
            name.len -= strlen(tasks[i].ending);
            tool_open_as(r, k->path, node->text, tasks[i].than);
        }
    if (name.len == 0)
        return true;
    return tool_set_text(r, node, k->key, name, err);
}

/* NeMo: "nemo.collections.llm.gpt.model.llama.Llama31Config8B" is llama-3.1-8b. */
static bool set_config_class(struct tool_reading *r, const struct tool_key *k,
                             const struct node *node, struct error *err)
{
    struct buf text = buf_new(r->arena->alloc, JOB_MAX);
    struct str name = tool_last_part(node->text, "."), model;
    bool dashed = !str_starts(name, STR("Qwen")), version = true;

    for (size_t i = 0; i < name.len; i++) {
        struct str rest = {name.at + i, name.len - i};
        bool digit = is_digit(rest.at[0]), before = i > 0 && is_digit(name.at[i - 1]);

        if (str_starts(rest, STR("Config"))) {
            buf_char(&text, '-');
            i += strlen("Config") - 1;
            version = false;
            continue;
        }
        if (version && digit && !before && dashed)
            buf_char(&text, '-');
        if (version && digit && before)
            buf_char(&text, '.'); /* Llama31 */
        buf_char(&text, to_lower(rest.at[0]));
    }
    if (!buf_keep(&text, r->arena, &model, err))
        return false;
    return version ? true : tool_set_text(r, node, k->key, model, err);
}

/* An optimizer, or another word that may be new to us. */
static bool set_tool_word(struct tool_reading *r, const struct node *root,
                          const struct tool_key *k, const struct node *node, struct error *err)
{
    if (strcmp(k->key, "optimizer") == 0 && tool_is_galore(node->text))
        return tool_set_galore(r, root, node, err);
    return set_if_known(r, k, node, err);
}

/* The optimizer, or another class: a text, or a section with class_path. */
static bool set_class(struct tool_reading *r, const struct node *root, const struct tool_key *k,
                      const struct node *node, struct error *err)
{
    const struct node *named = node->kind == NODE_MAP ? node_at(node, "class_path") : node;
    struct node bare;

    if (named == NULL || named->kind != NODE_SCALAR)
        return true;
    bare = *named;
    bare.text = tool_last_part(named->text, ".");
    return set_tool_word(r, root, k, &bare, err);
}

/* axolotl's plugins: two of them compute the loss in pieces. */
static bool take_plugins(struct tool_reading *r, const struct tool_key *k,
                         const struct node *node, struct error *err)
{
    for (const struct node *item = node->first; item != NULL; item = item->next) {
        if (item->kind != NODE_SCALAR)
            continue;
        if (str_has_nocase(item->text, STR("cut_cross_entropy"))) {
            if (!tool_set(r, node, k->key, "fused", err))
                return false;
        } else if (!str_has_nocase(item->text, STR("liger")) &&
                   !tool_add_unused(r, "plugins", item, err)) {
            return false;
        }
    }
    return true;
}

/* A share of the examples is held back and evaluated, forward only, once an epoch or as
 * often as the file says. What it takes beside a step with its backward pass: */
#define EVALUATION_COST (1.0 / 3)

static const struct node *evaluation_of(const struct node *root)
{
    const struct node *when = node_at(root, "eval_strategy");

    return when != NULL ? when : node_at(root, "evaluation_strategy");
}

/* Evaluation that is not computed with the share that is held back. */
static bool note_evaluation(struct tool_reading *r, const struct node *root,
                            const struct tool_key *k, const struct node *node,
                            struct error *err)
{
    return tool_is_off(node) || node_at(root, "val_size") != NULL ||
           tool_add_unused(r, k->path, node, err);
}

static bool set_validation(struct tool_reading *r, const struct node *root,
                           const struct tool_key *k, const struct node *node, struct error *err)
{
    const struct node *times = node_at(root, "evals_per_epoch");
    const struct node *when = evaluation_of(root);
    double share, each = 1, extra;
    char text[32];

    if (!num_double(node->text, &share) || !(share > 0) ||
        (strcmp(k->path, "val_size") == 0 && (when == NULL || tool_is_off(when))))
        return true; /* LLaMA-Factory evaluates only where the file says when */
    if (share >= 0.95 || node_at(root, "eval_steps") != NULL ||
        (times != NULL && (!num_double(times->text, &each) || !(each > 0 && each < 1000))))
        return tool_add_unused(r, k->path, node, err); /* of how many is not in the file */
    extra = each * share / (1 - share) * EVALUATION_COST;
    (void)snprintf(text, sizeof text, "%.4f", extra / (1 + extra));
    return tool_set_text(r, node, k->key, str_from(text), err);
}

/* What a switch adds to the targets; NULL: it is none of these. */
static const char *target_of_rule(enum rule rule)
{
    static const struct {
        enum rule rule;
        const char *target;
    } known[] = {
        {MLP_MODULES, "gate_proj,up_proj,down_proj"},
        {FFN_MODULE, "gate_proj,up_proj,down_proj"},
        {QUERY_MODULE, "q_proj"},
        {KEY_MODULE, "k_proj"},
        {VALUE_MODULE, "v_proj"},
        {OUT_MODULE, "o_proj"},
        {HEAD_MODULE, "lm_head"},
    };

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (known[i].rule == rule)
            return known[i].target;
    return NULL;
}

static bool apply_word(struct tool_reading *r, const struct tool_key *k,
                       const struct node *node, struct error *err)
{
    const char *target = target_of_rule(k->rule);
    bool yes = tool_is_true(node->text);

    if (take_base_model(r, k, node->text))
        return true;
    if (target != NULL)
        return !yes || tool_add_target(r, node, target, err);
    if (k->rule == RECOMPUTE && str_has_nocase(node->text, STR("offload")) &&
        !tool_add_unused(r, k->path, node, err)) /* the inputs of layers go to the host */
        return false;
    if (k->rule == SCHEME && str_eq_nocase(node->text, STR("dora")) &&
        !tool_set(r, node, "dora", "yes", err))
        return false;
    if (k->rule == QUANTIZE)
        take_quantize(r, k, node->text);
    if (is_new_word(k->rule, node->text))
        leave_open(r, k->path, node->text);
    return tool_set(r, node, k->key, word_of(k->rule, node->text), err);
}

/* Rules that take more than one value, or whose key is not one of ours. */
static bool apply_special(struct tool_reading *r, const struct node *root,
                          const struct tool_key *k, const struct node *node, bool *done,
                          struct error *err)
{
    *done = true;
    if (k->rule == MODULES)
        return tool_set_modules(r, k, node, targets_of, err);
    if (k->rule == SAVED)
        return tool_set_modules(r, k, node, saved_modules_of, err);
    if (k->rule == SHARDED)
        return set_tool_fsdp(r, node, k->key, err);
    if (k->rule == DEEPSPEED)
        return set_tool_deepspeed(r, node, k->key, err);
    if (k->rule == PLUGINS)
        return take_plugins(r, k, node, err);
    if (k->rule == CLASS)
        return set_class(r, root, k, node, err);
    if (k->rule == ELSEWHERE)
        return true;
    if (k->rule == UNREAD)
        return tool_is_off(node) || tool_add_unused(r, k->path, node, err);
    if (k->rule == EVALUATED)
        return note_evaluation(r, root, k, node, err);
    if (k->rule == VALIDATION)
        return node->kind != NODE_SCALAR || set_validation(r, root, k, node, err);
    *done = false;
    return true;
}

/* Of a value that is one word or number. */
static bool apply_scalar(struct tool_reading *r, const struct node *root,
                         const struct tool_key *k, const struct node *node, struct error *err)
{
    int64_t n;

    if (k->rule == FOLDER || k->rule == WEIGHTS_FILE)
        return set_path_model(r, k, node, err);
    if (k->rule == CONFIG_CLASS)
        return set_config_class(r, k, node, err);
    if (k->rule == CHECKPOINT)
        return set_checkpoint(r, k, node, err);
    if (k->rule == COMPONENT)
        return set_component(r, node, k->key, err);
    if (k->rule == IF_KNOWN)
        return set_tool_word(r, root, k, node, err);
    if (k->rule == METHOD)
        return set_tool_method(r, k, node, err);
    if (k->rule == SAMPLES)
        return set_product(r, k, node, count_sets(root), err);
    if (k->rule == EPOCH_STEPS)
        return set_product(r, k, node, isnan(r->job->train.epochs) ? 1 : r->job->train.epochs,
                           err);
    if (k->rule == ABOVE_ZERO && num_int(node->text, &n) && n <= 0)
        return true;
    if (k->rule == AS_IT_IS || k->rule == ABOVE_ZERO)
        return tool_set_text(r, node, k->key, node->text, err);
    return apply_word(r, k, node, err);
}

bool tool_apply(struct tool_reading *r, const struct node *root, const struct tool_key *k,
                const struct node *node, struct error *err)
{
    struct node usual = *node;
    bool done;

    if (node->kind == NODE_SCALAR && tool_default_of_variable(node->text, &usual.text)) {
        tool_open_as(r, k->path, node->text, "its default");
        node = &usual;
    }
    if (node->kind == NODE_SCALAR && tool_is_template(node->text)) {
        if (!str_eq_nocase(node->text, STR("auto"))) /* which is the tool's own choice */
            leave_open(r, k->path, node->text);
        return true;
    }
    if (!apply_special(r, root, k, node, &done, err))
        return false;
    if (done)
        return true;
    if (k->rule == SIDES && node->kind == NODE_LIST && node->first != NULL)
        node = node->first; /* [640, 480] */
    if (k->rule == SIDES && node->text.len > 0)
        return set_sides(r, k, node, err);
    if (node->kind != NODE_SCALAR) /* a list or a section where there is one value */
        return tool_is_off(node) || tool_add_unused(r, k->path, node, err);
    return apply_scalar(r, root, k, node, err);
}
