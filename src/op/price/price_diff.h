/* price_diff.h - what changed between two days: the request and the result of price.diff. */
#ifndef OP_PRICE_PRICE_DIFF_H
#define OP_PRICE_PRICE_DIFF_H

#include "market/diff.h"

extern const struct op op_price_diff;

struct price_diff_request {
    struct str from, to, gpu, market;
    enum diff_sort sort;
    struct strs providers, regions;
    bool any_form;
    double min_change;
    int64_t limit;
};

struct price_diff_result {
    stamp from, to; /* midnight means the end of the day */
    struct price_diff diff;
};

#endif
