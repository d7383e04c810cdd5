/* recall.h - what the ledger knows of checkpoints in a folder: the cost of the run when each
 * was written, and its metric; and checkpoints as records of results.
 */
#ifndef RUN_CHECKPOINT_RECALL_H
#define RUN_CHECKPOINT_RECALL_H

#include "doc/field.h"
#include "ledger/ledger.h"
#include "run/checkpoint/checkpoints.h"
#include "unit/size.h"

/* A folder that was scanned. */
struct checkpoints_seen {
    struct checkpoint *list;
    size_t count;
    struct checkpoint_rules rules;
    int64_t now_ns; /* by the machine's clock, as the dates of files are */
    const char *folder;
    bool removes; /* what only may be so is not taken from the ledger */
};

/* Does this path lead to an entry of the folder (without links)? Paths of the ledger are from
 * `start`, where the run was started. */
bool checkpoint_path_in(struct str path, struct str start, const char *folder);

/* Add what this run recorded; without a name, what the newest runs that wrote to the folder
 * did. */
bool checkpoints_recall(struct ledger *ledger, struct str run, struct checkpoints_seen *seen,
                        struct arena *arena, struct error *err) MUST_USE;

/* Record that some were removed. Failures are ignored: the files are gone all the same. */
void checkpoints_forget(struct ledger *ledger, struct str run,
                        const struct checkpoints_seen *seen, const bool *removed, stamp now,
                        struct arena *arena);

/* ---- as records of results ---- */

struct checkpoint_view {
    struct checkpoint is;
    bytes size, frees;
    stamp changed;
    struct str state; /* "whole" (complete), or why it is not */
    bool whole, removed;
    struct str why; /* it is kept, or may be removed */
};

extern const struct field_set checkpoint_view_fields;

struct checkpoint_view checkpoint_view_of(const struct checkpoints_seen *seen,
                                          const struct checkpoint *checkpoint);

/* A row for each; NULL with the error set. */
struct checkpoint_view *checkpoint_views(const struct checkpoints_seen *seen,
                                         struct arena *arena, struct error *err) MUST_USE;

/* A step from one to a better one. */
struct checkpoint_step {
    struct checkpoint is;
    double gain;  /* over the best before it; unknown for the first */
    usd more;     /* of the run's cost: since the best before it */
    usd marginal; /* for each 1 % that the metric got better */
};

extern const struct field_set checkpoint_step_fields;

/* Each complete one that was better than all before it: struct checkpoint_step. */
bool checkpoint_steps(const struct checkpoints_seen *seen, struct arena *arena,
                      struct rows *out, struct error *err) MUST_USE;

/* How much better `to` is than `from`, as a share; below 0: worse. */
double checkpoint_gain(double from, double to, bool greater);

#endif
