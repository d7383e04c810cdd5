/* history_starts.h - from when on a feed tells what there is, and from when on merely some of
 * it.
 *
 * An offer whose first price is later than a moment was not to be had then, or nobody looked.
 * Nobody looked before the feed's oldest price of that provider; nor when very many of its
 * series begin on one day, as when the history of a few machines is followed by a list of all.
 */
#ifndef OP_PRICE_HISTORY_STARTS_H
#define OP_PRICE_HISTORY_STARTS_H

#include "market/store.h"

struct op_context; /* op/context.h */

struct history_starts {
    stamp *first; /* the oldest price of each feed and provider */
    struct start_day {
        size_t feed;
        int32_t day;
    } * days; /* on which a history starts, by feed and day */
    size_t day_count;
};

bool history_starts(struct op_context *ctx, const struct store *store,
                    struct history_starts *out, struct error *err) MUST_USE;

/* Would the series have had a price at that moment, had there been one? */
bool history_told(const struct history_starts *starts, const struct store_series *series,
                  stamp at);

#endif
