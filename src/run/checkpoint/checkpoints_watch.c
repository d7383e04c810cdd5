/* A folder of checkpoints watched while a program writes to it.
 *
 * While nothing changes a look costs one stat() and one read() of inotify's queue, and now and
 * then a glance at one checkpoint for changes deeper in it. One that is being written is walked
 * through each second, or less often when it has so many files that this would cost. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "run/checkpoint/checkpoints_internal.h"

/* ---- the watch ---- */

struct watched {
    struct checkpoint c;
    char name[NAME_MAX + 1];
    int64_t still_ns; /* since when it looks the same */
    int64_t next_ns;  /* when to look again */
    int64_t first_ns; /* date of the first write of this save that is known of */
    int64_t last_ns;  /* date of the last write of the save before it; 0: none */
    bool settled, listed;
    bool was_there; /* at the first look */
    bool folder;
    bool modified; /* an event reported a write, or another file in its place */
    bool looked;   /* at least once */
    bool saved;    /* was complete: what is written now is another save */
    bool mine;     /* written since the run began */
    bool unsure;   /* complete as far as is known after a failure: nothing is removed for it */
    bool again;    /* this run wrote it before: which of the lines is its own is not known */
    int64_t closed_ns; /* its writer closed it, or renamed it to its name; 0: not so */
    struct checkpoint_label label;
    struct watched *next;
};

/* What names that were removed said of the ways to read a series. */
struct series_past {
    uint64_t series;
    unsigned missing; /* bits: not every one had a line */
    unsigned apart;   /* bits: not every number followed what was printed */
    struct series_past *next;
};

struct trash {
    char name[NAME_MAX + 1];
    struct trash *next;
};

struct checkpoint_watch {
    struct checkpoint_watch_options options;
    const struct alloc *alloc;
    struct watched *first;
    struct trash *trash;
    struct series_past *past;
    size_t count, removed;
    int inotify;       /* -1: none, or none yet */
    bool changed;      /* the list of names must be read again */
    bool begun, due;   /* the first look is over; pruning is due */
    bool ended, clean; /* the program ended; and well */
    bool all_read;     /* and no line of it can come any more */
    int64_t signal_ns; /* something was ended by a signal; INT64_MAX: not yet */
    bool unranked_reported;
    bool lossy;                /* lines were left unread */
    unsigned restarted;        /* bits: ways whose counter went back */
    struct timespec mtime;     /* of the folder */
    uint64_t inode;            /* likewise: another may take its place */
    int64_t glance_ns;         /* when to glance again */
    int64_t now_ns, before_ns; /* of this look and the one before; -1 */
    int64_t saving_ns;         /* until when writes were reported */
};

static struct watched *watch_add_name(struct checkpoint_watch *w, const char *name);
static struct checkpoint watched_view(const struct watched *e);

/* How a watch learns of changes: inotify where it works, the date of the folder everywhere. */

/* The one of this name; NULL. */
static struct watched *watched_find(const struct checkpoint_watch *w, struct str name)
{
    struct watched *e = w->first;

    while (e != NULL && !str_eq(e->c.name, name))
        e = e->next;
    return e;
}

static void touch_name(const struct checkpoint_watch *w, struct watched *e)
{
    e->settled = false;
    e->still_ns = e->next_ns = w->now_ns;
}

/* An event names what it is about; others than checkpoints (a log) are no reason to look. */
static void see_event(struct checkpoint_watch *w, const struct inotify_event *event)
{
    struct watched *e;
    bool finished;

    if ((event->mask & (IN_Q_OVERFLOW | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                        IN_IGNORED)) != 0)
        w->changed = true;
    if ((event->mask & IN_IGNORED) != 0) { /* the folder itself is gone */
        (void)close(w->inotify);
        w->inotify = -1;
    }
    if (event->len == 0 || (event->mask & (IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO)) == 0)
        return;
    e = watched_find(w, str_from(event->name));
    finished = (event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) != 0;
    if (e == NULL && finished)
        e = watch_add_name(w, event->name);
    if (e == NULL)
        return;
    touch_name(w, e);
    e->modified |= (event->mask & (IN_MODIFY | IN_MOVED_TO)) != 0;
    e->closed_ns = finished ? w->now_ns : 0;
}

/* Is the folder there? Notes whether its names, or one of those known, have changed. */
static void watch_read_events(struct checkpoint_watch *w)
{
    _Alignas(struct inotify_event) char room[4096];

    while (w->inotify >= 0) {
        ssize_t len = read(w->inotify, room, sizeof room);

        if (len <= 0)
            return;
        for (ssize_t at = 0; at < len && w->inotify >= 0;) {
            const struct inotify_event *event =
                (const struct inotify_event *)(const void *)(room + at);

            at += (ssize_t)(sizeof *event + event->len);
            see_event(w, event);
        }
    }
}

static void begin_events(struct checkpoint_watch *w)
{
    w->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->inotify >= 0 &&
        inotify_add_watch(w->inotify, w->options.folder,
                          IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                              IN_MOVED_TO | IN_ONLYDIR) < 0) {
        (void)close(w->inotify); /* dates show it too, if later */
        w->inotify = -1;
    }
}

/* Networks' file systems report changes by the folder's date only. */
static bool watch_folder(struct checkpoint_watch *w)
{
    struct stat st;

    if (stat(w->options.folder, &st) != 0 || !S_ISDIR(st.st_mode)) {
        w->changed = w->changed || w->inode != 0;
        w->inode = 0;
        return false;
    }
    if ((uint64_t)st.st_ino != w->inode) {
        if (w->inotify >= 0)
            (void)close(w->inotify);
        begin_events(w);
        w->changed = true;
    }
    if (st.st_mtim.tv_sec != w->mtime.tv_sec || st.st_mtim.tv_nsec != w->mtime.tv_nsec)
        w->changed = true;
    w->inode = (uint64_t)st.st_ino;
    w->mtime = st.st_mtim;
    return true;
}

/* Pruning during a run: the folder is looked at afresh, and what goes is out of sight at once
 * and removed bit by bit, so that nothing waits for it. */

static void watch_failed(struct checkpoint_watch *w, const struct error *err)
{
    if (w->options.failed != NULL)
        w->options.failed(w->options.ctx, err);
}

/* Remember what is out of sight; remove up to so many files of it. */
static void watch_trash(struct checkpoint_watch *w, const char *name)
{
    struct trash *t = w->alloc->get(w->alloc->ctx, sizeof *t);

    if (t == NULL) /* the next sweep finds it */
        return;
    memcpy(t->name, name, strlen(name) + 1);
    t->next = w->trash;
    w->trash = t;
}

static void watch_clear(struct checkpoint_watch *w, int64_t budget)
{
    struct error err = {0};
    struct stat st;
    int folder = w->trash != NULL ? checkpoint_folder(w->options.folder, &st, &err) : -1;

    while (folder >= 0 && w->trash != NULL && budget > 0) {
        struct trash *t = w->trash;
        bool ok = checkpoint_clear(folder, t->name, &budget, &err);

        if (ok && budget <= 0 && fstatat(folder, t->name, &st, AT_SYMLINK_NOFOLLOW) == 0)
            break; /* more of it is left */
        if (!ok)
            watch_failed(w, &err);
        w->trash = t->next;
        w->alloc->put(w->alloc->ctx, t);
    }
    if (folder >= 0)
        (void)close(folder);
}

/* ---- which line belongs to which name ---- */

static struct series_past *past_of(const struct checkpoint_watch *w, uint64_t series)
{
    struct series_past *p = w->past;

    while (p != NULL && p->series != series)
        p = p->next;
    return p;
}

/* A name that goes still counts for how its series is read. */
static void remember_removed(struct checkpoint_watch *w, const struct checkpoint *c)
{
    const struct watched *e = watched_find(w, c->name);
    struct series_past *p = past_of(w, c->series);

    if (e == NULL || !e->mine)
        return;
    if (p == NULL) {
        p = w->alloc->get(w->alloc->ctx, sizeof *p);
        if (p == NULL)
            return;
        *p = (struct series_past){.series = c->series, .next = w->past};
        w->past = p;
    }
    p->missing |= ~e->label.seen;
    p->apart |= ~e->label.near;
}

/* The ways in which every name of a series has a line, as bits; where there is none, all in
 * which any has. Names whose line may still come do not count against a way. */
static unsigned readings_of(const struct checkpoint_watch *w, uint64_t series)
{
    const struct series_past *past = past_of(w, series);
    unsigned missing = past != NULL ? past->missing : 0, matched = 0, all;

    for (const struct watched *e = w->first; e != NULL; e = e->next) {
        if (e->c.series != series || !e->mine)
            continue;
        matched |= e->label.seen;
        missing |= ~e->label.seen & ~(w->all_read ? 0 : e->label.pending);
    }
    all = matched & ~missing;
    return all != 0 && !w->lossy ? all : matched;
}

/* The metric of one that was written in this run, read in the way of this number; NaN. */
static double reading_of(const struct watched *e, unsigned way)
{
    return e->again ? (double)NAN : e->label.reading[way];
}

/* The metric that all ways agree on; NaN. */
static double agreed_metric(const struct checkpoint_watch *w, const struct watched *e)
{
    unsigned ways = readings_of(w, e->c.series);
    double found = NAN;
    bool any = false;

    for (unsigned i = 0; i < CHECKPOINT_READINGS; i++) {
        double value = reading_of(e, i);

        if ((ways >> i & 1) == 0)
            continue;
        if (isnan(value) || (any && value != found))
            return NAN;
        found = value;
        any = true;
    }
    return found;
}

/* Number `turn` of the ways to read this series; the last one again when there are fewer. */
static int watch_way_of(unsigned ways, unsigned turn)
{
    int found = -1;

    for (unsigned i = 0; i < CHECKPOINT_READINGS; i++)
        if ((ways >> i & 1) != 0) {
            found = (int)i;
            if (turn-- == 0)
                break;
        }
    return found;
}

/* Did the run print the numbers of this series as its steps or epochs, each time when it saved,
 * and in the same way? Two at least: one may be so by chance. Models of several trainings are
 * numbered, too, and each training counts from the beginning. */
static bool is_printed(const struct checkpoint_watch *w, uint64_t series)
{
    const struct series_past *past = past_of(w, series);
    double first = NAN;
    bool several = past != NULL;
    unsigned near = ~w->restarted & ~(past != NULL ? past->apart : 0);

    for (const struct watched *e = w->first; e != NULL; e = e->next) {
        if (e->c.series != series || !e->mine)
            continue;
        near &= e->label.near;
        if (near == 0)
            return false;
        several |= !isnan(first) && e->c.step != first;
        first = e->c.step;
    }
    return several;
}

/* ---- what is removed ---- */

/* Out of sight, and out of the list. */
static void hide_old_checkpoint(struct checkpoint_watch *w, int folder,
                                const struct checkpoint *c)
{
    char hidden[NAME_MAX + 1];
    struct error err = {0};

    if (!checkpoint_hide(folder, c->name, hidden, &err)) {
        watch_failed(w, &err);
        return;
    }
    watch_trash(w, hidden);
    remember_removed(w, c);
    w->changed = true;
    w->removed++;
    if (w->options.removed != NULL)
        w->options.removed(w->options.ctx, c);
}

/* What is known of those that are listed; what is not complete for the watch stays. */
static void add_known(struct checkpoint_watch *w, struct checkpoint *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct watched *e = watched_find(w, list[i].name);
        struct checkpoint known;

        list[i].printed = list[i].series != 0 && is_printed(w, list[i].series);
        if (e == NULL || !e->settled || e->c.touched_ns != list[i].touched_ns) {
            list[i].doubt = list[i].doubt != NULL ? list[i].doubt : "being written";
            continue;
        }
        known = watched_view(e);
        list[i].cost = known.cost;
        list[i].took_s = known.took_s;
        list[i].ours = known.ours;
        if (e->unsure)
            list[i].doubt = "may be unfinished";
        else if (w->options.rules.metric.len > 0 && isnan(e->c.metric) && !e->label.final)
            list[i].doubt = "its metric may still change";
    }
}

/* The metric of each, read in another way at each turn. False when there are no more ways. */
static bool set_metrics(const struct checkpoint_watch *w, struct checkpoint *list, size_t count,
                        unsigned turn)
{
    bool more = turn == 0;

    for (size_t i = 0; i < count; i++) {
        const struct watched *e = watched_find(w, list[i].name);
        unsigned ways;
        int way;

        if (e == NULL || !isnan(e->c.metric)) /* by its name or its own files */
            continue;
        if (!e->mine) { /* an earlier attempt's, as the ledger has it */
            list[i].metric = e->label.metric;
            continue;
        }
        ways = readings_of(w, e->c.series);
        way = watch_way_of(ways, turn);
        more |= (unsigned)__builtin_popcount(ways) > turn;
        list[i].metric = way >= 0 ? reading_of(e, (unsigned)way) : (double)NAN;
    }
    return more;
}

/* Decide for each way to read the metrics, and let go only what none of them keeps. How many
 * cannot be ranked in one of them. */
static void decide_all(const struct checkpoint_watch *w, struct checkpoint *list, size_t count,
                       bool *going, bool *unranked)
{
    struct checkpoint_rules rules = w->options.rules;

    /* The watch has seen them settle; clocks of file servers may run ahead of ours. */
    rules.settle_s = -INFINITY;
    for (size_t i = 0; i < count; i++)
        going[i] = true;
    for (unsigned turn = 0; set_metrics(w, list, count, turn); turn++) {
        checkpoints_decide(list, count, &rules, w->now_ns);
        for (size_t i = 0; i < count; i++) {
            going[i] &= !list[i].keep;
            unranked[i] |= rules.metric.len > 0 && isnan(list[i].rated);
        }
    }
}

/* One that the rules are about. */
static bool is_ruled(const struct checkpoint_watch *w, const struct checkpoint *c)
{
    return c->doubt == NULL && (c->ours || !w->options.rules.ours_only);
}

/* Are there more than the rules keep that cannot be ranked? Before the end only when none
 * can. */
static void warn_unranked(struct checkpoint_watch *w, const struct checkpoint *list,
                          size_t count, const bool *unranked)
{
    size_t keep = w->options.rules.keep > 1 ? (size_t)w->options.rules.keep : 1;
    size_t lost = 0, all = 0;

    for (size_t i = 0; i < count; i++)
        if (is_ruled(w, &list[i]) && list[i].series != 0 &&
            (list[i].layout || list[i].printed)) {
            all++;
            lost += unranked[i];
        }
    if (w->unranked_reported || w->options.unranked == NULL || lost <= keep ||
        (lost < all && !w->ended))
        return;
    w->unranked_reported = true;
    w->options.unranked(w->options.ctx, lost, all);
}

/* At the end: what had no number that is known to be a step, or is not complete. */
static void warn_stepless(struct checkpoint_watch *w, const struct checkpoint *list,
                          size_t count)
{
    size_t keep = w->options.rules.keep > 1 ? (size_t)w->options.rules.keep : 1;
    size_t stepless = 0, doubted = 0, steps = w->removed;
    const struct checkpoint *doubtful = NULL;
    struct str example = {0};

    for (size_t i = 0; i < count; i++) {
        if (list[i].doubt != NULL && list[i].touched_ns > w->options.since_ns)
            doubtful = doubted++ == 0 ? &list[i] : doubtful;
        if (!is_ruled(w, &list[i]))
            continue;
        if (list[i].series != 0 && (list[i].layout || list[i].printed)) {
            steps++;
            continue;
        }
        example = stepless++ == 0 ? list[i].name : example;
    }
    if (!w->ended)
        return;
    if (stepless == 0 && steps == 0 && doubted > 0 && w->options.incomplete != NULL)
        w->options.incomplete(w->options.ctx, doubted, doubtful);
    else if (w->options.stepless != NULL && (stepless > keep || steps == 0))
        w->options.stepless(w->options.ctx, stepless, example);
}

/* Look at the folder afresh, and move what the rules let go out of sight. */
static void watch_prune(struct checkpoint_watch *w)
{
    struct arena scratch = {.alloc = w->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct checkpoint *list;
    bool *going = NULL, *unranked = NULL;
    struct error err = {0};
    struct stat st;
    size_t count;
    int folder = -1;

    if (checkpoints_scan(w->options.folder, w->options.rules.metric, &scratch, &list, &count,
                         &err) &&
        (going = arena_array(&scratch, bool, count + 1, &err)) != NULL &&
        (unranked = arena_array(&scratch, bool, count + 1, &err)) != NULL) {
        add_known(w, list, count);
        decide_all(w, list, count, going, unranked);
        warn_unranked(w, list, count, unranked);
        warn_stepless(w, list, count);
        folder = checkpoint_folder(w->options.folder, &st, &err);
        for (size_t i = 0; folder >= 0 && i < count; i++)
            if (going[i])
                hide_old_checkpoint(w, folder, &list[i]);
    } else {
        watch_failed(w, &err);
    }
    if (folder >= 0)
        (void)close(folder);
    arena_free(&scratch);
}

/* ---- the list of checkpoints ---- */

#define FILES_A_SECOND 500   /* that may be looked at, on average */
#define GLANCED_A_SECOND 100 /* likewise of those that are complete */
#define GLANCE_S 10          /* between glances at those that are complete */
#define SAVING_S 3           /* since its last change: it is not being written any more */
#define DOUBT_S 15           /* between looks at one that stays unfinished */
#define CLEAR_FILES 256      /* removed at each look */
#define COARSE_S 2           /* dates of some file systems are so coarse */

static const struct checkpoint_label unknown_label = {.begun = {-1},
                                                      .written = {-1},
                                                      .step = NAN,
                                                      .metric = NAN,
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

/* Look for a name that an event reported: add it when it is a checkpoint's. */
static struct watched *watch_add_name(struct checkpoint_watch *w, const char *name)
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

static void read_watched_names(struct checkpoint_watch *w)
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

static bool look_at_checkpoint(struct checkpoint_watch *w, const struct watched *e,
                               struct checkpoint *c, bool deep)
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
    c->trainer_best = (struct str){0};
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

/* When the next save of its series began; or never. */
static instant next_save(const struct checkpoint_watch *w, const struct watched *e)
{
    instant until = {INT64_MAX};

    for (const struct watched *o = w->first; o != NULL; o = o->next)
        if (o != e && e->c.series != 0 && o->c.series == e->c.series && o->mine &&
            o->c.step != e->c.step && o->label.begun.ns > e->label.written.ns &&
            o->label.begun.ns < until.ns)
            until = o->label.begun;
    return until;
}

/* What it holds, as far as it is known now. */
static void ask_label(struct checkpoint_watch *w, struct watched *e, bool rewritten)
{
    if (rewritten) {
        e->label = unknown_label;
        for (int i = 0; i < CHECKPOINT_READINGS; i++)
            e->label.reading[i] = NAN;
        e->label.final = w->options.dated == NULL;
        if (w->options.dated != NULL)
            w->options.dated(w->options.ctx, &e->c, e->first_ns, w->before_ns, &e->label);
    }
    if (w->options.label != NULL) {
        w->lossy |= !w->options.label(w->options.ctx, &e->c, next_save(w, e), &e->label);
        w->restarted |= e->label.restarted;
        e->label.metric = agreed_metric(w, e);
    }
    e->label.final |= w->ended || w->options.label == NULL;
}

/* As it is known to the watch: with the metric and the cost of its label. */
static struct checkpoint watched_view(const struct watched *e)
{
    struct checkpoint c = e->c;

    if (isnan(c.metric)) /* what its name or its own files say comes first */
        c.metric = e->label.metric;
    c.cost = e->label.cost;
    return c;
}

static void report_settled(struct checkpoint_watch *w, const struct watched *e)
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

    if (!e->mine || (was.final && !w->ended))
        return;
    ask_label(w, e, false);
    same = (was.metric == e->label.metric || (isnan(was.metric) && isnan(e->label.metric))) &&
           (was.step == e->label.step || (isnan(was.step) && isnan(e->label.step)));
    if (e->settled && !same)
        report_settled(w, e);
    w->due |= e->settled && e->label.final;
}

/* It was written: how long, and what does it hold now? */
static void see_watched_write(struct checkpoint_watch *w, struct watched *e)
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

/* ---- is it complete? ---- */

static void settle_watched(struct checkpoint_watch *w, struct watched *e)
{
    struct checkpoint *c = &e->c;

    e->settled = true;
    c->writing = false;
    if (e->mine) {
        c->took_s = c->changed_ns > e->first_ns
                        ? (double)(c->changed_ns - e->first_ns) / (double)SECOND
                        : 0;
        w->due = true;
        report_settled(w, e);
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

static void look_at_watched_again(struct checkpoint_watch *w, struct watched *e)
{
    struct checkpoint c = e->c;
    bool same, written;

    if (!look_at_checkpoint(w, e, &c, false)) {
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
        e->again |= e->saved && e->mine;
        e->last_ns = e->c.written_ns;
        e->first_ns = 0;
        e->saved = false;
    }
    e->c = c;
    if (written)
        see_watched_write(w, e);
    e->looked = true;
    e->next_ns = w->now_ns + c.files * SECOND / FILES_A_SECOND;
    if (e->settled || !is_still(w, e))
        return;
    (void)look_at_checkpoint(w, e, &e->c, true);
    /* Who fails by itself closes what it was about to write. */
    e->unsure = w->ended && !w->clean && !is_finished(w, e);
    if (e->c.doubt != NULL || isnan(e->c.bytes) ||
        (e->unsure && (e->closed_ns == 0 || w->signal_ns != INT64_MAX)))
        e->next_ns = w->now_ns + DOUBT_S * SECOND;
    else
        settle_watched(w, e);
}

/* At those that are complete one after the other, for changes that only their own files show.
 */
static void glance_at(struct checkpoint_watch *w)
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
    look_at_watched_again(w, oldest);
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
        read_watched_names(w);
    for (struct watched *e = w->first; e != NULL; e = e->next)
        if (!e->settled && (e->next_ns <= now_ns || w->ended))
            look_at_watched_again(w, e);
    if (w->changed) /* one was gone when it was looked at */
        read_watched_names(w);
    glance_at(w);
    for (struct watched *e = w->first; e != NULL; e = e->next)
        ask_again(w, e);
    for (struct watched *e = w->first; w->ended && e != NULL; e = e->next)
        ask_again(w, e); /* all lines are known now: ways to read them may have dropped out */
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

void checkpoint_watch_end(struct checkpoint_watch *w, int64_t now_ns, bool clean, bool all_read)
{
    w->ended = w->due = true;
    w->clean = clean;
    w->all_read = all_read;
    w->changed = true;
    checkpoint_watch_look(w, now_ns);
    if (w->changed) /* what was pruned is not there any more */
        read_watched_names(w);
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
    while (w->past != NULL) {
        struct series_past *p = w->past;

        w->past = p->next;
        w->alloc->put(w->alloc->ctx, p);
    }
    if (w->inotify >= 0)
        (void)close(w->inotify);
    w->alloc->put(w->alloc->ctx, w);
}
