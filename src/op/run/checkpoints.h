/* checkpoints.h - the checkpoints in a folder: listed, pruned, and the one worth its money. */
#ifndef OP_RUN_CHECKPOINTS_H
#define OP_RUN_CHECKPOINTS_H

#include "doc/field.h"
#include "run/checkpoint/prune.h"

extern const struct op op_checkpoints_best, op_checkpoints_list, op_checkpoints_prune;

/* What all operations on them take. */
struct checkpoints_ask {
    struct str folder, best, run;
    span settle;
    int64_t keep;
};

#define CHECKPOINTS_FIELDS(record, best_needed) \
    FIELD_AS("folder", TEXT, record, ask.folder, .value = "DIR", .operand = true, \
             .required = true, .help = "folder of the checkpoints"), \
        FIELD_AS("best", TEXT, record, ask.best, .value = "METRIC", .required = (best_needed), \
                 .help = "metric to rank by: val_loss:min, accuracy:max"), \
        FIELD_AS("run", TEXT, record, ask.run, .value = "RUN", \
                 .help = "run with the costs and metrics (an id, a name or 'last'); prune " \
                         "removes only what it wrote"), \
        FIELD_AS("settle", SPAN, record, ask.settle, .value = "TIME", .fallback = "10s", \
                 .help = "minimum age: newer checkpoints may still be being written")

struct checkpoints_list_request {
    struct checkpoints_ask ask;
};

struct checkpoints_list_result {
    struct str folder, metric;
    struct rows checkpoints; /* checkpoint_view, the oldest first */
    bytes size;              /* of all whose size is known */
    int64_t unknown;         /* whose size is not */
};

struct checkpoints_prune_request {
    struct checkpoints_ask ask;
    struct str provider;
    usd_per_gb storage_price;
    bool yes;
};

struct checkpoints_best_request {
    struct checkpoints_ask ask;
    double within;
};

#endif
