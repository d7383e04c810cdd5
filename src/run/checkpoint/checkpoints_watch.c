/* A folder of checkpoints watched while a program writes to it.
 *
 * While nothing changes a look costs one stat() and one read() of inotify's queue, and now and
 * then a glance at one checkpoint for changes deeper in it. One that is being written is walked
 * through each second, or less often when it has so many files that this would cost. */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "run/checkpoint/checkpoints_watch.h"

#define FILES_A_SECOND 500   /* that may be looked at, in the mean */
#define GLANCED_A_SECOND 100 /* likewise of those that are whole */
#define GLANCE_S 10          /* between glances at those that are whole */
#define SAVING_S 3           /* since its last change: it is not being written any more */
#define DOUBT_S 15           /* between looks at one that stays unfinished */
#define CLEAR_FILES 256      /* removed at each look */
#define COARSE_S 2           /* dates of some file systems are so coarse */

static const struct checkpoint_label unknown_label = {.begun = {-1},
                                                      .written = {-1},
                                                      .step = NAN,
                                                      .metric = NAN,
                                                      .metric_at = {-1},
                                                      .cost = {MONEY_UNKNOWN},
                                                      .final = true};

static struct watched *see_name(struct checkpoint_watch *w, int folder, const char *name)
{
    struct str text = str_from(name);
    struct watched *e = watched_find(w, text);
    struct checkpoint c;
    struct stat st;

    if (!w->begun && w->options.prune && str_starts(text, STR(CHECKPOINT_TRASH)))
        watch_trash(w, name);
    if (e != NULL) {
        e->listed = true;
        return e;
    }
    if (w->count >= CHECKPOINTS_MOST || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
        (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) ||
        !checkpoint_name(text, S_ISDIR(st.st_mode), w->options.rules.metric, &c))
        return NULL;
    e = w->alloc->get(w->alloc->ctx, sizeof *e);
    if (e == NULL) /* tried again at the next change */
        return NULL;
    *e = (struct watched){.c = c,
                          .still_ns = w->now_ns,
                          .next_ns = w->now_ns,
                          .was_there = !w->begun,
                          .folder = S_ISDIR(st.st_mode),
                          .listed = true,
                          .label = unknown_label,
                          .next = w->first};
    memcpy(e->name, name, text.len + 1);
    e->c.name.at = e->name;
    w->first = e;
    w->count++;
    return e;
}

struct watched *watch_add_name(struct checkpoint_watch *w, const char *name)
{
    struct error ignored;
    struct stat st;
    int folder = checkpoint_folder(w->options.folder, &st, &ignored);
    struct watched *e = folder >= 0 ? see_name(w, folder, name) : NULL;

    if (folder >= 0)
        (void)close(folder);
    return e;
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
        (void)see_name(w, folder, entry->d_name);
    }
    if (list != NULL)
        (void)closedir(list);
    if (folder >= 0)
        (void)close(folder);
    drop_gone(w);
    w->changed = false;
}

static bool look_at(struct checkpoint_watch *w, const struct watched *e, struct checkpoint *c,
                    bool deep)
{
    struct arena scratch = {.alloc = w->alloc, .block_size = 4096};
    struct error ignored;
    struct stat st;
    struct checkpoint_look look = {
        .metric = w->options.rules.metric,
        .deep = deep,
        .since_ns = w->options.since_ns - (e->was_there ? 0 : COARSE_S * SECOND),
        .arena = &scratch,
        .folder = checkpoint_folder(w->options.folder, &st, &ignored)};
    bool there = false, ok;

    if (look.folder < 0)
        return false;
    look.device = st.st_dev;
    ok = checkpoint_look(&look, c, &there, &ignored);
    (void)close(look.folder);
    arena_free(&scratch);
    return ok && there;
}

/* ---- whose it is, and what it holds ---- */

/* Did the run write it? Of a folder that was there before, at least half; of a file, when it
 * was made or written since: a new date alone is `touch`. The clock of a file server that is
 * behind ours dates even what is new before the run. */
static bool is_mine(const struct checkpoint_watch *w, const struct watched *e)
{
    if (e->was_there && e->folder)
        return e->c.fresh > 0 && e->c.fresh * 2 >= e->c.bytes;
    if (e->was_there)
        return e->c.fresh > 0 && (e->modified || e->c.begun_ns >= w->options.since_ns);
    return e->c.fresh > 0 || e->c.touched_ns < w->options.since_ns - COARSE_S * SECOND;
}

/* Those of one series and another step are other saves. */
static bool is_other_save(const struct watched *a, const struct watched *b)
{
    return a != b && a->c.series != 0 && a->c.series == b->c.series && b->mine &&
           a->c.step != b->c.step && b->label.written.ns >= 0;
}

static struct checkpoint_around around(const struct checkpoint_watch *w,
                                       const struct watched *e)
{
    struct checkpoint_around out = {.until = {INT64_MAX}};

    for (const struct watched *o = w->first; o != NULL; o = o->next) {
        if (!is_other_save(e, o))
            continue;
        if (o->label.begun.ns > e->label.written.ns && o->label.begun.ns < out.until.ns)
            out.until = o->label.begun;
        if (o->label.written.ns < e->label.written.ns &&
            (out.before == NULL || out.before->written.ns < o->label.written.ns))
            out.before = &o->label;
    }
    return out;
}

/* What it holds, as far as it is known now. */
static void ask_label(struct checkpoint_watch *w, struct watched *e, bool rewritten)
{
    struct checkpoint_around now;

    if (rewritten) {
        e->label = unknown_label;
        e->label.final = w->options.dated == NULL;
        if (w->options.dated != NULL)
            w->options.dated(w->options.ctx, &e->c, e->first_ns, w->before_ns, &e->label);
    }
    now = around(w, e);
    if (w->options.label != NULL)
        w->options.label(w->options.ctx, &now, &e->label);
    e->label.final |= w->ended || w->options.label == NULL;
}

struct checkpoint watched_view(const struct watched *e)
{
    struct checkpoint c = e->c;

    if (isnan(c.metric)) /* what its name or its own files say comes first */
        c.metric = e->label.metric;
    c.cost = e->label.cost;
    return c;
}

static void tell_settled(struct checkpoint_watch *w, const struct watched *e)
{
    struct checkpoint c = watched_view(e);

    if (w->options.settled != NULL)
        w->options.settled(w->options.ctx, &c, &e->label);
}

/* The next step may have come, or a metric before it. */
static void ask_again(struct checkpoint_watch *w, struct watched *e)
{
    struct checkpoint_label was = e->label;
    bool same;

    if (!e->mine || was.final)
        return;
    ask_label(w, e, false);
    same = (was.metric == e->label.metric || (isnan(was.metric) && isnan(e->label.metric))) &&
           (was.step == e->label.step || (isnan(was.step) && isnan(e->label.step)));
    if (e->settled && !same)
        tell_settled(w, e);
    w->due |= e->settled && e->label.final;
}

/* It was written: how long, and what does it hold now? */
static void see_write(struct checkpoint_watch *w, struct watched *e)
{
    int64_t made = e->c.begun_ns,
            to = e->c.changed_ns < w->now_ns ? e->c.changed_ns : w->now_ns;

    e->mine = is_mine(w, e);
    e->c.ours = e->mine;
    if (!e->mine) {
        e->label = unknown_label;
        if (w->options.found != NULL)
            e->c.ours = w->options.found(w->options.ctx, &e->c, &e->label);
        return;
    }
    /* One that is written again in its place was made long ago. */
    if (e->first_ns == 0)
        e->first_ns = made > e->last_ns && made < to ? made : to;
    if (to > e->first_ns && to > w->saving_ns && w->options.saving != NULL)
        w->options.saving(w->options.ctx,
                          e->first_ns > w->saving_ns ? e->first_ns : w->saving_ns, to);
    if (to > w->saving_ns)
        w->saving_ns = to;
    ask_label(w, e, true);
}

/* ---- is it whole? ---- */

static void settle(struct checkpoint_watch *w, struct watched *e)
{
    struct checkpoint *c = &e->c;

    e->settled = true;
    c->writing = false;
    if (e->mine) {
        c->took_s = c->changed_ns > e->first_ns
                        ? (double)(c->changed_ns - e->first_ns) / (double)SECOND
                        : 0;
        w->due = true;
        tell_settled(w, e);
    }
    e->saved = true;
}

/* At the end of a program that may have been in the middle of a save: is it finished? */
static bool is_finished(const struct checkpoint_watch *w, const struct watched *e)
{
    /* Without a signal of ours: what was closed while it lived, as far as that was seen. */
    int64_t signal_ns = w->signal_ns != INT64_MAX ? w->signal_ns : w->before_ns;

    return e->c.proven ||
           (double)(w->now_ns - e->still_ns) >= w->options.rules.settle_s * 1e9 ||
           (e->closed_ns > 0 && e->closed_ns <= signal_ns && e->c.touched_ns <= e->closed_ns);
}

/* Has nothing changed for long enough? By our own eyes, since clocks of networks' file systems
 * differ; at first by its date. */
static bool is_still(const struct checkpoint_watch *w, const struct watched *e)
{
    double settle_s = w->options.rules.settle_s;

    return w->ended || (double)(w->now_ns - e->still_ns) >= settle_s * (double)SECOND ||
           (!w->begun && checkpoint_whole(&e->c, settle_s, w->now_ns));
}

static void look_again(struct checkpoint_watch *w, struct watched *e)
{
    struct checkpoint c = e->c;
    bool same, written;

    if (!look_at(w, e, &c, false)) {
        w->changed = true;
        return;
    }
    same = c.touched_ns == e->c.touched_ns && c.bytes == e->c.bytes && c.files == e->c.files;
    written = !e->looked || c.written_ns != e->c.written_ns;
    if (!same) {
        e->settled = false;
        e->still_ns = w->now_ns;
    }
    if (written && (e->saved || (e->was_there && e->first_ns == 0))) {
        e->last_ns = e->c.written_ns;
        e->first_ns = 0;
        e->saved = false;
    }
    e->c = c;
    if (written)
        see_write(w, e);
    e->looked = true;
    e->next_ns = w->now_ns + c.files * SECOND / FILES_A_SECOND;
    if (e->settled || !is_still(w, e))
        return;
    (void)look_at(w, e, &e->c, true);
    /* Who fails by itself closes what it was about to write. */
    e->unsure = w->ended && !w->clean && !is_finished(w, e);
    if (e->c.doubt != NULL || isnan(e->c.bytes) ||
        (e->unsure && (e->closed_ns == 0 || w->signal_ns != INT64_MAX)))
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
    *w = (struct checkpoint_watch){.options = *options, .alloc = alloc, .inotify = -1};
    w->before_ns = -1;
    w->signal_ns = INT64_MAX;
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
    for (struct watched *e = w->first; e != NULL; e = e->next)
        ask_again(w, e);
    w->begun = true;
    if (w->due && w->options.prune)
        watch_prune(w);
    w->due = false;
    if (w->trash != NULL)
        watch_clear(w, CLEAR_FILES);
    w->before_ns = now_ns;
}

void checkpoint_watch_signal(struct checkpoint_watch *w, int64_t now_ns)
{
    if (w->signal_ns != INT64_MAX)
        return;
    w->now_ns = w->signal_ns = now_ns;
    watch_read_events(w);
}

void checkpoint_watch_end(struct checkpoint_watch *w, int64_t now_ns, bool clean)
{
    w->ended = w->due = true;
    w->clean = clean;
    w->changed = true;
    checkpoint_watch_look(w, now_ns);
    if (w->changed) /* what was pruned is not there any more */
        read_names(w);
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

double checkpoint_watch_bytes(const struct checkpoint_watch *w)
{
    double sum = 0;

    for (const struct watched *e = w->first; e != NULL; e = e->next)
        sum += e->c.bytes; /* unknown when one is */
    return sum;
}

struct str checkpoint_watch_best(const struct checkpoint_watch *w)
{
    const struct watched *best = NULL;

    for (const struct watched *e = w->first; e != NULL; e = e->next) {
        struct checkpoint c = watched_view(e), other;

        if (w->options.rules.metric.len == 0 || !e->settled || !c.ours || isnan(c.metric))
            continue;
        other = best != NULL ? watched_view(best) : c;
        /* Of equals the newest, as the rules have it. */
        if (best == NULL || !checkpoint_as_good(&other, &c, &w->options.rules) ||
            (checkpoint_as_good(&c, &other, &w->options.rules) &&
             c.changed_ns > other.changed_ns))
            best = e;
    }
    return best != NULL ? best->c.name : (struct str){0};
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
