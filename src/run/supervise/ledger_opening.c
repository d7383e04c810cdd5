#include "run/supervise/ledger_opening.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#define STACK ((size_t)512 << 10)

struct ledger_opening {
    span patience;
    const struct clock *clock;
    const struct alloc *alloc;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done, left; /* the last one frees it */
    struct ledger_opened opened;
    char path[]; /* its own: the caller may be gone */
};

static void free_opening(struct ledger_opening *o)
{
    (void)pthread_cond_destroy(&o->changed);
    (void)pthread_mutex_destroy(&o->lock);
    o->alloc->put(o->alloc->ctx, o);
}

static void close_opened(struct ledger_opened *opened)
{
    ledger_close(opened->ledger);
    ledger_close(opened->reader);
}

static void *open_it(void *ctx)
{
    struct ledger_opening *o = ctx;
    struct ledger_opened opened = {0};
    struct error ignored;
    bool left;

    opened.ledger =
        ledger_open(o->path, LEDGER_WRITE, o->patience, o->clock, o->alloc, &opened.why);
    if (opened.ledger == NULL) /* its user may be one who only reads it */
        opened.reader =
            ledger_open(o->path, LEDGER_READ, o->patience, o->clock, o->alloc, &ignored);
    (void)pthread_mutex_lock(&o->lock);
    o->opened = opened;
    o->done = true;
    left = o->left;
    (void)pthread_cond_broadcast(&o->changed);
    (void)pthread_mutex_unlock(&o->lock);
    if (left) {
        close_opened(&opened);
        free_opening(o);
    }
    return NULL;
}

/* Signals are the supervisor's. */
static bool start_thread(struct ledger_opening *o)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;
    bool ok;

    (void)sigfillset(&all);
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, STACK);
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    ok = pthread_create(&thread, &attributes, open_it, o) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return ok;
}

struct ledger_opening *ledger_opening_start(const char *path, span patience,
                                            const struct clock *clock,
                                            const struct alloc *alloc, struct error *err)
{
    size_t len = strlen(path);
    struct ledger_opening *o = alloc->get(alloc->ctx, sizeof *o + len + 1);
    pthread_condattr_t monotonic;

    if (o == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *o = (struct ledger_opening){.patience = patience, .clock = clock, .alloc = alloc};
    memcpy(o->path, path, len + 1);
    (void)pthread_mutex_init(&o->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&o->changed, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    if (start_thread(o))
        return o;
    free_opening(o);
    error_set(err, ERROR_SYSTEM, "cannot start a thread");
    return NULL;
}

bool ledger_opening_wait(struct ledger_opening *o, span most, struct ledger_opened *out)
{
    int64_t until = clock_system.now(clock_system.ctx).ns + most.ns;
    struct timespec at = {.tv_sec = until / SECOND, .tv_nsec = until % SECOND};
    bool done;

    (void)pthread_mutex_lock(&o->lock);
    while (!o->done && clock_system.now(clock_system.ctx).ns < until)
        (void)pthread_cond_timedwait(&o->changed, &o->lock, &at);
    done = o->done;
    (void)pthread_mutex_unlock(&o->lock);
    if (!done)
        return false;
    *out = o->opened;
    free_opening(o);
    return true;
}

void ledger_opening_leave(struct ledger_opening *o)
{
    bool done;

    if (o == NULL)
        return;
    (void)pthread_mutex_lock(&o->lock);
    done = o->done;
    o->left = true;
    (void)pthread_mutex_unlock(&o->lock);
    if (!done)
        return;
    close_opened(&o->opened);
    free_opening(o);
}
