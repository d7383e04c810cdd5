/* Lifetimes of a trace.
 *
 * A tick sees only that a machine was lost within it, and a tick may lie across bins. So it is
 * the likeliest rates given how many machines of each age, in ticks, were there and were lost
 * in the next tick (expectation-maximisation): then a drawn trace of the same gap loses as many
 * at each age, whatever the gap. */
#include <math.h>

#include "spot/lifetimes.h"

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

static void count(const struct trace *trace, int32_t gang, struct fit *f, double *share)
{
    size_t ticks = 0, up_ticks = 0;

    for (size_t i = 0; i < trace->ticks; i++) {
        bool up = trace->nodes_at[i] >= gang;
        struct counts *c = up ? &f->up : &f->down;

        up_ticks += up;
        if (i + 1 == trace->ticks)
            break;
        c->seen[age_of(f, ticks)]++;
        ticks++;
        if ((trace->nodes_at[i + 1] >= gang) != up) {
            c->ended[age_of(f, ticks - 1)]++;
            ticks = 0;
        }
    }
    *share = (double)up_ticks / (double)trace->ticks;
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
static void attribute(const struct fit *f, const struct counts *c, const double *rates,
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

static void maximise(const struct fit *f, const struct counts *c, const double *typical,
                     double *rates)
{
    double hours[AGE_BINS], events[AGE_BINS], moved = 1;

    for (size_t i = 0; i < AGE_BINS; i++)
        rates[i] = typical[i];
    for (int round = 0; round < ROUNDS && moved > 1e-9; round++) {
        attribute(f, c, rates, hours, events);
        moved = 0;
        for (size_t i = 0; i < AGE_BINS; i++) {
            double wanted = expected(events, hours, typical, i);
            double rate = likeliest(events[i], hours[i], wanted);

            moved = fmax(moved, fabs(rate / rates[i] - 1));
            rates[i] = rate;
        }
    }
}

void lifetimes_fit(const struct trace *trace, int32_t gang, struct lifetimes *out)
{
    struct fit f = {.step = trace->gap / 3600.0, .per_age = 1};
    double last = age_edges[AGE_BINS - 1] / f.step; /* ticks to the last bin */

    while (last / (double)f.per_age + 2 > AGES_MAX)
        f.per_age++;
    f.ages = (size_t)ceil(last / (double)f.per_age) + 1;
    count(trace, gang, &f, &out->up);
    maximise(&f, &f.up, lifetimes_typical.lose, out->lose);
    maximise(&f, &f.down, lifetimes_typical.gain, out->gain);
}
