/* Threads that make answers, so that those which receive requests never wait for a ledger, and
 * pages never for what is computed: each kind has threads of its own. */
#include "serve/internal.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/hash.h"

#define WORK_WAITING 1024     /* further requests get 503 */
#define WORK_WAITING_EACH 256 /* of one caller */
#define WORK_THREADS 16

struct task {
    void (*run)(void *ctx);
    void *ctx;
    uint64_t whose; /* 0: no one's in particular */
};

struct work {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct task waiting[WORK_WAITING]; /* in the order in which they came */
    size_t count;
    uint64_t taken, taken_before; /* tasks; at the last look of work_moves() */
    bool ending;
    int nice;
    pthread_t threads[WORK_THREADS];
    uint64_t running[WORK_THREADS]; /* whose */
    unsigned thread_count, threads_begun;
    unsigned each; /* threads that one caller may have at the same time */
};

/* The first that waits and whose caller has a thread left; `count` when there is none. Called
 * with the lock held. */
static size_t next_task(const struct work *w)
{
    size_t i;

    for (i = 0; i < w->count; i++) {
        unsigned has = 0;

        for (unsigned t = 0; t < w->thread_count; t++)
            has += w->waiting[i].whose != 0 && w->running[t] == w->waiting[i].whose;
        if (has < w->each)
            break;
    }
    return i;
}

static void *work_loop(void *ctx)
{
    struct work *w = ctx;
    unsigned own;

    (void)pthread_mutex_lock(&w->lock);
    own = w->threads_begun++;
    /* Of this thread only, with Linux. That it stays as it is does no harm. */
    if (w->nice > 0)
        (void)setpriority(PRIO_PROCESS, (id_t)gettid(), w->nice);
    for (;;) {
        size_t next;
        struct task task;

        while ((next = next_task(w)) == w->count && !(w->ending && w->count == 0))
            (void)pthread_cond_wait(&w->more, &w->lock);
        if (next == w->count)
            break;
        task = w->waiting[next];
        w->count--;
        memmove(&w->waiting[next], &w->waiting[next + 1], (w->count - next) * sizeof task);
        w->taken++;
        w->running[own] = task.whose;
        (void)pthread_mutex_unlock(&w->lock);
        task.run(task.ctx);
        (void)pthread_mutex_lock(&w->lock);
        w->running[own] = 0;
        if (w->count > 0 || w->ending) /* one that waited for this caller's end may begin */
            (void)pthread_cond_broadcast(&w->more);
    }
    (void)pthread_mutex_unlock(&w->lock);
    return NULL;
}

struct work *work_new(unsigned threads, unsigned each, int nice, struct error *err)
{
    struct work *w = alloc_system.get(alloc_system.ctx, sizeof *w);

    if (w == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *w = (struct work){.nice = nice, .each = each > 0 ? each : 1};
    (void)pthread_mutex_init(&w->lock, NULL);
    (void)pthread_cond_init(&w->more, NULL);
    while (w->thread_count < threads && w->thread_count < WORK_THREADS) {
        pthread_t thread;
        int problem = pthread_create(&thread, NULL, work_loop, w);

        if (problem == 0) {
            (void)pthread_mutex_lock(&w->lock);
            w->threads[w->thread_count++] = thread;
            (void)pthread_mutex_unlock(&w->lock);
        } else if (w->thread_count > 0) {
            break; /* fewer will do */
        } else {
            error_system(err, problem, "cannot start a thread");
            work_free(w);
            return NULL;
        }
    }
    return w;
}

void work_free(struct work *w)
{
    if (w == NULL)
        return;
    (void)pthread_mutex_lock(&w->lock);
    w->ending = true;
    (void)pthread_cond_broadcast(&w->more);
    (void)pthread_mutex_unlock(&w->lock);
    for (unsigned i = 0; i < w->thread_count; i++)
        (void)pthread_join(w->threads[i], NULL);
    (void)pthread_cond_destroy(&w->more);
    (void)pthread_mutex_destroy(&w->lock);
    alloc_system.put(alloc_system.ctx, w);
}

bool work_add(struct work *w, uint64_t whose, void (*run)(void *ctx), void *ctx)
{
    size_t has = 0;
    bool room;

    (void)pthread_mutex_lock(&w->lock);
    for (size_t i = 0; whose != 0 && i < w->count; i++)
        has += w->waiting[i].whose == whose;
    room = w->count < WORK_WAITING && has < WORK_WAITING_EACH && !w->ending;
    if (room) {
        w->waiting[w->count++] = (struct task){run, ctx, whose};
        (void)pthread_cond_signal(&w->more);
    }
    (void)pthread_mutex_unlock(&w->lock);
    return room;
}

uint64_t work_whose(const struct caller *caller)
{
    uint64_t hash = text_hash(2, str_from(caller->token));

    return hash != 0 ? hash : 1;
}

bool work_moves(struct work *w)
{
    bool moves;

    (void)pthread_mutex_lock(&w->lock);
    moves = w->count == 0 || w->taken != w->taken_before;
    w->taken_before = w->taken;
    (void)pthread_mutex_unlock(&w->lock);
    return moves;
}
