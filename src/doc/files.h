/* files.h - from a name to open streams: a file, standard input ("-") or all files of a folder,
 * compressed or not.
 */
#ifndef DOC_FILES_H
#define DOC_FILES_H

#include "base/arena.h"
#include "base/source.h"
#include "base/watch.h"
#include "unit/time.h"

#define FILES_HEAD ((size_t)64 * 1024)

/* A file being read: its start can be examined before it is read. */
struct file_stream {
    const char *name;
    struct str head; /* up to FILES_HEAD bytes */
    stamp modified;
    struct source source; /* gives the head again, then the rest */
};

/* All of it as a text, at most so many bytes. */
bool file_stream_text(const struct file_stream *stream, size_t most, struct arena *arena,
                      struct str *out, struct error *err) MUST_USE;

struct file_visitor {
    /* `listed` is false for a file that was only found in a folder: it may be none of ours. */
    bool (*file)(void *ctx, struct file_stream *stream, bool listed, struct error *err);
    void *ctx;
    struct arena *arena; /* names, for as long as the visit */
    struct watch watch;  /* shown how much of each file is read */
    uint64_t max_bytes;  /* of one file, unpacked; 0: 16 GiB */
};

/* Visit a file, or every file in a folder and those below, in the order of their names. */
bool files_visit(const char *path, const struct file_visitor *visitor,
                 struct error *err) MUST_USE;

#endif
