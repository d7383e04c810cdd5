/* raise.h - alerts of the user's own: events that begin, and end. */
#ifndef ALERT_RAISE_H
#define ALERT_RAISE_H

#include "alert/queue.h"

struct alert_event {
    struct str name, title, message, severity, kind;
    struct strs alert; /* channels */
    bool over;         /* it ends, with all whose names begin with NAME/ */
};

/* Does it say all that is needed? ERROR_USAGE otherwise. */
bool alert_event_check(const struct alert_event *event, struct error *err) MUST_USE;

/* Queue its messages, or end it: `*ended` events. One that is firing is not sent again. */
bool alert_event_raise(const struct alert_sender *with, const struct alert_event *event,
                       int64_t *ended, struct error *err) MUST_USE;

#endif
