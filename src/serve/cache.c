/* Answers that are used again.
 *
 * A hundred people who look at the overview, or a program that asks a thousand times a second,
 * cost one reading of the ledger for each change of it. An answer is used while nothing was
 * written to the ledger since it was begun, and at most as long as its route says, since some
 * things change with time alone. Whoever asks for one that is being made waits for that one.
 */
#include <string.h>

#include "base/hash.h"
#include "op/ledger_watch.h"
#include "serve/internal.h"

#define ENTRIES 256
#define KEY 1024                /* bytes; longer ones are not kept */
#define LOOK_EVERY (SECOND / 5) /* between looks at the ledger */

struct entry {
    struct cache *cache;
    char key[KEY]; /* empty: free */
    size_t key_len;
    uint64_t hash;
    struct caller caller;
    const struct route *route;
    size_t path_at, query_at; /* in the key */
    struct http_answer *answer;
    uint64_t generation, changes; /* of the ledger when it was begun */
    instant made, used, since;    /* since: when the one that is being made was asked for */
    bool making;
    struct http_request *waiting; /* a list, through their `user` */
};

struct cache {
    struct server *server;
    pthread_mutex_t lock; /* of what follows */
    uint64_t
        hashes[ENTRIES]; /* of the entries, in one piece: every request looks through them */
    struct entry entries[ENTRIES];
    uint64_t generation; /* grows when anybody has written to the ledger */
    uint64_t changes;    /* grows when something was changed through us */
    uint64_t written;    /* grows with both, but not when parts of pages are renewed */
    bool ending;
    pthread_cond_t ended;
    pthread_t watcher;
};

/* "2vteam\0/path\0query" with the variant for v: what decides the answer. False when it is too
 * long. */
static bool write_cache_key(struct entry *e, const struct caller *caller, struct str path,
                            struct str query, char variant)
{
    size_t team = strlen(caller->team);

    if (team + path.len + query.len + 5 > KEY)
        return false;
    e->key[0] = (char)('0' + (int)caller->scope);
    e->key[1] = variant;
    memcpy(e->key + 2, caller->team, team + 1);
    e->path_at = team + 3;
    memcpy(e->key + e->path_at, path.at, path.len);
    e->key[e->path_at + path.len] = '\0';
    e->query_at = e->path_at + path.len + 1;
    if (query.len > 0)
        memcpy(e->key + e->query_at, query.at, query.len);
    e->key_len = e->query_at + query.len;
    e->hash = text_hash(1, (struct str){e->key, e->key_len});
    return true;
}

static struct entry *find_cache_entry(struct cache *c, const struct entry *like)
{
    for (size_t i = 0; i < ENTRIES; i++)
        if (c->hashes[i] == like->hash && c->entries[i].key_len == like->key_len &&
            memcmp(c->entries[i].key, like->key, like->key_len) == 0)
            return &c->entries[i];
    return NULL;
}

/* The one that was not used for the longest time; NULL when all are being made. */
static struct entry *free_entry(struct cache *c)
{
    struct entry *oldest = NULL;

    for (size_t i = 0; i < ENTRIES; i++)
        if (!c->entries[i].making &&
            (oldest == NULL || c->entries[i].used.ns < oldest->used.ns))
            oldest = &c->entries[i];
    if (oldest != NULL) {
        c->server->http->drop(oldest->answer);
        *oldest = (struct entry){0};
        c->hashes[oldest - c->entries] = 0;
    }
    return oldest;
}

/* ---- making one ---- */

static void make_entry(void *ctx);

/* Called with the lock held. */
static bool add_cache_entry(struct entry *e, uint64_t whose)
{
    e->since = server_now();
    return work_add(e->cache->server->pools[e->route->pool], whose, make_entry, e);
}

static void answer_all(struct server *s, struct http_request *waiting,
                       struct http_answer *answer)
{
    while (waiting != NULL) {
        struct http_request *next = waiting->user;

        if (answer != NULL)
            s->http->keep(answer);
        s->http->later(waiting, answer);
        waiting = next;
    }
}

/* Have all of them left who wait for it? Nobody waits for one that is made again while the old
 * one is shown. */
static bool waiters_left(void *ctx)
{
    struct entry *e = ctx;
    struct cache *c = e->cache;
    bool left;

    (void)pthread_mutex_lock(&c->lock);
    left = e->waiting != NULL;
    for (const struct http_request *r = e->waiting; r != NULL && left; r = r->user)
        left = c->server->http->gone(r);
    (void)pthread_mutex_unlock(&c->lock);
    return left;
}

/* It was given up because all had left, and now somebody is there again. Called with the lock
 * held. */
static bool is_wanted_again(const struct entry *e, enum end_reason why)
{
    for (const struct http_request *r = e->waiting; why == END_CLIENT && r != NULL; r = r->user)
        if (!e->cache->server->http->gone(r))
            return true;
    return false;
}

static void make_entry(void *ctx)
{
    struct entry *e = ctx;
    struct cache *c = e->cache;
    struct http_request *waiting;
    struct http_answer *answer, *before;
    struct asked asked = {
        .route = e->route,
        .caller = &e->caller,
        .path = {e->key + e->path_at, e->query_at - e->path_at - 1},
        .query = {e->key + e->query_at, e->key_len - e->query_at},
        .variant = e->key[1],
        .left = waiters_left,
        .left_ctx = e,
    };
    uint64_t generation, changes;
    enum end_reason why;
    bool good = false;

    (void)pthread_mutex_lock(&c->lock);
    generation = c->generation;
    changes = c->changes;
    asked.since = e->since;
    (void)pthread_mutex_unlock(&c->lock);
    answer = visit_make(c->server, &asked, &good, &why);
    (void)pthread_mutex_lock(&c->lock);
    if (is_wanted_again(e, why) && add_cache_entry(e, work_whose(&e->caller))) {
        (void)pthread_mutex_unlock(&c->lock);
        c->server->http->drop(answer);
        return;
    }
    before = e->answer;
    e->answer = good ? answer : NULL;
    if (good)
        c->server->http->keep(answer);
    e->generation = generation;
    e->changes = changes;
    e->made = server_now();
    e->making = false;
    waiting = e->waiting;
    e->waiting = NULL;
    (void)pthread_mutex_unlock(&c->lock);
    answer_all(c->server, waiting, answer);
    c->server->http->drop(answer);
    c->server->http->drop(before);
}

static bool is_fresh(const struct cache *c, const struct entry *e, instant now)
{
    return e->answer != NULL && e->generation == c->generation && e->changes == c->changes &&
           now.ns - e->made.ns < e->route->fresh.ns;
}

static bool is_showable(const struct cache *c, const struct entry *e, instant now)
{
    return e->answer != NULL && e->changes == c->changes &&
           now.ns - e->made.ns < e->route->stale.ns;
}

/* Does the browser ask for the current state? It does when a page is reloaded, and our script
 * does after a change was announced. */
static bool wants_current(const struct server *s, const struct http_request *request)
{
    struct str control = s->http->header(request, "Cache-Control", NULL);

    return str_has_nocase(control, STR("no-cache")) ||
           str_has_nocase(control, STR("max-age=0"));
}

/* Called with the lock held. */
static struct http_answer *look_up(struct cache *c, const struct entry *wanted, uint64_t whose,
                                   struct http_request *request, bool *taken)
{
    instant now = server_now();
    struct entry *e = find_cache_entry(c, wanted);
    struct http_answer *answer = NULL;

    if (e == NULL && (e = free_entry(c)) != NULL) {
        *e = *wanted;
        c->hashes[e - c->entries] = e->hash;
    }
    if (e == NULL)
        return NULL;
    e->used = now;
    if (is_fresh(c, e, now) || (is_showable(c, e, now) && !wants_current(c->server, request))) {
        answer = e->answer;
        c->server->http->keep(answer);
    }
    *taken = answer != NULL;
    if (answer != NULL && is_fresh(c, e, now))
        return answer;
    if (!e->making)
        e->making = add_cache_entry(e, whose);
    if (answer == NULL && e->making) {
        request->user = e->waiting;
        e->waiting = request;
        *taken = true;
    }
    return answer;
}

struct http_answer *cache_answer(struct cache *c, const struct route *route,
                                 const struct caller *caller, struct str path,
                                 struct http_request *request)
{
    struct entry wanted = {.cache = c, .caller = *caller, .route = route};
    struct http_answer *answer = NULL;
    bool taken = false;

    wanted.caller.by_cookie = false;
    /* The same for all with these rights. */
    wanted.caller.name[0] = wanted.caller.token[0] = wanted.caller.session[0] = '\0';
    if (write_cache_key(&wanted, caller, path, request->query,
                        visit_variant(c->server, route, request))) {
        (void)pthread_mutex_lock(&c->lock);
        answer = look_up(c, &wanted, work_whose(caller), request, &taken);
        (void)pthread_mutex_unlock(&c->lock);
    }
    return taken ? answer : visit_later(c->server, route, caller, path, request);
}

void cache_changed(struct cache *c)
{
    (void)pthread_mutex_lock(&c->lock);
    c->generation++;
    c->changes++;
    c->written++;
    (void)pthread_mutex_unlock(&c->lock);
}

void cache_renew(struct cache *c)
{
    (void)pthread_mutex_lock(&c->lock);
    c->generation++;
    (void)pthread_mutex_unlock(&c->lock);
    live_changed(c->server->live);
}

void cache_counts(struct cache *c, uint64_t *written, uint64_t *changes)
{
    (void)pthread_mutex_lock(&c->lock);
    *written = c->written;
    *changes = c->changes;
    (void)pthread_mutex_unlock(&c->lock);
}

/* ---- watching the ledger ---- */

/* `again`: tokens are to be read whether or not something was written: at first, since it may
 * have changed since the start, and while they could not be read. */
static void look_at_ledger(struct cache *c, struct op_watch *watch, bool *again)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = 4096};
    struct op_context ctx = op_apart(&c->server->ctx, &arena, true);
    struct error err = {0};
    bool written = op_watch_look(&ctx, watch), failed = false;

    if (written || *again) {
        failed = !guard_tokens(c->server->guard, &err);
        if (failed && written)
            log_write(c->server->ctx.messages.log, LOG_WARN, "tokens: %s", err.text);
    }
    if (written || (*again && !failed)) {
        (void)pthread_mutex_lock(&c->lock);
        c->generation++;
        c->written++;
        (void)pthread_mutex_unlock(&c->lock);
        live_changed(c->server->live);
    }
    *again = failed;
    live_check(c->server->live);
    op_done(&ctx);
    arena_free(&arena);
}

static void *watch_ledger(void *ctx)
{
    struct cache *c = ctx;
    struct op_watch watch = {0};
    bool ending, again = true;

    do {
        int64_t until = server_now().ns + LOOK_EVERY;
        struct timespec at = {.tv_sec = until / SECOND, .tv_nsec = until % SECOND};

        look_at_ledger(c, &watch, &again);
        (void)pthread_mutex_lock(&c->lock);
        if (!c->ending)
            (void)pthread_cond_timedwait(&c->ended, &c->lock, &at);
        ending = c->ending;
        (void)pthread_mutex_unlock(&c->lock);
    } while (!ending);
    op_watch_end(&watch);
    return NULL;
}

struct cache *cache_new(struct server *s, struct error *err)
{
    struct cache *c = alloc_system.get(alloc_system.ctx, sizeof *c);
    pthread_condattr_t monotonic;
    int problem;

    if (c == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    memset(c, 0, sizeof *c);
    c->server = s;
    (void)pthread_mutex_init(&c->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&c->ended, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    problem = pthread_create(&c->watcher, NULL, watch_ledger, c);
    if (problem == 0)
        return c;
    error_system(err, problem, "cannot start a thread");
    alloc_system.put(alloc_system.ctx, c);
    return NULL;
}

void cache_free(struct cache *c)
{
    if (c == NULL)
        return;
    (void)pthread_mutex_lock(&c->lock);
    c->ending = true;
    (void)pthread_cond_signal(&c->ended);
    (void)pthread_mutex_unlock(&c->lock);
    (void)pthread_join(c->watcher, NULL);
    for (size_t i = 0; i < ENTRIES; i++)
        c->server->http->drop(c->entries[i].answer);
    (void)pthread_cond_destroy(&c->ended);
    (void)pthread_mutex_destroy(&c->lock);
    alloc_system.put(alloc_system.ctx, c);
}
