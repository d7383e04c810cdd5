/* HTTP requests: redirects, retries, time limits, and errors that reveal no secret. */
#include "net/http.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/part.h"
#include "net/address.h"
#include "net/credentials.h"
#include "net/net_part.h"
#include "net/url.h"
#include "unit/time.h"

/* ---- files without a name, gone when they are closed, however the program ends ---- */

/* Open for reading and writing, in $TMPDIR or /tmp; -1 with the error set. */
static int temporary_file(struct error *err)
{
    const char *folder = env_get("TMPDIR");
    char path[PATH_MAX];
    int fd, len;

    if (folder == NULL)
        folder = "/tmp";
    fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    /* Not every file system has those: make one with a name, and take the name away. */
    len = snprintf(path, sizeof path, "%s/stint-XXXXXX", folder);
    if (len < 0 || (size_t)len >= sizeof path) {
        error_set(err, ERROR_INPUT, "the path '%.60s...' in TMPDIR is too long", folder);
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) {
        error_system(err, errno, "cannot make a temporary file in '%s'", folder);
        error_hint(err, "set TMPDIR to a folder that can be written");
        return -1;
    }
    (void)unlink(path);
    return fd;
}

/* Likewise in memory: for what is small. */
static int temporary_memory(struct error *err)
{
    int fd = memfd_create("stint", MFD_CLOEXEC);

    if (fd < 0)
        error_system(err, errno, "cannot make a temporary file in memory");
    return fd;
}

/* ---- one exchange ---- */

struct http_exchange {
    const struct http_client *client;
    const struct http_request *request;
    const struct net_part *part;
    void *session;
    int fd; /* of the body */
    /* Where it goes now. */
    struct buf address; /* complete, with a NUL after it */
    struct url at;      /* slices of it */
    bool secrets;       /* may they go there? */
    bool posting;       /* does the body? */
    /* What came of it. */
    enum net_end end;
    struct net_answer answer;
    unsigned tries;
    instant started;
};

/* ---- errors, without secrets ---- */

#define LOOK 8192               /* so much of a refusal's body is looked at */
#define MESSAGE 160             /* and so much of its message is repeated */
#define SHORTEST_PART 6         /* of a secret address: less is a word */
#define CLOSE INT64_C(20000000) /* ns: libcurl counts in milliseconds */

static const struct {
    int status;
    const char *text;
} statuses[] = {
    {206, "it sent a partial answer that was not requested"},
    {304, "it answers 'not modified', but there is no earlier copy"},
    {400, "bad request"},
    {401, "the key is missing or wrong"},
    {403, "access is refused"},
    {404, "not found"},
    {408, "the server waited too long for us"},
    {409, "refused"},
    {410, "it is gone"},
    {413, "what was sent is too long"},
    {421, "the server does not answer to this name"},
    {429, "too many requests"},
    {500, "the server failed"},
    {502, "the server behind the server failed"},
    {503, "the server is not available"},
    {504, "the server behind the server took too long"},
};

static span exchange_time_left(const struct http_exchange *x);
static bool too_many_requests(const struct http_exchange *x);

static const char *status_text(int status)
{
    for (size_t i = 0; i < ARRAY_LEN(statuses); i++)
        if (statuses[i].status == status)
            return statuses[i].text;
    return "not what was requested";
}

static void append_text(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void append_text(struct error *err, const char *fmt, ...)
{
    size_t used = strlen(err->text);
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(err->text + used, sizeof err->text - used, fmt, args);
    va_end(args);
}

/* Hide the complete path, then its longer parts and the query's values, which a server may
 * repeat alone. */
static size_t hide_url_secrets(const char *url, char *text, size_t len)
{
    const char *host = strstr(url, "://"),
               *path = host != NULL ? strpbrk(host + 3, "/?") : NULL;
    char part[CREDENTIAL_MAX];

    if (path == NULL)
        return len;
    len = secret_hide(text, len, path);
    while (*path != '\0') {
        size_t size = strcspn(path, "/?&=");

        if (size >= SHORTEST_PART && size < sizeof part) {
            memcpy(part, path, size);
            part[size] = '\0';
            len = secret_hide(text, len, part);
        }
        path += size + (path[size] != '\0');
    }
    explicit_bzero(part, sizeof part);
    return len;
}

/* Hide the request's secrets in a text that may have come from a server; its new length. */
static size_t exchange_hide(const struct http_request *r, char *text, size_t len)
{
    if (r->secret)
        len = hide_url_secrets(r->url, text, len);
    for (size_t i = 0; i < r->header_count; i++) {
        const char *value = r->headers[i].value, *blank = strrchr(value, ' ');

        if (r->headers[i].secret) /* "Bearer KEY": the key is the secret */
            len = secret_hide(text, len, blank != NULL ? blank + 1 : value);
    }
    if (r->aws == NULL)
        return len;
    len = secret_hide(text, len, r->aws->secret);
    len = secret_hide(text, len, r->aws->token);
    return secret_hide(text, len, r->aws->key);
}

/* The text under "message" or its like, as far as the JSON goes. */
static bool message_of_json(struct str body, struct buf *out)
{
    static const char *const keys[] = {"message", "msg", "detail", "error", "text"};
    struct json *json =
        json_open_text(body, &(struct json_options){.alloc = out->alloc, .max_token = LOOK},
                       &(struct error){0});
    struct json_token token = {0};
    struct error ignored = {0};
    bool wanted = false;

    while (json != NULL && out->len == 0 && json_next(json, &token, &ignored) &&
           token.kind != JSON_END) {
        if (wanted && token.kind == JSON_STRING)
            buf_add(out, token.text);
        wanted = false;
        for (size_t i = 0; token.kind == JSON_KEY && i < ARRAY_LEN(keys); i++)
            wanted = wanted || str_eq_nocase(token.text, str_from(keys[i]));
    }
    json_close(json);
    return out->len > 0;
}

static void message_of_xml(struct str body, struct buf *out)
{
    const struct str open = STR("<Message>"), close = STR("</Message>");
    const char *from = memmem(body.at, body.len, open.at, open.len);
    const char *to;

    if (from == NULL)
        return;
    from += open.len;
    to = memmem(from, (size_t)(body.at + body.len - from), close.at, close.len);
    if (to != NULL)
        buf_add(out, (struct str){from, (size_t)(to - from)});
}

/* What the server answers about its refusal: the first line, without our secrets. */
static void add_message(const struct http_exchange *x, struct error *err)
{
    char body[LOOK];
    ssize_t len = pread(x->fd, body, sizeof body, 0);
    struct buf raw = buf_new(x->client->alloc, LOOK), safe = buf_new(x->client->alloc, LOOK);
    struct str text, line;

    if (len > 0) {
        text = (struct str){body, (size_t)len};
        if (!message_of_json(text, &raw))
            message_of_xml(text, &raw);
        if (raw.len == 0 && x->request->stay && memchr(body, '<', (size_t)len) == NULL &&
            body[0] != '{')
            buf_add(&raw, text); /* "invalid_token": chats answer in plain words */
    }
    /* Before anything is cut, so that no half of a secret is left. */
    if (raw.len > 0)
        raw.len = exchange_hide(x->request, raw.at, raw.len);
    text = buf_text(&raw);
    line = str_trim(str_cut(&text, '\n'));
    if (line.len > MESSAGE)
        line.len = MESSAGE;
    if (line.len > 0) {
        buf_add_safe(&safe, line);
        if (safe.failed == ERROR_NONE)
            append_text(err, ": %.*s", (int)safe.len, safe.at);
    }
    buf_free(&raw);
    buf_free(&safe);
}

static void request_refused(const struct http_exchange *x, struct error *err)
{
    int status = x->answer.status;

    error_set(err, status == 404 ? ERROR_ABSENT : ERROR_FAILED, "%s (%d)",
              status_text(too_many_requests(x) ? 429 : status), status);
    add_message(x, err);
    if ((status == 401 || status == 403) && !too_many_requests(x) &&
        x->request->refused != NULL)
        error_hint(err, "%s", x->request->refused);
}

/* The error when there was no answer, or a useless one. */
static const struct {
    const char *text, *hint; /* hint NULL: none */
    bool problem;            /* is the problem in libcurl's words added? */
} ends[] = {
    [NET_STOPPED] = {.text = "stopped"},
    [NET_UNREACHABLE] = {"no connection",
                         "is there a network, or a proxy to name in https_proxy?", true},
    [NET_TIMED_OUT] = {.text = "no answer in time, or too slow an answer"},
    [NET_CUT_OFF] = {.text = "the answer was cut off"},
    [NET_TOO_LARGE] = {.text = "the answer is too large"},
    [NET_HEADERS] = {.text = "the headers of the answer are too large"},
    [NET_UNTRUSTED] = {"no safe connection",
                       "update the certificates of this machine (package ca-certificates), or "
                       "name a file with them in SSL_CERT_FILE",
                       true},
    [NET_GARBAGE] = {.text = "the answer is not readable as HTTP"},
    [NET_DISK] = {"the answer cannot be kept", "TMPDIR names the folder for temporary files",
                  true},
    [NET_FORBIDDEN] = {.text = "a link-local address, which is refused"},
    [NET_FAILED] = {"the request failed", NULL, true},
};

static void transfer_broke(const struct http_exchange *x, struct error *err)
{
    error_set(err, x->end == NET_DISK ? ERROR_SYSTEM : ERROR_FAILED, "%s%s%.120s",
              ends[x->end].text, ends[x->end].problem ? ": " : "",
              ends[x->end].problem ? x->answer.problem : "");
    if (x->end == NET_CUT_OFF)
        append_text(err, " after %llu bytes", (unsigned long long)x->answer.size);
    if (x->end == NET_TOO_LARGE)
        append_text(err, ": more than %llu bytes", (unsigned long long)x->request->max_body);
    /* Who asks directly has nothing of a proxy. */
    if (ends[x->end].hint != NULL && !(x->request->direct && x->end == NET_UNREACHABLE))
        error_hint(err, "%s", ends[x->end].hint);
}

/* All of the time for the request is gone, its tries and waits included. */
static void ran_out_of_time(const struct http_exchange *x, struct error *err)
{
    const struct http_manners *m = x->client->manners;
    struct buf limit = buf_new(x->client->alloc, 64);

    span_write(m->altogether, &limit);
    error_set(err, ERROR_FAILED, "no complete answer within %.*s (%llu bytes arrived)%s%s",
              STR_ARG(buf_text(&limit)), (unsigned long long)x->answer.size,
              m->longer != NULL ? "; " : "", m->longer != NULL ? m->longer : "");
    buf_free(&limit);
}

static void copy_place(const struct http_exchange *x, char *to, size_t room)
{
    (void)snprintf(to, room, "%.*s", (int)(x->at.place.len < room ? x->at.place.len : room - 1),
                   x->at.place.at);
}

/* Report what came instead of a good answer. Returns false. */
static bool exchange_failed(const struct http_exchange *x, struct error *err)
{
    char place[256];

    if (x->end == NET_NO_MEMORY)
        return error_memory(err);
    if (x->end == NET_ANSWERED)
        request_refused(x, err);
    else if (x->end == NET_TIMED_OUT && exchange_time_left(x).ns < CLOSE)
        ran_out_of_time(x, err);
    else
        transfer_broke(x, err);
    if (x->tries > 1 && x->end != NET_STOPPED)
        append_text(err, " (asked %u times)", x->tries);
    copy_place(x, place, sizeof place);
    error_context(err, "%s", place);
    return false;
}

/* ---- one hop: its address, which secrets may be sent there, sending it ---- */

#define MAX_PARAMETERS 4096
#define MAX_HEADERS 32

static int by_parameter_name(const void *a, const void *b)
{
    const struct http_parameter *x = a, *y = b;
    int order = str_cmp(x->name, y->name);

    return order != 0 ? order : str_cmp(x->value, y->value);
}

static bool encode_form(struct str text, struct arena *arena, struct str *out,
                        struct error *err)
{
    struct buf encoded = buf_new(arena->alloc, text.len * 3 + 1);

    url_encode(text, &encoded);
    return buf_keep(&encoded, arena, out, err);
}

static bool add_http_parameters(struct http_exchange *x, struct arena *arena, struct error *err)
{
    const struct http_request *r = x->request;
    struct http_parameter *list;
    char before = strchr(r->url, '?') != NULL ? '&' : '?';

    if (r->parameter_count > MAX_PARAMETERS)
        return error_fail(err, ERROR_INPUT, "a request has more than %d parameters",
                          MAX_PARAMETERS);
    list = arena_array(arena, struct http_parameter, r->parameter_count + 1, err);
    if (list == NULL)
        return false;
    for (size_t i = 0; i < r->parameter_count; i++)
        if (!encode_form(r->parameters[i].name, arena, &list[i].name, err) ||
            !encode_form(r->parameters[i].value, arena, &list[i].value, err))
            return false;
    qsort(list, r->parameter_count, sizeof list[0], by_parameter_name);
    for (size_t i = 0; i < r->parameter_count; i++, before = '&') {
        buf_char(&x->address, before);
        buf_add(&x->address, list[i].name);
        buf_char(&x->address, '=');
        buf_add(&x->address, list[i].value);
    }
    return true;
}

static bool has_request_secrets(const struct http_request *r)
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

/* Set out: the request's own address with its parameters, encoded and sorted. */
static bool exchange_start(struct http_exchange *x, struct error *err)
{
    struct arena arena = {.alloc = x->client->alloc, .block_size = ARENA_BLOCK_SIZE};
    bool ok = true;

    buf_clear(&x->address);
    buf_adds(&x->address, x->request->url);
    if (x->request->parameter_count > 0)
        ok = add_http_parameters(x, &arena, err);
    arena_free(&arena);
    x->secrets = has_request_secrets(x->request);
    x->posting = x->request->body.len > 0;
    return ok && settle_address(x, err);
}

/* Follow the redirect, if that is allowed. */
static bool exchange_move(struct http_exchange *x, struct error *err)
{
    char from[200];
    bool was_tls = x->at.tls;
    struct url before, to;

    (void)snprintf(from, sizeof from, "%.*s", STR_ARG(x->at.place));
    if (x->answer.location[0] == '\0')
        return error_fail(err, ERROR_FAILED, "%s: a redirect (%d) without an address", from,
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

static bool add_http_line(struct lines *lines, const char *name, const char *value,
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
            !add_http_line(lines, r->headers[i].name, r->headers[i].value, err))
            return false;
    if (x->secrets && r->aws != NULL && r->aws->token != NULL &&
        !add_http_line(lines, "X-Amz-Security-Token", r->aws->token, err))
        return false;
    if (x->posting && r->content_type != NULL &&
        !add_http_line(lines, "Content-Type", r->content_type, err))
        return false;
    if (r->etag != NULL && !add_http_line(lines, "If-None-Match", r->etag, err))
        return false;
    return r->modified == NULL || add_http_line(lines, "If-Modified-Since", r->modified, err);
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

/* What is left of the time for the request; INT64_MAX when it has no limit. */
static span exchange_time_left(const struct http_exchange *x)
{
    int64_t all = x->client->manners->altogether.ns;
    int64_t left = all - span_between(x->started, clock_paid()).ns;

    return (span){all == 0 ? INT64_MAX : left > 0 ? left : 0};
}

/* Ask, at the present address. False when it may not or cannot be asked at all. */
static bool exchange_send(struct http_exchange *x, struct error *err)
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
        .certificates = x->request->certificates,
        .direct = x->request->direct || url_is_loopback(&x->at),
        .no_metadata = m->no_metadata,
        .fd = x->fd,
        .max_body = x->request->max_body,
        .connect = m->connect,
        .stall = m->stall,
        .altogether = left.ns < m->attempt.ns ? left : m->attempt,
        .progress = x->client->progress,
        .progress_ctx = x->client->progress_ctx,
    };

    if (x->secrets && !x->at.tls && !url_is_loopback(&x->at) && !x->request->plain_allowed) {
        error_set(err, ERROR_INPUT, "%.*s: refusing to send a key over plain http",
                  STR_ARG(x->at.place));
        error_hint(err, "give an https:// address");
        return false;
    }
    /* A proxy would be asked for it, and might. */
    if (m->no_metadata && address_text_is_metadata(x->at.host))
        return error_fail(err, ERROR_INPUT, "%.*s: a link-local address, which is refused",
                          STR_ARG(x->at.host));
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

/* ---- retries ---- */

#define SMALL_BODY 65536 /* bytes: kept in memory, so that a full disk does not lose it */
#define MAX_REDIRECTS 5
#define MAX_ADDRESS ((size_t)64 * 1024)
#define NAP (SECOND / 20) /* how soon a wait notices that it should stop */

const struct http_manners http_default_manners = {
    .tries = 4,
    .wait = {SECOND},
    .patience = {60 * SECOND},
    .connect = {15 * SECOND},
    .stall = {30 * SECOND},
    .attempt = {600 * SECOND},
    .altogether = {600 * SECOND},
};

struct http_session *http_session_open(struct error *err)
{
    const struct net_part *part = part_open("net", NET_PART_VERSION, err);
    void *session;

    if (part == NULL)
        return NULL;
    session = part->open();
    if (session == NULL)
        (void)error_memory(err);
    return session;
}

void http_session_close(struct http_session *session)
{
    struct error ignored = {0};
    const struct net_part *part;

    if (session == NULL)
        return;
    part = part_open("net", NET_PART_VERSION, &ignored);
    if (part != NULL)
        part->close(session);
}

static bool is_redirect(int status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static bool is_good_answer(const struct http_exchange *x)
{
    bool asked = x->request->etag != NULL || x->request->modified != NULL;

    /* 206 is a part of the answer, and no request asks for a part. */
    return x->end == NET_ANSWERED &&
           ((x->answer.status >= 200 && x->answer.status < 300 && x->answer.status != 206) ||
            (x->answer.status == 304 && asked));
}

/* Refused before anything was done. A forge answers 403 with a time to wait, too. */
static bool too_many_requests(const struct http_exchange *x)
{
    return x->answer.status == 429 || (x->answer.status == 403 && x->answer.retry_after >= 0);
}

/* A failure that another try may not meet. */
static bool may_retry_http(const struct http_exchange *x)
{
    switch (x->end) {
    case NET_ANSWERED:
        return too_many_requests(x) ||
               (!x->request->once && (x->answer.status == 500 || x->answer.status == 502 ||
                                      x->answer.status == 503 || x->answer.status == 504));
    case NET_UNREACHABLE:
    case NET_TIMED_OUT:
    case NET_CUT_OFF:
        return !x->request->once;
    case NET_STOPPED:
    case NET_TOO_LARGE:
    case NET_HEADERS:
    case NET_UNTRUSTED:
    case NET_GARBAGE:
    case NET_DISK:
    case NET_NO_MEMORY:
    case NET_FORBIDDEN:
    case NET_FAILED:
        break;
    }
    return false;
}

/* How long to wait before the next try: as long as the server asks, else ever longer. */
static span next_wait(const struct http_exchange *x)
{
    const struct http_manners *m = x->client->manners;
    int64_t wait = m->wait.ns;

    if (x->end == NET_ANSWERED && x->answer.retry_after >= 0)
        return (span){x->answer.retry_after < INT64_MAX / SECOND
                          ? x->answer.retry_after * SECOND
                          : INT64_MAX};
    for (unsigned i = 1; i < x->tries && wait < m->patience.ns; i++)
        wait *= 2;
    return (span){wait < m->patience.ns ? wait : m->patience.ns};
}

bool http_sleep(const struct http_client *client, span wait)
{
    while (wait.ns > 0) {
        int64_t ns = wait.ns < NAP ? wait.ns : NAP;
        struct timespec nap = {ns / SECOND, ns % SECOND};

        if (client->progress != NULL && !client->progress(client->progress_ctx, 0, 0))
            return false;
        while (nanosleep(&nap, &nap) != 0 && errno == EINTR)
            continue;
        wait.ns -= ns;
    }
    return true;
}

static void hide_secrets(const struct http_exchange *x, struct error *err)
{
    err->text[exchange_hide(x->request, err->text, strlen(err->text))] = '\0';
    err->hint[exchange_hide(x->request, err->hint, strlen(err->hint))] = '\0';
}

/* One try, with the redirects that belong to it. */
static bool follow_redirect(struct http_exchange *x, struct error *err)
{
    if (!exchange_start(x, err))
        return false;
    for (unsigned redirects = 0;; redirects++) {
        if (!exchange_send(x, err))
            return false;
        if (x->end != NET_ANSWERED || !is_redirect(x->answer.status) || x->request->direct ||
            x->request->stay)
            return true;
        if (redirects == MAX_REDIRECTS)
            return error_fail(err, ERROR_FAILED, "%.*s: more than %d redirects",
                              STR_ARG(x->at.place), MAX_REDIRECTS);
        if (!exchange_move(x, err))
            return false;
    }
}

static bool send_http_once(struct http_exchange *x, struct error *err)
{
    const struct http_client *client = x->client;

    for (;;) {
        span wait;

        x->tries++;
        if (!follow_redirect(x, err))
            return false;
        if (is_good_answer(x))
            return true;
        (void)exchange_failed(x, err);
        hide_secrets(x, err); /* it may be logged */
        if (!may_retry_http(x) || x->tries >= client->manners->tries)
            return false;
        wait = next_wait(x);
        if (wait.ns > client->manners->patience.ns) {
            error_hint(err, "the server asks to wait %lld s: try again then",
                       (long long)(wait.ns / SECOND));
            return false;
        }
        if (exchange_time_left(x).ns <= wait.ns)
            return false;
        log_write(client->log, LOG_INFO, "%s; again in %.1f s", err->text,
                  (double)wait.ns / (double)SECOND);
        if (!http_sleep(client, wait)) {
            x->end = NET_STOPPED;
            return exchange_failed(x, err);
        }
    }
}

static bool take_http_answer(const struct http_exchange *x, struct http_response *out,
                             struct error *err)
{
    if (lseek(x->fd, 0, SEEK_SET) != 0) {
        error_system(err, errno, "cannot read the answer again");
        return false;
    }
    out->size = x->answer.size;
    memcpy(out->etag, x->answer.etag, sizeof out->etag);
    memcpy(out->modified, x->answer.modified, sizeof out->modified);
    memcpy(out->watched, x->answer.watched, sizeof out->watched);
    copy_place(x, out->url, sizeof out->url);
    return true;
}

bool http_get(const struct http_client *client, const struct http_request *request,
              struct http_response *out, struct error *err)
{
    struct http_exchange x = {
        .client = client, .request = request, .fd = -1, .started = clock_paid()};
    struct error before = *err;
    bool ok = false;

    *out = (struct http_response){.fd = -1, .retry_after = -1};
    x.part = part_open("net", NET_PART_VERSION, err);
    if (x.part == NULL)
        return false;
    x.address = buf_new(client->alloc, MAX_ADDRESS);
    x.session = client->session != NULL ? client->session : x.part->open();
    if (x.session == NULL) {
        buf_free(&x.address);
        return error_memory(err);
    }
    x.fd = request->direct || request->max_body <= SMALL_BODY ? temporary_memory(err)
                                                              : temporary_file(err);
    if (x.fd >= 0)
        ok = send_http_once(&x, err) && take_http_answer(&x, out, err);
    if (ok)
        *err = before; /* tries that failed are forgotten */
    else
        hide_secrets(&x, err);
    out->status = x.answer.status;
    out->retry_after = x.end == NET_ANSWERED ? x.answer.retry_after : -1;
    out->stopped = x.end == NET_STOPPED;
    if (ok && out->status != 304)
        out->fd = x.fd;
    else if (x.fd >= 0)
        (void)close(x.fd);
    if (client->session == NULL)
        x.part->close(x.session);
    buf_free(&x.address);
    return ok;
}

bool http_date(struct str text, stamp *out)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char written[32];

    /* 0         1         2
     * "Sat, 22 Aug 2026 10:00:00 GMT" */
    if (text.len != 29 || text.at[3] != ',' ||
        !str_eq((struct str){text.at + 25, 4}, STR(" GMT")))
        return false;
    for (unsigned m = 0; m < 12; m++)
        if (memcmp(text.at + 8, months + (size_t)m * 3, 3) == 0) {
            (void)snprintf(written, sizeof written, "%.4s-%02u-%.2s%c%.8sZ", text.at + 12,
                           m + 1, text.at + 5, 'T', text.at + 17);
            return stamp_parse(str_from(written), out);
        }
    return false;
}

void http_response_close(struct http_response *response)
{
    if (response->fd > 0) /* no body is standard input: 0 is "never opened" */
        (void)close(response->fd);
    response->fd = -1;
}
