/* compress.h - gzip, xz, zstd and zip, through the loadable part `compress`.
 *
 * Recognized by their first bytes, not by a file's name. The libraries are loaded when the
 * first compressed text is met. A zip archive must hold one file.
 */
#ifndef DOC_COMPRESS_H
#define DOC_COMPRESS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/source.h"
#include "base/str.h"

enum compression {
    COMPRESSION_NONE,
    COMPRESSION_GZIP,
    COMPRESSION_XZ,
    COMPRESSION_ZSTD,
    COMPRESSION_ZIP,
};

/* The kind, by the first bytes. */
enum compression compression_of(struct str text);

/* In place of a compressed text, put what it holds: at most `max` bytes, however small the
 * packed text is. Plain text stays as it is. `name` is for errors. */
bool unpack_text(struct str *text, const char *name, size_t max, struct arena *arena,
                 struct error *err) MUST_USE;

/* A stream that unpacks as it is read, in bounded memory; a plain one passes through. It fails
 * past `max` bytes. NULL with the error set. `name` must outlive it. */
struct unpacker;

struct unpacker *unpack_open(struct source packed, const char *name, uint64_t max,
                             const struct alloc *alloc, struct error *err) MUST_USE;
struct source unpack_source(struct unpacker *unpacker);
void unpack_close(struct unpacker *unpacker); /* NULL is fine */

/* The functions of the part. */
#define COMPRESS_PART_VERSION 3

/* What a decoder may take and give in one step; it moves both. */
struct compress_io {
    const char *in;
    size_t in_len;
    char *out;
    size_t out_room;
    bool last; /* there is no input after this */
};

enum compress_state {
    COMPRESS_MORE,    /* go on */
    COMPRESS_WHOLE,   /* at the end of a packed file: fine when the input ends here too */
    COMPRESS_DAMAGED, /* these are no such data */
    COMPRESS_GREEDY,  /* it takes too much memory to unpack */
    COMPRESS_MEMORY,  /* memory ran out */
    COMPRESS_SEVERAL, /* the archive holds more than one file */
    COMPRESS_EMPTY,   /* it holds none */
    COMPRESS_BOOK,    /* it is a spreadsheet program's file */
    COMPRESS_LOCKED,  /* a password is needed, or a method that is not known */
};

struct compress_part {
    void *(*open)(enum compression kind); /* NULL when memory runs out */
    enum compress_state (*step)(void *decoder, struct compress_io *io);
    void (*close)(void *decoder);
};

#endif
