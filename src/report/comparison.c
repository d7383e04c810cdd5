#include "report/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "render/csv_rows.h"
#include "unit/energy.h"
#include "unit/shown.h"

#define METRICS COMPARISON_METRICS
#define ROWS_MOST 500 /* of the page; the CSV file has all */
#define BARS_MOST 30
#define WIDE_RANGE 50                  /* times the least: shown on a logarithmic axis */
#define CENTS_FROM INT64_C(1000000000) /* nano-dollars; below, cents are too coarse */

#define ROW(kind, member, text) FIELD(kind, compare_row, member, .help = (text))
static const struct field row_fields[] = {
    ROW(TEXT, name, "run name"),
    ROW(TEXT, id, "short ID of the run"),
    ROW(TEXT, state, "state: done, failed, ..."),
    ROW(TEXT, gpu, "GPU used"),
    ROW(USD, cost, "cost of all attempts"),
    ROW(SPAN, time, "duration of all attempts"),
    ROW(NUMBER, energy_kwh, "energy of all attempts, kWh"),
    ROW(USD, per_point, "cost per point of the metric"),
    ROW(FLAG, best, "best run: no other is both cheaper and as good"),
};
static const struct field_set row_set = FIELD_SET(struct compare_row, row_fields);

/* What a run reached of a metric, and where it began. */
struct metric_value {
    double best, first;
};

/* ---- reading ---- */

static bool is_latency(struct str name)
{
    return str_has_nocase(name, STR("latency")) || str_eq_nocase(name, STR("p50")) ||
           str_eq_nocase(name, STR("p95")) || str_eq_nocase(name, STR("p99")) ||
           str_has_nocase(name, STR("ttft")) || str_has_nocase(name, STR("tpot"));
}

static struct compare_metric *metric_named(struct comparison *c, struct str name,
                                           struct error *err)
{
    struct compare_metric *m;
    struct map_entry *e;
    bool added;

    e = map_add(&c->names, name, &added, err);
    if (e == NULL || !added)
        return e != NULL ? e->value : NULL;
    m = e->value = arena_array(c->arena, struct compare_metric, 1, err);
    if (m == NULL || !str_keep(name, c->arena, &e->key, err))
        return NULL;
    m->name = str_dup(name, c->arena, err);
    m->latency = is_latency(name);
    m->grows = !m->latency && c->grows(name);
    return m->name != NULL ? m : NULL;
}

/* The place of a run's value of a metric. */
static struct metric_value *find_metric_value(struct comparison *c, size_t row, struct str name,
                                              bool make, struct error *err)
{
    struct buf key = buf_new(c->arena->alloc, 4096);
    struct map_entry *e;
    bool added = false;

    buf_addf(&key, "%zu ", row);
    buf_add(&key, name);
    e = make ? map_add(&c->values, buf_text(&key), &added, err)
             : map_find(&c->values, buf_text(&key));
    if (e != NULL && added) {
        struct metric_value *v = arena_array(c->arena, struct metric_value, 1, err);

        if (v == NULL || !str_keep(buf_text(&key), c->arena, &e->key, err))
            e = NULL;
        else {
            *v = (struct metric_value){NAN, NAN};
            e->value = v;
        }
    }
    buf_free(&key);
    return e != NULL ? e->value : NULL;
}

bool comparison_add_metrics(struct comparison *c, size_t row, const struct ledger_metric *list,
                            size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        struct compare_metric *m = metric_named(c, list[i].name, err);
        struct metric_value *v =
            m != NULL ? find_metric_value(c, row, list[i].name, true, err) : NULL;

        if (v == NULL)
            return false;
        m->runs += isnan(v->first) && isnan(v->best);
        v->first = isnan(v->first) ? list[i].first : v->first;
        v->best = m->grows ? fmax(v->best, list[i].high) : fmin(v->best, list[i].low);
    }
    return true;
}

/* A new row for the run of that id; NULL, without an error, when there is one. */
static bool add_compare_row(struct comparison *c, struct str id, const struct compare_row *row,
                            struct compare_row **out, struct error *err)
{
    struct map_entry *e;
    bool added;

    *out = NULL;
    e = map_add(&c->ids, id, &added, err);
    if (e == NULL || !added)
        return e != NULL;
    c->rows = arena_grow(c->arena, c->rows, c->count, sizeof *c->rows, &c->room, err);
    if (c->rows == NULL || !str_keep(e->key, c->arena, &e->key, err))
        return false;
    *out = &c->rows[c->count];
    **out = *row;
    (*out)->full_id = str_dup(id, c->arena, err);
    if ((*out)->full_id == NULL || !str_keep(row->name, c->arena, &(*out)->name, err) ||
        !str_keep(row->gpu, c->arena, &(*out)->gpu, err) ||
        !str_keep(row->state, c->arena, &(*out)->state, err))
        return false;
    (*out)->id = ledger_short((*out)->full_id);
    c->count++;
    return true;
}

bool comparison_add_run(struct comparison *c, const struct ledger_run *run, struct error *err)
{
    const struct ledger_totals *t = &run->totals;
    const struct compare_row row = {.name = run->start.name,
                                    .state =
                                        str_from(ledger_state_word(run->state, run->reason)),
                                    .gpu = t->gpu,
                                    .cost = t->cost,
                                    .time = t->elapsed,
                                    .energy_kwh = t->joules / JOULES_PER_KWH,
                                    .per_point = USD_UNKNOWN};
    struct compare_row *added;

    return add_compare_row(c, str_from(run->start.id), &row, &added, err);
}

bool comparison_add_attempt(struct comparison *c, const struct ledger_charge *a, size_t *found,
                            struct error *err)
{
    const struct compare_row row = {.name = a->name,
                                    .state = a->state,
                                    .gpu = a->gpu,
                                    .cost = a->cost,
                                    .time = a->elapsed,
                                    .energy_kwh = a->joules / JOULES_PER_KWH,
                                    .per_point = USD_UNKNOWN};
    struct compare_row *last = c->attempt_row;

    if (a->run != c->attempt_run) {
        c->attempt_run = a->run;
        ++*found;
        return add_compare_row(c, a->id, &row, &c->attempt_row, err);
    }
    if (last == NULL)
        return true;
    last->cost = usd_add(last->cost, a->cost);
    if (last->time.ns >= 0 && a->elapsed.ns >= 0)
        last->time.ns += a->elapsed.ns;
    else
        last->time = SPAN_UNKNOWN;
    last->energy_kwh += row.energy_kwh;
    return str_keep(a->state, c->arena, &last->state, err);
}

/* ---- metrics ---- */

/* Of data that the run did not learn from. */
static bool is_held_out(const char *name)
{
    struct str s = str_from(name);

    return str_has_nocase(s, STR("val")) || str_has_nocase(s, STR("test")) ||
           str_has_nocase(s, STR("dev"));
}

static int compare_metrics(const void *a, const void *b)
{
    const struct compare_metric *x = a, *y = b;
    int order = (x->runs < y->runs) - (x->runs > y->runs);

    order = order != 0 ? order : is_held_out(y->name) - is_held_out(x->name);
    return order != 0 ? order : strcmp(x->name, y->name);
}

static bool is_asked(const struct compare_metric *m, struct str asked)
{
    return asked.len > 0 && str_eq_nocase(str_from(m->name), asked);
}

/* Those that were asked for, others, latencies: one kind a turn. A place is left for a
 * latency. */
static void choose_compare_metrics(struct comparison *c, const struct compare_metric *all,
                                   struct str asked, int turn)
{
    size_t most = turn == 1 ? METRICS - 1 : METRICS;

    for (size_t i = 0; i < c->names.count && c->metric_count < most; i++)
        if (turn == (is_asked(&all[i], asked) ? 0 : all[i].latency ? 2 : 1))
            c->metrics[c->metric_count++] = all[i];
}

/* The metric that was asked for is first, else one that most runs printed and that is no
 * latency; latencies come last. */
static bool choose_metrics(struct comparison *c, struct str asked, struct error *err)
{
    struct compare_metric *all =
        arena_array(c->arena, struct compare_metric, c->names.count, err);

    if (all == NULL)
        return false;
    for (size_t i = 0; i < c->names.count; i++)
        all[i] = *(const struct compare_metric *)c->names.at[i].value;
    if (c->names.count > 1)
        qsort(all, c->names.count, sizeof *all, compare_metrics);
    for (int turn = 0; turn < 3; turn++)
        choose_compare_metrics(c, all, asked, turn);
    if (asked.len > 0 && (c->metric_count == 0 || !is_asked(&c->metrics[0], asked)))
        return error_fail(err, ERROR_ABSENT, "none of these runs printed '%.*s'",
                          STR_ARG(asked));
    return true;
}

/* What a point is: of a share that should grow a hundredth, else 1. */
static bool is_share(const struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].metric[0] > 1 || c->rows[i].metric[0] < 0)
            return false;
    return c->metric_count > 0 && c->metrics[0].grows;
}

static void set_points(struct comparison *c)
{
    double point = is_share(c) ? 0.01 : 1;

    for (size_t i = 0; i < c->count && c->metric_count > 0; i++) {
        struct compare_row *row = &c->rows[i];
        double points =
            (c->metrics[0].grows ? row->metric[0] : row->first[0] - row->metric[0]) / point;

        if (points > 0 && row->cost.nano != MONEY_UNKNOWN)
            row->per_point = usd_from(usd_double(row->cost) / points);
    }
}

static bool set_values(struct comparison *c, struct error *err)
{
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < METRICS; k++) {
            const struct metric_value *v =
                k < c->metric_count
                    ? find_metric_value(c, i, str_from(c->metrics[k].name), false, err)
                    : NULL;

            c->rows[i].metric[k] = v != NULL ? v->best : NAN;
            c->rows[i].first[k] = v != NULL ? v->first : NAN;
        }
    set_points(c);
    return true;
}

/* ---- which are best ---- */

/* What is compared besides the cost: the first metric, or the time when there is none. Less is
 * better; NaN: not known. */
static double other_goal(const struct comparison *c, const struct compare_row *row)
{
    if (c->metric_count > 0)
        return c->metrics[0].grows ? -row->metric[0] : row->metric[0];
    return row->time.ns >= 0 ? (double)row->time.ns : NAN;
}

struct ranked {
    size_t row;
    double cost, goal;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int order = num_compare(x->cost, y->cost);

    return order != 0 ? order : num_compare(x->goal, y->goal);
}

/* By cost, each that is better than all cheaper ones. Only runs that are done count. */
static bool mark_best(struct comparison *c, struct error *err)
{
    struct ranked *list = arena_array(c->arena, struct ranked, c->count, err);
    double best = INFINITY;
    size_t count = 0;

    c->best = 0;
    if (list == NULL)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        double goal = other_goal(c, &c->rows[i]);

        if (c->rows[i].cost.nano != MONEY_UNKNOWN && !isnan(goal) &&
            str_eq(c->rows[i].state, STR("done")))
            list[count++] = (struct ranked){i, usd_double(c->rows[i].cost), goal};
    }
    if (count > 1)
        qsort(list, count, sizeof *list, compare_ranked);
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 && c->rows[list[i - 1].row].best &&
                    list[i].cost == list[i - 1].cost && list[i].goal == list[i - 1].goal;

        if (list[i].goal < best || same) {
            c->rows[list[i].row].best = true;
            best = list[i].goal;
            c->best++;
        }
    }
    return true;
}

/* The best first, then by cost; unknown costs last. */
static int compare_report_rows(const void *a, const void *b)
{
    const struct compare_row *x = a, *y = b;
    double xc = x->cost.nano == MONEY_UNKNOWN ? INFINITY : usd_double(x->cost);
    double yc = y->cost.nano == MONEY_UNKNOWN ? INFINITY : usd_double(y->cost);
    int order = y->best - x->best;

    order = order != 0 ? order : num_compare(xc, yc);
    return order != 0 ? order : str_cmp(x->id, y->id);
}

/* ---- figures ---- */

#define SOURCE STR("Metered by Stint; costs as recorded in the ledger.")

static bool add_compare_figure(const struct comparison *c, struct document *d, const char *stem,
                               struct figure *f, const struct figure_series *series,
                               struct report *report, struct error *err)
{
    struct figure_series *kept = arena_array(c->arena, struct figure_series, 1, err);

    if (kept == NULL)
        return false;
    *kept = *series;
    f->series = kept;
    f->series_count = 1;
    return report_show_figure(report, d, stem, f, SOURCE, err);
}

static bool is_wide(const struct figure_point *points, size_t count)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < count; i++) {
        least = fmin(least, points[i].x);
        most = fmax(most, points[i].x);
    }
    return least > 0 && most > WIDE_RANGE * least;
}

static bool add_goal_figure(const struct comparison *c, struct document *d,
                            struct report *report, struct error *err)
{
    struct figure_point *points = arena_array(c->arena, struct figure_point, c->count, err);
    bool metric = c->metric_count > 0;
    struct figure_series series = {.at = points};
    struct figure f = {.kind = FIGURE_SCATTER,
                       .title = metric ? STR("Cost and quality") : STR("Cost and time"),
                       .note = metric && c->metrics[0].grows
                                   ? STR("To the left is cheaper, above is better; the marked "
                                         "runs are better than all cheaper ones")
                                   : STR("To the left is cheaper, below is better; the marked "
                                         "runs are better than all cheaper ones"),
                       .x = {.unit = FIGURE_USD, .label = STR("cost")},
                       .y = {.unit = metric ? FIGURE_NUMBER : FIGURE_SECONDS,
                             .label = metric ? str_from(c->metrics[0].name) : STR("time")}};

    if (points == NULL)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        const struct compare_row *row = &c->rows[i];
        double y = metric ? row->metric[0] : span_in_seconds(row->time);

        if (row->cost.nano != MONEY_UNKNOWN && !isnan(y))
            points[series.len++] = (struct figure_point){
                .label = row->name, .x = usd_double(row->cost), .y = y, .marked = row->best};
    }
    f.x.log = is_wide(points, series.len);
    return add_compare_figure(c, d, "comparison_goal", &f, &series, report, err);
}

/* The id tells runs of one name apart. */
static bool label_row(const struct comparison *c, const struct compare_row *row,
                      struct str *out, struct error *err)
{
    struct buf text = buf_new(c->arena->alloc, BUF_MAX_OUTPUT);

    buf_add(&text, row->name);
    if (!str_eq(row->id, row->name)) {
        buf_adds(&text, row->id.len > 0 && row->name.len > 0 ? " " : "");
        buf_add(&text, row->id);
    }
    return buf_keep(&text, c->arena, out, err);
}

static bool add_cost_figure(const struct comparison *c, struct document *d,
                            struct report *report, struct error *err)
{
    struct figure_point *points = arena_array(c->arena, struct figure_point, c->count, err);
    struct figure_series series = {.at = points};
    struct figure f = {
        .kind = FIGURE_BARS, .title = STR("Cost of each run"), .y = {.unit = FIGURE_USD}};

    if (points == NULL)
        return false;
    for (size_t i = 0; i < c->count && i < BARS_MOST; i++) {
        points[series.len] = (struct figure_point){
            .y = c->rows[i].cost.nano != MONEY_UNKNOWN ? usd_double(c->rows[i].cost) : NAN,
            .note = c->rows[i].cost.nano == MONEY_UNKNOWN ? STR("no price") : (struct str){0},
            .marked = c->rows[i].best};
        if (!label_row(c, &c->rows[i], &points[series.len++].label, err))
            return false;
    }
    if (c->count > BARS_MOST)
        f.note = STR("The first runs of the table");
    return add_compare_figure(c, d, "comparison_cost", &f, &series, report, err);
}

/* ---- the document ---- */

static bool write_compare_metric(const struct column *column, const void *record,
                                 struct buf *out)
{
    double value = ((const struct compare_row *)record)->metric[column->index];

    if (!isnan(value))
        buf_addf(out, fabs(value) >= 1e4 ? "%.10g" : "%.4g", value);
    return true;
}

static const struct columns *make_compare_columns(const struct comparison *c, struct error *err)
{
    static const struct column before[] = {
        COLUMN("run", name),
        COLUMN("id", id),
        COLUMN("Pareto-optimal", best, .yes = "yes"),
        COLUMN("state", state),
        COLUMN("gpu", gpu, .if_any = true, .unknown = "-"),
        COLUMN("cost", cost, .form = COLUMN_FINE, .unknown = "unknown"),
        COLUMN("time", time, .unknown = "unknown"),
        COLUMN("energy (kWh)", energy_kwh, .decimals = 3, .if_any = true, .unknown = "unknown"),
    };
    struct columns *columns = arena_array(c->arena, struct columns, 1, err);
    size_t n = ARRAY_LEN(before);
    struct column *list = arena_array(c->arena, struct column, n + METRICS + 1, err);

    if (columns == NULL || list == NULL)
        return NULL;
    memcpy(list, before, sizeof before);
    for (size_t k = 0; k < c->metric_count; k++)
        list[n++] = (struct column){.title = c->metrics[k].name,
                                    .cell = write_compare_metric,
                                    .index = (int)k,
                                    .side = COLUMN_RIGHT,
                                    .unknown = "not printed"};
    if (c->metric_count > 0)
        list[n++] = (struct column)COLUMN("cost per point", per_point, .form = COLUMN_FINE,
                                          .unknown = "unknown");
    *columns = (struct columns){.at = list, .len = n};
    return columns;
}

/* How the table is to be read. */
static void add_meaning(const struct comparison *c, struct document *d)
{
    const struct compare_metric *m = &c->metrics[0];

    if (c->metric_count == 0) {
        document_paragraph(d, STR("A completed run is Pareto-optimal if no cheaper one took "
                                  "less time. None of these runs printed a metric."));
        return;
    }
    document_paragraph(
        d,
        document_text(d,
                      "Pareto-optimal is a run that is done when no cheaper one has a %s %s "
                      "(%s is better). Metrics are the best that a run reached.",
                      m->grows ? "higher" : "lower", m->name, m->grows ? "higher" : "lower"));
    document_paragraph(
        d, m->grows
               ? document_text(d, "Cost per point is cost over %s, of which a point is %s.",
                               m->name, is_share(c) ? "0.01" : "1")
               : document_text(d,
                               "Cost per point is cost over the decrease of %s from its "
                               "first value, of which a point is 1.",
                               m->name));
}

static usd total_cost(const struct comparison *c, size_t *unknown)
{
    usd sum = {0};

    *unknown = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].cost.nano == MONEY_UNKNOWN)
            ++*unknown;
        else
            sum = usd_add(sum, c->rows[i].cost);
    return sum;
}

static struct str compare_usd_text(struct document *d, usd amount)
{
    struct buf text = buf_new(d->arena->alloc, 64);

    if (amount.nano < CENTS_FROM)
        usd_write(amount, &text);
    else
        money_write_cents(&(const struct money){{amount.nano, 9}, currency_usd}, &text);
    return document_keep(d, &text);
}

static bool add_compare_facts(const struct comparison *c, struct document *d, struct error *err)
{
    struct document_fact *facts = arena_array(d->arena, struct document_fact, 4, err);
    size_t unknown;
    usd sum = total_cost(c, &unknown);

    if (facts == NULL)
        return false;
    facts[0] = (struct document_fact){.label = STR("Runs"),
                                      .value = document_text(d, "%zu", c->count)};
    facts[1] = (struct document_fact){
        .label = STR("Cost of all"),
        .value = unknown < c->count ? compare_usd_text(d, sum) : (struct str){0},
        .note = unknown > 0 ? document_text(d, "without %zu run%s whose cost is unknown",
                                            unknown, unknown == 1 ? "" : "s")
                            : STR("as recorded in the ledger")};
    facts[2] = (struct document_fact){
        .label = STR("Pareto-optimal"),
        .value = document_text(d, "%zu", c->best),
        .note = c->metric_count > 0 ? document_text(d, "by cost and %s", c->metrics[0].name)
                                    : STR("by cost and time")};
    document_facts(d, facts, 3);
    return true;
}

/* Every run and value, for a spreadsheet. */
static bool add_csv(const struct comparison *c, struct report *report, struct error *err)
{
    struct buf text = buf_new(c->arena->alloc, BUF_MAX_OUTPUT);

    for (size_t f = 0; f < row_set.len; f++)
        buf_addf(&text, "%s%s", f > 0 ? "," : "", row_set.at[f].name);
    for (size_t k = 0; k < c->metric_count; k++) {
        buf_char(&text, ',');
        csv_rows_text(str_from(c->metrics[k].name), &text);
    }
    buf_char(&text, '\n');
    for (size_t i = 0; i < c->count; i++) {
        for (size_t f = 0; f < row_set.len; f++) {
            buf_adds(&text, f > 0 ? "," : "");
            csv_rows_value(&row_set.at[f], &c->rows[i], &text);
        }
        for (size_t k = 0; k < c->metric_count; k++) {
            buf_char(&text, ',');
            if (!isnan(c->rows[i].metric[k]))
                num_write(c->rows[i].metric[k], &text);
        }
        buf_char(&text, '\n');
    }
    return report_files_add(&report->files, "comparison.csv", &text, c->arena, err);
}

struct comparison comparison_new(struct arena *arena, bool (*grows)(struct str metric))
{
    return (struct comparison){.arena = arena,
                               .grows = grows,
                               .ids = map_in_arena(arena),
                               .names = map_in_arena(arena),
                               .values = map_in_arena(arena),
                               .attempt_run = -1};
}

bool comparison_rank(struct comparison *c, struct str asked, struct error *err)
{
    if (!choose_metrics(c, asked, err) || !set_values(c, err) || !mark_best(c, err))
        return false;
    qsort(c->rows, c->count, sizeof *c->rows, compare_report_rows);
    return true;
}

bool comparison_report(const struct comparison *c, struct report *report, struct error *err)
{
    struct document d = document_new(STR(""), c->arena);
    struct document_table table = {.caption = STR("Runs, the Pareto-optimal ones first"),
                                   .columns = make_compare_columns(c, err),
                                   .rows = {&row_set, c->rows, c->count},
                                   .most = ROWS_MOST};
    struct buf foot = buf_new(c->arena->alloc, 256);

    report->kind = STR("comparison");
    report->title = document_text(&d, "of %zu runs", c->count);
    d.title = document_text(&d, "Comparison of %zu runs", c->count);
    buf_adds(&foot, "Made by Stint on ");
    value_time(report->now, false, &foot);
    buf_adds(&foot, " UTC from the ledger. comparison.csv has every run.");
    d.footer = document_keep(&d, &foot);
    if (table.columns == NULL || !add_compare_facts(c, &d, err) ||
        !add_goal_figure(c, &d, report, err))
        return false;
    add_meaning(c, &d);
    document_table(&d, &table);
    return add_cost_figure(c, &d, report, err) &&
           report_findings_of_runs(&d, c->findings, c->finding_count, c->not_asked, err) &&
           add_csv(c, report, err) && report_add_document(report, &d, err);
}
