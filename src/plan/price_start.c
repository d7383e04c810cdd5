/* When to start, where prices or power change over the week. */
#include <math.h>

#include "plan/price_internal.h"

/* What one hour of starting is: the score of a start, INFINITY where it breaks a limit. Machine
 * time costs a multiple of what it costs now, and so do emissions; the rest stays. */
static double score_at(const struct plan_problem *p, const struct plan *now, double fixed,
                       double start)
{
    const struct plan_limits *l = &p->limits;
    double hour = p->hour_of_week + start, kg = now->carbon_kg, score = 0;
    double usd_total = fixed + (usd_double(now->total.expected) - fixed) / now->multiplier *
                                   week_mean(now->place->prices, hour, now->billed_h);

    kg *= week_mean(now->place->carbon, hour, now->hours) /
          week_mean(now->place->carbon, p->hour_of_week, now->hours);
    if (start + now->hours > l->deadline_h * (1 + 1e-12) || usd_total > usd_double(l->budget) ||
        kg > l->max_carbon_kg)
        return INFINITY; /* limits that are not there are NaN, and break nothing */
    if (p->aim.cost > 0)
        score += p->aim.cost * usd_total / p->aim.cost_unit;
    if (p->aim.carbon > 0)
        score += p->aim.carbon * kg / p->aim.carbon_unit;
    return score;
}

double price_best_start(const struct plan_problem *p, const struct plan *now, double fixed)
{
    double first = ceil(p->hour_of_week) - p->hour_of_week, best = 0, least;

    if (!(p->limits.within_h > 0) || now->way.serves || !(now->multiplier > 0) ||
        (now->place->prices == NULL && now->place->carbon == NULL))
        return 0;
    least = score_at(p, now, fixed, 0);
    for (size_t hour = 0; hour < WEEK_HOURS; hour++) {
        double start = (first > 0 ? first : 1) + (double)hour, score;

        if (start > p->limits.within_h)
            break;
        score = score_at(p, now, fixed, start);
        if (score < least * (1 - 1e-12)) {
            least = score;
            best = start;
        }
    }
    return best;
}
