/* bench_callable.h - a Python function or a command, timed batch by batch. */
#ifndef OP_BENCH_BENCH_CALLABLE_H
#define OP_BENCH_BENCH_CALLABLE_H

#include "op/bench/bench.h"

struct op_context; /* op/context.h */

/* Fills the batches of the result. */
bool bench_callable(struct op_context *ctx, const struct bench_request *request,
                    usd_per_hour price, struct bench_result *out, struct error *err) MUST_USE;

#endif
