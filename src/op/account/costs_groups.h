/* costs_groups.h - amounts by group: what they come to over all periods, sorted, the small ones
 * summed up.
 */
#ifndef OP_ACCOUNT_COSTS_GROUPS_H
#define OP_ACCOUNT_COSTS_GROUPS_H

#include "op/account/costs.h"

enum costs_sort {
    SORT_COST,   /* the most first */
    SORT_NAME,   /* as the dimensions were asked for */
    SORT_CHANGE, /* against the days before, the largest first, up or down */
};

struct costs_group {
    struct dimensions of;
    char currency[4];
    const struct spending *cells; /* by period */
    size_t cell_count;
    struct decimal amount, metered, before, change;
    int64_t lines;
    size_t others; /* groups that it sums up; 0: it is one */
};

struct costs_groups {
    struct arena *arena;
    const struct costs_by *by;
    struct costs_group *at; /* by currency, then as they are sorted */
    size_t count;
};

/* `before`: of the days before, without periods; NULL when nothing is compared. */
bool costs_groups_make(const struct spending_answer *now, const struct spending_answer *before,
                       struct costs_groups *out, struct error *err) MUST_USE;

void costs_groups_sort(struct costs_groups *groups, enum costs_sort sort);

/* Of each currency the first `limit`; the others become one. 0: all. */
bool costs_groups_limit(struct costs_groups *groups, int64_t limit, struct error *err) MUST_USE;

#endif
