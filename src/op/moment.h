/* moment.h - a moment as people give it to --since and --until. */
#ifndef OP_MOMENT_H
#define OP_MOMENT_H

#include "op/op.h"

/* "7d" before now, or a date, or a moment; -1 when nothing was said. `option` is for the error:
 * "since". */
bool op_moment(const struct op_context *ctx, const char *option, struct str text, stamp *out,
               struct error *err) MUST_USE;

#endif
