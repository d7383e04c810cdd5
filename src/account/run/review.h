/* review.h - what a run's record adds up to: the parts of its cost, averages, and a verdict in
 * sentences. Computed from the record alone; nothing is concluded from what is not known.
 */
#ifndef ACCOUNT_RUN_REVIEW_H
#define ACCOUNT_RUN_REVIEW_H

#include "ledger/ledger.h"

/* A part of the cost. */
struct run_part {
    struct str item;
    usd cost;
    double share; /* of the run's cost */
};

struct run_review {
    struct rows costs, phases; /* struct run_part: those that are known */
    double mean_watts;
    double cpu_cores; /* busy, on average */
    double share;     /* of the machine's price: on average; current while it runs */
    int sharers;      /* runs that divide the price: at most; current while it runs */
    usd cost_per_step;
    usd checkpoint_month; /* storing the kept checkpoints for a month */
    double cost_over_estimate, time_over_estimate; /* 0.1: 10 % more than predicted */
    struct strs verdict; /* sentences, by the rules of docs/reference/ledger.md */
};

bool run_review_make(const struct ledger_run *run, struct arena *arena, struct run_review *out,
                     struct error *err) MUST_USE;

/* Storing so many bytes for a month at this price; unknown when either is. */
usd kept_month(double size, usd_per_gb price);

extern const struct field_set run_part_fields;

#endif
