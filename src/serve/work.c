/* Threads that make answers, so that those which receive requests never wait for a ledger. */
#include "serve/internal.h"

#define WORK_WAITING 1024 /* further requests get 503 */
#define WORK_THREADS 16

struct task {
    void (*run)(void *ctx);
    void *ctx;
};

struct work {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct task waiting[WORK_WAITING]; /* a ring */
    size_t first, count;
    uint64_t taken, taken_before; /* tasks; at the last look of work_moves() */
    bool ending;
    pthread_t threads[WORK_THREADS];
    unsigned thread_count;
};

static void *work_loop(void *ctx)
{
    struct work *w = ctx;

    for (;;) {
        struct task task;

        (void)pthread_mutex_lock(&w->lock);
        while (w->count == 0 && !w->ending)
            (void)pthread_cond_wait(&w->more, &w->lock);
        if (w->count == 0) {
            (void)pthread_mutex_unlock(&w->lock);
            return NULL;
        }
        task = w->waiting[w->first];
        w->first = (w->first + 1) % WORK_WAITING;
        w->count--;
        w->taken++;
        (void)pthread_mutex_unlock(&w->lock);
        task.run(task.ctx);
    }
}

struct work *work_new(struct server *s, unsigned threads, struct error *err)
{
    struct work *w = alloc_system.get(alloc_system.ctx, sizeof *w);

    (void)s;
    if (w == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *w = (struct work){0};
    (void)pthread_mutex_init(&w->lock, NULL);
    (void)pthread_cond_init(&w->more, NULL);
    while (w->thread_count < threads && w->thread_count < WORK_THREADS) {
        int problem = pthread_create(&w->threads[w->thread_count], NULL, work_loop, w);

        if (problem == 0) {
            w->thread_count++;
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

bool work_add(struct work *w, void (*run)(void *ctx), void *ctx)
{
    bool room;

    (void)pthread_mutex_lock(&w->lock);
    room = w->count < WORK_WAITING && !w->ending;
    if (room) {
        w->waiting[(w->first + w->count) % WORK_WAITING] = (struct task){run, ctx};
        w->count++;
        (void)pthread_cond_signal(&w->more);
    }
    (void)pthread_mutex_unlock(&w->lock);
    return room;
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
