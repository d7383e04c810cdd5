/* recall.h - what the ledger knows of checkpoints in a folder: the cost of the run when each was
 * written, and its metric.
 */
#ifndef RUN_CHECKPOINT_RECALL_H
#define RUN_CHECKPOINT_RECALL_H

#include "ledger/ledger.h"
#include "run/checkpoint/checkpoints.h"

/* A folder that was scanned. */
struct checkpoints_seen {
    struct checkpoint *list;
    size_t count;
    struct checkpoint_rules rules;
    int64_t now_ns; /* by the machine's clock, as the dates of files are */
    const char *folder;
};

/* Does this path lead to an entry of the folder (without links)? Paths of the ledger are from
 * `start`, where the run was started. */
bool checkpoint_path_in(struct str path, struct str start, const char *folder);

/* Add what this run recorded; without a name, what the newest runs that wrote to the folder did. */
bool checkpoints_recall(struct ledger *ledger, struct str run, struct checkpoints_seen *seen,
                        struct arena *arena, struct error *err) MUST_USE;

/* Record that some were removed. Failures are ignored: the files are gone all the same. */
void checkpoints_forget(struct ledger *ledger, struct str run,
                        const struct checkpoints_seen *seen, const bool *removed, stamp now,
                        struct arena *arena);

#endif
