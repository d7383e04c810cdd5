/* interval.h - how often to save a checkpoint on a machine that may be lost.
 *
 * A life begins with a restart; then the job works for an interval, saves, works on, until the
 * machine is lost, and what was not saved with it. Machine time for a unit of work, over many
 * lives, is mean life / mean work kept in a life: exact for any hazard by age. With one hazard
 * for all ages it is Daly's formula, M e^(R/M) (e^((t+d)/M) - 1) / t; the best interval then is
 * near Young's sqrt(2 d M). It is for work that spans several lives: of a job that ends within
 * the first one, less is lost.
 *
 * All times are in hours.
 */
#ifndef SPOT_INTERVAL_H
#define SPOT_INTERVAL_H

#include "spot/lifetimes.h"

struct interval_costs {
    double save;    /* of one checkpoint, during which no work is done */
    double restart; /* from getting a machine until work goes on */
    double notice;  /* warning before a loss: what is long enough to save loses no work */
};

/* Machine time besides the work, as shares of the work. INFINITY when nothing gets done. */
struct interval_overhead {
    double save, lost, restart; /* lost: work done again, and saves cut short */
    double sum;
};

/* Of saving after every `every` hours of work. INFINITY: only when there is notice. */
struct interval_overhead interval_cost(const struct lifetimes *life,
                                       const struct interval_costs *costs, double every);

struct interval_best {
    double every; /* INFINITY: notice suffices, so saving at other times is waste */
    struct interval_overhead overhead;
    double mean_life;
    double young, daly;      /* the formulas with the mean life, for comparison */
    double by_age[AGE_BINS]; /* another interval for each age, no shorter than of younger */
    struct interval_overhead aged;
    double gain; /* machine time that the latter saves, as a share */
};

/* The best of them. `save` 0 is free: then work is saved all the time. */
struct interval_best interval_best(const struct lifetimes *life,
                                   const struct interval_costs *costs);

/* Only the interval that is the same at all ages: a tenth of the work. */
double interval_even(const struct lifetimes *life, const struct interval_costs *costs);

/* Young's first-order and Daly's higher-order formula for a mean time between losses. */
double interval_young(double save, double mtbf);
double interval_daly(double save, double mtbf);

/* What spot saves of on-demand with that overhead: negative when it costs more. */
double interval_saving(double spot, double on_demand, double overhead);

#endif
