/* focus.h - bills, runs and recurring costs as rows of FOCUS, and what was changed so that they
 * follow its rules. */
#ifndef ACCOUNT_EXPORT_FOCUS_H
#define ACCOUNT_EXPORT_FOCUS_H

#include "account/query/spending.h"
#include "bill/focus/focus_write.h"

struct focus_question {
    day since, until;        /* the first day, and the first day after; DAY_UNKNOWN: any */
    enum spending_from from; /* SPENDING_ALL: also recurring costs */
    int minor;               /* version of FOCUS: 2 is 1.2, 4 is 1.4 */
};

/* Where rows go: `flush` is called after each, and may empty the text. */
struct focus_sink {
    struct buf *text;
    bool (*flush)(void *ctx, struct error *err);
    void *ctx;
};

/* How rows were made to follow the rules. */
struct focus_change {
    int64_t rows;
    struct str what;
};

struct focus_export {
    int64_t rows, bill_rows, run_rows, recurring_rows;
    struct rows changes; /* struct focus_change */
    struct strs billed;  /* the sum of each currency: "12.5 USD" */
    int64_t unpriced;    /* runs */
};

extern const struct field_set focus_export_fields;

/* Columns beyond those of FOCUS. */
#define FOCUS_EXTRAS 5
extern const struct focus_extra focus_extras[FOCUS_EXTRAS];

bool account_export_focus(const struct account_source *account,
                          const struct focus_question *question, const struct focus_sink *sink,
                          struct focus_export *out, struct error *err) MUST_USE;

#endif
