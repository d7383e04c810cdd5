/* stint budget split */
#include <math.h>

#include "cli/commands.h"
#include "cli/view.h"
#include "op/op.h"
#include "op/plan/budget_split.h"

#define BAR 20 /* columns */

/* "######..............": how much is taken. */
static void put_bar(double share, struct buf *out)
{
    static const char full[] = "####################", empty[] = "....................";
    int filled = share > 0 ? (int)lround(fmin(share, 1) * BAR) : 0;

    if (!isnan(share))
        buf_addf(out, "%.*s%.*s%s", filled, full, BAR - filled, empty,
                 share > 1 ? " over" : "");
}

/* The share of an amount that is planned; INFINITY when it is more, however little. */
static double taken(const struct money *amount, const struct money *planned)
{
    double all = decimal_double(amount->amount), used = decimal_double(planned->amount);

    if (currency_unset(planned->currency))
        return NAN;
    if (decimal_cmp(planned->amount, amount->amount) > 0)
        return INFINITY;
    return all > 0 ? used / all : 0;
}

/* By the plans of the part or, without any, by the part of the budget. */
static bool write_part_bar(const struct column *column, const void *row, struct buf *out)
{
    const struct budget_part *part = row;

    put_bar(column->index == 0 ? part->share : taken(&part->amount, &part->planned), out);
    return true;
}

static enum term_style style_of_part(const void *row)
{
    return ((const struct budget_part *)row)->over ? STYLE_WARN : STYLE_PLAIN;
}

static void print_split_parts(const struct view *view, const struct budget_split *res,
                              bool planned)
{
    const struct column columns[] = {
        COLUMN("part", part),
        COLUMN("share", share, .form = COLUMN_PERCENT, .decimals = 1),
        COLUMN("amount", amount),
        COLUMN("planned", planned, .hidden = !planned),
        COLUMN("left", remaining, .hidden = !planned),
        COLUMN_CELL(planned ? "taken" : "of the budget", write_part_bar, .index = planned,
                    .optional = true),
    };
    struct table_rows parts = field_rows(op_budget_split.result, "parts", res);
    struct column_table t =
        columns_new(COLUMNS(columns, .style = style_of_part), parts.row, view->arena);
    struct budget_part all = {.share = 1,
                              .amount = res->budget,
                              .planned = res->planned,
                              .remaining = res->remaining};
    struct buf text = buf_new(view->arena->alloc, 256);

    columns_add(&t, &parts);
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        buf_clear(&text);
        if (i == 0)
            buf_adds(&text, "all");
        else
            column_write(&columns[i], parts.row, &all, &text);
        table_text(&t.table, buf_text(&text));
        t.table.failed = t.table.failed || text.failed != ERROR_NONE;
    }
    buf_free(&text);
    table_style(&t.table, STYLE_BOLD);
    columns_write(&t, &view->term, view->out);
}

static bool write_plan_part(const struct column *column, const void *row, struct buf *out)
{
    (void)column;
    if (!currency_unset(((const struct budget_plan *)row)->held.currency))
        return false;
    buf_adds(out, "nothing: no exchange rate");
    return true;
}

static const struct column plan_columns[] = {
    COLUMN("plan", name, .shrink = true),
    COLUMN("compared with", part, .cell = write_plan_part),
    COLUMN("cost", converted_cost, .otherwise = "cost"),
    COLUMN("file", file, .shrink = true, .optional = true),
};

static void print_budget_split(const struct view *view, const void *result)
{
    const struct budget_split *res = result;
    bool planned = res->plans.len > 0;

    print_split_parts(view, res, planned);
    if (planned) {
        buf_char(view->out, '\n');
        view_rows(view, &op_budget_split, res, "plans", COLUMNS(plan_columns));
    }
    if (res->over.amount.coefficient > 0) {
        buf_adds(view->out, "\nover by ");
        money_write_cents(&res->over, view->out);
        buf_adds(view->out, res->reserve_covers ? " in all: the reserve covers that\n"
                                                : " in all: more than the reserve\n");
    }
}

const struct command cmd_budget_split = {
    .name = "budget split",
    .op = &op_budget_split,
    .about = "Splits a monthly budget into experiments, production, storage and a reserve, by "
             "a rule of thumb (30, 50, 10 and 10 %) or by the shares you give; parts without a "
             "share divide the rest. Plans are compared with it: those of jobs with an "
             "'experiment:' section with experiments, the others with production.",
    .examples = "stint budget split 100usd\n"
                "stint budget split 100usd lora.json sweep.json --storage 20usd\n"
                "stint budget split 80eur --experiments 40% --reserve 5%",
    .print = print_budget_split,
};
