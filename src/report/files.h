/* files.h - the files of a report: all of them written, or none.
 *
 * Each is complete in memory first, then written beside its place and flushed; only when every
 * one is on the disk are they renamed. A file of the same name that Stint did not write is
 * not replaced unless that is asked for.
 */
#ifndef REPORT_FILES_H
#define REPORT_FILES_H

#include "base/buf.h"
#include "doc/field.h"
#include "unit/size.h"

#define REPORT_FILES_MAX 16

/* What a text file of ours ends with, and so is known by (JSON: its schema). */
#define REPORT_MARK "<!-- written by stint report -->\n"

struct report_file {
    const char *name; /* "cost_analysis.json" */
    struct str text;
};

struct report_files {
    struct report_file at[REPORT_FILES_MAX];
    size_t len;
};

/* Keep what a buffer collected as the file `name`; SVG, HTML and Markdown get the mark. The
 * buffer is freed either way. */
bool report_files_add(struct report_files *files, const char *name, struct buf *text,
                      struct arena *arena, struct error *err) MUST_USE;

struct report_written {
    struct str path;
    int64_t size; /* bytes */
};
extern const struct field_set report_written_fields;

/* Write them into the folder, which is made when it is missing: rows of struct
 * report_written. ERROR_INPUT when one would replace a file of the user's and not `replace`. */
bool report_files_put(const struct report_files *files, const char *folder, bool replace,
                      struct arena *arena, struct rows *out, struct error *err) MUST_USE;

#endif
