/* schedule.h - lines for cron and systemd that write the report of each month. */
#ifndef REPORT_SCHEDULE_H
#define REPORT_SCHEDULE_H

#include "doc/field.h"

/* What each report is asked for; empty: not given. */
struct report_again {
    struct strs where, send;
    struct str currency, mail, output;
};

struct report_schedule {
    struct str cron;           /* a line of a crontab */
    struct str service, timer; /* units of systemd */
};

bool report_schedule(const struct report_again *ask, struct arena *arena,
                     struct report_schedule *out, struct error *err) MUST_USE;

#endif
