/* price_diff.h - what changed between two days: the request and the result of price.diff. */
#ifndef OP_PRICE_PRICE_DIFF_H
#define OP_PRICE_PRICE_DIFF_H

#include "doc/field.h"
#include "unit/money.h"

extern const struct op op_price_diff;

struct price_diff_request {
    struct str from, to, gpu, market, sort;
    struct strs providers, regions;
    bool any_form;
    double min_change;
    int64_t limit;
};

struct price_change {
    struct str kind; /* "changed", "appeared", "gone" */
    struct str offer, market, feed, accelerator;
    double count;
    struct money before, after; /* unknown when there was none */
    double change;              /* a share; NaN unless both are known */
    bool jump;                  /* ten times or more, from end to end or at once in between */
};

struct price_diff_result {
    struct str from, to;
    int64_t compared;       /* prices at both moments, and seen after the first */
    int64_t changed;        /* of them, by at least the smallest change asked for */
    int64_t up, down;       /* of these */
    double median;          /* of these, a share; NaN when there are none */
    int64_t appeared, gone; /* priced at one moment only */
    int64_t unknown;        /* priced now, but their feed tells nothing of the first moment */
    int64_t unseen;         /* priced at the first moment, and nobody looked since */
    int64_t jumped; /* with a change of ten times or more at once, changed in the end or not */
    bool several_feeds;
    struct rows changes;
};

#endif
