/* data_price.h - what moving bytes between two places takes: shared by data.diff and
 * data.sync. */
#ifndef OP_DATA_DATA_PRICE_H
#define OP_DATA_DATA_PRICE_H

#include "doc/field.h"
#include "unit/money.h"
#include "unit/size.h"

struct op_context; /* op/context.h */

/* What the bytes of one direction take. */
struct data_move {
    bytes size;
    double seconds;
    usd cost;
};

extern const struct field_set data_move_fields;

/* The provider of a place must be one whose prices of transfer are known, and have the region. */
bool op_data_check_place(struct op_context *ctx, struct str place, struct error *err) MUST_USE;

/* `from` and `to` are "provider/region"; empty: a machine of one's own. */
struct data_move op_data_move(const struct op_context *ctx, bytes size, struct str from,
                              struct str to, bytes bandwidth);

/* Note what the cloud that is left gives free: it is of a month and an account, and other
 * transfers may have used it up. */
void op_data_note_free(struct op_context *ctx, struct str from, struct str to, bytes size);

/* Requests of a store: nothing from a provider without a name; unknown where its prices are. */
usd op_data_requests(const struct op_context *ctx, struct str place, int64_t puts,
                     int64_t gets);

#endif
