/* The answer of plan: what it is about, the table of plans, the front of cost against time. */
#include "cli/plan_print.h"

#include <math.h>
#include <string.h>

#include "cli/estimate_print.h"

#define BAR 10        /* columns of the longest bar of the front */
#define FRONT_LEAST 3 /* plans of a front that say more than the table of plans */
#define SMALL 64      /* bytes of a range */

enum plan_column {
    MARK,
    ROLE,
    COST,
    RANGE,
    TIME,
    TOKENS,
    COPIES,
    START,
    GPUS,
    MACHINES,
    WHERE,
    MARKET,
    CARBON,
    SETTING,
    COLUMNS,
};

/* The job's name, what it is, its work. */
static void head(const struct plan_look *look)
{
    const struct plan_result *res = look->res;
    const struct plan_row *best = res->plans.len > 0 ? res->plans.at : NULL;
    const struct view *view = look->view;
    struct buf line = plan_view_text(look);

    if (res->name.len > 0 && !str_eq(res->name, res->model)) {
        buf_add(&line, res->name);
        buf_adds(&line, res->model.len + res->work.len > 0 ? ": " : "");
    }
    if (res->model.len > 0) {
        buf_adds(&line, plan_view_serving(res) ? "serve " : "train ");
        buf_add(&line, res->model);
        if (best != NULL && best->method.len > 0 && !plan_view_serving(res)) {
            buf_adds(&line, ", ");
            buf_add(&line, best->method);
        }
        buf_adds(&line, res->work.len > 0 ? ", " : "");
    }
    buf_add(&line, res->work);
    if (line.len > 0) {
        buf_adds(view->out, term_style_on(&view->term, STYLE_BOLD));
        view_text(view, buf_text(&line));
        buf_adds(view->out, term_style_off(&view->term, STYLE_BOLD));
    }
    plan_view_drop(look, &line);
}

static const char *cost_title(const struct plan_result *res)
{
    if (str_eq(res->unit, STR("month")))
        return "cost/month";
    return str_eq(res->unit, STR("million tokens")) ? "cost/M out" : "cost";
}

static const char *mark(const struct plan_look *look, bool best)
{
    return !best ? "" : look->utf8 ? "\xc2\xbb" : ">";
}

/* Cells by a writer of this plan. */
static void cell(const struct plan_look *look, struct table *t, const struct plan_row *row,
                 void (*write)(const struct plan_row *row, struct buf *out))
{
    struct buf text = plan_view_text(look);

    write(row, &text);
    plan_view_cell(t, &text);
}

static void write_range(const struct plan_row *row, struct buf *out)
{
    plan_view_range(row->cost_low, row->cost_high, out);
}

static void write_start(const struct plan_row *row, struct buf *out)
{
    if (row->start_h > 0) {
        buf_adds(out, "in ");
        plan_view_hours(row->start_h, out);
    } else {
        buf_adds(out, "now");
    }
}

static void write_carbon(const struct plan_row *row, struct buf *out)
{
    number_write(row->carbon_kg, out);
    buf_adds(out, isnan(row->carbon_kg) ? "" : " kg");
}

static void time_cell(const struct plan_look *look, struct table *t, const struct plan_row *row)
{
    struct buf text = plan_view_text(look);

    plan_view_time(look->longest, plan_view_seconds(row), &text);
    plan_view_cell(t, &text);
}

static void add_row(const struct plan_look *look, struct table *t, const struct plan_row *row)
{
    bool best = plan_view_role_is(row, "best");

    table_cell(t, "%s", mark(look, best));
    table_text(t, row->role);
    view_amount(t, plan_view_about(row->cost));
    cell(look, t, row, write_range);
    time_cell(look, t, row);
    view_amount(t, row->per_million_tokens);
    view_count(t, row->copies);
    cell(look, t, row, write_start);
    cell(look, t, row, plan_view_gpus);
    view_count(t, row->machines);
    cell(look, t, row, plan_view_where);
    table_text(t, row->market);
    cell(look, t, row, write_carbon);
    table_text(t, row->setting);
    table_style(t, best ? STYLE_GOOD : STYLE_PLAIN);
}

/* What no plan has is not shown, nor what is the same for all by nature. */
static void hide_empty(const struct plan_look *look, struct table_column *columns)
{
    const struct plan_row *rows = look->res->plans.at;
    bool token_unit = str_eq(look->res->unit, STR("million tokens"));

    columns[CARBON].hidden = !str_has_nocase(look->res->aim, STR("carbon"));
    for (size_t i = 0; i < look->res->plans.len; i++) {
        const struct plan_row *row = &rows[i];

        if (plan_view_role_is(row, "no account"))
            continue;
        columns[RANGE].hidden &=
            !(row->cost_low.nano != MONEY_UNKNOWN && row->cost_low.nano < row->cost_high.nano);
        columns[TOKENS].hidden &= token_unit || row->per_million_tokens.nano == MONEY_UNKNOWN;
        columns[COPIES].hidden &= row->copies < 1 || !plan_view_serving(look->res);
        columns[START].hidden &= !(row->start_h > 0);
        columns[MACHINES].hidden &= row->machines <= 1;
        columns[SETTING].hidden &= row->setting.len == 0;
    }
}

/* One line of the table: the range is dim, whatever style the rest has. A column has no style
 * of its own, so its text is looked for; only a role, a mark and a cost stand before it. */
static void paint_line(const struct view *view, struct str line, struct str range,
                       enum term_style style)
{
    const struct term *term = &view->term;
    size_t at = 0;

    while (range.len > 0 && at + range.len <= line.len &&
           memcmp(line.at + at, range.at, range.len) != 0)
        at++;
    if (range.len == 0 || at + range.len > line.len)
        at = line.len;
    buf_adds(view->out, term_style_on(term, style));
    buf_add(view->out, (struct str){line.at, at});
    buf_adds(view->out, term_style_off(term, style));
    if (at < line.len) {
        size_t end = at + range.len;

        buf_adds(view->out, term_style_on(term, STYLE_DIM));
        buf_add(view->out, range);
        buf_adds(view->out, term_style_off(term, STYLE_DIM));
        buf_adds(view->out, term_style_on(term, style));
        buf_add(view->out, (struct str){line.at + end, line.len - end});
        buf_adds(view->out, term_style_off(term, style));
    }
    buf_char(view->out, '\n');
}

static void write_painted(const struct plan_look *look, const struct table *t)
{
    const struct plan_row *rows = look->res->plans.at;
    struct view plain = *look->view;
    struct buf text = buf_new(plain.arena->alloc, BUF_MAX_OUTPUT);
    struct str rest, line;

    plain.term.colour = false;
    table_write(t, &plain.term, &text);
    rest = buf_text(&text);
    line = str_cut(&rest, '\n');
    paint_line(look->view, line, STR(""), STYLE_BOLD);
    for (size_t i = 0; i < look->res->plans.len && rest.len > 0; i++) {
        struct buf range = buf_new(plain.arena->alloc, SMALL);

        if (!plan_view_role_is(&rows[i], "no account")) {
            write_range(&rows[i], &range);
            line = str_cut(&rest, '\n');
            paint_line(look->view, line, buf_text(&range),
                       plan_view_role_is(&rows[i], "best") ? STYLE_GOOD : STYLE_PLAIN);
        }
        plan_view_drop(look, &range);
    }
    plan_view_drop(look, &text);
}

static void plans_table(const struct plan_look *look)
{
    /* What a narrow terminal does without, first to go first. */
    static const size_t order[] = {SETTING, MACHINES, RANGE,  COPIES,
                                   CARBON,  START,    TOKENS, MARKET};
    struct table_column columns[COLUMNS] = {
        [MARK] = {.title = ""},
        [ROLE] = {.title = "plan"},
        [COST] = {.title = cost_title(look->res), .right = true},
        [RANGE] = {.title = "80 % range", .hidden = true},
        [TIME] = {.title = plan_view_serving(look->res) ? "p95" : "time", .right = true},
        [TOKENS] = {.title = "per M out", .right = true, .hidden = true},
        [COPIES] = {.title = "copies", .right = true, .hidden = true},
        [START] = {.title = "start", .hidden = true},
        [GPUS] = {.title = "GPUs"}, /* cut, it would be another GPU */
        [MACHINES] = {.title = "machines", .right = true, .hidden = true},
        [WHERE] = {.title = "where", .shrink = true},
        [MARKET] = {.title = "market"},
        [CARBON] = {.title = "CO2e", .right = true},
        [SETTING] = {.title = "setting", .hidden = true},
    };
    const struct plan_row *rows = look->res->plans.at;
    struct table t = table_new(columns, COLUMNS, look->view->arena);

    for (size_t i = 0; i < look->res->plans.len; i++)
        if (!plan_view_role_is(&rows[i],
                               "no account")) /* a line below says what it would save */
            add_row(look, &t, &rows[i]);
    hide_empty(look, columns);
    plan_view_fit(&t, columns, order, ARRAY_LEN(order), &look->view->term);
    buf_char(look->view->out, '\n');
    if (look->view->term.colour)
        write_painted(look, &t);
    else
        table_write(&t, &look->view->term, look->view->out);
    buf_char(look->view->out, '\n');
}

static bool same_plan(const struct plan_row *a, const struct plan_row *b)
{
    return str_eq(a->offer, b->offer) && str_eq(a->market, b->market) && a->gpus == b->gpus &&
           a->machines == b->machines && a->cost.nano == b->cost.nano;
}

static void bar_cell(const struct plan_look *look, struct table *t, double share)
{
    struct buf text = plan_view_text(look);

    plan_view_bar(look, share, BAR, &text);
    plan_view_cell(t, &text);
}

static void front_row(const struct plan_look *look, struct table *t, const struct plan_row *row,
                      double dearest, double slowest)
{
    bool best = look->res->plans.len > 0 && same_plan(row, look->res->plans.at);

    table_cell(t, "%s", mark(look, best));
    view_amount(t, plan_view_about(row->cost));
    bar_cell(look, t, usd_double(row->cost) / dearest);
    time_cell(look, t, row);
    bar_cell(look, t, plan_view_seconds(row) / slowest);
    cell(look, t, row, plan_view_gpus);
    view_count(t, row->machines);
    cell(look, t, row, plan_view_where);
    table_text(t, row->market);
    table_style(t, best ? STYLE_GOOD : STYLE_PLAIN);
}

static void front_section(const struct plan_look *look)
{
    enum {
        F_MARK,
        F_COST,
        F_COST_BAR,
        F_TIME,
        F_TIME_BAR,
        F_GPUS,
        F_MACHINES,
        F_WHERE,
        F_MARKET,
        F_COLUMNS
    };
    static const size_t order[] = {F_MACHINES, F_MARKET, F_COST_BAR, F_TIME_BAR};
    struct table_column columns[F_COLUMNS] = {
        [F_MARK] = {.title = ""},
        [F_COST] = {.title = cost_title(look->res), .right = true},
        [F_COST_BAR] = {.title = ""},
        [F_TIME] = {.title = plan_view_serving(look->res) ? "p95" : "time", .right = true},
        [F_TIME_BAR] = {.title = ""},
        [F_GPUS] = {.title = "GPUs"},
        [F_MACHINES] = {.title = "machines", .right = true, .hidden = true},
        [F_WHERE] = {.title = "where", .shrink = true},
        [F_MARKET] = {.title = "market"},
    };
    const struct plan_row *rows = look->res->front.at;
    struct table t = table_new(columns, F_COLUMNS, look->view->arena);
    double dearest = 0, slowest = 0;

    if (look->res->front.len < FRONT_LEAST)
        return;
    for (size_t i = 0; i < look->res->front.len; i++) {
        dearest = fmax(dearest, usd_double(rows[i].cost));
        slowest = fmax(slowest, plan_view_seconds(&rows[i]));
        columns[F_MACHINES].hidden &= rows[i].machines <= 1;
    }
    for (size_t i = 0; i < look->res->front.len; i++)
        front_row(look, &t, &rows[i], dearest, slowest);
    plan_view_fit(&t, columns, order, ARRAY_LEN(order), &look->view->term);
    plan_view_heading(look,
                      plan_view_serving(look->res) ? "COST AND LATENCY" : "COST AND TIME");
    table_write(&t, &look->view->term, look->view->out);
}

void plan_print(const struct view *view, const struct plan_result *res, bool utf8)
{
    struct plan_look look = {.view = view, .res = res, .utf8 = utf8};

    look.longest = fmax(plan_view_longest(&res->plans), plan_view_longest(&res->front));
    head(&look);
    if (res->plans.len > 0) {
        plans_table(&look);
        plan_print_lines(&look);
        plan_print_source(&look);
    }
    plan_print_trials(&look);
    plan_print_sessions(&look);
    plan_print_queue(&look);
    front_section(&look);
    if (res->explain)
        plan_print_explain(&look);
    plan_print_notes(&look);
    if (res->plans.len == 0) {
        buf_adds(view->out, res->stages.len > 0 ? "\n" : "");
        plan_print_source(&look);
    }
    plan_print_written(&look);
}
