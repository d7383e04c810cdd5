/* stint plan recheck */
#include <math.h>

#include "cli/commands.h"
#include "cli/view.h"
#include "op/plan/plan_recheck.h"

static void change_cell(struct table *t, const struct plan_recheck_row *row)
{
    if (isnan(row->price_change))
        table_text(t, row->state);
    else
        table_cell(t, "%s%.1f %%", row->price_change >= 0 ? "+" : "", row->price_change * 100);
}

/* "$62.14", or that there is none. */
static void cost_cell(struct table *t, const struct plan_recheck_row *row, usd cost)
{
    if (cost.nano == MONEY_UNKNOWN && row->price_now.nano == MONEY_UNKNOWN)
        table_text(t, STR("-"));
    else
        view_amount(t, cost);
}

static void price_cell(struct table *t, usd_per_hour price)
{
    if (price.nano == MONEY_UNKNOWN)
        table_text(t, STR("-"));
    else
        view_rate(t, price);
}

/* The offer and, where it is not there, the region that it is compared with. */
static void offer_cell(struct table *t, const struct plan_recheck_row *row)
{
    struct str rest = row->elsewhere, region;

    if (row->elsewhere.len == 0) {
        table_text(t, row->then.offer);
        return;
    }
    (void)str_cut(&rest, '/');
    region = str_cut(&rest, '/');
    table_cell(t, "%.*s (now %.*s)", STR_ARG(row->then.offer), STR_ARG(region));
}

static void print_table(const struct view *view, const struct plan_recheck_result *res)
{
    struct table_column columns[] = {
        {.title = "plan"},
        {.title = "offer", .shrink = true},
        {.title = "market"},
        {.title = "price then", .right = true},
        {.title = "now", .right = true},
        {.title = "change", .right = true},
        {.title = "cost then", .right = true},
        {.title = "now", .right = true},
    };
    const struct plan_recheck_row *rows = res->check.plans.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->check.plans.len; i++) {
        table_text(&t, rows[i].then.role);
        offer_cell(&t, &rows[i]);
        table_text(&t, rows[i].then.market);
        price_cell(&t, rows[i].then.price);
        price_cell(&t, rows[i].price_now);
        change_cell(&t, &rows[i]);
        cost_cell(&t, &rows[i], rows[i].then.cost);
        cost_cell(&t, &rows[i], rows[i].cost_now);
    }
    table_write(&t, &view->term, view->out);
}

/* "2026-11-01 (4 days old when it was planned)" */
static void write_age(struct buf *out, day date, int64_t days, const char *when)
{
    day_write(date, out);
    if (days >= 0)
        buf_addf(out, " (%lld day%s old%s)", (long long)days, days == 1 ? "" : "s", when);
}

static void print_basis(const struct view *view, const struct plan_recheck_result *res)
{
    const struct plan_recheck_row *best = res->check.plans.at;
    struct buf text = buf_new(view->arena->alloc, 1024);

    buf_adds(&text, "prices are per hour of one machine: then from ");
    write_age(&text, best->then.price_date, best->then.price_age_days, " when it was planned");
    if (best->date_now.n != DAY_UNKNOWN.n) {
        buf_adds(&text, ", now from ");
        write_age(&text, best->date_now, best->age_now_days, "");
    }
    buf_adds(&text, "; costs are per ");
    buf_add_safe(&text, res->unit.len > 0 ? res->unit : STR("job"));
    buf_adds(&text, ": ");
    buf_add(&text, res->method);
    view_text(view, buf_text(&text));
    buf_free(&text);
}

/* "today's best: OFFER (MARKET) $62.14: the same" */
static void print_today(const struct view *view, const struct plan_recheck_result *res)
{
    struct buf text = buf_new(view->arena->alloc, 1024);

    if (res->check.best_offer.len > 0) {
        buf_adds(&text, "today's best: ");
        buf_add_safe(&text, res->check.best_offer);
        buf_addf(&text, " (%.*s) ", STR_ARG(res->check.best_market));
        usd_write(res->check.best_cost, &text);
        if (res->check.same)
            buf_adds(&text, ": the same");
        view_text(view, buf_text(&text));
    }
    buf_free(&text);
}

static void print_plan_recheck(const struct view *view, const void *result)
{
    const struct plan_recheck_result *res = result;

    buf_add_safe(view->out, res->check.verdict);
    buf_char(view->out, '\n');
    print_today(view, res);
    buf_char(view->out, '\n');
    print_table(view, res);
    buf_char(view->out, '\n');
    print_basis(view, res);
}

const struct command cmd_plan_recheck = {
    .name = "plan recheck",
    .op = &op_plan_recheck,
    .about =
        "Shows what changed since a plan was saved: for each of its offers the price then\n"
        "and now, what the plan would cost today, and whether it is still good. Hours and\n"
        "setting come from the file; only prices are looked up. The job is then planned\n"
        "again with the same options to find today's best plan. Exit status 1 when the\n"
        "best plan is gone, costs more than --tolerance allows, or another plan is\n"
        "cheaper.",
    .examples = "stint plan recheck plan.json\n"
                "stint plan recheck plan.json --tolerance 10%",
    .print = print_plan_recheck,
};
