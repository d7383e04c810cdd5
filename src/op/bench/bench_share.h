/* bench_share.h - what was measured of a server as a row of the tables of truth: for others
 * (--share-row), and for `stint calibrate`. */
#ifndef OP_BENCH_BENCH_SHARE_H
#define OP_BENCH_BENCH_SHARE_H

#include "op/bench/bench_endpoint.h"
#include "op/run_price.h"
#include "truth/share_row.h"

/* What serves: from the options, the offer and what the server says. An option that names
 * nothing is an error; with --share-row also what is missing. */
bool bench_served_find(struct op_context *ctx, const struct bench_request *request,
                       const struct bench_endpoint *endpoint, const struct run_price *price,
                       struct share_row *out, struct error *err) MUST_USE;

/* The row of a run; empty where not all of it is known. */
bool bench_row_of(struct op_context *ctx, const struct share_row *served,
                  const struct load_result *result, stamp at, struct str *out,
                  struct error *err) MUST_USE;

/* Add rows of all runs to the file, which is begun with the names of the columns. */
bool bench_share_rows(struct op_context *ctx, const struct share_row *served,
                      const struct rows *runs, stamp at, struct str path,
                      struct error *err) MUST_USE;

#endif
