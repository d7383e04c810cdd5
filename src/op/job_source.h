/* job_source.h - the job that a request names, with the constants that estimate it.
 *
 * Shared by estimate, plan and simulate: all read a job file or a model's name, and change keys
 * of the job by options.
 */
#ifndef OP_JOB_SOURCE_H
#define OP_JOB_SOURCE_H

#include "estimate/constants.h"
#include "job/job.h"
#include "job/source.h"

struct op_context; /* op/context.h */
struct tree;       /* data/tree.h */

struct job_input {
    struct job job;
    struct job given;  /* the same before the model was looked up: sweeps start from it */
    struct str config; /* the text of a config.json, where the job names one */
    struct constants constants;
    const char *data_folder; /* that data.path names, as the system finds it; NULL: none */
    struct tree *data;       /* what is in it */
};

/* Walk the folder of `data.path`, and take its size and number of files. One that is not here
 * leaves what the job says, or is an error. Part of op_job_read(). */
bool op_job_data(struct op_context *ctx, struct job_input *in, struct error *err) MUST_USE;

/* Add what was found to the keys that a request sets: the folder may be gone when it is asked
 * again, or need not be walked again. */
bool op_job_data_keep(struct op_context *ctx, const struct job_input *in, struct strs *set,
                      struct error *err) MUST_USE;

/* Read the job with its options, and load the constants. */
bool op_job_read(struct op_context *ctx, const struct job_source *source, struct job_input *out,
                 struct error *err) MUST_USE;

/* The job as it was given, as text to keep (job_write): of a file or a model, or of a saved
 * plan. Nothing is fetched, so that a run starts without delay. A text of more than `most`
 * bytes is empty, which is noted. */
struct plan_result; /* plan/record.h */
bool op_job_text(struct op_context *ctx, const struct job_source *source, size_t most,
                 struct str *out, struct error *err) MUST_USE;
bool op_job_text_of_plan(struct op_context *ctx, const struct plan_result *plan, size_t most,
                         struct str *out, struct error *err) MUST_USE;

/* The job that op_job_text() made a text of, with the constants that estimate it. */
bool op_job_restore(struct op_context *ctx, struct str text, struct job_input *out,
                    struct error *err) MUST_USE;

/* Load the constants of the catalog and, unless `raw`, the corrections that the ledger has for
 * them. A ledger that does not exist has none; one that cannot be read has none and is warned
 * of. */
bool op_constants(struct op_context *ctx, bool raw, struct constants *out,
                  struct error *err) MUST_USE;

/* The keys of a job file, nested as the file is. */
const struct field_set *op_job_keys(void);

/* Is the word of an option, which may have hyphens, a key of a training job? Its path for --set
 * is then in `key`. */
bool op_job_key(struct str word, char *key, size_t room);

#endif
