/* Who can be asked, and setting out to do it. */
#include "market/fetch.h"

#include <string.h>

#include "base/characters.h"
#include "base/fs.h"
#include "market/fetch_internal.h"
#include "net/url.h"

const struct feed_format *const fetch_formats[FORMAT_COUNT] = {
    [FORMAT_AWS_OFFERS] = &feed_aws_offers, [FORMAT_AWS_SPOT] = &feed_aws_spot_xml,
    [FORMAT_AZURE] = &feed_azure,           [FORMAT_GCP] = &feed_gcp,
    [FORMAT_LAMBDA] = &feed_lambda,         [FORMAT_RUNPOD] = &feed_runpod,
    [FORMAT_SKYPILOT] = &feed_skypilot,     [FORMAT_VAST] = &feed_vast,
};

/* ---- which regions to ask about ---- */

/* Names of regions become parts of addresses: nothing else may hide in them. */
static bool is_plain_region(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!(is_lower(name.at[i]) || is_digit(name.at[i]) || name.at[i] == '-'))
            return false;
    return name.len > 0 && name.len <= 64;
}

/* Add a region once. */
static void add_fetch_region(struct str *list, size_t *count, struct str region)
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
        add_fetch_region(list, count, r->region);
        matched++;
    }
    if (matched == 0 && !is_plain_region(pattern)) {
        error_set(err, ERROR_ABSENT, "%s: no region matches '%.*s'", fetch->provider->name,
                  STR_ARG(pattern));
        error_hint(err, "'stint region list' shows the regions");
        return false;
    }
    if (matched == 0)
        add_fetch_region(list, count, pattern);
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

/* The header "Authorization: Bearer KEY", as many as there are of it: one, or none without a
 * key. */
static size_t bearer_header(struct fetch *fetch, struct http_header *out)
{
    if (!fetch->has_keys)
        return 0;
    (void)snprintf(fetch->bearer, sizeof fetch->bearer, "Bearer %s", fetch->keys.secret);
    *out = (struct http_header){"Authorization", fetch->bearer, true};
    return 1;
}

/* ---- Lambda: one answer has it all ---- */

static bool ask_lambda(struct fetch_list *list, struct error *err)
{
    struct http_header key;
    struct http_request request = {.url = list->feed.from,
                                   .headers = &key,
                                   .header_count = bearer_header(list->fetch, &key),
                                   .max_body = MAX_PAGE};

    return fetch_whole(list, &request, err);
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
                                   .header_count = bearer_header(list->fetch, &key),
                                   .body = {runpod_query, sizeof runpod_query - 1},
                                   .content_type = "application/json",
                                   .max_body = MAX_PAGE};

    return fetch_page(list, &request, err);
}

/* Vast: what is on offer now, to rent and to bid for. There are no pages, only a limit. */

#define MOST_OFFERS 10000

static bool ask_for(struct fetch_list *list, const char *type, struct error *err)
{
    struct http_header key;
    struct http_request request = {.url = list->feed.from,
                                   .headers = &key,
                                   .header_count = bearer_header(list->fetch, &key),
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

static bool ask_azure_prices(struct fetch_list *list, struct error *err)
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
    struct fetch_feed feed = {.format = fetch->ctx->formats[FORMAT_AZURE],
                              .provider = STR("azure")};
    struct strs regions;

    feed.from = fetch_text(fetch, err, "%s/api/retail/prices", fetch->base);
    if (feed.from == NULL || !fetch_regions(fetch, usual, &regions, err))
        return false;
    for (size_t i = 0; i < regions.len; i++) {
        if (fetch_is_silent(fetch))
            break;
        feed.part = regions.at[i];
        if (!fetch_list(fetch, &feed, ask_azure_prices, NULL, err))
            return false;
    }
    return true;
}

/* ---- google: pages of parts, of which machines are put together at the end ---- */

#define GCP_PAGES 200 /* of 5000 SKUs each; there are about ten */

static struct http_header key_header(struct fetch *fetch)
{
    struct http_header header = {"X-Goog-Api-Key", fetch->keys.secret, true};

    if (fetch->keys.bearer)
        (void)bearer_header(fetch, &header);
    return header;
}

static bool ask_gcp_prices(struct fetch_list *list, struct error *err)
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
    struct feed_reading feed = fetch_reading(list, (struct source){0}, list->feed.from);
    bool ok;

    list->parts = gcp_parts_new(list->fetch->ctx->alloc, err);
    ok = list->parts != NULL && fetch_pages(list, &request, &parameters[2], GCP_PAGES, err) &&
         gcp_parts_give(list->parts, &feed, err);
    gcp_parts_free(list->parts);
    return ok;
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

/* A pattern that matches nothing is a typo, not an empty wish. */
static bool check_fetch_patterns(const struct strs *patterns, struct error *err)
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

    if (!check_fetch_patterns(wanted, err))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(clouds); i++) {
        struct str cloud = str_from(clouds[i]);
        struct fetch_feed feed = {
            .format = fetch->ctx->formats[FORMAT_SKYPILOT], .provider = cloud, .part = cloud};

        if (!strs_match(*wanted, cloud))
            continue;
        if (fetch_is_silent(fetch))
            break;
        feed.from = fetch->base;
        if (!fetch_list(fetch, &feed, ask_skypilot, NULL, err))
            return false;
    }
    return true;
}

/* ---- all of it ---- */

const struct fetch_provider fetch_providers[] = {
    {.name = "aws",
     .title = "Amazon Web Services",
     .key = FETCH_KEY_HELPS,
     .credentials = CREDENTIALS_AWS,
     .variable = "STINT_URL_AWS_PRICES",
     .home = "https://pricing.us-east-1.amazonaws.com",
     .ask = fetch_aws},
    {.name = "azure",
     .title = "Microsoft Azure",
     .variable = "STINT_URL_AZURE",
     .home = "https://prices.azure.com",
     .ask = fetch_azure},
    {.name = "gcp",
     .title = "Google Cloud",
     .key = FETCH_KEY_NEEDED,
     .credentials = CREDENTIALS_GOOGLE,
     .variable = "STINT_URL_GCP",
     .home = "https://cloudbilling.googleapis.com",
     .ask_list = ask_gcp_prices,
     .path = "/v1/services/6F81-5844-456A/skus",
     .format = FORMAT_GCP},
    {.name = "lambda",
     .title = "Lambda Cloud",
     .key = FETCH_KEY_NEEDED,
     .credentials = CREDENTIALS_LAMBDA,
     .variable = "STINT_URL_LAMBDA",
     .home = "https://cloud.lambda.ai",
     .ask_list = ask_lambda,
     .path = "/api/v1/instance-types",
     .format = FORMAT_LAMBDA},
    {.name = "runpod",
     .title = "RunPod",
     .key = FETCH_KEY_HELPS,
     .credentials = CREDENTIALS_RUNPOD,
     .variable = "STINT_URL_RUNPOD",
     .home = "https://api.runpod.io",
     .ask_list = ask_runpod,
     .path = "/graphql",
     .format = FORMAT_RUNPOD},
    {.name = "vast",
     .title = "Vast.ai",
     .key = FETCH_KEY_HELPS,
     .credentials = CREDENTIALS_VAST,
     .variable = "STINT_URL_VAST",
     .home = "https://console.vast.ai",
     .ask_list = ask_vast,
     .path = "/api/v0/bundles/",
     .format = FORMAT_VAST},
    {.name = "skypilot",
     .title = "SkyPilot catalog",
     .variable = "STINT_URL_SKYPILOT",
     .home = "https://raw.githubusercontent.com/skypilot-org/skypilot-catalog/master/catalogs",
     .ask = fetch_skypilot},
};
const size_t fetch_provider_count = ARRAY_LEN(fetch_providers);

const struct fetch_provider *fetch_provider_named(struct str name, struct error *err)
{
    struct suggestion s = {.wanted = provider_meant(name)};

    for (size_t i = 0; i < fetch_provider_count; i++) {
        if (str_eq_nocase(s.wanted, str_from(fetch_providers[i].name)))
            return &fetch_providers[i];
        suggestion_try(&s, str_from(fetch_providers[i].name));
    }
    error_set(err, ERROR_USAGE, "prices of '%.*s' cannot be fetched", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "aws, azure, gcp, lambda, runpod, vast and skypilot can");
    return NULL;
}

/* Keys, where they are of use: only some providers cannot do without. */
static bool find_fetch_keys(struct fetch *f, struct error *err)
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

/* Of a provider with one list. */
static bool ask_for_list(struct fetch *fetch, struct error *err)
{
    const struct fetch_provider *provider = fetch->provider;
    struct fetch_feed feed = {
        .format = fetch->ctx->formats[provider->format],
        .provider = str_from(provider->name),
        .from = fetch_text(fetch, err, "%s%s", fetch->base, provider->path),
    };

    return feed.from != NULL && fetch_list(fetch, &feed, provider->ask_list, NULL, err);
}

bool fetch_run(const struct fetch_context *ctx, const struct fetch_request *request,
               struct error *err)
{
    struct fetch f = {.ctx = ctx,
                      .request = request,
                      .http = ctx->http,
                      .arena = {.alloc = ctx->alloc, .block_size = ARENA_BLOCK_SIZE}};
    bool ok;

    f.provider = fetch_provider_named(request->provider, err);
    if (f.provider == NULL)
        return false;
    ok = find_base(&f, err) && find_fetch_keys(&f, err);
    if (ok && f.http.session == NULL) {
        f.http.session = http_session_open(err);
        ok = f.http.session != NULL;
    }
    ok = ok && (f.provider->ask != NULL ? f.provider->ask(&f, err) : ask_for_list(&f, err));
    if (f.http.session != ctx->http.session)
        http_session_close(f.http.session);
    credentials_wipe(&f.keys);
    explicit_bzero(f.bearer, sizeof f.bearer);
    arena_free(&f.arena);
    return ok;
}
