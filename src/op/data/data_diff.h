/* data_diff.h - what makes two trees equal: request and result of data.diff. */
#ifndef OP_DATA_DATA_DIFF_H
#define OP_DATA_DATA_DIFF_H

#include "data/compare.h"
#include "op/data/data_price.h"

extern const struct op op_data_diff;

struct data_diff_request {
    struct str here, there, base, from, to;
    bytes bandwidth;
    bool newer;
    int64_t limit;
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
