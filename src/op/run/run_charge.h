/* run_charge.h - from the options about the machine to what a run is charged: shared by
 * `stint run`, `stint watch` and `stint tune`. */
#ifndef OP_RUN_RUN_CHARGE_H
#define OP_RUN_RUN_CHARGE_H

#include "op/run_price.h"
#include "run/cloud/metadata.h"
#include "run/supervise/account.h"

struct op_context; /* op/context.h */

/* RUN_PRICE_OPTIONS (op/run_price.h), and --plan and --electricity. */
#define RUN_MACHINE_OPTIONS(record, plan_help) \
    RUN_PRICE_OPTIONS(record), \
        FIELD(TEXT, record, plan, .value = "FILE", .help = (plan_help)), \
        FIELD(PER_KWH, record, electricity, .value = "PRICE", \
              .help = "price of electricity, for your own machine")

/* The price by these options, and the cloud of this machine. Only where a cloud is recognized,
 * and nothing was given of the price, is it asked what machine it is. `must`: an unknown price
 * is an error, since there is a budget. */
bool run_charge_find(struct op_context *ctx, const struct run_price_request *given, bool must,
                     struct run_price *price, struct plan_prediction *predicted,
                     enum cloud *cloud, struct error *err) MUST_USE;

/* What is charged at that price, with `extra` on top (unknown: nothing). */
struct run_charge run_charge_of(const struct run_price *price,
                                const struct plan_prediction *predicted, usd extra);

#endif
