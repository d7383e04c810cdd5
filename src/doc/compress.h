/* compress.h - gzip, xz and zstd, through the loadable part `compress`.
 *
 * Recognised by their first bytes, not by a file's name. The libraries are loaded when the first
 * compressed text is met.
 */
#ifndef DOC_COMPRESS_H
#define DOC_COMPRESS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum compression {
    COMPRESSION_NONE,
    COMPRESSION_GZIP,
    COMPRESSION_XZ,
    COMPRESSION_ZSTD,
};

/* What the first bytes say. */
enum compression compression_of(struct str text);

/* In place of a compressed text, put what it holds: at most `max` bytes, however small the packed
 * text is. Plain text stays as it is. `name` is for errors. */
bool unpack_text(struct str *text, const char *name, size_t max, struct arena *arena,
                 struct error *err) MUST_USE;

/* The functions of the part. */
#define COMPRESS_PART_VERSION 1

struct compress_part {
    /* Append all that `packed` holds to `out`, whose maximum bounds it. */
    bool (*unpack)(enum compression kind, struct str packed, struct buf *out,
                   struct error *err);
};

#endif
