/* alert_events.h - which events of a run or a watched machine are alerts, and how they
 * are raised. */
#ifndef RUN_SUPERVISE_ALERT_EVENTS_H
#define RUN_SUPERVISE_ALERT_EVENTS_H

#include "doc/field.h"

enum {
    ALERT_ON_IDLE = 1 << 0,
    ALERT_ON_UTILIZATION = 1 << 1,
    ALERT_ON_COST = 1 << 2,
    ALERT_ON_STOP = 1 << 3,
    ALERT_ON_NOTICE = 1 << 4,
    ALERT_ON_ALL = (1 << 5) - 1
};

/* How alerts are raised: by a command of sh, beside the job, as hooks are. */
struct alert_events {
    const char *command; /* NULL: none */
    const char *ledger;  /* for its environment */
    unsigned on;         /* which groups */
};

/* --alert CHANNELS and --alert-on GROUPS (empty: all): the command raises an alert of the event
 * in its environment. None without channels. */
bool alert_events_make(struct strs channels, struct strs on, struct str ledger,
                       struct arena *arena, struct alert_events *out,
                       struct error *err) MUST_USE;

/* The group that an event is of; 0: it is no alert. */
unsigned alert_on_event(const char *event);

#endif
