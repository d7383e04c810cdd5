/* What is typical, and lifetimes that follow from a model. */
#include "spot/lifetimes.h"

#include <math.h>

#include "spot/hazard.h"

/* ---- traces drawn from lifetimes ---- */

bool lifetimes_draw(const struct lifetimes *of, struct dice *dice, int32_t gap, size_t ticks,
                    struct arena *arena, struct trace *out, struct error *err)
{
    struct hazard lose = hazard_of(of->lose), gain = hazard_of(of->gain);
    double step = gap / 3600.0, age;
    uint8_t *nodes;
    bool up;

    if (gap < 1 || gap > TRACE_GAP_MAX || ticks < 1 || ticks > TRACE_TICKS_MAX)
        return error_fail(err, ERROR_INPUT,
                          "a trace has 1 to %zu ticks of 1 to %d seconds, not %zu of %d",
                          TRACE_TICKS_MAX, TRACE_GAP_MAX, ticks, (int)gap);
    nodes = arena_array(arena, uint8_t, ticks, err);
    if (nodes == NULL)
        return false;
    up = dice_unit(dice) < of->up;
    age = hazard_age(up ? &lose : &gain, dice_unit(dice));
    for (size_t i = 0; i < ticks; i++) {
        nodes[i] = up;
        if (dice_unit(dice) < exp(-hazard_between(up ? &lose : &gain, age, age + step))) {
            age += step;
        } else {
            up = !up;
            age = 0;
        }
    }
    *out = (struct trace){.id = STR("drawn"),
                          .gap = gap,
                          .nodes = 1,
                          .ticks = ticks,
                          .start = STAMP_UNKNOWN,
                          .on_demand = NAN,
                          .spot = NAN,
                          .nodes_at = nodes};
    return true;
}

/* Lifetimes of a trace.
 *
 * A tick sees only that a machine was lost within it, and a tick may lie across bins. So it is
 * the likeliest rates given how many machines of each age, in ticks, were there and were lost
 * in the next tick (expectation-maximization): then a drawn trace of the same gap loses as many
 * at each age, whatever the gap. */

/* Ages in ticks up to the last bin's edge, and one for all above; coarser counts for gaps below
 * a minute, where it makes no difference. */
enum { AGES_MAX = 1024, ROUNDS = 200 };

/* How sure it is beforehand: a rate is thought to be within a factor of two of what is expected
 * of it (one standard deviation of its logarithm, this to the power -1/2), and what is expected
 * is typical, as if NEAR events had happened around. */
#define SURE 2.0
#define NEAR 2.0

/* Those that have reached an age, and those of them that ended within the next tick. */
struct counts {
    double seen[AGES_MAX], ended[AGES_MAX];
};

struct fit {
    double step;    /* hours of a tick */
    size_t ages;    /* in use */
    size_t per_age; /* ticks that are counted as one age */
    struct counts up, down;
};

static size_t age_of(const struct fit *f, size_t ticks)
{
    size_t age = ticks / f->per_age;

    return age < f->ages ? age : f->ages - 1;
}

/* A spell that runs into a gap is not known to have ended; after it another begins. */
static void count_spells(const struct trace *trace, int32_t gang, struct fit *f, double *share)
{
    size_t ticks = 0, up_ticks = 0, seen = 0;

    for (size_t i = 0; i < trace->ticks; i++) {
        bool up = trace->nodes_at[i] >= gang;
        struct counts *c = up ? &f->up : &f->down;

        if (!trace_seen(trace, i))
            continue;
        seen++;
        up_ticks += up;
        if (i + 1 == trace->ticks || !trace_seen(trace, i + 1)) {
            ticks = 0;
            continue;
        }
        c->seen[age_of(f, ticks)]++;
        ticks++;
        if ((trace->nodes_at[i + 1] >= gang) != up) {
            c->ended[age_of(f, ticks - 1)]++;
            ticks = 0;
        }
    }
    *share = seen > 0 ? (double)up_ticks / (double)seen : 0;
}

/* What is expected of a bin: typical of its age, times what happened around it. */
static double expected(const double *events, const double *hours, const double *typical,
                       size_t bin)
{
    double happened = NEAR, usual = NEAR;

    for (size_t i = 0; i < AGE_BINS; i++) {
        double near = ldexp(1, -(int)(i > bin ? i - bin : bin - i));

        if (i == bin)
            continue;
        happened += near * events[i];
        usual += near * hours[i] * typical[i];
    }
    return typical[bin] * happened / usual;
}

/* Hours and events of each bin, if these are the rates: what ended in a tick did so at an age
 * that the rates make likely. */
static void attribute_losses(const struct fit *f, const struct counts *c, const double *rates,
                             double *hours, double *events)
{
    struct hazard h = hazard_of(rates);

    for (size_t i = 0; i < AGE_BINS; i++)
        hours[i] = events[i] = 0;
    for (size_t age = 0; age < f->ages; age++) {
        double from = ((double)age + 0.5) * (double)f->per_age * f->step - 0.5 * f->step;
        double to = from + f->step, alive = 1, ended = c->ended[age];
        double lost = -expm1(-hazard_between(&h, from, to));

        if (!(c->seen[age] > 0))
            continue;
        for (size_t bin = age_bin(from); bin < AGE_BINS && from < to; bin++) {
            double end = fmin(age_end(bin), to), rate = h.rate[bin];
            double here = alive * -expm1(-rate * (end - from));
            /* Hours that those which ended spent here: while they were there, less what those
             * spent that did not end in the tick. */
            double spent = here / rate - (end - from) * (1 - lost);

            events[bin] += ended * here / lost;
            hours[bin] += (c->seen[age] - ended) * (end - from) + ended * spent / lost;
            alive -= here;
            from = end;
        }
    }
}

/* The likeliest rate: the root of events - hours e^x - SURE (x - ln expected), which falls ever
 * faster. Newton's method from the right of it never crosses it. */
static double likeliest(double events, double hours, double wanted)
{
    double middle = log(wanted), x = middle;

    if (!(hours > 0))
        return wanted;
    if (events > 0)
        x = fmax(x, log(events / hours));
    for (int i = 0; i < 60; i++) {
        double all = hours * exp(x);
        double by = (events - all - SURE * (x - middle)) / (all + SURE);

        x += by;
        if (fabs(by) < 1e-12)
            break;
    }
    return exp(x);
}

static void maximize(const struct fit *f, const struct counts *c, const double *typical,
                     double *rates)
{
    double hours[AGE_BINS], events[AGE_BINS], moved = 1;

    for (size_t i = 0; i < AGE_BINS; i++)
        rates[i] = typical[i];
    for (int round = 0; round < ROUNDS && moved > 1e-9; round++) {
        attribute_losses(f, c, rates, hours, events);
        moved = 0;
        for (size_t i = 0; i < AGE_BINS; i++) {
            double wanted = expected(events, hours, typical, i);
            double rate = likeliest(events[i], hours[i], wanted);

            moved = fmax(moved, fabs(rate / rates[i] - 1));
            rates[i] = rate;
        }
    }
}

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

void lifetimes_fit(const struct trace *trace, int32_t gang, struct lifetimes *out)
{
    struct fit f = {.step = trace->gap / 3600.0, .per_age = 1};
    double last = age_edges[AGE_BINS - 1] / f.step; /* ticks to the last bin */

    while (last / (double)f.per_age + 2 > AGES_MAX)
        f.per_age++;
    f.ages = (size_t)ceil(last / (double)f.per_age) + 1;
    count_spells(trace, gang, &f, &out->up);
    maximize(&f, &f.up, lifetimes_typical.lose, out->lose);
    maximize(&f, &f.down, lifetimes_typical.gain, out->gain);
}

/* ---- the typical curve ---- */

/* A share of 0 or 1 would need outages, or lives, without end. */
#define UP_LEAST 0.01
#define UP_MOST 0.999
/* Hours: the step at which most of the watched machines were, so that shorter lives were not
 * seen; the rate before is taken to be that just after. */
#define SEEN_FROM (1 / 6.0)

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
