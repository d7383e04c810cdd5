/* prune.h - which checkpoint of a folder is worth its money, and old ones removed. */
#ifndef RUN_CHECKPOINT_PRUNE_H
#define RUN_CHECKPOINT_PRUNE_H

#include "base/message.h"
#include "base/watch.h"
#include "run/checkpoint/recall.h"

struct checkpoints_best {
    struct str folder, metric;
    struct checkpoint_view best, cost_efficient;
    bool differ;  /* they are not the same */
    double worse; /* the cost-efficient one's metric than the best's, as a share */
    usd saved;    /* what stopping there would have saved */
    double saved_share;
    int64_t without;   /* checkpoints whose metric is unknown */
    struct rows steps; /* checkpoint_step */
};

extern const struct field_set checkpoints_best_fields;

/* The best by the metric, and the cheapest that is worse by at most the share `within`.
 * ERROR_ABSENT when no complete one has the metric. */
bool checkpoints_best(const struct checkpoints_seen *seen, double within, struct arena *arena,
                      struct checkpoints_best *out, struct error *err) MUST_USE;

struct checkpoints_work {
    const struct watch *watch;
    const struct messages *messages;
    bool *partly; /* set when one could not be removed */
    struct arena *arena;
    bool dry_run;
};

struct checkpoints_pruned {
    struct str folder, metric;
    struct rows checkpoints;              /* checkpoint_view */
    int64_t keep, going, removed, failed; /* of those going: removed, and still there */
    bytes frees;                          /* what going gives back, at least */
    usd month;                            /* what removing saves */
    usd_per_gb storage_price;
    struct str storage_source;
    bool dry_run;
};

extern const struct field_set checkpoints_pruned_fields;

/* Remove what the rules do not keep; `keep` and the storage price of the answer are set.
 * `*gone`: for each checkpoint, whether it was removed. */
bool checkpoints_prune(const struct checkpoints_work *work, const struct checkpoints_seen *seen,
                       struct checkpoints_pruned *out, bool **gone, struct error *err) MUST_USE;

#endif
