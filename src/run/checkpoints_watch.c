/* A folder of checkpoints watched while a program writes to it.
 *
 * While nothing changes a look costs one stat() and one read() of inotify's queue, and now and
 * then a glance at one checkpoint for changes deeper in it. One that is being written is walked
 * through each second, or less often when it has so many files that this would cost. */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "run/checkpoints_watch.h"

#define FILES_A_SECOND 500   /* that may be looked at, in the mean */
#define GLANCED_A_SECOND 100 /* likewise of those that are whole */
#define GLANCE_S 10          /* between glances at those that are whole */
#define SAVING_S 3           /* since its last change: it is not being written any more */
#define DOUBT_S 15           /* between looks at one that stays unfinished */
#define CLEAR_FILES 256      /* removed at each look */

static void see_name(struct checkpoint_watch *w, int folder, const char *name)
{
    struct str text = str_from(name);
    struct watched *e = watched_find(w, text);
    struct checkpoint c;
    struct stat st;

    if (!w->begun && w->options.prune && str_starts(text, STR(CHECKPOINT_TRASH)))
        watch_trash(w, name);
    if (e != NULL) {
        e->listed = true;
        return;
    }
    if (w->count >= CHECKPOINTS_MOST || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
        (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) ||
        !checkpoint_name(text, S_ISDIR(st.st_mode), w->options.rules.metric, &c))
        return;
    e = w->alloc->get(w->alloc->ctx, sizeof *e);
    if (e == NULL) /* tried again at the next change */
        return;
    *e = (struct watched){.c = c,
                          .seen_ns = w->now_ns,
                          .still_ns = w->now_ns,
                          .next_ns = w->now_ns,
                          .was_there = !w->begun,
                          .listed = true,
                          .next = w->first};
    memcpy(e->name, name, text.len + 1);
    e->c.name.at = e->name;
    w->first = e;
    w->count++;
}

static void drop_gone(struct checkpoint_watch *w)
{
    for (struct watched **at = &w->first; *at != NULL;) {
        struct watched *e = *at;

        if (e->listed) {
            at = &e->next;
            continue;
        }
        *at = e->next;
        w->alloc->put(w->alloc->ctx, e);
        w->count--;
    }
}

static void read_names(struct checkpoint_watch *w)
{
    struct error ignored;
    struct stat st;
    int folder = checkpoint_folder(w->options.folder, &st, &ignored);
    DIR *list = folder >= 0 ? checkpoint_list(folder) : NULL;

    for (struct watched *e = w->first; e != NULL; e = e->next)
        e->listed = false;
    while (list != NULL) {
        const struct dirent *entry = readdir(list);

        if (entry == NULL)
            break;
        see_name(w, folder, entry->d_name);
    }
    if (list != NULL)
        (void)closedir(list);
    if (folder >= 0)
        (void)close(folder);
    drop_gone(w);
    w->changed = false;
}

static bool look_at(struct checkpoint_watch *w, struct checkpoint *c, bool deep)
{
    struct arena scratch = {.alloc = w->alloc, .block_size = 4096};
    struct error ignored;
    struct stat st;
    struct checkpoint_look look = {.metric = w->options.rules.metric,
                                   .deep = deep,
                                   .arena = &scratch,
                                   .folder =
                                       checkpoint_folder(w->options.folder, &st, &ignored)};
    bool there = false, ok;

    if (look.folder < 0)
        return false;
    look.device = st.st_dev;
    ok = checkpoint_look(&look, c, &there, &ignored);
    (void)close(look.folder);
    arena_free(&scratch);
    return ok && there;
}

static void settle(struct checkpoint_watch *w, struct watched *e)
{
    struct checkpoint *c = &e->c;
    int64_t from = c->begun_ns >= 0 && c->begun_ns < e->seen_ns ? c->begun_ns : e->seen_ns;

    e->settled = true;
    c->writing = false;
    if (e->was_there && !w->begun) {
        if (w->options.found != NULL)
            w->options.found(w->options.ctx, c);
        return;
    }
    /* One that is written again in its place was made long ago: that began when its change was
     * seen. */
    if (e->was_there)
        from = e->seen_ns;
    c->took_s = c->touched_ns > from ? (double)(c->touched_ns - from) / (double)SECOND : 0;
    if (isnan(w->longest) || c->took_s > w->longest)
        w->longest = c->took_s;
    e->was_there = true; /* from now on */
    w->due |= !e->late;
    if (w->options.settled != NULL)
        w->options.settled(w->options.ctx, c);
}

static void look_again(struct checkpoint_watch *w, struct watched *e)
{
    struct checkpoint c = e->c;
    double settle_s = w->ended && w->clean ? 0 : w->options.rules.settle_s;
    bool same, old;

    if (!look_at(w, &c, false)) {
        w->changed = true;
        return;
    }
    same = c.touched_ns == e->c.touched_ns && c.bytes == e->c.bytes && c.files == e->c.files;
    if (!same && e->settled) {
        e->seen_ns = w->now_ns;
        e->settled = false;
    }
    if (!same)
        e->still_ns = w->now_ns;
    e->c = c;
    e->next_ns = w->now_ns + c.files * SECOND / FILES_A_SECOND;
    /* By our own eyes, since clocks of networks' file systems differ; at first by its date. */
    old = (double)(w->now_ns - e->still_ns) >= settle_s * (double)SECOND ||
          (!w->begun && checkpoint_whole(&c, settle_s, w->now_ns));
    if (!old || e->settled)
        return;
    (void)look_at(w, &c, true);
    e->c = c;
    e->late = w->ended && w->now_ns - e->still_ns < SAVING_S * SECOND;
    if (c.doubt != NULL || isnan(c.bytes))
        e->next_ns = w->now_ns + DOUBT_S * SECOND;
    else
        settle(w, e);
}

/* At those that are whole one after the other, for changes that only their own files tell. */
static void glance(struct checkpoint_watch *w)
{
    struct watched *oldest = NULL;

    if (w->now_ns < w->glance_ns)
        return;
    for (struct watched *e = w->first; e != NULL; e = e->next)
        if (e->settled && (oldest == NULL || e->next_ns < oldest->next_ns))
            oldest = e;
    w->glance_ns = w->now_ns + GLANCE_S * SECOND;
    if (oldest == NULL || oldest->next_ns > w->now_ns)
        return;
    look_again(w, oldest);
    if (oldest->settled && oldest->next_ns < w->glance_ns)
        oldest->next_ns = w->glance_ns; /* the others first */
    if (oldest->c.files > 0)
        w->glance_ns += oldest->c.files * SECOND / GLANCED_A_SECOND;
}

struct checkpoint_watch *checkpoint_watch_open(const struct checkpoint_watch_options *options,
                                               const struct alloc *alloc, struct error *err)
{
    struct checkpoint_watch *w = alloc->get(alloc->ctx, sizeof *w);

    if (w == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *w = (struct checkpoint_watch){
        .options = *options, .alloc = alloc, .inotify = -1, .longest = NAN};
    return w;
}

void checkpoint_watch_look(struct checkpoint_watch *w, int64_t now_ns)
{
    w->now_ns = now_ns;
    watch_read_events(w);
    if (!watch_folder(w) && w->first == NULL) {
        w->begun = true;
        return;
    }
    if (w->changed)
        read_names(w);
    for (struct watched *e = w->first; e != NULL; e = e->next)
        if (!e->settled && (e->next_ns <= now_ns || w->ended))
            look_again(w, e);
    if (w->changed) /* one was gone when it was looked at */
        read_names(w);
    glance(w);
    w->begun = true;
    if (w->due && w->options.prune && (!w->ended || w->clean))
        watch_prune(w);
    w->due = false;
    if (w->trash != NULL)
        watch_clear(w, CLEAR_FILES);
}

void checkpoint_watch_end(struct checkpoint_watch *w, int64_t now_ns, bool clean)
{
    w->ended = true;
    w->clean = clean;
    w->changed = true;
    checkpoint_watch_look(w, now_ns);
    watch_clear(w, INT64_MAX);
}

bool checkpoint_watch_saving(const struct checkpoint_watch *w)
{
    for (const struct watched *e = w->first; e != NULL; e = e->next)
        if (!e->settled && w->now_ns - e->still_ns < SAVING_S * SECOND &&
            w->now_ns - e->c.touched_ns < SAVING_S * SECOND)
            return true;
    return false;
}

double checkpoint_watch_longest(const struct checkpoint_watch *w)
{
    return w->longest;
}

double checkpoint_watch_bytes(const struct checkpoint_watch *w)
{
    double sum = 0;

    for (const struct watched *e = w->first; e != NULL; e = e->next)
        sum += e->c.bytes; /* unknown when one is */
    return sum;
}

const struct checkpoint *checkpoint_watch_best(const struct checkpoint_watch *w)
{
    const struct checkpoint *best = NULL;

    for (const struct watched *e = w->first; e != NULL; e = e->next) {
        if (w->options.rules.metric.len == 0 || !e->settled || isnan(e->c.metric))
            continue;
        /* Of equals the newest, as the rules have it. */
        if (best == NULL || !checkpoint_as_good(best, &e->c, &w->options.rules) ||
            (checkpoint_as_good(&e->c, best, &w->options.rules) &&
             e->c.changed_ns > best->changed_ns))
            best = &e->c;
    }
    return best;
}

void checkpoint_watch_close(struct checkpoint_watch *w)
{
    if (w == NULL)
        return;
    while (w->first != NULL) {
        struct watched *e = w->first;

        w->first = e->next;
        w->alloc->put(w->alloc->ctx, e);
    }
    while (w->trash != NULL) {
        struct trash *t = w->trash;

        w->trash = t->next;
        w->alloc->put(w->alloc->ctx, t);
    }
    if (w->inotify >= 0)
        (void)close(w->inotify);
    w->alloc->put(w->alloc->ctx, w);
}
