/* One price list: asking, reading, telling how it went, and remembering that. */
#include <stdarg.h>
#include <string.h>

#include "base/fs.h"
#include "market/fetch_internal.h"

const char *fetch_text(struct fetch *fetch, struct error *err, const char *fmt, ...)
{
    char piece[4096];
    const char *text = NULL;
    va_list args;
    int len;

    va_start(args, fmt);
    len = vsnprintf(piece, sizeof piece, fmt, args);
    va_end(args);
    if (len < 0 || (size_t)len >= sizeof piece)
        error_set(err, ERROR_INPUT, "%s: an address is too long", fetch->provider->title);
    else
        text = str_dup((struct str){piece, (size_t)len}, &fetch->arena, err);
    return text;
}

void fetch_say(const struct fetch *fetch, enum fetch_voice voice, const char *fmt, ...)
{
    const struct fetch_listener *listener = fetch->ctx->listener;
    char text[512];
    va_list args;

    if (listener->say == NULL)
        return;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    listener->say(listener->ctx, voice, text);
}

size_t fetch_bearer(struct fetch *fetch, struct http_header *out)
{
    if (!fetch->has_keys)
        return 0;
    (void)snprintf(fetch->bearer, sizeof fetch->bearer, "Bearer %s", fetch->keys.secret);
    *out = (struct http_header){"Authorization", fetch->bearer, true};
    return 1;
}

/* --- regions ----------------------------------------------------------------------------- */

/* Names of regions become parts of addresses: nothing else may hide in them. */
static bool is_plain(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!((name.at[i] >= 'a' && name.at[i] <= 'z') ||
              (name.at[i] >= '0' && name.at[i] <= '9') || name.at[i] == '-'))
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

/* The regions of the catalog that match; a plain name counts even when the catalog is too old to
 * know it. */
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

/* --- pages ------------------------------------------------------------------------------- */

bool fetch_get(struct fetch *fetch, const struct http_request *request,
               struct http_response *response, struct error *err)
{
    uint64_t left = MAX_BYTES - fetch->result->size;
    struct http_request limited = *request;
    bool ok;

    if (limited.max_body > left)
        limited.max_body = left;
    if (limited.refused == NULL && fetch->provider->key != FETCH_OPEN)
        limited.refused = credentials_where((enum credentials_of)fetch->provider->credentials);
    ok = http_get(&fetch->http, &limited, response, err);
    fetch->status = response->status;
    fetch->result->size += response->size;
    if (!ok && (response->stopped || err->kind == ERROR_MEMORY))
        fetch->halt = true;
    return ok;
}

struct feed_input fetch_input(const struct fetch_list *list, struct source source,
                              const char *name)
{
    return (struct feed_input){
        .source = source,
        .name = name,
        .provider = list->feed.provider,
        .date = list->fetch->request->now,
        .known = list->fetch->ctx->known,
        .alloc = list->fetch->ctx->alloc,
    };
}

void fetch_count(struct fetch_list *list)
{
    list->outcome.rows += list->summary.rows;
    list->outcome.ignored += list->summary.ignored;
    if (list->summary.published.s > 0)
        list->outcome.date = list->summary.published;
}

/* What a page is besides its prices. */
static void take_head(struct fetch_list *list, const struct http_response *response)
{
    list->outcome.pages++;
    list->outcome.size += response->size;
    memcpy(list->etag, response->etag, sizeof list->etag);
    memcpy(list->modified, response->modified, sizeof list->modified);
    memcpy(list->url, response->url, sizeof list->url);
}

static bool read_page(struct fetch_list *list, const struct http_response *response,
                      struct error *err)
{
    struct fs_stream stream = {response->fd, response->url};
    struct feed_input input = fetch_input(list, fs_source(&stream), response->url);
    bool ok;

    list->summary.rows = list->summary.ignored = 0;
    list->summary.published.s = 0;
    ok = list->feed.format->read(&input, list->fetch->ctx->sink, &list->summary, err);
    if (ok)
        fetch_count(list);
    return ok;
}

bool fetch_page(struct fetch_list *list, const struct http_request *request, struct error *err)
{
    struct http_response response;
    bool ok = fetch_get(list->fetch, request, &response, err);

    if (!ok)
        return false;
    take_head(list, &response);
    if (response.status == 304)
        list->outcome.end = FETCH_UNCHANGED;
    else
        ok = read_page(list, &response, err);
    http_response_close(&response);
    return ok;
}

const char *fetch_next(struct fetch_list *list, unsigned most, struct error *err)
{
    struct str next = buf_text(&list->summary.next);

    if (list->outcome.pages >= most ||
        (list->next != NULL && str_eq(str_from(list->next), next))) {
        error_set(err, ERROR_FAILED, "%s: there is no end of pages after %u", list->feed.from,
                  list->outcome.pages);
        return NULL;
    }
    list->next = str_dup(next, &list->fetch->arena, err);
    return list->next;
}

/* "aws-offers us-east-1": under what a list is remembered. */
static void name_list(const struct fetch_feed *feed, char *to, size_t room)
{
    (void)snprintf(to, room, "%s%s%.*s", feed->format->name, feed->part.len > 0 ? " " : "",
                   STR_ARG(feed->part));
}

bool fetch_whole(struct fetch_list *list, struct http_request *request, struct error *err)
{
    const struct fetch *fetch = list->fetch;
    const struct fetch_entry *had;
    char name[256];

    name_list(&list->feed, name, sizeof name);
    had = fetch_state_find(fetch->ctx->state, str_from(name));
    /* An ETag means something only where it was given. */
    if (had != NULL && !fetch->request->anew && had->fetched.s > 0 &&
        str_eq(had->url, str_from(request->url))) {
        request->etag = had->etag.len > 0 ? had->etag.at : NULL;
        request->modified = had->modified.len > 0 ? had->modified.at : NULL;
    }
    return fetch_page(list, request, err);
}

/* --- a list ------------------------------------------------------------------------------ */

/* Remember how it went; a failure keeps what was known about the last good time. */
static bool remember(const struct fetch_list *list, struct error *err)
{
    const struct fetch *fetch = list->fetch;
    const struct fetch_entry *had;
    struct fetch_entry entry = {0};
    char name[256];

    name_list(&list->feed, name, sizeof name);
    had = fetch_state_find(fetch->ctx->state, str_from(name));
    if (had != NULL)
        entry = *had;
    entry.list = str_from(name);
    entry.checked = fetch->request->now;
    entry.status = fetch->status;
    entry.message = (struct str){0};
    if (list->outcome.end == FETCH_FAILED) {
        entry.message = str_from(list->outcome.problem->text);
    } else if (list->outcome.end == FETCH_READ) {
        entry.url = str_from(list->feed.from);
        entry.etag = str_from(list->etag);
        entry.modified = str_from(list->modified);
        entry.fetched = fetch->request->now;
    }
    return fetch_state_put(fetch->ctx->state, &entry, err);
}

static void count_list(struct fetch_result *result, enum fetch_end end)
{
    if (end == FETCH_READ)
        result->read++;
    else if (end == FETCH_UNCHANGED)
        result->unchanged++;
    else
        result->failed++;
}

bool fetch_list(struct fetch *fetch, const struct fetch_feed *feed,
                bool (*ask)(struct fetch_list *list, struct error *err), const void *more,
                struct error *err)
{
    const struct fetch_listener *listener = fetch->ctx->listener;
    struct fetch_list list = {
        .fetch = fetch,
        .feed = *feed,
        .more = more,
        .outcome = {.scope = feed->format->scope, .date = fetch->request->now},
        .summary = {.next = buf_new(fetch->ctx->alloc, MAX_NEXT)},
    };
    const struct fetch_entry *had;
    struct error problem = {0};
    char name[256];
    bool ok;

    name_list(feed, name, sizeof name);
    had = fetch_state_find(fetch->ctx->state, str_from(name));
    if (had != NULL)
        list.since = had->fetched;
    if (!listener->begin(listener->ctx, feed, err))
        return false;
    if (!ask(&list, &problem)) {
        list.outcome.end = FETCH_FAILED;
        list.outcome.problem = &problem;
    }
    buf_free(&list.summary.next);
    if (list.outcome.rows == 0) /* an empty answer says nothing about what there is not */
        list.outcome.scope = SCOPE_ROWS;
    ok = listener->end(listener->ctx, &list.feed, &list.outcome, err);
    if (!ok)
        return false;
    count_list(fetch->result, list.outcome.end);
    if (fetch->halt || problem.kind == ERROR_MEMORY) {
        *err = problem;
        return false;
    }
    return remember(&list, err);
}
