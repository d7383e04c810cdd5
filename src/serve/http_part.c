/* The loadable part `http`: the only code that links libmicrohttpd. */
#include "serve/http_part.h"

#include <arpa/inet.h>
#include <errno.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/num.h"
#include "base/part.h"
#include "serve/http_identity.h"

#define LISTENING 8       /* sockets of one listener, at most */
#define STREAM_BLOCK 4096 /* bytes that are asked for at a time */
#define REAP_EVERY (SECOND / 2)
#define SEND_LONGEST 40 /* times `whole`: for answers of many megabytes on a slow line */
#define BUCKETS 1024    /* of addresses, by which connections are counted */

enum doing {
    DOING_READ, /* waits for a request, or reads one */
    DOING_WORK, /* it is being answered */
    DOING_SEND,
    DOING_STREAM,
};

/* A connection. The library cuts off those that are silent; one that sends a byte now and then
 * is cut off by our own thread, which needs to know them all. */
struct connection {
    struct connection *next, *before;
    int fd;
    _Atomic int doing;
    _Atomic int64_t since; /* when it began that: ns */
    char peer[HTTP_PEER];
    unsigned bucket; /* of its address */
    bool cut;        /* it was ended by us */
    bool exempt;     /* from the limit of one address: a proxy */
};

struct http_listener {
    struct MHD_Daemon *daemon[LISTENING];
    size_t count;
    struct http_handler handler;
    bool encrypted;
    void (*log)(void *ctx, const char *text);
    void *log_ctx;

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t ended;
    struct connection *first;
    unsigned connections;
    unsigned of_bucket[BUCKETS]; /* connections of addresses, but for those that are exempt */
    bool ending;
    pthread_t reaper;
    span whole;
    unsigned each, crowded;
    const struct str *exempt;
    size_t exempt_count;
};

struct http_answer {
    atomic_uint references;
    unsigned status;
    struct MHD_Response *response;
    struct MHD_Response *unchanged; /* without a body, for who has it already; NULL: none */
    char etag[HTTP_ETAG];
    struct http_stream *stream; /* NULL: it has an end */
};

struct http_stream {
    pthread_mutex_t lock;
    struct MHD_Connection *connection;
    struct buf waiting;
    size_t sent; /* of what waits */
    size_t most;
    bool suspended, ended, cut;
    void (*gone)(void *ctx, struct http_stream *stream);
    void *ctx;
};

/* A request and its way through the library. */
struct passage {
    struct http_request request; /* first: the handler has only this */
    struct http_listener *listener;
    struct MHD_Connection *at;
    struct connection *connection;
    struct buf uri, body;
    const char *line, *line_end; /* the address, where the library received it */
    size_t most;
    bool begun, handed;
    struct passage *arriving; /* the next one whose headers are not complete */
    pthread_mutex_t lock;     /* of what follows */
    struct http_answer *answer;
    bool suspended, answered;
};

static struct passage *passage_of(const struct http_request *request)
{
    union {
        const struct http_request *from;
        struct passage *to;
    } p = {.from = request};

    return p.to;
}

static void doing(struct connection *c, enum doing what)
{
    atomic_store_explicit(&c->since, clock_system.now(clock_system.ctx).ns,
                          memory_order_relaxed);
    atomic_store_explicit(&c->doing, (int)what, memory_order_relaxed);
}

static bool listener_renew(struct http_listener *l, const char *certificate, const char *key,
                           struct error *err)
{
    if (!l->encrypted)
        return error_fail(err, ERROR_USAGE, "the server was started without TLS");
    return http_identity_set(certificate, key, err);
}

/* ---- answers ---- */

static bool add_headers(struct MHD_Response *response, const struct http_reply *reply)
{
    for (size_t i = 0; i < reply->header_count; i++)
        if (MHD_add_response_header(response, reply->headers[i].name,
                                    reply->headers[i].value) != MHD_YES)
            return false;
    return !reply->last ||
           MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close") == MHD_YES;
}

static struct http_answer *mhd_answer_of(struct MHD_Response *response,
                                         const struct http_reply *reply)
{
    struct http_answer *answer =
        response != NULL ? alloc_system.get(alloc_system.ctx, sizeof *answer) : NULL;

    if (answer == NULL || !add_headers(response, reply)) {
        if (response != NULL)
            MHD_destroy_response(response);
        if (answer != NULL)
            alloc_system.put(alloc_system.ctx, answer);
        return NULL;
    }
    *answer = (struct http_answer){.status = (unsigned)reply->status, .response = response};
    atomic_init(&answer->references, 1);
    return answer;
}

/* The same answer for who has it already. Without memory it is sent again. */
static void add_etag(struct http_answer *answer, const struct http_reply *reply)
{
    static char nothing[1];
    struct MHD_Response *unchanged =
        MHD_create_response_from_buffer(0, nothing, MHD_RESPMEM_PERSISTENT);

    if (unchanged != NULL &&
        (MHD_add_response_header(unchanged, MHD_HTTP_HEADER_ETAG, reply->etag) != MHD_YES ||
         MHD_add_response_header(answer->response, MHD_HTTP_HEADER_ETAG, reply->etag) !=
             MHD_YES)) {
        MHD_destroy_response(unchanged);
        unchanged = NULL;
    }
    answer->unchanged = unchanged;
    str_copy(str_from(reply->etag), answer->etag, sizeof answer->etag);
}

static struct http_answer *answer_new(const struct http_reply *reply)
{
    union { /* the library takes what it copies as if it would write it */
        const char *from;
        void *to;
    } body = {.from = reply->body.len > 0 ? reply->body.at : ""};
    struct http_answer *answer = mhd_answer_of(
        MHD_create_response_from_buffer(reply->body.len, body.to, MHD_RESPMEM_MUST_COPY),
        reply);

    if (answer != NULL && reply->etag != NULL)
        add_etag(answer, reply);
    return answer;
}

/* "W/"a", "b"" has b and a; "*" has everything. */
static bool etag_among(struct str list, const char *etag)
{
    while (list.len > 0) {
        struct str one = str_trim(str_cut(&list, ','));

        if (str_starts(one, STR("W/")))
            one = (struct str){one.at + 2, one.len - 2};
        if (str_eq(one, str_from(etag)) || str_eq(one, STR("*")))
            return true;
    }
    return false;
}

static void answer_keep(struct http_answer *answer)
{
    atomic_fetch_add_explicit(&answer->references, 1, memory_order_relaxed);
}

static void answer_drop(struct http_answer *answer)
{
    if (answer == NULL ||
        atomic_fetch_sub_explicit(&answer->references, 1, memory_order_acq_rel) > 1)
        return;
    MHD_destroy_response(answer->response);
    if (answer->unchanged != NULL)
        MHD_destroy_response(answer->unchanged);
    alloc_system.put(alloc_system.ctx, answer);
}

/* ---- streams ---- */

static ssize_t stream_read(void *ctx, uint64_t position, char *to, size_t room)
{
    struct http_stream *s = ctx;
    ssize_t got = 0;
    size_t left;

    (void)position;
    (void)pthread_mutex_lock(&s->lock);
    left = s->waiting.len - s->sent;
    if (s->cut) {
        got = MHD_CONTENT_READER_END_WITH_ERROR;
    } else if (left > 0) {
        got = (ssize_t)(left < room ? left : room);
        memcpy(to, s->waiting.at + s->sent, (size_t)got);
        s->sent += (size_t)got;
        if (s->sent == s->waiting.len) {
            buf_clear(&s->waiting);
            s->sent = 0;
        }
    } else if (s->ended) {
        got = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        s->suspended = true;
        MHD_suspend_connection(s->connection);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return got;
}

static void stream_free(void *ctx)
{
    struct http_stream *s = ctx;

    if (s->gone != NULL)
        s->gone(s->ctx, s);
    buf_free(&s->waiting);
    (void)pthread_mutex_destroy(&s->lock);
    alloc_system.put(alloc_system.ctx, s);
}

static struct http_answer *stream_new(const struct http_reply *reply, size_t most,
                                      void (*gone)(void *ctx, struct http_stream *stream),
                                      void *ctx, struct http_stream **out)
{
    struct http_stream *s = alloc_system.get(alloc_system.ctx, sizeof *s);
    struct MHD_Response *response;
    struct http_answer *answer;

    if (s == NULL)
        return NULL;
    *s = (struct http_stream){.waiting = buf_new(&alloc_system, most), .most = most};
    (void)pthread_mutex_init(&s->lock, NULL);
    response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, stream_read, s,
                                                 stream_free);
    if (response == NULL)
        stream_free(s);
    answer = mhd_answer_of(response, reply);
    if (answer == NULL)
        return NULL;
    s->gone = gone;
    s->ctx = ctx;
    answer->stream = *out = s;
    return answer;
}

/* Called with the lock held. */
static void stream_wake(struct http_stream *s)
{
    if (s->suspended)
        MHD_resume_connection(s->connection);
    s->suspended = false;
}

static bool stream_write(struct http_stream *s, struct str text)
{
    bool ok;

    (void)pthread_mutex_lock(&s->lock);
    buf_add(&s->waiting, text);
    if (s->waiting.failed != ERROR_NONE)
        s->cut = true;
    ok = !s->cut;
    stream_wake(s);
    (void)pthread_mutex_unlock(&s->lock);
    return ok;
}

static void stream_end(struct http_stream *s)
{
    (void)pthread_mutex_lock(&s->lock);
    s->ended = true;
    stream_wake(s);
    (void)pthread_mutex_unlock(&s->lock);
}

/* ---- headers ---- */

struct header_search {
    const char *name;
    struct str value;
    unsigned count;
};

static enum MHD_Result header_look(void *ctx, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    struct header_search *s = ctx;

    (void)kind;
    if (str_eq_nocase(str_from(name), str_from(s->name)) && s->count++ == 0)
        s->value = str_from(value);
    return MHD_YES;
}

static struct header_search header_find(struct MHD_Connection *at, const char *name)
{
    struct header_search s = {.name = name};

    (void)MHD_get_connection_values(at, MHD_HEADER_KIND, header_look, &s);
    return s;
}

/* ---- lengths that are none ---- */

/* Of this thread of the library: requests whose headers are not complete yet. */
static _Thread_local struct passage *arriving;

static void arriving_add(struct passage *p)
{
    p->arriving = arriving;
    arriving = p;
}

static void arriving_remove(const struct passage *p)
{
    for (struct passage **at = &arriving; *at != NULL; at = &(*at)->arriving)
        if (*at == p) {
            *at = p->arriving;
            return;
        }
}

/* Digits and nothing else: "+5", "5,5" and "0x5" are read differently elsewhere. */
static bool read_body_length(struct str text, int64_t *out)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
    return text.len > 0 && num_int(text, out);
}

#define BAD_REQUEST(length, text) \
    "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\n" \
    "Content-Length: " length "\r\n\r\n" text "\n"

static void refuse_plainly(const struct passage *p, const char *answer)
{
    if (!p->request.encrypted)
        (void)send(p->connection->fd, answer, strlen(answer), MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)shutdown(p->connection->fd, SHUT_RDWR);
}

/* The library has said that a Content-Length is wrong, not whose. Some versions of it answer
 * with two heads then, the second of which a client may take for the answer to its next
 * request: we answer with one, and nothing follows. */
static void refuse_lengths(void)
{
    for (const struct passage *p = arriving; p != NULL; p = p->arriving) {
        struct header_search length = header_find(p->at, MHD_HTTP_HEADER_CONTENT_LENGTH);
        int64_t bytes;

        if (length.count > 0 && !read_body_length(length.value, &bytes))
            refuse_plainly(p, BAD_REQUEST("26", "the Content-Length is bad"));
    }
}

/* The same where it has said that there is no Host: of the one whose headers are complete. */
static void refuse_without_host(void)
{
    for (const struct passage *p = arriving; p != NULL; p = p->arriving)
        if (MHD_get_connection_info(p->at, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) != NULL &&
            header_find(p->at, MHD_HTTP_HEADER_HOST).count == 0)
            refuse_plainly(p, BAD_REQUEST("23", "a request needs a Host"));
}

/* The library would take the query apart, into memory that thousands of parameters use up,
 * and then says nothing at all. It is ours to read: the library finds none. */
static void hide_query(const char *uri)
{
    union { /* it is in the library's own buffer, which it writes to itself */
        const char *from;
        char *to;
    } all = {.from = uri};
    char *query = strchr(all.to, '?');

    if (query != NULL)
        query[1] = '\0';
}

static void *passage_new(void *ctx, const char *uri, struct MHD_Connection *at)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(at, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct passage *p = info != NULL && info->socket_context != NULL
                            ? alloc_system.get(alloc_system.ctx, sizeof *p)
                            : NULL;
    struct str all = str_from(uri);

    if (p == NULL)
        return NULL;
    *p = (struct passage){.listener = ctx,
                          .at = at,
                          .connection = info->socket_context,
                          .uri = buf_new(&alloc_system, all.len + 1),
                          .line = uri,
                          .line_end = uri + all.len,
                          .body = buf_new(&alloc_system, 0)};
    (void)pthread_mutex_init(&p->lock, NULL);
    buf_add(&p->uri, all);
    hide_query(uri);
    all = buf_text(&p->uri);
    p->request.path = str_cut(&all, '?');
    p->request.query = all;
    p->request.encrypted = p->listener->encrypted;
    p->request.begun = clock_system.now(clock_system.ctx);
    memcpy(p->request.peer, p->connection->peer, HTTP_PEER);
    arriving_add(p);
    return p;
}

static void passage_done(void *ctx, struct MHD_Connection *at, void **mine,
                         enum MHD_RequestTerminationCode why)
{
    struct passage *p = *mine;

    (void)ctx;
    (void)at;
    (void)why;
    if (p == NULL)
        return;
    *mine = NULL;
    arriving_remove(p);
    /* A client that went away meanwhile is noticed as soon as `later` resumes the connection,
     * which it does with the lock held. */
    (void)pthread_mutex_lock(&p->lock);
    (void)pthread_mutex_unlock(&p->lock);
    if (p->handed)
        p->listener->handler.done(p->listener->handler.ctx, &p->request);
    doing(p->connection, DOING_READ);
    answer_drop(p->answer);
    buf_free(&p->uri);
    buf_free(&p->body);
    (void)pthread_mutex_destroy(&p->lock);
    alloc_system.put(alloc_system.ctx, p);
}

static enum MHD_Result passage_send(struct passage *p)
{
    struct http_answer *answer = p->answer;

    p->request.status = (int)answer->status;
    if (answer->stream != NULL)
        answer->stream->connection = p->at;
    doing(p->connection, answer->stream != NULL ? DOING_STREAM : DOING_SEND);
    if (answer->unchanged != NULL) {
        const char *has =
            MHD_lookup_connection_value(p->at, MHD_HEADER_KIND, MHD_HTTP_HEADER_IF_NONE_MATCH);

        if (has != NULL && etag_among(str_from(has), answer->etag))
            return MHD_queue_response(p->at, MHD_HTTP_NOT_MODIFIED, answer->unchanged);
    }
    return MHD_queue_response(p->at, answer->status, answer->response);
}

/* Answer before the body comes, which ends the connection. */
static enum MHD_Result passage_refuse(struct passage *p)
{
    p->handed = true;
    p->answer = p->listener->handler.handle(p->listener->handler.ctx, &p->request);
    return p->answer != NULL ? passage_send(p) : MHD_NO;
}

static bool is_token_character(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

/* Where a header is in what was received: right after the line before it, with CR and LF
 * between them, of which the library has made NULs. A line that goes on in the next one, one
 * that ends with a lone CR or LF, and one with a NUL in it are not: others may read them
 * differently, so that they see another request. */
struct header_chain {
    const char *end; /* of the line before */
    bool placed;     /* does the library keep them there? */
    bool clear;
    unsigned seen; /* of those that a request has once, as bits */
};

/* Newer versions of the library refuse such lines themselves when they are told to be strict,
 * and may keep headers elsewhere. */
static bool library_keeps_lines(void)
{
    const char *version = MHD_get_version();

    return strncmp(version, "0.9.75", 6) == 0 || strncmp(version, "0.9.76", 6) == 0;
}

/* Older versions take a lone LF for the end of a line of chunks, as proxies do not, even when
 * they are told to be strict. */
static bool library_checks_chunks(void)
{
    return MHD_get_version()[0] != '0';
}

/* Is it the first of its name, if only one makes sense? Which of two counts is for everybody
 * to guess. Bodies are counted where they are looked at. */
static bool is_first_header(struct header_chain *chain, const char *name)
{
    static const char *const single[] = {"Authorization", "Content-Type", "Host", "Origin"};

    for (unsigned i = 0; i < ARRAY_LEN(single); i++)
        if (str_eq_nocase(str_from(name), str_from(single[i]))) {
            bool first = (chain->seen & 1U << i) == 0;

            chain->seen |= 1U << i;
            return first;
        }
    return true;
}

/* A name is a word, without a blank before its colon, and a value has no control characters. */
static enum MHD_Result header_check(void *ctx, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    struct header_chain *chain = ctx;
    size_t i;

    (void)kind;
    for (i = 0; is_token_character(name[i]); i++)
        continue;
    if (i == 0 || name[i] != '\0' || value == NULL || !is_first_header(chain, name) ||
        (chain->placed && (uintptr_t)name != (uintptr_t)chain->end + 2)) {
        chain->clear = false;
        return MHD_NO;
    }
    for (; *value != '\0'; value++)
        chain->clear =
            chain->clear && ((unsigned char)*value >= ' ' || *value == '\t') && *value != 0x7f;
    chain->end = value;
    return MHD_YES;
}

/* One blank on either side of the address, and no NUL in it. */
static bool line_clear(const struct passage *p, const char *method, const char *version)
{
    return !library_keeps_lines() ||
           ((uintptr_t)p->line == (uintptr_t)method + strlen(method) + 1 &&
            (uintptr_t)version == (uintptr_t)p->line_end + 1);
}

static bool headers_clear(struct MHD_Connection *at, const char *version)
{
    struct header_chain chain = {
        .end = version + strlen(version), .placed = library_keeps_lines(), .clear = true};

    (void)MHD_get_connection_values(at, MHD_HEADER_KIND, header_check, &chain);
    /* After the last one comes an empty line. */
    if (chain.clear && chain.placed)
        chain.clear = chain.end[1] == '\0' && (chain.end[2] == '\0' || chain.end[2] == '\r') &&
                      (chain.end[3] == '\0' || chain.end[3] == '\n');
    return chain.clear;
}

/* The headers are there. A body that says it is too long is refused before it comes, and so is
 * one whose end a proxy in front of us may see elsewhere. */
static enum MHD_Result passage_begin(struct passage *p, const char *method, const char *version)
{
    struct header_search length = header_find(p->at, MHD_HTTP_HEADER_CONTENT_LENGTH);
    struct header_search packed = header_find(p->at, MHD_HTTP_HEADER_TRANSFER_ENCODING);
    int64_t bytes = 0;

    p->begun = true;
    p->request.method = str_from(method);
    if (p->uri.failed != ERROR_NONE)
        return MHD_NO;
    arriving_remove(p);
    p->request.unclear = !line_clear(p, method, version) || !headers_clear(p->at, version);
    if (!p->request.unclear && length.count + packed.count == 0)
        return MHD_YES;
    p->request.unclear = p->request.unclear || length.count + packed.count > 1 ||
                         (length.count == 1 && !read_body_length(length.value, &bytes)) ||
                         (packed.count == 1 && !str_eq_nocase(packed.value, STR("chunked")));
    p->request.unmeasured = packed.count > 0 && !library_checks_chunks();
    if (p->request.unclear || p->request.unmeasured)
        return passage_refuse(p);
    p->most = p->listener->handler.body_most(p->listener->handler.ctx, &p->request);
    p->body.max = p->most;
    p->request.too_large = bytes < 0 || (uint64_t)bytes > p->most;
    return p->request.too_large ? passage_refuse(p) : MHD_YES;
}

static enum MHD_Result passage_read(struct passage *p, const char *data, size_t *size)
{
    if (!p->request.too_large) {
        buf_add(&p->body, (struct str){data, *size});
        p->request.too_large = p->body.failed != ERROR_NONE;
    }
    *size = 0;
    return MHD_YES;
}

static enum MHD_Result passage_hand(struct passage *p)
{
    const struct http_handler *h = &p->listener->handler;
    struct http_answer *answer;
    enum MHD_Result result = MHD_YES;

    p->handed = true;
    p->request.body = buf_text(&p->body);
    doing(p->connection, DOING_WORK);
    answer = h->handle(h->ctx, &p->request);
    (void)pthread_mutex_lock(&p->lock);
    if (answer != NULL) {
        p->answer = answer;
        p->answered = true;
    }
    if (!p->answered) {
        p->suspended = true;
        MHD_suspend_connection(p->at);
    } else {
        result = p->answer != NULL ? passage_send(p) : MHD_NO;
    }
    (void)pthread_mutex_unlock(&p->lock);
    return result;
}

static void answer_later(struct http_request *request, struct http_answer *answer)
{
    struct passage *p = passage_of(request);

    (void)pthread_mutex_lock(&p->lock);
    p->answer = answer;
    p->answered = true;
    if (p->suspended)
        MHD_resume_connection(p->at);
    (void)pthread_mutex_unlock(&p->lock);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are the library's */
static enum MHD_Result take_http_request(void *ctx, struct MHD_Connection *at, const char *url,
                                         const char *method, const char *version,
                                         const char *data, size_t *size, void **mine)
{
    struct passage *p = *mine;
    enum MHD_Result result;

    (void)ctx;
    (void)at;
    (void)url;
    if (p == NULL)
        return MHD_NO;
    /* An answer in the first call would end the connection: the library cannot know that no
     * body follows. */
    if (!p->begun)
        return passage_begin(p, method, version);
    if (*size > 0)
        return passage_read(p, data, size);
    if (!p->handed)
        return passage_hand(p);
    (void)pthread_mutex_lock(&p->lock); /* `later` may still hold it */
    result = p->answer != NULL ? passage_send(p) : MHD_NO;
    (void)pthread_mutex_unlock(&p->lock);
    return result;
}

static bool request_gone(const struct http_request *request)
{
    struct pollfd client = {.fd = passage_of(request)->connection->fd, .events = POLLRDHUP};

    return poll(&client, 1, 0) > 0 && (client.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

static struct str request_header(const struct http_request *request, const char *name,
                                 unsigned *count)
{
    struct passage *p = passage_of(request);
    struct header_search s;

    if (count == NULL)
        return str_from(MHD_lookup_connection_value(p->at, MHD_HEADER_KIND, name));
    s = header_find(p->at, name);
    *count = s.count;
    return s.value;
}

/* ---- connections ---- */

static void name_peer(const struct sockaddr *address, char to[static HTTP_PEER])
{
    union {
        const struct sockaddr *any;
        const struct sockaddr_in *v4;
        const struct sockaddr_in6 *v6;
    } a = {.any = address};
    const char *text = NULL;

    if (address != NULL && address->sa_family == AF_INET)
        text = inet_ntop(AF_INET, &a.v4->sin_addr, to, HTTP_PEER);
    else if (address != NULL && address->sa_family == AF_INET6)
        text = inet_ntop(AF_INET6, &a.v6->sin6_addr, to, HTTP_PEER);
    if (text == NULL)
        str_copy(STR("local"), to, HTTP_PEER);
}

static void write_peer(struct MHD_Connection *at, char to[static HTTP_PEER])
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(at, MHD_CONNECTION_INFO_CLIENT_ADDRESS);

    name_peer(info != NULL ? info->client_addr : NULL, to);
}

/* Which addresses count as one: those of one IPv6 network are one client's to choose from. */
static unsigned bucket_of(const char *peer)
{
    struct in6_addr v6;
    struct str name = str_from(peer);

    if (inet_pton(AF_INET6, peer, &v6) == 1)
        name = (struct str){(const char *)&v6, 8};
    return (unsigned)(text_hash(3, name) % BUCKETS);
}

static bool is_exempt(const struct http_listener *l, const char *peer)
{
    for (size_t i = 0; i < l->exempt_count; i++)
        if (str_eq(l->exempt[i], str_from(peer)))
            return true;
    return false;
}

/* Who has most connections. Called with the lock held. */
static unsigned busiest_bucket(const struct http_listener *l)
{
    unsigned most = 0;

    for (unsigned i = 1; i < BUCKETS; i++)
        if (l->of_bucket[i] > l->of_bucket[most])
            most = i;
    return most;
}

/* Of the connections of a bucket, end the one that waits longest for a request. Called with the
 * lock held. */
static void cut_waiting(struct http_listener *l, unsigned bucket)
{
    struct connection *oldest = NULL;

    for (struct connection *c = l->first; c != NULL; c = c->next)
        if (c->bucket == bucket && !c->exempt && !c->cut &&
            atomic_load_explicit(&c->doing, memory_order_relaxed) == DOING_READ &&
            (oldest == NULL || atomic_load_explicit(&c->since, memory_order_relaxed) <
                                   atomic_load_explicit(&oldest->since, memory_order_relaxed)))
            oldest = c;
    if (oldest == NULL)
        return;
    oldest->cut = true;
    (void)shutdown(oldest->fd, SHUT_RDWR);
}

/* May one more come from this address? */
static enum MHD_Result admit(void *ctx, const struct sockaddr *address, socklen_t size)
{
    struct http_listener *l = ctx;
    char peer[HTTP_PEER];
    unsigned bucket;
    bool room = true;

    (void)size;
    name_peer(address, peer);
    if (is_exempt(l, peer))
        return MHD_YES;
    bucket = bucket_of(peer);
    (void)pthread_mutex_lock(&l->lock);
    if (l->of_bucket[bucket] >= l->each)
        room = false;
    else if (l->connections >= l->crowded && busiest_bucket(l) == bucket)
        room = l->of_bucket[bucket] == 0;
    else if (l->connections >= l->crowded)
        cut_waiting(l, busiest_bucket(l));
    (void)pthread_mutex_unlock(&l->lock);
    return room ? MHD_YES : MHD_NO;
}

static void connection_begin(struct http_listener *l, struct MHD_Connection *at, void **mine)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(at, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct connection *c = info != NULL ? alloc_system.get(alloc_system.ctx, sizeof *c) : NULL;

    *mine = c;
    if (c == NULL)
        return;
    *c = (struct connection){.fd = info->connect_fd};
    write_peer(at, c->peer);
    c->bucket = bucket_of(c->peer);
    c->exempt = is_exempt(l, c->peer);
    doing(c, DOING_READ);
    (void)pthread_mutex_lock(&l->lock);
    c->next = l->first;
    if (c->next != NULL)
        c->next->before = c;
    l->first = c;
    l->connections++;
    l->of_bucket[c->bucket] += !c->exempt;
    (void)pthread_mutex_unlock(&l->lock);
}

static void connection_end(struct http_listener *l, void **mine)
{
    struct connection *c = *mine;

    if (c == NULL)
        return;
    *mine = NULL;
    (void)pthread_mutex_lock(&l->lock);
    if (c->before != NULL)
        c->before->next = c->next;
    else
        l->first = c->next;
    if (c->next != NULL)
        c->next->before = c->before;
    l->connections--;
    l->of_bucket[c->bucket] -= !c->exempt;
    (void)pthread_mutex_unlock(&l->lock);
    alloc_system.put(alloc_system.ctx, c);
}

static void connection_notice(void *ctx, struct MHD_Connection *at, void **mine,
                              enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        connection_begin(ctx, at, mine);
    else
        connection_end(ctx, mine);
}

/* Called with the lock held, so that no connection is closed, and its number used for another
 * file, between the look and the cut. */
static void cut_slow(struct http_listener *l)
{
    int64_t now = clock_system.now(clock_system.ctx).ns;

    for (struct connection *c = l->first; c != NULL; c = c->next) {
        int what = atomic_load_explicit(&c->doing, memory_order_relaxed);
        int64_t took = now - atomic_load_explicit(&c->since, memory_order_relaxed);

        if ((what == DOING_READ && took > l->whole.ns) ||
            (what == DOING_SEND && took / SEND_LONGEST > l->whole.ns))
            (void)shutdown(c->fd, SHUT_RDWR);
    }
}

static void *reap(void *ctx)
{
    struct http_listener *l = ctx;

    (void)pthread_mutex_lock(&l->lock);
    while (!l->ending) {
        int64_t until = clock_system.now(clock_system.ctx).ns + REAP_EVERY;
        struct timespec at = {.tv_sec = until / SECOND, .tv_nsec = until % SECOND};

        cut_slow(l);
        (void)pthread_cond_timedwait(&l->ended, &l->lock, &at);
    }
    (void)pthread_mutex_unlock(&l->lock);
    return NULL;
}

/* ---- listening ---- */

static void write_mhd_log(void *ctx, const char *fmt, va_list args)
{
    const struct http_listener *l = ctx;
    char text[256];

    if (strstr(fmt, "Content-Length") != NULL)
        refuse_lengths();
    else if (strstr(fmt, "without `Host'") != NULL)
        refuse_without_host();
    if (l->log == NULL)
        return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    (void)vsnprintf(text, sizeof text, fmt, args);
#pragma GCC diagnostic pop
    text[strcspn(text, "\n")] = '\0';
    l->log(l->log_ctx, text);
}

static struct MHD_Daemon *start_daemon(struct http_listener *l, const struct http_options *o,
                                       int fd)
{
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME |
                     MHD_USE_ERROR_LOG | (o->key != NULL ? (unsigned)MHD_USE_TLS : 0U);
    struct MHD_OptionItem more[4] = {{MHD_OPTION_END, 0, NULL}};
    size_t n = 0;

    if (o->threads > 1)
        more[n++] =
            (struct MHD_OptionItem){MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)o->threads, NULL};
    more[n] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    if (o->key == NULL)
        return MHD_start_daemon(
            flags, 0, admit, l, take_http_request, l, MHD_OPTION_EXTERNAL_LOGGER, write_mhd_log,
            l, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, o->connections,
            MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(o->idle.ns / SECOND),
            MHD_OPTION_CONNECTION_MEMORY_LIMIT, o->header_bytes, MHD_OPTION_STRICT_FOR_CLIENT,
            1, MHD_OPTION_URI_LOG_CALLBACK, passage_new, l, MHD_OPTION_NOTIFY_COMPLETED,
            passage_done, l, MHD_OPTION_NOTIFY_CONNECTION, connection_notice, l,
            MHD_OPTION_ARRAY, more, MHD_OPTION_END);
    return MHD_start_daemon(
        flags, 0, admit, l, take_http_request, l, MHD_OPTION_EXTERNAL_LOGGER, write_mhd_log, l,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, o->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(o->idle.ns / SECOND),
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, o->header_bytes, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_URI_LOG_CALLBACK, passage_new, l, MHD_OPTION_NOTIFY_COMPLETED, passage_done,
        l, MHD_OPTION_NOTIFY_CONNECTION, connection_notice, l, MHD_OPTION_HTTPS_CERT_CALLBACK,
        http_identity_choose, MHD_OPTION_HTTPS_PRIORITIES, HTTP_TLS_RULES, MHD_OPTION_ARRAY,
        more, MHD_OPTION_END);
}

static void listener_free(struct http_listener *l)
{
    if (l->encrypted)
        http_identities_free();
    (void)pthread_cond_destroy(&l->ended);
    (void)pthread_mutex_destroy(&l->lock);
    alloc_system.put(alloc_system.ctx, l);
}

static void listener_close(struct http_listener *l)
{
    (void)pthread_mutex_lock(&l->lock);
    l->ending = true;
    (void)pthread_cond_signal(&l->ended);
    (void)pthread_mutex_unlock(&l->lock);
    (void)pthread_join(l->reaper, NULL);
    for (size_t i = 0; i < l->count; i++)
        MHD_stop_daemon(l->daemon[i]);
    listener_free(l);
}

static void listener_quiet(struct http_listener *l)
{
    for (size_t i = 0; i < l->count; i++) {
        int fd = MHD_quiesce_daemon(l->daemon[i]);

        if (fd >= 0)
            (void)close(fd);
    }
}

static struct http_listener *listener_open(const struct http_options *o, struct error *err)
{
    struct http_listener *l = alloc_system.get(alloc_system.ctx, sizeof *l);
    pthread_condattr_t monotonic;
    int problem;

    if (l == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    if (o->key != NULL && !http_identity_set(o->certificate, o->key, err)) {
        alloc_system.put(alloc_system.ctx, l);
        return NULL;
    }
    *l = (struct http_listener){.handler = *o->handler,
                                .encrypted = o->key != NULL,
                                .log = o->log,
                                .log_ctx = o->log_ctx,
                                .whole = o->whole,
                                .each = o->each,
                                .crowded = o->crowded,
                                .exempt = o->exempt,
                                .exempt_count = o->exempt_count};
    (void)pthread_mutex_init(&l->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&l->ended, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    problem = pthread_create(&l->reaper, NULL, reap, l);
    if (problem != 0) {
        error_system(err, problem, "cannot start a thread");
        listener_free(l);
        return NULL;
    }
    for (; l->count < o->fd_count && l->count < LISTENING; l->count++) {
        l->daemon[l->count] = start_daemon(l, o, o->fds[l->count]);
        if (l->daemon[l->count] == NULL) {
            error_set(err, ERROR_FAILED, "cannot listen: the HTTP library refuses");
            listener_close(l);
            return NULL;
        }
    }
    return l;
}

static unsigned listener_connections(struct http_listener *l)
{
    unsigned n;

    (void)pthread_mutex_lock(&l->lock);
    n = l->connections;
    (void)pthread_mutex_unlock(&l->lock);
    return n;
}

static bool digest(struct str text, unsigned char out[static HTTP_DIGEST])
{
    return gnutls_hash_fast(GNUTLS_DIG_SHA256, text.at, text.len, out) == 0;
}

static const struct http_part functions = {
    .open = listener_open,
    .quiet = listener_quiet,
    .close = listener_close,
    .connections = listener_connections,
    .renew = listener_renew,
    .header = request_header,
    .gone = request_gone,
    .answer = answer_new,
    .keep = answer_keep,
    .drop = answer_drop,
    .later = answer_later,
    .stream = stream_new,
    .write = stream_write,
    .end = stream_end,
    .digest = digest,
};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "http",
    .version = HTTP_PART_VERSION,
    .functions = &functions,
};
