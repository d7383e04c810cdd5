/* stint budget set, check, list, show, remove */
#include <math.h>

#include "base/num.h"
#include "cli/alert_view.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/budget/budget.h"
#include "op/op.h"
#include "report/records.h"

/* "$4,102.05"; "?" when it is not known. */
static void put_budget_money(const struct money *m, struct buf *out)
{
    if (currency_unset(m->currency))
        buf_char(out, '?');
    else
        budget_money(m->amount, m->currency, out);
}

/* "$5,980 ($5,500 to $6,400)" */
static void put_forecast(const struct budget_view *b, struct buf *out)
{
    budget_range(b->is.forecast, b->is.low, b->is.high, b->budget.amount.currency, out);
}

/* Why there is no forecast, of those that have none. */
static void print_without_forecast(const struct view *view, const struct rows *budgets)
{
    const struct budget_view *at = budgets->at;
    bool any = false;

    for (size_t i = 0; i < budgets->len; i++) {
        if (at[i].is.no_forecast.len == 0)
            continue;
        buf_adds(view->out, any ? "" : "\n");
        any = true;
        buf_adds(view->out, "no forecast of ");
        buf_add_safe(view->out, at[i].budget.name);
        buf_adds(view->out, ": ");
        buf_add(view->out, at[i].is.no_forecast);
        buf_char(view->out, '\n');
    }
}

static void print_budget_table(const struct view *view, const struct rows *budgets)
{
    const struct table_rows rows = {&budget_view_fields, budgets->at, budgets->len};
    const struct budget_view *at = budgets->at;
    int64_t unpriced = 0;

    if (budgets->len == 0) {
        buf_adds(view->out, "there are no budgets: 'stint budget set NAME 500usd' adds one\n");
        return;
    }
    for (size_t i = 0; i < budgets->len; i++)
        unpriced = at[i].is.unpriced > unpriced ? at[i].is.unpriced : unpriced;
    columns_print(&budget_columns[PLACE_TERMINAL], &rows, &view->term, view->arena, view->out);
    print_without_forecast(view, budgets);
    if (unpriced > 0)
        buf_addf(view->out, "\nwithout %lld run%s whose cost is unknown\n", (long long)unpriced,
                 unpriced == 1 ? "" : "s");
}

static void print_budget_list(const struct view *view, const void *result)
{
    const struct budget_list_result *res = result;

    print_budget_table(view, &res->budgets);
}

static void print_budget_check(const struct view *view, const void *result)
{
    const struct budget_check_result *res = result;

    if (res->quiet) {
        alert_view_failures(view, &res->delivered);
        return;
    }
    print_budget_table(view, &res->budgets);
    if (res->delivered.sent + res->delivered.postponed + (int64_t)res->delivered.failures.len >
        0)
        buf_char(view->out, '\n');
    alert_view_sent(view, &res->delivered, false);
}

/* ---- set, remove ---- */

static void put_list(const char *before, struct strs list, const char *none, struct buf *out)
{
    buf_adds(out, before);
    for (size_t i = 0; i < list.len; i++) {
        buf_adds(out, i > 0 ? ", " : "");
        buf_add_safe(out, list.at[i]);
    }
    if (list.len == 0)
        buf_adds(out, none);
}

static void put_shares(const char *before, struct numbers list, const char *after,
                       struct buf *out)
{
    for (size_t i = 0; i < list.len; i++) {
        buf_adds(out, i > 0 ? ", " : before);
        num_write(round(list.at[i] * 10000) / 100, out);
    }
    if (list.len > 0)
        buf_adds(out, after);
}

static void print_budget_set(const struct view *view, const void *result)
{
    const struct budget_set_result *res = result;
    const struct ledger_budget *b = &res->budget;

    buf_addf(view->out, "%s the budget '%.*s': ", res->changed ? "changed" : "added",
             STR_ARG(b->name));
    put_budget_money(&b->amount, view->out);
    if (str_eq(b->period, STR("total")))
        buf_adds(view->out, " in total");
    else
        buf_addf(view->out, " a %.*s", STR_ARG(b->period));
    put_list(", for ", b->scope, "everything", view->out);
    buf_char(view->out, '\n');
    put_list("alerts: ", b->channels, "none ('--alert CHANNEL' sets where they go)", view->out);
    put_shares("; at ", b->thresholds, " % spent", view->out);
    put_shares("; at ", b->forecast, " % forecast", view->out);
    buf_char(view->out, '\n');
    if (b->stops)
        buf_adds(view->out, "stops runs that it covers when it is spent\n");
}

static void print_budget_remove(const struct view *view, const void *result)
{
    const struct budget_remove_result *res = result;

    buf_addf(view->out, "removed the budget '%.*s'\n", STR_ARG(res->name));
    alert_view_sent(view, &res->delivered, false);
}

/* ---- show ---- */

static void print_budget_amount(const struct view *view, const char *label,
                                const struct money *m)
{
    view_label(view, label);
    put_budget_money(m, view->out);
    buf_char(view->out, '\n');
}

static void print_budget_head(const struct view *view, const struct budget_view *b)
{
    view_label(view, "budget");
    buf_add_safe(view->out, b->budget.name);
    buf_char(view->out, '\n');
    view_label(view, "counts");
    put_list("", b->budget.scope, "everything", view->out);
    buf_char(view->out, '\n');
    view_label(view, "period");
    buf_add_safe(view->out, b->period);
    buf_addf(view->out, " (%.*s)\n", STR_ARG(b->budget.zone));
    print_budget_amount(view, "amount", &b->budget.amount);
    if (b->budget.rollover)
        print_budget_amount(view, "rolled over", &b->carried);
    print_budget_amount(view, "spent", &b->spent);
    print_budget_amount(view, "metered", &b->metered);
    print_budget_amount(view, "left", &b->remaining);
    if (!isnan(b->is.forecast)) {
        view_label(view, "forecast");
        put_forecast(b, view->out);
        buf_adds(view->out, ", by ");
        buf_add_safe(view->out, b->is.method);
        buf_char(view->out, '\n');
    } else if (b->is.no_forecast.len > 0) {
        view_label(view, "forecast");
        buf_adds(view->out, "none: ");
        buf_add(view->out, b->is.no_forecast);
        buf_char(view->out, '\n');
    }
    view_label(view, "state");
    buf_add_safe(view->out, b->state);
    buf_char(view->out, '\n');
    view_label(view, "alerts");
    put_list("", b->budget.channels, "none", view->out);
    put_shares("; at ", b->budget.thresholds, " % spent", view->out);
    put_shares("; at ", b->budget.forecast, " % forecast", view->out);
    buf_char(view->out, '\n');
    if (b->budget.stops) {
        view_label(view, "stops");
        buf_adds(view->out, "runs that it covers\n");
    }
}

#define DAYS_SHOWN 31 /* of a longer period, only days with spending */

static struct rows days_shown(const struct view *view, const struct budget_show_result *res)
{
    const struct budget_day *all = res->days.at;
    struct error err = {0};
    struct budget_day *some = arena_array(view->arena, struct budget_day, res->days.len, &err);
    size_t count = 0;

    if (some == NULL || res->days.len <= DAYS_SHOWN)
        return res->days;
    for (size_t i = 0; i < res->days.len; i++)
        if (decimal_known(all[i].spent.amount) && all[i].spent.amount.coefficient != 0)
            some[count++] = all[i];
    return (struct rows){some, count};
}

static void print_budget(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("day (UTC)", date),
        COLUMN("spent", spent, .unknown = "?"),
        COLUMN("of which metered", metered, .unknown = "?"),
    };
    const struct budget_show_result *res = result;
    const struct ledger_alert *alerts = res->alerts.at;

    print_budget_head(view, &res->budget);
    if (res->days.len > 0) {
        struct budget_show_result shown = *res;

        shown.days = days_shown(view, res);
        buf_char(view->out, '\n');
        view_rows(view, &op_budget_show, &shown, "days", COLUMNS(columns));
    }
    for (size_t i = 0; i < res->alerts.len; i++) {
        buf_addf(view->out, "%salert %lld, %s, %.*s: ", i == 0 ? "\n" : "",
                 (long long)alerts[i].key, alerts[i].firing ? "firing" : "resolved",
                 STR_ARG(alerts[i].severity));
        buf_add_safe(view->out, alerts[i].title);
        buf_adds(view->out, " (since ");
        stamp_write(alerts[i].began, view->out);
        buf_adds(view->out, ")\n");
    }
}

const struct command cmd_budget_set = {
    .name = "budget set",
    .op = &op_budget_set,
    .group = {"budgets that alert and stop runs", CLI_AFTER, .first = true},
    .about =
        "Sets a budget: an amount for each month, quarter or year, or a total; for all costs, "
        "or for those that match conditions. Alerts go to its channels at each threshold, and "
        "when the forecast for the period reaches one. With --stop, 'stint run' stops runs "
        "that it covers. Options that are not given keep the values of an existing budget.",
    .examples = "stint budget set nlp 5000usd --where team=nlp --alert team,boss\n"
                "stint budget set all 20000usd --period quarter --thresholds 50,80,100\n"
                "stint budget set thesis 300eur --period total --last-day 2027-03-31 --stop\n"
                "stint budget set nlp --no-stop --alert none",
    .print = print_budget_set,
};

const struct command cmd_budget_check = {
    .name = "budget check",
    .op = &op_budget_check,
    .about = "Checks every budget, sends alerts (once for each event, again when it becomes "
             "worse, and when it is over) and other messages that are due. Exit status 1 when "
             "a budget could not be evaluated or a message was not accepted. Run it from cron; "
             "--quiet prints only problems: 17 * * * * stint budget check --quiet",
    .examples = "stint budget check\n"
                "stint budget check --quiet\n"
                "stint budget check --json",
    .print = print_budget_check,
};

const struct command cmd_budget_list = {
    .name = "budget list",
    .op = &op_budget_list,
    .about = "Lists budgets: spent, how much of that is not billed yet, and the forecast of "
             "the period. Sends no alerts.",
    .examples = "stint budget list\n"
                "stint budget list --json",
    .print = print_budget_list,
};

const struct command cmd_budget_show = {
    .name = "budget show",
    .op = &op_budget_show,
    .about = "Shows one budget: its state, its days and its alerts.",
    .examples = "stint budget show nlp",
    .print = print_budget,
};

const struct command cmd_budget_remove = {
    .name = "budget remove",
    .op = &op_budget_remove,
    .about = "Removes a budget, and resolves its alerts.",
    .examples = "stint budget remove nlp",
    .print = print_budget_remove,
};
