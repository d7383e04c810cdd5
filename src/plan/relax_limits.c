/* Limits as numbers, and those that contradict each other. */
#include <math.h>

#include "plan/relax_internal.h"

double relax_limit_of(const struct plan_limits *l, enum relax_kind kind)
{
    switch (kind) {
    case RELAX_DEADLINE:
        return l->deadline_h;
    case RELAX_BUDGET:
        return usd_double(l->budget);
    case RELAX_RISK:
        return l->max_risk;
    case RELAX_CARBON:
        return l->max_carbon_kg;
    case RELAX_MOST_GPUS:
        return (double)l->most_gpus;
    case RELAX_LEAST_GPUS:
        return -(double)l->least_gpus;
    case RELAX_BAR:
        break;
    }
    return NAN;
}

double relax_needed_by(const struct plan *plan, enum relax_kind kind)
{
    double gpus = (double)(plan->way.gpus * plan->way.trials_parallel);

    switch (kind) {
    case RELAX_DEADLINE:
        return plan->start_h + plan->hours;
    case RELAX_BUDGET:
        return ceil(usd_double(plan->total.expected) / RELAX_CENT - 1e-9) * RELAX_CENT;
    case RELAX_RISK:
        return plan->risk;
    case RELAX_CARBON:
        return plan->carbon_kg;
    case RELAX_MOST_GPUS:
        return gpus;
    case RELAX_LEAST_GPUS:
        return -gpus;
    case RELAX_BAR:
        break;
    }
    return NAN;
}

void relax_set(struct plan_limits *l, const struct relax_step *step, double to)
{
    switch (step->kind) {
    case RELAX_DEADLINE:
        l->deadline_h = isinf(to) ? NAN : to;
        break;
    case RELAX_BUDGET:
        l->budget = isinf(to) ? USD_UNKNOWN : usd_from(to);
        break;
    case RELAX_RISK:
        l->max_risk = isinf(to) ? NAN : to;
        break;
    case RELAX_CARBON:
        l->max_carbon_kg = isinf(to) ? NAN : to;
        break;
    case RELAX_MOST_GPUS:
        l->most_gpus = to < RELAX_NO_GPU_LIMIT ? (int64_t)to : RELAX_NO_GPU_LIMIT;
        break;
    case RELAX_LEAST_GPUS:
        l->least_gpus = isinf(to) ? 0 : (int64_t)-to;
        break;
    case RELAX_BAR:
        l->lifted |= (unsigned)step->bar;
        break;
    }
}

double relax_shown(const struct relax_step *step, double to)
{
    return step->kind == RELAX_LEAST_GPUS ? -to : to;
}

struct plan_limits relax_lifted(struct plan_limits limits, const struct relax_step *step)
{
    relax_set(&limits, step, INFINITY);
    return limits;
}

bool plan_check_limits(const struct plan_limits *l, struct error *err)
{
    if (l->budget.nano != MONEY_UNKNOWN && l->budget.nano <= 0) {
        error_set(err, ERROR_INPUT, "a budget of nothing pays for no plan");
        error_hint(err, "give an amount above zero, --budget 100usd, or none at all");
    } else if (l->deadline_h <= 0) {
        error_set(err, ERROR_INPUT, "the deadline is over before anything starts");
        error_hint(err, "say how long from now it may take: --deadline 24h");
    } else if (l->most_gpus < 1) {
        error_set(err, ERROR_INPUT, "a plan with at most %lld GPUs is none",
                  (long long)l->most_gpus);
        error_hint(err, "allow one at least: --max-gpus 1");
    } else if (l->least_gpus > l->most_gpus) {
        error_set(err, ERROR_INPUT, "at least %lld GPUs are asked for, and at most %lld",
                  (long long)l->least_gpus, (long long)l->most_gpus);
        error_hint(err, "raise --max-gpus to %lld, or leave one of them out",
                   (long long)l->least_gpus);
    } else if (l->max_risk < 0 || l->max_risk > 1) {
        error_set(err, ERROR_INPUT, "a risk of %g is no chance", l->max_risk);
        error_hint(err, "say it as a share: --max-risk 20%%");
    } else if (l->max_carbon_kg < 0) {
        error_set(err, ERROR_INPUT, "less than no carbon (%g kg) is asked for",
                  l->max_carbon_kg);
        error_hint(err, "say how much may be emitted: --max-carbon-kg 10");
    } else if (l->within_h < 0) {
        error_set(err, ERROR_INPUT, "the start is to be chosen in the past");
        error_hint(err, "say within how long from now: --within 48h");
    } else {
        return true;
    }
    return false;
}
