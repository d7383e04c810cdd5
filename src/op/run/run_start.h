/* run_start.h - what is written down of a run before it begins: who, where, what. */
#ifndef OP_RUN_RUN_START_H
#define OP_RUN_RUN_START_H

#include "ledger/ledger.h"
#include "op/run/run.h"

struct op_context; /* op/context.h */

/* Texts live in the context's arena. Facts that cannot be found are left out. */
bool run_start_fill(struct op_context *ctx, const struct run_request *request,
                    struct ledger_start *out, struct error *err) MUST_USE;

/* One more fact of its environment: "NAME=VALUE". */
bool run_start_fact(struct op_context *ctx, struct ledger_start *start, const char *name,
                    struct str value, struct error *err) MUST_USE;

#endif
