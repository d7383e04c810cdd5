/* Azure: pages of a list that may change meanwhile, so a region at a time. */
#include "market/fetch_internal.h"
#include "net/url.h"

#define MOST_PAGES 200 /* of 1000 prices each; a region has a few */

static const char *const usual[] = {"eastus",     "eastus2",       "southcentralus",
                                    "westus2",    "westus3",       "northeurope",
                                    "westeurope", "swedencentral", NULL};

/* Where the next page is: on Azure, or on its replacement in tests. */
static const char *next_page(struct fetch_list *list, struct error *err)
{
    struct fetch *fetch = list->fetch;
    struct buf at = buf_new(fetch->ctx->alloc, MAX_NEXT);
    const char *link = fetch_next(list, MOST_PAGES, err), *url = NULL;

    if (link == NULL)
        return NULL;
    if (url_rebase(str_from(link), str_from(fetch->base), str_from(fetch->provider->home), &at,
                   err))
        url = str_dup(buf_text(&at), &fetch->arena, err);
    else
        error_context(err, "%s: the next page", list->feed.from);
    buf_free(&at);
    return url;
}

static bool ask(struct fetch_list *list, struct error *err)
{
    const char *filter = fetch_text(list->fetch, err,
                                    "serviceName eq 'Virtual Machines' and armRegionName eq "
                                    "'%.*s' and startswith(armSkuName,'Standard_N')",
                                    STR_ARG(list->feed.part));
    struct http_parameter parameters[] = {{STR("api-version"), STR("2023-01-01-preview")},
                                          {STR("$filter"), str_from(filter)}};
    struct http_request request = {.url = list->feed.from,
                                   .parameters = parameters,
                                   .parameter_count = ARRAY_LEN(parameters),
                                   .max_body = MAX_PAGE};

    if (filter == NULL)
        return false;
    for (;;) {
        if (!fetch_page(list, &request, err))
            return false;
        if (list->summary.next.len == 0)
            break;
        request = (struct http_request){.url = next_page(list, err), .max_body = MAX_PAGE};
        if (request.url == NULL)
            return false;
    }
    list->outcome.scope = SCOPE_REGIONS; /* this region is complete */
    return true;
}

bool fetch_azure(struct fetch *fetch, struct error *err)
{
    struct fetch_feed feed = {.format = fetch->ctx->formats->azure, .provider = STR("azure")};
    struct strs regions;

    feed.from = fetch_text(fetch, err, "%s/api/retail/prices", fetch->base);
    if (feed.from == NULL || !fetch_regions(fetch, usual, &regions, err))
        return false;
    for (size_t i = 0; i < regions.len; i++) {
        feed.part = regions.at[i];
        if (!fetch_list(fetch, &feed, ask, NULL, err))
            return false;
        if (fetch_silent(fetch))
            break;
    }
    return true;
}
