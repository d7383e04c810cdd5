/* advise_job.h - a job as facts for rules: read, placed and estimated. */
#ifndef OP_ADVISE_ADVISE_JOB_H
#define OP_ADVISE_ADVISE_JOB_H

#include "advise/rules/rule.h"
#include "job/source.h"
#include "op/place.h"

struct op_context; /* op/context.h */

/* On these GPUs ("H100x8") or this offer; where both are empty, where the planner would run it,
 * which is noted. */
bool advise_job_facts(struct op_context *ctx, const struct job_source *source,
                      const struct place_request *place, struct advise_facts *out,
                      struct error *err) MUST_USE;

/* The estimated cost of a run of it, by part. */
void advise_job_money(const struct estimate *estimate, struct advise_money *out);

/* Smaller models for a job that serves (struct compression_row), on any machine that could.
 * None for a job that trains. */
bool advise_job_compression(struct op_context *ctx, const struct advise_job *job,
                            struct rows *out, struct error *err) MUST_USE;

/* Cleaner regions and hours (struct cleaner_row). */
bool advise_job_cleaner(struct op_context *ctx, const struct advise_job *job, struct rows *out,
                        struct error *err) MUST_USE;

#endif
