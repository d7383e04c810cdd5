/* run_summary.h - the result of `stint run` in a file. */
#ifndef OP_RUN_RUN_SUMMARY_H
#define OP_RUN_RUN_SUMMARY_H

#include "op/run/run.h"

struct op_context; /* op/context.h */

/* --summary FILE: can it be written there? The path, NULL when none is wanted. */
bool run_summary_check(struct op_context *ctx, struct str file, const char **out,
                       struct error *err) MUST_USE;

/* The result as JSON, completely or not at all; a failure is a warning and changes no exit
 * status. */
void run_summary_write(struct op_context *ctx, const char *path,
                       const struct run_result *result);

#endif
