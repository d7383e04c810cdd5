/* roi.h - is faster or rented hardware worth its price: request and result of roi. */
#ifndef OP_ADVISE_ROI_H
#define OP_ADVISE_ROI_H

#include "advise/economics/roi.h"
#include "catalog/catalog.h"
#include "estimate/range.h"
#include "job/source.h"
#include "market/select.h"
#include "unit/moment.h"

extern const struct op op_roi;

struct roi_request {
    struct job_source source; /* no job: past runs */
    struct str local;         /* of local.csv, or its GPU */
    usd_per_hour value_of_time;
    double waiting;
    struct str runs;
    usd price; /* of the local machine */
    usd_per_kwh electricity;
    struct strs providers, regions;
    struct str market;
    struct days_asked days;
    struct str svg;
};

/* A way to do one run of the job. */
struct roi_option {
    struct str way; /* "local", "best value", "cheapest", "fastest", "on spot", ... */
    struct str where, market, gpu;
    int64_t gpus;
    struct guess hours;
    usd money, money_low, money_high; /* paid; of the local machine electricity and wear */
    usd waiting, total;               /* the person's time; all */
    usd net;                          /* saved compared with the base, with time */
    double ratio;                     /* net over what is paid more than the base; NaN */
    usd_per_hour break_even;          /* value of an hour from which it beats the base */
    double runs_day;
    usd further_run; /* of each run a day more than the base has time for */
    bool base, best;
    day price_date;
};

/* Buying the local machine instead of renting. */
struct roi_purchase {
    usd price;
    usd saved_run;       /* of one run: the cheapest rented way less electricity */
    usd saved_run_total; /* likewise with time, of the best rented way */
    double runs;         /* until it is paid back, by money alone; NaN: never */
    double runs_total;   /* likewise with time */
    double runs_month;   /* of the request; NaN: not given */
    double months, months_total;
    double most_runs_month; /* that one machine has time for */
};

struct roi_local {
    struct str machine, gpu;
    int64_t gpus;
    usd_per_hour electricity, wear; /* of an hour at work; wear unknown: no price is known */
    usd_per_kwh tariff;
    /* For computing. */
    const struct local_machine *row;
    const struct accelerator *accelerator;
    struct roi_machine terms;
};

struct roi_result {
    struct str job; /* empty: past runs */
    usd_per_hour value_of_time;
    double waiting;
    struct roi_local local; /* no machine: none is known */
    struct rows options;    /* struct roi_option */
    struct roi_purchase purchase;
    struct roi_portfolio past;
    struct rows runs; /* struct roi_run: the largest net first */
    int64_t days;     /* of the past */
    int64_t left_out; /* runs that were not rented, or whose cost, GPU or time is not known */
    struct price_age age;
    struct strs notes;
    struct str svg;
};

#endif
