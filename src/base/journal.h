/* journal.h - results kept one by one, so that long work that is stopped can go on.
 *
 * A file: a header in words, then records of one size, each with its checksum, appended at
 * once. Whatever moment the process ends at, what was appended before is there: half a record
 * at the end is cut off when the journal is opened again, and a damaged one is as if it had
 * never been written. */
#ifndef BASE_JOURNAL_H
#define BASE_JOURNAL_H

#include "base/arena.h"
#include "base/str.h"

struct journal_reader {
    /* A record that was kept: of the size that was asked for. It is free to ignore one. */
    void (*record)(void *ctx, const void *record);
    void *ctx;
};

struct journal;

/* Open to go on, or make it. The header is lines of "key: value"; a journal with another header
 * is refused, and the first line that differs is named. So is one that another process has
 * open. NULL with the error set. */
struct journal *journal_open(const char *path, struct str header, size_t record_size,
                             struct journal_reader reader, const struct alloc *alloc,
                             struct error *err) MUST_USE;

/* Append a record: it is safe from the end of this process on when this returns. May be called
 * by several threads at once. After one that failed (a full disk) all others fail too: what
 * was kept before stays complete. */
bool journal_add(struct journal *journal, const void *record, struct error *err) MUST_USE;

void journal_close(struct journal *journal); /* NULL is fine */

/* Only read one. */
bool journal_read(const char *path, struct str header, size_t record_size,
                  struct journal_reader reader, const struct alloc *alloc,
                  struct error *err) MUST_USE;

#endif
