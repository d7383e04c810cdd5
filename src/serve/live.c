/* What changed, for those who look: one stream of server-sent events for each browser. It says
 * only that something has changed; the script asks for its page again, which is made once for
 * all. */
#include <string.h>

#include "serve/internal.h"

#define STREAMS 256
#define STREAMS_EACH 64                /* of one token */
#define WAITING ((size_t)4096)         /* bytes that a browser may leave unread */
#define SIGN_OF_LIFE (10 * SECOND)     /* so that a connection that is gone is noticed */
#define AT_MOST_EVERY (SECOND * 3 / 2) /* what is metered changes all the time */

struct live {
    struct server *server;
    pthread_mutex_t lock; /* of what follows */
    struct http_stream *streams[STREAMS];
    struct caller callers[STREAMS]; /* whose they are */
    size_t count;
    bool ending, changed;
    pthread_cond_t more;
    pthread_t sender;
};

static void forget_stream(void *ctx, struct http_stream *stream)
{
    struct live *live = ctx;

    (void)pthread_mutex_lock(&live->lock);
    for (size_t i = 0; i < live->count; i++)
        if (live->streams[i] == stream) {
            live->streams[i] = live->streams[--live->count];
            live->callers[i] = live->callers[live->count];
            break;
        }
    (void)pthread_mutex_unlock(&live->lock);
}

/* Called with the lock held. */
static bool has_live_room(const struct live *live, const struct caller *caller)
{
    size_t has = 0;

    for (size_t i = 0; i < live->count; i++)
        has += strcmp(live->callers[i].token, caller->token) == 0;
    return !live->ending && live->count < STREAMS && has < STREAMS_EACH;
}

struct http_answer *live_answer(struct live *live, const struct caller *caller)
{
    struct http_reply reply = {.status = 200,
                               .headers = {{"Content-Type", "text/event-stream"},
                                           {"Cache-Control", "no-store"},
                                           {"X-Content-Type-Options", "nosniff"},
                                           {"X-Accel-Buffering", "no"}},
                               .header_count = 4};
    struct http_stream *stream = NULL;
    struct http_answer *answer = NULL;

    (void)pthread_mutex_lock(&live->lock);
    if (has_live_room(live, caller))
        answer = live->server->http->stream(&reply, WAITING, forget_stream, live, &stream);
    if (answer != NULL) {
        (void)live->server->http->write(stream, STR("retry: 3000\n\n"));
        live->callers[live->count] = *caller;
        live->streams[live->count++] = stream;
    }
    (void)pthread_mutex_unlock(&live->lock);
    /* cppcheck-suppress returnDanglingLifetime ; the answer is a copy */
    return answer;
}

void live_check(struct live *live)
{
    (void)pthread_mutex_lock(&live->lock);
    for (size_t i = 0; i < live->count; i++)
        if (!guard_still(live->server->guard, &live->callers[i]))
            live->server->http->end(live->streams[i]);
    (void)pthread_mutex_unlock(&live->lock);
}

void live_changed(struct live *live)
{
    (void)pthread_mutex_lock(&live->lock);
    live->changed = true;
    (void)pthread_cond_signal(&live->more);
    (void)pthread_mutex_unlock(&live->lock);
}

/* Wait so long, or until the end, or until something changes. Called with the lock held. */
static void wait_for_change(struct live *live, int64_t ns, bool change)
{
    int64_t until = clock_system.now(clock_system.ctx).ns + ns;
    struct timespec at = {.tv_sec = until / SECOND, .tv_nsec = until % SECOND};

    while (!live->ending && !(change && live->changed))
        if (pthread_cond_timedwait(&live->more, &live->lock, &at) != 0)
            return;
}

static void *send_changes(void *ctx)
{
    struct live *live = ctx;

    (void)pthread_mutex_lock(&live->lock);
    while (!live->ending) {
        struct str text = STR(":\n\n");

        wait_for_change(live, SIGN_OF_LIFE, true);
        if (live->changed)
            text = STR("event: changed\ndata:\n\n");
        live->changed = false;
        for (size_t i = 0; i < live->count; i++)
            (void)live->server->http->write(live->streams[i], text);
        wait_for_change(live, AT_MOST_EVERY, false);
    }
    (void)pthread_mutex_unlock(&live->lock);
    return NULL;
}

struct live *live_new(struct server *s, struct error *err)
{
    struct live *live = alloc_system.get(alloc_system.ctx, sizeof *live);
    pthread_condattr_t monotonic;
    int problem;

    if (live == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    memset(live, 0, sizeof *live);
    live->server = s;
    (void)pthread_mutex_init(&live->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&live->more, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    problem = pthread_create(&live->sender, NULL, send_changes, live);
    if (problem == 0)
        return live;
    error_system(err, problem, "cannot start a thread");
    alloc_system.put(alloc_system.ctx, live);
    return NULL;
}

void live_end(struct live *live)
{
    if (live == NULL)
        return;
    (void)pthread_mutex_lock(&live->lock);
    live->ending = true;
    for (size_t i = 0; i < live->count; i++)
        live->server->http->end(live->streams[i]);
    (void)pthread_cond_signal(&live->more);
    (void)pthread_mutex_unlock(&live->lock);
    (void)pthread_join(live->sender, NULL);
}

void live_free(struct live *live)
{
    if (live == NULL)
        return;
    (void)pthread_cond_destroy(&live->more);
    (void)pthread_mutex_destroy(&live->lock);
    alloc_system.put(alloc_system.ctx, live);
}
