/* data_diff.h - what makes two trees equal: request and result of data.diff. */
#ifndef OP_DATA_DATA_DIFF_H
#define OP_DATA_DATA_DIFF_H

#include "data/compare.h"
#include "unit/money.h"
#include "unit/size.h"

extern const struct op op_data_diff;

struct data_diff_request {
    struct str here, there, base, from, to;
    bytes bandwidth;
    bool newer;
    int64_t limit;
};

/* What the bytes of one direction take. */
struct data_move {
    bytes size;
    double seconds;
    usd cost;
};

struct data_diff_result {
    struct str here, there, base;
    struct rows steps;   /* struct data_sum */
    struct rows changes; /* struct data_change */
    int64_t change_count;
    struct data_move upload, download;
    usd cost; /* of both */
};

#endif
