/* hybrid.h - the cheapest way to carry a load: machines that one owns, machines that are
 * reserved, and machines rented by the hour for the rest.
 *
 * The load is the GPUs in use in each hour. Owned machines work first, since each hour in use
 * costs little more; then reserved ones, which are paid for anyhow; what is left is rented. The
 * optimum is exact: every number of owned machines is tried, and for each of them the number of
 * reserved machines is found by its marginal benefit, which falls with each.
 */
#ifndef ADVISE_HYBRID_H
#define ADVISE_HYBRID_H

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

#define HYBRID_HOURS_MAX 1000000 /* 114 years */
#define HYBRID_GPUS_MAX 1e6      /* in one hour */

/* GPUs in use, hour by hour, made by hybrid_load(). */
struct hybrid_load {
    const double *sorted; /* the least first */
    const double *below;  /* [i]: the sum of those before i; one more than hours */
    size_t hours;
    double gpu_hours, peak, mean;
};

/* Of the GPUs of each hour, which need not be integers: those of a run that ends in the hour
 * count for a part. ERROR_INPUT for hours that are negative, too many or absurd, and where
 * there is no load at all. */
bool hybrid_load(const double *gpus, size_t hours, struct arena *arena, struct hybrid_load *out,
                 struct error *err) MUST_USE;

/* "8" (always), "8+16@10%" (and 16 more in a tenth of the hours): of one year. False when the
 * text is not that; an error when its numbers are impossible. */
enum hybrid_text { HYBRID_NONE, HYBRID_READ, HYBRID_WRONG };
enum hybrid_text hybrid_load_text(struct str text, struct arena *arena, struct hybrid_load *out,
                                  struct error *err) MUST_USE;

/* Add GPUs that were in use from `from` to `until` (seconds since the first hour began) to the
 * hours they were used in, in parts of an hour. */
void hybrid_add_use(double *gpus, size_t hours, double from, double until, double count);

/* What GPUs cost, in dollars. */
struct hybrid_prices {
    double owned_gpus;    /* of one machine, that work at a time: without those under repair */
    double owned_hour;    /* of one machine, in use or not */
    double owned_used;    /* and of each of its GPU-hours in use */
    double reserved_gpus; /* of one reserved machine */
    double reserved_hour; /* of one such machine; NaN: none is for sale */
    double rented;        /* a GPU-hour by the hour; NaN: none is for sale */
};

struct hybrid_split {
    int64_t owned, reserved;                        /* machines */
    double owned_used, reserved_used, rented_hours; /* GPU-hours */
    double owned_cost, reserved_cost, rented_cost;  /* dollars, of the load's hours */
    double cost;
};

/* With this many owned machines, and the reserved ones that are worth it (`reserve` false:
 * none). The cost is NaN where load is left that cannot be rented. */
struct hybrid_split hybrid_with(const struct hybrid_load *load, const struct hybrid_prices *p,
                                int64_t owned, bool reserve);

/* Machines that carry all of the load. */
int64_t hybrid_owned_most(const struct hybrid_load *load, const struct hybrid_prices *p);

/* The cheapest of all. */
struct hybrid_split hybrid_best(const struct hybrid_load *load, const struct hybrid_prices *p);

#endif
