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

struct check_result {
    struct change change;
    struct change_side before, after;
    double max_increase; /* unknown: there is no baseline */
    usd max_cost;
    struct str markdown;
};

/* The table of both sides, as Markdown. Names are shown as they are, whatever is in them. */
void check_markdown(const struct check_result *res, struct buf *out);

#endif
