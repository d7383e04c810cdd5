/* export_file.h - a file of an export: written piece by piece, and described by another. */
#ifndef ACCOUNT_EXPORT_EXPORT_FILE_H
#define ACCOUNT_EXPORT_EXPORT_FILE_H

#include "base/fs.h"
#include "bill/focus/focus_write.h"

struct export_file {
    struct fs_output to;
    struct buf text;
};

/* "-" is standard output; a file is there completely or not at all. */
bool export_open(struct str path, struct arena *arena, struct export_file *out,
                 struct error *err) MUST_USE;

/* Write out what has gathered, when that is much: `flush` of a struct focus_sink. */
bool export_flush_rows(void *file, struct error *err) MUST_USE;

bool export_close(struct export_file *file, bool ok, struct error *err) MUST_USE;

/* "bill.csv" has "bill.metadata.json" beside it, whose path is the answer. */
bool export_metadata(const struct focus_about *about, struct str file, struct arena *arena,
                     struct str *out, struct error *err) MUST_USE;

#endif
