/* step.h - what the debug log (STINT_LOG=debug, --log FILE) says of an operation: what each
 * step read, chose or found, and how long it took.
 *
 *     struct op_step step = op_step_begin(ctx);
 *     ...
 *     op_step_end(&step, "prices: %zu offers", count);
 */
#ifndef OP_STEP_H
#define OP_STEP_H

#include "base/log.h"

struct op_context; /* op/context.h */

struct op_step {
    const struct log *log; /* NULL: silent */
    instant began;
};

struct op_step op_step_begin(const struct op_context *ctx);

/* "TEXT (12.3 ms)" */
void op_step_end(const struct op_step *step, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* What took no time worth telling: which price was chosen. */
void op_log(const struct op_context *ctx, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Would they be written? For what takes effort to describe. */
bool op_logs(const struct op_context *ctx);

#endif
