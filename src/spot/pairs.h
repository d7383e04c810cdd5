/* pairs.h - lists of pairs of waste and cost of which none is worse in both. */
#ifndef SPOT_PAIRS_H
#define SPOT_PAIRS_H

#include <stddef.h>
#include <stdint.h>

/* One way to get somewhere. */
struct pair {
    double waste, usd;
    uint32_t from; /* in the past, when a plan is wanted */
};

/* In rising order of waste and falling order of cost. */
struct list {
    const struct pair *at;
    size_t len;
};

/* A list, and what is to be added to each of its pairs. */
struct source {
    struct list list;
    double waste, usd;
};

/* The pairs of both of which none is worse in both. `out` has room for all and is neither of
 * them. Returns how many there are. */
size_t pairs_merge(const struct source *a, const struct source *b, struct pair *out);

/* Keep one pair in each of `ranges` equal ranges of waste: the one of the least cost when waste
 * has this price. Returns how many are left. */
size_t pairs_thin(struct pair *at, size_t len, size_t ranges, double price);

#endif
