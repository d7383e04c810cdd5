/* folder_size.h - how large a folder is, and how many files are in it. */
#ifndef BASE_FOLDER_SIZE_H
#define BASE_FOLDER_SIZE_H

#include <stdint.h>

#include "base/error.h"
#include "base/watch.h"

struct folder_size {
    uint64_t bytes;
    int64_t files;
};

/* Of a folder with all below it, or of a file; links are not followed. It fails when `watch`
 * stops it. */
bool folder_measure(const char *path, const struct watch *watch, struct folder_size *out,
                    struct error *err) MUST_USE;

#endif
