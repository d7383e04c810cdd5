/* repeats.h - runs of a configuration that had been run already, and what that cost. */
#ifndef ACCOUNT_COSTS_REPEATS_H
#define ACCOUNT_COSTS_REPEATS_H

#include "account/account.h"
#include "doc/field.h"
#include "unit/money.h"

/* A configuration. */
struct costs_repeat {
    struct str name, command, digest;
    stamp first, last;            /* when the first and the newest run began */
    struct str first_id, last_id; /* short */
    int64_t runs, again;          /* of them begun when one had ended well already */
    usd cost, repeated;           /* of all, of those; unknown when one is */
    int64_t unpriced;
};

extern const struct field_set costs_repeat_fields;

struct repeat_costs {
    struct rows repeats; /* struct costs_repeat, the most expensive first */
    int64_t configurations, again;
    usd repeated;
    int64_t unpriced;
};

/* Repeated from `since` to the day before `until`. `limit`: the most expensive so many; 0:
 * all. */
bool account_repeats(const struct account_source *account, day since, day until, int64_t limit,
                     struct repeat_costs *out, struct error *err) MUST_USE;

#endif
