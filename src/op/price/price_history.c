/* price.history - what one offer cost over time, from each feed. */
#include "op/price/price_history.h"

#include "op/context.h"
#include "op/market.h"
#include "op/op.h"

#define MOST_DAYS 3660

static const struct field request[] = {
    FIELD(TEXT, price_history_request, offer, .value = "OFFER", .operand = true,
          .required = true,
          .help = "offer: aws/us-east-1/p5.48xlarge:spot, or a GPU: H100x8; omitted parts "
                  "select the cheapest"),
    FIELD(COUNT, price_history_request, days, .value = "N", .positive = true, .fallback = "30",
          .help = "number of days back"),
    FIELD(CHOICE, price_history_request, market, .value = "MARKET", .choices = market_names,
          .only = MARKETS_LISTED, .help = "market, such as spot (default: spot and on-demand)"),
    FIELD_AS("feed", TEXTS, price_history_request, feeds, .value = "LIST",
             .help = "feeds to use, such as skypilot"),
    FIELD(DAY, price_history_request, until, .value = "DATE",
          .help = "last day, such as 2026-08-01 (default: today)"),
    FIELD(FLAG, price_history_request, zones,
          .help = "show every zone of the region, not only the cheapest"),
};

static const struct field result[] = {
    FIELD(TEXT, price_history_result, offer, .help = "selected offer"),
    FIELD_AS("provider", TEXT, price_history_result, chosen.provider,
             .help = "provider that sells it"),
    FIELD_AS("region", TEXT, price_history_result, chosen.region,
             .help = "region, as the provider names it"),
    FIELD_AS("zone", TEXT, price_history_result, chosen.zone,
             .help = "zone of the region; empty for all zones"),
    FIELD_AS("instance", TEXT, price_history_result, chosen.instance, .help = "instance name"),
    FIELD_AS("accelerator", TEXT, price_history_result, chosen.accelerator,
             .help = "accelerator"),
    FIELD_AS("count", NUMBER, price_history_result, chosen.count,
             .help = "number of accelerators"),
    FIELD(COUNT, price_history_result, days, .help = "requested days"),
    FIELD(LIST, price_history_result, series, .row = &history_series_fields,
          .help = "series, one for each market and feed"),
};

/* Up to the end of that day, when it is over. */
static void set_until(const struct op_context *ctx, day until, struct history_query *query)
{
    int64_t end = (until.n + INT64_C(1)) * SECONDS_PER_DAY;

    if (until.n > op_today(ctx).n)
        message_warn(&ctx->messages, "--until is in the future: prices are known until today");
    if (until.n == INT32_MIN || end > query->until.s)
        return;
    query->until.s = end;
    query->last.s = end - 1;
}

static bool price_history(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct price_history_request *req = in;
    struct price_history_result *res = out;
    stamp now = op_now(ctx);
    struct history_query query = {.feeds = req->feeds,
                                  .zones = req->zones,
                                  .now = now,
                                  .until = now,
                                  .last = now,
                                  .days = req->days};
    struct market_view view;
    struct truster *truster;
    struct offer_name name;

    if (req->days > MOST_DAYS)
        return error_fail(err, ERROR_USAGE, "--days: %lld is more than ten years",
                          (long long)req->days);
    if (!offer_name_parse(req->offer, &name, err))
        return false;
    if (req->market.at != NULL && !market_parse(req->market, &name.market, err))
        return false;
    query.market = name.market;
    set_until(ctx, req->until, &query);
    res->days = req->days;
    if (!op_zones(ctx, TABLE_BIT(TABLE_EXCHANGE), &view, err) ||
        !op_truster(ctx, &truster, err))
        return false;
    offer_name_gpu(&ctx->catalog, &name);
    return zones_find(&view, truster, &name, &res->chosen, err) &&
           machine_name(res->chosen.provider, res->chosen.region, res->chosen.zone,
                        res->chosen.instance, ctx->arena, &res->offer, err) &&
           history_read(&view, &res->chosen, res->offer, &query, &res->series, err);
}

const struct op op_price_history = {
    .name = "price.history",
    .schema = "stint.price.history/1",
    .summary = "show the price of an offer over time",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct price_history_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_history_result, result),
    .run = price_history,
};
