/* answer.h - what `stint advise` answers: for the terminal, reports, pages and programs. */
#ifndef ADVISE_ANSWER_H
#define ADVISE_ANSWER_H

#include "advise/rules/followup.h"

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
