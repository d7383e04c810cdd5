#include "report/plan_figure.h"

#include <math.h>

#include "base/fs.h"
#include "render/figure.h"

#define TEXT_MAX ((size_t)1 << 12)
#define SECONDS_PER_HOUR 3600.0

/* The same plan in another list; NULL: it is not there. */
static const struct plan_row *find_plan_row(const struct rows *rows,
                                            const struct plan_row *wanted)
{
    const struct plan_row *at = rows->at;

    for (size_t i = 0; i < rows->len; i++)
        if (at[i].market == wanted->market && str_eq(at[i].offer, wanted->offer) &&
            at[i].cost.nano == wanted->cost.nano && at[i].hours.value == wanted->hours.value)
            return &at[i];
    return NULL;
}

/* "best: 1x RTXA5000, runpod" */
static bool name_row(const struct plan_row *row, struct str role, struct arena *arena,
                     struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    if (role.len > 0) {
        buf_add(&text, role);
        buf_adds(&text, ": ");
    }
    buf_addf(&text, "%lldx ", (long long)row->gpus);
    buf_add(&text, row->accelerator);
    if (row->provider.len > 0) {
        buf_adds(&text, ", ");
        buf_add(&text, row->provider);
    }
    return buf_keep(&text, arena, out, err);
}

static bool can_draw(const struct plan_row *row, bool timed)
{
    return row->cost.nano != MONEY_UNKNOWN && !(timed && isnan(row->hours.value));
}

/* The front: with the names that its plans have in the table. */
static bool add_front_series(const struct plan_result *res, struct arena *arena,
                             struct figure_series *out, struct error *err)
{
    struct figure_point *points =
        arena_array(arena, struct figure_point, res->front.len + 1, err);
    const struct plan_row *at = res->front.at;

    if (points == NULL)
        return false;
    out->at = points;
    for (size_t i = 0; i < res->front.len; i++) {
        const struct plan_row *same = find_plan_row(&res->plans, &at[i]);

        if (!can_draw(&at[i], true))
            continue;
        points[out->len] = (struct figure_point){.x = at[i].hours.value * SECONDS_PER_HOUR,
                                                 .y = usd_double(at[i].cost),
                                                 .marked = true};
        if (!name_row(&at[i], same != NULL ? same->role : STR(""), arena,
                      &points[out->len++].label, err))
            return false;
    }
    return true;
}

/* Plans of the table that are not on the front; without times, all of them. */
static bool add_plan_series(const struct plan_result *res, bool timed, struct arena *arena,
                            struct figure_series *out, struct error *err)
{
    struct figure_point *points =
        arena_array(arena, struct figure_point, res->plans.len + 1, err);
    const struct plan_row *at = res->plans.at;

    if (points == NULL)
        return false;
    out->at = points;
    for (size_t i = 0; i < res->plans.len; i++) {
        struct figure_point *point = &points[out->len];

        if (!can_draw(&at[i], timed) || (timed && find_plan_row(&res->front, &at[i]) != NULL))
            continue;
        *point = (struct figure_point){.x = at[i].hours.value * SECONDS_PER_HOUR,
                                       .y = usd_double(at[i].cost),
                                       .marked = !timed && i == 0};
        if (!timed && at[i].cost_low.nano != MONEY_UNKNOWN) {
            point->low = usd_double(at[i].cost_low);
            point->high = usd_double(at[i].cost_high);
        }
        if (!name_row(&at[i], at[i].role, arena, &point->label, err))
            return false;
        out->len++;
    }
    return true;
}

static bool describe_plan(const struct plan_result *res, struct figure *figure,
                          struct str *source, struct arena *arena, struct error *err)
{
    struct buf title = buf_new(arena->alloc, TEXT_MAX), from = buf_new(arena->alloc, TEXT_MAX);
    bool ok;

    buf_adds(&title, figure->kind == FIGURE_SCATTER ? "Cost and time of " : "Cost of ");
    buf_add(&title, res->name.len > 0 ? res->name : res->model);
    buf_adds(&from, "prices from ");
    day_write(res->prices_from, &from);
    buf_adds(&from, " to ");
    day_write(res->prices_to, &from);
    ok = buf_keep(&title, arena, &figure->title, err);
    return buf_keep(&from, arena, source, err) && ok;
}

bool plan_figure_write(const struct plan_result *res, struct str path, struct arena *arena,
                       struct error *err)
{
    struct figure_series series[2] = {{.name = STR("the cheapest plans at each speed")},
                                      {.name = STR("other plans")}};
    struct figure figure = {.x = {.label = STR("time"), .unit = FIGURE_SECONDS},
                            .y = {.label = STR("cost"), .unit = FIGURE_USD},
                            .series = series,
                            .series_count = 2};
    struct figure_sheet sheet = {.figures = &figure, .count = 1};
    struct buf text;
    bool timed;

    if (!add_front_series(res, arena, &series[0], err))
        return false;
    timed = series[0].len > 1;
    figure.kind = timed ? FIGURE_SCATTER : FIGURE_BARS;
    if (!timed) { /* a model that serves, several jobs, or one way only */
        figure.series = &series[1];
        figure.series_count = 1;
    }
    if (!add_plan_series(res, timed, arena, &series[1], err) ||
        !describe_plan(res, &figure, &sheet.footer, arena, err))
        return false;
    if (timed && series[1].len == 0)
        figure.series_count = 1;
    text = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    figure_svg(&sheet, &text);
    return fs_put_buf(path, &text, err);
}
