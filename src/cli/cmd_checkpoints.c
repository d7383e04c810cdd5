/* stint checkpoints list, prune, best */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/run/checkpoints.h"

static void number_cell(struct table *t, double value)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    if (isnan(value))
        buf_char(&text, '-');
    else
        buf_addf(&text, "%.6g", value);
    t->failed |= text.failed != ERROR_NONE;
    table_text(t, buf_text(&text));
    buf_free(&text);
}

static void size_cell(struct table *t, bytes size)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    bytes_write(size, &text);
    t->failed |= text.failed != ERROR_NONE;
    table_text(t, size.n == BYTES_UNKNOWN.n ? STR("?") : buf_text(&text));
    buf_free(&text);
}

static void cost_cell(struct table *t, usd cost)
{
    if (cost.nano == MONEY_UNKNOWN)
        table_cell(t, "-");
    else
        view_amount(t, cost);
}

enum { NAME, STEP, METRIC, COST, SIZE, FILES, CHANGED, STATE, COLUMNS };

static const char *verdict(const struct checkpoint_view *c)
{
    if (c->removed)
        return "removed: ";
    return c->keep ? "yes: " : "no: ";
}

static void add_row(struct table *t, const struct checkpoint_view *c, bool rules)
{
    enum term_style style = c->keep || !rules ? STYLE_PLAIN : STYLE_DIM;

    table_text(t, c->name);
    number_cell(t, c->step);
    number_cell(t, c->metric);
    cost_cell(t, c->cost);
    size_cell(t, c->size);
    view_count(t, c->files);
    table_text(t, (struct str){c->changed.at, c->changed.len > 16 ? 16 : c->changed.len});
    if (rules)
        table_cell(t, "%s%.*s", verdict(c), STR_ARG(c->why));
    else
        table_cell(t, "%.*s%s", STR_ARG(c->state), c->best ? ", the best" : "");
    table_style(t, c->best ? STYLE_GOOD : style);
}

/* All of them, with columns only for what one of them has. */
static void print_rows(const struct view *view, const struct rows *list, struct str metric,
                       bool rules)
{
    struct table_column columns[COLUMNS] = {
        [NAME] = {.title = "checkpoint", .shrink = true},
        [STEP] = {.title = "step", .right = true, .hidden = true},
        [METRIC] = {.title = "metric", .right = true, .hidden = metric.len == 0},
        [COST] = {.title = "cost", .right = true, .hidden = true},
        [SIZE] = {.title = "size", .right = true},
        [FILES] = {.title = "files", .right = true, .optional = true},
        [CHANGED] = {.title = "changed (UTC)", .optional = true},
        [STATE] = {.title = rules ? "kept" : "state"},
    };
    const struct checkpoint_view *rows = list->at;
    struct table t;

    for (size_t i = 0; i < list->len; i++) {
        columns[STEP].hidden &= isnan(rows[i].step);
        columns[COST].hidden &= rows[i].cost.nano == MONEY_UNKNOWN;
    }
    t = table_new(columns, COLUMNS, view->arena);
    for (size_t i = 0; i < list->len; i++)
        add_row(&t, &rows[i], rules);
    table_write(&t, &view->term, view->out);
}

static void print_none(const struct view *view, struct str folder)
{
    buf_adds(view->out, "no checkpoints in ");
    buf_add_safe(view->out, folder);
    buf_char(view->out, '\n');
}

static void print_list(const struct view *view, const void *result)
{
    const struct checkpoints_list_result *res = result;

    if (res->checkpoints.len == 0) {
        print_none(view, res->folder);
        return;
    }
    print_rows(view, &res->checkpoints, res->metric, false);
    buf_addf(view->out, "\n%zu checkpoint%s, ", res->checkpoints.len,
             res->checkpoints.len > 1 ? "s" : "");
    bytes_write(res->size, view->out);
    if (res->unknown > 0)
        buf_addf(view->out, " and %lld of unknown size", (long long)res->unknown);
    buf_char(view->out, '\n');
}

static void print_saving(const struct view *view, const struct checkpoints_prune_result *res)
{
    if (res->month.nano == MONEY_UNKNOWN) {
        buf_adds(view->out, "\n  storage price unknown: --storage-price '$0.08/GB' gives it\n");
        return;
    }
    buf_adds(view->out, ", ");
    usd_write(res->month, view->out);
    buf_adds(view->out, " a month at ");
    usd_write((usd){res->storage_price.nano}, view->out);
    buf_adds(view->out, " per GB (");
    buf_add_safe(view->out, res->storage_source);
    buf_adds(view->out, ")\n");
}

static void print_prune(const struct view *view, const void *result)
{
    const struct checkpoints_prune_result *res = result;
    long long going = (long long)res->going;

    if (res->checkpoints.len == 0) {
        print_none(view, res->folder);
        return;
    }
    print_rows(view, &res->checkpoints, res->metric, true);
    buf_char(view->out, '\n');
    if (res->going == 0) {
        buf_addf(view->out, "nothing to remove: %zu checkpoint%s, all kept\n",
                 res->checkpoints.len, res->checkpoints.len > 1 ? "s" : "");
        return;
    }
    if (res->dry_run)
        buf_addf(view->out, "would remove %lld of %zu: frees ", going, res->checkpoints.len);
    else
        buf_addf(view->out, "removed %lld of %lld: freed ", (long long)res->removed, going);
    bytes_write(res->frees, view->out);
    print_saving(view, res);
    if (res->dry_run)
        buf_adds(view->out, "this was a dry run: add --yes to remove them\n");
    if (res->left > 0)
        buf_addf(view->out, "%lld left: ask again once the reason is gone\n",
                 (long long)res->left);
}

static void print_one(const struct view *view, const char *label,
                      const struct checkpoint_view *c, struct str metric)
{
    view_label(view, label);
    buf_add_safe(view->out, c->name);
    buf_adds(view->out, ": ");
    buf_add_safe(view->out, metric);
    buf_addf(view->out, " %.6g", c->metric);
    if (c->cost.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, ", ");
        usd_write(c->cost, view->out);
    }
    buf_adds(view->out, ", ");
    bytes_write(c->size, view->out);
}

static void print_steps(const struct view *view, const struct checkpoints_best_result *res)
{
    struct table_column columns[] = {
        {.title = "better and better", .shrink = true},
        {.title = "step", .right = true, .optional = true},
        {.title = "metric", .right = true},
        {.title = "gain", .right = true},
        {.title = "cost", .right = true},
        {.title = "more", .right = true, .optional = true},
        {.title = "per 1 %", .right = true},
    };
    const struct checkpoint_step *rows = res->steps.at;
    bool costs = false;
    struct table t;

    for (size_t i = 0; i < res->steps.len; i++)
        costs |= rows[i].cost.nano != MONEY_UNKNOWN;
    for (size_t i = 4; i < ARRAY_LEN(columns); i++)
        columns[i].hidden = !costs;
    t = table_new(columns, ARRAY_LEN(columns), view->arena);
    for (size_t i = 0; i < res->steps.len; i++) {
        table_text(&t, rows[i].name);
        number_cell(&t, rows[i].step);
        number_cell(&t, rows[i].metric);
        if (isnan(rows[i].gain))
            table_cell(&t, "-");
        else
            table_cell(&t, "%.2f %%", rows[i].gain * 100);
        cost_cell(&t, rows[i].cost);
        cost_cell(&t, rows[i].more);
        cost_cell(&t, rows[i].marginal);
    }
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
    if (!costs)
        buf_adds(view->out,
                 "\ncosts are unknown: 'stint run --checkpoints DIR' records them\n");
}

static void print_best(const struct view *view, const void *result)
{
    const struct checkpoints_best_result *res = result;

    print_one(view, "best", &res->best, res->metric);
    buf_char(view->out, '\n');
    if (!res->differ) {
        view_label(view, "cost-efficient");
        buf_adds(view->out, "the best one: no earlier one is as good");
    } else {
        print_one(view, "cost-efficient", &res->thrifty, res->metric);
        if (res->worse > 0)
            buf_addf(view->out, ": %.2f %% worse", res->worse * 100);
        else
            buf_adds(view->out, ": as good");
        if (res->saved.nano != MONEY_UNKNOWN) {
            buf_adds(view->out, ", ");
            usd_write(res->saved, view->out);
            if (!isnan(res->saved_share))
                buf_addf(view->out, " (%.0f %%)", res->saved_share * 100);
            buf_adds(view->out, " less");
        } else {
            buf_adds(view->out, ", and earlier");
        }
    }
    buf_char(view->out, '\n');
    print_steps(view, res);
    if (res->without > 0)
        buf_addf(view->out, "%lld without a metric left out\n", (long long)res->without);
}

const struct command cmd_checkpoints_list = {
    .name = "checkpoints list",
    .op = &op_checkpoints_list,
    .about =
        "The checkpoints in a folder, the oldest first: what they take, when they changed,\n"
        "and whether they are whole: unchanged for a while, not called .tmp or locked, as\n"
        "long as their headers say, with every shard that their index names. With --best\n"
        "their metric, from names, trainer_state.json or the ledger.",
    .examples = "stint checkpoints list out\n"
                "stint checkpoints list out --best val_loss:min",
    .print = print_list,
};

const struct command cmd_checkpoints_prune = {
    .name = "checkpoints prune",
    .op = &op_checkpoints_prune,
    .about =
        "Keeps the newest few of each series of checkpoints, and the best; says what would\n"
        "go and what that saves a month, and with --yes removes it. Never goes: the only\n"
        "whole one, the best, the one furthest on, one that is being written or looks\n"
        "unfinished, one that 'latest' or a link names, and what has no number in its\n"
        "name. Links are never followed.",
    .examples = "stint checkpoints prune out --keep 3 --best val_loss:min\n"
                "stint checkpoints prune out --keep 1 --storage-price '$0.08/GB' --yes",
    .print = print_prune,
};

const struct command cmd_checkpoints_best = {
    .name = "checkpoints best",
    .op = &op_checkpoints_best,
    .about =
        "The best checkpoint by a metric, and the cheapest one whose metric is as good\n"
        "within a share (--within): what came after it bought little. Each that was better\n"
        "than all before it is listed with what the improvement cost. Costs come from the\n"
        "ledger.",
    .examples = "stint checkpoints best out --best val_loss:min\n"
                "stint checkpoints best out --best accuracy:max --within 2% --run last",
    .print = print_best,
};
