/* movers.h - what changed most between two periods, and in which dimension.
 *
 * A period is compared with as many days before it (before.h), each dimension by itself.
 * Credits are left out: who got one did not spend less.
 */
#ifndef ACCOUNT_QUERY_MOVERS_H
#define ACCOUNT_QUERY_MOVERS_H

#include "account/query/amount.h"
#include "account/query/before.h"

struct costs_mover {
    struct str dimension; /* NULL: of everything */
    struct str value;
    struct money before, amount, change;
    double percent;
    struct str direction; /* "up", "down", "new" or "gone" */
};

extern const struct field_set costs_mover_fields;

struct costs_movers {
    struct rows movers; /* struct costs_mover, the largest first */
    struct rows totals; /* struct costs_mover without a dimension, one for each currency */
    struct rows credits, credits_before; /* struct money */
    struct costs_compared before;
    struct spending_answer spent; /* what it is made of, without the amounts */
};

/* `query->by`: the dimensions; 0: those that show where money went. Its end moves to the last
 * day that bills cover. `month`: it is one, and compared with the month before. `limit`: the
 * largest so many of each currency; 0: all. */
bool account_movers(const struct account_source *account, struct spending_query *query,
                    bool month, int64_t limit, struct costs_movers *out,
                    struct error *err) MUST_USE;

#endif
