#include "load/arrival.h"

#include <math.h>

#include "base/num.h"

#define TAU 6.283185307179586
#define SHAPE_LEAST 0.01 /* bursts of a hundred */
#define SHAPE_MOST 1e6

/* ---- drawn numbers ---- */

double chance_exponential(struct dice *dice)
{
    return -log1p(-dice_unit(dice));
}

/* Box and Muller's: one of the two is thrown away, so that a draw depends on nothing before. */
double chance_normal(struct dice *dice)
{
    double far = sqrt(2 * chance_exponential(dice));

    return far * cos(TAU * dice_unit(dice));
}

/* Marsaglia and Tsang 2000: of a shape of 1 or more; a smaller one is drawn one higher, times a
 * power of a uniform number. */
double chance_gamma(struct dice *dice, double shape)
{
    double raised = shape < 1 ? shape + 1 : shape;
    double d = raised - 1.0 / 3, c = 1 / sqrt(9 * d), out;

    for (;;) {
        double x = chance_normal(dice), v = 1 + c * x, u = 1 - dice_unit(dice);

        v = v * v * v;
        if (v > 0 && log(u) < x * x / 2 + d - d * v + d * log(v)) {
            out = d * v;
            break;
        }
    }
    return shape < 1 ? out * pow(1 - dice_unit(dice), 1 / shape) : out;
}

bool arrival_shape_parse(struct str text, double *out, struct error *err)
{
    struct str rest = text, word = str_cut(&rest, ':');

    if (str_eq_nocase(text, STR("poisson"))) {
        *out = 1;
        return true;
    }
    if (str_eq_nocase(text, STR("even"))) {
        *out = INFINITY;
        return true;
    }
    if (str_eq_nocase(word, STR("gamma")) && num_double(rest, out) && *out >= SHAPE_LEAST &&
        *out <= SHAPE_MOST)
        return true;
    return error_fail_hint(
        err, ERROR_USAGE,
        "write poisson, even, or gamma:SHAPE with a shape from 0.01: below 1 "
        "requests come in bursts",
        "'%.*s' is not a pattern of arrivals", STR_ARG(text));
}

/* ---- moments ---- */

struct arrivals arrivals_start(const struct arrival_plan *plan, uint64_t seed)
{
    return (struct arrivals){.plan = *plan, .dice = dice_seed(seed)};
}

/* When so many requests are expected to have come: the inverse of the rate's integral. */
static double ramp_moment(const struct arrival_plan *p, double count)
{
    double slope = p->ramp_s > 0 ? (p->rate_end - p->rate) / p->ramp_s : 0;
    double on_ramp = (p->rate + p->rate_end) / 2 * p->ramp_s;

    if (!(p->ramp_s > 0) || slope == 0)
        return count / p->rate;
    if (count >= on_ramp)
        return p->ramp_s + (count - on_ramp) / p->rate_end;
    /* Of the two forms of the root the one that has no difference of near numbers. */
    return 2 * count / (p->rate + sqrt(p->rate * p->rate + 2 * slope * count));
}

bool arrivals_next(struct arrivals *a, double *at_s)
{
    const struct arrival_plan *p = &a->plan;

    if (p->kind == ARRIVAL_TRACE) {
        if (a->next >= p->trace->count)
            return false;
        *at_s = p->trace->rows[a->next++].at_s / p->speed;
        return true;
    }
    a->passed += isinf(p->shape) ? 1 : chance_gamma(&a->dice, p->shape) / p->shape;
    a->next++;
    *at_s = ramp_moment(p, a->passed);
    return true;
}
