/* observed.h - what an observation covers: the one definition of a day without data.
 *
 * A price is observed on days. Between two observations that are near enough it is known: it is
 * that of the first. Farther apart is a gap: from the end of the first day up to the next
 * observation the price is SERIES_UNKNOWN, and it counts in no mean, exposure, risk, pattern or
 * drift. Near enough depends on how often there usually are observations.
 */
#ifndef SERIES_OBSERVED_H
#define SERIES_OBSERVED_H

#include "series/series.h"

/* From the first day to the last, both included. */
struct day_run {
    int32_t first, last;
};

/* In order, with at least one day between two of them. */
struct day_runs {
    const struct day_run *at;
    size_t len;
};

/* A weekend is no gap; more than a week always is. */
enum { OBSERVED_LEAST_DAYS = 3, OBSERVED_MOST_DAYS = 7 };

/* How many days apart two observations may be for the price to be known in between: twice the
 * median step from one observed day to the next, from OBSERVED_LEAST_DAYS to
 * OBSERVED_MOST_DAYS. */
int32_t observed_reach(struct day_runs days);

/* Days since 1970, up to 2079: later ones count as the last. */
#define DAY_SET_LAST 40000

struct day_set {
    unsigned char bits[DAY_SET_LAST / 8 + 1];
};

void day_set_add(struct day_set *set, int32_t n);

/* The days that a log of changes covers, which was collected. `set` has those on which
 * anything in it changed. Such a log is silent when nothing changes, and while it is not read:
 * a silence is a gap when it is longer than OBSERVED_MOST_DAYS, or than four times the median
 * step where that is more and rests on OBSERVED_LOG_DAYS days. */
#define OBSERVED_LOG_DAYS 15
bool observed_log_days(const struct day_set *set, struct arena *arena, struct day_runs *out,
                       struct error *err) MUST_USE;

/* The same points with the gaps as SERIES_UNKNOWN: from the end of the last observed day to the
 * first point of the next one, or to its start when nothing changed. `days` has those of all
 * points. */
bool observed_points(struct points points, struct day_runs days, struct arena *arena,
                     struct points *out, struct error *err) MUST_USE;

#endif
