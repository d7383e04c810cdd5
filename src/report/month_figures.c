/* Figures of a month: how its spending grew, by day and team, and where it went. */
#include <math.h>
#include <stdlib.h>

#include "report/month.h"

#define TEAMS 7      /* that have a color; the others share one */
#define DAYS_MOST 31 /* of a month */
#define PARTS 40     /* of a treemap */

static enum figure_unit month_figure_unit(const struct month *m)
{
    return currency_is(m->currency, currency_usd) ? FIGURE_USD : FIGURE_NUMBER;
}

static struct str label_of(const struct month *m)
{
    return !currency_is(m->currency, currency_usd) ? currency_text(&m->currency)
                                                   : (struct str){0};
}

static struct str name_or_none(struct str name)
{
    return name.len > 0 ? name : STR("(none)");
}

static bool is_counted_spending(const struct month *m, const struct spending *s)
{
    return currency_is(s->currency, m->currency);
}

/* ---- as it grew ---- */

/* What was spent up to each day, as points of the month's own days. */
static size_t add_up_days(const struct month *m, const struct spending_answer *days, day first,
                          day last, struct figure_point *out)
{
    size_t count = 0;
    double sum = 0;

    for (day on = first; on.n <= last.n && count < DAYS_MOST; on.n++) {
        for (size_t i = 0; i < days->count; i++)
            if (days->at[i].from.n == on.n && is_counted_spending(m, &days->at[i]))
                sum += decimal_double(days->at[i].amount);
        out[count] = (struct figure_point){
            .x = (double)((m->first.n + (int32_t)count) * SECONDS_PER_DAY), .y = sum};
        count++;
    }
    return count;
}

/* From the last point to the forecast of the month's end. */
static size_t add_forecast_points(const struct month *m, const struct figure_point *from,
                                  struct figure_point *out)
{
    const struct forecast_row *totals = m->forecast.totals.at;

    for (size_t i = 0; m->running && i < m->forecast.totals.len; i++) {
        const struct forecast_row *t = &totals[i];

        if (!currency_is(t->forecast.currency, m->currency) ||
            from->x >= (double)((m->after.n - 1) * SECONDS_PER_DAY))
            continue;
        out[0] = *from;
        out[0].low = out[0].high = from->y;
        out[0].high += 1e-9 * from->y; /* a range of its own: the band begins here */
        out[1] = (struct figure_point){.x = (double)((m->after.n - 1) * SECONDS_PER_DAY),
                                       .y = decimal_double(t->forecast.amount),
                                       .low = decimal_double(t->low.amount),
                                       .high = decimal_double(t->high.amount),
                                       .marked = true};
        return 2;
    }
    return 0;
}

bool month_line_figure(const struct month *m, struct arena *arena, struct figure *out,
                       struct error *err)
{
    struct figure_point *points =
        arena_array(arena, struct figure_point, 2 * DAYS_MOST + 2, err);
    struct figure_series *series = arena_array(arena, struct figure_series, 3, err);
    struct figure f = {.kind = FIGURE_LINES,
                       .title = STR("Spend so far, day by day"),
                       .x = {.unit = FIGURE_TIME},
                       .y = {.unit = month_figure_unit(m), .label = label_of(m)},
                       .series = series};
    const struct budget_view *budget = month_budget(m);
    size_t count, before;

    if (points == NULL || series == NULL)
        return false;
    count = add_up_days(m, &m->days, m->first, m->last, points);
    before = add_up_days(m, &m->days_before, day_month_add(m->first, -1), (day){m->first.n - 1},
                         points + DAYS_MOST);
    series[f.series_count++] =
        (struct figure_series){.name = m->name, .at = points, .len = count};
    if (m->days_before.count > 0)
        series[f.series_count++] = (struct figure_series){
            .name = m->name_before, .at = points + DAYS_MOST, .len = before, .muted = true};
    series[f.series_count] = (struct figure_series){.name = STR("forecast, 80 % range"),
                                                    .at = points + 2 * DAYS_MOST};
    if (count > 0)
        series[f.series_count].len =
            add_forecast_points(m, &points[count - 1], points + 2 * DAYS_MOST);
    f.series_count += series[f.series_count].len > 0;
    if (budget != NULL) {
        f.limit = decimal_double(budget->limit.amount);
        f.limit_name = STR("budget");
    }
    *out = f;
    return true;
}

/* ---- by team ---- */

/* Teams as their table has them, the most money first; one index more for all others. */
static size_t team_index(const struct month *m, struct str team)
{
    const struct costs_row *rows = m->spent[MONTH_TEAM].rows.at;
    size_t at = 0;

    for (size_t i = 0; i < m->spent[MONTH_TEAM].rows.len && at < TEAMS; i++) {
        if (!currency_is(rows[i].amount.currency, m->currency) || rows[i].others > 0)
            continue;
        if (str_eq_nocase(rows[i].value[0], team))
            return at;
        at++;
    }
    return TEAMS;
}

/* The series of the teams, each with room for so many points. */
static struct figure_series *team_series(const struct month *m, size_t room,
                                         struct figure_point **points, struct arena *arena,
                                         struct error *err)
{
    const struct costs_row *rows = m->spent[MONTH_TEAM].rows.at;
    struct figure_series *series = arena_array(arena, struct figure_series, TEAMS + 1, err);
    size_t at = 0;

    *points = arena_array(arena, struct figure_point, (TEAMS + 1) * room, err);
    if (series == NULL || *points == NULL)
        return NULL;
    for (size_t i = 0; i <= TEAMS; i++)
        series[i] = (struct figure_series){
            .name = STR("others"), .at = *points + i * room, .muted = i == TEAMS};
    for (size_t i = 0; i < m->spent[MONTH_TEAM].rows.len && at < TEAMS; i++)
        if (currency_is(rows[i].amount.currency, m->currency) && rows[i].others == 0)
            series[at++].name = name_or_none(rows[i].value[0]);
    return series;
}

/* Only those that have points, which are in the order of the table. */
static size_t drop_empty(struct figure_series *series)
{
    size_t kept = 0;

    for (size_t i = 0; i <= TEAMS; i++)
        if (series[i].len > 0)
            series[kept++] = series[i];
    return kept;
}

static bool name_days(const struct month *m, struct figure_point *points, size_t days,
                      struct arena *arena, struct error *err)
{
    for (size_t d = 0; d < days; d++) {
        struct buf text = buf_new(arena->alloc, 16);
        struct str label;

        buf_addf(&text, "%zu", d + 1);
        if (!buf_keep(&text, arena, &label, err))
            return false;
        for (size_t i = 0; i <= TEAMS; i++)
            points[i * DAYS_MOST + d].label = label;
    }
    (void)m;
    return true;
}

bool month_team_figure(const struct month *m, struct arena *arena, struct figure *out,
                       struct error *err)
{
    struct figure_point *points;
    struct figure_series *series = team_series(m, DAYS_MOST, &points, arena, err);
    size_t days = (size_t)(m->last.n - m->first.n) + 1;
    struct figure f = {.kind = FIGURE_COLUMNS,
                       .title = STR("Spend by day and team"),
                       .x = {.label = STR("day of the month (UTC)")},
                       .y = {.unit = month_figure_unit(m), .label = label_of(m)},
                       .series = series};

    if (series == NULL || !name_days(m, points, days, arena, err))
        return false;
    for (size_t i = 0; i < m->days.count; i++) {
        const struct spending *s = &m->days.at[i];
        size_t team = team_index(m, s->of.of[DIMENSION_team]);
        size_t on = (size_t)(s->from.n - m->first.n);

        if (!is_counted_spending(m, s) || on >= days)
            continue;
        points[team * DAYS_MOST + on].y += decimal_double(s->amount);
        series[team].len = days;
    }
    f.series_count = drop_empty(series);
    *out = f;
    return true;
}

/* ---- by project ---- */

static int compare_amounts(const void *a, const void *b)
{
    return decimal_cmp(((const struct spending *)b)->amount,
                       ((const struct spending *)a)->amount);
}

bool month_project_figure(const struct month *m, struct arena *arena, struct figure *out,
                          struct error *err)
{
    size_t count = 0, all = m->projects.count;
    struct spending *sorted = arena_array(arena, struct spending, all, err);
    struct figure_point *points;
    struct figure_series *series = team_series(m, PARTS + 1, &points, arena, err);
    struct figure f = {.kind = FIGURE_TREEMAP,
                       .title = STR("Spend by team and project"),
                       .note = STR("Areas are amounts; colors are teams"),
                       .y = {.unit = month_figure_unit(m), .label = label_of(m)},
                       .series = series};

    if (series == NULL || sorted == NULL)
        return false;
    for (size_t i = 0; i < all; i++)
        if (is_counted_spending(m, &m->projects.at[i]) &&
            m->projects.at[i].amount.coefficient > 0)
            sorted[count++] = m->projects.at[i];
    if (count > 1)
        qsort(sorted, count, sizeof *sorted, compare_amounts);
    for (size_t i = 0; i < count; i++) {
        size_t team = i < PARTS ? team_index(m, sorted[i].of.of[DIMENSION_team]) : TEAMS;
        struct figure_point *p = &points[team * (PARTS + 1)];

        if (i < PARTS)
            p[series[team].len++] =
                (struct figure_point){.label = name_or_none(sorted[i].of.of[DIMENSION_project]),
                                      .y = decimal_double(sorted[i].amount)};
        else if (i == PARTS)
            p[series[team].len++] = (struct figure_point){
                .label = STR("all others"), .y = decimal_double(sorted[i].amount)};
        else
            p[series[team].len - 1].y += decimal_double(sorted[i].amount);
    }
    f.series_count = drop_empty(series);
    if (count < 2) { /* one area is all of the figure: its length says as much */
        f.kind = FIGURE_BARS;
        f.note = (struct str){0};
    }
    *out = f;
    return true;
}
