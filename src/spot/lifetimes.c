/* What is typical, and lifetimes that follow from a model. */
#include "spot/lifetimes.h"

#include <math.h>

/* A share of 0 or 1 would need outages, or lives, without end. */
#define UP_LEAST 0.01
#define UP_MOST 0.999
/* Hours: the step at which most of the watched machines were, so that shorter lives were not
 * seen; the rate before is taken to be that just after. */
#define SEEN_FROM (1 / 6.0)

/* From 16 traces of three published sets (AWS 2022 and 2023 with K80 and V100, GCP 2025 with
 * H100 in gangs of 4 to 16), which agree. Zones and weeks differ in how often spells end, by a
 * factor of 2.5 either way, more than in how that falls with age; so traces were cut into four
 * days, each with a factor of its own, and one curve fitted to all (proportional hazards with a
 * gamma frailty), which gives each piece the same say. In ten minutes, by bin, machines are
 * lost with 0.26, 0.195, 0.13, 0.083, 0.052, 0.037, 0.028, 0.014; outages end with 0.315,
 * 0.229, 0.133, 0.08, 0.049, 0.037, 0.024, 0.011. Nothing of it was watched here. */
const struct lifetimes lifetimes_typical = {
    .lose = {1.807, 1.301, 0.836, 0.520, 0.320, 0.226, 0.170, 0.085},
    .gain = {2.270, 1.560, 0.856, 0.500, 0.301, 0.226, 0.146, 0.066},
    .up = 0.52,
};

/* Logarithm of the mean outage over `wanted` hours, when all rates are exp(x) times as high. */
static double outage_over(double x, double wanted)
{
    double rates[AGE_BINS];
    struct hazard h;

    for (size_t b = 0; b < AGE_BINS; b++)
        rates[b] = lifetimes_typical.gain[b] * exp(x);
    h = hazard_of(rates);
    return log(hazard_mean(&h, INFINITY) / wanted);
}

/* Make the mean outage `wanted` hours long by one factor on all rates: the secant in
 * logarithms, where it is nearly a line, kept between two bounds. */
static void scale_outages(struct lifetimes *l, double wanted)
{
    double low = log(1e-11), high = log(1e6), x = 0, y = outage_over(x, wanted), slope = -1;

    for (int i = 0; i < 60 && fabs(y) > 1e-13; i++) {
        double next, value;

        *(y > 0 ? &low : &high) = x;
        next = x - y / slope;
        if (!(next > low && next < high))
            next = (low + high) / 2;
        value = outage_over(next, wanted);
        if (next == x)
            break;
        slope = (value - y) / (next - x);
        x = next;
        y = value;
    }
    for (size_t b = 0; b < AGE_BINS; b++)
        l->gain[b] = lifetimes_typical.gain[b] * exp(x);
}

struct lifetimes lifetimes_from_hazard(double first_hour, double shape, double up)
{
    struct lifetimes l = lifetimes_typical;
    struct hazard h, out;
    double life;

    for (size_t b = 0; b < AGE_BINS; b++) {
        double from = fmax(age_edges[b], SEEN_FROM);
        double to = b + 1 < AGE_BINS ? age_edges[b + 1] : 2 * from;
        double added = first_hour * (pow(to, shape) - pow(from, shape));

        l.lose[b] = (added + (1 - shape) * log(to / from)) / (to - from);
    }
    h = hazard_of(l.lose);
    life = hazard_mean(&h, INFINITY);
    if (isnan(up)) {
        out = hazard_of(l.gain);
        l.up = life / (life + hazard_mean(&out, INFINITY));
        return l;
    }
    l.up = fmin(fmax(up, UP_LEAST), UP_MOST);
    scale_outages(&l, life * (1 - l.up) / l.up);
    return l;
}
