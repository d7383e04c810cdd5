/* advise_record.h - the question and the answer of `advise`, for all who ask it.
 *
 * Reports show what `stint advise` finds: they call the operation by its name (op_find), so
 * that their numbers are its numbers. */
#ifndef OP_ADVISE_RECORD_H
#define OP_ADVISE_RECORD_H

#include "advise/rules/followup.h"
#include "job/source.h"
#include "op/moment.h"

struct advise_request {
    struct job_source source; /* .job: a run or a job; empty: the ledger */
    struct str on, offer;     /* of a job: where it runs */
    usd_per_hour price;       /* of one machine there; unknown: the catalog's */
    struct op_days days;
    struct strs category;
    struct str effort; /* at most this */
    usd min_saving, expensive;
    bool all;              /* dismissed ones as well */
    struct str svg, rules; /* rules: a file of the user's */
    int64_t most_works;    /* of a period: look at so many, and not at all together */
};

struct advise_result {
    struct str kind; /* "period", "run" or "job" */
    struct str of;   /* what it is about: a run, a job */
    struct str per;  /* unit of savings */
    day since, until;
    int64_t runs, works, unpriced;
    int64_t works_left_out;      /* of the period: the cheapest, where there are many */
    struct rows findings;        /* struct finding: that save something for certain */
    struct rows possible;        /* struct finding: that may save nothing */
    int64_t dismissed, hidden;   /* hidden: by filters */
    struct advise_total total;   /* of those that are shown */
    struct rows applied;         /* struct followup */
    struct rows compression;     /* struct compression_row: of a job that serves */
    struct str compression_unit; /* of its costs */
    struct rows cleaner;         /* struct cleaner_row: of a job */
    struct strs notes;
    struct str svg;
};

#endif
