#include "job/tool_lean.h"

#include <math.h>

#include "base/num.h"
#include "job/keys.h"

/* What the tools take where the file has no rank, or no number of layers. */
#define TRAINER_GALORE_RANK "128"
#define FACTORY_GALORE_RANK "16"
#define FACTORY_TRAINED_LAYERS "2"

bool tool_is_galore(struct str optimizer)
{
    return str_has_nocase(optimizer, STR("galore"));
}

/* "rank=64, update_proj_gap=100", or a map: the rank. */
static struct str rank_of_args(const struct node *args)
{
    static const char *const paths[] = {"rank", "galore_rank", "init_args.rank"};

    for (size_t i = 0; i < ARRAY_LEN(paths) && args != NULL; i++) {
        const struct node *rank = node_at(args, paths[i]);

        if (rank != NULL && rank->kind == NODE_SCALAR)
            return rank->text;
    }
    for (struct str rest = args != NULL && args->kind == NODE_SCALAR ? args->text
                                                                     : (struct str){0};
         rest.len > 0;) {
        struct str value = str_cut(&rest, ','), key = str_trim(str_cut(&value, '='));

        if (str_eq(key, STR("rank")))
            return str_trim(value);
    }
    return (struct str){0};
}

/* The rank, if it is a number; else the usual one. */
static bool set_rank(struct tool_reading *r, const struct node *node, struct str rank,
                     const char *usual, struct error *err)
{
    char text[32];
    int64_t n;

    if (!num_int(rank, &n) || n < 1)
        return tool_set(r, node, "galore_rank", usual, err);
    (void)snprintf(text, sizeof text, "%lld", (long long)n);
    return tool_set(r, node, "galore_rank", text, err);
}

bool tool_set_galore(struct tool_reading *r, const struct node *root, const struct node *node,
                     struct error *err)
{
    const struct node *args = node_get(root, STR("optim_args"));
    const struct node *section = node_get(root, STR("optimizer")); /* torchtune's, LitGPT's */
    bool in_section = args == NULL && section != NULL && section->kind == NODE_MAP;
    struct str rank = rank_of_args(in_section ? section : args);
    const char *under = str_has_nocase(node->text, STR("adafactor")) ? "adafactor"
                        : str_has_nocase(node->text, STR("8bit"))    ? "adamw-8bit"
                                                                     : "adamw";

    if (in_section && rank.len == 0) /* their classes have none of their own */
        tool_open_as(r, "optimizer.rank", STR("not in this file"), TRAINER_GALORE_RANK);
    return tool_set(r, node, "optimizer", under, err) &&
           set_rank(r, node, rank, TRAINER_GALORE_RANK, err) &&
           (!str_has_nocase(node->text, STR("layerwise")) ||
            tool_set(r, node, "fused_step", "yes", err));
}

static bool is_on(const struct node *root, const char *key)
{
    const struct node *node = node_at(root, key);

    return node != NULL && node->kind == NODE_SCALAR && tool_is_true(node->text);
}

/* Are all matrices of the layers meant: "all", "mlp,self_attn"? */
static bool is_every_matrix(const struct node *target)
{
    return target == NULL || str_eq_nocase(target->text, STR("all")) ||
           (str_has_nocase(target->text, STR("mlp")) &&
            str_has_nocase(target->text, STR("attn")));
}

static bool settle_galore(struct tool_reading *r, const struct node *root, struct error *err)
{
    const struct node *rank = node_at(root, "galore_rank");
    const struct node *target = node_at(root, "galore_target");

    if (!is_on(root, "use_galore"))
        return true;
    return set_rank(r, root, rank != NULL ? rank->text : (struct str){0}, FACTORY_GALORE_RANK,
                    err) &&
           (is_every_matrix(target) || tool_add_unused(r, "galore_target", target, err)) &&
           (!is_on(root, "galore_layerwise") || tool_set(r, root, "fused_step", "yes", err));
}

static bool settle_freezing(struct tool_reading *r, const struct node *root, struct error *err)
{
    const struct node *layers = node_at(root, "freeze_trainable_layers");
    const struct node *modules = node_at(root, "freeze_trainable_modules");
    int64_t n;

    if (!r->freezes)
        return true;
    if (modules != NULL && !str_eq_nocase(modules->text, STR("all")) &&
        !tool_add_unused(r, "freeze_trainable_modules", modules, err))
        return false;
    /* A negative number trains the first layers: all others still go backward. */
    if (layers != NULL && num_int(layers->text, &n) && n < 0)
        return tool_add_unused(r, "freeze_trainable_layers", layers, err);
    if (layers == NULL || !num_int(layers->text, &n) || n == 0)
        return tool_set(r, root, "trained_layers", FACTORY_TRAINED_LAYERS, err);
    return job_set(r->job, STR("trained_layers"), layers->text, r->arena, err);
}

bool tool_settle_lean(struct tool_reading *r, const struct node *root, struct error *err)
{
    struct job_train *t = &r->job->train;
    bool full;

    if (!settle_galore(r, root, err) || !settle_freezing(r, root, err))
        return false;
    full = t->method.len == 0 || str_eq(t->method, STR("full"));
    if (full)
        t->dora = (struct str){0};
    else
        t->galore_rank = NAN;
    return true;
}
