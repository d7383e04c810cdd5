#include "report/infer_figure.h"

#include <math.h>

#include "base/fs.h"
#include "render/figure.h"

#define POINTS 121
#define CHANGES 12
#define SIDE 1000.0 /* times more and fewer requests than asked for */
#define TEXT_MAX ((size_t)1 << 12)

static double month_requests(const struct infer_ask *ask, double rate)
{
    return rate * 30 * 3600 * ask->hours_per_day;
}

static bool draw_way(const struct infer_ask *ask, const struct infer_result *res, size_t at,
                     struct arena *arena, struct figure_series *out, struct error *err)
{
    const struct infer_row *rows = res->answer.rows.at;
    struct figure_point *points = arena_array(arena, struct figure_point, POINTS, err);

    if (points == NULL)
        return false;
    for (size_t i = 0; i < POINTS; i++) {
        double rate =
            res->answer.rate / SIDE * pow(SIDE * SIDE, (double)i / (double)(POINTS - 1));

        points[i] = (struct figure_point){.x = month_requests(ask, rate),
                                          .y = infer_month_usd(ask, at, rate)};
    }
    *out = (struct figure_series){.name = rows[at].at.deployment,
                                  .at = points,
                                  .len = POINTS,
                                  .muted = rows[at].at.condition.len > 0};
    return true;
}

/* Where the cheapest way changes: points with gaps between them, so that no line joins them. */
static bool draw_changes(const struct infer_ask *ask, const struct infer_result *res,
                         struct arena *arena, struct figure_series *out, struct error *err)
{
    struct infer_change changes[CHANGES];
    size_t count =
        infer_changes(ask, res->answer.rate / SIDE, res->answer.rate * SIDE, changes, CHANGES);
    struct figure_point *points = arena_array(arena, struct figure_point, 2 * count + 1, err);

    if (points == NULL)
        return false;
    *out = (struct figure_series){.name = STR("break-even"), .at = points};
    for (size_t i = 0; i < count; i++) {
        double x = month_requests(ask, changes[i].rate);
        double y = infer_month_usd(ask, changes[i].way, changes[i].rate * (1 - 1e-9));

        points[out->len++] = (struct figure_point){.x = x, .y = y, .marked = true};
        points[out->len++] = (struct figure_point){.x = x, .y = NAN};
    }
    return true;
}

bool infer_figure_write(const struct infer_ask *ask, const struct infer_result *res,
                        struct str source, struct str path, struct arena *arena,
                        struct error *err)
{
    size_t ways = res->answer.rows.len, count = 0;
    struct figure_series *series = arena_array(arena, struct figure_series, ways + 1, err);
    struct figure figure = {
        .kind = FIGURE_LINES,
        .x = {.label = STR("requests a month"), .log = true},
        .y = {.label = STR("cost a month"), .unit = FIGURE_USD, .log = true},
        .series = series};
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    buf_adds(&text, "Cost of serving ");
    buf_add(&text, res->model.len > 0 ? res->model : res->name);
    buf_adds(&text, " by volume");
    if (series == NULL || !buf_keep(&text, arena, &figure.title, err))
        return false;
    for (; count < ways; count++)
        if (!draw_way(ask, res, count, arena, &series[count], err))
            return false;
    if (!draw_changes(ask, res, arena, &series[count], err))
        return false;
    figure.series_count = series[count].len > 0 ? count + 1 : count;
    figure.note = STR("gray: under a condition; points: where the cheapest way changes");
    text = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    figure_svg(&(struct figure_sheet){.figures = &figure, .count = 1, .footer = source}, &text);
    return fs_put_buf(path, &text, err);
}
