/* data_manifest.h - all that is in a folder: request and result of data.manifest. */
#ifndef OP_DATA_DATA_MANIFEST_H
#define OP_DATA_DATA_MANIFEST_H

#include "data/manifest.h"
#include "doc/field.h"
#include "unit/size.h"

extern const struct op op_data_manifest;

struct data_manifest_request {
    struct str folder, output;
    bool reread;
};

struct data_manifest_result {
    struct str folder, output;
    char sha256[2 * TREE_DIGEST + 1];
    int64_t files, links, empty_folders, known_files, read_files;
    bytes size, read_size;
    struct rows problems; /* struct tree_problem */
};

#endif
