/* pattern.h - does a series repeat with the hours of the week, and how? */
#ifndef SERIES_PATTERN_H
#define SERIES_PATTERN_H

#include "series/series.h"

#define WEEK_DAYS 7
#define WEEK_HOURS 168

enum pattern_found {
    PATTERN_TOO_SHORT,  /* fewer weeks of values than are needed */
    PATTERN_TOO_COARSE, /* changes are seen once a day: hours cannot show */
    PATTERN_NONE,       /* what there is is no more than chance gives */
    PATTERN_REAL,
};

/* Means over weeks, as ratios to the mean of the week around each moment, so that a trend does
 * not look like a pattern. Slot 0 starts on Monday 00:00 UTC. */
struct pattern {
    enum pattern_found found;
    size_t slots;               /* WEEK_DAYS or WEEK_HOURS */
    size_t weeks;               /* that it rests on */
    double ratio[WEEK_HOURS];   /* NaN in slots without a value */
    double swing;               /* costliest over cheapest slot, less 1 */
    double chance;              /* how often weeks turned at random show as much */
    size_t cheapest, costliest; /* slots */
};

/* `slots` is WEEK_DAYS (needs five weeks) or WEEK_HOURS (three, and changes seen at many hours
 * of the day). Moments are after 1970-01-05. False when memory runs out. */
bool series_pattern(struct points points, struct window window, size_t slots,
                    struct pattern *out, struct arena *arena, struct error *err) MUST_USE;

/* Are one in ten of the window's changes at another hour of the day than most? */
bool series_shows_hours(struct points points, struct window window);

#endif
