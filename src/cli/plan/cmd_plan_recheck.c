/* stint plan recheck */

#include "cli/commands.h"
#include "cli/view.h"
#include "op/op.h"
#include "op/plan/plan_recheck.h"

/* Of an offer that is gone no cost is expected: "-", not "?". */
static bool write_recheck_cost(const struct column *column, const void *row, struct buf *out)
{
    const struct plan_recheck_row *r = row;
    usd cost = column->index == 0 ? r->then.cost : r->cost_now;

    if (cost.nano != MONEY_UNKNOWN)
        return false;
    buf_char(out, r->price_now.nano == MONEY_UNKNOWN ? '-' : '?');
    return true;
}

/* The offer and, when it is gone, the region that it is compared with. */
static bool write_recheck_offer(const struct column *column, const void *row, struct buf *out)
{
    const struct plan_recheck_row *r = row;
    struct str rest = r->elsewhere, region;

    (void)column;
    if (r->elsewhere.len == 0)
        return false;
    (void)str_cut(&rest, '/');
    region = str_cut(&rest, '/');
    buf_addf(out, "%.*s (now %.*s)", STR_ARG(r->then.offer), STR_ARG(region));
    return true;
}

static const struct column columns[] = {
    COLUMN("plan", role),
    COLUMN("offer", offer, .cell = write_recheck_offer, .shrink = true),
    COLUMN("market", market),
    COLUMN("price then", price_then, .unknown = "-"),
    COLUMN("now", price_now, .unknown = "-"),
    COLUMN("change", price_change, .form = COLUMN_CHANGE, .otherwise = "state"),
    COLUMN("cost then", cost_then, .form = COLUMN_ESTIMATE, .cell = write_recheck_cost,
           .index = 0),
    COLUMN("now", cost_now, .form = COLUMN_ESTIMATE, .cell = write_recheck_cost, .index = 1),
};

static const struct column deployment_columns[] = {
    COLUMN("deployment", deployment),
    COLUMN("then", offer_then, .unknown = "-", .shrink = true),
    COLUMN("now", offer_now, .unknown = "-", .shrink = true),
    COLUMN("cost then", cost_then, .form = COLUMN_ESTIMATE, .unknown = "-"),
    COLUMN("now", cost_now, .form = COLUMN_ESTIMATE, .unknown = "-"),
    COLUMN("change", cost_change, .form = COLUMN_CHANGE),
};

/* "2026-11-01 (4 days old when it was planned)" */
static void write_age(struct buf *out, day date, int64_t days, const char *when)
{
    day_write(date, out);
    if (days >= 0)
        buf_addf(out, " (%lld day%s old%s)", (long long)days, days == 1 ? "" : "s", when);
}

static void print_recheck_basis(const struct view *view, const struct plan_recheck_result *res)
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
    buf_free_part(&text, view->out);
}

/* "today's best: OFFER (MARKET) $62.14: the same" */
static void print_today(const struct view *view, const struct plan_recheck_result *res)
{
    const struct plan_recheck_deployment *rows = res->check.deployments.at, *best = NULL;
    struct buf text = buf_new(view->arena->alloc, 1024);

    for (size_t i = 0; i < res->check.deployments.len; i++)
        if (rows[i].cost_now.nano != MONEY_UNKNOWN &&
            (best == NULL || usd_compare(rows[i].cost_now, best->cost_now) < 0))
            best = &rows[i];
    if (best != NULL) {
        buf_adds(&text, "today's best: ");
        buf_add_safe(&text, best->deployment);
        buf_adds(&text, ", ");
        buf_add_safe(&text, best->offer_now);
        buf_char(&text, ' ');
        usd_write_estimate(best->cost_now, &text);
        view_text(view, buf_text(&text));
    } else if (res->check.best_offer.len > 0) {
        buf_adds(&text, "today's best: ");
        buf_add_safe(&text, res->check.best_offer);
        buf_addf(&text, " (%s) ", market_names[res->check.best_market]);
        usd_write_estimate(res->check.best_cost, &text);
        if (res->check.same)
            buf_adds(&text, ": the same");
        view_text(view, buf_text(&text));
    }
    buf_free_part(&text, view->out);
}

static void print_plan_recheck(const struct view *view, const void *result)
{
    const struct plan_recheck_result *res = result;

    buf_add_safe(view->out, res->check.verdict);
    buf_char(view->out, '\n');
    print_today(view, res);
    buf_char(view->out, '\n');
    if (res->check.deployments.len > 0) {
        view_rows(view, &op_plan_recheck, res, "deployments", COLUMNS(deployment_columns));
        buf_char(view->out, '\n');
    }
    if (res->check.plans.len == 0)
        return;
    view_rows(view, &op_plan_recheck, res, "plans", COLUMNS(columns));
    buf_char(view->out, '\n');
    print_recheck_basis(view, res);
}

const struct command cmd_plan_recheck = {
    .name = "plan recheck",
    .op = &op_plan_recheck,
    .about =
        "Shows what changed since a plan was saved: for each of its offers the price then and "
        "now, what the plan would cost today, and whether it is still good. Hours and setting "
        "come from the file; only prices are looked up. The job is then planned again with the "
        "same options to find today's best plan. Exit status 1 when the best plan is gone, "
        "costs more than --tolerance allows, or another plan is cheaper.",
    .examples = "stint plan recheck plan.json\n"
                "stint plan recheck plan.json --tolerance 10%",
    .print = print_plan_recheck,
};
