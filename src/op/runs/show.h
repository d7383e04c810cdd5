/* show.h - everything that is known of a run: the request and the result of show. */
#ifndef OP_RUNS_SHOW_H
#define OP_RUNS_SHOW_H

#include "op/ledger_open.h"

extern const struct op op_show;

struct show_request {
    struct str run;
};

/* A part of the cost. */
struct show_cost {
    struct str item;
    usd cost;
    double share; /* of the run's cost */
};

struct show_attempt {
    int64_t number;
    struct str state, started, ended;
    span took;
    usd cost;
    int64_t status;
    struct str reason, host, offer;
    usd_per_hour price;
    struct str price_source;
    double step, lost_s;
};

struct show_price {
    int64_t attempt;
    struct str from, until;
    usd_per_hour price;
    struct str offer, source;
};

struct show_event {
    struct str at;
    int64_t attempt;
    struct str kind, text;
    int64_t left_out;
};

struct show_checkpoint {
    struct str path, at;
    double bytes, step, metric, took_s;
    usd cost;
    bool kept, best;
    struct str removed; /* when */
};

struct show_metric {
    int64_t attempt;
    struct str name;
    int64_t values, odd;
    double first, last, last_step, low, low_step, high, high_step;
    struct numbers at_s, steps, points;
};

struct show_sample {
    int64_t attempt;
    struct ledger_sample sample;
};

struct show_result {
    struct run_view run;
    struct str heard, ledger;
    struct rows costs, phases; /* struct show_cost: what is known */
    double gpu_kwh, cpu_kwh, mean_watts;
    double cpu_s, cpu_cores; /* time of the processor, and how many were busy in the mean */
    double memory_peak, read, written, received, sent;
    double gpu_memory_peak, gpu_memory_total, gpu_memory_run, seed_score;
    struct str pays; /* of its last attempt, as the rest */
    double share;    /* of the machine's price: on average, now while it runs */
    int64_t sharers; /* at most, now while it runs */
    usd cost_per_step;
    double checkpoint_bytes; /* of those that were kept at the last word */
    usd checkpoint_month;    /* what they cost a month in the object store */
    double cost_over_estimate, time_over_estimate; /* 0.1: 10 % more than was predicted */
    struct rows attempts, prices, events, checkpoints, samples;
    struct rows metrics; /* struct show_metric: by attempt, then by name */
    struct strs verdict; /* what it comes to, in words */
};

/* What can be said of a run: whether it kept to its estimate and its budget, and what it paid
 * for and did not use. */
bool run_verdict(const struct ledger_run *run, struct arena *arena, struct strs *out,
                 struct error *err) MUST_USE;

#endif
