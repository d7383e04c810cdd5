/* compare.h - runs side by side: the request of compare; its result is a struct comparison. */
#ifndef OP_RUNS_COMPARE_H
#define OP_RUNS_COMPARE_H

#include "account/run/compare.h"

extern const struct op op_compare;

struct compare_request {
    struct strs runs;
};

#endif
