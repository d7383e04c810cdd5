/* gpu_fit.h - which GPUs hold a model, and for what: request and result of gpu.fit. */
#ifndef OP_FACTS_GPU_FIT_H
#define OP_FACTS_GPU_FIT_H

#include "estimate/memory/gpu_fit.h"
#include "op/market.h"

extern const struct op op_gpu_fit;

struct gpu_fit_request {
    struct str model, gpu;
    int64_t sequence, batch, max_gpus, limit;
};

struct gpu_fit_result {
    struct str model;
    double params;
    bool assumed;    /* the shape of the model */
    struct str note; /* where that is approximate */
    int64_t sequence, batch;
    struct gpu_fit fit;
    struct price_age age;
};

#endif
