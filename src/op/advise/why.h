/* why.h - why a run or a month cost more or less: the request of why. */
#ifndef OP_ADVISE_WHY_H
#define OP_ADVISE_WHY_H

#include "advise/explain/why_answer.h"

extern const struct op op_why;

struct why_request {
    struct strs of;    /* a run, two runs, a month or two months */
    struct strs by;    /* of months: dimensions */
    struct strs where; /* likewise: conditions on them */
    struct str currency;
    struct str svg, png, pdf; /* files to draw to */
};

#endif
