#include "op/run/run_charge.h"
#include "op/context.h"

#include <math.h>

#include "base/fs.h"

static bool is_said(const struct run_wish *wish)
{
    return wish->price.nano != MONEY_UNKNOWN || wish->offer.len > 0 || wish->plan.len > 0 ||
           wish->electricity.nano != MONEY_UNKNOWN;
}

/* Bills name a machine by its id. Some say it without being asked. */
static struct str known_id(struct op_context *ctx, const struct cloud_facts *facts)
{
    struct error ignored;

    return str_from(str_dup(str_from(facts->id), ctx->arena, &ignored));
}

bool run_charge_find(struct op_context *ctx, const struct run_wish *wish,
                     struct run_price *price, enum cloud *cloud, struct error *err)
{
    struct run_price_request ask = run_price_blank();
    struct cloud_facts facts;
    struct metadata machine = {0};
    struct machine_seen seen;
    struct error why;

    cloud_recognize(env_get("STINT_ROOT"), &facts);
    *cloud = facts.cloud;
    ask.price = wish->price;
    ask.offer = wish->offer;
    ask.plan = wish->plan;
    ask.electricity = wish->electricity;
    ask.carbon = true; /* energy is metered whatever the price, 0.5 ms */
    if (facts.cloud != CLOUD_NONE && !is_said(wish)) {
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
    if (!run_price_find(ctx, &ask, price, err))
        return false;
    if (ask.machine == NULL)
        price->machine = known_id(ctx, &facts);
    else
        price->machine = machine.resource.len > 0 ? machine.resource : machine.id;
    if (price->how != RUN_PRICE_UNKNOWN || !wish->must)
        return true;
    error_set(err, ERROR_USAGE, "a budget needs a price, and this machine's is not known");
    error_hint(err, "%.*s", (int)price->hint.len, price->hint.at);
    return false;
}

struct run_charge run_charge_of(const struct run_price *price, usd extra)
{
    return (struct run_charge){
        .rate = price->rate,
        .electricity = price->electricity,
        .pue = isnan(price->pue) ? 1 : price->pue,
        .grams_per_kwh = price->grams_per_kwh,
        .setup = price->estimate.setup,
        .storage = price->estimate.storage,
        .transfer = price->estimate.egress,
        .extra = extra,
    };
}
