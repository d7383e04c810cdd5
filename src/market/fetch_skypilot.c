/* The SkyPilot catalog: a file for each cloud, asked for again only when it has changed, with
 * prices of its last change. */
#include "market/fetch_internal.h"

static const char *const clouds[] = {
    "aws", "azure",    "cudo",       "do",      "fluidstack",     "gcp",
    "ibm", "lambda",   "hyperbolic", "mithril", "hyperstack",     "nebius",
    "oci", "ovhcloud", "paperspace", "runpod",  "primeintellect", "scaleway",
    "scp", "seeweb",   "shadeform",  "vast",    "verda",          "yotta",
};

/* Newest first. A cloud that the newest lacks is looked for in the one before. */
static const char *const versions[] = {"v8", "v7"};

static bool ask(struct fetch_list *list, struct error *err)
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

bool fetch_skypilot(struct fetch *fetch, struct error *err)
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
        if (!fetch_list(fetch, &feed, ask, NULL, err))
            return false;
        if (fetch_silent(fetch))
            break;
    }
    return true;
}
