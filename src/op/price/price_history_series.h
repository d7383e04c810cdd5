/* price_history_series.h - the numbers of one series, for price.history. */
#ifndef OP_PRICE_PRICE_HISTORY_SERIES_H
#define OP_PRICE_PRICE_HISTORY_SERIES_H

#include "market/zones.h"
#include "op/market.h"
#include "op/price/price_history.h"

struct op_context; /* op/context.h */

/* Where to look, and at which days. */
struct history_source {
    const struct store *store;
    stamp until; /* the end of the days */
    stamp last;  /* prices of later moments are not looked at: of a day its last second */
    int64_t days;
};

/* Of a series that never had a price only `never` is set. */
bool history_fill(struct op_context *ctx, const struct history_source *source, size_t series,
                  struct history_series *out, struct error *err) MUST_USE;

/* Warn of prices that were not seen for longer than the settings allow, and of feeds that
 * differ. */
void history_warn(struct op_context *ctx, const struct history_series *rows, size_t count);

#endif
