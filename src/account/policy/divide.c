#include "account/policy/divide.h"

#include <limits.h>
#include <stdlib.h>

/* 10^17 in all fits 62 bits with room; each taker gets its share of these digits. */
#define WEIGHT_DIGITS 17

struct quotient divide_share(natural n, uint64_t part, uint64_t whole)
{
    struct quotient out = {0};

    /* Digits of 32 bits, the highest first: the complete product never exists. */
    for (int digit = 3; digit >= 0; digit--) {
        natural d = n >> (32 * digit) & 0xffffffff;
        natural t = ((natural)out.rest << 32) + d * part;

        out.q = (out.q << 32) + t / whole;
        out.rest = (uint64_t)(t % whole);
    }
    return out;
}

static natural magnitude_of_wide(wide n)
{
    return n < 0 ? (natural)0 - (natural)n : (natural)n;
}

static int digits_of(natural n)
{
    int count = 0;

    for (; n > 0; n /= 10)
        count++;
    return count;
}

void takers_weigh(struct taker *takers, size_t count)
{
    int most = INT_MIN, room = WEIGHT_DIGITS - digits_of(count);
    bool any = false;

    /* The place of the first digit of the largest decides which digits count. */
    for (size_t i = 0; i < count; i++)
        if (takers[i].amount.coefficient > 0) {
            int place = digits_of(magnitude_of_wide(takers[i].amount.coefficient)) -
                        takers[i].amount.scale;

            most = place > most ? place : most;
            any = true;
        }
    for (size_t i = 0; i < count; i++) {
        natural n = takers[i].amount.coefficient > 0
                        ? magnitude_of_wide(takers[i].amount.coefficient)
                        : 0;
        int shift = any ? room - most - takers[i].amount.scale : 0;

        for (; n > 0 && shift < 0; shift++)
            n /= 10;
        for (; n > 0 && shift > 0; shift--)
            n *= 10;
        takers[i].weight = (uint64_t)n;
    }
}

static int first_served(const void *a, const void *b)
{
    const struct remainder *x = a, *y = b;
    int by_name;

    if (x->rest != y->rest)
        return x->rest > y->rest ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    by_name = str_cmp(x->name, y->name);
    return by_name != 0 ? by_name : (x->at > y->at) - (x->at < y->at);
}

/* With more decimals, as far as they fit, so that many small amounts do not all go one way. */
static struct decimal finer(struct decimal d)
{
    const natural most = (natural)1 << 123;

    while (d.scale < DIVIDE_DECIMALS && magnitude_of_wide(d.coefficient) < most) {
        d.coefficient *= 10;
        d.scale++;
    }
    return d;
}

void divide_exactly(struct decimal amount, const struct taker *takers, size_t count,
                    struct remainder *order, struct decimal *parts)
{
    struct decimal fine = finer(amount);
    natural left = magnitude_of_wide(fine.coefficient);
    uint64_t whole = 0;

    for (size_t i = 0; i < count; i++)
        whole += takers[i].weight;
    for (size_t i = 0; i < count; i++) {
        struct quotient q =
            divide_share(magnitude_of_wide(fine.coefficient), takers[i].weight, whole);

        order[i] = (struct remainder){q.rest, takers[i].weight, takers[i].name, i};
        parts[i] = (struct decimal){(wide)q.q, fine.scale};
        left -= q.q;
    }
    qsort(order, count, sizeof *order, first_served);
    for (size_t i = 0; i < count && left > 0; i++, left--)
        parts[order[i].at].coefficient++;
    for (size_t i = 0; i < count; i++) {
        if (fine.coefficient < 0)
            parts[i].coefficient = (wide)((natural)0 - (natural)parts[i].coefficient);
        parts[i] = decimal_trim(parts[i], amount.scale);
    }
}
