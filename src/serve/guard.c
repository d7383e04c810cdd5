/* Before anything is done: is the request for us, from our own page, and by whom? */
#include "serve/guard.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/random.h>

#include "base/characters.h"
#include "base/hash.h"
#include "base/hex.h"
#include "serve/internal.h"

#define SESSIONS 2048
#define SESSIONS_EACH 64 /* of one token: the one that was not used for longest goes first */
#define SESSION_IDLE \
    (12 * 3600 * SECOND) /* a browser that asked nothing for so long signs in again */
#define LINK_LIFE (300 * SECOND)
#define PEERS 256                 /* addresses whose failures are counted */
#define FAILURES 10               /* wrong tokens from one address before it must wait... */
#define FAILURE_WAIT (6 * SECOND) /* ...so long for each further try */
#define NEWS_EVERY (SECOND / 4)   /* at most so often tokens are read for one that is unknown */

struct session {
    char digest[TOKEN_DIGEST]; /* of the cookie; empty: free */
    char token[TOKEN_DIGEST];  /* which it began with: ends with it; empty: by a link */
    instant used;
};

struct known_token {
    char digest[TOKEN_DIGEST], name[TOKEN_NAME], team[TOKEN_TEAM];
    enum token_scope scope;
    stamp expires;
};

struct failing_peer {
    uint64_t hash;
    double failures;
    instant at;
};

struct guard {
    struct server *server;
    char cookie[32]; /* "stint_8712": cookies of one machine are shared by all its ports */
    pthread_mutex_t reading;  /* held while tokens are read: none are older than those before */
    atomic_int_fast64_t news; /* when they may be read for an unknown one again */
    pthread_rwlock_t lock;    /* of what follows */
    struct known_token *tokens;
    size_t token_count;
    bool tokens_unread; /* the ledger could not be read: there may be newer ones */
    struct session sessions[SESSIONS];
    char link[TOKEN_DIGEST]; /* digest of the link that waits to be used; empty: none */
    instant link_made;
    struct failing_peer peers[PEERS];
};

/* ---- tokens ---- */

_Static_assert(TOKEN_DIGEST == 2 * HTTP_DIGEST + 1, "the ledger keeps it in hexadecimal");

static bool digest_of(const struct guard *g, struct str secret, char out[static TOKEN_DIGEST],
                      struct error *err)
{
    unsigned char digest[HTTP_DIGEST];

    if (!g->server->http->digest(secret, digest))
        return error_fail(err, ERROR_FAILED, "GnuTLS cannot make a digest by SHA-256");
    hex_copy((struct str){(const char *)digest, sizeof digest}, out);
    return true;
}

static void drop_orphans(struct guard *g);

static bool copy_tokens(struct guard *g, const struct token *from, size_t count,
                        struct error *err)
{
    struct known_token *to =
        count > 0 ? alloc_system.get(alloc_system.ctx, count * sizeof *to) : NULL;
    struct known_token *before = g->tokens;

    if (count > 0 && to == NULL)
        return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        to[i] = (struct known_token){.scope = from[i].scope, .expires = from[i].expires};
        str_copy(from[i].digest, to[i].digest, sizeof to[i].digest);
        str_copy(from[i].name, to[i].name, sizeof to[i].name);
        str_copy(from[i].team, to[i].team, sizeof to[i].team);
    }
    (void)pthread_rwlock_wrlock(&g->lock);
    g->tokens = to;
    g->token_count = count;
    drop_orphans(g);
    (void)pthread_rwlock_unlock(&g->lock);
    if (before != NULL)
        alloc_system.put(alloc_system.ctx, before);
    return true;
}

static bool read_tokens(struct guard *g, struct error *err)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct op_context ctx = op_apart(&g->server->ctx, &arena, true);
    const struct token *all;
    size_t count = 0;
    bool there, ok, gone;

    (void)pthread_mutex_lock(&g->reading);
    ok = op_tokens(&ctx, &all, &count, &there, err);
    gone = ok && !there && g->token_count > 0;
    /* Tokens of a ledger that is away are those that it had: it may come back. */
    if (ok)
        atomic_store(&g->server->ledger_gone, gone);
    if (gone)
        ok = error_fail(err, ERROR_AWAY, "the ledger is gone");
    ok = ok && copy_tokens(g, all, count, err);
    (void)pthread_mutex_unlock(&g->reading);
    op_done(&ctx);
    arena_free(&arena);
    return ok;
}

static void set_unread(struct guard *g, bool unread)
{
    (void)pthread_rwlock_wrlock(&g->lock);
    g->tokens_unread = unread;
    (void)pthread_rwlock_unlock(&g->lock);
}

bool guard_tokens(struct guard *g, struct error *err)
{
    bool ok = read_tokens(g, err);

    set_unread(g, !ok);
    return ok;
}

/* A token that is not known may be a new one, which could not be read yet. */
static bool fail_unread(struct error *err)
{
    error_set(err, ERROR_AWAY, "the server cannot read its tokens now: try again later");
    return false;
}

/* Digests of secrets: what differs, and where, tells nothing about the secret. */
static const struct known_token *find_known_token(const struct guard *g, const char *digest)
{
    for (size_t i = 0; i < g->token_count; i++)
        if (strcmp(g->tokens[i].digest, digest) == 0)
            return &g->tokens[i];
    return NULL;
}

/* One that is not known may have been made since the last look at the ledger. Wrong ones from
 * any number of addresses make no more work than some reads a second. */
static void learn_token(struct guard *g, const char *digest)
{
    int64_t now = server_now().ns;
    int_fast64_t due = atomic_load(&g->news);
    struct error ignored;
    bool is_known;

    (void)pthread_rwlock_rdlock(&g->lock);
    is_known = find_known_token(g, digest) != NULL;
    (void)pthread_rwlock_unlock(&g->lock);
    if (is_known || now < due ||
        !atomic_compare_exchange_strong(&g->news, &due, now + NEWS_EVERY))
        return;
    if (read_tokens(g, &ignored))
        set_unread(g, false);
}

static bool is_token_current(const struct guard *g, const struct known_token *t)
{
    const struct clock *clock = g->server->ctx.clock;

    return t != NULL && (t->expires.s < 0 || t->expires.s > clock->today(clock->ctx).s);
}

/* ---- addresses ---- */

static bool is_address(struct str host)
{
    bool dots = host.len > 0;

    for (size_t i = 0; i < host.len; i++)
        dots = dots && (is_digit(host.at[i]) || host.at[i] == '.');
    return dots || memchr(host.at, ':', host.len) != NULL;
}

static bool is_proxy(const struct guard *g, const char *peer)
{
    const struct strs *proxies = &g->server->request.proxies;

    for (size_t i = 0; i < proxies->len; i++)
        if (str_eq(proxies->at[i], str_from(peer)))
            return true;
    return false;
}

/* The last value of a list: what the proxy itself has added. Those before it come from the
 * client, who may write anything. */
static struct str last_of(struct str list)
{
    struct str last = {0};

    while (list.len > 0)
        last = str_trim(str_cut(&list, ','));
    return last;
}

void guard_peer(const struct guard *g, const struct http_request *r, char out[static HTTP_PEER])
{
    struct str said;

    memcpy(out, r->peer, HTTP_PEER);
    if (!is_proxy(g, r->peer))
        return;
    said = last_of(g->server->http->header(r, "X-Forwarded-For", NULL));
    if (said.len > 0 && said.len < HTTP_PEER && is_address(said))
        str_copy(said, out, HTTP_PEER);
}

bool guard_encrypted(const struct guard *g, const struct http_request *r)
{
    return r->encrypted ||
           (is_proxy(g, r->peer) &&
            str_eq_nocase(last_of(g->server->http->header(r, "X-Forwarded-Proto", NULL)),
                          STR("https")));
}

/* ---- addresses that try wrong tokens ---- */

static struct failing_peer *peer_of(struct guard *g, const char *peer)
{
    uint64_t hash = text_hash((uint64_t)(uintptr_t)g, str_from(peer));
    struct failing_peer *p = &g->peers[hash % PEERS];

    if (p->hash != hash)
        *p = (struct failing_peer){.hash = hash, .at = server_now()};
    return p;
}

/* Each wait makes one failure good. */
static bool must_wait(struct guard *g, const char *peer)
{
    struct failing_peer *p = peer_of(g, peer);
    instant now = server_now();

    p->failures -= (double)(now.ns - p->at.ns) / (double)FAILURE_WAIT;
    p->failures = p->failures > 0 ? p->failures : 0;
    p->at = now;
    return p->failures >= FAILURES;
}

/* ---- sessions ---- */

static void caller_of(const struct known_token *token, struct caller *out)
{
    out->scope = token != NULL ? token->scope : TOKEN_ADMIN;
    str_copy(str_from(token != NULL ? token->name : "local"), out->name, sizeof out->name);
    str_copy(str_from(token != NULL ? token->team : ""), out->team, sizeof out->team);
    str_copy(str_from(token != NULL ? token->digest : ""), out->token, sizeof out->token);
}

/* The session of a cookie, and the token that it began with (NULL: a link), which says now what
 * it may. NULL: there is none, or no more. */
static struct session *find_session(struct guard *g, const char *digest,
                                    const struct known_token **token)
{
    for (size_t i = 0; i < SESSIONS; i++) {
        struct session *s = &g->sessions[i];

        if (s->digest[0] == '\0' || strcmp(s->digest, digest) != 0)
            continue;
        *token = s->token[0] != '\0' ? find_known_token(g, s->token) : NULL;
        if (server_now().ns - s->used.ns <= SESSION_IDLE &&
            (s->token[0] == '\0' || is_token_current(g, *token)))
            return s;
        *s = (struct session){0};
        return NULL;
    }
    return NULL;
}

static void session_caller(struct guard *g, const char *digest, struct caller *out)
{
    const struct known_token *token;
    struct session *s = find_session(g, digest, &token);

    if (s == NULL)
        return;
    s->used = server_now();
    caller_of(token, out);
    out->by_cookie = true;
    str_copy(str_from(digest), out->session, sizeof out->session);
}

bool guard_still(struct guard *g, const struct caller *caller)
{
    const struct known_token *token;
    bool still;

    (void)pthread_rwlock_wrlock(&g->lock);
    if (caller->by_cookie)
        still = find_session(g, caller->session, &token) != NULL;
    else
        still =
            caller->token[0] == '\0' || is_token_current(g, find_known_token(g, caller->token));
    (void)pthread_rwlock_unlock(&g->lock);
    return still;
}

/* Sessions of tokens that are gone. Called with the lock held for writing. */
static void drop_orphans(struct guard *g)
{
    for (size_t i = 0; i < SESSIONS; i++)
        if (g->sessions[i].token[0] != '\0' &&
            find_known_token(g, g->sessions[i].token) == NULL)
            g->sessions[i] = (struct session){0};
}

/* Of a token's sessions the one that was not used for longest, and how many it has. */
static struct session *oldest_session(struct guard *g, const char *token, size_t *count)
{
    struct session *oldest = NULL;

    *count = 0;
    for (size_t i = 0; i < SESSIONS; i++) {
        struct session *s = &g->sessions[i];

        if (s->digest[0] == '\0' || strcmp(s->token, token) != 0)
            continue;
        (*count)++;
        if (oldest == NULL || s->used.ns < oldest->used.ns)
            oldest = s;
    }
    return oldest;
}

/* A place for one more of a token: its own oldest when it has enough; a free one; when there is
 * none, the oldest of the token that has most. Nobody is signed out by another's sign-ins while
 * there are fewer tokens than SESSIONS / SESSIONS_EACH. */
static struct session *find_session_place(struct guard *g, const char *token)
{
    size_t count, most = 0;
    struct session *place = oldest_session(g, token, &count);

    if (count >= SESSIONS_EACH)
        return place;
    for (size_t i = 0; i < SESSIONS; i++)
        if (g->sessions[i].digest[0] == '\0')
            return &g->sessions[i];
    for (size_t i = 0; i < SESSIONS; i++) {
        struct session *oldest = oldest_session(g, g->sessions[i].token, &count);

        if (count > most) {
            most = count;
            place = oldest;
        }
    }
    return place;
}

/* Called with the lock held for writing. */
static bool session_new(struct guard *g, const struct known_token *token,
                        char cookie[static TOKEN_SECRET], struct error *err)
{
    char digest[TOKEN_DIGEST];
    struct session *place;

    if (!token_secret(cookie, err) || !digest_of(g, str_from(cookie), digest, err))
        return false;
    place = find_session_place(g, token != NULL ? token->digest : "");
    *place = (struct session){.used = server_now()};
    memcpy(place->digest, digest, sizeof digest);
    if (token != NULL)
        memcpy(place->token, token->digest, sizeof place->token);
    return true;
}

bool guard_sign_in(struct guard *g, const char *peer, struct str secret,
                   char cookie[static TOKEN_SECRET], struct error *err)
{
    char digest[TOKEN_DIGEST];
    const struct known_token *token;
    bool by_link, ok;

    if (!digest_of(g, secret, digest, err))
        return false;
    learn_token(g, digest);
    (void)pthread_rwlock_wrlock(&g->lock);
    token = find_known_token(g, digest);
    by_link = g->link[0] != '\0' && strcmp(g->link, digest) == 0 &&
              server_now().ns - g->link_made.ns < LINK_LIFE;
    if (by_link)
        g->link[0] = '\0';
    if (by_link || is_token_current(g, token)) {
        ok = session_new(g, by_link ? NULL : token, cookie, err);
    } else if (token == NULL && g->tokens_unread) {
        ok = fail_unread(err);
    } else if (must_wait(g, peer)) {
        ok = error_fail(err, ERROR_GUARD,
                        "too many wrong tokens from this address: wait a minute");
    } else {
        peer_of(g, peer)->failures += 1;
        error_set(err, ERROR_INPUT, "this token or link is not valid, or no longer");
        error_hint(err, "'stint token add NAME' creates one");
        ok = false;
    }
    (void)pthread_rwlock_unlock(&g->lock);
    return ok;
}

void guard_sign_out(struct guard *g, const struct http_request *request)
{
    char digest[TOKEN_DIGEST];

    if (!guard_cookie(g, request, digest))
        return;
    (void)pthread_rwlock_wrlock(&g->lock);
    for (size_t i = 0; i < SESSIONS; i++)
        if (strcmp(g->sessions[i].digest, digest) == 0)
            g->sessions[i] = (struct session){0};
    (void)pthread_rwlock_unlock(&g->lock);
}

bool guard_link(struct guard *g, char secret[static TOKEN_SECRET], struct error *err)
{
    char digest[TOKEN_DIGEST];

    if (!token_secret(secret, err) || !digest_of(g, str_from(secret), digest, err))
        return false;
    (void)pthread_rwlock_wrlock(&g->lock);
    memcpy(g->link, digest, sizeof digest);
    g->link_made = server_now();
    (void)pthread_rwlock_unlock(&g->lock);
    return true;
}

const char *guard_cookie_name(const struct guard *g)
{
    return g->cookie;
}

bool guard_cookie(const struct guard *g, const struct http_request *request,
                  char digest[static TOKEN_DIGEST])
{
    struct str all = g->server->http->header(request, "Cookie", NULL);
    struct error ignored;

    while (all.len > 0) {
        struct str value = str_trim(str_cut(&all, ';'));
        struct str name = str_cut(&value, '=');

        if (str_eq(name, str_from(g->cookie)) && value.len < TOKEN_SECRET)
            return digest_of(g, value, digest, &ignored);
    }
    return false;
}

/* ---- is it for us ---- */

/* "host:8712" without the port; "[::1]:8712" without port and brackets. */
static struct str without_port(struct str host)
{
    if (host.len > 0 && host.at[0] == '[') {
        host.at++;
        host.len--;
        return str_cut(&host, ']');
    }
    return str_cut(&host, ':');
}

/* A page of another site may make a browser ask us under its own name (DNS rebinding): only
 * names that are known to be ours are answered. An address is no name that others could own. */
static bool is_our_name(const struct guard *g, struct str host)
{
    const struct strs *names = &g->server->request.names;

    host = without_port(host);
    if (host.len == 0)
        return false;
    if (str_eq_nocase(host, STR("localhost")) || is_address(host))
        return true;
    for (size_t i = 0; i < names->len; i++)
        if (str_eq_nocase(host, without_port(names->at[i])))
            return true;
    return false;
}

/* "https://host:port/..." -> "host:port" */
static struct str host_of(struct str address)
{
    if (str_starts(address, STR("http://")))
        address = (struct str){address.at + 7, address.len - 7};
    else if (str_starts(address, STR("https://")))
        address = (struct str){address.at + 8, address.len - 8};
    else
        return (struct str){0};
    return str_cut(&address, '/');
}

/* What changes something must come from our own page, or from no page at all. Browsers say so
 * in Origin; old and text browsers in Referer. */
static bool is_from_us(const struct guard *g, const struct http_request *r, struct str host,
                       bool by_cookie)
{
    const struct http_part *http = g->server->http;
    struct str origin = http->header(r, "Origin", NULL);
    struct str site = http->header(r, "Sec-Fetch-Site", NULL);
    struct str referer = http->header(r, "Referer", NULL);

    if (site.len > 0 && !str_eq(site, STR("same-origin")) && !str_eq(site, STR("none")))
        return false;
    if (origin.len > 0)
        return str_eq_nocase(host_of(origin), host);
    if (referer.len > 0)
        return str_eq_nocase(host_of(referer), host);
    return !by_cookie;
}

static bool refuse_caller(int *status, int with, struct error *err, const char *text)
{
    *status = with;
    return error_fail(err, with == 401 || with == 403 ? ERROR_GUARD : ERROR_INPUT, "%s", text);
}

static bool is_writing(const struct http_request *r)
{
    return !str_eq(r->method, STR("GET")) && !str_eq(r->method, STR("HEAD"));
}

/* ---- by whom ---- */

/* The token of its header. Another scheme is no token of ours: a proxy may have sent it. */
static struct str bearer_token(const struct guard *g, const struct http_request *r)
{
    struct str given = g->server->http->header(r, "Authorization", NULL);

    if (given.len <= 7 || !str_eq_nocase((struct str){given.at, 7}, STR("Bearer ")))
        return (struct str){0};
    return str_trim((struct str){given.at + 7, given.len - 7});
}

bool guard_has_token(const struct guard *g, const struct http_request *r)
{
    return bearer_token(g, r).len > 0;
}

static bool find_caller(struct guard *g, const struct http_request *r, struct caller *caller,
                        bool *wrong, struct error *err)
{
    struct str given = bearer_token(g, r);
    char digest[TOKEN_DIGEST];
    bool bearer = given.len > 0, unread = false;

    *wrong = bearer;
    if (!bearer && !guard_cookie(g, r, digest))
        return true;
    if (bearer && !digest_of(g, given, digest, err))
        return false;
    if (bearer) {
        const struct known_token *t;

        learn_token(g, digest);
        (void)pthread_rwlock_rdlock(&g->lock);
        t = find_known_token(g, digest);
        if (is_token_current(g, t)) {
            caller_of(t, caller);
            *wrong = false;
        }
        unread = t == NULL && g->tokens_unread;
    } else {
        (void)pthread_rwlock_wrlock(&g->lock);
        session_caller(g, digest, caller);
    }
    (void)pthread_rwlock_unlock(&g->lock);
    return !unread || fail_unread(err);
}

/* A wrong token counts against the address; a right one is never made to wait. */
static bool count_failure(struct guard *g, const struct http_request *r)
{
    char peer[HTTP_PEER];
    bool wait;

    guard_peer(g, r, peer);
    (void)pthread_rwlock_wrlock(&g->lock);
    wait = must_wait(g, peer);
    if (!wait)
        peer_of(g, peer)->failures += 1;
    (void)pthread_rwlock_unlock(&g->lock);
    return wait;
}

bool guard_host(struct guard *g, const struct http_request *r, int *status, struct error *err)
{
    unsigned hosts = 0;
    struct str host = g->server->http->header(r, "Host", &hosts);

    if (hosts != 1)
        return refuse_caller(status, 400, err, "a request has one Host");
    if (is_our_name(g, host))
        return true;
    *status = 421;
    error_set(err, ERROR_INPUT, "this server is not called '%.*s'", STR_ARG(host));
    error_hint(err, "start it with --name %.*s if it is", STR_ARG(host));
    return false;
}

bool guard_check(struct guard *g, const struct http_request *r, const struct route *route,
                 struct caller *caller, int *status, struct error *err)
{
    struct str host = g->server->http->header(r, "Host", NULL);
    bool wrong;

    *caller = (struct caller){.scope = TOKEN_NONE};
    if (!find_caller(g, r, caller, &wrong, err)) {
        *status = err->kind == ERROR_AWAY ? 503 : 500;
        return false;
    }
    if (wrong && count_failure(g, r))
        return refuse_caller(status, 429, err,
                             "too many wrong tokens from this address: wait a minute");
    if (wrong)
        return refuse_caller(status, 401, err, "this token is not valid, or no longer");
    if (is_writing(r) && !is_from_us(g, r, host, caller->by_cookie))
        return refuse_caller(status, 403, err,
                             "the request comes from the page of another site");
    if (caller->scope >= route->scope)
        return true;
    if (caller->scope == TOKEN_NONE) {
        (void)refuse_caller(status, 401, err, "this needs a token");
        error_hint(err,
                   "send 'Authorization: Bearer TOKEN'; 'stint token add NAME' creates one");
        return false;
    }
    *status = 403;
    return error_fail(err, ERROR_GUARD, "the token '%s' may only %s", caller->name,
                      token_scope_names[caller->scope]);
}

/* ---- the beginning and the end ---- */

struct guard *guard_new(struct server *s, const char *port, struct error *err)
{
    struct guard *g = alloc_system.get(alloc_system.ctx, sizeof *g);

    if (g == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *g = (struct guard){.server = s};
    (void)snprintf(g->cookie, sizeof g->cookie, "stint_%s", port);
    (void)pthread_mutex_init(&g->reading, NULL);
    (void)pthread_rwlock_init(&g->lock, NULL);
    if (guard_tokens(g, err))
        return g;
    guard_free(g);
    return NULL;
}

void guard_free(struct guard *g)
{
    if (g == NULL)
        return;
    if (g->tokens != NULL)
        alloc_system.put(alloc_system.ctx, g->tokens);
    (void)pthread_rwlock_destroy(&g->lock);
    (void)pthread_mutex_destroy(&g->reading);
    alloc_system.put(alloc_system.ctx, g);
}
