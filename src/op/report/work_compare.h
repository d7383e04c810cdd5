/* work_compare.h - the same work on every provider and market.
 *
 * Work on GPUs goes to machines with GPUs; work that used none to machines without, which are
 * assumed to take as long. Machines whose processor has another architecture (ARM) would need
 * another build of the software: they are only compared with work that ran on such a machine.
 *
 * Times on other GPUs are modelled (estimate/relative.h), prices are those of today with
 * set-up and billing steps (market/compare.h). Of each provider and market the cheapest machine
 * is listed that has enough memory and is done in at most COMPARE_SLOWEST of the time.
 */
#ifndef OP_REPORT_WORK_COMPARE_H
#define OP_REPORT_WORK_COMPARE_H

#include "catalog/machine.h"
#include "op/report/work.h"

#define COMPARE_SLOWEST 2.0

struct work_option {
    struct str provider;
    struct str offer; /* provider/region/instance; empty: the work as it was, or at home */
    struct str accelerator;
    enum market market;
    int64_t gpus, machines;
    double hours;
    usd cost, cost_low, cost_high; /* 80 % range of prices and the range of times together */
    usd ranked; /* what it counts for: a stale price at the end of its range */
    day date;   /* of the price */
    int64_t age_days;
    bool cheapest;    /* of all on demand; of all on spot */
    bool front;       /* of a plan: no other is both cheaper and faster */
    bool old;         /* its price is: stale prices come later */
    double memory_gb; /* of a GPU */
    double vcpus;     /* of a machine without GPUs; NaN: it has some */
};

struct work_comparison {
    struct rows options; /* struct work_option: on demand, then spot; cheapest first in each */
    bool same_time;      /* the GPU is not known: every machine is assumed to take as long */
    bool cpus;           /* of machines without GPUs, since the work used none */
    bool planned;        /* a plan computed them: its choices, by the full estimate */
    usd local;           /* electricity for the same energy at home */
    struct str local_method;
    day oldest, newest; /* of the prices */
};

extern const struct field_set work_option_fields;

/* Without a time there are no options; `why` says so, and is empty otherwise. */
bool work_compare(struct op_context *ctx, const struct report_work *work,
                  struct work_comparison *out, struct str *why, struct error *err) MUST_USE;

/* The provider's option in a market; NULL when it has none. */
const struct work_option *work_option_of(const struct work_comparison *comparison,
                                         struct str provider, enum market market);

/* The cheapest in a market; NULL when there is none. */
const struct work_option *work_cheapest(const struct work_comparison *comparison,
                                        enum market market);

#endif
