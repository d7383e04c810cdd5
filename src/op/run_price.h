/* run_price.h - the price of a run's machine, for commands: market/run_price.h asked in order,
 * with what it needs read, and given back before the answer is: only the answer's own texts
 * stay, in the arena of the caller's context.
 */
#ifndef OP_RUN_PRICE_H
#define OP_RUN_PRICE_H

#include "market/run_price.h"
#include "plan/features.h"

struct op_context; /* op/context.h */

/* --price and --offer: the members of a request with these names. */
#define RUN_PRICE_OPTIONS(record) \
    FIELD(RATE, record, price, .value = "PRICE", .help = "price of the machine: 2.49usd/hr"), \
        FIELD(TEXT, record, offer, .value = "OFFER", \
              .help = "offer of the machine: provider/region/instance:market")

/* Find it. Notes what was chosen and what may be wrong: several offers, an old price.
 * An unknown price is no failure; a name, a plan or a price that is wrong is. `predicted`: what
 * the saved plan says, or the job that is given; NULL: not wanted. */
bool run_price_find(struct op_context *ctx, const struct run_price_request *request,
                    struct run_price *out, struct plan_prediction *predicted,
                    struct error *err) MUST_USE;

#endif
