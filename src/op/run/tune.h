/* tune.h - `stint tune`: the batch size that costs least, by running the user's command. */
#ifndef OP_RUN_TUNE_H
#define OP_RUN_TUNE_H

#include "doc/field.h"
#include "unit/money.h"
#include "unit/size.h"

extern const struct op op_tune;

struct tune_request {
    struct strs command;
    struct str batch, offer, samples_pattern, csv;
    double samples;
    span seconds, warmup, patience;
    usd_per_hour price;
    bool fine, verbose;
};

struct tune_row {
    int64_t batch;
    struct str outcome, method, note;
    double samples_per_s, error; /* of it, as a share */
    int64_t windows;
    bytes device_memory, memory;
    double seconds;
    usd million;
    bool best, recommended;
};

struct tune_result {
    struct rows sizes; /* tune_row, smaller ones first */
    struct str ended;
    int64_t best, recommended; /* -1: no size could be measured */
    double near;
    usd_per_hour price;
    struct str price_source, csv;
};

#endif
