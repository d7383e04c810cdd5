/* trace_internal.h - what the readers of traces share. */
#ifndef SPOT_TRACE_INTERNAL_H
#define SPOT_TRACE_INTERNAL_H

#include "spot/trace.h"

/* Lines that say something: not blank, not a comment, without blanks at their ends. */
struct trace_lines {
    struct str rest;
    size_t number; /* of the line that was last given, from 1 */
};

bool trace_line_next(struct trace_lines *lines, struct str *line);

/* One format each. Errors begin with the line where there is one; the file's name is added by
 * traces_read. */
bool trc_read(struct str text, struct arena *arena, struct traces *out,
              struct error *err) MUST_USE;
bool trace_json_read(struct str text, const struct trace_options *options, struct arena *arena,
                     struct traces *out, struct error *err) MUST_USE;
bool trace_prices_read(struct str text, const struct trace_options *options,
                       struct arena *arena, struct traces *out, struct error *err) MUST_USE;

/* Is the text the header of a price history? */
bool trace_prices_recognise(struct str line);

/* Text as an id: what .trc cannot hold (blanks, control characters, '#' in front) becomes '_'.
 * Empty with the error set when memory runs out. */
struct str trace_id(struct str text, struct arena *arena, struct error *err) MUST_USE;

#endif
