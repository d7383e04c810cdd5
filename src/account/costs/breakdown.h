/* breakdown.h - where the money went: amounts by any dimension and period, with their
 * totals. */
#ifndef ACCOUNT_COSTS_BREAKDOWN_H
#define ACCOUNT_COSTS_BREAKDOWN_H

#include "account/query/before.h"
#include "account/query/groups.h"

struct costs_question {
    struct costs_by by;
    struct spending_query query; /* grain and dimensions are those of `by` */
    enum costs_sort sort;        /* SORT_CHANGE: compared with the days before */
    bool month;                  /* it is one, and compared with the month before */
    int64_t limit;               /* groups of each currency; the others become one. 0: all */
};

/* A group in a period, or over all of the time. */
struct costs_row {
    struct str period;
    struct str value[COSTS_BY_MAX]; /* of the dimensions; NULL: it has none */
    struct money amount, metered;
    struct money before, change; /* the group in the days before; only when it was asked for */
    double share;                /* of what was used in its currency; NaN: it is a credit */
    int64_t lines, runs;
    int64_t others; /* groups that it sums up; 0 when it is one */
    day from;       /* of the period */
    size_t group;   /* rows of the same group have the same, and follow each other */
};

struct costs_total {
    struct money amount, metered, before, change;
    struct decimal used; /* amounts above zero, by which shares are computed */
    int64_t groups, lines;
};

extern const struct field_set costs_total_fields;

struct cost_breakdown {
    struct table_rows rows; /* struct costs_row */
    struct rows totals;     /* struct costs_total, one for each currency */
    bool compared;          /* with the days before */
    struct costs_compared before;
    struct spending_answer spent; /* the amounts that it is made of */
};

/* A comparison moves the end of the question's query to the last day that bills cover. */
bool account_breakdown(const struct account_source *account, struct costs_question *question,
                       struct cost_breakdown *out, struct error *err) MUST_USE;

#endif
