/* stint budget set, check, list, show, remove */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "cli/alert_view.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/alert/alert.h"
#include "op/budget/budget.h"

/* "$4,102.05"; "?" when it is not known. */
static void put_money(const struct money *m, struct buf *out)
{
    if (m->currency[0] == '\0')
        buf_char(out, '?');
    else
        budget_money(m->amount, m->currency, out);
}

static void money_cell(struct table *t, const struct money *m)
{
    struct buf text = buf_new(t->arena->alloc, 128);

    put_money(m, &text);
    t->failed |= text.failed != ERROR_NONE;
    table_text(t, buf_text(&text));
    buf_free(&text);
}

/* "$5975 ($5500 to $6400)" */
static void put_forecast(const struct budget_view *b, struct buf *out)
{
    budget_range(b->forecast, b->forecast_low, b->forecast_high, b->amount.currency, out);
}

static void forecast_cell(struct table *t, const struct budget_view *b)
{
    struct buf text = buf_new(t->arena->alloc, 256);

    if (isnan(b->forecast))
        buf_char(&text, '-');
    else
        put_forecast(b, &text);
    t->failed |= text.failed != ERROR_NONE;
    table_text(t, buf_text(&text));
    buf_free(&text);
}

static void row(struct table *t, const struct budget_view *b)
{
    bool known = b->problem.len == 0;

    table_text(t, b->name);
    table_text(t, b->period.len > 0 ? b->period : STR("-"));
    money_cell(t, &b->spent);
    if (known && b->metered.amount.coefficient == 0)
        table_cell(t, "-");
    else
        money_cell(t, &b->metered);
    money_cell(t, known ? &b->limit : &b->amount);
    if (isnan(b->share))
        table_cell(t, "?");
    else
        table_cell(t, "%.0f %%", floor(b->share * 100));
    forecast_cell(t, b);
    table_text(t, b->state);
    if (!known || b->share >= 1)
        table_style(t, STYLE_WARN);
}

/* Why there is no forecast, of those that have none. */
static void print_unforeseen(const struct view *view, const struct rows *budgets)
{
    const struct budget_view *at = budgets->at;
    bool any = false;

    for (size_t i = 0; i < budgets->len; i++) {
        if (at[i].forecast_problem.len == 0)
            continue;
        buf_adds(view->out, any ? "" : "\n");
        any = true;
        buf_adds(view->out, "no forecast of ");
        buf_add_safe(view->out, at[i].name);
        buf_addf(view->out, ": %.*s\n", STR_ARG(at[i].forecast_problem));
    }
}

static void print_table(const struct view *view, const struct rows *budgets)
{
    static const struct table_column columns[] = {
        {.title = "budget", .shrink = true},
        {.title = "period"},
        {.title = "spent", .right = true},
        {.title = "of which metered", .right = true, .optional = true},
        {.title = "of", .right = true},
        {.title = "share", .right = true},
        {.title = "forecast", .right = true},
        {.title = "state"},
    };
    const struct budget_view *at = budgets->at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    int64_t unpriced = 0;

    if (budgets->len == 0) {
        buf_adds(view->out, "there are no budgets: 'stint budget set NAME 500usd' adds one\n");
        return;
    }
    for (size_t i = 0; i < budgets->len; i++) {
        row(&t, &at[i]);
        unpriced = at[i].unpriced > unpriced ? at[i].unpriced : unpriced;
    }
    table_write(&t, &view->term, view->out);
    print_unforeseen(view, budgets);
    if (unpriced > 0)
        buf_addf(view->out, "\nwithout %lld run%s whose cost is unknown\n", (long long)unpriced,
                 unpriced == 1 ? "" : "s");
}

static void print_list(const struct view *view, const void *result)
{
    const struct budget_list_result *res = result;

    print_table(view, &res->budgets);
}

static void print_check(const struct view *view, const void *result)
{
    const struct budget_check_result *res = result;

    if (res->quiet) {
        alert_view_failures(view, &res->delivered);
        return;
    }
    print_table(view, &res->budgets);
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

static void print_set(const struct view *view, const void *result)
{
    const struct budget_set_result *res = result;

    buf_addf(view->out, "%s the budget '%.*s': ", res->changed ? "changed" : "added",
             STR_ARG(res->name));
    put_money(&res->amount, view->out);
    if (str_eq(res->period, STR("total")))
        buf_adds(view->out, " in total");
    else
        buf_addf(view->out, " a %.*s", STR_ARG(res->period));
    put_list(", for ", res->where, "everything", view->out);
    buf_char(view->out, '\n');
    put_list("alerts: ", res->channels, "none ('--alert CHANNEL' sets where they go)",
             view->out);
    put_shares("; at ", res->thresholds, " % spent", view->out);
    put_shares("; at ", res->forecast, " % forecast", view->out);
    buf_char(view->out, '\n');
    if (res->stops)
        buf_adds(view->out, "stops runs that it covers when it is spent\n");
}

static void print_remove(const struct view *view, const void *result)
{
    const struct budget_remove_result *res = result;

    buf_addf(view->out, "removed the budget '%.*s'\n", STR_ARG(res->name));
    alert_view_sent(view, &res->delivered, false);
}

/* ---- show ---- */

static void line(const struct view *view, const char *label, const struct money *m)
{
    view_label(view, label);
    put_money(m, view->out);
    buf_char(view->out, '\n');
}

static void print_head(const struct view *view, const struct budget_view *b)
{
    view_label(view, "budget");
    buf_add_safe(view->out, b->name);
    buf_char(view->out, '\n');
    view_label(view, "counts");
    put_list("", b->where, "everything", view->out);
    buf_char(view->out, '\n');
    view_label(view, "period");
    buf_add_safe(view->out, b->period);
    buf_addf(view->out, " (%.*s)\n", STR_ARG(b->zone));
    line(view, "amount", &b->amount);
    if (b->rollover)
        line(view, "rolled over", &b->carried);
    line(view, "spent", &b->spent);
    line(view, "metered", &b->metered);
    line(view, "left", &b->left);
    if (!isnan(b->forecast)) {
        view_label(view, "forecast");
        put_forecast(b, view->out);
        buf_adds(view->out, ", by ");
        buf_add_safe(view->out, b->method);
        buf_char(view->out, '\n');
    } else if (b->forecast_problem.len > 0) {
        view_label(view, "forecast");
        buf_addf(view->out, "none: %.*s\n", STR_ARG(b->forecast_problem));
    }
    view_label(view, "state");
    buf_add_safe(view->out, b->state);
    buf_char(view->out, '\n');
    view_label(view, "alerts");
    put_list("", b->channels, "none", view->out);
    put_shares("; at ", b->thresholds, " % spent", view->out);
    put_shares("; at ", b->forecast_thresholds, " % forecast", view->out);
    buf_char(view->out, '\n');
    if (b->stops) {
        view_label(view, "stops");
        buf_adds(view->out, "runs that it covers\n");
    }
}

static void print_show(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "day (UTC)"},
        {.title = "spent", .right = true},
        {.title = "of which metered", .right = true},
    };
    const struct budget_show_result *res = result;
    const struct budget_day *days = res->days.at;
    const struct ledger_alert *alerts = res->alerts.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    print_head(view, &res->budget);
    for (size_t i = 0; i < res->days.len; i++) {
        view_day(&t, days[i].date);
        money_cell(&t, &days[i].spent);
        money_cell(&t, &days[i].metered);
    }
    if (res->days.len > 0) {
        buf_char(view->out, '\n');
        table_write(&t, &view->term, view->out);
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
    .about =
        "Sets a budget: an amount for each month, quarter or year, or a total; for all costs,\n"
        "or for those that match conditions. Alerts go to its channels at each threshold, and\n"
        "when the forecast for the period reaches one. With --stop, 'stint run' stops runs\n"
        "that it covers. Options that are not given keep the values of an existing budget.",
    .examples = "stint budget set nlp 5000usd --where team=nlp --alert team,boss\n"
                "stint budget set all 20000usd --period quarter --thresholds 50,80,100\n"
                "stint budget set thesis 300eur --period total --last-day 2027-03-31 --stop\n"
                "stint budget set nlp --no-stop --alert none",
    .print = print_set,
};

const struct command cmd_budget_check = {
    .name = "budget check",
    .op = &op_budget_check,
    .about =
        "Checks every budget, sends alerts (once for each event, again when it becomes worse,\n"
        "and when it is over) and other messages that are due. Exit status 1 when a budget\n"
        "could not be evaluated or a message was not accepted. Run it from cron; --quiet\n"
        "prints only what went wrong: 17 * * * * stint budget check --quiet",
    .examples = "stint budget check\n"
                "stint budget check --quiet\n"
                "stint budget check --json",
    .print = print_check,
};

const struct command cmd_budget_list = {
    .name = "budget list",
    .op = &op_budget_list,
    .about =
        "Lists budgets: spent, how much of that is not billed yet, and the forecast of the\n"
        "period. Sends no alerts.",
    .examples = "stint budget list\n"
                "stint budget list --json",
    .print = print_list,
};

const struct command cmd_budget_show = {
    .name = "budget show",
    .op = &op_budget_show,
    .about = "Shows one budget: its state, its days and its alerts.",
    .examples = "stint budget show nlp",
    .print = print_show,
};

const struct command cmd_budget_remove = {
    .name = "budget remove",
    .op = &op_budget_remove,
    .about = "Removes a budget, and resolves its alerts.",
    .examples = "stint budget remove nlp",
    .print = print_remove,
};
