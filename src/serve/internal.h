/* internal.h - what the files of the server share.
 *
 * A request goes: HTTP (http_part.c) -> guard.c (is it for us, who asks, may they) -> route.c
 * (which view or operation) -> cache.c (do we have the answer) -> work.c (threads that make it)
 * -> a `make` function of a view, which calls operations and writes into a buffer.
 */
#ifndef SERVE_INTERNAL_H
#define SERVE_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/stop.h"
#include "op/context.h"
#include "op/token/token.h"
#include "serve/guard.h"
#include "serve/http_part.h"
#include "serve/params.h"
#include "serve/serve.h"

#define SERVE_BODY ((size_t)1 << 20) /* bytes of a request's body, where nothing else is said */
#define SERVE_HIDDEN 4
#define SERVE_NOTES 16                  /* notes and warnings of one answer */
#define SERVE_ANSWER ((size_t)64 << 20) /* bytes of one answer, at most */

/* ---- running.c: what is being made now, and when it has to end ---- */

enum end_reason {
    END_NONE,
    END_TIME,     /* it took too long */
    END_MEMORY,   /* it took too much */
    END_CROWDED,  /* all together took too much */
    END_CLIENT,   /* whoever waited for it has left */
    END_CANCELED, /* by request */
    END_TOKEN,    /* the token of whoever asked is gone */
    END_SERVER,   /* the server ends */
};

struct run_limits {
    span time;
    size_t bytes;     /* of memory */
    unsigned threads; /* of parallel_run() */
    bool work;        /* long work already */
};

/* One of them. Prepared once: its allocator is used from then on; begun and ended by the thread
 * that does it, whose stop_asked() is about it in between. */
struct running {
    struct stop stop;
    struct alloc alloc; /* counts */
    /* Has everybody left who waited for it? Called by another thread. NULL: nobody waits. */
    bool (*left)(void *ctx);
    void *left_ctx;
    const struct caller *caller; /* whose token must be valid; NULL: nobody's */
    /* Of running.c: */
    struct runnings *all;
    atomic_size_t bytes;
    size_t bytes_most;
    int64_t until;
    struct stop *outer;
    struct running *next, *before;
};

void running_prepare(struct server *s, struct running *r);
void running_begin(struct server *s, struct running *r, const struct run_limits *limits);
enum end_reason running_end(struct server *s, struct running *r); /* END_NONE: by itself */

/* Say why it ended, in place of any other error. False: by itself. */
bool running_problem(enum end_reason why, const struct run_limits *limits, struct error *err);

struct runnings *runnings_new(struct server *s, struct error *err) MUST_USE;
void runnings_end(struct runnings *all); /* all of them, and what begins from now on */
void runnings_free(struct runnings *all);

/* One request on its way to an answer: for the `make` functions, which run on threads of
 * work.c, one request a thread. */
struct visit {
    struct server *server;
    const struct route *route;
    struct http_request *request; /* NULL: made before anybody asked (cache.c) */
    struct caller caller;
    struct running running; /* and what it may take */
    struct arena arena;     /* of its allocator */
    struct op_context ctx;  /* with the arena; quiet: notes are collected below */
    struct str path, query; /* the path is decoded */
    struct str rest;        /* what is in the place of the path's `*`, decoded */
    struct params params;   /* of the query; of a form that was sent (params.h) */
    char variant;           /* as the route's `variant` says; '\0' when it has none */
    struct str notes[SERVE_NOTES];
    enum message_kind note_kinds[SERVE_NOTES];
    size_t note_count;

    /* The answer. */
    int status;                                   /* 200 */
    const char *type;                             /* "text/html; charset=utf-8" */
    const char *location, *cookie, *file, *allow; /* headers; NULL: without */
    const char *keep; /* how long a browser may keep it: Cache-Control; NULL: not at all */
    struct buf out;

    int64_t patience; /* until when it waits for parts that take long (parts.c) */

    /* A table of the page that was asked for as CSV (page_table.c). */
    bool csv_found;
    struct str csv, csv_name;
};

/* What a path leads to. `make` writes the answer into the visit; false, with the error set,
 * is answered with the status that fits its kind, as JSON or as a page. */
enum route_pool {
    POOL_PAGES,   /* reads the ledger, for a moment */
    POOL_QUICK,   /* waits for nothing that takes long: health, signing in */
    POOL_COMPUTE, /* may compute for seconds: each caller has a share */
    POOLS,
};

struct route {
    const char *method; /* "GET" (HEAD too), "POST" */
    const char *path;   /* "/runs/ *" without the blank: the rest is in visit.rest */
    enum token_scope scope;
    bool (*make)(struct visit *v, struct error *err);
    bool stream; /* answered by live.c; `make` is NULL */
    /* What of the request decides the answer besides path and query, as one character: the
     * format that its headers ask for. NULL: nothing. */
    char (*variant)(const struct server *s, const struct http_request *request);
    /* Instead of `make`: answers at once, or takes the request and answers it later (NULL). */
    struct http_answer *(*take)(struct server *s, const struct caller *caller,
                                struct http_request *request);
    enum route_pool pool;
    bool page;        /* for people: an error is a page, and who is not known may sign in */
    size_t body_most; /* 0: SERVE_BODY */
    /* How long an answer may be used again while the ledger does not change; 0: never. */
    span fresh;
    /* How long it may be shown while a new one is made, unless the browser asks for a new one;
     * 0: not at all. */
    span stale;
};

extern const struct route serve_routes[];
extern const size_t serve_route_count;

/* The route of a path, and what its `*` is. NULL: none; `*wrong_method` when another method has
 * one. */
const struct route *route_find(struct str method, struct str path, struct str *rest,
                               const char **allow);

struct server {
    const struct http_part *http;
    struct http_listener *listener;
    struct op_context ctx; /* of the command: settings, clock, log */
    struct serve_request request;
    struct guard *guard;
    struct cache *cache;
    struct live *live;
    struct parts *parts;
    struct runnings *runnings;
    struct work *pools[POOLS];
    struct works *works; /* long work (api_work.c) */
    struct counters *counters;
    struct receiver_thread *receiver;
    char address[128]; /* "http://127.0.0.1:8712" */
    bool everywhere;   /* at every address of this machine, not only that one */
    const char *lead;  /* a file that leads a browser to us (browser.c); NULL: none */
    instant begun;
    atomic_llong requests, refused, failed;
    atomic_bool ledger_gone;         /* it was there, with tokens, and is no more */
    struct str place;                /* of the ledger: not for those who ask */
    bool place_is_server;            /* that is an address */
    struct str hidden[SERVE_HIDDEN]; /* files and folders of the server: not for them either */
};

/* For limits and ages, whatever STINT_NOW says. */
static inline instant server_now(void)
{
    return clock_system.now(clock_system.ctx);
}

/* ---- sockets.c: where it listens ---- */

#define SOCKETS_DEFAULT "127.0.0.1:8712"
#define SOCKETS_MOST 8
#define SOCKETS_PORT 8 /* bytes of a port as text, with the NUL */

/* How many sockets listen now: those that systemd has opened, or those of --listen. 0 with the
 * error set. */
size_t sockets_open(const struct serve_request *request, int fds[static SOCKETS_MOST],
                    struct error *err) MUST_USE;

/* The server's address as a browser on this machine can use it, with the port that the socket
 * has, when 0 asked for any. */
void sockets_address(struct server *s, int fd, char port[static SOCKETS_PORT]);

/* ---- manager.c: systemd ---- */

/* Tell the service manager (sd_notify(3)); nothing without one. */
void manager_notify(const char *state);

/* Twice as often as its watchdog wants to hear of us; an hour without one. */
struct timespec manager_pause(bool *watched);

/* Does what we print go to the journal, which is kept and which others read
 * (JOURNAL_STREAM)? */
bool manager_keeps_prints(void);

/* ---- cache.c: answers that are used again ---- */

struct cache *cache_new(struct server *s, struct error *err) MUST_USE;
void cache_free(struct cache *cache);

/* The answer to a request of a route that is `fresh` for a while: a reference for the caller.
 * NULL: it will be answered later. `path` is decoded. */
struct http_answer *cache_answer(struct cache *cache, const struct route *route,
                                 const struct caller *caller, struct str path,
                                 struct http_request *request);

/* Something was changed through us: what is kept is no longer true. */
void cache_changed(struct cache *cache);

/* Pages may be made anew, since a part of them was; and how often the ledger was written to, by
 * anybody, and through us. */
void cache_renew(struct cache *cache);
void cache_counts(struct cache *cache, uint64_t *written, uint64_t *changes);

/* ---- parts.c: parts of pages that take long (page.h) ---- */

struct parts *parts_new(struct error *err) MUST_USE;
void parts_end(struct parts *parts); /* no more are made */
void parts_free(struct parts *parts);

/* ---- work.c: threads that make answers ---- */

/* `each`: threads that one caller may have at a time; `nice`: of the threads (nice(2)). */
struct work *work_new(unsigned threads, unsigned each, int nice, struct error *err) MUST_USE;
void work_free(struct work *work); /* what waits is answered first */

/* Has a thread begun something since the last call, or is there nothing to do? */
bool work_moves(struct work *work);

/* Call `run` on a thread. False when too much waits, at all or of this caller (0: of nobody in
 * particular). */
bool work_add(struct work *work, uint64_t whose, void (*run)(void *ctx), void *ctx) MUST_USE;

/* Whose it is, for work_add(). */
uint64_t work_whose(const struct caller *caller);

/* ---- visit.c ---- */

/* What is asked, by whom. */
struct asked {
    const struct route *route;
    const struct caller *caller;
    struct str path, query;
    char variant;
    struct http_request *request; /* NULL: no one waits for it */
    bool (*left)(void *ctx);      /* of struct running */
    void *left_ctx;
    instant since; /* when it was asked */
};

/* The variant of a request; '\0' when the route has none. */
char visit_variant(const struct server *s, const struct route *route,
                   const struct http_request *request);

/* Make the answer; NULL only without memory. `good`: its status is 200, and it is complete.
 * `why`: it was ended. */
struct http_answer *visit_make(struct server *s, const struct asked *asked, bool *good,
                               enum end_reason *why);

/* Is the body that of a form? A JSON object is none, whatever its type is said to be: curl says
 * it of everything. */
bool visit_is_form(const struct visit *v);

/* As those who ask may see it: without the place of the ledger, and "since: ..." of "--since:
 * ...", since parameters and forms have no options. */
struct error visit_shown(const struct server *s, const struct error *err);

/* The answer to a request that is refused or failed: a page or JSON. The page of a caller who
 * is signed in keeps its frame; NULL: it is not known who asks. */
struct http_answer *visit_refuse(struct server *s, bool page, const struct caller *caller,
                                 int status, const char *allow, const struct error *err);

/* Lead a browser to the page where one signs in, and back afterwards. */
struct http_answer *visit_lead(struct server *s, const struct http_request *request);
/* An answer that is not made by a `make` function: JSON, an error (status 0: that of its kind),
 * or that there is too much to do, with the time to wait. */
struct http_answer *visit_json(struct server *s, int status, struct str body);
struct http_answer *visit_fail(struct server *s, int status, const struct error *err);
struct http_answer *visit_busy(struct server *s);

/* Have it made by a thread of work.c: NULL, or the answer that there is too much to do. */
struct http_answer *visit_later(struct server *s, const struct route *route,
                                const struct caller *caller, struct str path,
                                struct http_request *request);

/* What `write` writes for the page at `path`, for everybody of the team. */
bool visit_part(struct server *s, const char *team, const char *path,
                void (*write)(struct visit *v), struct buf *out) MUST_USE;

/* Whoever asks, for what is limited to a team and for what is recorded. */
void visit_for(struct visit *v, const struct caller *caller);

/* A visit of its own, for what outlives a request (api_work.c); and its end. */
void visit_begin(struct visit *v, struct server *s);
void visit_end(struct visit *v);

/* Its notes and warnings as a JSON array in ASCII, into its arena; NULL: none. */
const char *visit_notes(struct visit *v);

/* Run an operation by its table, with the visit's context. */
bool visit_run(struct visit *v, const struct op *op, const void *request, void *result,
               struct error *err) MUST_USE;

/* ---- metrics.c ---- */

/* What counters of runs were last, so that none goes down while it is scraped. */
struct counters *counters_new(struct error *err) MUST_USE;
void counters_free(struct counters *counters);

/* ---- routes ---- */

bool metrics_make(struct visit *v, struct error *err);
char metrics_variant(const struct server *s, const struct http_request *request);

bool api_call(struct visit *v, struct error *err);
bool api_work(struct visit *v, struct error *err);
bool api_work_show(struct visit *v, struct error *err);
bool api_work_cancel(struct visit *v, struct error *err);
bool api_list(struct visit *v, struct error *err);
bool api_openapi(struct visit *v, struct error *err);
bool api_health(struct visit *v, struct error *err);

/* Those of pages: sign_in.c, view_*.c. */
bool sign_in_ask(struct visit *v, struct error *err);
bool sign_in_send(struct visit *v, struct error *err);
bool sign_out(struct visit *v, struct error *err);
bool view_overview(struct visit *v, struct error *err);
void view_overview_warm(struct server *s); /* begin what takes long */
bool view_runs(struct visit *v, struct error *err);
bool view_run(struct visit *v, struct error *err);
bool view_compare(struct visit *v, struct error *err);
bool view_plan(struct visit *v, struct error *err);
bool view_prices(struct visit *v, struct error *err);
bool view_price_history(struct visit *v, struct error *err);
bool view_budgets(struct visit *v, struct error *err);
bool view_budget(struct visit *v, struct error *err);
bool budget_save(struct visit *v, struct error *err);
bool budget_drop(struct visit *v, struct error *err);
bool view_alerts(struct visit *v, struct error *err);
bool alert_acknowledge(struct visit *v, struct error *err);
bool alert_test(struct visit *v, struct error *err);
bool view_bills(struct visit *v, struct error *err);
bool view_allocation(struct visit *v, struct error *err);
bool view_advice(struct visit *v, struct error *err);
bool advice_dismiss(struct visit *v, struct error *err);
bool advice_restore(struct visit *v, struct error *err);

/* ---- browser.c: --open ---- */

void open_browser(struct server *s, const char *secret);
void close_browser_file(struct server *s);

/* ---- live.c: what changed, for those who look ---- */

struct live *live_new(struct server *s, struct error *err) MUST_USE;
void live_end(struct live *live);  /* ends all streams */
void live_free(struct live *live); /* when all connections are gone */

/* A stream of server-sent events; NULL without memory or when there are too many, at all or of
 * this token. */
struct http_answer *live_answer(struct live *live, const struct caller *caller);

/* End the streams of whoever may not ask any more. */
void live_check(struct live *live);

/* Something was written to the ledger. */
void live_changed(struct live *live);

#endif
