/* run_start.h - what is written down of a run before it begins: who, where, what. */
#ifndef OP_RUN_RUN_START_H
#define OP_RUN_RUN_START_H

#include "ledger/ledger.h"
#include "op/run/run.h"

/* Texts live in the context's arena. Facts that cannot be found are left out. */
bool run_start_fill(struct op_context *ctx, const struct run_request *request,
                    struct ledger_start *out, struct error *err) MUST_USE;

/* The commit that is checked out in the folder or above it; empty when there is none. Read from
 * git's files: starting git would take longer than many a command. */
struct str run_commit(const char *folder, struct arena *arena);

/* Who runs this, and which boot of the machine it is; empty when that cannot be told. */
struct str run_user(struct arena *arena);
struct str run_boot(struct arena *arena);

/* Has it the tags that the ledger's policy wants? Says so when not, or refuses it when the
 * policy does. `ledger`: NULL when there is none, or it cannot be read, which is no reason not
 * to run. */
bool run_check_tags(struct op_context *ctx, struct ledger *ledger,
                    const struct ledger_start *start, struct error *err) MUST_USE;

/* One more fact of its environment: "NAME=VALUE". */
bool run_start_fact(struct op_context *ctx, struct ledger_start *start, const char *name,
                    struct str value, struct error *err) MUST_USE;

#endif
