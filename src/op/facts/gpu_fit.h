/* gpu_fit.h - which GPUs hold a model, and for what: request and result of gpu.fit. */
#ifndef OP_FACTS_GPU_FIT_H
#define OP_FACTS_GPU_FIT_H

#include "op/market.h"

extern const struct op op_gpu_fit;

struct gpu_fit_request {
    struct str model, gpu;
    int64_t sequence, batch, max_gpus, limit;
};

/* So many of one GPU hold the model for one use. */
struct gpu_fit_option {
    struct str mode; /* inference, qlora, lora or full */
    struct str with; /* how the weights or the optimizer's states are kept */
    struct str gpu, setting;
    int64_t count;
    double memory_gb, usable_gb; /* of the fullest GPU: needed, and there */
    double total_gb;             /* of all of them, as data sheets print it */
    bool smallest, cheapest;     /* of the mode */
    struct str offer;
    int64_t machines, price_age_days;
    usd_per_hour price; /* of all machines */
    day price_date;
};

/* A use that nothing asked for holds. */
struct gpu_fit_missing {
    struct str mode, with, would; /* would: what holds it, "" when nothing does */
};

struct gpu_fit_result {
    struct str model;
    double params;
    bool assumed; /* the shape of the model */
    int64_t sequence, batch;
    struct rows options; /* struct gpu_fit_option */
    struct rows missing; /* struct gpu_fit_missing */
    struct price_age age;
};

#endif
