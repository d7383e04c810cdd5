/* stint targets, stint targets set, stint targets remove */
#include <math.h>

#include "cli/commands.h"
#include "cli/view.h"
#include "op/advise/targets.h"
#include "op/op.h"

/* Of a column's index. */
enum target_amount { TARGET_VALUE, TARGET_BEFORE, TARGET_GOAL };

static bool write_target_amount(const struct column *column, const void *row, struct buf *out)
{
    const struct target_row *r = row;

    if (column->index == TARGET_GOAL)
        buf_adds(out, r->less ? "at most " : "at least ");
    practice_write(r->unit,
                   column->index == TARGET_GOAL     ? r->goal
                   : column->index == TARGET_BEFORE ? r->before
                                                    : r->value,
                   out);
    return true;
}

static bool write_target_state(const struct column *column, const void *row, struct buf *out)
{
    const struct target_row *r = row;

    (void)column;
    buf_adds(out, r->state == TARGET_NOT_KNOWN ? "not known" : target_state_names[r->state]);
    return true;
}

static bool write_basis(const struct column *column, const void *row, struct buf *out)
{
    const struct target_row *r = row;

    (void)column;
    buf_add(out, r->record.len > 0 ? r->record : r->evidence);
    return true;
}

static enum term_style style_of_target(const void *row)
{
    const struct target_row *r = row;

    return r->state == TARGET_MET      ? STYLE_GOOD
           : r->state == TARGET_MISSED ? STYLE_WARN
                                       : STYLE_PLAIN;
}

static const struct column columns[] = {
    COLUMN("target", label),
    COLUMN_CELL("goal", write_target_amount, .index = TARGET_GOAL, .side = COLUMN_RIGHT),
    COLUMN_CELL("value", write_target_amount, .index = TARGET_VALUE, .side = COLUMN_RIGHT),
    COLUMN_CELL("state", write_target_state),
    COLUMN("score", score, .form = COLUMN_PERCENT),
    COLUMN_CELL("before", write_target_amount, .index = TARGET_BEFORE, .side = COLUMN_RIGHT,
                .optional = true),
    COLUMN("trend", trend, .optional = true),
    COLUMN_CELL("measured on, or command that records it", write_basis, .shrink = true),
};

static void print_targets(const struct view *view, const void *result)
{
    const struct targets_result *res = result;
    const struct target_scores *s = &res->scores;

    if (res->none_yet)
        buf_adds(view->out, "There is no ledger yet, so nothing is known. 'stint run -- "
                            "COMMAND' records runs.\n\n");
    view_rows(view, &op_targets, res, "targets", COLUMNS(columns, .style = style_of_target));
    buf_char(view->out, '\n');
    if (s->known > 0)
        buf_addf(view->out, "score %.0f of 100: %lld of %lld known targets are met\n",
                 s->score * 100, (long long)s->met, (long long)s->known);
    else
        buf_adds(view->out, "no target is known yet\n");
    buf_adds(view->out, "from ");
    day_write(res->since, view->out);
    buf_adds(view->out, " to ");
    day_write(res->until, view->out);
    buf_adds(view->out,
             ", compared with the same number of days before; 'stint targets set NAME VALUE'\n"
             "changes a goal, --json lists their sources\n");
}

static void print_target_set(const struct view *view, const void *result)
{
    const struct targets_set_result *res = result;

    buf_add(view->out, res->label);
    buf_adds(view->out, res->less ? ": at most " : ": at least ");
    practice_write(res->unit, res->value, view->out);
    if (!isnan(res->before)) {
        buf_adds(view->out, ", instead of ");
        practice_write(res->unit, res->before, view->out);
    }
    buf_char(view->out, '\n');
}

static void print_target_removed(const struct view *view, const void *result)
{
    const struct targets_remove_result *res = result;

    buf_addf(view->out, "removed %lld target%s\n", (long long)res->removed,
             res->removed == 1 ? "" : "s");
}

const struct command cmd_targets = {
    .name = "targets",
    .op = &op_targets,
    .group = {"goals, and how far they are reached", CLI_AFTER},
    .about = "Scores goals over a period and compares them with the period before. Yours\n"
             "('stint targets set') replace the defaults. The score of a goal is value /\n"
             "goal, or goal / value where less is better, up to 100. Unknown values are\n"
             "excluded.",
    .examples = "stint targets\n"
                "stint targets --month 2026-10\n"
                "stint targets set cost-per-lora 1.50usd\n"
                "stint targets --svg targets.svg",
    .print = print_targets,
};

const struct command cmd_targets_set = {
    .name = "targets set",
    .op = &op_targets_set,
    .about = "Sets a goal in the ledger, for all its users. The fact determines whether\n"
             "more or less is better. docs/guide/maturity.md lists the facts.",
    .examples = "stint targets set gpu-busy 75%\n"
                "stint targets set cost-per-thousand 0.40usd\n"
                "stint targets set anomaly-hours 8h",
    .print = print_target_set,
};

const struct command cmd_targets_remove = {
    .name = "targets remove",
    .op = &op_targets_remove,
    .about = "Removes a goal that was set; the default applies again, if there is one.",
    .examples = "stint targets remove gpu-busy\n"
                "stint targets remove --all",
    .print = print_target_removed,
};
