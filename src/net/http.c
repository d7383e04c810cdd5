/* When to ask, when to ask again, when to give up. */
#include "net/http.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/part.h"
#include "net/http_internal.h"
#include "net/temporary.h"
#include "unit/time.h"

#define MAX_REDIRECTS 5
#define MAX_ADDRESS ((size_t)64 * 1024)
#define SECOND INT64_C(1000000000)
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

static bool is_good(const struct http_exchange *x)
{
    bool asked = x->request->etag != NULL || x->request->modified != NULL;

    /* 206 is a part of the answer, and no request asks for a part. */
    return x->end == NET_ANSWERED &&
           ((x->answer.status >= 200 && x->answer.status < 300 && x->answer.status != 206) ||
            (x->answer.status == 304 && asked));
}

/* A failure that another try may not meet. */
static bool may_pass(const struct http_exchange *x)
{
    switch (x->end) {
    case NET_ANSWERED:
        return x->answer.status == 429 || x->answer.status == 500 || x->answer.status == 502 ||
               x->answer.status == 503 || x->answer.status == 504;
    case NET_UNREACHABLE:
    case NET_TIMED_OUT:
    case NET_CUT_OFF:
        return true;
    case NET_STOPPED:
    case NET_TOO_LARGE:
    case NET_HEADERS:
    case NET_UNTRUSTED:
    case NET_GARBAGE:
    case NET_DISK:
    case NET_NO_MEMORY:
    case NET_FAILED:
        break;
    }
    return false;
}

/* How long to wait before the next try: as long as the server says, else ever longer. */
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

/* Sleep, but notice when nobody wants the answer any more. */
static bool sleep_well(const struct http_client *client, span wait)
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

static void hide(const struct http_exchange *x, struct error *err)
{
    err->text[exchange_hide(x->request, err->text, strlen(err->text))] = '\0';
    err->hint[exchange_hide(x->request, err->hint, strlen(err->hint))] = '\0';
}

/* One try, with the redirects that belong to it. */
static bool follow(struct http_exchange *x, struct error *err)
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

static bool ask(struct http_exchange *x, struct error *err)
{
    const struct http_client *client = x->client;

    for (;;) {
        span wait;

        x->tries++;
        if (!follow(x, err))
            return false;
        if (is_good(x))
            return true;
        (void)exchange_failed(x, err);
        hide(x, err); /* it may be logged */
        if (!may_pass(x) || x->tries >= client->manners->tries)
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
        if (!sleep_well(client, wait)) {
            x->end = NET_STOPPED;
            return exchange_failed(x, err);
        }
    }
}

static void copy_place(const struct http_exchange *x, char *to, size_t room)
{
    (void)snprintf(to, room, "%.*s", (int)(x->at.place.len < room ? x->at.place.len : room - 1),
                   x->at.place.at);
}

static bool take_answer(const struct http_exchange *x, struct http_response *out,
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
    x.fd = request->direct ? temporary_memory(err) : temporary_file(err);
    if (x.fd >= 0)
        ok = ask(&x, err) && take_answer(&x, out, err);
    if (!ok)
        hide(&x, err);
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
    if (response->fd > 0) /* nobody's body is standard input: 0 is "never opened" */
        (void)close(response->fd);
    response->fd = -1;
}
