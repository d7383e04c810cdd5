/* stint why */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/advise/why.h"
#include "op/op.h"

#define GROUPS_SHOWN 5 /* of a dimension */

/* How amounts are written; they are those of a column's index, as bits. */
enum amount_form {
    AMOUNT_PLAIN = 1, /* no sign: it is no change */
    AMOUNT_FINE = 2,  /* of less than a dollar in all: more digits than cents */
};

static int amount_form(const struct why_result *res)
{
    const struct why_explained *e = &res->explained;
    bool fine = currency_is(e->to.currency, currency_usd) &&
                decimal_double(e->from.amount) < 1 && decimal_double(e->to.amount) < 1;

    return (str_eq(res->kind, STR("breakdown")) ? AMOUNT_PLAIN : 0) | (fine ? AMOUNT_FINE : 0);
}

/* Without a sign. */
static void put_why_money(const struct money *amount, int form, struct buf *out)
{
    struct decimal size = amount->amount;
    int64_t nano;

    if (size.coefficient < 0)
        size.coefficient = -size.coefficient;
    if ((form & AMOUNT_FINE) != 0 && decimal_fixed(size, 9, &nano))
        usd_write(usd_rounded((usd){nano}), out);
    else
        money_write_cents(&(struct money){size, amount->currency}, out);
}

static bool write_why_amount(const struct column *column, const void *row, struct buf *out)
{
    const struct why_part *part = row;
    wide sign = part->amount.amount.coefficient;

    if (sign < 0 || ((column->index & AMOUNT_PLAIN) == 0 && sign > 0))
        buf_char(out, sign < 0 ? '-' : '+');
    put_why_money(&part->amount, column->index, out);
    return true;
}

static void print_why_amount(const struct view *view, const struct why_result *res,
                             const char *label, struct str name, const struct money *amount)
{
    view_label(view, label);
    put_why_money(amount, amount_form(res), view->out);
    if (name.len > 0) {
        buf_adds(view->out, "  ");
        buf_add_safe(view->out, name);
    }
    buf_char(view->out, '\n');
}

/* The parts, with the totals that they lead from and to. */
static void print_why_parts(const struct view *view, const struct why_result *res)
{
    int form = amount_form(res);
    const struct column columns[] = {
        COLUMN("part", name),
        COLUMN("cost", amount, .cell = write_why_amount, .in_total = true, .index = form),
        COLUMN("what", detail, .shrink = true, .unknown = ""),
    };
    struct table_rows parts = field_rows(op_why.result, "parts", res);
    struct column_table t = columns_new(COLUMNS(columns), parts.row, view->arena);
    const struct why_part total = {.amount = res->explained.difference};

    columns_add(&t, &parts);
    columns_total(&t, (form & AMOUNT_PLAIN) != 0 ? "total" : "difference", parts.row, &total);
    columns_write(&t, &view->term, view->out);
}

/* The largest changes of each dimension. */
static void print_groups(const struct view *view, const struct why_result *res)
{
    static const struct column columns[] = {
        COLUMN("by", dimension),
        COLUMN("value", value, .unknown = "(none)", .shrink = true),
        COLUMN("before", before, .optional = true),
        COLUMN("cost", amount),
        COLUMN("change", change, .form = COLUMN_CHANGE),
    };
    struct table_rows all = field_rows(op_why.result, "groups", res), shown = all;
    const struct why_group *groups = all.at;
    struct column_table t = columns_new(COLUMNS(columns), all.row, view->arena);
    size_t left_out = 0;

    if (all.len == 0)
        return;
    for (size_t first = 0, after; first < all.len; first = after) {
        for (after = first;
             after < all.len && str_eq(groups[after].dimension, groups[first].dimension);)
            after++;
        if (after - first == 1 && groups[first].value.len == 0)
            continue; /* nothing has a value of it */
        shown.at = &groups[first];
        shown.len = after - first < GROUPS_SHOWN ? after - first : GROUPS_SHOWN;
        left_out += after - first - shown.len;
        columns_add(&t, &shown);
    }
    buf_char(view->out, '\n');
    columns_write(&t, &view->term, view->out);
    if (left_out > 0)
        buf_addf(view->out, "%zu smaller change%s left out here; --json lists all\n", left_out,
                 left_out == 1 ? " is" : "s are");
}

static void print_why(const struct view *view, const void *result)
{
    const struct why_result *res = result;
    const struct why_explained *e = &res->explained;
    bool estimate = str_eq(res->kind, STR("estimate"));
    bool compared = !estimate && !str_eq(res->kind, STR("breakdown"));

    if (estimate)
        print_why_amount(view, res, "estimate", (struct str){0}, &e->from);
    if (compared)
        print_why_amount(view, res, "from", res->from, &e->from);
    print_why_amount(view, res, compared ? "to" : "cost", res->to, &e->to);
    buf_char(view->out, '\n');
    print_why_parts(view, res);
    print_groups(view, res);
    buf_adds(view->out, "\nlargest: ");
    view_wrap(e->advice, 9, 9, view->out);
    buf_char(view->out, '\n');
    for (size_t i = 0; i < res->notes.len; i++) {
        buf_adds(view->out, "note: ");
        view_wrap(res->notes.at[i], 6, 6, view->out);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_why = {
    .name = "why",
    .op = &op_why,
    .group = {"why a run or a month cost more or less", .stage = CLI_AFTER},
    .about = "Explains a difference in cost as parts that add up to it exactly. Of a run: from "
             "the estimate it was started with (--plan) to what it cost: price, number and "
             "time of steps, data stalls, start-up, checkpoints, failures and repeated work, "
             "idle time, storage and transfer. Of two runs: the same from one to the other. Of "
             "two months: more, longer or more expensive runs, use and prices of services, new "
             "and discontinued ones; and by team, project, service and GPU. The unexplained "
             "rest is a part of its own. A run without an estimate is broken down.",
    .examples = "stint why last\n"
                "stint why 1a2b3c4d last --png why.png\n"
                "stint why 2026-09 2026-10\n"
                "stint why 2026-10 --where team=nlp --by project,model --json",
    .print = print_why,
};
