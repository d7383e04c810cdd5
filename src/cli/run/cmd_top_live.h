/* cmd_top_live.h - `stint top` on a terminal. */
#ifndef CLI_CMD_TOP_LIVE_H
#define CLI_CMD_TOP_LIVE_H

#include "op/run/top.h"

struct op_context; /* op/context.h */

/* Until q, Ctrl-C or a signal that ends the process; the terminal is then as it was. */
bool top_live(struct op_context *ctx, const struct top_request *request,
              struct error *err) MUST_USE;

#endif
