#include "run/supervise/alert_events.h"

#include <math.h>
#include <string.h>

#include "run/supervise/guard.h"

#define HALF_HOUR (INT64_C(1800) * 1000000000)
#define KNOWN_LEAST 0.5 /* of the half hour must be known */

unsigned alert_on_parse(struct str name)
{
    static const struct {
        const char *name;
        unsigned group;
    } groups[] = {{"idle", ALERT_ON_IDLE},     {"utilization", ALERT_ON_UTILIZATION},
                  {"cost", ALERT_ON_COST},     {"stop", ALERT_ON_STOP},
                  {"notice", ALERT_ON_NOTICE}, {"all", ALERT_ON_ALL}};

    for (size_t i = 0; i < ARRAY_LEN(groups); i++)
        if (str_eq(name, str_from(groups[i].name)))
            return groups[i].group;
    return 0;
}

unsigned alert_on_event(const char *event)
{
    static const struct {
        const char *begins;
        unsigned group;
    } events[] = {{"idle", ALERT_ON_IDLE},        {"low-", ALERT_ON_UTILIZATION},
                  {"budget", ALERT_ON_COST},      {"month", ALERT_ON_COST},
                  {"deadline", ALERT_ON_STOP},    {"early-stop", ALERT_ON_STOP},
                  {"divergence", ALERT_ON_STOP},  {"command-failed", ALERT_ON_STOP},
                  {"notice", ALERT_ON_NOTICE},    {"taken", ALERT_ON_NOTICE},
                  {"rebalance", ALERT_ON_NOTICE}, {"maintenance", ALERT_ON_NOTICE},
                  {"trouble", ALERT_ON_NOTICE}};

    if (strcmp(event, "early-stop-near") == 0)
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(events); i++)
        if (strncmp(event, events[i].begins, strlen(events[i].begins)) == 0)
            return events[i].group;
    return 0;
}

bool use_see(struct use_watch *watch, double busy, double least, instant now, double *mean)
{
    double passed = watch->since.ns == 0 ? 0 : (double)(now.ns - watch->last.ns) / 1e9;
    bool low;

    if (watch->since.ns == 0)
        watch->since = now;
    watch->last = now;
    if (!isnan(busy) && passed > 0) {
        watch->sum += busy * passed;
        watch->seconds += passed;
    }
    if (now.ns - watch->since.ns < HALF_HOUR)
        return false;
    *mean = watch->seconds > 0 ? watch->sum / watch->seconds : NAN;
    low = !watch->reported && *mean < least && watch->seconds * 1e9 >= KNOWN_LEAST * HALF_HOUR;
    *watch = (struct use_watch){.since = now, .last = now, .reported = watch->reported || low};
    return low;
}
