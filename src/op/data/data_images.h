/* data_images.h - a smaller image set: request and result of data.images. */
#ifndef OP_DATA_DATA_IMAGES_H
#define OP_DATA_DATA_IMAGES_H

#include "data/images/images.h"
#include "op/data/data_price.h"

extern const struct op op_data_images;

struct data_images_request {
    struct str folder, output, from, to;
    int64_t quality, max_side, buckets; /* -1: not given: no loss, no other size */
    struct str format;
    bytes bandwidth;
    int64_t limit;
};

struct data_images_result {
    struct str folder, optimized_path, corrupt_path;
    int64_t files, images, kept, renamed;
    bytes size, new_size;
    double compression_ratio; /* before / after; NaN: nothing is there */
    struct data_savings transfer_savings;
    struct rows outcomes; /* struct images_sum */
    int64_t corrupt_count;
    struct rows corrupt; /* struct images_note */
    int64_t unchanged_count;
    struct rows unchanged; /* struct images_note */
    int64_t duplicate_count;
    struct rows duplicates; /* struct images_group */
    int64_t similar_count;
    struct rows similar;  /* struct images_group */
    struct rows buckets;  /* struct images_bucket */
    struct rows problems; /* struct tree_problem */
};

#endif
