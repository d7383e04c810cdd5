/* check.h - is it still as cheap as before? Request and result of check. */
#ifndef OP_CI_CHECK_H
#define OP_CI_CHECK_H

#include "advise/explain/change.h"
#include "op/place.h"

extern const struct op op_check;

struct check_request {
    struct str what, baseline;  /* a file or a run each; `what` empty: the newest run */
    double max_increase;        /* a share */
    struct strs measures;       /* that count; none: all */
    usd max_cost;               /* unknown: none */
    struct place_request place; /* of job files; none: the cheapest plan */
    struct str markdown;        /* file to write */
};

#endif
