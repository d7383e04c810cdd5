/* AWS: an index names each region's price list, which is hundreds of megabytes. */
#include <errno.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/json.h"
#include "market/fetch_internal.h"
#include "net/url.h"

#define MAX_LIST (8 * GIB)

static const char *const usual[] = {"us-east-1", "us-east-2", "us-west-2", "eu-west-1", NULL};

static const char first_index[] = "/offers/v1.0/aws/index.json";

/* What is looked for in an index: the text under "first" / "second" / "third". */
struct index_path {
    const char *first;
    struct str second;
    const char *third;
};

/* Walk the JSON, keeping the names above the present value; deeper ones do not matter. */
static bool search_index(struct json *json, const struct index_path *path, struct buf *out,
                         struct error *err)
{
    bool first = false, second = false;
    struct json_token token;

    while (json_next(json, &token, err)) {
        if (token.kind == JSON_END)
            return true;
        if (token.kind != JSON_KEY)
            continue;
        if (token.depth == 1)
            first = str_eq(token.text, str_from(path->first));
        else if (token.depth == 2)
            second = str_eq(token.text, path->second);
        else if (token.depth == 3 && first && second &&
                 str_eq(token.text, str_from(path->third))) {
            if (!json_next(json, &token, err))
                return false;
            if (token.kind == JSON_STRING) {
                buf_clear(out);
                buf_add(out, token.text);
            }
        }
    }
    return false;
}

/* An index, kept while it is of use. */
struct index {
    struct http_response response;
    const char *url;
};

static bool open_index(struct fetch *fetch, const char *url, struct index *out,
                       struct error *err)
{
    struct http_request request = {.url = url, .max_body = MAX_PAGE};

    out->url = url;
    return url != NULL && fetch_get(fetch, &request, &out->response, err);
}

/* The address that an index has at this place, on our base; NULL with the error set. An index
 * without it is ERROR_ABSENT. */
static const char *find_in_index(struct fetch *fetch, const struct index *index,
                                 const struct index_path *path, struct error *err)
{
    struct fs_stream stream = {index->response.fd, index->url};
    struct buf link = buf_new(fetch->ctx->alloc, MAX_NEXT),
               at = buf_new(fetch->ctx->alloc, MAX_NEXT);
    const char *found = NULL;
    struct json *json;

    if (lseek(stream.fd, 0, SEEK_SET) != 0) {
        error_system(err, errno, "cannot read '%s' again", index->url);
        return NULL;
    }
    json =
        json_open(fs_source(&stream), &(struct json_options){.alloc = fetch->ctx->alloc}, err);
    if (json != NULL && search_index(json, path, &link, err)) {
        if (link.len == 0)
            error_set(err, ERROR_ABSENT, "%s: there is no '%s' of '%.*s' in it", index->url,
                      path->third, STR_ARG(path->second));
        else if (buf_ok(&link, err) && url_rebase(buf_text(&link), str_from(fetch->base),
                                                  str_from(fetch->provider->home), &at, err))
            found = str_dup(buf_text(&at), &fetch->arena, err);
    } else if (err->kind == ERROR_INPUT) {
        error_place(err, index->url);
    }
    json_close(json);
    buf_free(&link);
    buf_free(&at);
    return found;
}

/* --- on demand --------------------------------------------------------------------------- */

/* The index of regions, which the index of services names. */
static bool open_regions(struct fetch *fetch, struct index *out, struct error *err)
{
    const struct index_path path = {"offers", STR("AmazonEC2"), "currentRegionIndexUrl"};
    struct index services = {{.fd = -1}, NULL};
    const char *url = NULL;

    if (open_index(fetch, fetch_text(fetch, err, "%s%s", fetch->base, first_index), &services,
                   err))
        url = find_in_index(fetch, &services, &path, err);
    http_response_close(&services.response);
    return open_index(fetch, url, out, err);
}

static bool ask_offers(struct fetch_list *list, struct error *err)
{
    const struct index_path path = {"regions", list->feed.part, "currentVersionUrl"};
    struct http_request request = {.max_body = MAX_LIST};

    request.url = find_in_index(list->fetch, list->more, &path, err);
    if (request.url == NULL)
        return false;
    list->feed.from = request.url;
    if (!fetch_whole(list, &request, err))
        return false;
    if (list->outcome.end != FETCH_UNCHANGED)
        fetch_say(list->fetch, FETCH_NOTE, "aws %.*s: read %.1f MB", STR_ARG(list->feed.part),
                  (double)list->outcome.size / 1e6);
    return true;
}

/* A list that fails before it is known where it is. */
static bool fail_with(struct fetch_list *list, struct error *err)
{
    const struct error *problem = list->more;

    *err = *problem;
    return false;
}

static bool fetch_offers(struct fetch *fetch, const struct strs *regions, struct error *err)
{
    struct fetch_feed feed = {
        .format = fetch->ctx->formats->aws_offers, .provider = STR("aws"), .from = fetch->base};
    struct index index = {{.fd = -1}, NULL};
    struct error problem = {0};
    bool ok = true;

    if (!open_regions(fetch, &index, &problem))
        return fetch_list(fetch, &feed, fail_with, &problem, err);
    for (size_t i = 0; ok && i < regions->len; i++) {
        feed.part = regions->at[i];
        ok = fetch_list(fetch, &feed, ask_offers, &index, err);
    }
    http_response_close(&index.response);
    return ok;
}

bool fetch_aws(struct fetch *fetch, struct error *err)
{
    struct strs regions;

    if (!fetch_regions(fetch, usual, &regions, err))
        return false;
    fetch_say(fetch, FETCH_NOTE,
              "aws: price lists of %zu region%s, of hundreds of megabytes each where they have "
              "changed",
              regions.len, regions.len == 1 ? "" : "s");
    if (!fetch_offers(fetch, &regions, err))
        return false;
    if (fetch->has_keys)
        return fetch_aws_spot(fetch, &regions, err);
    fetch_say(fetch, FETCH_NOTE, "aws: spot prices need credentials: %s",
              credentials_where(CREDENTIALS_AWS));
    return true;
}
