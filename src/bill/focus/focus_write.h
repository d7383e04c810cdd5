/* focus_write.h - a FOCUS file, and the metadata that goes beside it. */
#ifndef BILL_FOCUS_FOCUS_WRITE_H
#define BILL_FOCUS_FOCUS_WRITE_H

#include "bill/focus/conform.h"

/* Columns of our own, after those of FOCUS. */
struct focus_extra {
    const char *name; /* "x_RunId": PascalCase after the x_ */
    enum focus_kind kind;
};

/* The header row; `minor` is 2 or 4. */
void focus_write_header(int minor, const struct focus_extra *extra, size_t count,
                        struct buf *out);

/* A row of conform_line(); `values` are those of the extra columns. */
void focus_write_row(int minor, const struct str of[FOCUS_COUNT], const struct str *values,
                     size_t count, struct buf *out);

/* What the file is: version, when and by what it was written, its columns. */
struct focus_about {
    int minor;
    stamp created;
    const char *generator_version;
    const struct focus_extra *extra;
    size_t extra_count;
};

void focus_write_metadata(const struct focus_about *about, struct buf *out);

#endif
