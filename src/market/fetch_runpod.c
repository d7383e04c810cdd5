/* RunPod: one GraphQL query about all GPU types. */
#include "market/fetch_internal.h"

static const char query[] =
    "{\"query\":\"query GpuTypes($p: GpuLowestPriceInput) { gpuTypes { id displayName "
    "manufacturer memoryInGb maxGpuCount secureCloud communityCloud securePrice communityPrice "
    "secureSpotPrice communitySpotPrice oneMonthPrice threeMonthPrice lowestPrice(input: $p) { "
    "minimumBidPrice uninterruptablePrice minVcpu minMemory stockStatus countryCode } } }\","
    "\"variables\":{\"p\":{\"gpuCount\":1,\"secureCloud\":true}}}";

static bool ask(struct fetch_list *list, struct error *err)
{
    struct http_header key;
    struct http_request request = {.url = list->feed.from,
                                   .headers = &key,
                                   .header_count = fetch_bearer(list->fetch, &key),
                                   .body = {query, sizeof query - 1},
                                   .content_type = "application/json",
                                   .max_body = MAX_PAGE};

    return fetch_page(list, &request, err);
}

bool fetch_runpod(struct fetch *fetch, struct error *err)
{
    struct fetch_feed feed = {.format = fetch->ctx->formats->runpod, .provider = STR("runpod")};

    feed.from = fetch_text(fetch, err, "%s/graphql", fetch->base);
    return feed.from != NULL && fetch_list(fetch, &feed, ask, NULL, err);
}
