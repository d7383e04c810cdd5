/* run_repeat.h - has this been run already? The configuration of a run as a digest. */
#ifndef OP_RUN_RUN_REPEAT_H
#define OP_RUN_RUN_REPEAT_H

#include "ledger/ledger.h"
#include "op/run/run.h"

struct op_context; /* op/context.h */

/* What is the same has the same digest: the command without secrets and without the folder it
 * runs in, the files that its words name, the commit. Not its tags, its name or the machine. */
bool run_repeat_digest(struct op_context *ctx, const struct strs *command,
                       struct ledger_start *start, struct error *err) MUST_USE;

/* Say so when the same has ended well before and cost something. Never fails, never stops. */
void run_repeat_warn(struct op_context *ctx, struct ledger *ledger,
                     const struct ledger_start *start);

#endif
