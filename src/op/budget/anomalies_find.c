/* The events of series of days. Each quarter is judged by itself, with the same days before it:
 * what is said of an event depends on when it began, never on which days were asked for, nor on
 * the day that it is asked on. */
#include "op/budget/forecast.h"

#define HISTORY 184 /* days before a quarter that it is held against */
#define AFTER 31    /* days in which an event of its last day is over, or has become ordinary */
#define REACH 42    /* days that an event, and the one before it, last at most */
#define QUARTER 3   /* months */

struct work {
    struct op_context *ctx;
    const struct daily_costs *days;
    const struct anomaly_options *options;
    day since;
    day *told; /* of each group: the last day of its last event */
    struct anomaly_found *at;
    size_t count, room;
};

/* An event lasts three weeks, then it is ordinary: one may have begun in the quarter before, or
 * be known from it. */
static day first_quarter(day since)
{
    return day_quarter_start((day){since.n - REACH});
}

day anomalies_read_from(day since)
{
    return (day){first_quarter(since).n - HISTORY};
}

/* The first day of any group that the quarter is held against. */
static day first_day(const struct work *w, day quarter)
{
    day from = {quarter.n - HISTORY}, first = w->days->end;

    for (size_t i = 0; i < w->days->groups.count; i++) {
        day of = daily_costs_first(w->days, &w->days->groups.at[i], from);

        if (of.n != DAY_UNKNOWN.n && of.n < first.n)
            first = of;
    }
    return first;
}

/* Those that began in the quarter and reach into what was asked for. One that another quarter's
 * days had still to do with is known from there. */
static bool keep(struct work *w, size_t group, const struct daily *series,
                 const struct anomaly *event, day quarter, struct error *err)
{
    day first = {series->first.n + (int32_t)event->first};
    day last = {series->first.n + (int32_t)event->last};

    if (first.n < quarter.n || first.n >= day_month_add(quarter, QUARTER).n ||
        (w->told[group].n != DAY_UNKNOWN.n && first.n <= w->told[group].n))
        return true;
    w->told[group] = last;
    if (last.n < w->since.n)
        return true;
    w->at = arena_grow(w->ctx->arena, w->at, w->count, sizeof *w->at, &w->room, err);
    if (w->at == NULL)
        return false;
    w->at[w->count++] =
        (struct anomaly_found){&w->days->groups.at[group], *event, series->first};
    return true;
}

static bool judge(struct work *w, size_t group, day first, day quarter, struct error *err)
{
    struct arena scratch = {w->ctx->arena->alloc, w->ctx->arena->block_size, NULL};
    int64_t most = day_month_add(quarter, QUARTER).n + AFTER - first.n;
    const struct anomaly *found = NULL;
    size_t count = 0;
    struct daily series;
    bool ok;

    if (most <= 0) /* nothing was spent so early */
        return true;
    ok = daily_costs_series(w->days, &w->days->groups.at[group], first, &scratch, &series, err);
    if (ok && (int64_t)series.len > most)
        series.len = (size_t)most;
    ok = ok && daily_anomalies(&series, w->options, &scratch, &found, &count, err);
    for (size_t i = 0; i < count && ok; i++)
        ok = keep(w, group, &series, &found[i], quarter, err);
    arena_free(&scratch);
    return ok;
}

bool anomalies_find(struct op_context *ctx, const struct daily_costs *days, day since,
                    const struct anomaly_options *options, struct anomaly_found **out,
                    size_t *count, struct error *err)
{
    struct work w = {.ctx = ctx, .days = days, .options = options, .since = since};

    w.told = arena_array(ctx->arena, day, days->groups.count, err);
    if (w.told == NULL)
        return false;
    for (size_t i = 0; i < days->groups.count; i++)
        w.told[i] = DAY_UNKNOWN;
    for (day q = first_quarter(since); q.n < days->end.n; q = day_month_add(q, QUARTER)) {
        day first = first_day(&w, q);

        for (size_t i = 0; i < days->groups.count; i++)
            if (!judge(&w, i, first, q, err))
                return false;
    }
    *out = w.at;
    *count = w.count;
    return true;
}
