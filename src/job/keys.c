#include "job/keys.h"

#include <math.h>
#include <stdio.h>

#include "base/characters.h"
#include "base/num.h"

/* Other words that people and frameworks have for a key. */
struct str key_meant(const struct field_set *set, struct str word)
{
    static const struct {
        const char *path;
        const char *words[6]; /* with '-', which '_' is too; ends with NULL */
    } meanings[] = {
        {"micro_batch",
         {"batch", "batch-size", "mbs", "micro-batch-size", "per-device-train-batch-size",
          NULL}},
        {"global_batch", {"gbs", NULL}},
        {"accumulation", {"grad-accum", "gradient-accumulation-steps", NULL}},
        {"sequence",
         {"seq", "seq-len", "sequence-length", "max-seq-length", "cutoff-len", NULL}},
        {"recompute",
         {"checkpointing", "activation-checkpointing", "gradient-checkpointing", NULL}},
        {"precision", {"dtype", NULL}},
        {"optimizer", {"optim", NULL}},
        {"rank", {"lora-rank", "lora-r", "network-dim", NULL}},
        {"targets", {"lora-targets", "target-modules", NULL}},
        {"steps", {"max-steps", "max-train-steps", NULL}},
        {"epochs", {"num-epochs", "num-train-epochs", "max-train-epochs", NULL}},
        {"examples", {"images", "samples", NULL}},
        {"objective", {"rl", "alignment", "stage", NULL}},
        {"rollout.generations", {"num-generations", "n-samples-per-prompt", NULL}},
        {"rollout.completion", {"max-completion-length", "max-new-tokens", NULL}},
        {"rollout.prompt", {"max-prompt-length", NULL}},
        {"rollout.passes", {"num-iterations", "ppo-epochs", "num-ppo-epochs", NULL}},
        {"limits.providers", {"provider", "cloud", NULL}},
        {"limits.regions", {"region", NULL}},
        {"limits.gpus", {"gpu", "accelerator", NULL}},
        {"parallel.data", {"dp", NULL}},
        {"parallel.tensor", {"tp", NULL}},
        {"parallel.pipeline", {"pp", NULL}},
        {"parallel.virtual_pipeline", {"vpp", NULL}},
        {"parallel.context", {"cp", NULL}},
        {"parallel.expert", {"ep", NULL}},
        {"parallel.sequence", {"sp", NULL}},
    };

    for (size_t i = 0; i < ARRAY_LEN(meanings); i++)
        if (choice_of(meanings[i].words, word) >= 0) {
            struct str path = str_from(meanings[i].path), last = path,
                       group = str_cut(&last, '.');

            /* Serving has no group for it: "tensor" alone. */
            return last.len > 0 && field_find(set, group) == NULL ? last : path;
        }
    return (struct str){0};
}

const char *key_elsewhere(struct str word)
{
    static const char free_of_charge[] =
        "it does not change what the job takes and costs: leave it out";
    static const char command_line[] = "it belongs on the command line: --on A100x2, --offer "
                                       "NAME, --price 2usd/hr";
    static const struct {
        const char *words[9];
        const char *hint;
    } hints[] = {
        {{"lr", "learning-rate", "seed", "warmup", "warmup-steps", "weight-decay", "output-dir",
          "scheduler", NULL},
         free_of_charge},
        {{"on", "offer", "price", NULL}, command_line},
        {{"lora", "qlora", "peft", NULL}, "write method: lora (or qlora), and rank: 16"},
        {{"dataset", "datasets", NULL}, "write data: {examples: 1000}, or data: {tokens: 10M}"},
        {{"tokenizer", NULL}, "its tokens are what counts: data: {tokens: 10M}"},
    };

    for (size_t i = 0; i < ARRAY_LEN(hints); i++)
        if (choice_of(hints[i].words, word) >= 0)
            return hints[i].hint;
    return NULL;
}

const char *key_nested(const struct field_set *set, struct str key, char room[KEY_PATH_MAX])
{
    const char *found = NULL;

    for (size_t i = 0; i < set->len; i++) {
        const struct field *field =
            set->at[i].type == FIELD_RECORD ? field_find(set->at[i].row, key) : NULL;

        if (field == NULL)
            continue;
        if (found != NULL)
            return NULL;
        (void)snprintf(room, KEY_PATH_MAX, "%s.%s", set->at[i].name, field->name);
        found = room;
    }
    return found;
}

const struct node *node_at(const struct node *root, const char *path)
{
    struct str rest = str_from(path);
    const struct node *node = root;

    while (rest.len > 0 && node != NULL && node->kind == NODE_MAP)
        node = node_get(node, str_cut(&rest, '.'));
    return node != NULL && rest.len == 0 && node->kind != NODE_NULL ? node : NULL;
}

/* --- names that must mean something ------------------------------------------------------- */

static bool known_precision(struct str text)
{
    enum precision out;

    return precision_of(text, &out);
}

static bool known_objective(struct str text)
{
    enum objective out;

    return objective_of(text, &out);
}

static bool known_optimizer(struct str text)
{
    enum optimizer out;

    return optimizer_of(text, &out);
}

static bool known_recompute(struct str text)
{
    enum recompute out;

    return recompute_of(text, &out);
}

static bool known_stack(struct str text)
{
    enum stack out;

    return stack_of(text, &out);
}

static bool known_weights(struct str text)
{
    enum weights out;

    return weights_of(text, &out);
}

/* The frozen weights of qlora are narrower than what they are multiplied in. */
static bool known_base(struct str text)
{
    enum weights out;

    return weights_of(text, &out) && out != WEIGHTS_FP32 && out != WEIGHTS_FP16;
}

static bool known_cache(struct str text)
{
    enum weights out;

    return weights_of(text, &out) && (out == WEIGHTS_FP16 || out == WEIGHTS_FP8);
}

static bool known_saved(struct str text)
{
    unsigned out;

    return saved_modules_of(text, &out);
}

static bool known_targets(struct str text)
{
    unsigned out;

    return targets_of(text, &out);
}

static bool known_amount(struct str text)
{
    double out;

    return amount_of(text, &out) && out > 0;
}

static const struct named {
    const struct field_set *set;
    const char *key;
    bool (*known)(struct str text);
    const char *what, *hint; /* no hint: the nearest of the names */
    const char *const *names;
} named[] = {
    {&job_train_fields, "objective", known_objective, "an objective", NULL, objective_names},
    {&job_train_fields, "precision", known_precision, "a precision", NULL, precision_names},
    {&job_train_fields, "optimizer", known_optimizer, "an optimizer", NULL, optimizer_names},
    {&job_train_fields, "recompute", known_recompute, "none, selective or full", NULL,
     recompute_names},
    {&job_train_fields, "framework", known_stack, "a framework that is known", NULL,
     stack_names},
    {&job_train_fields, "modules_to_save", known_saved, "a list of modules trained in full",
     "write it as embed_tokens,lm_head", NULL},
    {&job_train_fields, "targets", known_targets, "a list of LoRA targets",
     "write q,v or attention or all-linear, or names of modules: q_proj,v_proj", NULL},
    {&job_train_fields, "base", known_base, "a format of frozen weights",
     "write nf4, int8, int4, fp8 or fp4", NULL},
    {&job_train_fields, "params", known_amount, "a number of parameters",
     "write it as 7B, 350M or 1.5T", NULL},
    {&job_infer_fields, "params", known_amount, "a number of parameters",
     "write it as 7B, 350M or 1.5T", NULL},
    {&job_infer_fields, "weights", known_weights, "a format of weights", NULL, weights_names},
    {&job_infer_fields, "kv", known_cache, "a format of the cache", "write fp16 or fp8", NULL},
};

static bool refuse_key_name(const struct named *n, struct str text, struct error *err)
{
    struct suggestion s = {.wanted = text};
    char room[200];
    size_t used = 0;

    error_set(err, ERROR_INPUT, "%s: '%.*s' is not %s", n->key, STR_ARG(text), n->what);
    if (n->hint != NULL) {
        error_hint(err, "%s", n->hint);
        return false;
    }
    for (size_t i = 0; n->names[i] != NULL; i++) {
        suggestion_try(&s, str_from(n->names[i]));
        if (used < sizeof room)
            used += (size_t)snprintf(room + used, sizeof room - used, "%s%s", i > 0 ? ", " : "",
                                     n->names[i]);
    }
    if (!suggestion_hint(&s, err))
        error_hint(err, "write one of %s", room);
    return false;
}

static bool spell_name(const struct field_set *set, const struct field *field, struct str text,
                       struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(named); i++)
        if (named[i].set == set && str_eq(str_from(named[i].key), str_from(field->name)) &&
            !named[i].known(text))
            return refuse_key_name(&named[i], text, err);
    return true;
}

/* --- numbers ------------------------------------------------------------------------------ */

bool amount_of(struct str text, double *out)
{
    static const struct {
        char letter;
        double times;
    } suffixes[] = {{'k', 1e3}, {'m', 1e6}, {'b', 1e9}, {'t', 1e12}};
    double times = 1, n;

    text = str_trim(text);
    if (text.len == 0 || !(text.at[0] == '.' || is_digit(text.at[0])))
        return false; /* no sign, and no words such as inf */
    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++)
        if ((text.at[text.len - 1] | 0x20) == suffixes[i].letter) {
            times = suffixes[i].times;
            text.len--;
            break;
        }
    if (!num_double(str_trim(text), &n) || !(n * times <= AMOUNT_MAX))
        return false;
    *out = n * times;
    return true;
}

bool request_rate_of(struct str text, double *out)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"s", 1},       {"sec", 1},      {"second", 1},
                 {"min", 60},    {"minute", 60},  {"h", 3600},
                 {"hr", 3600},   {"hour", 3600},  {"d", 86400},
                 {"day", 86400}, {"mo", 2592000}, {"month", 2592000}}; /* of 30 days */
    struct str unit = text, number = str_cut(&unit, '/');
    double n;

    unit = str_trim(unit);
    if (!amount_of(number, &n))
        return false;
    if (number.len == text.len) {
        *out = n;
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (str_eq_nocase(unit, str_from(units[i].unit))) {
            *out = n / units[i].seconds;
            return true;
        }
    return false;
}

static bool spell_number(const struct field *field, struct str *text, struct arena *arena,
                         struct error *err)
{
    bool is_rate = str_eq(str_from(field->name), STR("rate"));
    struct buf plain;
    double n;

    if (!(is_rate ? request_rate_of(*text, &n) : amount_of(*text, &n))) {
        error_set(err, ERROR_INPUT, "%s: '%.*s' is not %s from 0 to 1e18", field->name,
                  STR_ARG(*text), is_rate ? "a rate" : "a number");
        error_hint(err, is_rate ? "write it as 20/s, 5000/h, 1M/day or 3M/month"
                                : "write it as 250000, 25M (million), 7B or 1.5T");
        return false;
    }
    plain = buf_new(arena->alloc, 400);
    num_write(n, &plain);
    return buf_keep(&plain, arena, text, err);
}

/* Lengths of sequences are counted in units of 1,024: "8k" is 8192. */
static bool spell_length(struct str *text, struct arena *arena, struct error *err)
{
    struct str digits = {text->at, text->len - 1};
    struct buf plain;
    double n;

    if (text->len < 2 || (text->at[text->len - 1] | 0x20) != 'k' ||
        !is_digit(text->at[text->len - 2]) || !amount_of(digits, &n) ||
        floor(n * 1024) != n * 1024)
        return true; /* refused by whoever reads the field, if it is wrong */
    plain = buf_new(arena->alloc, 400);
    num_write(n * 1024, &plain);
    return buf_keep(&plain, arena, text, err);
}

bool key_spell(const struct field_set *set, const struct field *field, struct str *text,
               struct arena *arena, struct error *err)
{
    struct str value = str_trim(*text);

    if (value.len == 0)
        return true; /* refused by whoever reads the field */
    *text = value;
    if (field->type == FIELD_NUMBER)
        return spell_number(field, text, arena, err);
    if (field->type == FIELD_COUNT && str_eq(str_from(field->name), STR("sequence")))
        return spell_length(text, arena, err);
    if (field->type == FIELD_CHOICE && field->choices == job_yes_no) {
        if (str_eq_nocase(value, STR("true")) || str_eq_nocase(value, STR("on")))
            *text = STR("yes");
        if (str_eq_nocase(value, STR("false")) || str_eq_nocase(value, STR("off")))
            *text = STR("no");
    }
    if (field->type == FIELD_SHARE && str_eq(str_from(field->name), STR("goodput")) &&
        (str_eq_nocase(value, STR("off")) || str_eq_nocase(value, STR("no"))))
        *text = STR("1");
    return field->type != FIELD_TEXT || spell_name(set, field, value, err);
}

static const struct {
    const char *key;
    double least, most;
} bounds[] = {
    {"zero", 0, 3},
    {"sequence", 1, 1 << 24},
    {"micro_batch", 1, 1 << 20},
    {"batch", 1, 1 << 20},
    {"global_batch", 1, 1 << 30},
    {"accumulation", 1, 1 << 20},
    {"rank", 1, 1 << 16},
    {"generations", 1, 1 << 16},
    {"prompt", 1, 1 << 24},
    {"completion", 1, 1 << 24},
    {"length", 1, 1 << 24},
    {"passes", 1, 1000},
    {"engine_memory", 0, 0.95},
    {"resolution", 1, 1 << 16},
    {"epochs", 1e-6, 1e6},
    {"steps", 1, 1e12},
    {"repeats", 1e-6, 1e6},
    {"bytes_per_token", 0.01, 1e6},
    {"input", 1, 1 << 24},
    {"output", 0, 1 << 24},
    {"example_tokens", 1, 1e9},
    {"trials", 1, 1e6},
    {"keep", 0, 1e6},
    {"hours_per_day", 0.01, 24},
    {"rate", 1e-9, 1e9},
    {"samples_s", 1e-9, 1e12},
    {"tokens_s", 1e-9, 1e12},
    {"layers", 1, 10000},
    {"decoder_layers", 0, 10000},
    {"failures", 0, 0.95},
    {"evaluation", 0, 0.95},
    {"goodput", 0.05, 1},
    {"fraction", 0.0001, 1},
    {"max_carbon_kg", 0, 1e12},
};

/* Counts of GPUs, heads, tokens and the like; a hundred years. */
#define COUNT_MAX 1e8
#define SPAN_MAX_HOURS 876600.0

static double most_of(const struct field *field)
{
    if (field->type == FIELD_COUNT)
        return COUNT_MAX;
    return field->type == FIELD_SPAN ? SPAN_MAX_HOURS : AMOUNT_MAX; /* bytes: an exabyte */
}

static double read_field_number(const struct field *field, const void *record)
{
    const void *at = (const unsigned char *)record + field->offset;

    if (!field_known(field, record))
        return NAN;
    if (field->type == FIELD_COUNT)
        return (double)*(const int64_t *)at;
    if (field->type == FIELD_NUMBER || field->type == FIELD_SHARE)
        return *(const double *)at;
    if (field->type == FIELD_SPAN)
        return span_in_hours(*(const span *)at);
    return field->type == FIELD_BYTES ? (double)((const bytes *)at)->n : NAN;
}

bool key_check(const struct field *field, const void *record, struct error *err)
{
    double n = read_field_number(field, record), least = 0, most = most_of(field);

    for (size_t i = 0; i < ARRAY_LEN(bounds); i++)
        if (str_eq(str_from(field->name), str_from(bounds[i].key))) {
            least = bounds[i].least;
            most = bounds[i].most;
        }
    if (isnan(n) || (n >= least && n <= most))
        return true;
    if (field->type == FIELD_SPAN)
        return error_fail(err, ERROR_INPUT, "%s: more than a hundred years", field->name);
    if (field->type == FIELD_BYTES)
        return error_fail(err, ERROR_INPUT, "%s: more than 1000 PB", field->name);
    return error_fail(err, ERROR_INPUT, "%s: %.15g is not from %.15g to %.15g", field->name, n,
                      least, most);
}
