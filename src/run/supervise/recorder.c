#include "run/supervise/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "ledger/runs/run_journal.h"
#include "run/remote/send_waiting.h"

#define PATIENCE ((span){SECOND})  /* for other writers, in the thread and at the end */
#define RETRY SECOND               /* between tries while the ledger cannot be written */
#define REOPEN (5 * SECOND)        /* between tries to open it */
#define LASTING (2 * SECOND)       /* a lock that lasts longer is worth a word */
#define OTHERS_EVERY (60 * SECOND) /* journals of other runs */
#define OTHERS_MOST (5 * SECOND)
#define FINISH_FILE (10 * SECOND)      /* for a disk that is busy */
#define FINISH_SERVER (3 * SECOND / 2) /* for a server that says nothing */
#define FINISH_OPEN (SECOND / 2)       /* for one that is not reached yet */
#define FINISH_ABANDONED (5 * SECOND)  /* until it notices that nothing waits for it */
#define STACK ((size_t)512 << 10)

#define BATCH_MOST (4 * JOURNAL_MOST) /* a busy disk: some seconds of it */

/* Of each kind, the first so many are kept as they are, and the last; of all kinds together, so
 * many. */
#define EVENTS_FIRST 20
#define EVENTS_MOST 400
#define KINDS 64
#define EVENT_TEXT 1024

struct kind_seen {
    char kind[32];
    int64_t first, more; /* kept as they are; after those */
    bool changed;        /* `last` was not written since */
    stamp at;
    char last[EVENT_TEXT];
};

struct recorder {
    const char *path;
    const struct clock *clock;
    const struct alloc *alloc;
    bool is_server;
    char attempt_id[LEDGER_ID];

    /* the supervisor's */
    struct kind_seen *kinds[KINDS];
    size_t kind_count;
    int64_t events;
    uint64_t number; /* of the last record */
    bool has_thread;
    pthread_t thread;

    /* under the lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct buf queue;   /* reported, not taken by the writer yet */
    struct buf taken;   /* taken by the writer, and nowhere else yet */
    struct buf waiting; /* what the journal holds, to be added to the ledger */
    bool stop, done, given_up;
    uint64_t flushed; /* flushes that are done */
    uint64_t wanted;  /* flushes that were asked for */
    usd queue_cost;   /* by the last report */
    bool (*ask)(void *ctx, struct ledger *ledger, usd recorded, struct error *err);
    void *ask_ctx;
    bool answered, answer;
    struct error answer_err;
    struct recorder_news news;
    int fd;

    /* the writer's: the thread's, or the supervisor's while there is none */
    struct buf start; /* the record of the start */
    struct ledger *ledger, *reader;
    struct ledger_opening *opening; /* of a server: it may say nothing */
    struct receiver *receiver;      /* instead of a ledger; NULL: none */
    instant next_send;              /* to it: not before */
    unsigned failures;              /* to reach it, in a row */
    bool journaled;                 /* what was taken is in the journal */
    struct run_journal journal;
    instant trouble_since, next_open, next_others;
    bool moved;
    bool last;    /* nothing is reported any more */
    dev_t device; /* of the ledger's file */
    ino_t inode;
};

static instant now_monotonic(void)
{
    return clock_system.now(clock_system.ctx);
}

/* ---- opening ---- */

struct recorder *recorder_open(const struct recorder_options *o, struct error *err)
{
    struct recorder *r = o->alloc->get(o->alloc->ctx, sizeof *r);
    pthread_condattr_t monotonic;

    if (r == NULL) {
        ledger_close(o->ledger);
        ledger_opening_leave(o->opening);
        receiver_close(o->receiver);
        (void)error_memory(err);
        return NULL;
    }
    *r = (struct recorder){.path = o->path,
                           .clock = o->clock,
                           .alloc = o->alloc,
                           .is_server = o->receiver != NULL || ledger_is_server(o->path),
                           .receiver = o->receiver,
                           .queue = buf_new(o->alloc, BATCH_MOST),
                           .taken = buf_new(o->alloc, BATCH_MOST),
                           .waiting = buf_new(o->alloc, JOURNAL_MOST),
                           .start = buf_new(o->alloc, JOURNAL_MOST),
                           .queue_cost = USD_UNKNOWN,
                           .news = {.why = o->why, .cost = USD_UNKNOWN},
                           .ledger = o->ledger,
                           .opening = o->opening,
                           .fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    (void)pthread_mutex_init(&r->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&r->changed, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    return r;
}

static void remember_file(struct recorder *r)
{
    struct stat file;

    if (r->is_server || stat(r->path, &file) != 0)
        return;
    r->device = file.st_dev;
    r->inode = file.st_ino;
}

bool recorder_no_answer(const char *path, struct error *err)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = 512};
    struct error ignored;
    const char *shown = ledger_shown(str_from(path), &arena, &ignored);

    error_set(err, ERROR_FAILED, "cannot open the ledger '%s': the server does not answer",
              shown != NULL ? shown : "");
    error_hint(err, "is the server running and reachable? psql shows more");
    arena_free(&arena);
    return false;
}

static bool open_recorder_ledger(struct recorder *r, span patience, struct error *err)
{
    r->ledger = ledger_open(r->path, LEDGER_WRITE, patience, r->clock, r->alloc, err);
    if (r->ledger != NULL)
        remember_file(r);
    return r->ledger != NULL;
}

/* The server was asked before. */
static void begin_sent(struct recorder *r, struct ledger_start *start, int *attempt)
{
    memcpy(r->attempt_id, start->attempt_id, sizeof r->attempt_id);
    r->news.attempt = *attempt;
    if (*attempt == 0) {
        r->news.state = RECORDER_MEMORY;
        r->trouble_since = now_monotonic();
        *attempt = 1;
    }
    run_journal_put_start(&r->start, start);
}

void recorder_begin(struct recorder *r, struct ledger_start *start, int *attempt)
{
    struct error *why = &r->news.why;

    if (r->receiver != NULL) {
        begin_sent(r, start, attempt);
        return;
    }
    ledger_new_id(r->clock->today(r->clock->ctx), start->attempt_id);
    memcpy(r->attempt_id, start->attempt_id, sizeof r->attempt_id);
    if (r->ledger != NULL)
        remember_file(r);
    else if (why->kind == ERROR_NONE && !r->is_server) /* a server's is the thread's to open */
        (void)open_recorder_ledger(r, RECORDER_PATIENCE, why);
    else if (why->kind == ERROR_NONE)
        (void)recorder_no_answer(r->path, why);
    *attempt = 1;
    if (r->ledger != NULL) {
        ledger_patience(r->ledger, RECORDER_PATIENCE);
        if (ledger_begin(r->ledger, start, attempt, why)) {
            r->news.attempt = *attempt;
        } else {
            struct error ignored;

            /* It may be read all the same: which run it continues is decided now, since the
             * command hears of it. */
            if (!ledger_resumable(r->ledger, start, attempt, &ignored))
                *attempt = 1;
        }
        ledger_patience(r->ledger, PATIENCE);
    }
    if (r->news.attempt == 0) {
        r->news.state = RECORDER_MEMORY;
        r->trouble_since = now_monotonic();
    }
    run_journal_put_start(&r->start, start);
}

bool recorder_begun(struct recorder *r)
{
    bool begun;

    (void)pthread_mutex_lock(&r->lock);
    begun = r->news.attempt > 0;
    (void)pthread_mutex_unlock(&r->lock);
    return begun;
}

struct ledger *recorder_ledger(struct recorder *r)
{
    return r->has_thread ? NULL : r->ledger;
}

/* ---- reports ---- */

static struct kind_seen *find_event_kind(struct recorder *r, const char *kind)
{
    struct kind_seen *k;

    for (size_t i = 0; i < r->kind_count; i++)
        if (strcmp(r->kinds[i]->kind, kind) == 0)
            return r->kinds[i];
    if (r->kind_count == KINDS) /* more than there are */
        return r->kinds[KINDS - 1];
    k = r->alloc->get(r->alloc->ctx, sizeof *k);
    if (k == NULL)
        return NULL;
    *k = (struct kind_seen){.more = 0};
    (void)snprintf(k->kind, sizeof k->kind, "%s", kind);
    r->kinds[r->kind_count++] = k;
    return k;
}

static void put_recorder_event(struct recorder *r, stamp at, const char *kind, struct str text,
                               int64_t left_out)
{
    struct ledger_happening event = {
        .at = at, .kind = str_from(kind), .text = text, .left_out = left_out};

    (void)pthread_mutex_lock(&r->lock);
    run_journal_put_event(&r->queue, ++r->number, &event);
    (void)pthread_mutex_unlock(&r->lock);
}

void recorder_event(struct recorder *r, stamp at, const char *kind, struct str text)
{
    struct kind_seen *k = find_event_kind(r, kind);

    if (k == NULL || (k->more == 0 && k->first < EVENTS_FIRST && r->events < EVENTS_MOST)) {
        if (k != NULL)
            k->first++;
        r->events++;
        put_recorder_event(r, at, kind, text, -1);
        return;
    }
    k->more++;
    k->changed = true;
    k->at = at;
    str_copy(text, k->last, sizeof k->last);
}

/* The last of each kind, when it changed. */
static void put_last_events(struct recorder *r)
{
    for (size_t i = 0; i < r->kind_count; i++) {
        struct kind_seen *k = r->kinds[i];

        if (k->changed)
            put_recorder_event(r, k->at, k->kind, str_from(k->last), k->more - 1);
        k->changed = false;
    }
}

void recorder_estimate(struct recorder *r, const struct ledger_estimate *estimate)
{
    (void)pthread_mutex_lock(&r->lock);
    run_journal_put_estimate(&r->queue, ++r->number, estimate);
    (void)pthread_mutex_unlock(&r->lock);
}

void recorder_checkpoint(struct recorder *r, const struct ledger_checkpoint *checkpoint)
{
    (void)pthread_mutex_lock(&r->lock);
    run_journal_put_checkpoint(&r->queue, ++r->number, checkpoint);
    (void)pthread_mutex_unlock(&r->lock);
}

void recorder_checkpoint_gone(struct recorder *r, struct str path, stamp when)
{
    (void)pthread_mutex_lock(&r->lock);
    run_journal_put_gone(&r->queue, ++r->number, path, when);
    (void)pthread_mutex_unlock(&r->lock);
}

void recorder_metric(struct recorder *r, const struct ledger_metric *metric)
{
    (void)pthread_mutex_lock(&r->lock);
    run_journal_put_metric(&r->queue, ++r->number, metric);
    (void)pthread_mutex_unlock(&r->lock);
}

void recorder_device(struct recorder *r, const struct ledger_device *device)
{
    (void)pthread_mutex_lock(&r->lock);
    run_journal_put_device(&r->queue, ++r->number, device);
    (void)pthread_mutex_unlock(&r->lock);
}

void recorder_tick(struct recorder *r, const struct ledger_totals *totals,
                   const struct ledger_sample *sample)
{
    put_last_events(r);
    (void)pthread_mutex_lock(&r->lock);
    run_journal_put_tick(&r->queue, ++r->number, totals, sample);
    r->queue_cost = totals->cost;
    (void)pthread_mutex_unlock(&r->lock);
}

void recorder_end(struct recorder *r, const struct ledger_ending *ending,
                  const struct ledger_totals *totals)
{
    put_last_events(r);
    (void)pthread_mutex_lock(&r->lock);
    run_journal_put_end(&r->queue, ++r->number, ending, totals);
    r->queue_cost = totals->cost;
    (void)pthread_mutex_unlock(&r->lock);
}

/* ---- the writer ---- */

static void signal_news(struct recorder *r)
{
    (void)!write(r->fd, &(uint64_t){1}, sizeof(uint64_t));
}

/* Does the ledger's name still lead to the file that was opened? What is written to one that
 * was moved away or replaced is not found where it is looked for. */
static bool is_recorder_ledger_there(const struct recorder *r)
{
    struct stat file;

    return r->is_server ||
           (stat(r->path, &file) == 0 && file.st_dev == r->device && file.st_ino == r->inode);
}

/* A server is opened beside what this thread does: what is reported meanwhile is in the
 * journal at once. At the end it is waited for, for a moment. */
static bool server_ready(struct recorder *r, struct error *err)
{
    span wait = {r->last ? FINISH_OPEN : 0};
    struct ledger_opened opened;

    if (r->opening == NULL && (r->last || now_monotonic().ns >= r->next_open.ns)) {
        r->opening = ledger_opening_start(r->path, PATIENCE, r->clock, r->alloc, err);
        r->next_open = (instant){now_monotonic().ns + REOPEN};
        if (r->opening == NULL)
            return false;
    }
    if (r->opening == NULL) {
        *err = r->news.why;
        return false;
    }
    if (!ledger_opening_wait(r->opening, wait, &opened))
        return recorder_no_answer(r->path, err);
    r->opening = NULL;
    r->ledger = opened.ledger;
    ledger_close(r->reader);
    r->reader = opened.reader;
    *err = opened.why;
    return r->ledger != NULL;
}

static bool is_ready_to_record(struct recorder *r, struct error *err)
{
    if (r->ledger != NULL && is_recorder_ledger_there(r))
        return true;
    if (r->is_server)
        return server_ready(r, err);
    r->moved = r->moved || r->ledger != NULL;
    ledger_close(r->ledger);
    r->ledger = NULL;
    if (!r->last && now_monotonic().ns < r->next_open.ns) {
        *err = r->news.why;
        return false;
    }
    r->next_open = (instant){now_monotonic().ns + RETRY / 2};
    return open_recorder_ledger(r, PATIENCE, err);
}

/* A server that was lost is opened anew: its engine would try to reach it in this thread. */
static void let_go_of_server(struct recorder *r)
{
    ledger_close(r->ledger);
    r->ledger = NULL;
    r->next_open = (instant){0};
}

/* ---- a server that receives runs ---- */

#define BACKOFF_MOST (30 * SECOND)

/* Ever longer, and never all at the same moment: many send to one server. */
static void send_later(struct recorder *r)
{
    int64_t wait = SECOND << (r->failures < 5 ? r->failures : 5);
    uint64_t mixed = text_hash((uint64_t)now_monotonic().ns, str_from(r->attempt_id));

    if (wait > BACKOFF_MOST)
        wait = BACKOFF_MOST;
    if (wait < receiver_wait(r->receiver).ns)
        wait = receiver_wait(r->receiver).ns;
    wait = wait / 2 + (int64_t)(mixed % (uint64_t)wait);
    r->next_send = (instant){now_monotonic().ns + wait};
    r->failures++;
}

static void take_receipt(struct recorder *r, int *number)
{
    const struct run_receipt *receipt = receiver_receipt(r->receiver);
    struct recorder_news *news = &r->news;
    bool new_stop = news->stop[0] == '\0' && receipt->stop.len > 0;
    bool new_note = news->note[0] == '\0' && receipt->notes.len > 0;

    *number = receipt->attempt > 0 && receipt->attempt < INT32_MAX ? (int)receipt->attempt : 1;
    (void)pthread_mutex_lock(&r->lock);
    if (new_stop)
        str_copy(receipt->stop, news->stop, sizeof news->stop);
    if (new_note)
        str_copy(receipt->notes.at[0], news->note, sizeof news->note);
    (void)pthread_mutex_unlock(&r->lock);
    if (new_stop || new_note)
        signal_news(r);
}

static bool send_records(struct recorder *r, struct str records, int *number, struct error *err)
{
    bool refused;

    if (!r->last && now_monotonic().ns < r->next_send.ns) {
        *err = r->news.why;
        return false;
    }
    if (receiver_send(r->receiver, buf_text(&r->start), records, NULL, &refused, err)) {
        r->failures = 0;
        r->next_send = (instant){0};
        take_receipt(r, number);
        return true;
    }
    send_later(r);
    return false;
}

static bool add_to_ledger(struct recorder *r, struct str records, int *number,
                          struct error *err)
{
    if (r->receiver != NULL)
        return send_records(r, records, number, err);
    if (!is_ready_to_record(r, err))
        return false;
    if (ledger_apply(r->ledger, buf_text(&r->start), records, number, err))
        return true;
    if (r->is_server && error_is_of_machine(err->kind))
        let_go_of_server(r);
    return false;
}

/* What is in the ledger need not wait any more. */
static void now_good(struct recorder *r, int number, usd cost)
{
    bool was_bad = r->news.state != RECORDER_GOOD;

    run_journal_remove(&r->journal);
    r->trouble_since = (instant){0};
    (void)pthread_mutex_lock(&r->lock);
    buf_free(&r->waiting);
    r->waiting = buf_new(r->alloc, JOURNAL_MOST);
    r->news.state = RECORDER_GOOD;
    r->news.lasting = r->news.temporary = false;
    r->news.why = r->news.beside = (struct error){0};
    r->news.journal[0] = '\0';
    r->news.cost = cost;
    r->news.attempt = number;
    r->news.moved = r->moved;
    (void)pthread_mutex_unlock(&r->lock);
    if (was_bad || r->moved)
        signal_news(r);
}

/* Keep what the ledger refused: `anew` when the file must be written anew. */
static bool write_journal(struct recorder *r, bool anew, struct error *err)
{
    bool kept;

    if (r->journal.fd <= 0)
        kept = run_journal_append(&r->journal, r->path, r->attempt_id, buf_text(&r->start),
                                  buf_text(&r->waiting), err);
    else if (anew)
        kept =
            run_journal_rewrite(&r->journal, buf_text(&r->start), buf_text(&r->waiting), err);
    else
        kept = r->taken.len == 0 ||
               run_journal_append(&r->journal, r->path, r->attempt_id, buf_text(&r->start),
                                  buf_text(&r->taken), err);
    /* One that misses some records is of no use for those that follow: all are in memory, and
     * the next try writes them all. */
    if (!kept)
        run_journal_remove(&r->journal);
    return kept;
}

static void now_bad(struct recorder *r, bool anew, const struct error *why)
{
    struct recorder_news news = r->news;

    if (r->trouble_since.ns == 0)
        r->trouble_since = now_monotonic();
    news.why = *why;
    news.beside = (struct error){0};
    news.state = r->journaled || write_journal(r, anew, &news.beside) ? RECORDER_JOURNAL
                                                                      : RECORDER_MEMORY;
    news.temporary = r->journal.temporary;
    news.lasting =
        why->kind != ERROR_FAILED || now_monotonic().ns - r->trouble_since.ns >= LASTING;
    (void)snprintf(news.journal, sizeof news.journal, "%s", r->journal.path);
    (void)pthread_mutex_lock(&r->lock);
    r->news = news;
    (void)pthread_mutex_unlock(&r->lock);
    signal_news(r);
}

/* While records wait, those that follow wait behind them. */
static bool take_recorder_records(struct recorder *r, usd *cost)
{
    bool shortened = false;

    (void)pthread_mutex_lock(&r->lock);
    if (r->queue.failed == ERROR_NONE)
        buf_add(&r->taken, buf_text(&r->queue));
    buf_clear(&r->queue);
    if (r->waiting.len > 0)
        shortened = run_journal_add(&r->waiting, buf_text(&r->taken));
    *cost = r->queue_cost;
    (void)pthread_mutex_unlock(&r->lock);
    return shortened;
}

static void write_records(struct recorder *r)
{
    struct error err = {0};
    int number = 0;
    usd cost;
    bool anew = take_recorder_records(r, &cost), waited = r->waiting.len > 0;

    if (r->taken.len == 0 && !waited && r->news.attempt > 0)
        return;
    /* While a server is away, asking it takes its time: nothing is only in memory meanwhile. */
    r->journaled = r->receiver != NULL && waited && write_journal(r, anew, &err);
    err = (struct error){0};
    if (add_to_ledger(r, waited ? buf_text(&r->waiting) : buf_text(&r->taken), &number, &err)) {
        now_good(r, number, cost);
    } else {
        (void)pthread_mutex_lock(&r->lock);
        if (!waited)
            (void)run_journal_add(&r->waiting, buf_text(&r->taken));
        (void)pthread_mutex_unlock(&r->lock);
        now_bad(r, anew, &err);
    }
    (void)pthread_mutex_lock(&r->lock);
    buf_clear(&r->taken);
    (void)pthread_mutex_unlock(&r->lock);
}

/* Journals that other runs left. */
static void add_others(struct recorder *r, span most)
{
    struct run_journal_result ignored;
    struct send_result left;

    if ((r->ledger == NULL && r->receiver == NULL) || r->news.state != RECORDER_GOOD ||
        now_monotonic().ns < r->next_others.ns)
        return;
    r->next_others = (instant){now_monotonic().ns + OTHERS_EVERY};
    if (r->receiver != NULL && run_journal_count(r->path) > 0) {
        send_waiting(r->receiver, NULL, most, &left);
        receiver_next(r->receiver, false);
        return;
    }
    if (run_journal_count(r->path) > 0)
        ledger_apply_waiting(r->ledger, r->path, NULL, most, &ignored);
}

/* One that cannot be written may still be read. */
static struct ledger *ledger_to_read(struct recorder *r, struct error *err)
{
    struct ledger *ledger = r->ledger;

    if (ledger == NULL && r->reader == NULL && r->is_server)
        *err = r->news.why;
    else if (ledger == NULL && r->reader == NULL)
        r->reader = ledger_open(r->path, LEDGER_READ, PATIENCE, r->clock, r->alloc, err);
    if (ledger == NULL)
        ledger = r->reader;
    if (ledger != NULL) /* reading it would give up its lock */
        ledger_own_journal(ledger, r->journal.path);
    return ledger;
}

static void answer_question(struct recorder *r)
{
    struct error err = {0};
    struct ledger *ledger = r->receiver == NULL ? ledger_to_read(r, &err) : NULL;
    bool there = r->receiver != NULL ? r->news.state == RECORDER_GOOD : ledger != NULL;
    bool ok = there && r->ask(r->ask_ctx, ledger, r->news.cost, &err);

    if (!there && r->receiver != NULL)
        err = r->news.why;

    (void)pthread_mutex_lock(&r->lock);
    r->ask = NULL;
    r->answered = true;
    r->answer = ok;
    r->answer_err = err;
    (void)pthread_cond_broadcast(&r->changed);
    (void)pthread_mutex_unlock(&r->lock);
    signal_news(r);
}

/* ---- the thread ---- */

static void wait_until(struct recorder *r, instant until)
{
    struct timespec at = {.tv_sec = until.ns / SECOND, .tv_nsec = until.ns % SECOND};

    (void)pthread_cond_timedwait(&r->changed, &r->lock, &at);
}

/* Wait for something to do; false when all is done. */
static bool wait_for_work(struct recorder *r, bool *flush, bool *ask)
{
    instant retry = {now_monotonic().ns + RETRY};

    (void)pthread_mutex_lock(&r->lock);
    while (r->flushed == r->wanted && r->ask == NULL && !r->stop &&
           (r->news.state == RECORDER_GOOD || now_monotonic().ns < retry.ns)) {
        if (r->news.state == RECORDER_GOOD)
            (void)pthread_cond_wait(&r->changed, &r->lock);
        else
            wait_until(r, retry);
    }
    *ask = r->ask != NULL;
    *flush = r->flushed != r->wanted || r->news.state != RECORDER_GOOD;
    if (!*flush && !*ask && r->stop) {
        r->done = true;
        (void)pthread_cond_broadcast(&r->changed);
        (void)pthread_mutex_unlock(&r->lock);
        return false;
    }
    (void)pthread_mutex_unlock(&r->lock);
    return true;
}

static void *write_forever(void *ctx)
{
    struct recorder *r = ctx;
    bool flush, ask;

    while (wait_for_work(r, &flush, &ask)) {
        uint64_t wanted;
        bool last;

        (void)pthread_mutex_lock(&r->lock);
        wanted = r->wanted;
        last = r->last = r->stop;
        (void)pthread_mutex_unlock(&r->lock);
        if (flush)
            write_records(r);
        (void)pthread_mutex_lock(&r->lock);
        r->flushed = wanted;
        (void)pthread_cond_broadcast(&r->changed);
        (void)pthread_mutex_unlock(&r->lock);
        if (ask)
            answer_question(r);
        if (!last)
            add_others(r, (span){OTHERS_MOST});
        if (last && flush) { /* it is in the ledger, or in the journal: that is all */
            (void)pthread_mutex_lock(&r->lock);
            r->done = true;
            (void)pthread_cond_broadcast(&r->changed);
            (void)pthread_mutex_unlock(&r->lock);
            break;
        }
    }
    return NULL;
}

static bool start_recorder_thread(struct recorder *r)
{
    pthread_attr_t attributes;
    sigset_t all, before;

    if (r->has_thread)
        return true;
    (void)sigfillset(&all);
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, STACK);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    r->has_thread = pthread_create(&r->thread, &attributes, write_forever, r) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return r->has_thread;
}

void recorder_flush(struct recorder *r)
{
    put_last_events(r);
    if (!start_recorder_thread(r)) { /* slow, but right */
        write_records(r);
        return;
    }
    (void)pthread_mutex_lock(&r->lock);
    r->wanted++;
    (void)pthread_cond_broadcast(&r->changed);
    (void)pthread_mutex_unlock(&r->lock);
}

bool recorder_flush_wait(struct recorder *r, span most)
{
    instant until = {now_monotonic().ns + most.ns};
    bool good;

    recorder_flush(r);
    (void)pthread_mutex_lock(&r->lock);
    while (r->has_thread && r->flushed != r->wanted && now_monotonic().ns < until.ns)
        wait_until(r, until);
    good = (!r->has_thread || r->flushed == r->wanted) && r->news.state == RECORDER_GOOD &&
           r->news.attempt > 0;
    (void)pthread_mutex_unlock(&r->lock);
    return good;
}

/* ---- questions ---- */

bool recorder_ask(struct recorder *r,
                  bool (*ask)(void *ctx, struct ledger *ledger, usd recorded,
                              struct error *err),
                  void *ctx)
{
    bool free;

    if (!start_recorder_thread(r))
        return false;
    (void)pthread_mutex_lock(&r->lock);
    free = r->ask == NULL && !r->answered;
    if (free) {
        r->ask = ask;
        r->ask_ctx = ctx;
        (void)pthread_cond_broadcast(&r->changed);
    }
    (void)pthread_mutex_unlock(&r->lock);
    return free;
}

bool recorder_answer_wait(struct recorder *r, span most, bool *ok, struct error *err)
{
    instant until = {now_monotonic().ns + most.ns};
    bool answered;

    (void)pthread_mutex_lock(&r->lock);
    while (r->ask != NULL && now_monotonic().ns < until.ns)
        wait_until(r, until);
    answered = r->answered;
    r->answered = false;
    if (answered) {
        *ok = r->answer;
        *err = r->answer_err;
    }
    (void)pthread_mutex_unlock(&r->lock);
    return answered;
}

int recorder_fd(const struct recorder *r)
{
    return r->fd;
}

void recorder_news(struct recorder *r, struct recorder_news *out)
{
    uint64_t ignored;

    (void)!read(r->fd, &ignored, sizeof ignored);
    (void)pthread_mutex_lock(&r->lock);
    *out = r->news;
    (void)pthread_mutex_unlock(&r->lock);
}

/* ---- the end ---- */

static void free_recorder(struct recorder *r)
{
    for (size_t i = 0; i < r->kind_count; i++)
        r->alloc->put(r->alloc->ctx, r->kinds[i]);
    run_journal_close(&r->journal);
    ledger_close(r->ledger);
    ledger_close(r->reader);
    ledger_opening_leave(r->opening);
    receiver_close(r->receiver);
    buf_free(&r->queue);
    buf_free(&r->taken);
    buf_free(&r->waiting);
    buf_free(&r->start);
    (void)pthread_cond_destroy(&r->changed);
    (void)pthread_mutex_destroy(&r->lock);
    if (r->fd >= 0)
        (void)close(r->fd);
    r->alloc->put(r->alloc->ctx, r);
}

/* The thread waits for a server or a disk that says nothing. All that it may not have written
 * goes to a journal of its own; should it come through after all, nothing is added twice. The
 * thread ends with the process, so what it uses stays. Called with the lock held. */
static void give_up_recording(struct recorder *r)
{
    struct run_journal rest = {0};
    struct error *why = &r->news.why;

    r->given_up = true;
    if (r->waiting.len == 0)
        (void)run_journal_add(&r->waiting, buf_text(&r->taken));
    (void)run_journal_add(&r->waiting, buf_text(&r->queue));
    if (why->kind == ERROR_NONE)
        error_set(why, ERROR_FAILED, "%s does not answer",
                  r->receiver != NULL ? r->path : "the ledger");
    r->news.state = run_journal_append(&rest, r->path, r->attempt_id, buf_text(&r->start),
                                       buf_text(&r->waiting), &r->news.beside)
                        ? RECORDER_JOURNAL
                        : RECORDER_MEMORY;
    r->news.temporary = rest.temporary;
    r->news.lasting = true;
    (void)snprintf(r->news.journal, sizeof r->news.journal, "%s", rest.path);
    run_journal_close(&rest);
}

void recorder_finish(struct recorder *r, struct recorder_news *out)
{
    instant until = {now_monotonic().ns + (r->is_server ? FINISH_SERVER : FINISH_FILE)};

    put_last_events(r);
    if (r->is_server && !r->has_thread)
        (void)start_recorder_thread(r);
    if (!r->has_thread) {
        r->last = true;
        write_records(r);
        add_others(r, (span){SECOND / 5});
        *out = r->news;
        free_recorder(r);
        return;
    }
    (void)pthread_mutex_lock(&r->lock);
    r->stop = true;
    r->wanted++;
    (void)pthread_cond_broadcast(&r->changed);
    while (!r->done && now_monotonic().ns < until.ns)
        wait_until(r, until);
    /* A thread that is within a library must not outlive it. */
    if (!r->done && r->receiver != NULL) {
        receiver_abandon(r->receiver);
        until = (instant){now_monotonic().ns + FINISH_ABANDONED};
        while (!r->done && now_monotonic().ns < until.ns)
            wait_until(r, until);
    }
    if (!r->done)
        give_up_recording(r);
    *out = r->news;
    (void)pthread_mutex_unlock(&r->lock);
    if (r->given_up) {
        (void)pthread_detach(r->thread);
        return;
    }
    (void)pthread_join(r->thread, NULL);
    free_recorder(r);
}
