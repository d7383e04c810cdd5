/* before.h - what a period is compared with: as many days of the period before.
 *
 * A period that bills have not reached the end of ends where they do, and is compared with the
 * same days of the one before: of the month before when it is a month, else of as many days
 * before.
 */
#ifndef ACCOUNT_QUERY_BEFORE_H
#define ACCOUNT_QUERY_BEFORE_H

#include "account/query/spending.h"
#include "doc/field.h"

struct costs_days {
    day until, asked;               /* the first day after it; as it was asked for, to today */
    day before_since, before_until; /* as many days of the period before */
    bool known;                     /* something is recorded of those */
    bool lacking;                   /* no bill covers any day of the period yet */
};

bool account_days_before(const struct account_source *account,
                         const struct spending_query *query, bool month, struct costs_days *out,
                         struct error *err) MUST_USE;

/* The same for a result. */
struct costs_compared {
    day since, until;   /* the days before: first and last; DAY_UNKNOWN: nothing is compared */
    bool known;         /* something is recorded of them */
    bool lacking;       /* no bill covers any of the days that were asked for */
    day left_out_since; /* the first day that no bill covers; DAY_UNKNOWN: none is left out */
};

extern const struct field_set costs_compared_fields;

struct costs_compared costs_compared_of(const struct costs_days *days);

#endif
