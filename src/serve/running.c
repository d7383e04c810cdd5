/* What is being made now, and when it has to end: so many seconds, so many bytes, when nobody
 * waits for it any more, when its token is gone, and with the server. */
#include <string.h>

#include "serve/internal.h"

#define LOOK_EVERY (SECOND / 20)

struct runnings {
    struct server *server;
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

static void *counted_get(void *ctx, size_t size)
{
    struct running *r = ctx;
    size_t all = size + sizeof(struct block_head);
    struct block_head *head;

    if (all < size || atomic_fetch_add(&r->bytes, all) + all > r->bytes_most) {
        if (all >= size)
            atomic_fetch_sub(&r->bytes, all);
        stop_ask(&r->stop, END_MEMORY);
        return NULL;
    }
    head = alloc_system.get(alloc_system.ctx, all);
    if (head == NULL) {
        atomic_fetch_sub(&r->bytes, all);
        return NULL;
    }
    head->size = all;
    return head + 1;
}

static void counted_put(void *ctx, void *block)
{
    struct running *r = ctx;
    struct block_head *head = (struct block_head *)block - 1;

    atomic_fetch_sub(&r->bytes, head->size);
    alloc_system.put(alloc_system.ctx, head);
}

void running_prepare(struct running *r)
{
    *r = (struct running){.alloc = {counted_get, counted_put, r}, .bytes_most = SIZE_MAX};
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
        error_hint(err, limits->work
                            ? "ask for less, or use the command line"
                            : "ask for it as work (POST /api/v1/work/OPERATION), or use the "
                              "command line");
        break;
    case END_MEMORY:
        error_set(err, ERROR_UNFIT, "this takes more than %zu MB of memory, and was stopped",
                  limits->bytes >> 20);
        error_hint(err, "ask for less, or use the command line");
        break;
    case END_CLIENT:
        error_set(err, ERROR_STOPPED, "stopped: the client has left");
        break;
    case END_CANCELLED:
        error_set(err, ERROR_STOPPED, "stopped: cancelled");
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
    *all = (struct runnings){.server = s};
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
