/* tune.h - `stint tune`: the batch size that costs least, by running the user's command. */
#ifndef OP_RUN_TUNE_H
#define OP_RUN_TUNE_H

#include "run/tune/tune.h"

extern const struct op op_tune;

struct tune_request {
    struct strs command;
    struct str batch, offer, samples_pattern, csv;
    double samples;
    span seconds, warmup, patience;
    usd_per_hour price;
    bool fine, verbose;
};

struct tune_result {
    struct rows sizes; /* struct tune_point, smaller ones first */
    struct str ended;
    int64_t best, recommended; /* -1: no size could be measured */
    double near;
    usd_per_hour price;
    struct str price_source, csv;
};

#endif
