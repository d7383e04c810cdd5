/* advise_record.h - the question of `advise`, for all who ask it.
 *
 * Reports show what `stint advise` finds: they call the operation by its name (op_find), so
 * that their numbers are its numbers. */
#ifndef OP_ADVISE_RECORD_H
#define OP_ADVISE_RECORD_H

#include "advise/answer.h"
#include "job/source.h"
#include "unit/moment.h"

struct advise_request {
    struct job_source source; /* .job: a run or a job; empty: the ledger */
    struct str on, offer;     /* of a job: where it runs */
    usd_per_hour price;       /* of one machine there; unknown: the catalog's */
    struct days_asked days;
    struct advise_filter filter;
    usd expensive;
    struct str svg, rules; /* rules: a file of the user's */
    int64_t most_jobs;     /* of a period: look at so many, and not at all together */
};

#endif
