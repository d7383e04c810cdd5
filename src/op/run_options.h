/* run_options.h - the options of `stint run`, made into those of the supervisor. */
#ifndef OP_RUN_OPTIONS_H
#define OP_RUN_OPTIONS_H

#include "op/run.h"
#include "run/supervise.h"

/* 'labels=$12': the amounts added up; unknown when there are none. */
bool run_take_extras(struct strs extras, usd *out, struct error *err) MUST_USE;

/* Is each of them KEY=VALUE? */
bool run_take_tags(struct strs tags, struct error *err) MUST_USE;

/* A text for C's functions; NULL when it is empty. */
bool run_c_text(struct op_context *ctx, struct str text, const char **out,
                struct error *err) MUST_USE;

bool run_take_guards(struct op_context *ctx, const struct run_request *request,
                     struct supervise_options *out, struct error *err) MUST_USE;
bool run_take_watching(struct op_context *ctx, const struct run_request *request,
                       struct supervise_options *out, struct error *err) MUST_USE;

/* The month's budget: what was said, else the configured one when it is in dollars. */
void run_take_month(struct op_context *ctx, const struct run_request *request,
                    struct supervise_options *out);

#endif
