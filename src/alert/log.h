/* log.h - messages that were sent or wait, as rows of a result. */
#ifndef ALERT_LOG_H
#define ALERT_LOG_H

#include "alert/queue.h"
#include "doc/field.h"

struct alert_log_view {
    struct ledger_delivery is;
    struct str title;
    stamp tried, next; /* unknown: it was not, and is not any more */
};

extern const struct field_set alert_log_fields;

bool alert_log_view_make(const struct ledger_delivery *d, struct arena *arena,
                         struct alert_log_view *out, struct error *err) MUST_USE;

#endif
