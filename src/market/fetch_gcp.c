/* Google: pages of parts, of which machines are put together at the end. */
#include "base/fs.h"
#include "feed/gcp.h"
#include "market/fetch_internal.h"

#define MOST_PAGES 200 /* of 5000 SKUs each; there are about ten */

/* One page: its parts, and the token of the next in the summary. */
static bool add_page(struct fetch_list *list, struct gcp_parts *parts,
                     const struct http_request *request, struct error *err)
{
    struct http_response response;
    struct fs_stream stream;
    struct feed_input input;
    bool ok;

    if (!fetch_get(list->fetch, request, &response, err))
        return false;
    list->outcome.pages++;
    list->outcome.size += response.size;
    stream = (struct fs_stream){response.fd, response.url};
    input = fetch_input(list, fs_source(&stream), response.url);
    list->summary.rows = list->summary.ignored = 0;
    ok = gcp_parts_add(parts, &input, &list->fetch->sink, &list->summary, err);
    if (ok)
        fetch_count(list);
    http_response_close(&response);
    return ok;
}

static struct http_header key_header(struct fetch *fetch)
{
    struct http_header header = {"X-Goog-Api-Key", fetch->keys.secret, true};

    if (fetch->keys.bearer)
        (void)fetch_bearer(fetch, &header);
    return header;
}

static bool add_pages(struct fetch_list *list, struct gcp_parts *parts, struct error *err)
{
    struct http_header key = key_header(list->fetch);
    struct http_parameter parameters[] = {{STR("pageSize"), STR("5000")},
                                          {STR("currencyCode"), STR("USD")},
                                          {STR("pageToken"), STR("")}};
    struct http_request request = {.url = list->feed.from,
                                   .parameters = parameters,
                                   .parameter_count = 2,
                                   .headers = &key,
                                   .header_count = 1,
                                   .max_body = MAX_PAGE};

    for (;;) {
        const char *token;

        if (!add_page(list, parts, &request, err))
            return false;
        if (list->summary.next.len == 0)
            return true;
        token = fetch_next(list, MOST_PAGES, err);
        if (token == NULL)
            return false;
        parameters[2].value = str_from(token);
        request.parameter_count = 3;
    }
}

static bool ask(struct fetch_list *list, struct error *err)
{
    struct gcp_parts *parts = gcp_parts_new(list->fetch->ctx->alloc, err);
    struct feed_input input = fetch_input(list, (struct source){0}, list->feed.from);
    bool ok = parts != NULL && add_pages(list, parts, err) &&
              gcp_parts_give(parts, &input, &list->fetch->sink, err);

    gcp_parts_free(parts);
    return ok;
}

bool fetch_gcp(struct fetch *fetch, struct error *err)
{
    struct fetch_feed feed = {.format = fetch->ctx->formats->gcp, .provider = STR("gcp")};

    feed.from = fetch_text(fetch, err, "%s/v1/services/6F81-5844-456A/skus", fetch->base);
    return feed.from != NULL && fetch_list(fetch, &feed, ask, NULL, err);
}
