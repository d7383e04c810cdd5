/* trace_internal.h - what the readers of traces share. */
#ifndef SPOT_TRACE_INTERNAL_H
#define SPOT_TRACE_INTERNAL_H

#include "spot/trace.h"

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

#endif
