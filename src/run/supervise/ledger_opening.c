#include "run/supervise/ledger_opening.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/fs.h"
#include "run/supervise/recorder.h"
#include "run/supervise/supervise.h"

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
static bool start_opening_thread(struct ledger_opening *o)
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
    if (start_opening_thread(o))
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

/* ---- the ledger of a run ---- */

/* For a server that knows which run to resume. */
#define RESUME_SERVER_WAIT ((span){INT64_C(5000000000)})

/* A server is given a moment to answer. If it does not, it is opened while the command runs. */
static void open_server(struct supervise_options *options, bool must, struct run_ledger *out)
{
    struct ledger_opened opened = {0};

    options->ledger_opening =
        ledger_opening_start(options->ledger, RECORDER_PATIENCE_SERVER, options->clock,
                             options->alloc, &options->ledger_why);
    if (options->ledger_opening != NULL &&
        ledger_opening_wait(options->ledger_opening,
                            must ? RESUME_SERVER_WAIT : RECORDER_SERVER_WAIT, &opened)) {
        options->ledger_opening = NULL;
        options->ledger_opened = opened.ledger;
        options->ledger_why = opened.why;
    } else if (options->ledger_opening != NULL) {
        (void)recorder_no_answer(options->ledger, &options->ledger_why);
    }
    *out = (struct run_ledger){.ledger = opened.ledger != NULL ? opened.ledger : opened.reader,
                               .why = options->ledger_why,
                               .reads_only = opened.ledger == NULL};
    if (out->ledger != NULL)
        ledger_patience(out->ledger, RECORDER_PATIENCE);
}

void run_ledger_open(struct supervise_options *options, bool must, struct run_ledger *out)
{
    const char *path = options->ledger;

    *out = (struct run_ledger){.why = {.kind = ERROR_ABSENT}};
    if (path == NULL)
        return;
    if (ledger_is_server(path)) {
        open_server(options, must, out);
        return;
    }
    if (!fs_exists(path)) {
        out->ledger =
            ledger_open(path, LEDGER_READ, RECORDER_PATIENCE, options->clock, options->alloc,
                        &out->why); /* the error says that there is none */
        out->reads_only = true;
        return;
    }
    out->ledger = options->ledger_opened =
        ledger_open(path, LEDGER_WRITE, RECORDER_PATIENCE, options->clock, options->alloc,
                    &options->ledger_why);
    out->why = options->ledger_why;
    if (out->ledger != NULL)
        return;
    out->ledger = ledger_open(path, LEDGER_READ, RECORDER_PATIENCE, options->clock,
                              options->alloc, &out->why);
    out->reads_only = out->ledger != NULL;
}

void run_ledger_close_reader(struct run_ledger *of)
{
    if (of->reads_only)
        ledger_close(of->ledger);
    of->ledger = NULL;
}

bool run_ledger_resume(const struct run_ledger *of, struct str wanted, struct arena *arena,
                       struct ledger_start *start, struct error *err)
{
    struct ledger_run run;

    if (of->ledger == NULL)
        *err = of->why;
    if (of->ledger == NULL || !ledger_find(of->ledger, wanted, arena, &run, err)) {
        error_context(err, "cannot resume '%.*s'", STR_ARG(wanted));
        return false;
    }
    if (run.state == RUN_RUNNING) {
        error_set(err, ERROR_INPUT, "cannot resume '%.*s': it is still running (process %lld)",
                  STR_ARG(wanted), (long long)run.start.pid);
        return false;
    }
    memcpy(start->resume_id, run.start.id, sizeof start->resume_id);
    start->name = run.start.name;
    return true;
}
