#include "spot/hazard.h"

#include <math.h>

/* A share of 0 or 1 would need outages, or lives, without end. */
#define UP_LEAST 0.01
#define UP_MOST 0.999
/* Hours: the step at which most of the watched machines were, so that shorter lives were not
 * seen; the rate before is taken to be that just after. */
#define SEEN_FROM (1 / 6.0)

struct hazard hazard_of(const double rates[static AGE_BINS])
{
    struct hazard h = {.rate = {0}};

    for (size_t b = 0; b < AGE_BINS; b++) {
        h.rate[b] = fmax(rates[b], HAZARD_LEAST);
        if (b > 0)
            h.sum[b] = h.sum[b - 1] + h.rate[b - 1] * (age_edges[b] - age_edges[b - 1]);
    }
    return h;
}

double hazard_survive(const struct hazard *h, double age)
{
    size_t b = age_bin(age);

    return exp(-h->sum[b] - h->rate[b] * (age - age_edges[b]));
}

double hazard_mean(const struct hazard *h, double until)
{
    double sum = 0;

    for (size_t b = 0; b < AGE_BINS && age_edges[b] < until; b++) {
        double end = b + 1 < AGE_BINS ? fmin(age_edges[b + 1], until) : until;

        sum += exp(-h->sum[b]) * -expm1(-h->rate[b] * (end - age_edges[b])) / h->rate[b];
    }
    return sum;
}

double hazard_goes_on(const struct hazard *h, double hours)
{
    return 1 - hazard_mean(h, hours) / hazard_mean(h, INFINITY);
}

/* E[X^2] is twice the integral of age x survival; in a bin that is elementary. */
double hazard_variance(const struct hazard *h)
{
    double mean = hazard_mean(h, INFINITY), square = 0;

    for (size_t b = 0; b < AGE_BINS; b++) {
        double r = h->rate[b], from = age_edges[b];
        double start = exp(-h->sum[b]) * (from / r + 1 / (r * r)), end = 0;

        if (b + 1 < AGE_BINS)
            end = exp(-h->sum[b + 1]) * (age_edges[b + 1] / r + 1 / (r * r));
        square += 2 * (start - end);
    }
    return fmax(square - mean * mean, 0);
}

/* Make the mean outage `wanted` hours long by one factor on all rates. */
static void scale_outages(struct lifetimes *l, double wanted)
{
    double low = log(1e-6), high = log(1e6);

    for (int i = 0; i < 60; i++) {
        double factor = exp((low + high) / 2), rates[AGE_BINS];
        struct hazard h;

        for (size_t b = 0; b < AGE_BINS; b++)
            rates[b] = lifetimes_typical.gain[b] * factor;
        h = hazard_of(rates);
        if (hazard_mean(&h, INFINITY) > wanted)
            low = log(factor);
        else
            high = log(factor);
    }
    for (size_t b = 0; b < AGE_BINS; b++)
        l->gain[b] = lifetimes_typical.gain[b] * exp((low + high) / 2);
}

struct lifetimes lifetimes_from_hazard(double first_hour, double shape, double up)
{
    struct lifetimes l = {.up = isnan(up) ? lifetimes_typical.up : up};
    struct hazard h;

    l.up = fmin(fmax(l.up, UP_LEAST), UP_MOST);
    for (size_t b = 0; b < AGE_BINS; b++) {
        double from = fmax(age_edges[b], SEEN_FROM);
        double to = b + 1 < AGE_BINS ? age_edges[b + 1] : 2 * from;
        double added = first_hour * (pow(to, shape) - pow(from, shape));

        l.lose[b] = (added + (1 - shape) * log(to / from)) / (to - from);
    }
    h = hazard_of(l.lose);
    scale_outages(&l, hazard_mean(&h, INFINITY) * (1 - l.up) / l.up);
    return l;
}
