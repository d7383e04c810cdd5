/* run_options.h - the options of `stint run`, made into those of the supervisor. */
#ifndef OP_RUN_RUN_OPTIONS_H
#define OP_RUN_RUN_OPTIONS_H

#include "op/run/run.h"
#include "run/supervise/supervise.h"

struct op_context; /* op/context.h */

/* A text for C's functions; NULL when it is empty. */
bool run_c_text(struct op_context *ctx, struct str text, const char **out,
                struct error *err) MUST_USE;

/* Options that need another one. */
bool run_check_options(struct op_context *ctx, const struct run_request *request,
                       struct error *err) MUST_USE;

bool run_take_guards(struct op_context *ctx, const struct run_request *request,
                     struct supervise_options *out, struct error *err) MUST_USE;
bool run_take_watching(struct op_context *ctx, const struct run_request *request,
                       struct supervise_options *out, struct error *err) MUST_USE;

/* --summary FILE: can it be written there? The path, NULL when none is wanted. */
bool run_summary_check(struct op_context *ctx, struct str file, const char **out,
                       struct error *err) MUST_USE;

/* The result as JSON, completely or not at all; a failure is a warning and changes no exit status.
 */
void run_summary_write(struct op_context *ctx, const char *path,
                       const struct run_result *result);

/* The month's budget: the one given, else the configured one when it is in dollars. */
void run_take_month(struct op_context *ctx, const struct run_request *request,
                    struct supervise_options *out);

#endif
