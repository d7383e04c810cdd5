/* AWS: an index names each region's price list, which is hundreds of megabytes. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/json.h"
#include "market/fetch_internal.h"
#include "net/url.h"
#include "unit/time.h"

/* ---- AWS: how spot prices changed, a region at a time, for those with credentials ---- */

#define MOST_PAGES 5000 /* of 1000 changes each */
#define MOST_TYPES 500
#define BACK (90 * SECONDS_PER_DAY) /* AWS has no older prices */
#define OVERLAP 3600 /* seconds read again, for changes that were published late */

static const char home[] = "https://ec2.{region}.amazonaws.com";

/* The address of EC2 in a region. */
static const char *ec2_address(struct fetch *fetch, struct str region, struct error *err)
{
    const char *form = env_get("STINT_URL_AWS_EC2"), *mark;

    if (form == NULL)
        form = home;
    mark = strstr(form, "{region}");
    if (mark == NULL)
        return fetch_text(fetch, err, "%s%s", form, form[strlen(form) - 1] == '/' ? "" : "/");
    return fetch_text(fetch, err, "%.*s%.*s%s/", (int)(mark - form), form, STR_ARG(region),
                      mark + sizeof "{region}" - 1);
}

/* From when on: all that AWS has, or what is new. */
static const char *start_time(struct fetch_list *list, struct error *err)
{
    stamp now = list->fetch->request->now, from = {now.s - BACK};
    struct buf text = buf_new(list->fetch->ctx->alloc, 64);
    struct str start = {0};

    if (!list->fetch->request->anew && list->since.s - OVERLAP > from.s &&
        list->since.s <= now.s)
        from.s = list->since.s - OVERLAP;
    stamp_write(from, &text);
    return buf_keep(&text, &list->fetch->arena, &start, err) ? start.at : NULL;
}

/* The fixed parameters and one for each machine with accelerators; the token of a page comes
 * last. */
static struct http_parameter *make_parameters(struct fetch_list *list, size_t *count,
                                              struct error *err)
{
    struct fetch *fetch = list->fetch;
    const char *start = start_time(list, err);
    struct http_parameter fixed[] = {{STR("Action"), STR("DescribeSpotPriceHistory")},
                                     {STR("Version"), STR("2016-11-15")},
                                     {STR("MaxResults"), STR("1000")},
                                     {STR("ProductDescription.1"), STR("Linux/UNIX")},
                                     {STR("StartTime"), str_from(start)}};
    const struct machine *const *machines;
    struct http_parameter *all;
    size_t types;

    feed_machines(fetch->ctx->known, STR("aws"), &machines, &types);
    if (types > MOST_TYPES)
        types = MOST_TYPES;
    all = arena_array(&fetch->arena, struct http_parameter, ARRAY_LEN(fixed) + types + 1, err);
    if (all == NULL || start == NULL)
        return NULL;
    memcpy(all, fixed, sizeof fixed);
    *count = ARRAY_LEN(fixed);
    for (size_t i = 0; i < types; i++) {
        const char *name = fetch_text(fetch, err, "InstanceType.%zu", i + 1);

        if (name == NULL)
            return NULL;
        all[(*count)++] = (struct http_parameter){str_from(name), machines[i]->instance};
    }
    return all;
}

static bool ask_spot(struct fetch_list *list, struct error *err)
{
    struct fetch *fetch = list->fetch;
    const char *region = str_dup(list->feed.part, &fetch->arena, err);
    struct http_aws aws = {.key = fetch->keys.id,
                           .secret = fetch->keys.secret,
                           .token = fetch->keys.token[0] != '\0' ? fetch->keys.token : NULL,
                           .region = region,
                           .service = "ec2"};
    struct http_request request = {.url = list->feed.from, .aws = &aws, .max_body = MAX_PAGE};
    struct http_parameter *parameters = make_parameters(list, &request.parameter_count, err),
                          *last;

    if (region == NULL || parameters == NULL)
        return false;
    request.parameters = parameters;
    last = &parameters[request.parameter_count];
    last->name = STR("NextToken");
    return fetch_pages(list, &request, last, MOST_PAGES, err);
}

static bool fetch_aws_spot(struct fetch *fetch, const struct strs *regions, struct error *err)
{
    struct fetch_feed feed = {.format = fetch->ctx->formats[FORMAT_AWS_SPOT],
                              .provider = STR("aws")};

    fetch->silent = 0; /* another server than that of the list prices */
    fetch->late = false;
    for (size_t i = 0; i < regions->len; i++) {
        if (fetch_is_silent(fetch))
            break;
        feed.part = regions->at[i];
        feed.from = ec2_address(fetch, feed.part, err);
        if (feed.from == NULL || !fetch_list(fetch, &feed, ask_spot, NULL, err))
            return false;
        /* A region may be closed to an account; when the first is, it is the key. */
        if (i == 0 && (fetch->status == 401 || fetch->status == 403))
            break;
    }
    return true;
}

/* ---- all of it ---- */

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

/* An index, kept while it is of use. When it has not changed there is nothing of it but the
 * addresses that were found in it the last time. */
struct index {
    const char *list; /* under what it is remembered */
    struct http_response response;
    const char *url;
    bool conditional, unchanged;
};

static bool open_index(struct fetch *fetch, const char *url, struct index *out,
                       struct error *err)
{
    const struct fetch_entry *had = fetch_state_find(fetch->ctx->state, str_from(out->list));
    struct http_request request = {.url = url, .max_body = MAX_PAGE};

    out->url = url;
    if (url == NULL)
        return false;
    if (out->conditional && str_eq(had->url, str_from(url))) {
        request.etag = had->etag.len > 0 ? had->etag.at : NULL;
        request.modified = had->modified.len > 0 ? had->modified.at : NULL;
    }
    if (!fetch_get(fetch, &request, &out->response, err))
        return false;
    out->unchanged = out->response.status == 304;
    return true;
}

static bool remember_index(const struct fetch *fetch, struct index *index, struct error *err)
{
    const struct fetch_entry *had = fetch_state_find(fetch->ctx->state, str_from(index->list));
    struct fetch_entry entry = {.list = str_from(index->list),
                                .url = str_from(index->url),
                                .etag = fetch_harmless(fetch, index->response.etag),
                                .modified = fetch_harmless(fetch, index->response.modified),
                                .fetched = fetch->request->now};

    if (index->unchanged)
        entry = *had;
    entry.checked = fetch->request->now;
    entry.status = index->response.status;
    return fetch_state_put(fetch->ctx->state, &entry, err);
}

/* The address that an index has at this place, on our base; NULL with the error set. An index
 * without it is ERROR_ABSENT. */
static const char *find_in_index(struct fetch *fetch, const struct index *index,
                                 const struct index_path *path, struct error *err)
{
    struct fs_stream stream = {index->response.fd, index->url};
    struct buf link = buf_new(fetch->ctx->alloc, MAX_NEXT),
               at = buf_new(fetch->ctx->alloc, MAX_NEXT);
    char *found = NULL;
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
    if (found != NULL)
        fetch_hide(fetch, found); /* it is remembered */
    json_close(json);
    buf_free(&link);
    buf_free(&at);
    return found;
}

/* --- on demand --------------------------------------------------------------------------- */

static const char services_list[] = "aws-index", regions_list[] = "aws-index regions";

static const struct fetch_entry *entry_of(const struct fetch *fetch, struct str region)
{
    char name[256];

    (void)snprintf(name, sizeof name, "%s %.*s", fetch->ctx->formats[FORMAT_AWS_OFFERS]->name,
                   STR_ARG(region));
    return fetch_state_find(fetch->ctx->state, str_from(name));
}

/* Can we do with an index that has not changed? We must know, of each region, the address that
 * this very index had, and it must have been good: so it was asked for since the index was
 * last read. */
static bool knows_index(const struct fetch *fetch, const struct strs *regions)
{
    const struct fetch_entry *services =
        fetch_state_find(fetch->ctx->state, str_from(services_list));
    const struct fetch_entry *index =
        fetch_state_find(fetch->ctx->state, str_from(regions_list));

    if (fetch->request->anew || services == NULL || index == NULL || index->url.len == 0)
        return false;
    for (size_t i = 0; i < regions->len; i++) {
        const struct fetch_entry *had = entry_of(fetch, regions->at[i]);

        if (had == NULL || had->url.len == 0 || had->message.len > 0 ||
            had->checked.s < index->fetched.s)
            return false;
    }
    return index->fetched.s >= services->fetched.s;
}

/* The index of regions, which the index of services names. */
static bool open_regions(struct fetch *fetch, const struct strs *wanted, struct index *services,
                         struct index *out, struct error *err)
{
    const struct index_path path = {"offers", STR("AmazonEC2"), "currentRegionIndexUrl"};
    const char *url = NULL;

    services->conditional = out->conditional = knows_index(fetch, wanted);
    if (!open_index(fetch, fetch_text(fetch, err, "%s%s", fetch->base, first_index), services,
                    err))
        return false;
    if (services->unchanged)
        url = fetch_state_find(fetch->ctx->state, str_from(regions_list))->url.at;
    else
        url = find_in_index(fetch, services, &path, err);
    return open_index(fetch, url, out, err);
}

static bool ask_offers(struct fetch_list *list, struct error *err)
{
    const struct index_path path = {"regions", list->feed.part, "currentVersionUrl"};
    const struct index *index = list->more;
    struct http_request request = {.max_body = MAX_LIST};

    request.url = index->unchanged ? entry_of(list->fetch, list->feed.part)->url.at
                                   : find_in_index(list->fetch, index, &path, err);
    if (request.url == NULL)
        return false;
    list->feed.from = request.url;
    if (!fetch_whole(list, &request, err))
        return false;
    if (list->outcome.end != FETCH_UNCHANGED)
        fetch_say(list->fetch, MESSAGE_NOTE, "aws %.*s: read %.1f MB", STR_ARG(list->feed.part),
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
    struct fetch_feed feed = {.format = fetch->ctx->formats[FORMAT_AWS_OFFERS],
                              .provider = STR("aws"),
                              .from = fetch->base};
    struct index services = {.list = services_list, .response = {.fd = -1}},
                 index = {.list = regions_list, .response = {.fd = -1}};
    struct error problem = {0};
    bool known = open_regions(fetch, regions, &services, &index, &problem), ok = true;

    if (!known)
        ok = fetch_list(fetch, &feed, fail_with, &problem, err);
    for (size_t i = 0; known && ok && i < regions->len && !fetch_is_silent(fetch); i++) {
        feed.part = regions->at[i];
        ok = fetch_list(fetch, &feed, ask_offers, &index, err);
    }
    /* Last, so that no index counts as known before its lists were fetched. */
    ok = ok && (!known ||
                (remember_index(fetch, &services, err) && remember_index(fetch, &index, err)));
    http_response_close(&services.response);
    http_response_close(&index.response);
    return ok;
}

bool fetch_aws(struct fetch *fetch, struct error *err)
{
    struct strs regions;

    if (!fetch_regions(fetch, usual, &regions, err))
        return false;
    fetch_say(fetch, MESSAGE_NOTE,
              "aws: price lists of %zu region%s, of hundreds of megabytes each where they have "
              "changed",
              regions.len, regions.len == 1 ? "" : "s");
    if (!fetch_offers(fetch, &regions, err))
        return false;
    if (fetch->has_keys)
        return fetch_aws_spot(fetch, &regions, err);
    fetch_say(fetch, MESSAGE_NOTE, "aws: spot prices need credentials: %s",
              credentials_where(CREDENTIALS_AWS));
    return true;
}
