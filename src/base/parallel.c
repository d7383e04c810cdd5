#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/stop.h"

struct crew {
    const struct parallel *what;
    struct stop *stop; /* of the thread that called */
    size_t count;
    atomic_size_t next, done;
    atomic_size_t limit; /* items from here on are not started: count, or the one that failed */
    pthread_mutex_t failing;
    atomic_bool stopped;
    size_t failed; /* the lowest number that did; SIZE_MAX: none */
    struct error *err;
    pthread_mutex_t allocating;
    struct alloc alloc;
};

static void *locked_get(void *ctx, size_t size)
{
    struct crew *crew = ctx;
    void *block;

    (void)pthread_mutex_lock(&crew->allocating);
    block = crew->what->alloc->get(crew->what->alloc->ctx, size);
    (void)pthread_mutex_unlock(&crew->allocating);
    return block;
}

static void locked_put(void *ctx, void *block)
{
    struct crew *crew = ctx;

    (void)pthread_mutex_lock(&crew->allocating);
    crew->what->alloc->put(crew->what->alloc->ctx, block);
    (void)pthread_mutex_unlock(&crew->allocating);
}

/* Items below one that failed have all been started, and will end: whichever fails first on the
 * clock, the lowest number is known in the end. */
static void note_failure(struct crew *crew, size_t index, const struct error *why)
{
    (void)pthread_mutex_lock(&crew->failing);
    if (index < crew->failed) {
        crew->failed = index;
        *crew->err = *why;
        atomic_store(&crew->limit, index);
    }
    (void)pthread_mutex_unlock(&crew->failing);
}

static void work_items(struct crew *crew, bool reports)
{
    struct arena scratch = {.alloc = &crew->alloc, .block_size = ARENA_BLOCK_SIZE};
    const struct parallel *what = crew->what;

    for (;;) {
        size_t index = atomic_fetch_add(&crew->next, 1), done;
        struct error why = {0};

        if (index >= atomic_load(&crew->limit))
            break;
        if (stop_asked() || (what->stop != NULL && what->stop(what->ctx))) {
            atomic_store(&crew->stopped, true);
            break;
        }
        if (!what->item(what->ctx, index, &scratch, &why))
            note_failure(crew, index, &why);
        arena_free(&scratch);
        done = atomic_fetch_add(&crew->done, 1) + 1;
        if (reports && what->report != NULL)
            what->report(what->ctx, done);
    }
}

static void *work_quietly(void *ctx)
{
    struct crew *crew = ctx;

    (void)stop_set(crew->stop);
    work_items(crew, false);
    return NULL;
}

static unsigned threads_wanted(const struct parallel *what)
{
    unsigned wanted = what->threads > 0 ? what->threads : parallel_cores();
    const struct stop *stop = stop_current();

    return stop != NULL && stop->threads > 0 && stop->threads < wanted ? stop->threads : wanted;
}

bool parallel_run(const struct parallel *what, size_t count, struct error *err)
{
    struct crew crew = {
        .what = what, .stop = stop_current(), .count = count, .failed = SIZE_MAX, .err = err};
    unsigned wanted = threads_wanted(what), started = 0;
    pthread_t others[PARALLEL_MOST];

    crew.alloc = (struct alloc){locked_get, locked_put, &crew};
    atomic_init(&crew.next, 0);
    atomic_init(&crew.done, 0);
    atomic_init(&crew.limit, count);
    atomic_init(&crew.stopped, false);
    (void)pthread_mutex_init(&crew.failing, NULL); /* plain ones cannot fail */
    (void)pthread_mutex_init(&crew.allocating, NULL);
    while (started + 1 < wanted && started + 1 < count && started < PARALLEL_MOST &&
           pthread_create(&others[started], NULL, work_quietly, &crew) == 0)
        started++;
    work_items(&crew, true);
    for (unsigned i = 0; i < started; i++)
        (void)pthread_join(others[i], NULL);
    (void)pthread_mutex_destroy(&crew.failing);
    (void)pthread_mutex_destroy(&crew.allocating);
    if (crew.failed != SIZE_MAX)
        return false;
    return !atomic_load(&crew.stopped) || error_fail(err, ERROR_STOPPED, "stopped");
}

unsigned parallel_cores(void)
{
    cpu_set_t set;
    int count;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    count = CPU_COUNT(&set);
    return count < 1 ? 1 : count > PARALLEL_MOST ? PARALLEL_MOST : (unsigned)count;
}
