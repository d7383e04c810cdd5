#include "job/tool_value.h"

#include <math.h>
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "job/keys.h"

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

void tool_open_as(struct tool_reading *r, const char *path, struct str value, const char *other)
{
    buf_addf(&r->open, "%s%s (%.*s, computed as %s)", buf_text(&r->open).len > 0 ? ", " : "",
             path, STR_ARG(value), other);
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

bool tool_set(struct tool_reading *r, const struct node *node, const char *key,
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
        if (!set_key(r, node, key, str_from(digit), err))
            return false;
        return !offload ||
               tool_set(r, node, "parallel.offload", i == 2 ? "all" : "optimizer", err);
    }
    return true;
}

static bool set_deepspeed(struct tool_reading *r, const struct node *node, const char *key,
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

static bool set_fsdp(struct tool_reading *r, const struct node *node, const char *key,
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
        return set_key(r, node, k->key, node->text, err); /* which tells what is wrong */
    (void)snprintf(number, sizeof number, "%.0f", rest.len > 0 ? sqrt(width * height) : width);
    return set_key(r, node, k->key, str_from(number), err);
}

/* ---- methods and amounts ---- */

static bool set_method(struct tool_reading *r, const struct tool_key *k,
                       const struct node *node, struct error *err)
{
    enum method known;

    if (tool_is_false(node->text) || str_eq_nocase(node->text, STR("none")))
        return true;
    if (method_of(node->text, &known))
        return set_key(r, node, k->key, node->text, err);
    tool_open_as(r, k->path, node->text, "full");
    return true;
}

/* Preferences (DPO, ORPO, KTO) and rewards (PPO, GRPO) cost two times as much and more: a
 * second answer, a reference model, answers that are generated. */
static void note_objective(struct tool_reading *r, const struct tool_key *k, struct str text)
{
    static const char *const plain[] = {"sft", "pt"};

    for (size_t i = 0; i < ARRAY_LEN(plain); i++)
        if (str_eq_nocase(text, str_from(plain[i])))
            return;
    if (!tool_is_false(text))
        tool_open_as(r, k->path, text, "sft, which costs less");
}

static bool set_product(struct tool_reading *r, const struct tool_key *k,
                        const struct node *node, double times, struct error *err)
{
    char number[32];
    int64_t n;

    if (!num_int(node->text, &n))
        return set_key(r, node, k->key, node->text, err); /* which tells what is wrong */
    if (n <= 0)
        return true;
    (void)snprintf(number, sizeof number, "%.0f", (double)n * times);
    return set_key(r, node, k->key, str_from(number), err);
}

/* LLaMA-Factory takes so many of each data set: "dataset: identity,alpaca_en". */
static double count_sets(const struct node *root)
{
    const struct node *sets = node_at(root, "dataset");
    double count = 0;

    if (sets == NULL)
        return 1;
    for (const struct node *item = sets->first; item != NULL; item = item->next)
        count++;
    for (struct str rest = sets->text; sets->kind == NODE_SCALAR && rest.len > 0;)
        count += str_trim(str_cut(&rest, ',')).len > 0;
    return fmax(count, 1);
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
    {NO_RECOMPUTE, "none", "full", NULL},
    {YES, "yes", NULL, NULL},
    {FLASH, "flash", NULL, NULL},
    {FP16, "amp-fp16", NULL, NULL},
    {PURE_BF16, "bf16-pure", NULL, NULL},
    {PRECISION, NULL, "fp32", NULL},
    {AUTOCAST, NULL, "fp32", NULL},
    {OFFLOADED, "all", NULL, NULL},
    {CACHED, "cached", NULL, NULL},
    {ADAM_8BIT, "adamw-8bit", NULL, NULL},
    {ADAPTERS, "lora", "full", NULL},
    {NETWORK, "lora", "lora", "lora"},
};

/* bf16 alone sets nothing: it is what is usual on a card, and fp16 on those that have no
 * bf16. */
static const struct {
    enum rule rule;
    const char *text, *value;
} words[] = {
    {FLASH, "fa2", "flash"},
    {BF16, "full", "bf16-pure"},
    {WEIGHTS, "bf16", "bf16-pure"},
    {WEIGHTS, "fp32", "fp32"},
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
    for (size_t i = 0; i < ARRAY_LEN(switches); i++)
        if (switches[i].rule == rule)
            return tool_is_true(text)    ? switches[i].on
                   : tool_is_false(text) ? switches[i].off
                                         : switches[i].other;
    return NULL;
}

/* What the frozen weights are stored in, if the rule is about that. */
static bool take_base(struct tool_reading *r, const struct tool_key *k, struct str text)
{
    const char *base = k->rule == FOUR_BITS    ? "nf4"
                       : k->rule == EIGHT_BITS ? "int8"
                       : k->rule == FLOAT_8    ? "fp8"
                                               : NULL;

    if (k->rule == BITS)
        note_bits(r, k, text);
    else if (base != NULL && tool_is_true(text))
        r->base = base;
    return base != NULL || k->rule == BITS;
}

static bool apply_word(struct tool_reading *r, const struct tool_key *k,
                       const struct node *node, struct error *err)
{
    bool yes = tool_is_true(node->text);

    if (take_base(r, k, node->text))
        return true;
    if (k->rule == MLP_MODULES)
        return !yes || r->job->train.targets.len == 0 || add_mlp_modules(r, node, k->key, err);
    if (k->rule == OBJECTIVE)
        note_objective(r, k, node->text);
    else if (k->rule == UNREAD && yes)
        leave_open(r, k->path, node->text);
    return tool_set(r, node, k->key, word_of(k->rule, node->text), err);
}

bool tool_apply(struct tool_reading *r, const struct node *root, const struct tool_key *k,
                const struct node *node, struct error *err)
{
    int64_t n;

    if (node->kind == NODE_SCALAR && tool_is_template(node->text)) {
        if (!str_eq_nocase(node->text, STR("auto"))) /* which is the tool's own choice */
            leave_open(r, k->path, node->text);
        return true;
    }
    if (k->rule == MODULES)
        return set_modules(r, node, k->key, err);
    if (k->rule == SHARDED)
        return set_fsdp(r, node, k->key, err);
    if (k->rule == DEEPSPEED)
        return set_deepspeed(r, node, k->key, err);
    if (k->rule == SIDES && node->text.len > 0)
        return set_sides(r, k, node, err);
    if (node->kind != NODE_SCALAR)
        return true;
    if (k->rule == CHECKPOINT)
        return set_checkpoint(r, k, node, err);
    if (k->rule == COMPONENT)
        return set_component(r, node, k->key, err);
    if (k->rule == IF_KNOWN)
        return set_if_known(r, k, node, err);
    if (k->rule == METHOD)
        return set_method(r, k, node, err);
    if (k->rule == SAMPLES)
        return set_product(r, k, node, count_sets(root), err);
    if (k->rule == EPOCH_STEPS)
        return set_product(r, k, node, isnan(r->job->train.epochs) ? 1 : r->job->train.epochs,
                           err);
    if (k->rule == ABOVE_ZERO && num_int(node->text, &n) && n <= 0)
        return true;
    if (k->rule == AS_IT_IS || k->rule == ABOVE_ZERO)
        return set_key(r, node, k->key, node->text, err);
    return apply_word(r, k, node, err);
}
