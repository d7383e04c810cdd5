/* bench_record.h - a measurement as a run of the ledger, and its requests as a file. */
#ifndef OP_BENCH_BENCH_RECORD_H
#define OP_BENCH_BENCH_RECORD_H

#include "op/bench/bench_share.h"
#include "op/run_price.h"

/* What was measured, and when. */
struct bench_record {
    const struct bench_request *request;
    const struct bench_result *result;
    const struct run_price *price;
    const struct share_row *served;
    stamp started;
    struct str of_run; /* its id; empty: none */
    double seconds;    /* in all */
};

/* The id of the run that --run names; empty without it. */
bool bench_find_run(struct op_context *ctx, const struct bench_request *request,
                    struct str *out, struct error *err) MUST_USE;

/* `run` becomes its id. */
bool bench_record_run(struct op_context *ctx, const struct bench_record *record,
                      struct str *run, struct error *err) MUST_USE;

/* The requests of a run, a row each. */
bool bench_write_requests(struct op_context *ctx, const struct load_run *run, struct str path,
                          struct error *err) MUST_USE;

#endif
