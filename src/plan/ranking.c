#include "plan/ranking.h"

#include <math.h>
#include <string.h>

double plan_shown(double number)
{
    double last;

    if (!(fabs(number) > 0) || !isfinite(number))
        return number;
    last = pow(10, floor(log10(fabs(number))) - 2);
    return round(number / last) * last;
}

/* In the unit that it is shown in. */
static double shown_hours(double hours)
{
    static const double units[] = {2 * 365.25 * 24, 3 * 24, 1, 1 / 60.0, 1 / 3600.0};
    static const double sizes[] = {365.25 * 24, 24, 1, 1 / 60.0, 1 / 3600.0};

    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (hours >= units[i])
            return plan_shown(hours / sizes[i]) * sizes[i];
    return plan_shown(hours);
}

static double shown_cost(usd cost)
{
    return plan_shown(usd_double(cost));
}

usd plan_close_cost(usd lowest)
{
    return usd_from(shown_cost(lowest) * (1 + CLOSE_COST));
}

bool plan_is_by_cost(const struct planning *w)
{
    const struct plan_aim *a = &w->problem.aim;
    bool worthless = w->request->value_of_time.nano == 0;

    return a->cost > 0 && !(a->time > 0) && !(a->carbon > 0) && !(a->value_of_time > 0) &&
           !worthless && !(w->problem.limits.within_h > 0) && w->job->kind == JOB_TRAIN;
}

/* Of those that are shown to take no longer than the soonest, the cheapest. */
static const struct plan *soonest_of(const struct plan *plans, size_t count, double most_usd)
{
    const struct plan *soonest = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct plan *p = &plans[i];
        double time = shown_hours(p->time);

        if (shown_cost(p->total.expected) > most_usd * (1 + 1e-9))
            continue;
        if (soonest == NULL || time < shown_hours(soonest->time) * (1 - 1e-9) ||
            (time < shown_hours(soonest->time) * (1 + 1e-9) &&
             usd_compare(p->total.expected, soonest->total.expected) < 0))
            soonest = p;
    }
    return soonest;
}

bool plan_take_sooner(struct planning *w, struct plan *best, struct error *err)
{
    struct plan_problem p = w->problem;
    usd most = plan_close_cost(best->total.expected);
    usd budget = usd_from(usd_double(most) * 1.01); /* what is shown is rounded */
    const struct plan *sooner;
    struct plan *front;
    size_t count;

    w->cheapest = *best;
    if (!plan_is_by_cost(w))
        return true;
    if (p.limits.budget.nano == MONEY_UNKNOWN || usd_compare(budget, p.limits.budget) < 0)
        p.limits.budget = budget;
    if (!search_front(w->search, &p, NULL, &front, &count, err))
        return false;
    sooner = soonest_of(front, count, usd_double(most));
    if (sooner != NULL && shown_hours(sooner->time) < shown_hours(best->time) * (1 - 1e-9))
        *best = *sooner;
    return true;
}

/* Hours of a job; the latency of a model that serves. */
static double shown_row_time(const struct plan_row *row)
{
    return shown_hours(isnan(row->hours.value) ? row->p95_s / 3600 : row->hours.value);
}

static bool is_row_before(const struct plan_row *a, const struct plan_row *b)
{
    double more = shown_cost(a->cost) - shown_cost(b->cost);

    if (fabs(more) > 1e-9 * fabs(shown_cost(a->cost)))
        return more < 0;
    return shown_row_time(a) < shown_row_time(b) * (1 - 1e-9);
}

void plan_sort_rows(struct plan_row *rows, size_t count)
{
    for (size_t i = 2; i < count; i++) {
        struct plan_row row = rows[i];
        size_t at = i;

        for (; at > 1 && is_row_before(&row, &rows[at - 1]); at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}
