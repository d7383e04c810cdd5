/* trace_files.h - traces and windows of the files that a user names. */
#ifndef SPOT_TRACE_FILES_H
#define SPOT_TRACE_FILES_H

#include "base/message.h"
#include "doc/field.h"
#include "spot/trace.h"

/* The choices of an option --ones-mean: what 1 means in JSON traces that do not say. */
extern const char *const trace_ones[];

#define TRACE_ONES_HELP \
    "meaning of 1 in JSON traces that do not define it: available or preempted"

struct trace_files {
    struct strs files; /* packed (gzip, xz, zstd) or not */
    struct str ones;   /* of trace_ones, or empty */
    /* Patterns that traces_pick() will be asked for: what else is in the files may be left out;
     * empty: nothing is. */
    struct strs zones;
};

/* Read the files in their order. Two zones of one name are refused: they would contradict each
 * other. Warns when a trace was made from prices. `sum` (or NULL) takes a checksum of what the
 * traces say: the same however it was written. */
bool trace_files_read(const struct trace_files *ask, const struct messages *messages,
                      struct arena *arena, struct traces *out, uint32_t *sum,
                      struct error *err) MUST_USE;

/* Those of the zones that one of the patterns names, in the order of the patterns; without any,
 * all. A pattern that matches none is ERROR_ABSENT, with a suggestion. */
bool traces_pick(const struct traces *all, struct strs zones, struct arena *arena,
                 struct traces *out, struct error *err) MUST_USE;

/* Start ticks from a file, packed or not. */
bool window_file_read(struct str file, struct arena *arena, struct windows *out,
                      struct error *err) MUST_USE;

#endif
