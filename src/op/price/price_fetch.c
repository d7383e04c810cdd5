/* price.fetch - fetch providers' current prices into the store. */
#include "op/price/price_fetch.h"

#include "base/fs.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"

#define MOST_TRIES 100

static const struct field request[] = {
    FIELD(TEXTS, price_fetch_request, providers, .value = "PROVIDER", .operand = true,
          .help =
              "aws, azure, gcp, lambda, runpod, vast, skypilot (a collection of 24 clouds)"),
    FIELD(FLAG, price_fetch_request, all, .help = "fetch from all providers"),
    FIELD_AS("region", TEXTS, price_fetch_request, regions, .value = "LIST",
             .help =
                 "regions of AWS and Azure, which have one list per region; 'us-*' matches"),
    FIELD_AS("cloud", TEXTS, price_fetch_request, clouds, .value = "LIST",
             .help = "clouds of the SkyPilot collection, such as oci,vast"),
    FIELD(COUNT, price_fetch_request, tries, .value = "N", .positive = true, .fallback = "4",
          .help = "tries per request when the failure may be temporary"),
    FIELD(SPAN, price_fetch_request, timeout, .value = "TIME", .positive = true,
          .fallback = "10min", .help = "time limit for an answer, retries included"),
    FIELD(FLAG, price_fetch_request, again,
          .help = "read lists again even if they have not changed"),
};

static const struct field result[] = {
    FIELD(TEXT, price_fetch_result, store, .help = "location of the price store"),
    FIELD_AS("lists", LIST, price_fetch_result, update.lists, .row = &fetched_list_fields,
             .help = "lists in the requested order"),
    FIELD_AS("failed", COUNT, price_fetch_result, update.failed,
             .help = "lists that could not be fetched: old prices stay"),
};

static bool check_fetch_request(const struct price_fetch_request *req, struct error *err)
{
    for (size_t i = 0; i < req->providers.len; i++)
        if (fetch_provider_named(req->providers.at[i], err) == NULL)
            return false;
    if (req->all && req->providers.len > 0)
        return error_fail(err, ERROR_USAGE, "give providers or --all, not both");
    if (req->all || req->providers.len > 0)
        return true;
    error_set(err, ERROR_USAGE, "price fetch needs a PROVIDER or --all");
    error_hint(err, "stint price fetch skypilot has 24 clouds and needs no account");
    return false;
}

static bool price_fetch(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const uint64_t tables =
        TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_REGIONS);
    const struct price_fetch_request *req = in;
    struct price_fetch_result *res = out;
    struct update_query query = {
        .providers = req->providers,
        .regions = req->regions,
        .clouds = req->clouds,
        .all = req->all,
        .again = req->again,
        .tries = req->tries < MOST_TRIES ? (unsigned)req->tries : MOST_TRIES,
        .timeout = req->timeout,
        .now = op_now(ctx),
        .progress = ctx->watch.progress,
        .progress_ctx = ctx->watch.progress_ctx,
    };
    struct market_view view;
    const char *folder;

    if (!check_fetch_request(req, err))
        return false;
    query.store_path = op_store_path(ctx, err);
    if (query.store_path == NULL || !op_catalog(ctx, tables, err))
        return false;
    folder = str_dup(ctx->settings->prices, ctx->arena, err);
    query.state_path = folder != NULL ? fs_join(folder, "feeds.json", ctx->arena, err) : NULL;
    if (query.state_path == NULL || op_store(ctx, err) == NULL)
        return false;
    view = op_market(ctx);
    if (!update_prices(&view, &query, &res->update, err))
        return false;
    ctx->partly = res->update.failed > 0;
    res->store = str_from(query.store_path);
    return true;
}

const struct op op_price_fetch = {
    .name = "price.fetch",
    .schema = "stint.price.fetch/1",
    .changes = true,
    .summary = "fetch current prices from providers",
    .request = &(const struct field_set)FIELD_SET(struct price_fetch_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_fetch_result, result),
    .run = price_fetch,
};
