/* alert_events.h - which events of a run or a watched machine are alerts. Pure. */
#ifndef RUN_SUPERVISE_ALERT_EVENTS_H
#define RUN_SUPERVISE_ALERT_EVENTS_H

#include "base/clock.h"
#include "base/str.h"

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

/* "idle", "cost", "all"; 0 when it is none. */
unsigned alert_on_parse(struct str name);

/* The group that an event is of; 0: it is no alert. */
unsigned alert_on_event(const char *event);

/* Low utilization: the mean of each half hour. */
struct use_watch {
    instant since; /* of this half hour; MOMENT_NEVER before the first look */
    instant last;
    double sum, seconds; /* of what is known */
    bool reported;
};

/* A look: how busy devices are, 0 to 1; NaN: unknown, or none is used. True when the half hour
 * that ends now was below `least` on average, once; its mean in `mean`. */
bool use_see(struct use_watch *watch, double busy, double least, instant now, double *mean);

#endif
