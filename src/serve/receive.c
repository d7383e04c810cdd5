/* Runs that other machines send: what arrives within a moment is written in one transaction,
 * and answered when that is on the disk. One thread writes: more would only wait for each
 * other. */
#include "serve/receive.h"

#include <string.h>
#include <time.h>

#include "base/num.h"
#include "doc/json_write.h"
#include "op/run/receive.h"

#define COLLECT_NS 20000000              /* wait for others before writing: 20 ms */
#define WAITING_MOST 2000                /* posts; further ones come again later */
#define WAITING_BYTES ((size_t)64 << 20) /* of their bodies */
#define BATCH_MOST 500
#define STACK ((size_t)1 << 20)

struct post {
    struct http_request *request;
    struct caller caller;
};

struct receiver_thread {
    struct server *server;
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct post waiting[WAITING_MOST]; /* a ring */
    size_t first, count, bytes;
    bool ending;
    struct post batch[BATCH_MOST]; /* the thread's */
};

/* ---- one post ---- */

static int64_t parse_header_seconds(struct str text)
{
    int64_t s;

    return num_int(text, &s) && s >= 0 ? s : -1;
}

static bool read_wishes(const struct post *p, struct arena *arena, struct received *to,
                        struct error *err)
{
    struct params params = {0};

    *to = (struct received){
        .body = p->request->body, .team = str_from(p->caller.team), .clock = {-1}};
    if (!params_read(p->request->query, arena, &params, err))
        return false;
    for (size_t i = 0; i < params.len; i++) {
        const struct param *one = &params.at[i];

        if (str_eq(one->name, STR("clock")))
            to->clock.s = parse_header_seconds(one->value);
        else if (str_eq(one->name, STR("begin")))
            to->begin = true;
        else if (str_eq(one->name, STR("month")))
            to->month = true;
        else if (str_eq(one->name, STR("resume")))
            to->resume = one->value;
        /* Others are a newer program's. */
    }
    return true;
}

static struct http_answer *answer_to(struct server *s, const struct received *item)
{
    struct buf out = buf_new(&alloc_system, SERVE_ANSWER);
    struct http_answer *answer = NULL;
    struct error err = item->err;

    if (err.kind == ERROR_NONE) {
        json_write_record(&run_receipt_fields, &item->receipt, RECEIPT_SCHEMA, &out);
        buf_char(&out, '\n');
        if (buf_ok(&out, &err))
            answer = visit_json(s, 200, buf_text(&out));
    }
    buf_free(&out);
    return err.kind == ERROR_NONE ? answer : visit_fail(s, item->foreign ? 403 : 0, &err);
}

/* ---- the thread ---- */

static void answer_batch(struct receiver_thread *t, struct receive *receive,
                         const struct post *posts, size_t count)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct server *s = t->server;
    struct error err = {0};
    struct received *items = arena_array(&arena, struct received, count, &err);
    size_t *of = arena_array(&arena, size_t, count, &err), good = 0;

    for (size_t i = 0; i < count; i++) {
        struct received bad = {.err = err};

        if (items != NULL && of != NULL &&
            read_wishes(&posts[i], &arena, &items[good], &bad.err))
            of[good++] = i;
        else
            s->http->later(posts[i].request, answer_to(s, &bad));
    }
    if (receive == NULL) /* there was no memory for it */
        for (size_t i = 0; i < good; i++)
            (void)error_memory(&items[i].err);
    else if (good > 0) /* answers that are kept: the cache sees the change as it sees others' */
        receive_all(receive, items, good, &arena);
    for (size_t i = 0; i < good; i++)
        s->http->later(posts[of[i]].request, answer_to(s, &items[i]));
    arena_free(&arena);
}

/* Take what waits; 0 when all is done. */
static size_t take_batch(struct receiver_thread *t)
{
    const struct timespec moment = {0, COLLECT_NS};
    size_t count = 0;

    (void)pthread_mutex_lock(&t->lock);
    while (t->count == 0 && !t->ending)
        (void)pthread_cond_wait(&t->more, &t->lock);
    if (!t->ending) {
        (void)pthread_mutex_unlock(&t->lock);
        (void)nanosleep(&moment, NULL);
        (void)pthread_mutex_lock(&t->lock);
    }
    for (; count < BATCH_MOST && t->count > 0; count++) {
        t->batch[count] = t->waiting[t->first];
        t->bytes -= t->batch[count].request->body.len;
        t->first = (t->first + 1) % WAITING_MOST;
        t->count--;
    }
    (void)pthread_mutex_unlock(&t->lock);
    return count;
}

static void quiet_note(void *ctx, enum message_kind kind, const char *text)
{
    (void)ctx;
    (void)kind;
    (void)text;
}

static void *receive_loop(void *ctx)
{
    struct receiver_thread *t = ctx;
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct op_context context = op_apart(&t->server->ctx, &arena, true);
    struct error err = {0};
    struct receive *receive;
    size_t count;

    context.messages =
        (struct messages){.show = quiet_note, .log = t->server->ctx.messages.log};
    context.watch = (struct watch){0};
    receive = receive_open(&context, &err);
    while ((count = take_batch(t)) > 0)
        answer_batch(t, receive, t->batch, count);
    receive_close(receive);
    op_done(&context);
    arena_free(&arena);
    return NULL;
}

/* ---- for the server ---- */

struct receiver_thread *receiver_start(struct server *s, struct error *err)
{
    struct receiver_thread *t = alloc_system.get(alloc_system.ctx, sizeof *t);
    pthread_attr_t attributes;
    int problem;

    if (t == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *t = (struct receiver_thread){.server = s};
    (void)pthread_mutex_init(&t->lock, NULL);
    (void)pthread_cond_init(&t->more, NULL);
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, STACK);
    problem = pthread_create(&t->thread, &attributes, receive_loop, t);
    (void)pthread_attr_destroy(&attributes);
    t->has_thread = problem == 0;
    if (t->has_thread)
        return t;
    error_system(err, problem, "cannot start a thread");
    receiver_end(t);
    return NULL;
}

void receiver_end(struct receiver_thread *t)
{
    if (t == NULL)
        return;
    (void)pthread_mutex_lock(&t->lock);
    t->ending = true;
    (void)pthread_cond_broadcast(&t->more);
    (void)pthread_mutex_unlock(&t->lock);
    if (t->has_thread)
        (void)pthread_join(t->thread, NULL);
    (void)pthread_cond_destroy(&t->more);
    (void)pthread_mutex_destroy(&t->lock);
    alloc_system.put(alloc_system.ctx, t);
}

struct http_answer *receive_post(struct server *s, const struct caller *caller,
                                 struct http_request *request)
{
    struct receiver_thread *t = s->receiver;
    bool room;

    if (atomic_load(&s->ledger_gone)) /* a new one in its place would have no tokens */
        return visit_busy(s);
    (void)pthread_mutex_lock(&t->lock);
    room =
        !t->ending && t->count < WAITING_MOST && t->bytes + request->body.len <= WAITING_BYTES;
    if (room) {
        t->waiting[(t->first + t->count) % WAITING_MOST] = (struct post){request, *caller};
        t->count++;
        t->bytes += request->body.len;
        (void)pthread_cond_signal(&t->more);
    }
    (void)pthread_mutex_unlock(&t->lock);
    return room ? NULL : visit_busy(s);
}
