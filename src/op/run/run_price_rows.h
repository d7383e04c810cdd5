/* run_price_rows.h - every machine with a price, as one list: rented with and without
 * accelerators, under the desk, owned in a rack. */
#ifndef OP_RUN_RUN_PRICE_ROWS_H
#define OP_RUN_RUN_PRICE_ROWS_H

#include "op/market.h"
#include "op/op.h"

struct price_row {
    struct str provider, region, instance, accelerator; /* the last empty: it has none */
    int64_t count;
    usd_per_hour on_demand, spot;
    const struct fact *fact; /* of the on-demand price */
    day spot_date;
    struct str spot_source;
    struct str conflict;
    const struct exchange *rate; /* that it was converted with; NULL: none */
    char foreign[4];             /* the currency that has no rate; empty: none */
    bool local;                  /* costs its electricity, and nothing else */
};

/* Load what price_row_at() needs. */
bool price_rows_load(struct op_context *ctx, struct error *err) MUST_USE;

/* Row number `i`: false behind the last. `out->instance` is empty for a row that is no offer
 * any more. */
bool price_row_at(const struct op_context *ctx, size_t i, struct price_row *out);

/* Its price in a market; unknown in those that no row tells. */
usd_per_hour price_row_price(const struct price_row *row, enum market market);

#endif
