/* Lambda: one answer has it all. */
#include "market/fetch_internal.h"

static bool ask(struct fetch_list *list, struct error *err)
{
    struct http_header key;
    struct http_request request = {.url = list->feed.from,
                                   .headers = &key,
                                   .header_count = fetch_bearer(list->fetch, &key),
                                   .max_body = MAX_PAGE};

    return fetch_whole(list, &request, err);
}

bool fetch_lambda(struct fetch *fetch, struct error *err)
{
    struct fetch_feed feed = {.format = fetch->ctx->formats->lambda, .provider = STR("lambda")};

    feed.from = fetch_text(fetch, err, "%s/api/v1/instance-types", fetch->base);
    return feed.from != NULL && fetch_list(fetch, &feed, ask, NULL, err);
}
