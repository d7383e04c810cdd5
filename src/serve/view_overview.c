/* The overview: this month, what runs now, what needs attention. */
#include <math.h>
#include <stddef.h>

#include "op/account/costs.h"
#include "op/alert/alert.h"
#include "op/bill/bills.h"
#include "op/budget/anomalies.h"
#include "op/budget/budget.h"
#include "op/budget/forecast.h"
#include "op/run/top.h"
#include "op/runs/runs.h"
#include "report/records.h"
#include "serve/view.h"

#define GROUPS 8   /* of teams, projects and GPUs */
#define EVENTS 5   /* alerts and anomalies */
#define RUNNING 50 /* runs */

/* ---- the numbers above ---- */

#define CURRENCIES 3 /* that are listed beside the first */

/* "and $3,577.06, 105,000.00 JPY": amounts are not added across currencies. The amount of a row
 * is `offset` bytes into it. */
static void add_other_currencies(struct visit *v, const struct rows *totals, size_t size,
                                 size_t offset, struct buf *note)
{
    const unsigned char *at = totals->at;

    for (size_t i = 1; i < totals->len && totals->len <= CURRENCIES + 1; i++) {
        struct str amount =
            page_money(v, (const struct money *)(const void *)(at + i * size + offset));

        if (amount.len == 0)
            continue;
        buf_adds(note, i > 1 ? ", " : note->len > 0 ? "; and " : "and ");
        buf_add(note, amount);
    }
    if (totals->len > CURRENCIES + 1)
        buf_addf(note, "%sand %zu other currencies", note->len > 0 ? "; " : "",
                 totals->len - 1);
}

static struct page_fact forecast_fact(struct visit *v, const struct forecast_result *f)
{
    const struct forecast_row *total = f != NULL ? f->forecast.totals.at : NULL;
    struct page_fact fact = {.label = "Forecast of the month"};
    struct buf note = page_buf(v);

    if (f == NULL || f->forecast.totals.len == 0)
        return fact;
    if (total->problem.len > 0) {
        fact.note = total->problem;
        return fact;
    }
    fact.value = page_money(v, &total->forecast);
    buf_adds(&note, "80 % of months: ");
    buf_add(&note, page_money(v, &total->low));
    buf_adds(&note, " to ");
    buf_add(&note, page_money(v, &total->high));
    add_other_currencies(v, &f->forecast.totals, sizeof *total,
                         offsetof(struct forecast_row, forecast), &note);
    fact.note = page_keep(v, &note);
    return fact;
}

/* The budget that is nearest to its end. */
static struct page_fact budget_fact(struct visit *v, const struct budget_list_result *b)
{
    struct page_fact fact = {.label = "Budget", .value = STR("none set"), .link = "/budgets"};
    const struct budget_view *worst = NULL;
    struct str limit;

    for (size_t i = 0; b != NULL && i < b->budgets.len; i++) {
        const struct budget_view *row = (const struct budget_view *)b->budgets.at + i;

        if (!isnan(row->is.share) && (worst == NULL || row->is.share > worst->is.share))
            worst = row;
    }
    if (worst == NULL && b != NULL && b->budgets.len > 0) {
        fact.value = STR("not evaluated");
        fact.note = STR("the page of budgets says why");
        fact.style = STYLE_WARN;
    }
    if (worst == NULL)
        return fact;
    limit = page_money(v, &worst->limit);
    fact.label = "Nearest budget";
    fact.value = page_used(v, worst->is.share);
    fact.note = page_text(v, "%.*s: %.*s %.*s (%.*s)", STR_ARG(worst->budget.name),
                          STR_ARG(view_left(v, &worst->remaining)), STR_ARG(limit),
                          STR_ARG(worst->period));
    fact.style = budget_style(worst);
    return fact;
}

static struct page_fact month_fact(struct visit *v, const struct costs_result *c)
{
    const struct costs_total *total =
        c != NULL && c->costs.totals.len > 0 ? c->costs.totals.at : NULL;
    struct page_fact fact = {.label =
                                 v->caller.team[0] != '\0'
                                     ? page_text(v, "Spent this month by %s", v->caller.team).at
                                     : "Spent this month"};
    struct buf note = page_buf(v);

    if (total == NULL)
        return fact;
    fact.value = page_money(v, &total->amount);
    if (decimal_double(total->metered.amount) != 0) {
        buf_add(&note, page_money(v, &total->metered));
        buf_adds(&note, " of it is metered and not billed yet");
    }
    add_other_currencies(v, &c->costs.totals, sizeof *total,
                         offsetof(struct costs_total, amount), &note);
    fact.note = page_keep(v, &note);
    return fact;
}

static struct page_fact running_fact(struct visit *v, const struct top_result *top)
{
    struct page_fact fact = {.label = "Running now"};
    struct str rate;

    if (top == NULL)
        return fact;
    rate = page_rate(v, top->sum.rate);
    fact.value = page_text(v, "%lld run%s", (long long)top->sum.running,
                           top->sum.running == 1 ? "" : "s");
    fact.note = page_text(v, "%.*s on %lld machine%s", STR_ARG(rate),
                          (long long)top->sum.machines, top->sum.machines == 1 ? "" : "s");
    fact.style = top->sum.running > 0 ? STYLE_GOOD : STYLE_PLAIN;
    return fact;
}

/* ---- parts ---- */

static const struct costs_result *ask_costs(struct visit *v, const char *by, int64_t limit)
{
    struct costs_request req;
    struct error err = {0};

    if (!view_request(v, &op_costs, &req, &err))
        return NULL;
    req.by = view_one(v, str_from(by));
    req.ask.days.month = view_month(v);
    req.limit = limit;
    return view_try(v, &op_costs, &req);
}

static void link_live(const void *row, struct buf *out)
{
    view_run_link(((const struct live_run *)row)->run.start.id, out);
}

static void write_running(struct visit *v, const struct top_result *top)
{
    page_section(v, "running", STR("Running now"), true);
    if (top != NULL)
        page_table(v, &(struct page_table){.id = "running",
                                           .caption = STR("Runs and their cost so far"),
                                           .columns = &live_run_columns[PLACE_OVERVIEW],
                                           .rows = field_rows(op_top.result, "runs", top),
                                           .most = RUNNING,
                                           .none = "Nothing is running.",
                                           .link = link_live});
    page_section_end(v);
}

/* What was spent on that day of the month, in the currency of the first row. */
static double spent_on(const struct costs_row *rows, size_t count, day date)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].from.n == date.n &&
            currency_compare(rows[i].amount.currency, rows[0].amount.currency) == 0)
            return decimal_double(rows[i].amount.amount);
    return 0;
}

/* Every day of the month until today, also those without spending. */
static void write_overview_days(struct visit *v)
{
    const struct costs_result *c = ask_costs(v, "day", 0);
    const struct costs_row *rows = c != NULL ? c->costs.rows.at : NULL;
    size_t count = c != NULL ? c->costs.rows.len : 0;
    day today = op_today(&v->ctx), first = day_month_start(today);
    struct figure_point points[31];
    struct figure_series series = {.at = points};
    struct figure f = {.kind = FIGURE_COLUMNS,
                       .title = STR("Spent each day"),
                       .y = {.unit = FIGURE_USD},
                       .series = &series,
                       .series_count = 1};

    if (count == 0) {
        buf_adds(&v->out, "<p class=\"sub\">Nothing was spent this month.</p>\n");
        return;
    }
    for (; series.len < 31 && first.n + (int32_t)series.len <= today.n; series.len++)
        points[series.len] = (struct figure_point){
            .label = page_text(v, "%zu", series.len + 1),
            .y = spent_on(rows, count, (day){first.n + (int32_t)series.len})};
    if (currency_compare(rows[0].amount.currency, currency_usd) != 0)
        f.y = (struct figure_axis){.label = currency_text(&rows[0].amount.currency)};
    page_figure_beside(v, &f);
    if (c->costs.totals.len > 1)
        html_element(&v->out, "<p class=\"sub\">Only what was spent in ",
                     currency_text(&rows[0].amount.currency), ".</p>\n");
}

/* Runs with that tag: "/runs?tag=team%3Dnlp". Those without, and others together, have no
 * list of their own. */
static void link_tagged(const void *row, const char *name, struct buf *out)
{
    const struct costs_row *r = row;

    if (r->others > 0 || r->value[0].at == NULL)
        return;
    buf_addf(out, "/runs?tag=%s%%3D", name);
    percent_encode(r->value[0], out);
}

static void link_team(const void *row, struct buf *out)
{
    link_tagged(row, "team", out);
}

static void link_project(const void *row, struct buf *out)
{
    link_tagged(row, "project", out);
}

static void link_gpu(const void *row, struct buf *out)
{
    const struct costs_row *r = row;

    if (r->others > 0 || r->value[0].at == NULL)
        return;
    buf_adds(out, "/prices?gpu=");
    percent_encode(r->value[0], out);
}

static void write_overview_groups(struct visit *v, const char *by, const char *id,
                                  void (*link)(const void *row, struct buf *out))
{
    static const struct column more[] = {
        COLUMN("cost", amount),
        COLUMN("share", share),
        COLUMN("not billed yet", metered, .zero_unknown = true, .unknown = "", .if_any = true,
               .optional = true),
    };
    const struct costs_result *c = ask_costs(v, by, view_most(v, GROUPS));
    struct columns columns;

    if (c == NULL)
        return;
    columns = columns_by(c->by, "others", COLUMNS(more), &v->arena);
    page_table(v, &(struct page_table){.id = id,
                                       .caption = STR("This month"),
                                       .columns = &columns,
                                       .rows = field_rows(op_costs.result, "rows", c),
                                       .none = "Nothing was spent this month.",
                                       .link = link,
                                       .sorted = true});
}

static void write_teams(struct visit *v)
{
    write_overview_groups(v, "team", "teams", link_team);
}

static void write_projects(struct visit *v)
{
    write_overview_groups(v, "project", "projects", link_project);
}

static void write_overview_gpus(struct visit *v)
{
    write_overview_groups(v, "gpu", "gpus", link_gpu);
}

static const struct budget_list_result *ask_budgets(struct visit *v)
{
    struct budget_request req;
    struct error err = {0};

    return view_request(v, &op_budget_list, &req, &err) ? view_try(v, &op_budget_list, &req)
                                                        : NULL;
}

static void write_overview_budgets(struct visit *v)
{
    const struct budget_list_result *b = ask_budgets(v);

    if (b != NULL)
        page_table(v,
                   &(struct page_table){.id = "budgets",
                                        .caption = STR("In their current period"),
                                        .columns = &budget_columns[PLACE_OVERVIEW],
                                        .rows = field_rows(op_budget_list.result, "budgets", b),
                                        .none = "There are no budgets.",
                                        .link = view_budget_link,
                                        .sorted = true});
}

static void write_alerts(struct visit *v)
{
    struct alert_list_request req;
    const struct alert_list_result *a = NULL;
    struct error err = {0};

    if (view_request(v, &op_alert_list, &req, &err)) {
        req.firing = true;
        a = view_try(v, &op_alert_list, &req);
    }
    page_section(v, "alerts", STR("Alerts"), false);
    if (a != NULL)
        page_table(v,
                   &(struct page_table){.id = "alerts",
                                        .caption = STR("Firing now"),
                                        .columns = &alert_columns[PLACE_OVERVIEW],
                                        .rows = field_rows(op_alert_list.result, "alerts", a),
                                        .most = EVENTS,
                                        .none = "No alert is firing.",
                                        .sorted = true});
    page_section_end(v);
}

static void write_anomalies(struct visit *v)
{
    struct anomalies_request req;
    const struct anomalies_result *a = NULL;
    struct error err = {0};
    struct columns columns;

    if (view_request(v, &op_anomalies, &req, &err)) {
        req.limit = view_most(v, EVENTS);
        a = view_try(v, &op_anomalies, &req);
    }
    if (a == NULL)
        return;
    columns = columns_by(a->by, NULL, &anomaly_columns[PLACE_OVERVIEW], &v->arena);
    page_table(v, &(struct page_table){.id = "anomalies",
                                       .caption = STR("Unusual spending, newest first"),
                                       .columns = &columns,
                                       .rows = field_rows(op_anomalies.result, "rows", a),
                                       .none = "No unusual spending.",
                                       .sorted = true});
}

/* The month, its forecast and the budgets. */
static void write_overview_month(struct visit *v)
{
    struct forecast_request req;
    const struct forecast_result *forecast = NULL;
    struct error err = {0};
    struct page_fact facts[3];

    if (view_request(v, &op_forecast, &req, &err))
        forecast = view_try(v, &op_forecast, &req);
    facts[0] = month_fact(v, ask_costs(v, "provider", GROUPS));
    facts[1] = forecast_fact(v, forecast);
    facts[2] = budget_fact(v, ask_budgets(v));
    for (size_t i = 0; i < ARRAY_LEN(facts); i++)
        page_fact(v, &facts[i]);
}

/* Tokens alone make a ledger, in which nothing is recorded. */
static bool is_overview_empty(struct visit *v)
{
    struct runs_request runs_req;
    struct bills_request bills_req;
    struct runs_result runs;
    struct bills_result bills;
    struct error err = {0};

    if (!view_request(v, &op_runs, &runs_req, &err) ||
        !view_request(v, &op_bills, &bills_req, &err))
        return false;
    runs_req.limit = 1;
    return visit_run(v, &op_runs, &runs_req, &runs, &err) && runs.count == 0 &&
           visit_run(v, &op_bills, &bills_req, &bills, &err) && bills.bills.len == 0;
}

/* What takes long where there are many runs. Forecasts and anomalies are about complete
 * days. */
enum overview_part {
    PART_MONTH,
    PART_DAYS,
    PART_TEAMS,
    PART_PROJECTS,
    PART_GPUS,
    PART_BUDGETS,
    PART_ANOMALIES,
};

static const struct page_part overview_parts[] = {
    [PART_MONTH] = {"/",
                    write_overview_month,
                    {60 * SECOND},
                    "<div><dt>Spent this month</dt><dd class=\"value dim\">...</dd>"
                    "<dd class=\"how\">being computed</dd></div>\n"},
    [PART_DAYS] = {"/", write_overview_days, {60 * SECOND}, PAGE_BEING_COMPUTED},
    [PART_TEAMS] = {"/", write_teams, {60 * SECOND}, PAGE_BEING_COMPUTED},
    [PART_PROJECTS] = {"/", write_projects, {60 * SECOND}, PAGE_BEING_COMPUTED},
    [PART_GPUS] = {"/", write_overview_gpus, {60 * SECOND}, PAGE_BEING_COMPUTED},
    [PART_BUDGETS] = {"/", write_overview_budgets, {60 * SECOND}, PAGE_BEING_COMPUTED},
    [PART_ANOMALIES] = {"/", write_anomalies, {1800 * SECOND}, PAGE_BEING_COMPUTED},
};

void view_overview_warm(struct server *s)
{
    parts_warm(s, overview_parts, ARRAY_LEN(overview_parts));
}

static void write_card(struct visit *v, const char *id, const char *title,
                       enum overview_part part)
{
    page_section(v, id, str_from(title), false);
    page_part(v, &overview_parts[part]);
    page_section_end(v);
}

static void write_overview_facts(struct visit *v, const struct top_result *top)
{
    struct page_fact running = running_fact(v, top);

    buf_adds(&v->out, "<dl class=\"tiles\" id=\"facts\" data-part>\n");
    page_part(v, &overview_parts[PART_MONTH]);
    page_fact(v, &running);
    buf_adds(&v->out, "</dl>\n");
}

bool view_overview(struct visit *v, struct error *err)
{
    struct top_request req;
    const struct top_result *top;

    if (!view_request(v, &op_top, &req, err))
        return false;
    page_begin(v, STR("Overview"), "/");
    if (is_overview_empty(v)) {
        view_begin(v);
        return page_end(v, err);
    }
    page_parts_begin(v, overview_parts, ARRAY_LEN(overview_parts));
    top = view_try(v, &op_top, &req);
    write_overview_facts(v, top);
    write_running(v, top);
    page_cards(v);
    write_card(v, "days", "", PART_DAYS);
    write_card(v, "teams", "By team", PART_TEAMS);
    write_card(v, "projects", "By project", PART_PROJECTS);
    write_card(v, "gpus", "By GPU", PART_GPUS);
    write_card(v, "budgets", "Budgets", PART_BUDGETS);
    if (v->caller.team[0] == '\0') /* alerts belong to no team */
        write_alerts(v);
    write_card(v, "anomalies", "Anomalies", PART_ANOMALIES);
    page_cards_end(v);
    return page_end(v, err);
}
