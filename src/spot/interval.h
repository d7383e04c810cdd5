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

#include "doc/field.h"
#include "spot/lifetimes.h"
#include "unit/money.h"

struct interval_costs {
    double save;    /* of one checkpoint, during which no work is done */
    double restart; /* from getting a machine until work goes on */
    double notice;  /* warning before a loss: what is long enough to save loses no work */
};

/* Machine time besides the work, as shares of the work. INFINITY when nothing gets done. */
struct interval_overhead {
    double save, lost, restart; /* lost: repeated work, and checkpoints cut short */
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

/* Daly's formula for a mean time between losses. */
double interval_daly(double save, double mtbf);

/* ---- the answer, with what it costs ---- */

struct interval_ask {
    const struct lifetimes *life;
    struct interval_costs costs;
    double spot, on_demand; /* USD an hour of one machine; NaN: not known */
    double work;            /* hours of a job; 0: none */
    int64_t gang;
};

/* What an interval costs: machine time besides the work, as shares of the work. */
struct interval_view {
    span every; /* of work; unknown: only on notice */
    double overhead, save, lost, restart;
    bool best;
};

/* The interval for machines that are this old. */
struct interval_age {
    span from; /* age */
    span every;
};

struct interval_answer {
    struct str place, method;
    double mean_life_h;
    struct interval_view best;
    span young, daly;
    struct rows others; /* struct interval_view, shorter first */
    struct rows by_age; /* struct interval_age; empty when it gains nothing */
    double gain;        /* machine time that it saves, a share */
    usd_per_hour spot, on_demand;
    double saving, break_even; /* break_even: overhead at which spot saves nothing; NaN:
                                  it never does, or always */
    double work_h, machine_h;  /* of the job, expected */
    usd spot_usd, on_demand_usd;
};

extern const struct field_set interval_answer_fields;

/* The best interval, others around it, intervals by age, and what spot saves. Sets all but
 * place and method. ERROR_UNFIT when machines are lost before any work is saved. */
bool interval_answer(const struct interval_ask *ask, struct arena *arena,
                     struct interval_answer *out, struct error *err) MUST_USE;

#endif
