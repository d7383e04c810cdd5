/* run_alert.h - alerts of runs and watches: the command that raises them. */
#ifndef OP_RUN_RUN_ALERT_H
#define OP_RUN_RUN_ALERT_H

#include "doc/field.h"
#include "run/supervise/alert_events.h"

struct op_context; /* op/context.h */

/* Which channels get which events. */
struct run_alert_request {
    struct strs channels, on; /* on: names of groups of events; empty: all */
};

/* A command for sh that raises an alert of the event in its environment, and what it is for.
 * ERROR_ABSENT when a channel is not there. NULL in `out` without channels. A ledger that
 * cannot be read is a warning, not a failure. */
bool run_alert_command(struct op_context *ctx, const struct run_alert_request *request,
                       struct alert_events *out, struct error *err) MUST_USE;

#endif
