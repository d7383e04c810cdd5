/* commitments.h - how much of a load to commit to, exactly.
 *
 * A load is what machines would cost on demand in each hour. A commitment of C dollars an hour
 * costs C x (1 - discount) in every hour, used or not; what is above C is paid on demand. Over
 * the observed hours that cost is convex in C and its slope changes only where C is the load of
 * some hour, so the optimum is found exactly by sorting the hours once.
 *
 *     cost(C) = C (1 - discount) + mean over the hours of max(0, load - C)
 *
 * The next dollar of a commitment pays when the load is above C in more than (1 - discount) of
 * the hours. With a discount for sustained use (which is automatic, and only for what is not
 * committed), a dollar that is used for a larger part of a month costs less on demand; this is
 * counted by month, and the cost stays convex.
 *
 * Pure. Hours that were not observed are unknown: they count neither as zero nor at all.
 */
#ifndef ADVISE_COMMITMENTS_H
#define ADVISE_COMMITMENTS_H

#include "doc/field.h"
#include "unit/money.h"
#include "unit/time.h"

struct commitment_load {
    stamp first;           /* when the first hour begins */
    const double *dollars; /* on demand, of each hour in order; NaN: not observed */
    size_t hours;
};

/* Average dollars an hour of a load, by level: sorted once, asked often. */
struct commitment_curve {
    const double *level;     /* the loads that occur, the largest first, then 0 */
    const double *rate;      /* what a dollar of load just below the level costs on demand */
    const double *above;     /* what the load above the level costs on demand */
    const double *uncovered; /* likewise at list prices, without sustained use */
    size_t count;            /* 0: no hour was observed */
    size_t observed;         /* hours */
};

/* `sustained`: the discount of a dollar that is used for a complete month; 0: there is none.
 * O(n log n). */
bool commitment_curve_make(const struct commitment_load *load, double sustained,
                           struct arena *arena, struct commitment_curve *out,
                           struct error *err) MUST_USE;

/* What the future is like: for this share of the term as the history, then this much of it. */
struct commitment_future {
    double share; /* 0 to 1 */
    double left;  /* of the load, 0 or more */
};

extern const struct commitment_future commitment_no_change;

/* Average dollars an hour with `commit` dollars an hour (on demand) under commitment; 0: all
 * on demand. The curve has hours. */
double commitment_cost(const struct commitment_curve *curve, double commit, double discount,
                       const struct commitment_future *future);

/* The amount with the lowest cost; of several, the smallest. `unit`: it is sold in multiples of
 * so many dollars an hour, a machine; 0: in any amount. */
double commitment_best(const struct commitment_curve *curve, double discount, double unit,
                       const struct commitment_future *future);

/* Of the load at list prices the share that is covered; of the commitment the share that is
 * used (NaN when there is none). */
double commitment_coverage(const struct commitment_curve *curve, double commit);
double commitment_utilization(const struct commitment_curve *curve, double commit);

/* ---- what to buy ---- */

#define COMMITMENT_YEAR_HOURS 8760.0 /* 12 months of 730 hours, as terms are counted */
#define COMMITMENT_FALL_MONTHS 6.0   /* the load falls after these */
#define COMMITMENT_LEAST_HOURS 672.0 /* of history for each year of a term: four weeks */

/* What a provider sells. */
struct commitment_offer {
    int64_t term_months;
    struct str upfront;                 /* "none", "partial", "all"; empty: not stated */
    double discount_low, discount_high; /* NaN: not published */
    double sustained;                   /* without a commitment, as above */
    double unit;
    struct str source;
    day date;
};

/* What happens when the load falls after six months, over the complete term. */
struct commitment_fall {
    double by;         /* a share of the load: 0.25 */
    usd saving;        /* compared with on demand; below zero: the commitment costs more */
    usd regret;        /* compared with the best amount in hindsight */
    usd_per_hour best; /* that amount, on demand */
};

extern const struct field_set commitment_fall_fields;

struct commitment_option {
    struct str provider, region, family; /* of the load; empty: all of them */
    int64_t term_months;
    struct str upfront;
    double discount, discount_low, discount_high;
    double sustained;    /* without a commitment, of a complete month; 0: none */
    double break_even;   /* a dollar must be used for this share of the hours; NaN: none is
                          * enough, or the discount is unknown */
    usd_per_hour commit; /* what is covered, at on-demand prices */
    usd_per_hour pay;    /* what that costs an hour at the lower discount */
    double machines;     /* of the unit; NaN: sold in any amount */
    double coverage, utilization;
    usd on_demand;           /* a year without it, with sustained use where there is */
    usd cost_low, cost_high; /* a year with it, at the higher and at the lower discount */
    /* A year; unknown but for the high one: only an upper limit is published */
    usd saving, saving_low, saving_high;
    usd owed;           /* for the complete term, whatever happens */
    struct rows falls;  /* struct commitment_fall */
    bool buy;           /* the one that is recommended for the load */
    struct str why_not; /* why it cannot be computed or is not recommended */
    struct str source;
    day date;
};

extern const struct field_set commitment_option_fields;

/* Every offer for a load, `out` with room for `count`. The amount is the best at the lower
 * discount, so that it is right at the higher one, too, if not the best. Recommended is the
 * offer that saves most a year, of those that still save over their term when the load falls by
 * half after six months and whose history has four weeks for each year of the term. */
bool commitment_options(const struct commitment_load *load,
                        const struct commitment_offer *offers, size_t count,
                        struct arena *arena, struct commitment_option *out,
                        struct error *err) MUST_USE;

#endif
