/* history.h - what one offer cost over time, from each feed.
 *
 * Feeds that differ are shown side by side, never averaged.
 */
#ifndef MARKET_HISTORY_H
#define MARKET_HISTORY_H

#include "market/zones.h"
#include "series/pattern.h"
#include "unit/money.h"

#define HISTORY_COLUMNS 60 /* pieces of the trend */

struct history_query {
    struct strs feeds; /* patterns; none is any */
    int market;        /* -1: spot and on-demand */
    bool zones;        /* every zone of the region, not only the offer's */
    stamp now;
    stamp until; /* the end of the window */
    stamp last;  /* prices after this moment are not used: of a day its last second */
    int64_t days;
};

struct history_slot {
    struct str slot; /* "Mon", "Mon 14h" */
    double ratio;
};

/* A weekly pattern (series/pattern.h). */
struct history_pattern {
    enum pattern_found found;
    int64_t weeks;
    double swing, chance;
    struct str cheapest, most_expensive; /* slots */
    struct rows slots;                   /* struct history_slot; empty unless found */
};

struct history_point {
    stamp at;
    struct money price; /* unknown from when it is gone, and in a gap */
    bool observed;      /* not a gap that begins here */
};

struct history_piece {
    stamp from;
    double price; /* mean; NaN in gaps */
};

/* One market of one offer from one feed. */
struct history_series {
    struct str offer;
    enum market market;
    struct store_feed feed;
    struct money current, min, mean, median, max;
    bool gone; /* at the end of the window; not when it is in a gap */
    stamp since, seen, first;
    stamp from, until;   /* the window */
    double change;       /* over the window */
    double percentile;   /* share of the time at or below the current price */
    double cheaper_than; /* share of the time above it */
    double covered;      /* share of the window that has a price */
    double observed;     /* share of it in which there are data: a price, or known to be gone */
    int64_t changes, unseen_days;
    int64_t jumps;       /* changes of ten times or more, up or down */
    double largest_jump; /* the new price over the old; NaN when there is none */
    stamp jump_at;
    double daily, weekly, weekly_p95, daily_range;
    struct history_pattern weekdays, hours;
    struct strs doubts;
    struct rows trend;  /* struct history_piece */
    struct rows points; /* struct history_point */
    struct rows gaps;   /* struct data_gap: in the window, since the first point */
};

extern const struct field_set history_series_fields;

/* The series of an offer of the view's store, named `name` in errors, as rows of struct
 * history_series; those that never had a price are left out. ERROR_ABSENT when none is left.
 * Warns of prices that were last seen too long ago and of feeds that differ. */
bool history_read(const struct market_view *view, const struct store_offer *offer,
                  struct str name, const struct history_query *query, struct rows *out,
                  struct error *err) MUST_USE;

#endif
