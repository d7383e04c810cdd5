/* Who can be asked, and setting out to do it. */
#include "market/fetch.h"

#include <string.h>

#include "base/characters.h"
#include "base/fs.h"
#include "feed/gcp.h"
#include "market/fetch_internal.h"
#include "net/url.h"

const struct fetch_formats fetch_formats = {
    .aws_offers = &feed_aws_offers,
    .aws_spot = &feed_aws_spot_xml,
    .azure = &feed_azure,
    .gcp = &feed_gcp,
    .lambda = &feed_lambda,
    .runpod = &feed_runpod,
    .skypilot = &feed_skypilot,
    .vast = &feed_vast,
};

/* ---- which regions to ask about ---- */

/* Names of regions become parts of addresses: nothing else may hide in them. */
static bool is_plain(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!(is_lower(name.at[i]) || is_digit(name.at[i]) || name.at[i] == '-'))
            return false;
    return name.len > 0 && name.len <= 64;
}

/* Add a region once. */
static void add_region(struct str *list, size_t *count, struct str region)
{
    for (size_t i = 0; i < *count; i++)
        if (str_eq(list[i], region))
            return;
    list[(*count)++] = region;
}

/* The regions of the catalog that match; a plain name counts even when the catalog is too old
 * to know it. */
static bool match_regions(const struct fetch *fetch, struct str pattern, struct str *list,
                          size_t *count, struct error *err)
{
    const struct catalog *catalog = fetch->ctx->catalog;
    struct str provider = str_from(fetch->provider->name);
    size_t matched = 0;

    for (size_t i = 0; i < catalog->tables[TABLE_REGIONS].len; i++) {
        const struct region *r = CATALOG_ROW(catalog, TABLE_REGIONS, region, i);

        if (!str_eq(r->provider, provider) || !str_glob(r->region, pattern))
            continue;
        add_region(list, count, r->region);
        matched++;
    }
    if (matched == 0 && !is_plain(pattern)) {
        error_set(err, ERROR_ABSENT, "%s: no region matches '%.*s'", fetch->provider->name,
                  STR_ARG(pattern));
        error_hint(err, "'stint region list' shows the regions");
        return false;
    }
    if (matched == 0)
        add_region(list, count, pattern);
    return true;
}

bool fetch_regions(struct fetch *fetch, const char *const *usual, struct strs *out,
                   struct error *err)
{
    const struct strs *asked = &fetch->request->regions;
    size_t usual_count = 0, count = 0;
    struct str *list;

    while (usual[usual_count] != NULL)
        usual_count++;
    list = arena_array(
        &fetch->arena, struct str,
        fetch->ctx->catalog->tables[TABLE_REGIONS].len + asked->len + usual_count + 1, err);
    if (list == NULL)
        return false;
    for (size_t i = 0; asked->len == 0 && i < usual_count; i++)
        list[count++] = str_from(usual[i]);
    for (size_t i = 0; i < asked->len; i++)
        if (!match_regions(fetch, asked->at[i], list, &count, err))
            return false;
    *out = (struct strs){list, count};
    return true;
}

/* ---- Lambda: one answer has it all ---- */

static bool ask_lambda(struct fetch_list *list, struct error *err)
{
    struct http_header key;
    struct http_request request = {.url = list->feed.from,
                                   .headers = &key,
                                   .header_count = fetch_bearer(list->fetch, &key),
                                   .max_body = MAX_PAGE};

    return fetch_whole(list, &request, err);
}

static bool fetch_lambda(struct fetch *fetch, struct error *err)
{
    struct fetch_feed feed = {.format = fetch->ctx->formats->lambda, .provider = STR("lambda")};

    feed.from = fetch_text(fetch, err, "%s/api/v1/instance-types", fetch->base);
    return feed.from != NULL && fetch_list(fetch, &feed, ask_lambda, NULL, err);
}

/* ---- RunPod: one GraphQL query about all GPU types ---- */

static const char runpod_query[] =
    "{\"query\":\"query GpuTypes($p: GpuLowestPriceInput) { gpuTypes { id displayName "
    "manufacturer memoryInGb maxGpuCount secureCloud communityCloud securePrice communityPrice "
    "secureSpotPrice communitySpotPrice oneMonthPrice threeMonthPrice lowestPrice(input: $p) { "
    "minimumBidPrice uninterruptablePrice minVcpu minMemory stockStatus countryCode } } }\","
    "\"variables\":{\"p\":{\"gpuCount\":1,\"secureCloud\":true}}}";

static bool ask_runpod(struct fetch_list *list, struct error *err)
{
    struct http_header key;
    struct http_request request = {.url = list->feed.from,
                                   .headers = &key,
                                   .header_count = fetch_bearer(list->fetch, &key),
                                   .body = {runpod_query, sizeof runpod_query - 1},
                                   .content_type = "application/json",
                                   .max_body = MAX_PAGE};

    return fetch_page(list, &request, err);
}

static bool fetch_runpod(struct fetch *fetch, struct error *err)
{
    struct fetch_feed feed = {.format = fetch->ctx->formats->runpod, .provider = STR("runpod")};

    feed.from = fetch_text(fetch, err, "%s/graphql", fetch->base);
    return feed.from != NULL && fetch_list(fetch, &feed, ask_runpod, NULL, err);
}

/* Vast: what is on offer now, to rent and to bid for. There are no pages, only a limit. */

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

static bool ask_vast(struct fetch_list *list, struct error *err)
{
    return ask_for(list, "on-demand", err) && ask_for(list, "bid", err);
}

static bool fetch_vast(struct fetch *fetch, struct error *err)
{
    struct fetch_feed feed = {.format = fetch->ctx->formats->vast, .provider = STR("vast")};

    feed.from = fetch_text(fetch, err, "%s/api/v0/bundles/", fetch->base);
    return feed.from != NULL && fetch_list(fetch, &feed, ask_vast, NULL, err);
}

/* ---- azure: pages of a list that may change meanwhile, so a region at a time ---- */

#define AZURE_PAGES 200 /* of 1000 prices each; a region has a few */

static const char *const usual[] = {"eastus",     "eastus2",       "southcentralus",
                                    "westus2",    "westus3",       "northeurope",
                                    "westeurope", "swedencentral", NULL};

/* Where the next page is: on Azure, or on its replacement in tests. */
static const char *next_page(struct fetch_list *list, struct error *err)
{
    struct fetch *fetch = list->fetch;
    struct buf at = buf_new(fetch->ctx->alloc, MAX_NEXT);
    const char *link = fetch_next(list, AZURE_PAGES, err), *url = NULL;

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

static bool ask_azure(struct fetch_list *list, struct error *err)
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

static bool fetch_azure(struct fetch *fetch, struct error *err)
{
    struct fetch_feed feed = {.format = fetch->ctx->formats->azure, .provider = STR("azure")};
    struct strs regions;

    feed.from = fetch_text(fetch, err, "%s/api/retail/prices", fetch->base);
    if (feed.from == NULL || !fetch_regions(fetch, usual, &regions, err))
        return false;
    for (size_t i = 0; i < regions.len; i++) {
        feed.part = regions.at[i];
        if (!fetch_list(fetch, &feed, ask_azure, NULL, err))
            return false;
        if (fetch_silent(fetch))
            break;
    }
    return true;
}

/* ---- google: pages of parts, of which machines are put together at the end ---- */

#define GCP_PAGES 200 /* of 5000 SKUs each; there are about ten */

/* One page: its parts, and the token of the next in the summary. */
static bool add_page(struct fetch_list *list, struct gcp_parts *parts,
                     const struct http_request *request, struct error *err)
{
    struct http_response response;
    struct fs_stream stream;
    struct feed_reading feed;
    bool ok;

    if (!fetch_get(list->fetch, request, &response, err))
        return false;
    list->outcome.pages++;
    list->outcome.size += response.size;
    stream = (struct fs_stream){response.fd, response.url};
    feed = fetch_reading(list, fs_source(&stream), response.url);
    list->summary.rows = list->summary.ignored = 0;
    ok = gcp_parts_add(parts, &feed, err);
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
        token = fetch_next(list, GCP_PAGES, err);
        if (token == NULL)
            return false;
        parameters[2].value = str_from(token);
        request.parameter_count = 3;
    }
}

static bool ask_gcp(struct fetch_list *list, struct error *err)
{
    struct gcp_parts *parts = gcp_parts_new(list->fetch->ctx->alloc, err);
    struct feed_reading feed = fetch_reading(list, (struct source){0}, list->feed.from);
    bool ok = parts != NULL && add_pages(list, parts, err) && gcp_parts_give(parts, &feed, err);

    gcp_parts_free(parts);
    return ok;
}

static bool fetch_gcp(struct fetch *fetch, struct error *err)
{
    struct fetch_feed feed = {.format = fetch->ctx->formats->gcp, .provider = STR("gcp")};

    feed.from = fetch_text(fetch, err, "%s/v1/services/6F81-5844-456A/skus", fetch->base);
    return feed.from != NULL && fetch_list(fetch, &feed, ask_gcp, NULL, err);
}

/* The SkyPilot catalog: a file for each cloud, asked for again only when it has changed, with
 * prices of its last change. */

static const char *const clouds[] = {
    "aws", "azure",    "cudo",       "do",      "fluidstack",     "gcp",
    "ibm", "lambda",   "hyperbolic", "mithril", "hyperstack",     "nebius",
    "oci", "ovhcloud", "paperspace", "runpod",  "primeintellect", "scaleway",
    "scp", "seeweb",   "shadeform",  "vast",    "verda",          "yotta",
};

/* Newest first. A cloud that the newest lacks is looked for in the one before. */
static const char *const versions[] = {"v8", "v7"};

static bool ask_skypilot(struct fetch_list *list, struct error *err)
{
    struct fetch *fetch = list->fetch;

    list->file = true;
    for (size_t v = 0; v < ARRAY_LEN(versions); v++) {
        struct http_request request = {.max_body = 4 * MAX_PAGE};

        list->feed.from = fetch_text(fetch, err, "%s/%s/%.*s/vms.csv", fetch->base, versions[v],
                                     STR_ARG(list->feed.part));
        if (list->feed.from == NULL)
            return false;
        request.url = list->feed.from;
        if (fetch_whole(list, &request, err))
            return true;
        if (fetch->status != 404)
            return false;
    }
    return false;
}

static bool is_wanted(const struct strs *patterns, struct str cloud)
{
    for (size_t i = 0; i < patterns->len; i++)
        if (str_glob(cloud, patterns->at[i]))
            return true;
    return patterns->len == 0;
}

/* A pattern that matches nothing is a typo, not an empty wish. */
static bool check_patterns(const struct strs *patterns, struct error *err)
{
    for (size_t i = 0; i < patterns->len; i++) {
        struct suggestion s = {.wanted = patterns->at[i]};
        bool found = false;

        for (size_t c = 0; c < ARRAY_LEN(clouds); c++) {
            found = found || str_glob(str_from(clouds[c]), patterns->at[i]);
            suggestion_try(&s, str_from(clouds[c]));
        }
        if (found)
            continue;
        error_set(err, ERROR_ABSENT, "the SkyPilot catalog has no cloud '%.*s'",
                  STR_ARG(patterns->at[i]));
        (void)suggestion_hint(&s, err);
        return false;
    }
    return true;
}

static bool fetch_skypilot(struct fetch *fetch, struct error *err)
{
    const struct strs *wanted = &fetch->request->clouds;

    if (!check_patterns(wanted, err))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(clouds); i++) {
        struct str cloud = str_from(clouds[i]);
        struct fetch_feed feed = {
            .format = fetch->ctx->formats->skypilot, .provider = cloud, .part = cloud};

        if (!is_wanted(wanted, cloud))
            continue;
        feed.from = fetch->base;
        if (!fetch_list(fetch, &feed, ask_skypilot, NULL, err))
            return false;
        if (fetch_silent(fetch))
            break;
    }
    return true;
}

/* ---- all of it ---- */

const struct fetch_provider fetch_providers[] = {
    {.name = "aws",
     .title = "Amazon Web Services",
     .about = "the public price lists of EC2, and spot prices with credentials",
     .key = FETCH_KEY_HELPS,
     .credentials = CREDENTIALS_AWS,
     .variable = "STINT_URL_AWS_PRICES",
     .home = "https://pricing.us-east-1.amazonaws.com",
     .regions = true,
     .ask = fetch_aws},
    {.name = "azure",
     .title = "Microsoft Azure",
     .about = "the Retail Prices API, for everyone",
     .variable = "STINT_URL_AZURE",
     .home = "https://prices.azure.com",
     .regions = true,
     .ask = fetch_azure},
    {.name = "gcp",
     .title = "Google Cloud",
     .about = "the Cloud Billing catalog, with a key",
     .key = FETCH_KEY_NEEDED,
     .credentials = CREDENTIALS_GOOGLE,
     .variable = "STINT_URL_GCP",
     .home = "https://cloudbilling.googleapis.com",
     .ask = fetch_gcp},
    {.name = "lambda",
     .title = "Lambda Cloud",
     .about = "its instance types, with a key",
     .key = FETCH_KEY_NEEDED,
     .credentials = CREDENTIALS_LAMBDA,
     .variable = "STINT_URL_LAMBDA",
     .home = "https://cloud.lambda.ai",
     .ask = fetch_lambda},
    {.name = "runpod",
     .title = "RunPod",
     .about = "its GPU types, with a key where it asks for one",
     .key = FETCH_KEY_HELPS,
     .credentials = CREDENTIALS_RUNPOD,
     .variable = "STINT_URL_RUNPOD",
     .home = "https://api.runpod.io",
     .ask = fetch_runpod},
    {.name = "vast",
     .title = "Vast.ai",
     .about = "the machines on offer now, with a key where it asks for one",
     .key = FETCH_KEY_HELPS,
     .credentials = CREDENTIALS_VAST,
     .variable = "STINT_URL_VAST",
     .home = "https://console.vast.ai",
     .ask = fetch_vast},
    {.name = "skypilot",
     .title = "SkyPilot catalog",
     .about = "a public collection of the prices of many clouds",
     .variable = "STINT_URL_SKYPILOT",
     .home = "https://raw.githubusercontent.com/skypilot-org/skypilot-catalog/master/catalogs",
     .ask = fetch_skypilot},
};
const size_t fetch_provider_count = ARRAY_LEN(fetch_providers);

const struct fetch_provider *fetch_provider_named(struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; i < fetch_provider_count; i++) {
        if (str_eq_nocase(name, str_from(fetch_providers[i].name)))
            return &fetch_providers[i];
        suggestion_try(&s, str_from(fetch_providers[i].name));
    }
    error_set(err, ERROR_USAGE, "prices of '%.*s' cannot be fetched", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "aws, azure, gcp, lambda, runpod, vast and skypilot can");
    return NULL;
}

/* Keys, where they are of use: only some providers cannot do without. */
static bool find_keys(struct fetch *f, struct error *err)
{
    struct error problem = {0};

    if (f->provider->key == FETCH_OPEN)
        return true;
    f->has_keys =
        credentials_find((enum credentials_of)f->provider->credentials, &f->keys, &problem);
    if (f->has_keys || (f->provider->key == FETCH_KEY_HELPS && problem.kind == ERROR_ABSENT))
        return true;
    *err = problem;
    error_context(err, "%s", f->provider->title);
    return false;
}

static bool find_base(struct fetch *f, struct error *err)
{
    struct str base = str_from(env_get(f->provider->variable));

    if (base.len == 0)
        base = str_from(f->provider->home);
    while (base.len > 0 && base.at[base.len - 1] == '/')
        base.len--;
    f->base = str_dup(base, &f->arena, err);
    return f->base != NULL;
}

bool fetch_run(const struct fetch_context *ctx, const struct fetch_request *request,
               struct fetch_result *out, struct error *err)
{
    struct fetch f = {.ctx = ctx,
                      .request = request,
                      .http = ctx->http,
                      .result = out,
                      .arena = {.alloc = ctx->alloc, .block_size = ARENA_BLOCK_SIZE}};
    bool ok;

    *out = (struct fetch_result){0};
    f.provider = fetch_provider_named(request->provider, err);
    if (f.provider == NULL)
        return false;
    ok = find_base(&f, err) && find_keys(&f, err);
    if (ok && f.http.session == NULL) {
        f.http.session = http_session_open(err);
        ok = f.http.session != NULL;
    }
    ok = ok && f.provider->ask(&f, err);
    if (f.http.session != ctx->http.session)
        http_session_close(f.http.session);
    credentials_wipe(&f.keys);
    explicit_bzero(f.bearer, sizeof f.bearer);
    arena_free(&f.arena);
    return ok;
}
