/* tco.h - what an owned machine costs, and when owning pays: request and result of tco. */
#ifndef OP_ADVISE_TCO_H
#define OP_ADVISE_TCO_H

#include "advise/economics/hybrid.h"
#include "advise/economics/tco.h"
#include "market/select.h"
#include "unit/moment.h"

extern const struct op op_tco;

struct tco_request {
    struct str machine; /* of onprem.csv, or GPUs: "H100x8" */
    struct str gpu;
    int64_t count;
    usd price, software, staff, space;
    double years, resale, capital, network, maintenance, power_kw, idle, pue, failures,
        repair_days, utilization;
    usd_per_kwh electricity;
    struct str site;
    bool only_given;
    struct strs providers, regions;
    struct str load, burst;
    struct days_asked days;
    struct str svg;
};

/* A way to carry the load. */
struct tco_split {
    struct str way;          /* "cheapest split", "all on-demand", ... */
    int64_t owned, reserved; /* machines */
    double rented_gpu_hours; /* in the load's hours */
    double owned_use;        /* share of the owned GPUs' hours in use; NaN: none is owned */
    usd owned_year, reserved_year, rented_year, year;
    bool best;
};

extern const struct field_set tco_split_fields;

struct tco_load {
    struct str source; /* "load.csv", "the ledger, 90 days", "8+16@10%" */
    double hours, gpu_hours, mean, peak;
    struct str burst;  /* market of what is rented by the hour */
    struct rows ways;  /* struct tco_split */
    struct rows curve; /* struct tco_split: by owned machines, around the best */
    usd saved_year;    /* by the cheapest split, against renting all by the hour */
};

struct tco_result {
    struct str machine, gpu, site;
    int64_t gpus;
    double utilization;
    usd invested;
    usd_per_hour gpu_hour, gpu_hour_low, gpu_hour_high; /* in use */
    usd_per_hour gpu_hour_full;                         /* at 100 % */
    usd year;
    double kwh_year, available; /* with cooling; share of hours without repairs */
    struct rows parts, assumptions, rivals;
    struct price_age age; /* of the market's prices */
    struct tco_load load; /* no source: none was given */
    struct strs notes;
    struct str svg;
    /* For figures. */
    struct tco_machine inputs;
    struct tco_cost cost;
};

#endif
