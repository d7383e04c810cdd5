/* What went wrong, in a line that gives no secret away. */
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "net/credentials.h"
#include "net/http_internal.h"
#include "unit/time.h"

#define LOOK 8192               /* so much of a refusal's body is looked at */
#define MESSAGE 160             /* and so much of what it says is repeated */
#define SHORTEST_PART 6         /* of a secret address: less is a word */
#define CLOSE INT64_C(20000000) /* ns: libcurl counts in milliseconds */

static const struct {
    int status;
    const char *text;
} statuses[] = {
    {206, "it sent only a part of the answer, which was not asked for"},
    {304, "it says 'not changed', but we have nothing that could have"},
    {400, "bad request"},
    {401, "the key is missing or wrong"},
    {403, "access is refused"},
    {404, "there is no such thing"},
    {408, "the server waited too long for us"},
    {410, "it is gone"},
    {429, "too many requests"},
    {500, "the server failed"},
    {502, "the server behind the server failed"},
    {503, "the server is not available"},
    {504, "the server behind the server took too long"},
};

static const char *status_text(int status)
{
    for (size_t i = 0; i < ARRAY_LEN(statuses); i++)
        if (statuses[i].status == status)
            return statuses[i].text;
    return "not what was asked for";
}

static void append(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void append(struct error *err, const char *fmt, ...)
{
    size_t used = strlen(err->text);
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(err->text + used, sizeof err->text - used, fmt, args);
    va_end(args);
}

/* Hide the path as a whole, then its longer parts and the query's values, which a server may
 * repeat alone. */
static size_t hide_address(const char *url, char *text, size_t len)
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

size_t exchange_hide(const struct http_request *r, char *text, size_t len)
{
    if (r->secret)
        len = hide_address(r->url, text, len);
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
    static const char *const keys[] = {"message", "msg", "detail", "error"};
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

/* What the server says about its refusal: the first line, without our secrets. */
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
            append(err, ": %.*s", (int)safe.len, safe.at);
    }
    buf_free(&raw);
    buf_free(&safe);
}

static void refused(const struct http_exchange *x, struct error *err)
{
    int status = x->answer.status;

    error_set(err, status == 404 ? ERROR_ABSENT : ERROR_FAILED, "%s (%d)", status_text(status),
              status);
    add_message(x, err);
    if ((status == 401 || status == 403) && x->request->refused != NULL)
        error_hint(err, "%s", x->request->refused);
}

/* What is said when there was no answer, or no use in it. */
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
                       "are the certificates of this machine (ca-certificates) up to date?",
                       true},
    [NET_GARBAGE] = {.text = "the answer is not readable as HTTP"},
    [NET_DISK] = {"the answer cannot be kept", "TMPDIR names the folder for temporary files",
                  true},
    [NET_FAILED] = {"it did not work", NULL, true},
};

static void broke(const struct http_exchange *x, struct error *err)
{
    error_set(err, x->end == NET_DISK ? ERROR_SYSTEM : ERROR_FAILED, "%s%s%.120s",
              ends[x->end].text, ends[x->end].problem ? ": " : "",
              ends[x->end].problem ? x->answer.problem : "");
    if (x->end == NET_CUT_OFF)
        append(err, " after %llu bytes", (unsigned long long)x->answer.size);
    if (x->end == NET_TOO_LARGE)
        append(err, ": more than %llu bytes", (unsigned long long)x->request->max_body);
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

bool exchange_failed(const struct http_exchange *x, struct error *err)
{
    char place[256];

    if (x->end == NET_NO_MEMORY)
        return error_memory(err);
    if (x->end == NET_ANSWERED)
        refused(x, err);
    else if (x->end == NET_TIMED_OUT && exchange_time_left(x).ns < CLOSE)
        ran_out_of_time(x, err);
    else
        broke(x, err);
    if (x->tries > 1 && x->end != NET_STOPPED)
        append(err, " (asked %u times)", x->tries);
    (void)snprintf(place, sizeof place, "%.*s",
                   (int)(x->at.place.len < sizeof place ? x->at.place.len : sizeof place - 1),
                   x->at.place.at);
    error_context(err, "%s", place);
    return false;
}
