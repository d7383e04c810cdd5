/* work_options.h - the same work on every provider and market, as reports show it. */
#ifndef REPORT_WORK_OPTIONS_H
#define REPORT_WORK_OPTIONS_H

#include "catalog/machine.h"
#include "doc/field.h"

struct work_option {
    struct str provider;
    struct str offer; /* provider/region/instance; empty: the work as it was, or at home */
    struct str accelerator;
    enum market market;
    int64_t gpus, machines;
    double hours;
    usd cost, cost_low, cost_high; /* 80 % range of prices and the range of times together */
    usd ranked; /* what it counts for: with the premium of its price (price_trust) */
    day date;   /* of the price */
    int64_t age_days;
    bool cheapest;    /* of all on demand; of all on spot */
    bool front;       /* of a plan: no other is both cheaper and faster */
    bool old;         /* its price is more than OLD_PRICE_DAYS old */
    double memory_gb; /* of a GPU */
    double vcpus;     /* of a machine without GPUs; NaN: it has some */
};

struct work_comparison {
    struct rows options; /* struct work_option: on demand, then spot; cheapest first in each */
    struct work_option *room; /* of the options, while they are collected */
    bool same_time; /* the GPU is not known: every machine is assumed to take as long */
    bool cpus;      /* of machines without GPUs, since the work used none */
    bool planned;   /* a plan computed them: its choices, by the full estimate */
    usd local;      /* electricity for the same energy at home */
    struct str local_method;
    day oldest, newest; /* of the prices */
};

extern const struct field_set work_option_fields;

/* The provider's option in a market; NULL when it has none. */
const struct work_option *work_option_of(const struct work_comparison *comparison,
                                         struct str provider, enum market market);

/* The cheapest in a market; NULL when there is none. */
const struct work_option *work_cheapest(const struct work_comparison *comparison,
                                        enum market market);

#endif
