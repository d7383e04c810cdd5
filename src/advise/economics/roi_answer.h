/* roi_answer.h - what `stint roi` answers: ways to do a run of a job compared, or past runs
 * with what they would have cost on the user's own machine.
 *
 * The caller plans the job; its plans become ways here.
 */
#ifndef ADVISE_ROI_ANSWER_H
#define ADVISE_ROI_ANSWER_H

#include "advise/economics/roi.h"
#include "catalog/catalog.h"
#include "catalog/price_age.h"
#include "ledger/ledger.h"
#include "plan/record.h"

#define ROI_OPTIONS_MAX 6

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
    double hour; /* dollars that an hour of a run is worth: value of time x share waited */
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

extern const struct field_set roi_fields;

/* ---- the user's own machine ---- */

/* The machine of local.csv with that name; of `gpu`, when it is given, with so many. NULL when
 * there is none. */
const struct local_machine *roi_local_find(const struct catalog *catalog, struct str name,
                                           const struct accelerator *gpu, int64_t count);

/* ERROR_ABSENT with what was probably meant. Returns false. */
bool roi_local_absent(const struct catalog *catalog, struct str name, struct error *err);

/* Its row, and what an hour of it costs: `price` of a new one (unknown: the row's), the tariff.
 * Needs TABLE_OWNERSHIP. */
bool roi_take_local(const struct catalog *catalog, const struct local_machine *row, usd price,
                    usd_per_kwh tariff, struct arena *arena, struct roi_result *out,
                    struct error *err) MUST_USE;

/* What an hour of waiting is worth (unknown: that of ownership.csv), and the share of a run
 * that is spent waiting. */
bool roi_take_value(const struct catalog *catalog, usd_per_hour value, double waiting,
                    struct roi_result *out, struct error *err) MUST_USE;

/* ---- ways to do a job ---- */

/* Add the own machine with the plan for it: electricity and wear are what it costs. `options`:
 * room for ROI_OPTIONS_MAX. */
void roi_add_local(const struct plan_row *row, struct roi_option *options,
                   struct roi_result *res);

/* Add a plan of a rented machine, unless its role says nothing about money and time; false
 * then. */
bool roi_add_rented(const struct plan_row *row, struct roi_option *options,
                    struct roi_result *res);

/* Compare all of them, name them, and say what buying the machine would save. */
void roi_compare_options(struct roi_option *options, struct roi_result *res);

/* ---- past runs ---- */

/* Those that were rented, the largest net first, and their sums. */
bool roi_past(const struct ledger_run *runs, size_t count, const struct catalog *catalog,
              struct arena *arena, struct roi_result *out, struct error *err) MUST_USE;

#endif
