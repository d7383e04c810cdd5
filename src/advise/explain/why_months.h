/* why_months.h - why a month cost more or less than another.
 *
 * The same difference in two ways, each exact: by cause, from quantities and prices (usage.h),
 * and by the values of each dimension, from what was spent.
 */
#ifndef ADVISE_WHY_MONTHS_H
#define ADVISE_WHY_MONTHS_H

#include "account/costs/usage.h"
#include "advise/explain/why.h"

/* What is known of two months, all in one currency. */
struct why_months {
    struct currency currency;
    const struct spending_answer *spent[USAGE_PERIODS]; /* by the dimensions of `by` */
    struct decimal recorded[USAGE_PERIODS];             /* the same without recurring costs */
    struct usage usage;
    uint64_t by; /* bits of enum dimension */
};

/* A value of a dimension: the changes of all values of it add up to the difference. */
struct why_group {
    struct str dimension, value; /* value: NULL: it has none */
    struct money before, amount, change;
};

extern const struct field_set why_group_fields;

/* `groups`: struct why_group, by dimension, the largest change first; those that did not change
 * are left out. */
bool why_explain_months(const struct why_months *months, struct arena *arena,
                        struct why_explained *out, struct rows *groups,
                        struct error *err) MUST_USE;

#endif
