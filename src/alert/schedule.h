/* schedule.h - when messages are sent to a channel: quiet hours and digests. */
#ifndef ALERT_SCHEDULE_H
#define ALERT_SCHEDULE_H

#include "unit/zone.h"

struct quiet_hours {
    bool any;         /* are there any? */
    int32_t from, to; /* seconds after midnight; over midnight when `from` is later */
    struct zone zone;
};

struct digest_times {
    bool any, weekly; /* on Mondays */
    int32_t at;       /* seconds after midnight */
    struct zone zone;
};

/* "22:00-07:00 Europe/Berlin", "daily", "weekly at 09:00 Europe/Berlin"; empty: none. */
bool quiet_parse(struct str text, struct arena *arena, struct quiet_hours *out,
                 struct error *err) MUST_USE;
bool digest_parse(struct str text, struct arena *arena, struct digest_times *out,
                  struct error *err) MUST_USE;

/* Is it quiet now, and until when? */
bool quiet_now(const struct quiet_hours *quiet, stamp now, stamp *until);

/* The last time for a digest that is not after now, and the first that is. */
stamp digest_last(const struct digest_times *digest, stamp now);
stamp digest_next(const struct digest_times *digest, stamp now);

#endif
