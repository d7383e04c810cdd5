/* price.value - what a dollar buys: performance times reliability over price. */
#include "op/context.h"
#include "op/op.h"
#include "op/price/price.h"

static const struct field request[] = {
    FIELD_AS("gpu", TEXT, price_value_request, filter.gpu, .value = "GPU[xN]",
             .also = accelerator_options,
             .help = "accelerator to include; H100x8: machines with 8"),
    MACHINE_QUERY_FIELDS(price_value_request),
    FIELD_AS("market", ENUM, price_value_request, filter.market, .value = "MARKET",
             .names = market_names, .only = MARKETS_HOURLY, .fallback = "on-demand",
             .help = "market: on-demand or spot"),
    FIELD(CHOICE, price_value_request, precision, .value = "P", .choices = compare_precisions,
          .fallback = "bf16", .help = "precision: bf16, fp16, fp8, fp4, fp32, tf32 or int8"),
    FIELD(COUNT, price_value_request, limit, .value = "N", .positive = true, .fallback = "20",
          .help = "show the first N"),
};

static const struct field result[] = {
    FIELD(ENUM, price_value_result, market, .names = market_names, .only = MARKETS_HOURLY,
          .help = "market of the prices"),
    FIELD(LIST, price_value_result, values, .row = &price_value_fields,
          .help = "offers, best first"),
    FIELD(RECORD, price_value_result, age, .row = &price_age_fields,
          .help = "age of the prices"),
};

static bool price_value(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct price_value_request *req = in;
    struct price_value_result *res = out;
    const struct price_value *values;
    struct market_view view;
    struct machine *machines;
    size_t count;

    if (!op_machines(ctx, &req->filter, &machines, &count, err))
        return false;
    view = op_market(ctx);
    if (!compare_values(&view, req->precision, req->filter.market, machines, count,
                        &res->values, err))
        return false;
    if ((size_t)req->limit < res->values.len)
        res->values.len = (size_t)req->limit;
    values = res->values.at;
    for (size_t i = 0; i < res->values.len; i++)
        op_price_age(ctx, values[i].machine.fact.date, &res->age);
    op_price_age_warn(ctx, &res->age);
    res->market = req->filter.market;
    return true;
}

const struct op op_price_value = {
    .name = "price.value",
    .schema = "stint.price.value/1",
    .summary = "rank offers by performance, reliability and price",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct price_value_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_value_result, result),
    .run = price_value,
};
