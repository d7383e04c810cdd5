/* price_history.h - what one offer cost over time: the request and the result of
 * price.history. */
#ifndef OP_PRICE_PRICE_HISTORY_H
#define OP_PRICE_PRICE_HISTORY_H

#include "doc/field.h"
#include "series/pattern.h"
#include "unit/money.h"
#include "unit/time.h"

extern const struct op op_price_history;

#define HISTORY_COLUMNS 60 /* pieces of the trend */

struct price_history_request {
    struct str offer, market;
    struct strs feeds;
    int64_t days;
    day until;
    bool zones;
};

/* A weekly pattern; `found` is "yes", "no", "too short" or "once a day". */
struct history_pattern {
    struct str found;
    int64_t weeks;
    double swing, chance;
    struct str cheapest, dearest; /* slots: "Mon", "Mon 14h" */
    struct rows slots;            /* struct history_slot; empty unless found */
};

struct history_slot {
    struct str slot;
    double ratio;
};

struct history_point {
    struct str at;
    struct money price; /* unknown from when it is gone */
};

struct history_piece {
    struct str from;
    double price; /* mean; NaN in gaps */
};

/* One market as one feed tells it. */
struct history_series {
    struct str offer, market, feed, source, confidence;
    struct money current, min, mean, median, max;
    bool gone, never; /* `never` had a price: such a series is not shown */
    struct str since, seen, first;
    struct str from, until; /* the window */
    double change;          /* over the window */
    double percentile;      /* share of the time at or below the current price */
    double cheaper_than;    /* share of the time above it */
    double covered;         /* share of the window that has a price */
    int64_t changes, unseen_days;
    int64_t jumps;       /* changes of ten times or more, up or down */
    double largest_jump; /* the new price over the old; NaN when there is none */
    struct str jump_at;
    double daily, weekly, weekly_p95, daily_range;
    struct history_pattern weekdays, hours;
    struct strs doubts;
    struct rows trend, points;
};

struct price_history_result {
    struct str offer, provider, region, zone, instance, accelerator;
    double count;
    int64_t days;
    struct rows series;
};

#endif
