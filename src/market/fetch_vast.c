/* Vast: what is on offer now, to rent and to bid for. There are no pages, only a limit. */
#include "market/fetch_internal.h"

#define MOST_OFFERS 10000

static bool ask_for(struct fetch_list *list, const char *type, struct error *err)
{
    struct http_header key;
    struct http_request request = {.url = list->feed.from,
                                   .headers = &key,
                                   .header_count = fetch_bearer(list->fetch, &key),
                                   .content_type = "application/json",
                                   .max_body = 4 * MAX_PAGE};
    const char *query =
        fetch_text(list->fetch, err,
                   "{\"verified\":{\"eq\":true},\"rentable\":{\"eq\":true},"
                   "\"rented\":{\"eq\":false},\"order\":[[\"dph_total\",\"asc\"]],"
                   "\"type\":\"%s\",\"limit\":%d}",
                   type, MOST_OFFERS);

    if (query == NULL)
        return false;
    request.body = str_from(query);
    if (!fetch_page(list, &request, err))
        return false;
    if (list->summary.rows >= MOST_OFFERS) /* there may be more */
        list->outcome.scope = SCOPE_ROWS;
    return true;
}

static bool ask(struct fetch_list *list, struct error *err)
{
    return ask_for(list, "on-demand", err) && ask_for(list, "bid", err);
}

bool fetch_vast(struct fetch *fetch, struct error *err)
{
    struct fetch_feed feed = {.format = fetch->ctx->formats->vast, .provider = STR("vast")};

    feed.from = fetch_text(fetch, err, "%s/api/v0/bundles/", fetch->base);
    return feed.from != NULL && fetch_list(fetch, &feed, ask, NULL, err);
}
