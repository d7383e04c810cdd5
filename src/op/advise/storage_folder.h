/* storage_folder.h - how large a folder is, and how many files are in it. */
#ifndef OP_ADVISE_STORAGE_FOLDER_H
#define OP_ADVISE_STORAGE_FOLDER_H

#include "op/context.h"

struct folder_size {
    uint64_t bytes;
    int64_t files;
};

/* Of a folder with all below it, or of a file; links are not followed. */
bool folder_measure(const struct op_context *ctx, const char *path, struct folder_size *out,
                    struct error *err) MUST_USE;

#endif
