/* trace_internal.h - what the readers of traces share. */
#ifndef SPOT_TRACE_INTERNAL_H
#define SPOT_TRACE_INTERNAL_H

#include "spot/trace.h"

/* 0 to 35 as .trc writes them. */
extern const char trace_digits[];

/* Lines that say something: not blank, not a comment, without blanks at their ends. */
struct trace_lines {
    struct str rest;
    size_t number; /* of the line that was last given, from 1 */
};

/* One format each. Errors begin with the line where there is one; the file's name is added by
 * traces_read. */
bool trace_json_read(struct str text, const struct trace_options *options, struct arena *arena,
                     struct traces *out, struct error *err) MUST_USE;
bool trace_prices_read(struct str text, const struct trace_options *options,
                       struct arena *arena, struct traces *out, struct error *err) MUST_USE;

/* Text as an id: what .trc cannot hold (blanks, control characters, '#' in front) becomes
 * '_'. */
void trace_id_write(struct str text, struct buf *out);

/* Likewise, in the arena. Empty with the error set when memory runs out. */
struct str trace_id(struct str text, struct arena *arena, struct error *err) MUST_USE;

/* A price from some time on. */
struct price_change {
    int64_t at;             /* seconds since 1970 */
    double spot, on_demand; /* USD an hour; NaN: none */
    uint32_t series;
    uint32_t line;
};

/* What a price history comes to. */
struct price_changes {
    struct price_change *at; /* in any order; sorted by price_changes_traces */
    size_t len;
    const struct str *ids; /* by series: ids of traces, in the arena of the result */
    size_t series;
    int64_t first, last; /* times in the file, those of series that were left out too */
};

/* A trace for each series that ever had a spot price, all from the first time of the file to a
 * tick past its last. */
bool price_changes_traces(struct price_changes *changes, struct arena *arena,
                          struct traces *out, struct error *err) MUST_USE;

#endif
