/* series.h - statistics on values that hold until they change: prices over time.
 *
 * Pure. A series is change points, oldest first; a value holds from its moment until the next
 * one. SERIES_NONE is a stretch that is known to have no value (an offer that was gone);
 * SERIES_UNKNOWN is one that was not observed (series/observed.h finds them). Before the first
 * point there is no value either. Shares and means are weighted by time, over the stretches
 * that have a value.
 */
#ifndef SERIES_SERIES_H
#define SERIES_SERIES_H

#include "base/arena.h"
#include "base/clock.h"

#define SERIES_NONE INT64_MIN
#define SERIES_UNKNOWN (INT64_MIN + 1)

/* Is it a value, neither none nor unknown? */
static inline bool series_has(int64_t value)
{
    return value > SERIES_UNKNOWN;
}

struct point {
    stamp at;
    int64_t value;
};

struct points {
    const struct point *at; /* oldest first, no two at the same moment */
    size_t len;
};

/* From `from` up to, not including, `to`. Empty when it ends before it starts. */
struct window {
    stamp from, to;
};

/* One value and how long it held within a window. */
struct stretch {
    stamp from, to;
    int64_t value;
};

/* Go through a window, stretch by stretch: those before the first point and those that are gone
 * have SERIES_NONE, gaps SERIES_UNKNOWN. Set `next` to series_start() first; false at the
 * end. */
size_t series_start(struct points points, struct window window);
bool series_next(struct points points, struct window window, size_t *next, stamp *at,
                 struct stretch *out);

/* What held at that moment. */
int64_t series_at(struct points points, stamp at);

struct series_stats {
    int64_t first, last; /* at the window's two ends */
    int64_t min, max;    /* the ends included; SERIES_NONE when there is no value at all */
    double mean;         /* NaN likewise */
    double share;        /* of the window's time that has a value; NaN when it is empty */
    double observed;     /* likewise, that has a value or is known to have none */
};

struct series_stats series_stats(struct points points, struct window window);

/* Values closer than this share are the same: logs keep six digits, so less is rounding. */
#define SERIES_SAME 1e-4

bool series_same(int64_t a, int64_t b); /* SERIES_NONE is the same as itself only */

/* How often the value changed, from the window's start up to and including its end. */
struct series_moves {
    size_t changes; /* to another value, to none or back; where the series begins is none, and
                       neither is what was the same before and after a gap */
    size_t jumps; /* of these ten times or more, up or down; over a stretch without value too */
    double largest; /* jump: the new value over the old; NaN when there is none */
    stamp at;       /* when that was */
};

struct series_moves series_moves(struct points points, struct window window);

/* How much of the time with a value it was below, at most at, and above `value`; NaN without
 * such time. */
struct series_rank {
    double below, at_most, above;
};

struct series_rank series_rank(struct points points, struct window window, int64_t value);

/* For each of the shares `q` (0 to 1) the smallest value that held, with the smaller ones, for
 * at least that share of the time; SERIES_NONE without any. False when memory runs out. */
bool series_quantiles(struct points points, struct window window, const double *q, size_t count,
                      int64_t *out, struct arena *arena, struct error *err) MUST_USE;

/* Cut the window into `count` equal pieces: the mean of each; NaN where there is no value. */
void series_resample(struct points points, struct window window, size_t count, double *out);

#endif
