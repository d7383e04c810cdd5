/* bench_load.h - from the options of `stint bench` to a load. */
#ifndef OP_BENCH_BENCH_LOAD_H
#define OP_BENCH_BENCH_LOAD_H

#include "load/drive.h"
#include "op/bench/bench.h"

struct op_context; /* op/context.h */

struct bench_load {
    struct load_options options; /* but for the format, which is the endpoint's */
    struct load_trace trace, lengths;
    double rates[BENCH_POINTS]; /* one after the other; none: users, or a trace */
    size_t rate_count;
    bool default_users; /* no number was given */
};

/* `budget_s`: what the budget allows, in seconds; NaN: any time. */
bool bench_load_of(struct op_context *ctx, const struct bench_request *request,
                   struct bench_load *out, struct error *err) MUST_USE;

/* "first token 500 ms, total 10 s": the target, as it is shown. */
bool bench_target_text(const struct bench_request *request, const struct load_target *target,
                       struct arena *arena, struct str *out, struct error *err) MUST_USE;

#endif
