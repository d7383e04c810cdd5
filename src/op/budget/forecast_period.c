/* What a period will come to: what is spent, what its other days are expected to cost, and the
 * recurring costs of those as they are. */
#include <math.h>
#include <string.h>

#include "op/budget/forecast.h"

struct work {
    struct op_context *ctx;
    const struct spend_days *days;
    const struct spend_whose *of;
    struct spend_period *out;
};

static bool in_period(const struct work *w, day on)
{
    return on.n >= w->of->from.n && on.n < w->of->until.n;
}

/* Exact sums of a group: of whole days, of others, and of what is known of those. */
static bool add_group(const struct work *w, const struct costs_group *g, struct error *err)
{
    const struct costs_group *r = spend_recurring_of(w->days, g);
    day end = w->days->end, today = op_today(w->ctx);
    struct spend_period *out = w->out;

    for (size_t i = 0; i < g->cell_count; i++) {
        const struct spending *s = &g->cells[i];

        if (in_period(w, s->from) &&
            !costs_plus(s->from.n < end.n ? &out->spent : &out->running, s->amount, err))
            return false;
    }
    for (size_t i = 0; r != NULL && i < r->cell_count; i++) {
        const struct spending *s = &r->cells[i];

        if (!in_period(w, s->from) || s->from.n < end.n)
            continue;
        if (!costs_plus(&out->recurring, s->amount, err) ||
            (s->from.n > today.n && !costs_minus(out->running, s->amount, &out->running, err)))
            return false;
    }
    return true;
}

/* The sum of all groups from the first day of any; DAY_UNKNOWN as its first day when there is
 * nothing but recurring costs. */
static bool add_up(const struct work *w, struct daily *out, struct error *err)
{
    const struct costs_group *groups = w->of->groups;
    size_t count = w->of->count;
    double *amounts;

    *out = (struct daily){.first = DAY_UNKNOWN};
    for (size_t i = 0; i < count; i++) {
        day first = spend_first(w->days, &groups[i], DAY_UNKNOWN);

        if (first.n != DAY_UNKNOWN.n &&
            (out->first.n == DAY_UNKNOWN.n || first.n < out->first.n))
            out->first = first;
    }
    if (out->first.n == DAY_UNKNOWN.n || out->first.n >= w->days->end.n)
        return true;
    out->len = (size_t)(w->days->end.n - out->first.n);
    if ((amounts = arena_array(w->ctx->arena, double, out->len, err)) == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct daily one;

        if (!spend_series(w->ctx, w->days, &groups[i], out->first, &one, err))
            return false;
        for (size_t t = 0; t < one.len; t++)
            amounts[t] += one.amount[t];
    }
    out->amount = amounts;
    return true;
}

/* Never less than what is there already, but for credits to come. */
static double whole(const struct spend_period *p, double rest)
{
    double spent = decimal_double(p->spent), more = rest + decimal_double(p->recurring);

    if (rest >= 0)
        more = fmax(more, decimal_double(p->running));
    return round((spent + more) * 100) / 100;
}

static void say(struct spend_period *p, const char *method, double rest, double low,
                double high)
{
    p->forecast = whole(p, rest);
    p->low = whole(p, low);
    p->high = whole(p, high);
    p->method = method;
}

static bool foresee(const struct work *w, const struct daily *series, struct error *err)
{
    struct spend_period *out = w->out;
    struct error problem = {0};
    struct forecast f;
    /* Before its first day nothing was spent: those are no days that are not known. */
    day from = series->first.n > w->of->from.n ? series->first : w->of->from;

    if (daily_forecast(series, from, w->of->until, w->ctx->arena, &f, &problem)) {
        say(out, f.method, f.rest, f.low, f.high);
        out->days = (int64_t)f.days_used;
        return true;
    }
    if (problem.kind != ERROR_ABSENT) {
        *err = problem;
        return false;
    }
    out->problem.len = strlen(problem.text);
    out->problem.at = str_dup(str_from(problem.text), w->ctx->arena, err);
    return out->problem.at != NULL;
}

bool spend_period(struct op_context *ctx, const struct spend_days *days,
                  const struct spend_whose *of, struct spend_period *out, struct error *err)
{
    struct work w = {.ctx = ctx, .days = days, .of = of, .out = out};
    struct daily series;

    *out = (struct spend_period){.forecast = NAN, .low = NAN, .high = NAN};
    for (size_t i = 0; i < of->count; i++)
        if (!add_group(&w, &of->groups[i], err))
            return false;
    if (!add_up(&w, &series, err))
        return false;
    if (of->until.n <= days->end.n)
        say(out, "all days are known", 0, 0, 0);
    else if (series.first.n == DAY_UNKNOWN.n)
        say(out, "recurring costs alone", 0, 0, 0);
    else
        return foresee(&w, &series, err);
    return true;
}
