/* ledger_watch.h - has anything been written to the ledger since the last look? For servers,
 * which show it to many. */
#ifndef OP_LEDGER_WATCH_H
#define OP_LEDGER_WATCH_H

#include "base/clock.h"
#include "base/error.h"

struct op_context; /* op/context.h */
struct ledger;     /* ledger/ledger.h */

/* All zero: nothing was looked at yet. For one thread. */
struct op_watch {
    struct ledger *ledger; /* open while it can be read */
    uint64_t mark;
    int64_t device, file; /* of the ledger that was opened: another may take its place */
    bool absent;          /* there was none at the last look */
};

/* Look. True when it is not as it was at the last look: written to, made, removed, replaced, or
 * no longer readable. */
bool op_watch_look(struct op_context *ctx, struct op_watch *watch);
void op_watch_end(struct op_watch *watch);

#endif
