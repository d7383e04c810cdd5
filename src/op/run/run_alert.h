/* run_alert.h - alerts of runs and watches: the command that raises them. */
#ifndef OP_RUN_RUN_ALERT_H
#define OP_RUN_RUN_ALERT_H

#include "doc/field.h"
#include "run/supervise/alert_events.h"

struct op_context; /* op/context.h */

/* --on-event, --alert, --alert-on and --low-use: the members of a request with these names. */
#define RUN_ALERT_OPTIONS(record, default_low_use) \
    FIELD(TEXT, record, on_event, .value = "COMMAND", \
          .help = "run this command at every event (STINT_EVENT is its name)"), \
        FIELD(TEXTS, record, alert, .value = "CHANNELS", \
              .help = "send low utilization, idleness, cost, stops and notices to these " \
                      "channels"), \
        FIELD(TEXTS, record, alert_on, .value = "LIST", \
              .help = \
                  "events to alert on: idle, utilization, cost, stop, notice (default: all)"), \
        FIELD(SHARE, record, low_use, .value = "SHARE", .fallback = (default_low_use), \
              .help = "report GPUs that are less busy than this for half an hour; 0%: never")

/* alert_events_make() for the ledger of the settings. ERROR_ABSENT when a channel is not there;
 * a ledger that cannot be read is a warning, not a failure. */
bool run_alert_command(struct op_context *ctx, struct strs channels, struct strs on,
                       struct alert_events *out, struct error *err) MUST_USE;

#endif
