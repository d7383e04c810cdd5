/* storage_price.h - what keeping a GB for a month costs, as given or as the catalog has it. */
#ifndef OP_STORAGE_PRICE_H
#define OP_STORAGE_PRICE_H

#include "base/str.h"
#include "unit/money.h"

struct op_context;

/* A price that is known stays, and its source is "as given". Otherwise that of the provider's
 * tier: the one named, the first configured, or the catalog's first. It stays unknown when
 * there is none. */
bool op_storage_price(struct op_context *ctx, struct str provider, const char *tier,
                      usd_per_gb *price, struct str *source, struct error *err) MUST_USE;

#endif
