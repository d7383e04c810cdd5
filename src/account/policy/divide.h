/* divide.h - an amount divided by weights, so that the parts add up to it. */
#ifndef ACCOUNT_POLICY_DIVIDE_H
#define ACCOUNT_POLICY_DIVIDE_H

#include "base/decimal.h"
#include "base/str.h"

/* Someone who takes a part. */
struct taker {
    struct str name;
    struct decimal amount; /* by which the parts go: usage, a weight, or 1 */
    uint64_t weight;       /* the same as a whole number */
};

#define DIVIDE_DECIMALS 9 /* parts have at least so many decimals, where they fit */

/* Whole weights of the amounts, all above zero or not at all; the sum of them fits 62 bits. */
void takers_weigh(struct taker *takers, size_t count);

/* floor(n * part / whole) and the remainder; `whole` is below 2^62 and not below `part`. */
__extension__ typedef unsigned __int128 natural;
struct quotient {
    natural q;
    uint64_t rest;
};
struct quotient divide_share(natural n, uint64_t part, uint64_t whole);

/* What is left over of a taker's part: who comes first gets one of the last digits. */
struct remainder {
    uint64_t rest, weight;
    struct str name;
    size_t at;
};

/* The parts of `amount`, which add up to it exactly. `order` is scratch, and as long as `parts`
 * and `takers`. Not all weights are zero. */
void divide_exactly(struct decimal amount, const struct taker *takers, size_t count,
                    struct remainder *order, struct decimal *parts);

#endif
