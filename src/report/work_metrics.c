/* The metrics of a run: one small figure each, and a table. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/runs/metrics.h"
#include "render/document.h"
#include "report/work_facts.h"

#define FIGURES_MAX 30 /* the table has all of them */
#define LEAST_POINTS 2 /* a line needs so many */
#define LOG_FROM 100.0 /* times the lowest value: such a range is drawn logarithmically */

/* ---- which are drawn ---- */

/* Losses first, those of training before those of evaluation: what people look for. */
static int metric_order(struct str name)
{
    bool is_loss = str_ends(name, STR("loss"));
    bool evaluates = str_starts(name, STR("eval")) || str_starts(name, STR("val")) ||
                     str_starts(name, STR("test"));

    if (str_eq(name, STR("loss")) || str_eq(name, STR("train_loss")))
        return 0;
    return is_loss ? 1 + evaluates : evaluates ? 3 : 4;
}

static int by_metric_name(const void *a, const void *b)
{
    const struct ledger_metric *x = *(const struct ledger_metric *const *)a;
    const struct ledger_metric *y = *(const struct ledger_metric *const *)b;
    int first = metric_order(x->name), second = metric_order(y->name);
    int order = first != second ? first - second : str_cmp(x->name, y->name);

    return order != 0 ? order : x->attempt - y->attempt;
}

/* All of them in the order in which they are shown; those of one name follow each other. */
static const struct ledger_metric **sorted_metrics(const struct rows *metrics,
                                                   struct arena *arena, struct error *err)
{
    const struct ledger_metric *all = metrics->at;
    const struct ledger_metric **out =
        arena_array(arena, const struct ledger_metric *, metrics->len + 1, err);

    for (size_t i = 0; out != NULL && i < metrics->len; i++)
        out[i] = &all[i];
    if (out != NULL && metrics->len > 0)
        qsort(out, metrics->len, sizeof(const struct ledger_metric *), by_metric_name);
    return out;
}

/* How many from here on have the same name. */
static size_t count_same_name(const struct ledger_metric **at, size_t left)
{
    size_t count = 1;

    while (count < left && str_eq(at[count]->name, at[0]->name))
        count++;
    return count;
}

/* ---- one figure: a line for each attempt ---- */

static bool has_metric_steps(const struct ledger_metric **at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < at[i]->steps.len; k++)
            if (isnan(at[i]->steps.at[k]))
                return false;
    return true;
}

/* Five digits of small values, all of large ones up to ten. */
static void write_metric_value(double value, struct buf *out)
{
    if (fabs(value) >= 1e5)
        buf_addf(out, "%.10g", value);
    else
        buf_addf(out, "%.5g", value);
}

static void write_extreme_value(const char *word, double value, double step, struct buf *out)
{
    buf_adds(out, word);
    write_metric_value(value, out);
    if (!isnan(step))
        buf_addf(out, " at step %.10g", step);
}

/* "last 0.42, lowest 0.4 at step 90, ...": exact values, since a point is a mean. */
static bool describe_metric(const struct ledger_metric **at, size_t count, struct arena *arena,
                            struct str *out, struct error *err)
{
    const struct ledger_metric *low = at[0], *high = at[0], *last = at[count - 1];
    struct buf text = buf_new(arena->alloc, 400);

    for (size_t i = 1; i < count; i++) {
        low = at[i]->low < low->low ? at[i] : low;
        high = at[i]->high > high->high ? at[i] : high;
    }
    write_extreme_value("last ", last->last, NAN, &text);
    write_extreme_value(", lowest ", low->low, low->low_step, &text);
    write_extreme_value(", highest ", high->high, high->high_step, &text);
    return buf_keep(&text, arena, out, err);
}

static bool add_metric_line(const struct ledger_metric *m, bool steps, bool several,
                            struct arena *arena, struct figure_series *out, struct error *err)
{
    struct figure_point *points =
        arena_array(arena, struct figure_point, m->values.len + 1, err);
    struct buf name = buf_new(arena->alloc, 64);

    if (points == NULL)
        return false;
    for (size_t i = 0; i < m->values.len; i++)
        points[i] = (struct figure_point){.x = steps ? m->steps.at[i] : m->times.at[i],
                                          .y = m->values.at[i]};
    *out = (struct figure_series){.at = points, .len = m->values.len};
    if (several)
        buf_addf(&name, "attempt %d", m->attempt);
    return buf_keep(&name, arena, &out->name, err);
}

static bool draw_metric_figure(const struct ledger_metric **at, size_t count,
                               struct arena *arena, struct figure *out, struct error *err)
{
    const struct figure_axis by_step = {.label = STR("step")};
    const struct figure_axis by_time = {.label = STR("time"), .unit = FIGURE_SECONDS};
    struct figure_series *series = arena_array(arena, struct figure_series, count, err);
    bool steps = has_metric_steps(at, count);
    double low = INFINITY, high = -INFINITY;

    *out = (struct figure){.kind = FIGURE_LINES,
                           .title = at[0]->name,
                           .x = steps ? by_step : by_time,
                           .series = series,
                           .series_count = count};
    for (size_t i = 0; series != NULL && i < count; i++) {
        if (!add_metric_line(at[i], steps, count > 1, arena, &series[i], err))
            return false;
        low = fmin(low, at[i]->low);
        high = fmax(high, at[i]->high);
    }
    out->y = (struct figure_axis){.log = low > 0 && high / low >= LOG_FROM, .free = true};
    return series != NULL && describe_metric(at, count, arena, &out->note, err);
}

static bool is_line(const struct ledger_metric **at, size_t count)
{
    size_t points = 0;

    for (size_t i = 0; i < count; i++)
        points += at[i]->values.len;
    return points >= LEAST_POINTS;
}

/* ---- the sheet ---- */

/* What is shown, or which part of it. */
static bool metrics_subtitle(const struct work_facts *f, size_t drawn, size_t lines,
                             struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 400);

    *out = f->subtitle;
    if (lines == drawn)
        return true;
    buf_addf(&text, "the first %zu of %zu metrics", drawn, lines);
    return buf_keep(&text, arena, out, err);
}

bool work_metrics_sheet(const struct work_facts *f, struct arena *arena,
                        const struct figure_sheet **out, struct error *err)
{
    const struct rows *metrics = &f->work.metrics;
    const struct ledger_metric **at = sorted_metrics(metrics, arena, err);
    struct figure *figures = arena_array(arena, struct figure, FIGURES_MAX, err);
    struct figure_sheet *sheet = arena_array(arena, struct figure_sheet, 1, err);
    size_t drawn = 0, lines = 0;

    *out = NULL;
    if (at == NULL || figures == NULL || sheet == NULL)
        return false;
    for (size_t i = 0, count; i < metrics->len; i += count) {
        count = count_same_name(at + i, metrics->len - i);
        if (!is_line(at + i, count))
            continue;
        lines++;
        if (drawn < FIGURES_MAX &&
            !draw_metric_figure(at + i, count, arena, &figures[drawn++], err))
            return false;
    }
    if (drawn == 0)
        return true;
    *sheet = (struct figure_sheet){.title = f->title,
                                   .figures = figures,
                                   .count = drawn,
                                   .columns = drawn < 3    ? drawn
                                              : drawn == 4 ? 2
                                                           : 3,
                                   .footer = STR("As the program reported them. A point is "
                                                 "the mean of the values around it.")};
    *out = sheet;
    return metrics_subtitle(f, drawn, lines, arena, &sheet->subtitle, err);
}

/* ---- in the document ---- */

static bool write_metric_cell(const struct column *column, const void *row, struct buf *out)
{
    double value;

    memcpy(&value, (const char *)row + column->index, sizeof value);
    if (isnan(value))
        return false;
    write_metric_value(value, out);
    return true;
}

void work_metrics_section(struct document *d, const struct work_facts *f,
                          const struct figure_sheet *sheet)
{
#define OF(member) .cell = write_metric_cell, .index = offsetof(struct ledger_metric, member)
    static const struct column columns[] = {
        COLUMN("metric", name),
        COLUMN("attempt", attempt),
        COLUMN("values", values),
        COLUMN("not finite", not_finite, .if_any = true),
        COLUMN("first", first, .unknown = "-", OF(first)),
        COLUMN("last", last, .unknown = "-", OF(last)),
        COLUMN("lowest", low, .unknown = "-", OF(low)),
        COLUMN("at step", low_step, .if_any = true),
        COLUMN("highest", high, .unknown = "-", OF(high)),
        COLUMN("at step", high_step, .if_any = true),
    };
#undef OF
    static const struct columns list = {.at = columns, .len = ARRAY_LEN(columns)};

    if (f->work.metrics.len == 0)
        return;
    document_heading(d, 2, STR("Metrics"));
    if (sheet != NULL)
        document_figure(d, STR("metrics.svg"), sheet, STR("Every metric over the steps"));
    document_table(
        d, &(struct document_table){
               .caption = STR("What the program reported; first, last, lowest and "
                              "highest are exact, drawn points are means"),
               .columns = &list,
               .rows = {&ledger_metric_fields, f->work.metrics.at, f->work.metrics.len}});
}
