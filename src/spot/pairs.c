#include "spot/pairs.h"

#include <math.h>
#include <stdbool.h>

#define SAME_USD 1e-10 /* what sums in another order may differ by */

/* One list alone: all its pairs belong, but for sums that have become the same. */
static size_t add_rest(const struct source *from, size_t at, struct pair *out, size_t len)
{
    double least = len > 0 ? out[len - 1].usd : INFINITY;

    for (; at < from->list.len; at++) {
        struct pair p = from->list.at[at];

        p.waste += from->waste;
        p.usd += from->usd;
        if (p.usd < least - SAME_USD) {
            out[len++] = p;
            least = p.usd;
        }
    }
    return len;
}

size_t pairs_merge(const struct source *a, const struct source *b, struct pair *out)
{
    const struct pair *of_a = a->list.at, *of_b = b->list.at;
    size_t i = 0, j = 0, len = 0;
    double least = INFINITY;

    while (i < a->list.len && j < b->list.len) {
        double first = of_a[i].waste + a->waste, second = of_b[j].waste + b->waste;
        bool takes_a = first <= second;
        double usd = takes_a ? of_a[i].usd + a->usd : of_b[j].usd + b->usd;

        /* Most pairs of two lists are worse than one of the other: those are only read. */
        if (usd < least - SAME_USD) {
            out[len++] = (struct pair){takes_a ? first : second, usd,
                                       takes_a ? of_a[i].from : of_b[j].from};
            least = usd;
        }
        i += takes_a;
        j += !takes_a;
    }
    return i < a->list.len ? add_rest(a, i, out, len) : add_rest(b, j, out, len);
}

size_t pairs_thin(struct pair *at, size_t len, size_t ranges, double price)
{
    size_t kept = 0, range = SIZE_MAX;
    double first, width;

    if (len <= ranges)
        return len;
    first = at[0].waste;
    width = (at[len - 1].waste - first) / (double)ranges;
    for (size_t i = 0; i < len; i++) {
        size_t in = (size_t)((at[i].waste - first) / width);

        if (in == range &&
            at[i].usd + price * at[i].waste >= at[kept - 1].usd + price * at[kept - 1].waste)
            continue;
        kept += in != range;
        at[kept - 1] = at[i];
        range = in;
    }
    return kept;
}
