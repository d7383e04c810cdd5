#include "report/load_figure.h"

#include <math.h>

#include "base/fs.h"
#include "load/result.h"
#include "render/figure.h"

enum { MEDIAN, P95, P99, SHOWN };

static const char *const shown_names[SHOWN] = {"p50", "p95", "p99"};

static const struct load_quantile *quantile_shown(const struct load_stat *stat, int which)
{
    return which == MEDIAN ? &stat->p50 : which == P95 ? &stat->p95 : &stat->p99;
}

static const struct load_stat *stat_shown(const struct load_result *r, bool total)
{
    return total ? &r->total : &r->first_token;
}

/* Where a run is on the x axis: its rate, or its users. */
static double load_place(const struct load_result *r)
{
    return !isnan(r->rate) ? r->rate : r->users > 0 ? (double)r->users : r->answered_per_s;
}

/* Runs of a search are in any order. */
static size_t place_points(const struct load_result *runs, size_t count, struct str url,
                           bool total, int which, struct figure_point *out)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        const struct load_quantile *q = quantile_shown(stat_shown(&runs[i], total), which);
        struct figure_point point = {.x = load_place(&runs[i]), .y = q->value};
        size_t at = used;

        if (!str_eq(runs[i].url, url) || isnan(point.y) || !runs[i].valid)
            continue;
        if (!isnan(q->low) && !isnan(q->high)) {
            point.low = q->low;
            point.high = q->high;
        }
        for (; at > 0 && out[at - 1].x > point.x; at--)
            out[at] = out[at - 1];
        out[at] = point;
        used++;
    }
    return used;
}

/* What is drawn: the time to the complete answer, or to the first token. */
struct latency_lines {
    const struct load_result *runs;
    size_t count;
    bool total, named; /* the endpoint is in the name of a line */
    struct figure_series *series;
};

static bool add_latency_lines(const struct latency_lines *of, struct str url,
                              struct figure *figure, struct arena *arena, struct error *err)
{
    for (int w = 0; w < SHOWN; w++) {
        struct figure_point *points =
            arena_array(arena, struct figure_point, of->count + 1, err);
        struct buf name = buf_new(arena->alloc, 4096);
        struct figure_series *to = &of->series[figure->series_count];

        if (points == NULL)
            return false;
        buf_adds(&name, shown_names[w]);
        if (of->named) {
            buf_char(&name, ' ');
            buf_add(&name, url);
        }
        if (!buf_keep(&name, arena, &to->name, err))
            return false;
        to->at = points;
        to->len = place_points(of->runs, of->count, url, of->total, w, points);
        figure->series_count += to->len > 0;
    }
    return true;
}

/* Of one or two endpoints. */
static bool draw_latency(const struct load_result *runs, size_t count, bool total,
                         struct arena *arena, struct figure *out, struct error *err)
{
    struct figure_series *series = arena_array(arena, struct figure_series, 2 * SHOWN, err);
    struct str last = runs[count - 1].url;
    bool two = !str_eq(runs[0].url, last), users = isnan(runs[0].rate) && runs[0].users > 0;
    struct latency_lines lines = {runs, count, total, two, series};

    *out = (struct figure){.kind = FIGURE_LINES,
                           .title = total ? STR("Time to the complete answer")
                                          : STR("Time to the first token"),
                           .note = STR("from the intended send time; bands are 95 % intervals"),
                           .x = {.label = users ? STR("users") : STR("requests per second")},
                           .y = {.label = STR("latency"), .unit = FIGURE_SECONDS},
                           .series = series};
    return series != NULL && add_latency_lines(&lines, runs[0].url, out, arena, err) &&
           (!two || add_latency_lines(&lines, last, out, arena, err));
}

bool load_figure_write(const struct rows *rows, struct str source, struct str path,
                       struct arena *arena, struct error *err)
{
    struct figure figures[2];
    struct figure_sheet sheet = {.title = STR("Latency by load"),
                                 .figures = figures,
                                 .count = 2,
                                 .columns = 1,
                                 .footer = source};
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    if (!draw_latency(rows->at, rows->len, false, arena, &figures[0], err) ||
        !draw_latency(rows->at, rows->len, true, arena, &figures[1], err))
        return false;
    figure_svg(&sheet, &text);
    return fs_put_buf(path, &text, err);
}
