/* serve - listen, hand requests to the routes, and end in good order. */
#include "serve/serve.h"

#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/parallel.h"
#include "base/part.h"
#include "op/ledger_open.h"
#include "serve/api.h"
#include "serve/internal.h"
#include "serve/receive.h"

#define CONNECTIONS 1200
#define FILES_OWN 200 /* that are open besides connections: ledgers, above all */
#define IDLE ((span){15 * SECOND})
#define WHOLE ((span){10 * SECOND})
#define HEADER_BYTES ((size_t)16 << 10)
#define PEM_MAX ((size_t)1 << 20)
#define COMPUTE_NICE 5
#define END_LONGEST \
    (5 * SECOND / 2) /* from the signal to the end of the process, whatever runs */

static const struct field request_fields[] = {
    FIELD(TEXT, serve_request, listen, .value = "ADDRESS", .fallback = SOCKETS_DEFAULT,
          .help = "address and port; ':8712' listens on all addresses of this machine"),
    FIELD_AS("name", TEXTS, serve_request, names, .value = "HOST",
             .help = "host name to answer to as well: costs.example.org"),
    FIELD(TEXT, serve_request, certificate, .value = "FILE",
          .help = "TLS certificate chain (PEM)"),
    FIELD(TEXT, serve_request, key, .value = "FILE",
          .help = "private key of the certificate (PEM, no password)"),
    FIELD_AS("proxy", TEXTS, serve_request, proxies, .value = "ADDRESS",
             .help = "proxy whose X-Forwarded-For and X-Forwarded-Proto are trusted"),
    FIELD(FLAG, serve_request, unencrypted,
          .help = "no TLS, although others reach the address: for a proxy that has TLS"),
    FIELD(FLAG, serve_request, open, .help = "open a browser that is signed in"),
};

static const struct field result_fields[] = {
    FIELD(TEXT, serve_result, address, .help = "address it listened on"),
    FIELD(SPAN, serve_result, duration, .help = "duration, s"),
    FIELD(COUNT, serve_result, requests, .help = "requests received"),
    FIELD(COUNT, serve_result, refused,
          .help = "requests rejected: no token, another host name, or too many"),
    FIELD(COUNT, serve_result, failed, .help = "requests that failed through a server error"),
};

/* ---- requests ---- */

struct later {
    struct server *server;
    instant since;
    struct caller caller;
    const struct route *route;
    struct http_request *request;
    struct str path;
};

static bool client_left(void *ctx)
{
    const struct later *l = ctx;

    return l->server->http->gone(l->request);
}

static void make_later(void *ctx)
{
    struct later *l = ctx;
    struct asked asked = {.route = l->route,
                          .caller = &l->caller,
                          .path = l->path,
                          .query = l->request->query,
                          .variant = visit_variant(l->server, l->route, l->request),
                          .request = l->request,
                          .left = client_left,
                          .left_ctx = l,
                          .since = l->since};
    enum end_reason why;
    bool good;
    struct http_answer *answer = visit_make(l->server, &asked, &good, &why);

    l->server->http->later(l->request, answer);
    alloc_system.put(alloc_system.ctx, l);
}

struct http_answer *visit_later(struct server *s, const struct route *route,
                                const struct caller *caller, struct str path,
                                struct http_request *request)
{
    struct later *l = alloc_system.get(alloc_system.ctx, sizeof *l + path.len);
    struct error err = {0};

    if (l != NULL) {
        *l = (struct later){.server = s,
                            .since = server_now(),
                            .caller = *caller,
                            .route = route,
                            .request = request};
        memcpy(l + 1, path.at, path.len);
        l->path = (struct str){(const char *)(l + 1), path.len};
        if (work_add(s->pools[route->pool], work_whose(caller), make_later, l))
            return NULL;
        alloc_system.put(alloc_system.ctx, l);
    }
    error_set(&err, ERROR_AWAY, "too many requests wait: try again in a second");
    return visit_refuse(s, route->page, caller, 503, NULL, &err);
}

/* A path of ours has no "..", no empty part and no control characters: nothing is looked up in
 * a file system, but a proxy before us may. */
static bool check_path(struct str path, struct error *err)
{
    struct str rest = path, part;

    if (path.len == 0 || path.at[0] != '/')
        return error_fail(err, ERROR_INPUT, "not a path");
    (void)str_cut(&rest, '/');
    do {
        bool more = memchr(rest.at, '/', rest.len) != NULL;

        part = str_cut(&rest, '/');
        if (str_eq(part, STR("..")) || str_eq(part, STR(".")) || (part.len == 0 && more))
            return error_fail(err, ERROR_ABSENT, "there is no such page");
        for (size_t i = 0; i < part.len; i++)
            if ((unsigned char)part.at[i] < ' ' || part.at[i] == 0x7f)
                return error_fail(err, ERROR_INPUT, "control characters are no part of a path");
    } while (rest.len > 0);
    return true;
}

static bool wants_page(const struct server *s, const struct http_request *r)
{
    return str_has_nocase(s->http->header(r, "Accept", NULL), STR("text/html"));
}

static struct http_answer *answer_live_stream(struct server *s, const struct caller *caller)
{
    struct http_answer *answer = live_answer(s->live, caller);
    struct error err = {0};

    error_set(&err, ERROR_AWAY, "too many browsers wait for news");
    return answer != NULL ? answer : visit_refuse(s, false, NULL, 503, NULL, &err);
}

static struct http_answer *dispatch(struct server *s, struct http_request *r, struct str path)
{
    /* A page that is not there: whoever is signed in keeps the frame around the message. */
    static const struct route absent_page = {
        .method = "GET", .scope = TOKEN_NONE, .page = true};
    struct caller caller;
    struct error err = {0};
    const char *allow;
    struct str rest;
    const struct route *route;
    int status = 400;

    if (r->unclear) {
        error_set(&err, ERROR_INPUT, "the headers, or the end of the body, are ambiguous");
        return visit_refuse(s, false, NULL, 400, NULL, &err);
    }
    if (r->unmeasured) {
        error_set(&err, ERROR_INPUT, "a body needs a Content-Length");
        error_hint(&err, "this server takes no body in chunks");
        return visit_refuse(s, false, NULL, 411, NULL, &err);
    }
    if (!guard_host(s->guard, r, &status, &err) || !check_path(path, &err))
        return visit_refuse(s, false, NULL, err.kind == ERROR_ABSENT ? 404 : status, NULL,
                            &err);
    route = route_find(r->method, path, &rest, &allow);
    if (route == NULL && allow == NULL && wants_page(s, r))
        route = &absent_page;
    if (route == NULL) {
        error_set(&err, ERROR_ABSENT,
                  allow != NULL ? "not with this method" : "there is no such page");
        error_hint(&err, "the overview is at /, the API at /api/v1/");
        return visit_refuse(s, wants_page(s, r), NULL, allow != NULL ? 405 : 404, allow, &err);
    }
    if (r->too_large) {
        error_set(&err, ERROR_INPUT, "the body is too long");
        return visit_refuse(s, false, NULL, 413, NULL, &err);
    }
    if (!guard_check(s->guard, r, route, &caller, &status, &err))
        return status == 401 && route->page && !guard_has_token(s->guard, r)
                   ? visit_lead(s, r)
                   : visit_refuse(s, route->page, &caller, status, NULL, &err);
    str_copy(str_from(caller.name), r->caller, sizeof r->caller);
    if (route->stream)
        return answer_live_stream(s, &caller);
    if (route->take != NULL)
        /* cppcheck-suppress returnDanglingLifetime ; the answer keeps nothing of the caller */
        return route->take(s, &caller, r);
    if (route->fresh.ns > 0)
        return cache_answer(s->cache, route, &caller, path, r);
    return visit_later(s, route, &caller, path, r);
}

static struct http_answer *handle(void *ctx, struct http_request *r)
{
    struct server *s = ctx;
    struct arena arena = {.alloc = &alloc_system};
    struct http_answer *answer;
    struct error err = {0};
    struct str path = r->path;

    atomic_fetch_add_explicit(&s->requests, 1, memory_order_relaxed);
    if (memchr(path.at, '%', path.len) == NULL)
        return dispatch(s, r, path);
    answer = percent_decode(path, false, &arena, &path, &err)
                 ? dispatch(s, r, path)
                 : visit_refuse(s, false, NULL, 400, NULL, &err);
    arena_free(&arena);
    return answer;
}

static size_t body_most(void *ctx, const struct http_request *r)
{
    const char *allow;
    struct str rest;
    const struct route *route = route_find(r->method, r->path, &rest, &allow);

    (void)ctx;
    if (route == NULL)
        return 0;
    return route->body_most > 0 ? route->body_most : SERVE_BODY;
}

/* One line for each request. Never the query, which may have the secret of a sign-in. */
static void request_done(void *ctx, struct http_request *r)
{
    const struct server *s = ctx;
    const struct log *log = s->ctx.messages.log;
    char peer[HTTP_PEER];
    span took;

    if (log == NULL || log->level < LOG_INFO)
        return;
    took = span_between(r->begun, clock_system.now(clock_system.ctx));
    guard_peer(s->guard, r, peer);
    log_write(log, LOG_INFO, "%s %s %.*s %.*s %d %lld us", peer,
              r->caller[0] != '\0' ? r->caller : "-", STR_ARG(r->method), STR_ARG(r->path),
              r->status, (long long)(took.ns / 1000));
}

/* ---- the beginning and the end ---- */

static bool read_pem(struct op_context *ctx, struct str name, const char **out,
                     struct error *err)
{
    const char *path;
    struct str text;

    *out = NULL;
    if (name.len == 0)
        return true;
    path = str_dup(name, ctx->arena, err);
    if (path == NULL || !fs_read(path, PEM_MAX, ctx->arena, &text, err))
        return false;
    *out = str_dup(text, ctx->arena, err);
    return *out != NULL;
}

/* Both or none, readable, and the key by no one else. */
static bool read_pems(struct server *s, const char **certificate, const char **key,
                      struct error *err)
{
    const struct serve_request *r = &s->request;
    const char *path = str_dup(r->key, s->ctx.arena, err);
    struct stat is;

    if (path == NULL)
        return false;
    if ((r->certificate.len > 0) != (r->key.len > 0)) {
        error_set(err, ERROR_USAGE, "--certificate and --key go together");
        error_hint(err, "add --%s FILE", r->key.len > 0 ? "certificate" : "key");
        return false;
    }
    if (!read_pem(&s->ctx, r->certificate, certificate, err) ||
        !read_pem(&s->ctx, r->key, key, err))
        return false;
    if (*key != NULL && stat(path, &is) == 0 && (is.st_mode & S_IROTH) != 0)
        message_warn(&s->ctx.messages, "every user can read the key: chmod o= '%.*s'",
                     STR_ARG(r->key));
    return true;
}

/* A renewed certificate, without a restart. */
static void renew_certificate(struct server *s)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct op_context ctx = s->ctx;
    const char *certificate, *key;
    struct error err = {0};

    ctx.arena = &arena;
    if (s->request.key.len == 0)
        message_note(&s->ctx.messages, "there is no certificate to read again");
    else if (read_pem(&ctx, s->request.certificate, &certificate, &err) &&
             read_pem(&ctx, s->request.key, &key, &err) &&
             s->http->renew(s->listener, certificate, key, &err))
        message_note(&s->ctx.messages,
                     "new connections use the certificate that was read again");
    else
        message_warn(&s->ctx.messages, "the certificate stays as it was: %s", err.text);
    arena_free(&arena);
}

/* Each connection is a file. Where not that many may be open, there are fewer. */
static unsigned connections_possible(void)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return CONNECTIONS;
    if (files.rlim_cur < CONNECTIONS + FILES_OWN) {
        files.rlim_cur =
            files.rlim_max < CONNECTIONS + FILES_OWN ? files.rlim_max : CONNECTIONS + FILES_OWN;
        (void)setrlimit(RLIMIT_NOFILE, &files);
        (void)getrlimit(RLIMIT_NOFILE, &files);
    }
    if (files.rlim_cur >= CONNECTIONS + FILES_OWN)
        return CONNECTIONS;
    return files.rlim_cur > 2 * FILES_OWN ? (unsigned)files.rlim_cur - FILES_OWN : FILES_OWN;
}

/* Pages have as many threads as there are cores. What is computed has as many, which let others
 * go first, and half of them for one caller, so that nobody keeps others from an answer. */
static bool start_pools(struct server *s, unsigned cores, struct error *err)
{
    unsigned computing = cores < 4 ? 4 : cores;

    s->pools[POOL_QUICK] = work_new(2, 2, 0, err);
    s->pools[POOL_PAGES] =
        s->pools[POOL_QUICK] != NULL ? work_new(cores < 2 ? 2 : cores, cores, 0, err) : NULL;
    s->pools[POOL_COMPUTE] = s->pools[POOL_PAGES] != NULL
                                 ? work_new(computing, computing / 2, COMPUTE_NICE, err)
                                 : NULL;
    return s->pools[POOL_COMPUTE] != NULL;
}

static bool start_listeners(struct server *s, const int *fds, size_t count, struct error *err)
{
    struct http_handler handler = {
        .body_most = body_most, .handle = handle, .done = request_done, .ctx = s};
    unsigned cores = parallel_cores(), connections = connections_possible();
    struct http_options options = {.fds = fds,
                                   .fd_count = count,
                                   .threads = cores < 4 ? cores : 4,
                                   .connections = connections,
                                   .each = connections / 4 * 3,
                                   .crowded = connections / 6 * 5,
                                   .exempt = s->request.proxies.at,
                                   .exempt_count = s->request.proxies.len,
                                   .idle = IDLE,
                                   .whole = WHOLE,
                                   .header_bytes = HEADER_BYTES,
                                   .handler = &handler};

    if (!read_pems(s, &options.certificate, &options.key, err))
        return false;
    s->runnings = runnings_new(s, err);
    if (s->runnings == NULL || !start_pools(s, cores, err))
        return false;
    s->works = works_new(s, err);
    s->live = s->works != NULL ? live_new(s, err) : NULL;
    s->counters = s->live != NULL ? counters_new(err) : NULL;
    s->parts = s->counters != NULL ? parts_new(err) : NULL;
    s->cache = s->parts != NULL ? cache_new(s, err) : NULL;
    s->receiver = s->cache != NULL ? receiver_start(s, err) : NULL;
    s->listener = s->receiver != NULL ? s->http->open(&options, err) : NULL;
    return s->listener != NULL;
}

/* What computes is asked to end, and does so within a tenth of a second. Should something not
 * (a database that does not answer, a disk that hangs), the process ends all the same: what is
 * in the ledger is complete at any moment. */
struct last_end {
    struct server *server;
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool finished;
    pthread_t thread;
    bool has_thread;
};

static void *end_at_last(void *ctx)
{
    struct last_end *l = ctx;
    int64_t until = server_now().ns + END_LONGEST;
    struct timespec at = {.tv_sec = until / SECOND, .tv_nsec = until % SECOND};
    int waited = 0;

    (void)pthread_mutex_lock(&l->lock);
    while (!l->finished && waited == 0)
        waited = pthread_cond_timedwait(&l->done, &l->lock, &at);
    if (!l->finished) {
        message_warn(&l->server->ctx.messages,
                     "something did not end in time; the ledger is complete");
        close_browser_file(l->server);
        _exit(0);
    }
    (void)pthread_mutex_unlock(&l->lock);
    return NULL;
}

static void last_end_begin(struct last_end *l, struct server *s)
{
    pthread_condattr_t monotonic;

    *l = (struct last_end){.server = s};
    (void)pthread_mutex_init(&l->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&l->done, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    l->has_thread = pthread_create(&l->thread, NULL, end_at_last, l) == 0;
}

static void last_end_cancel(struct last_end *l)
{
    (void)pthread_mutex_lock(&l->lock);
    l->finished = true;
    (void)pthread_cond_signal(&l->done);
    (void)pthread_mutex_unlock(&l->lock);
    if (l->has_thread)
        (void)pthread_join(l->thread, NULL);
    (void)pthread_cond_destroy(&l->done);
    (void)pthread_mutex_destroy(&l->lock);
}

static void finish_server(struct server *s)
{
    struct last_end last;

    last_end_begin(&last, s);
    runnings_end(s->runnings);
    if (s->listener != NULL)
        s->http->quiet(s->listener);
    live_end(s->live);
    receiver_end(s->receiver);
    parts_end(s->parts);
    for (size_t i = 0; i < POOLS; i++)
        work_free(s->pools[i]);
    works_free(s->works);
    if (s->listener != NULL)
        s->http->close(s->listener);
    if (s->http != NULL)
        cache_free(s->cache);
    live_free(s->live);
    counters_free(s->counters);
    parts_free(s->parts);
    runnings_free(s->runnings);
    guard_free(s->guard);
    last_end_cancel(&last);
}

/* The watchdog hears of us while requests can be answered: not when every thread that makes
 * answers hangs. */
static void wait_for_end(struct server *s, const sigset_t *signals)
{
    bool watched;
    struct timespec pause = manager_pause(&watched);
    int which;

    manager_notify("READY=1");
    do {
        which = sigtimedwait(signals, NULL, &pause);
        if (which == SIGHUP)
            renew_certificate(s);
        if (watched && work_moves(s->pools[POOL_PAGES]))
            manager_notify("WATCHDOG=1");
    } while (which != SIGINT && which != SIGTERM);
    manager_notify("STOPPING=1");
}

/* The link is for whoever looks at the terminal: it goes to no log. */
static bool announce(struct server *s, struct error *err)
{
    struct messages unlogged = s->ctx.messages;
    char secret[TOKEN_SECRET];

    unlogged.log = NULL;
    message_note(&s->ctx.messages, "listening at %s%s", s->address,
                 s->everywhere ? " and at every other address of this machine" : "");
    if (manager_keeps_prints())
        return true;
    if (!guard_link(s->guard, secret, err))
        return false;
    message_note(&unlogged, "sign in once, within 5 minutes: %s/sign-in?with=%s", s->address,
                 secret);
    if (s->request.open)
        open_browser(s, secret);
    return true;
}

/* What a page took to make goes back to the system: large pieces are mapped by themselves,
 * however many were used before, and a dozen threads share two heaps, which are small
 * otherwise. */
static void keep_little_memory(void)
{
    (void)mallopt(M_MMAP_THRESHOLD, 64 * 1024);
    (void)mallopt(M_TRIM_THRESHOLD, 256 * 1024);
    (void)mallopt(M_ARENA_MAX, 2);
}

static bool serve(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct serve_result *res = out;
    struct server s = {.ctx = *ctx, .request = *(const struct serve_request *)in};
    int fds[SOCKETS_MOST];
    size_t count;
    char port[SOCKETS_PORT] = "";
    struct error ignored = {0};
    sigset_t ends;
    bool ok;

    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGINT);
    (void)sigaddset(&ends, SIGTERM);
    if (s.request.key.len > 0 || env_get("NOTIFY_SOCKET") != NULL)
        (void)sigaddset(&ends, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, &ends, NULL);
    keep_little_memory();
    s.begun = clock_system.now(clock_system.ctx);
    s.http = part_open("http", HTTP_PART_VERSION, err);
    if (s.http == NULL)
        return false;
    count = sockets_open(&s.request, fds, err);
    if (count == 0)
        return false;
    sockets_address(&s, fds[0], port);
    if (!op_ledger_place(&s.ctx, &s.place, &s.place_is_server, err))
        return false;
    s.hidden[0] = s.place;
    s.hidden[1] = ctx->settings->catalog;
    s.hidden[2] = str_from(op_store_path(&s.ctx, &ignored));
    s.hidden[3] = ctx->settings_origin->config_path;
    s.guard = guard_new(&s, port, err);
    ok = s.guard != NULL && start_listeners(&s, fds, count, err) && announce(&s, err);
    if (ok)
        view_overview_warm(&s);
    if (ok)
        wait_for_end(&s, &ends);
    finish_server(&s);
    close_browser_file(&s);
    res->address = str_from(str_dup(str_from(s.address), ctx->arena, err));
    res->duration = span_between(s.begun, clock_system.now(clock_system.ctx));
    res->requests = (int64_t)atomic_load(&s.requests);
    res->refused = (int64_t)atomic_load(&s.refused);
    res->failed = (int64_t)atomic_load(&s.failed);
    return ok;
}

const struct op op_serve = {
    .name = "serve",
    .schema = "stint.serve/1",
    .summary = "serve runs and costs over HTTP: web page and API",
    .changes = true,
    .own_process = true,
    .request = &(const struct field_set)FIELD_SET(struct serve_request, request_fields),
    .result = &(const struct field_set)FIELD_SET(struct serve_result, result_fields),
    .run = serve,
};
