/* estimate.h - what a job needs and costs: request and result of estimate. */
#ifndef OP_ESTIMATE_ESTIMATE_H
#define OP_ESTIMATE_ESTIMATE_H

#include "estimate/cost.h"
#include "estimate/range.h"
#include "op/op.h"
#include "unit/size.h"

struct estimate_request {
    struct str job; /* a file, or a model */
    struct str on, offer;
    struct strs set;
    struct str sweep, deepspeed;
    usd_per_hour price; /* of a machine */
    bool explain, serve;
    bool raw; /* without what runs have taught */
    /* short forms of --set */
    struct str method, tokens, examples, epochs, sequence, batch, precision, market;
};

/* A part of a whole: of memory in bytes, of a step in seconds. */
struct estimate_part {
    struct str name, help;
    double amount, share;
};

/* One line of --explain: a formula, and the same with its numbers. */
struct estimate_formula {
    struct str name, formula, numbers;
    double value;
    struct str unit;
};

/* A value of --sweep. */
struct estimate_sweep {
    struct str value;
    bool fits;
    struct str why;      /* not */
    double memory_gb;    /* of the fullest GPU, as nvidia-smi counts */
    double step_s, rate; /* tokens or samples a second, all GPUs */
    double hours;
    usd cost;
    struct str setting; /* what was chosen for the rest: "zero 1, recompute full, batch 8" */
};

struct estimate_line {
    struct str name; /* "compute" */
    usd amount;
    double hours; /* of the clock that it takes */
};

struct estimate_result {
    struct str name, kind; /* kind: train or infer */
    struct str model, method, precision, optimizer, recompute, framework, offload;
    double params, active_params, trained_params;
    bool assumed; /* the shape of the model */
    struct str accelerator;
    int64_t gpus, nodes;
    int64_t data, tensor, pipeline, context, expert, zero;
    int64_t sequence, micro_batch, accumulation;
    double global_batch;

    bool fits, tight; /* tight: the upper end of the range does not fit */
    double usable_gb, memory_gb, memory_low_gb, memory_high_gb; /* of the fullest GPU */
    double host_gb, host_usable_gb; /* in the machine's memory, all GPUs of a node */
    struct rows memory;             /* struct estimate_part, GB */

    struct guess step_s;  /* seconds */
    struct rows step;     /* struct estimate_part, s */
    struct guess rate;    /* tokens or samples a second, all GPUs */
    struct str rate_unit; /* "tokens/s" */
    double mfu;           /* share of the card's peak that the model's arithmetic makes up */
    double steps, tokens, epochs;
    struct guess hours; /* of training; NaN when the amount of data is not known */
    double wall_hours;  /* with set-up, moving data, evaluation and the rest */

    struct guess prefill_s, decode_s, request_s; /* inference */
    double max_batch, max_context, utilisation;
    double p50_s, p95_s, p99_s, first_p95_s;
    double replicas; /* that the rate needs */
    struct guess usd_per_million_tokens, usd_per_thousand;

    double watts; /* of one node at the wall */
    struct guess energy_kwh, carbon_kg;
    double pue, carbon_g_kwh;
    struct strs equivalents, equivalent_sources;
    usd offset_low, offset_high; /* avoided elsewhere; taken out of the air for good */
    struct str region;

    struct str offer, market;
    usd_per_hour price; /* of one machine */
    int64_t machines, price_age_days;
    day price_date;
    struct rows cost; /* struct estimate_line */
    usd total, total_low, total_high;

    struct strs notes; /* what was assumed */
    struct rows sweep; /* struct estimate_sweep */
    struct str sweep_key;
    struct rows formulas; /* struct estimate_formula */
};

/* The keys of a job file, nested as the file is. */
const struct field_set *op_job_keys(void);

#endif
