/* data_bundle.h - folders in one packed archive: request and result of data.bundle. */
#ifndef OP_DATA_DATA_BUNDLE_H
#define OP_DATA_DATA_BUNDLE_H

#include "data/manifest.h"
#include "doc/field.h"
#include "unit/size.h"

extern const struct op op_data_bundle;

struct data_bundle_request {
    struct str folder, config, output;
};

/* One of the things in a bundle. */
struct data_bundle_content {
    struct str name; /* "dataset/" */
    int64_t files;
    bytes size;
};

struct data_bundle_result {
    struct str folder, output;
    char sha256[2 * TREE_DIGEST + 1];
    struct rows contents; /* struct data_bundle_content */
    int64_t files, links, empty_folders, left_out;
    bytes size, bundle_size, stored_size;
    double compression_ratio;
    struct rows problems; /* struct tree_problem */
};

#endif
