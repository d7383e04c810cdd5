/* doctor.h - the health of the price store: what each feed has reported, what looks wrong, and
 * what to run about it.
 */
#ifndef MARKET_DOCTOR_H
#define MARKET_DOCTOR_H

#include "market/zones.h"

struct doctor_options {
    size_t examples; /* at most so many of each finding */
    stamp now;
    struct str file;    /* of the store */
    struct str catalog; /* the user's catalog folder */
};

/* What one feed has of one provider. */
struct doctor_feed {
    struct store_feed feed;
    int64_t age_days; /* of its newest quotes */
    int64_t offers, series, gone, points;
    double usual_days; /* between days on which a price changed; NaN when there are too few */
    bool stale;
};

/* Worst first. */
enum doctor_kind {
    DOCTOR_EMPTY,
    DOCTOR_DAMAGED,
    DOCTOR_STALE,
    DOCTOR_FUTURE,
    DOCTOR_CONFLICT,
    DOCTOR_DOUBT,
    DOCTOR_OUTLIER,
    DOCTOR_JUMP,
    DOCTOR_COMPUTED,
    DOCTOR_BY_HAND,
    DOCTOR_GAP,
    DOCTOR_UNKNOWN,
};

/* Something that is not as it should be, and what to run about it. */
struct doctor_finding {
    enum doctor_kind kind;
    struct str text, run;
    int64_t count;
    struct strs examples;
};

struct doctor_report {
    int64_t offers, series, points, damaged;
    day built_in;         /* date of the newest built-in price, */
    day built_in_usual;   /* and the one that most are from */
    struct rows feeds;    /* struct doctor_feed */
    struct rows findings; /* struct doctor_finding, worst first */
};

extern const struct field_set doctor_feed_fields, doctor_finding_fields;

/* Examine the store of the view. Needs TABLE_ACCELERATORS and TABLE_OFFERS. Damaged series are
 * counted and left out. */
bool doctor_check(const struct market_view *view, const struct doctor_options *options,
                  struct doctor_report *out, struct error *err) MUST_USE;

#endif
