/* import_files.h - from what the user names to open streams: files, folders, packed or not. */
#ifndef OP_IMPORT_FILES_H
#define OP_IMPORT_FILES_H

#include "base/source.h"
#include "catalog/catalog.h"

struct op_context; /* op/context.h */

/* A file being read: its start can be examined before it is read. */
struct import_stream {
    const char *name;
    struct str head; /* up to FEED_HEAD bytes */
    stamp modified;
    struct source source; /* gives the head again, then the rest */
};

struct import_visitor {
    /* `listed` is false for a file that was only found in a folder: it may be none of ours. */
    bool (*file)(void *ctx, struct import_stream *stream, bool listed, struct error *err);
    void *ctx;
    uint64_t max_bytes; /* of one file, unpacked; 0: 16 GiB */
};

/* Visit a file, or every file in a folder and those below, in the order of their names. */
bool import_visit(struct op_context *ctx, const char *path,
                  const struct import_visitor *visitor, struct error *err) MUST_USE;

#endif
