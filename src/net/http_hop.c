/* One hop of a request: its address, what may travel there, and sending it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/http_internal.h"

#define MAX_PARAMETERS 4096
#define MAX_HEADERS 32

/* A parameter as it is sent. */
struct encoded {
    struct str name, value;
};

static int by_name(const void *a, const void *b)
{
    const struct encoded *x = a, *y = b;
    int order = str_cmp(x->name, y->name);

    return order != 0 ? order : str_cmp(x->value, y->value);
}

static struct str encode(struct str text, struct arena *arena, struct error *err)
{
    struct buf out = buf_new(arena->alloc, text.len * 3 + 1);
    struct str copy = {0};

    url_encode(text, &out);
    if (buf_ok(&out, err)) {
        copy.at = str_dup(buf_text(&out), arena, err);
        copy.len = copy.at != NULL ? out.len : 0;
    }
    buf_free(&out);
    return copy;
}

static bool add_parameters(struct http_exchange *x, struct arena *arena, struct error *err)
{
    const struct http_request *r = x->request;
    struct encoded *list;
    char before = strchr(r->url, '?') != NULL ? '&' : '?';

    if (r->parameter_count > MAX_PARAMETERS)
        return error_fail(err, ERROR_INPUT, "a request has more than %d parameters",
                          MAX_PARAMETERS);
    list = arena_array(arena, struct encoded, r->parameter_count + 1, err);
    if (list == NULL)
        return false;
    for (size_t i = 0; i < r->parameter_count; i++) {
        list[i].name = encode(r->parameters[i].name, arena, err);
        list[i].value = encode(r->parameters[i].value, arena, err);
        if (list[i].name.at == NULL || list[i].value.at == NULL)
            return false;
    }
    qsort(list, r->parameter_count, sizeof list[0], by_name);
    for (size_t i = 0; i < r->parameter_count; i++, before = '&') {
        buf_char(&x->address, before);
        buf_add(&x->address, list[i].name);
        buf_char(&x->address, '=');
        buf_add(&x->address, list[i].value);
    }
    return true;
}

static bool has_secrets(const struct http_request *r)
{
    for (size_t i = 0; i < r->header_count; i++)
        if (r->headers[i].secret)
            return true;
    return r->aws != NULL || r->secret;
}

/* Take the address apart, with a NUL after it for libcurl. */
static bool settle_address(struct http_exchange *x, struct error *err)
{
    struct str text;

    buf_char(&x->address, '\0');
    if (!buf_ok(&x->address, err))
        return false;
    text = buf_text(&x->address);
    text.len--;
    return url_parse(text, &x->at, err);
}

bool exchange_start(struct http_exchange *x, struct error *err)
{
    struct arena arena = {.alloc = x->client->alloc, .block_size = ARENA_BLOCK_SIZE};
    bool ok = true;

    buf_clear(&x->address);
    buf_adds(&x->address, x->request->url);
    if (x->request->parameter_count > 0)
        ok = add_parameters(x, &arena, err);
    arena_free(&arena);
    x->secrets = has_secrets(x->request);
    x->posting = x->request->body.len > 0;
    return ok && settle_address(x, err);
}

bool exchange_move(struct http_exchange *x, struct error *err)
{
    char from[200];
    bool was_tls = x->at.tls;
    struct url before, to;

    (void)snprintf(from, sizeof from, "%.*s", STR_ARG(x->at.place));
    if (x->answer.location[0] == '\0')
        return error_fail(err, ERROR_FAILED, "%s: a redirect (%d) to nowhere", from,
                          x->answer.status);
    if (!url_parse(str_from(x->answer.location), &to, err)) {
        error_context(err, "%s: its redirect", from);
        err->kind = ERROR_FAILED;
        return false;
    }
    if (was_tls && !to.tls)
        return error_fail(err, ERROR_FAILED,
                          "%s: it redirects from https to plain http, which is not followed",
                          from);
    before = x->at;
    if (!url_same_host(&before, &to))
        x->secrets = false; /* for good: a way back may be a trap */
    if (x->answer.status != 307 && x->answer.status != 308)
        x->posting = false;
    buf_clear(&x->address);
    buf_adds(&x->address, x->answer.location);
    return settle_address(x, err);
}

/* --- headers ----------------------------------------------------------------------------- */

struct lines {
    struct arena arena;
    const char *at[MAX_HEADERS];
    char *wipe[MAX_HEADERS];
    size_t len[MAX_HEADERS], count;
};

static bool add_line(struct lines *lines, const char *name, const char *value,
                     struct error *err)
{
    size_t room = strlen(name) + strlen(value) + 3;
    char *line;

    if (lines->count == MAX_HEADERS)
        return error_fail(err, ERROR_INPUT, "a request has more than %d headers", MAX_HEADERS);
    for (const char *c = value; *c != '\0'; c++)
        if (*c < ' ' || *c >= 0x7f)
            return error_fail(err, ERROR_INPUT,
                              "the value for the header %s has a character it must not have",
                              name);
    line = arena_array(&lines->arena, char, room, err);
    if (line == NULL)
        return false;
    (void)snprintf(line, room, "%s: %s", name, value);
    lines->wipe[lines->count] = line;
    lines->len[lines->count] = room;
    lines->at[lines->count++] = line;
    return true;
}

static bool add_lines(const struct http_exchange *x, struct lines *lines, struct error *err)
{
    const struct http_request *r = x->request;

    for (size_t i = 0; i < r->header_count; i++)
        if ((x->secrets || !r->headers[i].secret) &&
            !add_line(lines, r->headers[i].name, r->headers[i].value, err))
            return false;
    if (x->secrets && r->aws != NULL && r->aws->token != NULL &&
        !add_line(lines, "X-Amz-Security-Token", r->aws->token, err))
        return false;
    if (x->posting && r->content_type != NULL &&
        !add_line(lines, "Content-Type", r->content_type, err))
        return false;
    if (r->etag != NULL && !add_line(lines, "If-None-Match", r->etag, err))
        return false;
    return r->modified == NULL || add_line(lines, "If-Modified-Since", r->modified, err);
}

static void free_lines(struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        explicit_bzero(lines->wipe[i], lines->len[i]);
    arena_free(&lines->arena);
}

/* A redirect may have put a secret into the address. */
static void log_hop(const struct http_exchange *x)
{
    char line[1024];
    const char *method = x->request->method;
    int len = snprintf(line, sizeof line, "%s %.*s: status %d, %llu bytes%s%s",
                       method != NULL ? method
                       : x->posting   ? "POST"
                                      : "GET",
                       STR_ARG(x->at.place), x->answer.status,
                       (unsigned long long)x->answer.size, x->end == NET_ANSWERED ? "" : ", ",
                       x->end == NET_ANSWERED ? "" : x->answer.problem);
    size_t used = len < 0 ? 0 : (size_t)len < sizeof line ? (size_t)len : sizeof line - 1;

    log_write(x->client->log, LOG_DEBUG, "%.*s", (int)exchange_hide(x->request, line, used),
              line);
}

span exchange_time_left(const struct http_exchange *x)
{
    int64_t all = x->client->manners->altogether.ns;
    int64_t left = all - span_between(x->started, clock_paid()).ns;

    return (span){all == 0 ? INT64_MAX : left > 0 ? left : 0};
}

bool exchange_send(struct http_exchange *x, struct error *err)
{
    const struct http_manners *m = x->client->manners;
    struct lines lines = {.arena = {.alloc = x->client->alloc}};
    span left = exchange_time_left(x);
    struct net_transfer t = {
        .url = x->address.at,
        .method = x->request->method,
        .watch = x->request->watch,
        .headers = lines.at,
        .aws = x->secrets ? x->request->aws : NULL,
        .agent = "stint/" STINT_VERSION,
        .direct = x->request->direct || url_is_loopback(&x->at),
        .fd = x->fd,
        .max_body = x->request->max_body,
        .connect = m->connect,
        .stall = m->stall,
        .altogether = left.ns < m->attempt.ns ? left : m->attempt,
        .progress = x->client->progress,
        .progress_ctx = x->client->progress_ctx,
    };

    if (x->secrets && !x->at.tls && !url_is_loopback(&x->at)) {
        error_set(err, ERROR_INPUT, "%.*s: a key would travel over plain http, for all to read",
                  STR_ARG(x->at.place));
        error_hint(err, "give an https:// address");
        return false;
    }
    if (lseek(x->fd, 0, SEEK_SET) != 0 || ftruncate(x->fd, 0) != 0) {
        error_system(err, errno, "cannot write a temporary file");
        return false;
    }
    if (!add_lines(x, &lines, err)) {
        free_lines(&lines);
        return false;
    }
    if (x->posting)
        t.body = x->request->body;
    t.header_count = lines.count;
    x->end = x->part->transfer(x->session, &t, &x->answer);
    free_lines(&lines);
    log_hop(x);
    return true;
}
