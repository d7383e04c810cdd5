/* costs_moved.h - what the values of one dimension came to, before and now. */
#ifndef OP_ACCOUNT_COSTS_MOVED_H
#define OP_ACCOUNT_COSTS_MOVED_H

#include "op/account/costs.h"

struct moved {
    struct str value;
    char currency[4];
    struct decimal before, amount, change;
};

/* By value and currency. Starts as {.arena = ...}, which holds its texts, too. */
struct moved_table {
    struct arena *arena;
    struct moved *at;
    uint32_t *slots; /* of a hash of the key: the row's number and 1; 0: free */
    size_t count, room;
};

/* Add an amount, of the days before or of those that were asked for. */
bool moved_put(struct moved_table *t, struct str value, const struct spending *s, bool before,
               struct error *err) MUST_USE;

/* Find the changes; by currency, then the largest first, up or down. Nothing can be put after
 * it. */
bool moved_sort(struct moved_table *t, struct error *err) MUST_USE;

#endif
