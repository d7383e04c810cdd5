/* source.h - where the bytes of a stream come from: a file, a decompressor, a network reply. */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include <stddef.h>

#include "base/error.h"

struct source {
    /* Up to `room` bytes to `to`: how many; 0 at the end; -1 after setting the error. */
    ptrdiff_t (*read)(void *ctx, char *to, size_t room, struct error *err);
    void *ctx;
};

#endif
