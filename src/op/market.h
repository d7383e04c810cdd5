/* market.h - machines and prices for operations: what src/market needs of a context.
 *
 * op.h has the price store itself (op_store) and the catalog's tables (op_catalog).
 */
#ifndef OP_MARKET_H
#define OP_MARKET_H

#include "market/select.h"

struct op_context; /* op/context.h */

/* The facts that the context has loaded so far, and the user's settings. */
struct market_view op_market(const struct op_context *ctx);

/* market_select(), with the tables that it needs loaded and the store's prices among them. */
bool op_machines(struct op_context *ctx, const struct machine_query *query,
                 struct machine **out, size_t *count, struct error *err) MUST_USE;

/* The patterns of --region with continents and countries as their regions (market/areas.h). */
bool op_regions(struct op_context *ctx, struct strs patterns, struct strs *out,
                struct error *err) MUST_USE;

/* What the user can get (OFFER=MACHINES): the setting, then the option. ERROR_USAGE for one
 * that is wrong. */
bool op_supply(struct op_context *ctx, struct strs option, struct strs *out,
               struct error *err) MUST_USE;

/* The price store, and these tables, for the functions of market/zones.h. An empty store is
 * replaced by the built-in prices, which is noted. */
bool op_zones(struct op_context *ctx, uint64_t tables, struct market_view *out,
              struct error *err) MUST_USE;

/* op_market() with the store that op_zones() chose. */
struct market_view op_zone_market(const struct op_context *ctx);

/* What single offers of the store are judged by (market/trust.h), with the tables that it needs
 * loaded. */
struct truster;
bool op_truster(struct op_context *ctx, struct truster **out, struct error *err) MUST_USE;

/* Providers and regions asked for: each pattern must match something in the store, which is
 * open, or in the catalog. They become the providers to show (market_providers()), and the
 * regions with those of areas (op_regions()). */
bool op_places(struct op_context *ctx, struct strs *providers, struct strs *regions,
               struct error *err) MUST_USE;

/* price_age_add() and price_age_warn() by the context's clock and settings. */
void op_price_age(const struct op_context *ctx, day date, struct price_age *age);
void op_price_age_warn(const struct op_context *ctx, const struct price_age *age);

#endif
