/* data_weights.h - a smaller model folder: request and result of data.weights. */
#ifndef OP_DATA_DATA_WEIGHTS_H
#define OP_DATA_DATA_WEIGHTS_H

#include "data/weights/weights.h"
#include "op/data/data_price.h"

extern const struct op op_data_weights;

struct data_weights_request {
    struct str folder, output, from, to;
    struct str cast; /* empty: no types change */
    bool drop_optimizer, drop_duplicates;
    bytes bandwidth;
    int64_t limit;
};

struct data_weights_result {
    struct str folder, optimized_path, corrupt_path;
    int64_t files, weights, tensors, cast, overflowed, underflowed;
    bytes size, new_size;
    double compression_ratio; /* before / after; NaN: nothing is there */
    struct data_savings transfer_savings;
    struct rows outcomes; /* struct weights_sum */
    int64_t corrupt_count;
    struct rows corrupt; /* struct weights_note */
    int64_t note_count;
    struct rows notes; /* struct weights_note */
    int64_t duplicate_count;
    struct rows duplicates; /* struct weights_group */
    struct rows problems;   /* struct tree_problem */
};

#endif
