/* store_file.h - the files of a store, the lock on them, and writing a new one. */
#ifndef MARKET_STORE_FILE_H
#define MARKET_STORE_FILE_H

#include <limits.h>

#include "market/store_internal.h"

/* All beside one another, so that renaming never crosses a file system. */
struct store_paths {
    char file[PATH_MAX];     /* with links followed: a link stays a link */
    char previous[PATH_MAX]; /* FILE~ */
    char damaged[PATH_MAX];  /* FILE.damaged */
    char lock[PATH_MAX];     /* FILE.lock, which stays */
    char fresh[PATH_MAX];    /* FILE.new, being written */
    char link[PATH_MAX];     /* FILE.link, on its way to another name */
    char folder[PATH_MAX];
};

bool store_paths_of(const char *path, struct store_paths *out, struct error *err) MUST_USE;

#define STORE_PATIENCE 10 /* seconds that a lock is waited for */

/* Keep other writers away: a descriptor for store_unlock(), or -1 when someone holds it for
 * longer than `patience` seconds. The folder is made when it is missing. */
int store_lock(const struct store_paths *paths, int patience, struct error *err) MUST_USE;
void store_unlock(int lock);

/* Let `to`, if need be in place of another file, name what `from` names; `from` stays. Where
 * the file system has no such thing, it is a copy. */
bool store_name_also(const struct store_paths *paths, const char *from, const char *to,
                     struct error *err) MUST_USE;

/* The same with a copy always: two names of one file are damaged together. */
bool store_copy(const struct store_paths *paths, const char *from, const char *to,
                struct error *err) MUST_USE;

/* A new file, written from the front; the tables are collected and come last. */
struct store_writer {
    const struct store_paths *paths;
    int fd;
    uint64_t written; /* of the points */
    struct buf out;   /* not yet in the file */
    struct buf strings, feeds, reads, offers, series;
    uint32_t *slots; /* of a hash table of the strings: offset + 1; 0 is free */
    size_t slot_count, string_count;
};

/* Any failure of these sticks in the writer's buffers or shows at once; store_writer_end() must
 * follow whatever happened. */
bool store_writer_begin(struct store_writer *w, const struct store_paths *paths,
                        const struct alloc *alloc, struct error *err) MUST_USE;
bool store_writer_points(struct store_writer *w, struct str encoded,
                         struct error *err) MUST_USE;
bool store_writer_text(struct store_writer *w, struct str text, uint32_t *ref,
                       struct error *err) MUST_USE;
/* The tables, the header, and all of it on the disk. */
bool store_writer_finish(struct store_writer *w, struct error *err) MUST_USE;
/* Free it; unless `publish`ed, the new file is removed. */
void store_writer_end(struct store_writer *w, bool published);

/* Put the new file in the place of the old one, which stays under the name `kept`. */
bool store_publish(const struct store_paths *paths, const char *kept,
                   struct error *err) MUST_USE;

#endif
