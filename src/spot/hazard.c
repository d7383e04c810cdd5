#include "spot/hazard.h"

#include <math.h>

const double age_edges[AGE_BINS] = {0, 0.25, 0.5, 1, 2, 4, 8, 16};

size_t age_bin(double hours)
{
    size_t bin = 0;

    while (bin + 1 < AGE_BINS && hours >= age_edges[bin + 1])
        bin++;
    return bin;
}

double age_end(size_t bin)
{
    return bin + 1 < AGE_BINS ? age_edges[bin + 1] : (double)INFINITY;
}

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

double hazard_between(const struct hazard *h, double from, double to)
{
    double sum = 0;

    for (size_t bin = age_bin(from); bin < AGE_BINS && from < to; bin++) {
        double end = fmin(age_end(bin), to);

        sum += h->rate[bin] * (end - from);
        from = end;
    }
    return sum;
}

double hazard_survive(const struct hazard *h, double age)
{
    size_t b = age_bin(age);

    return exp(-h->sum[b] - h->rate[b] * (age - age_edges[b]));
}

/* Hours that are lived in a bin up to an age. */
static double lived(const struct hazard *h, size_t bin, double until)
{
    double end = fmin(age_end(bin), until);

    return exp(-h->sum[bin]) * -expm1(-h->rate[bin] * (end - age_edges[bin])) / h->rate[bin];
}

double hazard_mean(const struct hazard *h, double until)
{
    double sum = 0;

    for (size_t b = 0; b < AGE_BINS && age_edges[b] < until; b++)
        sum += lived(h, b, until);
    return sum;
}

double hazard_goes_on(const struct hazard *h, double hours)
{
    return 1 - hazard_mean(h, hours) / hazard_mean(h, INFINITY);
}

/* At a random moment an age is as likely as lives are to reach it. */
double hazard_age(const struct hazard *h, double of)
{
    double left = of * hazard_mean(h, INFINITY);
    size_t bin = 0;

    while (bin + 1 < AGE_BINS && left >= lived(h, bin, INFINITY))
        left -= lived(h, bin++, INFINITY);
    return age_edges[bin] - log1p(-left * h->rate[bin] * exp(h->sum[bin])) / h->rate[bin];
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
