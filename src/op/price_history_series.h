/* price_history_series.h - the numbers of one series, for price.history. */
#ifndef OP_PRICE_HISTORY_SERIES_H
#define OP_PRICE_HISTORY_SERIES_H

#include "op/market_view.h"
#include "op/price_history.h"

bool history_fill(struct op_context *ctx, const struct store *store,
                  const struct store_offer *offer, size_t series, stamp until, int64_t days,
                  struct history_series *out, struct error *err) MUST_USE;

/* Warn of prices that were not seen for longer than the settings allow, and of feeds that differ. */
void history_warn(struct op_context *ctx, const struct history_series *rows, size_t count);

#endif
