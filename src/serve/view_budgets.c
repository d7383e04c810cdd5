/* Budgets: how much is spent of each, set and removed. */
#include <math.h>

#include "op/budget/budget.h"
#include "report/records.h"
#include "serve/view.h"
#include "unit/shown.h"

void view_budget_link(const void *row, struct buf *out)
{
    buf_adds(out, "/budgets/");
    percent_encode(((const struct budget_view *)row)->budget.name, out);
}

static struct money opposite(const struct money *m)
{
    struct money out = *m;

    out.amount.coefficient = -out.amount.coefficient;
    return out;
}

struct str view_left(struct visit *v, const struct money *left)
{
    struct money beyond = opposite(left);
    bool over = decimal_double(left->amount) < 0;

    return page_text(v, "%.*s %s", STR_ARG(page_money(v, over ? &beyond : left)),
                     over ? "over" : "left of");
}

/* A field of the form: what was entered and refused, else what is. */
static void write_field(struct visit *v, struct page_field field)
{
    struct str typed = params_get(&v->params, field.name);

    if (typed.len > 0)
        field.value = typed;
    page_field(v, &field);
}

static void write_budget_fields(struct visit *v, const struct budget_view *b)
{
    const struct field *period = field_find(op_budget_set.request, STR("period"));
    struct buf amount = page_buf(v);

    if (b != NULL)
        money_write(&b->budget.amount, &amount);
    if (b != NULL) {
        page_hidden(v, "name", b->budget.name);
        page_hidden(v, "change", STR("yes"));
    } else {
        write_field(v, (struct page_field){.name = "name", .label = "Name", .required = true});
    }
    write_field(v, (struct page_field){.name = "amount",
                                       .label = "Amount",
                                       .required = true,
                                       .placeholder = "500usd",
                                       .hint = "with its currency: $500, 500usd, 450 EUR",
                                       .value = page_keep(v, &amount)});
    if (b == NULL)
        write_field(v, (struct page_field){.name = "period",
                                           .label = "Period",
                                           .choices = period->choices,
                                           .value = STR("month")});
    write_field(
        v, (struct page_field){.name = "where",
                               .label = "Only what matches",
                               .placeholder = "team=nlp",
                               .hint = b != NULL ? "empty: unchanged" : "empty: everything"});
    write_field(v, (struct page_field){.name = "thresholds",
                                       .label = "Alert when spent",
                                       .placeholder = "50%,80%,100%",
                                       .hint = b != NULL ? "empty: unchanged" : NULL});
    write_field(v, (struct page_field){
                       .name = "alert",
                       .label = "Send alerts to",
                       .hint = b != NULL ? "channel names separated by commas; empty: unchanged"
                                         : "names of channels, with commas"});
}

/* The form that sets one: empty, with the values of one that is there, or with what was entered
 * and why that was refused (`problem`; NULL: nothing was). */
static bool write_budget_form(struct visit *v, const struct budget_view *b,
                              struct error *problem)
{
    if (v->caller.scope < TOKEN_ADMIN)
        return true;
    page_section(v, "set", b != NULL ? STR("Change it") : STR("Set a budget"), true);
    if (problem != NULL && !view_refused(v, problem))
        return false;
    page_form(v, "/budgets");
    write_budget_fields(v, b);
    page_form_end(v, "Save");
    page_section_end(v);
    return true;
}

/* The page; after a form was refused, with `problem`, or false and the problem in `err`. */
static bool write_budget_rows(struct visit *v, struct error *problem, struct error *err)
{
    struct budget_request req;
    struct budget_list_result *res = arena_array(&v->arena, struct budget_list_result, 1, err);

    if (res == NULL || !view_request(v, &op_budget_list, &req, err) ||
        !visit_run(v, &op_budget_list, &req, res, err))
        return false;
    page_begin(v, STR("Budgets"), "/budgets");
    page_section(v, "list", STR(""), true);
    page_table(v,
               &(struct page_table){.id = "budgets",
                                    .caption = STR("In their current period"),
                                    .columns = &budget_columns[PLACE_PAGE],
                                    .rows = field_rows(op_budget_list.result, "budgets", res),
                                    .none = "There are no budgets yet.",
                                    .link = view_budget_link});
    page_section_end(v);
    if (!write_budget_form(v, NULL, problem)) {
        *err = *problem;
        return false;
    }
    return page_end(v, err);
}

bool view_budgets(struct visit *v, struct error *err)
{
    return write_budget_rows(v, NULL, err);
}

/* ---- one of them ---- */

static void write_budget_facts(struct visit *v, const struct budget_view *b)
{
    struct buf forecast = page_buf(v), range = page_buf(v), covers = page_buf(v);
    struct str share = page_used(v, b->is.share);
    bool over = decimal_double(b->remaining.amount) < 0;
    struct money beyond = opposite(&b->remaining);
    struct page_fact facts[] = {
        {.label = "Spent",
         .value = page_money(v, &b->spent),
         .note = page_text(v, "%.*s%sof %.*s", STR_ARG(share), share.len > 0 ? " " : "",
                           STR_ARG(page_money(v, budget_view_limit(b))))},
        {.label = over ? "Over" : "Left",
         .value = page_money(v, over ? &beyond : &b->remaining),
         .note = b->period},
        {.label = "Forecast", .note = b->is.no_forecast},
        {.label = "State", .value = b->state, .note = b->problem, .style = budget_style(b)},
        {.label = "Covers",
         .note = b->budget.stops ? STR("runs are stopped when it is spent") : STR("")},
    };

    for (size_t i = 0; i < b->budget.scope.len; i++) {
        buf_adds(&covers, i > 0 ? " and " : "");
        buf_add(&covers, b->budget.scope.at[i]);
    }
    facts[4].value = covers.len > 0 ? page_keep(v, &covers) : STR("everything");
    if (!isnan(b->is.forecast)) {
        value_estimate(b->is.forecast, b->budget.amount.currency, &forecast);
        value_estimate(b->is.low, b->budget.amount.currency, &range);
        buf_adds(&range, " to ");
        value_estimate(b->is.high, b->budget.amount.currency, &range);
        facts[2].note = page_keep(v, &range);
    }
    facts[2].value = page_keep(v, &forecast);
    page_facts(v, "facts", facts, ARRAY_LEN(facts));
}

/* What was spent each day. */
static void draw_days(struct visit *v, const struct budget_show_result *res)
{
    const struct budget_day *days = res->days.at;
    struct error err = {0};
    struct figure_point *points =
        arena_array(&v->arena, struct figure_point, res->days.len + 1, &err);
    struct figure_series series = {.at = points, .len = res->days.len};
    const struct budget_view *b = &res->budget;

    if (points == NULL || res->days.len == 0)
        return;
    for (size_t i = 0; i < res->days.len; i++) {
        struct buf date = page_buf(v);

        day_write(days[i].date, &date);
        points[i] = (struct figure_point){.label = page_keep(v, &date),
                                          .y = decimal_known(days[i].spent.amount)
                                                   ? decimal_double(days[i].spent.amount)
                                                   : (double)NAN};
        if (res->days.len > 12 && points[i].label.len > 5)
            points[i].label = (struct str){points[i].label.at + 5, points[i].label.len - 5};
    }
    page_section(v, "days", STR(""), true);
    page_figure(
        v,
        &(struct figure){.kind = FIGURE_COLUMNS,
                         .title = STR("Spent each day"),
                         .x = {.unit = FIGURE_TIME},
                         .y = {.unit = currency_compare(b->limit.currency, currency_usd) == 0
                                           ? FIGURE_USD
                                           : FIGURE_NUMBER},
                         .series = &series,
                         .series_count = 1},
        STR(""));
    page_section_end(v);
}

static void write_remove(struct visit *v, struct str name)
{
    if (v->caller.scope < TOKEN_ADMIN)
        return;
    buf_adds(&v->out, "<form method=\"post\" action=\"/budgets/remove\">\n");
    page_hidden(v, "name", name);
    buf_adds(&v->out, "<button type=\"submit\">Remove this budget</button>\n</form>\n");
}

static bool write_budget(struct visit *v, struct str name, struct error *problem,
                         struct error *err)
{
    static const struct column days[] = {
        COLUMN("day", date),
        COLUMN("spent", spent),
        COLUMN("not billed yet", metered, .zero_unknown = true, .unknown = ""),
    };
    struct budget_request req = {.name = name};
    struct budget_show_result *res = arena_array(&v->arena, struct budget_show_result, 1, err);

    if (res == NULL || !visit_run(v, &op_budget_show, &req, res, err))
        return false;
    page_begin(v, name, "/budgets");
    write_budget_facts(v, &res->budget);
    draw_days(v, res);
    page_section(v, "alerts", STR("Alerts"), true);
    page_table(v, &(struct page_table){.id = "alerts",
                                       .caption = STR("Of this budget"),
                                       .columns = &alert_columns[PLACE_PAGE],
                                       .rows = field_rows(op_budget_show.result, "alerts", res),
                                       .none = "There was no alert."});
    page_section_end(v);
    page_section(v, "table", STR("Days"), true);
    page_table(v, &(struct page_table){.id = "days",
                                       .caption = STR("Of the period"),
                                       .columns = COLUMNS(days),
                                       .rows = field_rows(op_budget_show.result, "days", res),
                                       .none = isnan(res->budget.is.share)
                                                   ? "Not known: the budget was not evaluated."
                                                   : "Nothing was spent."});
    page_section_end(v);
    if (!write_budget_form(v, &res->budget, problem)) {
        *err = *problem;
        return false;
    }
    write_remove(v, res->budget.budget.name);
    return page_end(v, err);
}

bool view_budget(struct visit *v, struct error *err)
{
    return write_budget(v, v->rest, NULL, err);
}

bool budget_save(struct visit *v, struct error *err)
{
    static const char *const names[] = {"name",       "amount", "period", "where",
                                        "thresholds", "alert",  NULL};

    struct error problem = {0};

    if (view_do(v, &op_budget_set, names, "/budgets?done=saved", &problem))
        return true;
    return params_get(&v->params, "change").len > 0
               ? write_budget(v, params_get(&v->params, "name"), &problem, err)
               : write_budget_rows(v, &problem, err);
}

bool budget_drop(struct visit *v, struct error *err)
{
    static const char *const names[] = {"name", NULL};

    return view_do(v, &op_budget_remove, names, "/budgets?done=removed", err);
}
