/* diff.h - which prices changed between two moments.
 *
 * An offer whose first price is later than the first moment was not for rent then, or was not
 * observed: it was not observed before its feed's oldest price of that provider, nor when very
 * many of the feed's series begin on the same day, as when the history of a few machines is
 * followed by a list of all. A moment in a gap of the data (series/observed.h) is not compared
 * with: nothing is known of it.
 */
#ifndef MARKET_DIFF_H
#define MARKET_DIFF_H

#include "market/zones.h"
#include "unit/money.h"

enum diff_sort {
    DIFF_BY_CHANGE, /* the largest first; what appeared or is gone last */
    DIFF_BY_PRICE,
    DIFF_BY_NAME,
};

struct diff_query {
    struct zone_query filter;
    stamp from, to;
    int market;        /* -1: any */
    double min_change; /* a share */
    enum diff_sort sort;
    size_t limit; /* of rows */
};

enum price_change_kind {
    PRICE_CHANGED,
    PRICE_APPEARED,
    PRICE_GONE,
};
extern const char *const price_change_names[]; /* ends with NULL */

struct price_change {
    enum price_change_kind kind;
    struct str offer;
    enum market market;
    struct str feed, accelerator;
    double count;
    struct money before, after; /* unknown when there was none */
    double change;              /* a share; NaN unless both are known */
    bool jump;                  /* ten times or more, from end to end or at once in between */
};

extern const struct field_set price_change_fields;

struct price_diff {
    int64_t compared;       /* prices observed at both moments, and seen after the first */
    int64_t changed;        /* of them, by at least the smallest change asked for */
    int64_t up, down;       /* of these */
    double median;          /* of these, a share; NaN when there are none */
    int64_t appeared, gone; /* priced at one moment only */
    int64_t unknown;    /* priced now, but their feed was not observed at the first moment */
    int64_t unseen;     /* priced at the first moment, and not seen since */
    int64_t unobserved; /* in a gap of the data at one of the moments */
    struct rows gaps;   /* struct data_gap: days that all of those have in common, around the
                           first moment and around the second */
    int64_t jumped; /* with a change of ten times or more at once, changed in the end or not */
    bool several_feeds;
    struct rows changes; /* struct price_change */
};

/* The last second of a day as its midnight, which is shown as the day; others as they are. */
stamp day_end_as_day(stamp at);

/* Compare the prices of the view's store. Needs TABLE_ACCELERATORS. Warns of feeds that were
 * last read before the second moment. */
bool price_diff(const struct market_view *view, const struct diff_query *query,
                struct price_diff *out, struct error *err) MUST_USE;

/* A moment to compare: a day means its end, since prices are read during it; at most now.
 * "2026-08-01", "yesterday", "7d". */
bool diff_moment_parse(stamp now, struct str text, stamp *out, struct error *err) MUST_USE;

#endif
