/* review.h - everything the ledger has about one run, and what it adds up to.
 *
 * The review is computed from the record alone, the details are read from the ledger. Nothing
 * is concluded from what is not known.
 */
#ifndef LEDGER_RUNS_REVIEW_H
#define LEDGER_RUNS_REVIEW_H

#include "ledger/runs/metrics.h"

/* A part of the cost. */
struct ledger_part {
    struct str item;
    usd cost;
    double share; /* of the run's cost */
};

struct ledger_review {
    struct rows costs, phases; /* struct ledger_part: those that are known */
    double mean_watts;
    double cpu_cores; /* busy, on average */
    double share;     /* of the machine's price: on average; current while it runs */
    int sharers;      /* runs that divide the price: at most; current while it runs */
    usd cost_per_step;
    usd checkpoint_month; /* storing the kept checkpoints for a month */
    double cost_over_estimate, time_over_estimate; /* 0.1: 10 % more than predicted */
    struct strs verdict; /* sentences, by the rules of docs/ledger.md */
};

bool ledger_review(const struct ledger_run *run, struct arena *arena, struct ledger_review *out,
                   struct error *err) MUST_USE;

/* Storing so many bytes for a month at this price; unknown when either is. */
usd kept_month(double size, usd_per_gb price);

struct ledger_moment {
    int attempt;
    struct ledger_sample sample;
};

struct ledger_details {
    struct rows attempts;    /* struct ledger_attempt */
    struct rows prices;      /* struct ledger_price */
    struct rows events;      /* struct ledger_happening */
    struct rows checkpoints; /* struct ledger_checkpoint */
    struct rows samples;     /* struct ledger_moment */
    struct rows metrics;     /* struct ledger_metric: by attempt, then by name */
};

bool ledger_details(struct ledger *ledger, const struct ledger_run *run, struct arena *arena,
                    struct ledger_details *out, struct error *err) MUST_USE;

extern const struct field_set ledger_part_fields, ledger_moment_fields;

#endif
