/* stint checkpoints list, prune, best */
#include <math.h>

#include "cli/commands.h"
#include "cli/view.h"
#include "op/run/checkpoints.h"
#include "unit/shown.h"

/* A number of the row, whose offset is the column's index: six digits. */
static bool write_checkpoint_number(const struct column *column, const void *row,
                                    struct buf *out)
{
    double value = *(const double *)(const void *)((const unsigned char *)row + column->index);

    if (!isnan(value))
        buf_addf(out, "%.6g", value);
    return true;
}

static bool write_checkpoint_kept(const struct column *column, const void *row, struct buf *out)
{
    const struct checkpoint_view *c = row;

    (void)column;
    buf_adds(out, c->removed ? "removed: " : c->is.keep ? "yes: " : "no: ");
    buf_add(out, c->why);
    return true;
}

static bool write_checkpoint_state(const struct column *column, const void *row,
                                   struct buf *out)
{
    const struct checkpoint_view *c = row;

    (void)column;
    buf_add(out, c->state);
    buf_adds(out, c->is.best ? ", the best" : "");
    return true;
}

static enum term_style style_of_listed(const void *row)
{
    return ((const struct checkpoint_view *)row)->is.best ? STYLE_GOOD : STYLE_PLAIN;
}

static enum term_style style_of_pruned(const void *row)
{
    const struct checkpoint_view *c = row;

    return c->is.best ? STYLE_GOOD : c->is.keep ? STYLE_PLAIN : STYLE_DIM;
}

/* All of them, with columns only for what one of them has. */
static void print_checkpoint_rows(const struct view *view, const struct op *op,
                                  const void *result, const struct rows *list,
                                  struct str metric)
{
#define OF(member) .index = offsetof(struct checkpoint_view, member)
    bool rules = op == &op_checkpoints_prune, steps = false, costs = false;
    const struct checkpoint_view *rows = list->at;

    for (size_t i = 0; i < list->len; i++) {
        steps |= !isnan(rows[i].is.step);
        costs |= rows[i].is.cost.nano != MONEY_UNKNOWN;
    }
    const struct column columns[] = {
        COLUMN("checkpoint", name, .shrink = true),
        COLUMN("step", step, .hidden = !steps, .cell = write_checkpoint_number, OF(is.step)),
        COLUMN("metric", metric, .hidden = metric.len == 0, .cell = write_checkpoint_number,
               OF(is.metric)),
        COLUMN("cost", cost, .hidden = !costs, .unknown = "-"),
        COLUMN("size", size),
        COLUMN("files", files, .optional = true),
        COLUMN("changed (UTC)", changed, .optional = true),
        COLUMN_CELL(rules ? "kept" : "state",
                    rules ? write_checkpoint_kept : write_checkpoint_state),
    };
#undef OF

    view_rows(view, op, result, "checkpoints",
              COLUMNS(columns, .style = rules ? style_of_pruned : style_of_listed));
}

static void print_no_checkpoints(const struct view *view, struct str folder)
{
    buf_adds(view->out, "no checkpoints in ");
    buf_add_safe(view->out, folder);
    buf_char(view->out, '\n');
}

static void print_checkpoint_list(const struct view *view, const void *result)
{
    const struct checkpoints_list_result *res = result;

    if (res->checkpoints.len == 0) {
        print_no_checkpoints(view, res->folder);
        return;
    }
    print_checkpoint_rows(view, &op_checkpoints_list, res, &res->checkpoints, res->metric);
    buf_addf(view->out, "\n%zu checkpoint%s, ", res->checkpoints.len,
             res->checkpoints.len > 1 ? "s" : "");
    bytes_write(res->size, view->out);
    if (res->unknown > 0)
        buf_addf(view->out, " and %lld of unknown size", (long long)res->unknown);
    buf_char(view->out, '\n');
}

static void print_saving(const struct view *view, const struct checkpoints_pruned *res)
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
    const struct checkpoints_pruned *res = result;
    long long going = (long long)res->going;

    if (res->checkpoints.len == 0) {
        print_no_checkpoints(view, res->folder);
        return;
    }
    print_checkpoint_rows(view, &op_checkpoints_prune, res, &res->checkpoints, res->metric);
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
    if (res->failed > 0)
        buf_addf(view->out, "%lld left: run this again when the reason is gone\n",
                 (long long)res->failed);
}

static void print_one(const struct view *view, const char *label,
                      const struct checkpoint_view *c, struct str metric)
{
    view_label(view, label);
    buf_add_safe(view->out, c->is.name);
    buf_adds(view->out, ": ");
    buf_add_safe(view->out, metric);
    buf_addf(view->out, " %.6g", c->is.metric);
    if (c->is.cost.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, ", ");
        usd_write(c->is.cost, view->out);
    }
    buf_adds(view->out, ", ");
    bytes_write(c->size, view->out);
}

static void print_best_steps(const struct view *view, const struct checkpoints_best *res)
{
#define OF(member) .index = offsetof(struct checkpoint_step, member)
    const struct checkpoint_step *rows = res->steps.at;
    bool costs = false;

    for (size_t i = 0; i < res->steps.len; i++)
        costs |= rows[i].is.cost.nano != MONEY_UNKNOWN;
    const struct column columns[] = {
        COLUMN("better and better", name, .shrink = true),
        COLUMN("step", step, .optional = true, .cell = write_checkpoint_number, OF(is.step)),
        COLUMN("metric", metric, .cell = write_checkpoint_number, OF(is.metric)),
        COLUMN("gain", gain, .form = COLUMN_PERCENT, .decimals = 2),
        COLUMN("cost", cost, .hidden = !costs, .unknown = "-"),
        COLUMN("more", more, .hidden = !costs, .optional = true, .unknown = "-"),
        COLUMN("per 1 %", marginal, .hidden = !costs, .unknown = "-"),
    };
#undef OF

    buf_char(view->out, '\n');
    view_rows(view, &op_checkpoints_best, res, "steps", COLUMNS(columns));
    if (!costs)
        buf_adds(view->out,
                 "\ncosts are unknown: 'stint run --checkpoints DIR' records them\n");
}

static void print_best_checkpoint(const struct view *view, const void *result)
{
    const struct checkpoints_best *res = result;

    print_one(view, "best", &res->best, res->metric);
    buf_char(view->out, '\n');
    if (!res->differ) {
        view_label(view, "cost-efficient");
        buf_adds(view->out, "the best one: no earlier one is as good");
    } else {
        print_one(view, "cost-efficient", &res->cost_efficient, res->metric);
        if (res->worse > 0)
            buf_addf(view->out, ": %.2f %% worse", res->worse * 100);
        else
            buf_adds(view->out, ": as good");
        if (res->saved.nano != MONEY_UNKNOWN) {
            buf_adds(view->out, ", ");
            usd_write(res->saved, view->out);
            if (!isnan(res->saved_share))
                buf_addf(view->out, " (%s)", percent_text(res->saved_share).text);
            buf_adds(view->out, " less");
        } else {
            buf_adds(view->out, ", and earlier");
        }
    }
    buf_char(view->out, '\n');
    print_best_steps(view, res);
    if (res->without > 0)
        buf_addf(view->out, "%lld without a metric left out\n", (long long)res->without);
}

const struct command cmd_checkpoints_list = {
    .name = "checkpoints list",
    .op = &op_checkpoints_list,
    .group = {"list, prune and compare checkpoints", .stage = CLI_DURING},
    .about = "Lists the checkpoints in a folder, oldest first: size, last change, and whether "
             "they are complete: unchanged for a while, not named .tmp or locked, as long as "
             "their headers require, with every shard that their index names. With --best also "
             "their metric, from names, trainer_state.json or the ledger.",
    .examples = "stint checkpoints list out\n"
                "stint checkpoints list out --best val_loss:min",
    .print = print_checkpoint_list,
};

const struct command cmd_checkpoints_prune = {
    .name = "checkpoints prune",
    .op = &op_checkpoints_prune,
    .about = "Keeps the newest few of each series of checkpoints, and the best; prints what "
             "would be removed and the savings per month, and removes it with --yes. Never "
             "removed: the only complete one, the best, the one with the highest step, one "
             "that is being written or looks unfinished, one that 'latest' or a link names, "
             "and files without a number in their name. Links are never followed.",
    .examples = "stint checkpoints prune out --keep 3 --best val_loss:min\n"
                "stint checkpoints prune out --keep 1 --storage-price '$0.08/GB' --yes",
    .print = print_prune,
};

const struct command cmd_checkpoints_best = {
    .name = "checkpoints best",
    .op = &op_checkpoints_best,
    .about = "Shows the best checkpoint by a metric, and the cheapest one whose metric is as "
             "good within a share (--within): later spending gained little. Each checkpoint "
             "that improved on all before it is listed with the cost of the improvement. Costs "
             "come from the ledger.",
    .examples = "stint checkpoints best out --best val_loss:min\n"
                "stint checkpoints best out --best accuracy:max --within 2% --run last",
    .print = print_best_checkpoint,
};
