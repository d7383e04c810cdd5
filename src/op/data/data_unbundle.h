/* data_unbundle.h - what is in a bundle, as a new folder: request and result of
 * data.unbundle. */
#ifndef OP_DATA_DATA_UNBUNDLE_H
#define OP_DATA_DATA_UNBUNDLE_H

#include "data/manifest.h"
#include "doc/field.h"
#include "unit/size.h"

extern const struct op op_data_unbundle;

struct data_unbundle_request {
    struct str bundle, output;
};

struct data_unbundle_result {
    struct str bundle, folder;
    char sha256[2 * TREE_DIGEST + 1];
    int64_t files, links, empty_folders, left_out;
    bytes size;
};

#endif
