/* kohya's sd-scripts, --config_file. The scripts flatten the file: a key means the same in
 * whatever table it is, so each is changed where it is, and a new one goes beside its
 * like. */
#include <math.h>
#include <string.h>

#include "generate/edit.h"

/* Keys beside which a new one goes, the nearest first. */
static const struct {
    const char *key, *near[6];
} beside[] = {
    {"train_batch_size", {"max_train_steps", "max_train_epochs", "seed", "mixed_precision"}},
    {"gradient_accumulation_steps",
     {"train_batch_size", "gradient_checkpointing", "max_train_steps", "max_train_epochs"}},
    {"gradient_checkpointing",
     {"gradient_accumulation_steps", "train_batch_size", "mixed_precision", "max_train_steps"}},
    {"mixed_precision",
     {"save_precision", "gradient_checkpointing", "gradient_accumulation_steps",
      "train_batch_size"}},
    {"full_fp16", {"mixed_precision"}},
    {"full_bf16", {"mixed_precision"}},
    {"optimizer_type", {"learning_rate", "unet_lr", "lr_scheduler"}},
    {"network_dim", {"network_module", "network_alpha"}},
    {"resolution", {"train_data_dir", "enable_bucket", "min_bucket_reso", "shuffle_caption"}},
    {"torch_compile", {"dynamo_backend", "mixed_precision", "gradient_checkpointing"}},
};

/* Where a key is: in which table (NULL: none), and its value. */
struct found {
    const struct node *table, *value;
};

static bool second_key(const struct target *t, struct str key, const struct node *a,
                       const struct node *b, struct error *err)
{
    error_set(err, ERROR_INPUT, "%s:%u: the second key '%.*s', in another table", t->name,
              b->key_line, STR_ARG(key));
    error_hint(err, "sd-scripts joins the tables; the first is on line %u: keep one of them",
               a->key_line);
    return false;
}

/* A dotted key or an inline table that has the key is flattened too, but not edited here. */
static bool is_hidden(const struct node *node, struct str key)
{
    bool dotted = node->key.len > 0 && memchr(node->key.at, TOML_DOT, node->key.len) != NULL;

    return (node->kind == NODE_MAP && node->text.at != NULL &&
            str_has_nocase(node->text, key)) ||
           (dotted && node->text.at != NULL && str_ends(node->key, key));
}

static bool find_kohya_key(const struct target *t, struct str key, struct found *out,
                           struct error *err)
{
    *out = (struct found){0};
    for (const struct node *child = t->root->first; child != NULL; child = child->next) {
        const struct node *value = toml_is_table(child) ? node_get(child, key) : NULL;
        bool in_root = child->text.at != NULL && str_eq(child->key, key);

        if (is_hidden(child, key)) {
            error_set(err, ERROR_INPUT, "%s:%u: '%.*s' is in an inline table", t->name,
                      child->key_line, STR_ARG(key));
            error_hint(err, "write it as KEY = VALUE on a line of its own");
            return false;
        }
        if (in_root)
            value = child;
        if (value != NULL && out->value != NULL)
            return second_key(t, key, out->value, value, err);
        if (value != NULL)
            *out = (struct found){in_root ? NULL : child, value};
    }
    return true;
}

/* A new key is in no file yet, but its place is known. */
static const struct setting *find_new(const struct settings *all, struct str key)
{
    for (size_t i = 0; i + 1 < all->len; i++)
        if (str_eq(all->at[i].part[all->at[i].parts - 1], key))
            return &all->at[i];
    return NULL;
}

static void put_into(struct setting *setting, struct str table)
{
    setting->part[1] = setting->part[0];
    setting->part[0] = table;
    setting->parts = 2;
}

/* Beside the first of its like that is there. */
static bool place_new(const struct target *t, const struct settings *all,
                      struct setting *setting, const char *const *near, struct error *err)
{
    for (; *near != NULL; near++) {
        const struct setting *other = find_new(all, str_from(*near));
        struct found found = {0};

        if (other == NULL && !find_kohya_key(t, str_from(*near), &found, err))
            return false;
        if (other == NULL && found.value == NULL)
            continue;
        setting->after = str_from(*near);
        if (other != NULL && other->parts == 2)
            put_into(setting, other->part[0]);
        else if (found.table != NULL)
            put_into(setting, found.table->key);
        return true;
    }
    return true;
}

/* The setting that was added last gets its place: where the key is, or beside its like. */
static bool place_last(const struct target *t, struct settings *out, struct error *err)
{
    struct setting *setting = &out->at[out->len - 1];
    struct str key = setting->part[0];
    struct found found;

    if (!find_kohya_key(t, key, &found, err))
        return false;
    if (found.table != NULL)
        put_into(setting, found.table->key);
    for (size_t i = 0; i < ARRAY_LEN(beside) && found.value == NULL; i++)
        if (str_eq(key, str_from(beside[i].key)))
            return place_new(t, out, setting, beside[i].near, err);
    return true;
}

static bool put_kohya_number(const struct target *t, struct settings *out, const char *key,
                             int64_t value, struct error *err)
{
    set_number(out, key, value);
    return place_last(t, out, err);
}

static bool put_flag(const struct target *t, struct settings *out, const char *key, bool value,
                     struct error *err)
{
    set_flag(out, key, value);
    return place_last(t, out, err);
}

static bool put_kohya_word(const struct target *t, struct settings *out, const char *key,
                           const char *value, struct error *err)
{
    set_word(out, key, value);
    return place_last(t, out, err);
}

/* Weights entirely in 16 bits are a switch of their own. */
static bool put_full(const struct target *t, struct settings *out, const char *key, bool full,
                     struct error *err)
{
    struct found found;

    if (!find_kohya_key(t, str_from(key), &found, err))
        return false;
    return (!full && found.value == NULL) || put_flag(t, out, key, full, err);
}

static bool set_kohya_precision(const struct target *t, struct settings *out, struct error *err)
{
    enum precision p = t->choice->precision;
    const char *word = p == PRECISION_AMP_FP16 || p == PRECISION_FP16 ? "fp16"
                       : p == PRECISION_FP32 || p == PRECISION_TF32   ? "no"
                                                                      : "bf16";

    if (!choice_has_precision(t->choice))
        return true;
    if (p > PRECISION_BF16_PURE) {
        error_set(err, ERROR_INPUT, "%s: sd-scripts cannot train in %s", t->name,
                  precision_names[p]);
        error_hint(err, "plan with --set precision=amp-bf16");
        return false;
    }
    return put_kohya_word(t, out, "mixed_precision", word, err) &&
           put_full(t, out, "full_fp16", false, err) &&
           put_full(t, out, "full_bf16", p == PRECISION_BF16_PURE, err);
}

static bool set_kohya_optimizer(const struct target *t, struct settings *out, struct error *err)
{
    static const char *const names[OPTIMIZER_COUNT] = {
        [OPTIMIZER_ADAMW] = "AdamW",
        [OPTIMIZER_ADAMW_BF16] = "AdamW",
        [OPTIMIZER_ADAMW_8BIT] = "AdamW8bit",
        [OPTIMIZER_ADAFACTOR] = "AdaFactor",
        [OPTIMIZER_SGD] = "SGDNesterov",
        [OPTIMIZER_LION] = "Lion",
        [OPTIMIZER_ADAMW_PAGED] = "PagedAdamW32bit",
        [OPTIMIZER_ADAMW_8BIT_PAGED] = "PagedAdamW8bit",
    };
    enum optimizer wanted = t->choice->optimizer, there;
    struct found found;

    if (wanted >= OPTIMIZER_COUNT)
        return true;
    if (!find_kohya_key(t, STR("optimizer_type"), &found, err))
        return false;
    if (found.value != NULL && optimizer_of(found.value->text, &there) && there == wanted)
        return true;
    if (names[wanted] == NULL) {
        error_set(err, ERROR_INPUT, "%s: sd-scripts has no optimizer '%s'", t->name,
                  optimizer_names[wanted]);
        error_hint(err, "plan with --set optimizer=adamw-8bit");
        return false;
    }
    return put_kohya_word(t, out, "optimizer_type", names[wanted], err);
}

/* "1024,1024", "1024" or 1024: as the file has it. */
static bool set_resolution(const struct target *t, struct settings *out, struct error *err)
{
    int64_t side = t->choice->resolution;
    struct found found;
    char both[48];

    if (side <= 0)
        return true;
    if (!find_kohya_key(t, STR("resolution"), &found, err))
        return false;
    if (found.value != NULL && found.value->kind == NODE_SCALAR &&
        memchr(found.value->text.at, ',', found.value->text.len) == NULL)
        return put_kohya_number(t, out, "resolution", side, err);
    (void)snprintf(both, sizeof both, "%lld,%lld", (long long)side, (long long)side);
    return put_kohya_word(t, out, "resolution", both, err);
}

static bool refuse_dataset(const struct target *t, struct error *err)
{
    for (const struct node *child = t->root->first; child != NULL; child = child->next)
        if (str_starts(child->key, STR("[[datasets"))) {
            error_set(err, ERROR_INPUT, "%s:%u: this is a configuration of data sets", t->name,
                      child->key_line);
            error_hint(err, "give the file of --config_file, not that of --dataset_config");
            return false;
        }
    return true;
}

/* A new file has the model, adapters and the length: sd-scripts has 4 and 1,600 steps of its
 * own where nothing is said. */
static bool put_fresh_keys(const struct target *t, struct settings *out, struct error *err)
{
    const struct config_choice *c = t->choice;
    double rank = c->rank > 0 ? c->rank : c->usual_rank;

    if (c->model.len > 0)
        set_text(out, "pretrained_model_name_or_path", c->model);
    if (c->steps >= 1 && c->steps < 1e9)
        set_number(out, "max_train_steps", (int64_t)c->steps);
    if (!(rank > 0) || rank > 1 << 20)
        return true;
    return put_kohya_word(t, out, "network_module", "networks.lora", err) &&
           put_kohya_number(t, out, "network_dim", llround(rank), err);
}

bool kohya_settings(const struct target *t, struct settings *out, struct error *err)
{
    const struct config_choice *c = t->choice;

    if (!refuse_dataset(t, err))
        return false;
    if (c->micro_batch > 0 &&
        !put_kohya_number(t, out, "train_batch_size", c->micro_batch, err))
        return false;
    if (c->accumulation > 0 &&
        !put_kohya_number(t, out, "gradient_accumulation_steps", c->accumulation, err))
        return false;
    /* There is no selective one: it saves more than was asked. */
    if (choice_has_recompute(c) &&
        !put_flag(t, out, "gradient_checkpointing", c->recompute != RECOMPUTE_NONE, err))
        return false;
    if (!set_kohya_precision(t, out, err) || !set_kohya_optimizer(t, out, err))
        return false;
    if (t->fresh && !put_fresh_keys(t, out, err))
        return false;
    if (!t->fresh && c->rank > 0 && c->rank <= 1 << 20 &&
        !put_kohya_number(t, out, "network_dim", llround(c->rank), err))
        return false;
    if (c->compiled && !put_flag(t, out, "torch_compile", true, err))
        return false;
    return set_resolution(t, out, err);
}
