/* data_price.h - what moving bytes between two places takes: shared by all
 * operations on data. */
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

/* What fewer bytes save each time they are moved. */
struct data_savings {
    bytes size;
    double seconds;
    usd cost;
};

extern const struct field_set data_savings_fields;

/* How they are moved. */
struct data_way {
    struct str from, to; /* as op_data_move() has them */
    bytes bandwidth;
};

/* The savings of `after` bytes instead of `before`. */
struct data_savings op_data_savings(const struct op_context *ctx, struct data_way way,
                                    bytes before, bytes after);

/* The provider of a place must be one whose prices of transfer are known, and have the
 * region. */
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
