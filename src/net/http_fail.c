/* What went wrong, in a line that gives no secret away. */
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "net/http_internal.h"

#define LOOK 8192   /* so much of a refusal's body is looked at */
#define MESSAGE 160 /* and so much of what it says is repeated */

static const struct {
    int status;
    const char *text;
} statuses[] = {
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

static bool mentions(struct str text, const char *secret)
{
    struct str s = str_from(secret);

    return s.len >= 4 && text.len >= s.len && memmem(text.at, text.len, s.at, s.len) != NULL;
}

/* Does what the server said repeat a secret that we sent? */
static bool leaks(const struct http_request *r, struct str text)
{
    for (size_t i = 0; i < r->header_count; i++) {
        const char *value = r->headers[i].value, *blank = strrchr(value, ' ');

        if (r->headers[i].secret &&
            (mentions(text, value) || (blank != NULL && mentions(text, blank + 1))))
            return true; /* "Bearer KEY": the key alone counts too */
    }
    return r->aws != NULL && (mentions(text, r->aws->key) || mentions(text, r->aws->secret) ||
                              mentions(text, r->aws->token) || mentions(text, "Signature="));
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

/* What the server says about its refusal: the first line, when it is harmless. */
static void add_message(const struct exchange *x, struct error *err)
{
    char body[LOOK];
    ssize_t len = pread(x->fd, body, sizeof body, 0);
    struct buf raw = buf_new(x->client->alloc, LOOK), safe = buf_new(x->client->alloc, LOOK);
    struct str text, line;

    if (len > 0) {
        text = (struct str){body, (size_t)len};
        if (!message_of_json(text, &raw))
            message_of_xml(text, &raw);
    }
    text = buf_text(&raw);
    line = str_trim(str_cut(&text, '\n'));
    if (line.len > MESSAGE)
        line.len = MESSAGE;
    /* The whole text is searched, so that a cut cannot hide half of a secret. */
    if (line.len > 0 && !leaks(x->request, buf_text(&raw))) {
        buf_add_safe(&safe, line);
        if (safe.failed == ERROR_NONE) {
            size_t used = strlen(err->text);

            (void)snprintf(err->text + used, sizeof err->text - used, ": %.*s", (int)safe.len,
                           safe.at);
        }
    }
    buf_free(&raw);
    buf_free(&safe);
}

static void refused(const struct exchange *x, struct error *err)
{
    int status = x->answer.status;

    error_set(err, status == 404 ? ERROR_ABSENT : ERROR_FAILED, "%.*s: %s (%d)",
              STR_ARG(x->at.place), status_text(status), status);
    add_message(x, err);
    if ((status == 401 || status == 403) && x->request->refused != NULL)
        error_hint(err, "%s", x->request->refused);
}

bool exchange_failed(const struct exchange *x, struct error *err)
{
    struct str place = x->at.place;

    switch (x->end) {
    case NET_ANSWERED:
        refused(x, err);
        break;
    case NET_STOPPED:
        return error_fail(err, ERROR_FAILED, "%.*s: stopped", STR_ARG(place));
    case NET_UNREACHABLE:
        error_set(err, ERROR_FAILED, "%.*s: no connection: %.120s", STR_ARG(place),
                  x->answer.problem);
        error_hint(err, "is there a network, or a proxy to name in https_proxy?");
        break;
    case NET_TIMED_OUT:
        error_set(err, ERROR_FAILED, "%.*s: no answer in time, or too slow an answer",
                  STR_ARG(place));
        break;
    case NET_CUT_OFF:
        error_set(err, ERROR_FAILED, "%.*s: the answer was cut off after %llu bytes",
                  STR_ARG(place), (unsigned long long)x->answer.size);
        break;
    case NET_TOO_LARGE:
        return error_fail(err, ERROR_FAILED, "%.*s: the answer is larger than %llu bytes",
                          STR_ARG(place), (unsigned long long)x->request->max_body);
    case NET_UNTRUSTED:
        error_set(err, ERROR_FAILED, "%.*s: no safe connection: %.120s", STR_ARG(place),
                  x->answer.problem);
        error_hint(err, "are the certificates of this machine (ca-certificates) up to date?");
        break;
    case NET_GARBAGE:
        return error_fail(err, ERROR_FAILED, "%.*s: the answer is not readable as HTTP",
                          STR_ARG(place));
    case NET_DISK:
        error_set(err, ERROR_SYSTEM, "%.*s: the answer cannot be kept: %.120s", STR_ARG(place),
                  x->answer.problem);
        error_hint(err, "TMPDIR names the folder for temporary files");
        break;
    case NET_NO_MEMORY:
        return error_memory(err);
    case NET_FAILED:
        error_set(err, ERROR_FAILED, "%.*s: %.120s", STR_ARG(place), x->answer.problem);
        break;
    }
    if (x->tries > 1) {
        size_t used = strlen(err->text);

        (void)snprintf(err->text + used, sizeof err->text - used, " (asked %u times)",
                       x->tries);
    }
    return false;
}
