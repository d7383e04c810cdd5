/* bundle_make.h - a data set, its configuration and its scripts in one packed archive. */
#ifndef DATA_BUNDLE_BUNDLE_MAKE_H
#define DATA_BUNDLE_BUNDLE_MAKE_H

#include "data/task.h"
#include "data/tree.h"
#include "doc/field.h"
#include "unit/size.h"

struct bundle_wish {
    struct str folder, config; /* config: a file to add; empty: none */
    struct str output;         /* empty: FOLDER_bundle.tar.gz */
};

/* One of the things in a bundle. */
struct bundle_content {
    struct str name; /* "dataset/" */
    int64_t files;
    bytes size;
};

struct bundle_made {
    struct str folder, output;
    char sha256[2 * TREE_DIGEST + 1];
    struct rows contents; /* struct bundle_content */
    int64_t files, links, empty_folders, left_out;
    bytes size, bundle_size, stored_size;
    double compression_ratio;
    struct rows problems; /* struct tree_problem */
};

extern const struct field_set bundle_made_fields;

/* Write the folder as "dataset/", the configuration as "config" with its own ending, and the
 * folder `scripts` of the working folder, if there is one. */
bool bundle_make(const struct data_task *task, const struct bundle_wish *wish,
                 struct bundle_made *out, struct error *err) MUST_USE;

#endif
