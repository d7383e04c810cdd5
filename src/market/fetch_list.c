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

void fetch_hide(const struct fetch *fetch, char *text)
{
    if (fetch->has_keys)
        credentials_hide(&fetch->keys, text);
}

void fetch_say(const struct fetch *fetch, enum message_kind kind, const char *fmt, ...)
{
    const struct fetch_listener *listener = fetch->ctx->listener;
    char text[512];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    fetch_hide(fetch, text);
    message_add(&listener->messages, kind, "%s", text);
}

/* --- pages ------------------------------------------------------------------------------- */

bool fetch_get(struct fetch *fetch, const struct http_request *request,
               struct http_response *response, struct error *err)
{
    uint64_t left = MAX_BYTES - fetch->size;
    struct http_request limited = *request;
    bool ok;

    if (limited.max_body > left)
        limited.max_body = left;
    if (limited.refused == NULL && fetch->provider->key != FETCH_OPEN)
        limited.refused = credentials_where((enum credentials_of)fetch->provider->credentials);
    fetch->asked = true;
    ok = http_get(&fetch->http, &limited, response, err);
    fetch->status = response->status;
    fetch->size += response->size;
    if (!ok && (response->stopped || err->kind == ERROR_MEMORY))
        fetch->halt = true;
    return ok;
}

struct feed_reading fetch_reading(struct fetch_list *list, struct source source,
                                  const char *name)
{
    return (struct feed_reading){
        .source = source,
        .name = name,
        .provider = list->feed.provider,
        .date = list->outcome.date,
        .known = list->fetch->ctx->known,
        .alloc = list->fetch->ctx->alloc,
        .sink = &list->fetch->sink,
        .summary = &list->summary,
    };
}

static void count_page(struct fetch_list *list)
{
    list->outcome.rows += list->summary.rows;
    if (list->summary.published.s > 0)
        list->outcome.date = list->summary.published.s >= list->dated.s
                                 ? list->summary.published
                                 : list->fetch->request->now;
}

/* A file is as old as its server reports, but not of the future. */
static void take_list_date(struct fetch_list *list, const char *modified)
{
    stamp at, now = list->fetch->request->now;

    if (list->file && http_date(str_from(modified), &at) && at.s > 0 && at.s < now.s)
        list->outcome.date = at;
}

/* What a page is besides its prices. */
static void take_head(struct fetch_list *list, const struct http_response *response)
{
    take_list_date(list, response->modified);
    list->outcome.pages++;
    list->outcome.size += response->size;
    memcpy(list->etag, response->etag, sizeof list->etag);
    memcpy(list->modified, response->modified, sizeof list->modified);
    memcpy(list->url, response->url, sizeof list->url);
}

static bool read_list_page(struct fetch_list *list, const struct http_response *response,
                           struct error *err)
{
    struct fs_stream stream = {response->fd, response->url};
    struct feed_reading feed = fetch_reading(list, fs_source(&stream), response->url);
    bool ok;

    list->summary.rows = list->summary.ignored = 0;
    list->summary.published.s = 0;
    ok = list->parts != NULL ? gcp_parts_add(list->parts, &feed, err)
                             : feed_read(list->feed.format, &feed, err);
    if (ok)
        count_page(list);
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
        ok = read_list_page(list, &response, err);
    http_response_close(&response);
    return ok;
}

const char *fetch_next(struct fetch_list *list, unsigned most, struct error *err)
{
    struct str next = buf_text(&list->summary.next);

    if (list->outcome.pages >= most ||
        (list->next != NULL && str_eq(str_from(list->next), next))) {
        error_set(err, ERROR_FAILED, "%s: no last page after %u pages", list->feed.from,
                  list->outcome.pages);
        return NULL;
    }
    list->next = str_dup(next, &list->fetch->arena, err);
    return list->next;
}

bool fetch_pages(struct fetch_list *list, struct http_request *request,
                 struct http_parameter *last, unsigned most, struct error *err)
{
    size_t with_token = request->parameter_count + 1;

    for (;;) {
        const char *token;

        if (!fetch_page(list, request, err))
            return false;
        if (list->summary.next.len == 0)
            return true;
        token = fetch_next(list, most, err);
        if (token == NULL)
            return false;
        last->value = str_from(token);
        request->parameter_count = with_token;
    }
}

/* "aws-offers us-east-1": under what a list is remembered. */
static void name_fetched_list(const struct fetch_feed *feed, char *to, size_t room)
{
    (void)snprintf(to, room, "%s%s%.*s", feed->format->name, feed->part.len > 0 ? " " : "",
                   STR_ARG(feed->part));
}

bool fetch_whole(struct fetch_list *list, struct http_request *request, struct error *err)
{
    const struct fetch *fetch = list->fetch;
    const struct fetch_listener *listener = fetch->ctx->listener;
    const struct fetch_entry *had;
    char name[256];

    name_fetched_list(&list->feed, name, sizeof name);
    had = fetch_state_find(fetch->ctx->state, str_from(name));
    if (had != NULL && !list->file)
        list->dated = had->dated;
    /* An ETag means something only where it was given. */
    if (had != NULL && !fetch->request->anew && had->fetched.s > 0 && had->dated.s > 0 &&
        str_eq(had->url, str_from(request->url)) &&
        (listener->keeps == NULL || listener->keeps(listener->ctx, &list->feed, had->dated))) {
        request->etag = had->etag.len > 0 ? had->etag.at : NULL;
        request->modified = had->modified.len > 0 ? had->modified.at : NULL;
        list->outcome.before = had->dated;
    }
    if (!fetch_page(list, request, err))
        return false;
    if (list->outcome.end == FETCH_UNCHANGED)
        take_list_date(list, request->modified);
    return true;
}

/* --- a list ------------------------------------------------------------------------------ */

/* A machine with its prices. A list's own date may be older than the day on which the server
 * reported that nothing had changed since: this answer holds since then. */
static bool take_quote(void *ctx, const struct quote *quote, struct error *err)
{
    struct fetch *fetch = ctx;
    const struct feed_sink *sink = fetch->ctx->sink;
    struct quote dated = *quote;
    bool priced = false;

    for (int m = 0; m < MARKET_COUNT; m++)
        priced = priced || quote->price[m] >= 0;
    fetch->list->priced += priced;
    if (dated.at.s < fetch->list->dated.s)
        dated.at = fetch->request->now;
    return sink->quote(sink->ctx, &dated, err);
}

static bool take_bad(void *ctx, const struct error *problem)
{
    const struct fetch *fetch = ctx;
    const struct feed_sink *sink = fetch->ctx->sink;
    struct error safe = *problem;

    fetch_hide(fetch, safe.text);
    fetch_hide(fetch, safe.hint);
    return sink->bad(sink->ctx, &safe);
}

struct str fetch_harmless(const struct fetch *fetch, char *text)
{
    size_t len = strlen(text);

    fetch_hide(fetch, text);
    return strlen(text) == len ? str_from(text) : (struct str){0};
}

/* Remember how it went; a failure keeps what was known about the last good time. */
static bool remember_list(struct fetch_list *list, struct error *err)
{
    const struct fetch *fetch = list->fetch;
    const struct fetch_entry *had;
    struct fetch_entry entry = {0};
    char name[256];

    name_fetched_list(&list->feed, name, sizeof name);
    had = fetch_state_find(fetch->ctx->state, str_from(name));
    if (had != NULL)
        entry = *had;
    entry.list = str_from(name);
    entry.checked = fetch->request->now;
    entry.status = fetch->status;
    entry.message = (struct str){0};
    if (list->outcome.problem != NULL)
        entry.message = str_from(list->outcome.problem->text);
    else
        entry.dated = list->outcome.date;
    if (list->outcome.end == FETCH_READ) {
        entry.url = str_from(list->feed.from);
        entry.etag = fetch_harmless(fetch, list->etag);
        entry.modified = fetch_harmless(fetch, list->modified);
        entry.fetched = fetch->request->now;
    }
    return fetch_state_put(fetch->ctx->state, &entry, err);
}

/* A provider that has no machine at all, all of a sudden, is not believed: a filter that no
 * longer fits looks the same. A log of what is new may well be empty. */
static bool is_list_empty(const struct fetch_list *list)
{
    return list->outcome.end == FETCH_READ && list->priced == 0 &&
           !(list->feed.format->scope == SCOPE_LOG && list->since.s > 0);
}

static void judge_list(struct fetch_list *list, bool ok, struct error *problem)
{
    const struct fetch *fetch = list->fetch;

    if (!ok) {
        list->outcome.end = FETCH_FAILED;
    } else if (is_list_empty(list)) {
        list->outcome.end = FETCH_EMPTY;
        error_set(problem, ERROR_ABSENT,
                  "the answer has no price of a machine with accelerators");
        fetch_say(fetch, MESSAGE_WARNING, "%s%s%.*s: %s; the prices there stay",
                  fetch->provider->name, list->feed.part.len > 0 ? " " : "",
                  STR_ARG(list->feed.part), problem->text);
    } else {
        return;
    }
    fetch_hide(fetch, problem->text);
    fetch_hide(fetch, problem->hint);
    list->outcome.problem = problem;
}

/* A server that sends slowly has a status, and is no faster at the next list. */
static bool took_all_time(const struct fetch *fetch, instant began)
{
    int64_t most = fetch->http.manners != NULL ? fetch->http.manners->altogether.ns : 0;

    return most > 0 && span_between(began, clock_paid()).ns >= most - SECOND / 20;
}

#define TOO_MANY_REQUESTS 429
#define SERVER_ERRORS 500 /* and above */

/* Was there no answer, or only one that says that the server is overloaded or broken? */
static bool is_unanswered(int status)
{
    return status == 0 || status == TOO_MANY_REQUESTS || status >= SERVER_ERRORS;
}

bool fetch_is_silent(const struct fetch *fetch)
{
    if (fetch->silent < 2 && !fetch->late)
        return false;
    if (fetch->status >= TOO_MANY_REQUESTS && !fetch->late)
        fetch_say(fetch, MESSAGE_WARNING,
                  "%s is not available (%d): its other lists are not fetched", fetch->base,
                  fetch->status);
    else
        fetch_say(fetch, MESSAGE_WARNING,
                  "no %sanswer from %s%s: its other lists are not fetched",
                  fetch->late ? "complete " : "", fetch->base, fetch->late ? " in time" : "");
    return true;
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
    instant began = clock_paid();
    struct error problem = {0};
    char name[256];
    bool failed;

    name_fetched_list(feed, name, sizeof name);
    had = fetch_state_find(fetch->ctx->state, str_from(name));
    if (had != NULL)
        list.since = had->fetched;
    fetch->sink = (struct feed_sink){take_quote, take_bad, fetch};
    /* cppcheck-suppress autoVariables ; for the sink, which is called only from here */
    fetch->list = &list;
    if (!listener->begin(listener->ctx, feed, err))
        return false;
    fetch->status = 0;
    fetch->asked = false;
    judge_list(&list, ask(&list, &problem), &problem);
    failed = list.outcome.end == FETCH_FAILED;
    if (fetch->asked)
        fetch->silent = failed && is_unanswered(fetch->status) ? fetch->silent + 1 : 0;
    fetch->late = failed && took_all_time(fetch, began);
    buf_free(&list.summary.next);
    if (!listener->end(listener->ctx, &list.feed, &list.outcome, err))
        return false;
    if (fetch->halt || problem.kind == ERROR_MEMORY) {
        *err = problem;
        return false;
    }
    return remember_list(&list, err);
}
