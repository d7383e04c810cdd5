#include "op/run/run_charge.h"
#include "op/context.h"

#include <math.h>

#include "base/fs.h"

static bool is_price_given(const struct run_price_request *given)
{
    return given->price.nano != MONEY_UNKNOWN || given->offer.len > 0 || given->plan.len > 0 ||
           given->electricity.nano != MONEY_UNKNOWN;
}

/* Bills name a machine by its id. Some clouds give it without being asked. */
static struct str known_id(struct op_context *ctx, const struct cloud_facts *facts)
{
    struct error ignored;

    return str_from(str_dup(str_from(facts->id), ctx->arena, &ignored));
}

bool run_charge_find(struct op_context *ctx, const struct run_price_request *given, bool must,
                     struct run_price *price, struct plan_prediction *predicted,
                     enum cloud *cloud, struct error *err)
{
    struct run_price_request ask = *given;
    struct cloud_facts facts;
    struct metadata machine = {0};
    struct machine_seen seen;
    struct error why;

    cloud_recognize(env_get("STINT_ROOT"), &facts);
    *cloud = facts.cloud;
    ask.carbon = true; /* energy is metered whatever the price, 0.5 ms */
    if (facts.cloud != CLOUD_NONE && !is_price_given(given)) {
        if (metadata_ask(&facts, ctx->arena->alloc, ctx->messages.log, ctx->arena, &machine,
                         &why))
            ask.machine = &seen;
        else
            message_warn(&ctx->messages, "%s", why.text);
    }
    seen = (struct machine_seen){.provider = machine.provider,
                                 .region = machine.region,
                                 .instance = machine.instance,
                                 .market = machine.market};
    if (!run_price_find(ctx, &ask, price, predicted, err))
        return false;
    if (ask.machine == NULL)
        price->machine = known_id(ctx, &facts);
    else
        price->machine = machine.resource.len > 0 ? machine.resource : machine.id;
    if (price->how != RUN_PRICE_UNKNOWN || !must)
        return true;
    error_set(err, ERROR_USAGE, "a budget needs a price, and this machine's is not known");
    error_hint(err, "%.*s", (int)price->hint.len, price->hint.at);
    return false;
}

struct run_charge run_charge_of(const struct run_price *price,
                                const struct plan_prediction *predicted, usd extra)
{
    return (struct run_charge){
        .rate = price->rate,
        .electricity = price->electricity,
        .pue = isnan(price->pue) ? 1 : price->pue,
        .grams_per_kwh = price->grams_per_kwh,
        .setup = predicted->setup,
        .storage = predicted->storage,
        .transfer = predicted->egress,
        .extra = extra,
    };
}
