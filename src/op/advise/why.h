/* why.h - why a run or a month cost more or less: the request and the result of why. */
#ifndef OP_ADVISE_WHY_H
#define OP_ADVISE_WHY_H

#include "advise/explain/why_months.h"

extern const struct op op_why;

struct why_request {
    struct strs of;    /* a run, two runs, a month or two months */
    struct strs by;    /* of months: dimensions */
    struct strs where; /* likewise: conditions on them */
    struct str currency;
    struct str svg, png, pdf; /* files to draw to */
};

struct why_result {
    struct str kind;     /* "estimate", "runs", "breakdown" or "months" */
    struct str from, to; /* their names: "estimate", "bert (aaaa0001)", "2026-10" */
    struct why_explained explained;
    struct rows groups;       /* struct why_group: of months */
    struct strs notes;        /* what limits the answer */
    struct str svg, png, pdf; /* files that were written */
};

#endif
