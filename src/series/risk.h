/* risk.h - how much a series moves, and how often what it prices is lost. */
#ifndef SERIES_RISK_H
#define SERIES_RISK_H

#include "series/series.h"

/* How much it moves. Values are looked at once a day, at the hour at which the window ends; of
 * a series that shows hours (series/pattern.h) they are the means of the days, lest the hour
 * decide. NaN when there are too few. */
struct volatility {
    double daily;      /* standard deviation of the logarithms of daily changes */
    double weekly;     /* mean size of a change over a week, as a share */
    double weekly_p95; /* 95 of 100 are no larger */
    double range;      /* within a day: the mean of highest over lowest, less 1; NaN unless
                                the series shows hours */
    size_t days, week_pairs; /* pairs of values that these rest on */
};

/* False when memory runs out. */
bool series_volatility(struct points points, struct window window, struct volatility *out,
                       struct arena *arena, struct error *err) MUST_USE;

/* Losses: it vanished, or rose to what `limit` says at that moment (on-demand). One that is
 * lost cannot be lost again until it is back below. Without a limit (no points, or none yet)
 * only vanishing counts. In a gap nothing is counted, and what differs after it is no loss:
 * when it happened is not known. A gap in the limit keeps the limit before it. */
struct losses {
    size_t events;
    double exposed_h; /* hours during which it could have been lost */
    double known_h;   /* hours from the first point on, without gaps */
    double span_h;    /* the same with them */
};

struct losses series_losses(struct points points, struct points limit, struct window window);

/* A rate of `events` in so much time, as it is likely to be: Jeffreys' prior, which has half an
 * event before any is seen, so that none in a short time does not mean never. NaN without
 * any time. */
struct rate {
    double mean, low, high; /* low to high: the middle share of the chance */
};

struct rate rate_of(size_t events, double exposed, double share);

/* The x below which a gamma variable of this shape (scale 1) lies with chance `share`. */
double gamma_quantile(double shape, double share);

#endif
