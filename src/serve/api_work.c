/* Long work: POST /api/v1/work/OPERATION is answered at once, with where its result will be.
 *
 * Two threads do it, which let everything else go first. What is kept is bounded: so many, so
 * large, so long. Only who asked for it sees it, and admins; it ends with the token. */
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "doc/json_write.h"
#include "serve/api.h"

#define WORKS 16                      /* that wait, run or are kept */
#define WORKS_EACH 4                  /* of one caller, that wait or run */
#define WORK_RESULT ((size_t)4 << 20) /* bytes of a result */
#define WORK_AGE (3600 * SECOND)      /* how long a result is kept */
#define WORK_ID 25                    /* with the NUL */
#define WORK_LABEL 64
#define WORK_THREADS 2
#define WORK_NICE 10

enum work_state { WORK_FREE, WORK_WAITS, WORK_RUNS, WORK_DONE, WORK_FAILED, WORK_CANCELED };
static const char *const state_names[] = {"",     "waiting", "running",
                                          "done", "failed",  "canceled"};

struct long_work {
    enum work_state state;
    char id[WORK_ID];
    struct caller caller;
    struct visit visit; /* until it has ended */
    struct api_ask ask;
    char label[WORK_LABEL];
    uint64_t done, total;
    instant made, ended;
    uint64_t order;
    struct buf result, notes; /* JSON; of a failure the error */
};

struct works {
    struct server *server;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t more;
    struct long_work *all[WORKS];
    uint64_t orders;
    bool ending;
    pthread_t threads[WORK_THREADS];
    unsigned thread_count;
};

static const struct run_limits work_limits = {
    .time = {600 * SECOND}, .bytes = (size_t)1 << 30, .threads = 1, .work = true};

/* ---- one of them ---- */

static void work_drop(struct long_work *w)
{
    if (w->state == WORK_WAITS || w->state == WORK_RUNS)
        visit_end(&w->visit);
    buf_free(&w->result);
    buf_free(&w->notes);
    alloc_system.put(alloc_system.ctx, w);
}

static void on_progress(void *ctx, const char *label, uint64_t done, uint64_t total)
{
    struct long_work *w = ctx;
    struct works *all = w->visit.server->works;

    (void)pthread_mutex_lock(&all->lock);
    str_copy(str_from(label), w->label, sizeof w->label);
    w->done = done;
    w->total = total;
    (void)pthread_mutex_unlock(&all->lock);
}

/* Without the lock: no other thread touches the visit of one that runs. */
static void run_work(struct works *all, struct long_work *w)
{
    struct error err = {0}, shown;
    enum end_reason why;
    const char *notes;
    bool ok;

    w->visit.running.caller = &w->caller;
    running_begin(all->server, &w->visit.running, &work_limits);
    ok = api_run(&w->visit, &w->ask, &err);
    why = running_end(all->server, &w->visit.running);
    if (!ok)
        (void)running_problem(why, &work_limits, &err);
    notes = visit_notes(&w->visit);
    shown = visit_shown(all->server, &err);
    if (w->ask.op->remote > OP_READ)
        cache_changed(all->server->cache);
    (void)pthread_mutex_lock(&all->lock);
    if (why == END_CANCELED || why == END_TOKEN)
        w->state = WORK_CANCELED;
    else
        w->state = ok ? WORK_DONE : WORK_FAILED;
    if (w->state == WORK_DONE)
        buf_add(&w->result, buf_text(&w->visit.out));
    else if (w->state == WORK_FAILED)
        op_write_error(&shown, &w->result);
    if (notes != NULL)
        buf_adds(&w->notes, notes);
    w->ended = server_now();
    visit_end(&w->visit);
    (void)pthread_mutex_unlock(&all->lock);
}

/* The one that has waited longest. Called with the lock held. */
static struct long_work *next_work(const struct works *all)
{
    struct long_work *next = NULL;

    for (size_t i = 0; i < WORKS; i++) {
        struct long_work *w = all->all[i];

        if (w != NULL && w->state == WORK_WAITS && (next == NULL || w->order < next->order))
            next = w;
    }
    return next;
}

static void *work_on(void *ctx)
{
    struct works *all = ctx;

    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), WORK_NICE); /* of this thread */
    for (;;) {
        struct long_work *w;

        (void)pthread_mutex_lock(&all->lock);
        while ((w = next_work(all)) == NULL && !all->ending)
            (void)pthread_cond_wait(&all->more, &all->lock);
        if (all->ending) {
            (void)pthread_mutex_unlock(&all->lock);
            return NULL;
        }
        w->state = WORK_RUNS;
        (void)pthread_mutex_unlock(&all->lock);
        run_work(all, w);
    }
}

/* ---- what is kept ---- */

static bool has_work_ended(const struct long_work *w)
{
    return w->state == WORK_DONE || w->state == WORK_FAILED || w->state == WORK_CANCELED;
}

/* A place for a new one: free, or of the oldest that has ended; NULL: all wait or run. What is
 * too old goes in any case. */
static struct long_work **find_room(struct works *all)
{
    struct long_work **room = NULL, **oldest = NULL;

    for (size_t i = 0; i < WORKS; i++) {
        struct long_work **w = &all->all[i];

        if (*w != NULL && has_work_ended(*w) && server_now().ns - (*w)->ended.ns > WORK_AGE) {
            work_drop(*w);
            *w = NULL;
        }
        if (*w == NULL)
            room = w;
        else if (has_work_ended(*w) && (oldest == NULL || (*w)->order < (*oldest)->order))
            oldest = w;
    }
    if (room == NULL && oldest != NULL) {
        work_drop(*oldest);
        *oldest = NULL;
        room = oldest;
    }
    return room;
}

/* A token that was made again under the same name is another one. */
static bool is_same_caller(const struct caller *a, const struct caller *b)
{
    return strcmp(a->token, b->token) == 0;
}

static size_t count_caller_works(const struct works *all, const struct caller *caller)
{
    size_t count = 0;

    for (size_t i = 0; i < WORKS; i++) {
        const struct long_work *w = all->all[i];

        count += w != NULL && !has_work_ended(w) && is_same_caller(&w->caller, caller);
    }
    return count;
}

/* An admin sees all work; one that is limited to a team that of the team. */
static bool is_of_admin(const struct visit *v, const struct long_work *w)
{
    return v->caller.scope == TOKEN_ADMIN &&
           (v->caller.team[0] == '\0' || strcmp(v->caller.team, w->caller.team) == 0);
}

static struct long_work **find_work(struct works *all, const struct visit *v)
{
    for (size_t i = 0; i < WORKS; i++) {
        struct long_work *w = all->all[i];

        if (w != NULL && str_eq(v->rest, str_from(w->id)) &&
            (is_same_caller(&w->caller, &v->caller) || is_of_admin(v, w)))
            return &all->all[i];
    }
    return NULL;
}

/* ---- requests ---- */

struct shown {
    struct str id, operation, path, label, result, notes, problem;
    int state;
    int64_t done, total;
};

static const struct field shown_fields[] = {
    FIELD(TEXT, shown, id, .help = "ID of the task"),
    FIELD(TEXT, shown, operation, .help = "name of the operation"),
    FIELD(ENUM, shown, state, FIELD_NAMES(state_names),
          .help = "state: waiting, running, done, failed or canceled"),
    FIELD(TEXT, shown, path, .help = "path to poll"),
    FIELD(TEXT, shown, label, .empty_unknown = true, .help = "current activity"),
    FIELD(COUNT, shown, done, .help = "items done"),
    FIELD(COUNT, shown, total, .help = "items in total; null: unknown"),
    FIELD(JSON, shown, result, .empty_unknown = true, .help = "result, once it is done"),
    FIELD_AS("error", JSON, shown, problem, .empty_unknown = true,
             .help = "error, if it failed"),
    FIELD(JSON, shown, notes, .empty_unknown = true, .help = "notes and warnings"),
};
static const struct field_set shown_set = FIELD_SET(struct shown, shown_fields);

/* Called with the lock held. */
static bool show_work(struct visit *v, const struct long_work *w, struct error *err)
{
    struct shown s = {.id = str_from(w->id),
                      .operation = str_from(w->ask.op->name),
                      .state = (int)w->state,
                      .label = str_from(w->label),
                      .done = w->total > 0 ? (int64_t)w->done : -1,
                      .total = w->total > 0 ? (int64_t)w->total : -1,
                      .notes = buf_text(&w->notes)};
    struct buf path = buf_new(&alloc_system, 128);

    if (w->state == WORK_DONE)
        s.result = str_trim(buf_text(&w->result));
    if (w->state == WORK_FAILED)
        s.problem = str_trim(buf_text(&w->result));
    buf_addf(&path, "/api/v1/work/%s", w->id);
    if (!buf_keep(&path, &v->arena, &s.path, err))
        return false;
    v->location = v->status == 202 ? str_dup(s.path, &v->arena, err) : NULL;
    json_write_record(&shown_set, &s, "stint.work/1", &v->out);
    buf_char(&v->out, '\n');
    return buf_ok(&v->out, err);
}

/* What is asked, in the memory of the work itself: it outlives the request. */
static bool read_work(struct visit *v, struct str name, struct long_work *w, struct error *err)
{
    char secret[TOKEN_SECRET];

    visit_begin(&w->visit, v->server);
    w->visit.route = v->route;
    w->caller = v->caller;
    visit_for(&w->visit, &w->caller);
    w->visit.ctx.watch.progress = on_progress;
    w->visit.ctx.watch.progress_ctx = w;
    w->visit.request = v->request;
    if (!token_secret(secret, err))
        return false;
    str_copy((struct str){secret + 6, WORK_ID - 1}, w->id, sizeof w->id);
    if (params_read(v->query, &w->visit.arena, &w->visit.params, err) &&
        api_ask_read(&w->visit, name, &w->ask, err)) {
        w->visit.request = NULL;
        return true;
    }
    v->status = w->visit.status;
    v->allow = w->visit.allow;
    return false;
}

/* Called with the lock held. */
static bool add_long_work(struct works *all, struct visit *v, struct long_work *w,
                          struct error *err)
{
    struct long_work **room = find_room(all);

    if (room == NULL || count_caller_works(all, &v->caller) >= WORKS_EACH) {
        v->status = 429;
        error_set(err, ERROR_GUARD, "%s waits or runs already",
                  room == NULL ? "too much work" : "enough work of this token");
        error_hint(err, "ask again when some of it is done, or cancel it with DELETE");
        return false;
    }
    *room = w;
    w->order = all->orders++;
    w->made = server_now();
    w->state = WORK_WAITS;
    (void)pthread_cond_signal(&all->more);
    v->status = 202;
    return show_work(v, w, err);
}

bool api_work_begin(struct visit *v, struct str name, struct error *err)
{
    struct works *all = v->server->works;
    struct long_work *w = alloc_system.get(alloc_system.ctx, sizeof *w);
    bool ok;

    if (w == NULL)
        return error_memory(err);
    memset(w, 0, sizeof *w);
    w->result = buf_new(&alloc_system, WORK_RESULT);
    w->notes = buf_new(&alloc_system, WORK_RESULT);
    if (!read_work(v, name, w, err)) {
        w->state = WORK_WAITS; /* its visit has begun */
        work_drop(w);
        return false;
    }
    (void)pthread_mutex_lock(&all->lock);
    ok = add_long_work(all, v, w, err);
    (void)pthread_mutex_unlock(&all->lock);
    if (!ok && v->status == 429) {
        w->state = WORK_WAITS;
        work_drop(w);
    }
    return ok;
}

bool api_work(struct visit *v, struct error *err)
{
    return api_work_begin(v, v->rest, err);
}

static bool refuse_absent_work(const struct visit *v, struct error *err)
{
    error_set(err, ERROR_ABSENT, "there is no work '%.*s'", STR_ARG(v->rest));
    error_hint(err, "results are kept for an hour, for the token that requested them");
    return false;
}

bool api_work_show(struct visit *v, struct error *err)
{
    struct works *all = v->server->works;
    struct long_work **w;
    bool ok;

    (void)pthread_mutex_lock(&all->lock);
    w = find_work(all, v);
    ok = w != NULL ? show_work(v, *w, err) : refuse_absent_work(v, err);
    (void)pthread_mutex_unlock(&all->lock);
    return ok;
}

/* What waits or has ended is gone; what runs is asked to end, and is gone when it has. */
bool api_work_cancel(struct visit *v, struct error *err)
{
    struct works *all = v->server->works;
    struct long_work **w;
    bool ok;

    (void)pthread_mutex_lock(&all->lock);
    w = find_work(all, v);
    ok = w != NULL || refuse_absent_work(v, err);
    if (w != NULL && (*w)->state == WORK_RUNS) {
        stop_ask(&(*w)->visit.running.stop, END_CANCELED);
        ok = show_work(v, *w, err);
    } else if (w != NULL) {
        if ((*w)->state == WORK_WAITS) {
            visit_end(&(*w)->visit);
            (*w)->state = WORK_CANCELED;
        }
        ok = show_work(v, *w, err);
        work_drop(*w);
        *w = NULL;
    }
    (void)pthread_mutex_unlock(&all->lock);
    return ok;
}

/* ---- the beginning and the end ---- */

struct works *works_new(struct server *s, struct error *err)
{
    struct works *all = alloc_system.get(alloc_system.ctx, sizeof *all);
    int problem = 0;

    if (all == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *all = (struct works){.server = s};
    (void)pthread_mutex_init(&all->lock, NULL);
    (void)pthread_cond_init(&all->more, NULL);
    while (all->thread_count < WORK_THREADS) {
        problem = pthread_create(&all->threads[all->thread_count], NULL, work_on, all);
        if (problem != 0)
            break;
        all->thread_count++;
    }
    if (all->thread_count > 0)
        return all;
    error_system(err, problem, "cannot start a thread");
    works_free(all);
    return NULL;
}

void works_free(struct works *all)
{
    if (all == NULL)
        return;
    (void)pthread_mutex_lock(&all->lock);
    all->ending = true; /* what runs has been asked to end (runnings_end) */
    (void)pthread_cond_broadcast(&all->more);
    (void)pthread_mutex_unlock(&all->lock);
    for (unsigned i = 0; i < all->thread_count; i++)
        (void)pthread_join(all->threads[i], NULL);
    for (size_t i = 0; i < WORKS; i++)
        if (all->all[i] != NULL)
            work_drop(all->all[i]);
    (void)pthread_cond_destroy(&all->more);
    (void)pthread_mutex_destroy(&all->lock);
    alloc_system.put(alloc_system.ctx, all);
}
