/* side.h - what a user names as one side of a comparison: a file, a job or a run. */
#ifndef OP_CI_SIDE_H
#define OP_CI_SIDE_H

#include "advise/explain/change.h"
#include "op/place.h"

struct op_context; /* op/context.h */

struct side_request {
    struct str what;                   /* empty: the newest run */
    const struct place_request *place; /* of a job file */
    struct str except; /* id of a run that is not among the repeats of another */
};

/* A folder is one of a report; a file that begins with '{' is a plan, an estimate or a report's
 * file; another is a job, which is planned, or estimated on the place that is given; what is no
 * file is a run of the ledger. `run`: its id, in the arena; empty when it is none. */
bool side_find(struct op_context *ctx, const struct side_request *request,
               struct change_side *out, struct str *run, struct error *err) MUST_USE;

/* A run or a report without repeats varies as other work of the ledger does that was repeated;
 * else as steps that the estimator knows. Predictions have ranges of their own. */
bool side_add_variation(struct op_context *ctx, struct change_side *side,
                        struct error *err) MUST_USE;

#endif
