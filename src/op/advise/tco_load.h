/* tco_load.h - the load that owned machines would carry, and the cheapest way to carry it. */
#ifndef OP_ADVISE_TCO_LOAD_H
#define OP_ADVISE_TCO_LOAD_H

#include "op/advise/tco.h"

struct op_context; /* op/context.h */

/* The cheapest prices of the market, in dollars for a GPU-hour. */
struct tco_prices {
    double on_demand, spot;
    double reserved; /* the cheapest of all terms */
    int64_t reserved_gpus;
};

/* Read what --load names and fill in `res->load`, by the machine and the cost in `res`. */
bool tco_carry_load(struct op_context *ctx, const struct tco_request *req,
                    const struct accelerator *gpu, const struct tco_prices *prices,
                    struct tco_result *res, struct error *err) MUST_USE;

#endif
