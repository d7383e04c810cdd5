/* Parts of pages that take long to compute: kept, and made again beside the page that shows
 * them.
 *
 * A year of spending is read again to see that it has no anomalies, which takes seconds where
 * there are many runs, while a run that goes on changes the ledger every second. Such a part is
 * shown as it was while a new one is made, at most as often as it says; a page waits for its
 * parts, but not long. */
#include <string.h>

#include "serve/page.h"

#define PARTS 64
#define PARTS_NICE 3          /* pages go first */
#define PATIENCE (SECOND / 4) /* that a page waits for all of its parts */

struct kept_part {
    struct server *server;
    const struct page_part *part; /* NULL: free */
    char team[TOKEN_TEAM];        /* whose it is; empty: of all */
    struct buf text;
    bool made;
    uint64_t written, changes; /* of the ledger when it was begun (cache.h) */
    instant begun;
    bool making;
};

struct parts {
    struct work *work;    /* one thread: what takes long leaves the others to requests */
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t done;
    atomic_bool ending;
    struct kept_part at[PARTS];
};

static bool is_part_of_team(const struct kept_part *p, const struct page_part *part,
                            const char *team)
{
    return p->part == part && strcmp(p->team, team) == 0;
}

/* The place of a part: its own, a free one, or that of the one made longest ago. NULL when all
 * are being made. Called with the lock held. */
static struct kept_part *find_kept_part(struct server *s, const struct page_part *part,
                                        const char *team)
{
    struct parts *all = s->parts;
    struct kept_part *oldest = NULL;

    for (size_t i = 0; i < PARTS; i++)
        if (is_part_of_team(&all->at[i], part, team))
            return &all->at[i];
    for (size_t i = 0; i < PARTS; i++)
        if (!all->at[i].making && (oldest == NULL || all->at[i].begun.ns < oldest->begun.ns))
            oldest = &all->at[i];
    if (oldest == NULL)
        return NULL;
    if (oldest->part != NULL)
        buf_free(&oldest->text);
    *oldest = (struct kept_part){
        .server = s, .part = part, .text = buf_new(&alloc_system, SERVE_ANSWER)};
    str_copy(str_from(team), oldest->team, sizeof oldest->team);
    return oldest;
}

static bool is_part_current(const struct kept_part *p)
{
    uint64_t written, changes;

    cache_counts(p->server->cache, &written, &changes);
    if (!p->made || p->changes != changes)
        return false;
    return p->written == written || server_now().ns - p->begun.ns < p->part->fresh.ns;
}

static void make_page_part(void *ctx)
{
    struct kept_part *p = ctx;
    struct parts *all = p->server->parts;
    struct buf text = buf_new(&alloc_system, SERVE_ANSWER), before;
    uint64_t written, changes;
    instant begun = server_now();
    bool ok;

    cache_counts(p->server->cache, &written, &changes);
    ok = !atomic_load(&all->ending) &&
         visit_part(p->server, p->team, p->part->page, p->part->write, &text);
    (void)pthread_mutex_lock(&all->lock);
    before = p->text;
    if (ok)
        p->text = text;
    p->made = p->made || ok;
    p->written = written;
    p->changes = changes;
    p->begun = begun;
    p->making = false;
    (void)pthread_cond_broadcast(&all->done);
    (void)pthread_mutex_unlock(&all->lock);
    buf_free(ok ? &before : &text);
    cache_renew(p->server->cache);
}

/* Called with the lock held. */
static void begin_part(struct kept_part *p)
{
    if (p != NULL && !p->making && !is_part_current(p))
        p->making = work_add(p->server->parts->work, 0, make_page_part, p);
}

/* Wait until it is made, or patience ends. Called with the lock held. */
static void await_part(struct parts *all, const struct kept_part *p, int64_t until)
{
    struct timespec at = {.tv_sec = until / SECOND, .tv_nsec = until % SECOND};

    while (p->making)
        if (pthread_cond_timedwait(&all->done, &all->lock, &at) != 0)
            return;
}

void page_parts_begin(struct visit *v, const struct page_part *parts, size_t count)
{
    struct parts *all = v->server->parts;

    if (str_eq(params_get(&v->params, "format"), STR("csv")))
        return;
    v->patience = server_now().ns + PATIENCE;
    (void)pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < count; i++)
        begin_part(find_kept_part(v->server, &parts[i], v->caller.team));
    (void)pthread_mutex_unlock(&all->lock);
}

void page_part(struct visit *v, const struct page_part *part)
{
    struct parts *all = v->server->parts;
    struct kept_part *p;

    if (str_eq(params_get(&v->params, "format"), STR("csv"))) {
        part->write(v);
        return;
    }
    (void)pthread_mutex_lock(&all->lock);
    p = find_kept_part(v->server, part, v->caller.team);
    if (p != NULL)
        await_part(all, p, v->patience);
    if (p != NULL && p->made)
        buf_add(&v->out, buf_text(&p->text));
    else
        buf_adds(&v->out, part->instead);
    (void)pthread_mutex_unlock(&all->lock);
}

void parts_warm(struct server *s, const struct page_part *parts, size_t count)
{
    (void)pthread_mutex_lock(&s->parts->lock);
    for (size_t i = 0; i < count; i++)
        begin_part(find_kept_part(s, &parts[i], ""));
    (void)pthread_mutex_unlock(&s->parts->lock);
}

struct parts *parts_new(struct error *err)
{
    struct parts *all = alloc_system.get(alloc_system.ctx, sizeof *all);
    pthread_condattr_t monotonic;

    if (all == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    memset(all, 0, sizeof *all);
    (void)pthread_mutex_init(&all->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&all->done, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    all->work = work_new(1, 1, PARTS_NICE, err);
    if (all->work != NULL)
        return all;
    parts_free(all);
    return NULL;
}

void parts_end(struct parts *all)
{
    if (all == NULL)
        return;
    atomic_store(&all->ending, true);
    work_free(all->work);
    all->work = NULL;
}

void parts_free(struct parts *all)
{
    if (all == NULL)
        return;
    for (size_t i = 0; i < PARTS; i++)
        if (all->at[i].part != NULL)
            buf_free(&all->at[i].text);
    (void)pthread_cond_destroy(&all->done);
    (void)pthread_mutex_destroy(&all->lock);
    alloc_system.put(alloc_system.ctx, all);
}
