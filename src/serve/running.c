/* What is being made now, and when it has to end: so many seconds, so many bytes, when nobody
 * waits for it any more, when its token is gone, and with the server. */
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"
#include "serve/internal.h"

#define LOOK_EVERY (SECOND / 20)

/* However much the others have, this much is for each: what is small is always made. */
#define BYTES_ALWAYS ((size_t)16 << 20)

struct runnings {
    struct server *server;
    atomic_size_t bytes; /* of all of them together */
    size_t bytes_most;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t more;
    struct running *first;
    bool ending;
    pthread_t thread;
};

/* ---- memory ---- */

/* Before each block: how long it is. */
struct block_head {
    alignas(max_align_t) size_t size;
};

static void count_back(struct running *r, size_t size)
{
    atomic_fetch_sub(&r->bytes, size);
    atomic_fetch_sub(&r->all->bytes, size);
}

static void *counted_get(void *ctx, size_t size)
{
    struct running *r = ctx;
    size_t all = size + sizeof(struct block_head), own, total;
    struct block_head *head = NULL;

    if (all < size) {
        stop_ask(&r->stop, END_MEMORY);
        return NULL;
    }
    own = atomic_fetch_add(&r->bytes, all) + all;
    total = atomic_fetch_add(&r->all->bytes, all) + all;
    if (own > r->bytes_most)
        stop_ask(&r->stop, END_MEMORY);
    else if (own > BYTES_ALWAYS && total > r->all->bytes_most && r->bytes_most < SIZE_MAX)
        stop_ask(&r->stop, END_CROWDED);
    else
        head = alloc_system.get(alloc_system.ctx, all);
    if (head == NULL) {
        count_back(r, all);
        return NULL;
    }
    head->size = all;
    return head + 1;
}

static void counted_put(void *ctx, void *block)
{
    struct running *r = ctx;
    struct block_head *head = (struct block_head *)block - 1;

    count_back(r, head->size);
    alloc_system.put(alloc_system.ctx, head);
}

/* Half of what this machine or container has: SQLite and the answers themselves need some. */
static size_t bytes_for_all(const struct server *s)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t has = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
    struct error ignored;
    struct str text;
    int64_t most;

    if (fs_read("/sys/fs/cgroup/memory.max", 64, s->ctx.arena, &text, &ignored) &&
        num_int(str_trim(text), &most) && most > 0 && (uint64_t)most < has)
        has = (uint64_t)most;
    return has / 2 < SIZE_MAX ? (size_t)(has / 2) : SIZE_MAX;
}

void running_prepare(struct server *s, struct running *r)
{
    *r = (struct running){
        .alloc = {counted_get, counted_put, r}, .bytes_most = SIZE_MAX, .all = s->runnings};
}

/* ---- the beginning and the end of one ---- */

void running_begin(struct server *s, struct running *r, const struct run_limits *limits)
{
    struct runnings *all = s->runnings;

    r->until = server_now().ns + limits->time.ns;
    r->bytes_most = limits->bytes;
    r->stop.threads = limits->threads;
    r->outer = stop_set(&r->stop);
    (void)pthread_mutex_lock(&all->lock);
    if (all->ending)
        stop_ask(&r->stop, END_SERVER);
    r->next = all->first;
    r->before = NULL;
    if (r->next != NULL)
        r->next->before = r;
    else
        (void)pthread_cond_signal(&all->more);
    all->first = r;
    (void)pthread_mutex_unlock(&all->lock);
}

enum end_reason running_end(struct server *s, struct running *r)
{
    struct runnings *all = s->runnings;

    (void)stop_set(r->outer);
    (void)pthread_mutex_lock(&all->lock);
    if (r->before != NULL)
        r->before->next = r->next;
    else
        all->first = r->next;
    if (r->next != NULL)
        r->next->before = r->before;
    (void)pthread_mutex_unlock(&all->lock);
    r->bytes_most = SIZE_MAX; /* for the answer itself, which has a limit of its own */
    return (enum end_reason)atomic_load(&r->stop.why);
}

bool running_problem(enum end_reason why, const struct run_limits *limits, struct error *err)
{
    long long seconds = (long long)(limits->time.ns / SECOND);

    switch (why) {
    case END_NONE:
        return false;
    case END_TIME:
        error_set(err, ERROR_STOPPED, "this takes longer than %lld s, and was stopped",
                  seconds);
        error_hint(err, limits->work ? "request less, or use the command line"
                                     : "request it as a task (POST /api/v1/work/OPERATION), "
                                       "or use the command line");
        break;
    case END_MEMORY:
        error_set(err, ERROR_UNFIT, "this takes more than %zu MB of memory, and was stopped",
                  limits->bytes >> 20);
        error_hint(err, "request less, or use the command line");
        break;
    case END_CROWDED:
        error_set(err, ERROR_AWAY, "the server has no memory left for this now");
        error_hint(err, "try again in a moment, or request less");
        break;
    case END_CLIENT:
        error_set(err, ERROR_STOPPED, "stopped: the client has left");
        break;
    case END_CANCELED:
        error_set(err, ERROR_STOPPED, "stopped: canceled");
        break;
    case END_TOKEN:
        error_set(err, ERROR_GUARD, "stopped: the token is not valid any more");
        break;
    case END_SERVER:
        error_set(err, ERROR_STOPPED, "stopped: the server is shutting down");
        break;
    }
    return true;
}

/* ---- the thread that looks after them ---- */

static void look_after(struct runnings *all, struct running *r)
{
    if (atomic_load_explicit(&r->stop.why, memory_order_relaxed) != 0)
        return;
    if (server_now().ns > r->until)
        stop_ask(&r->stop, END_TIME);
    else if (r->left != NULL && r->left(r->left_ctx))
        stop_ask(&r->stop, END_CLIENT);
    else if (r->caller != NULL && !guard_still(all->server->guard, r->caller))
        stop_ask(&r->stop, END_TOKEN);
}

static void *look_loop(void *ctx)
{
    struct runnings *all = ctx;

    (void)pthread_mutex_lock(&all->lock);
    while (!all->ending) {
        int64_t until = server_now().ns + LOOK_EVERY;
        struct timespec at = {.tv_sec = until / SECOND, .tv_nsec = until % SECOND};

        for (struct running *r = all->first; r != NULL; r = r->next)
            look_after(all, r);
        if (all->first == NULL)
            (void)pthread_cond_wait(&all->more, &all->lock);
        else
            (void)pthread_cond_timedwait(&all->more, &all->lock, &at);
    }
    (void)pthread_mutex_unlock(&all->lock);
    return NULL;
}

struct runnings *runnings_new(struct server *s, struct error *err)
{
    struct runnings *all = alloc_system.get(alloc_system.ctx, sizeof *all);
    pthread_condattr_t monotonic;
    int problem;

    if (all == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *all = (struct runnings){.server = s, .bytes_most = bytes_for_all(s)};
    (void)pthread_mutex_init(&all->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&all->more, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    problem = pthread_create(&all->thread, NULL, look_loop, all);
    if (problem == 0)
        return all;
    error_system(err, problem, "cannot start a thread");
    alloc_system.put(alloc_system.ctx, all);
    return NULL;
}

void runnings_end(struct runnings *all)
{
    if (all == NULL)
        return;
    (void)pthread_mutex_lock(&all->lock);
    all->ending = true;
    for (struct running *r = all->first; r != NULL; r = r->next)
        stop_ask(&r->stop, END_SERVER);
    (void)pthread_cond_signal(&all->more);
    (void)pthread_mutex_unlock(&all->lock);
    (void)pthread_join(all->thread, NULL);
}

void runnings_free(struct runnings *all)
{
    if (all == NULL)
        return;
    (void)pthread_cond_destroy(&all->more);
    (void)pthread_mutex_destroy(&all->lock);
    alloc_system.put(alloc_system.ctx, all);
}
