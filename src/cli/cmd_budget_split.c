/* stint budget split */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/plan/budget_split.h"

#define BAR 20 /* columns */

/* "$30.00", "-12.50 EUR"; "-" when nothing is known of it. */
static void put_money(const struct money *m, struct buf *out)
{
    double value = decimal_double(m->amount);

    if (m->currency[0] == '\0') {
        buf_char(out, '-');
    } else if (strcmp(m->currency, "USD") == 0) {
        usd_write(usd_from(value), out);
    } else {
        num_write_fixed(value, 2, out);
        buf_addf(out, " %s", m->currency);
    }
}

static void money_cell(struct table *t, const struct money *m)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    put_money(m, &text);
    t->failed |= text.failed != ERROR_NONE;
    table_text(t, buf_text(&text));
    buf_free(&text);
}

/* How much of it is taken: by the plans of the part or, without any, by the part of the
 * whole. */
static void bar_cell(struct table *t, double share)
{
    static const char full[] = "####################", empty[] = "....................";
    int filled = share > 0 ? (int)lround(fmin(share, 1) * BAR) : 0;

    if (isnan(share))
        table_cell(t, "-");
    else
        table_cell(t, "%.*s%.*s%s", filled, full, BAR - filled, empty,
                   share > 1 ? " over" : "");
}

/* The share of an amount that is planned; INFINITY when it is more, however little. */
static double taken(const struct money *amount, const struct money *planned)
{
    double all = decimal_double(amount->amount), used = decimal_double(planned->amount);

    if (planned->currency[0] == '\0')
        return NAN;
    if (decimal_cmp(planned->amount, amount->amount) > 0)
        return INFINITY;
    return all > 0 ? used / all : 0;
}

static void print_parts(const struct view *view, const struct budget_split_result *res,
                        bool planned)
{
    const struct table_column columns[] = {
        {.title = "part"},
        {.title = "share", .right = true},
        {.title = "amount", .right = true},
        {.title = "planned", .right = true, .hidden = !planned},
        {.title = "left", .right = true, .hidden = !planned},
        {.title = planned ? "taken" : "of the budget", .optional = true},
    };
    const struct budget_part *parts = res->parts.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->parts.len; i++) {
        table_text(&t, parts[i].part);
        table_cell(&t, "%.1f %%", parts[i].share * 100);
        money_cell(&t, &parts[i].amount);
        money_cell(&t, &parts[i].planned);
        money_cell(&t, &parts[i].left);
        bar_cell(&t, planned ? taken(&parts[i].amount, &parts[i].planned) : parts[i].share);
        if (parts[i].over)
            table_style(&t, STYLE_WARN);
    }
    table_cell(&t, "all");
    table_cell(&t, "%.1f %%", 100.0);
    money_cell(&t, &res->budget);
    money_cell(&t, &res->planned);
    money_cell(&t, &res->left);
    bar_cell(&t, planned ? taken(&res->budget, &res->planned) : 1);
    table_style(&t, STYLE_BOLD);
    table_write(&t, &view->term, view->out);
}

static void print_plans(const struct view *view, const struct budget_split_result *res)
{
    static const struct table_column columns[] = {
        {.title = "plan", .shrink = true},
        {.title = "compared with"},
        {.title = "cost", .right = true},
        {.title = "file", .shrink = true, .optional = true},
    };
    const struct budget_plan *plans = res->plans.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->plans.len; i++) {
        bool held = plans[i].held.currency[0] != '\0';

        table_text(&t, plans[i].name);
        table_text(&t, held ? plans[i].part : STR("nothing: no exchange rate"));
        money_cell(&t, held ? &plans[i].held : &plans[i].cost);
        table_text(&t, plans[i].file);
    }
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
}

static void print_budget_split(const struct view *view, const void *result)
{
    const struct budget_split_result *res = result;
    bool planned = res->plans.len > 0;

    print_parts(view, res, planned);
    if (planned)
        print_plans(view, res);
    if (res->over.amount.coefficient > 0) {
        buf_adds(view->out, "\nover by ");
        put_money(&res->over, view->out);
        buf_adds(view->out, res->reserve_covers ? " in all: the reserve covers that\n"
                                                : " in all: more than the reserve\n");
    }
}

const struct command cmd_budget_split = {
    .name = "budget split",
    .op = &op_budget_split,
    .about = "Splits a monthly budget into experiments, production, storage and a reserve, by\n"
             "a rule of thumb (30, 50, 10 and 10 %) or by the shares you give; parts without\n"
             "a share divide the rest. Plans are compared with it: those of jobs with an\n"
             "'experiment:' section with experiments, the others with production.",
    .examples = "stint budget split 100usd\n"
                "stint budget split 100usd lora.json sweep.json --storage 20usd\n"
                "stint budget split 80eur --experiments 40% --reserve 5%",
    .print = print_budget_split,
};
