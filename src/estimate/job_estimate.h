/* job_estimate.h - the estimate of a job on given machines, and its variants.
 *
 * Pure: a job, a place and the constants in; memory, time, energy, carbon and cost out, with
 * ranges, parts and notes on what was assumed. The same record is the result of the operation.
 */
#ifndef ESTIMATE_JOB_ESTIMATE_H
#define ESTIMATE_JOB_ESTIMATE_H

#include "catalog/network.h"
#include "estimate/correction.h"
#include "estimate/model/choose.h"
#include "estimate/money/cost.h"
#include "estimate/range.h"

/* Where a job runs and for how much. */
struct estimate_place {
    struct hardware hardware;
    struct str offer;                      /* "provider/region/instance"; empty: none */
    struct str provider, region, instance; /* empty: unknown */
    enum market market;
    usd_per_hour price; /* of one machine */
    day price_date;
    int64_t price_age_days, machines;
    bool chosen;   /* the offer is the cheapest with these GPUs; the user named none */
    bool roomier;  /* and cheaper ones have too little memory for what is offloaded */
    bool not_sold; /* no offer with these GPUs can be joined to so many */
    struct joining join;
    double host_bytes, disk_bytes; /* of one of the offer's machines; NaN: not known */
    double vcpus;
    double price_unchanged; /* share of prices of this age that are the same now */
    double price_width; /* 8 of 10 prices of this age are within a factor of exp(width) now */
    bool stale;         /* older than the user lets prices be */
    bool mostly_old;    /* too old to be the best, as are most that it was compared with */
    bool outlier;       /* far below the prices of its peers, and seen on one day only */
};

struct estimate_input {
    const struct job *job; /* resolved */
    const struct estimate_place *place;
    const struct constants *constants;
    /* Needs TABLE_REGIONS, TABLE_PROVIDERS, TABLE_STORAGE, TABLE_TRANSFER, TABLE_ACCELERATORS
     * and TABLE_NAMES. */
    const struct catalog *catalog;
    const struct messages *messages;
    bool explain; /* with formulas */
};

/* A part of a whole: of memory in bytes, of a step in seconds. */
struct estimate_part {
    struct str name, help;
    double amount, share;
};

/* GPUs of one job that hold something else than its others. */
struct estimate_group {
    struct str name, models; /* "reference"; "trained model, reward model": all that is there */
    int64_t gpus;
    double memory_gb; /* of each, at its fullest moment */
    double busy;      /* share of a step in which they have work */
};

/* One line of --explain: a formula, and the same with its numbers. */
struct estimate_formula {
    struct str name, formula, numbers;
    double value;
    struct str unit;
};

/* One value of a sweep. */
struct estimate_sweep_row {
    struct str value;
    bool fits, tight;    /* as of struct estimate */
    struct str reason;   /* it does not */
    double memory_gb;    /* of the fullest GPU, as nvidia-smi counts */
    double step_s, rate; /* tokens or samples a second, all GPUs */
    double hours;
    usd cost;
    struct str offer;   /* whose price it is; empty: none */
    struct str setting; /* what was chosen for the rest: "zero 1, recompute full, batch 8" */
};

struct estimate_line {
    struct str name; /* "compute" */
    usd amount;
    double hours; /* of the clock that it takes */
};

/* Everything that is known of a job on one set of machines. */
struct estimate {
    enum job_kind kind;
    struct str name, model;
    enum objective objective; /* of training, as the next; -1: does not apply */
    enum method method;
    enum optimizer optimizer;
    enum recompute recompute;
    enum offload offload;
    struct str precision,
        framework; /* of products and software; serving: of weights, the engine */
    double params, active_params, trained_params;
    bool assumed; /* the shape of the model */
    struct str accelerator;
    int64_t gpus, nodes;
    double network_gbit_s; /* of one machine to others; unknown: there is one machine */
    struct str network;    /* its kind: "InfiniBand", "assumed" */
    day network_date;      /* of that fact */
    int64_t data, tensor, pipeline, virtual_pipeline, context, expert, zero;
    int64_t sequence, micro_batch, accumulation;
    double global_batch;

    bool fits, tight; /* tight: it may or may not (range.h) */
    double chance;    /* that the GPUs hold it */
    double usable_gb, memory_gb, memory_low_gb, memory_high_gb; /* of the fullest GPU */
    double host_gb, host_usable_gb;   /* in the machine's memory, all GPUs of a node */
    usd_per_hour host_low, host_high; /* what that memory costs apart: in the machine's price */
    struct rows memory;               /* struct estimate_part, GB */

    /* By what corrections of it are learned: the setting, and those that are in it already
     * (NaN: none). No part of the result. */
    struct correction_key key;
    double corrections[CORRECTION_FACTORS];
    double board_w; /* of one GPU during a step */

    struct rows groups; /* struct estimate_group: none where all GPUs hold the same */
    double idle;        /* share of all GPU time in which one group waits for others */

    struct guess step_s;  /* seconds */
    struct rows step;     /* struct estimate_part, s */
    struct guess rate;    /* tokens or samples a second, all GPUs */
    struct str rate_unit; /* "tokens/s" */
    double mfu;           /* share of the card's peak that the model's arithmetic makes up */
    double steps, tokens, epochs;
    struct guess hours;  /* of training, with lost time; NaN: the amount of data is not known */
    double goodput;      /* share of them that makes progress */
    double failures_day; /* expected, while it trains; NaN: not computed */
    double wall_hours;   /* with set-up, moving data, evaluation and the rest */

    struct guess prefill_s, decode_s, request_s; /* inference */
    double max_batch, max_context, utilization;
    double p50_s, p95_s, p99_s; /* of a request under load */
    double first_p50_s, first_p95_s, first_p99_s, token_p50_s, token_p95_s, token_p99_s;
    double replicas; /* that the rate needs */
    struct guess usd_per_million_tokens, usd_per_thousand;

    double watts; /* of one node at the wall */
    struct guess energy_kwh, carbon_kg;
    double pue, carbon_g_kwh;
    struct strs equivalents, equivalent_sources;
    usd offset_low, offset_high; /* avoided elsewhere; removed from the air permanently */
    double offset_low_usd_t, offset_high_usd_t; /* at these prices of a tonne */
    struct str region;

    struct str offer, market;
    usd_per_hour price, price_low, price_high; /* of one machine: 80 % range today */
    double price_unchanged; /* probability that it is still the same; NaN: not known */
    int64_t machines, price_age_days;
    day price_date;
    struct rows cost; /* struct estimate_line */
    usd total, total_low, total_high;

    struct strs notes; /* what was assumed */
    struct strs
        not_used;      /* keys of a tool's file that may change the cost, with their values */
    struct rows sweep; /* struct estimate_sweep_row */
    struct str sweep_key;
    struct rows formulas; /* struct estimate_formula */
};

/* JSON keys, help and types of struct estimate. */
extern const struct field_set estimate_fields;

/* Estimate the job; texts and lists are in the arena. A job that does not fit is estimated too,
 * with `fits` false. ERROR_INPUT for what is impossible. */
bool estimate_job(const struct estimate_input *in, struct arena *arena, struct estimate *out,
                  struct error *err) MUST_USE;

/* Estimate a variant of the job whose estimate is `base`: one thing at a time. What was chosen
 * for `base` stays as it is: the batch always, degrees, sharding and the rest where the variant
 * can have them. */
bool estimate_variant(const struct estimate_input *in, const struct estimate *base,
                      struct arena *arena, struct estimate *out, struct error *err) MUST_USE;

/* ERROR_UNFIT with a hint what would fit, when it does not. `job_name` is what the user
 * typed. */
bool estimate_check_fit(const struct estimate_input *in, const struct estimate *e,
                        struct str job_name, struct error *err) MUST_USE;

/* Warn where the estimate exceeds the limits of the job. */
void estimate_check_limits(const struct estimate_input *in, const struct estimate *e,
                           struct arena *arena);

/* What a sweep varies. */
struct estimate_sweep {
    struct str values;       /* "batch=1..64", "precision=bf16,fp8", "gpus=1..64" */
    const struct job *given; /* the job before it was resolved */
    struct str config;       /* of job_resolve() */
    /* The place with another number of GPUs. */
    bool (*place)(void *ctx, int64_t gpus, struct estimate_place *out, struct error *err);
    void *ctx;
};

/* Estimate the job once for each value, into `sweep` and `sweep_key` of `out`. A value that is
 * impossible is a row with the reason. */
bool estimate_sweep(const struct estimate_input *in, const struct estimate_sweep *sweep,
                    struct arena *arena, struct estimate *out, struct error *err) MUST_USE;

#endif
