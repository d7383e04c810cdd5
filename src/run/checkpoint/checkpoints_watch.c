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

/* ---- removing: never through a link, never out of the folder or its file system ---- */

#define DEPTH_MOST 64
#define NAME_KEPT 200 /* bytes of the name that the hidden one shows */

/* Rename, unless there is one of the new name: EEXIST. Not every file system does it at
 * once. */
static bool rename_to_new(int folder, const char *from, const char *to)
{
    struct stat st;

    if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    if (fstatat(folder, to, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return false;
    }
    return renameat(folder, from, folder, to) == 0;
}

/* The name of something directly in the folder. */
static bool is_plain(struct str name)
{
    return name.len > 0 && name.len <= NAME_MAX && name.at[0] != '.' &&
           memchr(name.at, '/', name.len) == NULL && memchr(name.at, '\0', name.len) == NULL;
}

/* Move it out of sight; then remove up to `*budget` files of what was. Both return false after
 * setting the error; checkpoint_clear() returns true with a budget of 0 when more is left. */
static bool checkpoint_hide(int folder, struct str name, char hidden[static NAME_MAX + 1],
                            struct error *err)
{
    char from[NAME_MAX + 1];
    struct stat st, here;

    if (!is_plain(name))
        return error_fail(err, ERROR_INPUT, "'%.*s' is not the name of a checkpoint",
                          STR_ARG(name));
    memcpy(from, name.at, name.len);
    from[name.len] = '\0';
    if (fstatat(folder, from, &st, AT_SYMLINK_NOFOLLOW) != 0 || fstat(folder, &here) != 0) {
        error_system(err, errno, "cannot remove '%s'", from);
        if (errno == ENOENT)
            err->kind = ERROR_ABSENT;
        return false;
    }
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return error_fail(err, ERROR_INPUT, "'%s' is a link or a device: it is left alone",
                          from);
    if (st.st_dev != here.st_dev)
        return error_fail(err, ERROR_INPUT, "'%s' is on another file system: it is left alone",
                          from);
    for (int i = 0; i < 1000; i++) {
        (void)snprintf(hidden, NAME_MAX + 1, CHECKPOINT_TRASH "%d-%.*s", i, NAME_KEPT, from);
        if (rename_to_new(folder, from, hidden))
            return true;
        if (errno != EEXIST)
            break;
    }
    error_system(err, errno, "cannot remove '%s'", from);
    return false;
}

static bool clear_folder(int folder, const char *name, int64_t *budget, unsigned depth,
                         struct error *err);

/* Remove one entry, which may be a folder. */
static bool clear_entry(int folder, const char *name, int64_t *budget, unsigned depth,
                        struct error *err)
{
    if (*budget <= 0)
        return true;
    if (unlinkat(folder, name, 0) == 0 || errno == ENOENT) {
        --*budget;
        return true;
    }
    if (errno == EISDIR)
        return clear_folder(folder, name, budget, depth, err);
    error_system(err, errno, "cannot remove '%s'", name);
    return false;
}

static bool clear_list(int fd, int64_t *budget, unsigned depth, struct error *err)
{
    DIR *list = checkpoint_list(fd);
    bool ok = true;

    if (list == NULL) {
        error_system(err, errno, "cannot read the checkpoint being removed");
        return false;
    }
    while (ok && *budget > 0) {
        const struct dirent *entry = readdir(list);

        if (entry == NULL)
            break;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            ok = clear_entry(fd, entry->d_name, budget, depth + 1, err);
    }
    (void)closedir(list);
    return ok;
}

static bool clear_folder(int folder, const char *name, int64_t *budget, unsigned depth,
                         struct error *err)
{
    struct stat above, st;
    int fd;
    bool ok;

    if (depth > DEPTH_MOST)
        return error_fail(err, ERROR_FAILED, "'%s' is too deep to be removed", name);
    fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(folder, &above) != 0 || fstat(fd, &st) != 0) {
        error_system(err, errno, "cannot remove '%s'", name);
        if (fd >= 0)
            (void)close(fd);
        return false;
    }
    ok = st.st_dev == above.st_dev ||
         error_fail(err, ERROR_FAILED, "'%s' is on another file system", name);
    ok = ok && clear_list(fd, budget, depth, err);
    (void)close(fd);
    if (!ok || *budget <= 0)
        return ok;
    --*budget;
    if (unlinkat(folder, name, AT_REMOVEDIR) != 0 && errno != ENOENT) {
        error_system(err, errno, "cannot remove '%s'", name);
        return false;
    }
    return true;
}

static bool checkpoint_clear(int folder, const char *hidden, int64_t *budget, struct error *err)
{
    return clear_entry(folder, hidden, budget, 0, err);
}

bool checkpoint_remove(const char *folder, struct str name, struct error *err)
{
    char hidden[NAME_MAX + 1];
    int64_t budget = INT64_MAX;
    struct stat st;
    int fd = checkpoint_folder(folder, &st, err);
    bool ok;

    if (fd < 0)
        return false;
    ok = checkpoint_hide(fd, name, hidden, err);
    if (ok && !checkpoint_clear(fd, hidden, &budget, err)) {
        error_context(err, "'%.*s' is out of use, but some of it is left in '%s'",
                      STR_ARG(name), hidden);
        ok = false;
    }
    (void)close(fd);
    return ok;
}

bool checkpoints_sweep(const char *folder, size_t *count, struct error *err)
{
    struct stat st;
    int fd = checkpoint_folder(folder, &st, err);
    DIR *list = fd >= 0 ? checkpoint_list(fd) : NULL;
    bool ok = list != NULL;

    *count = 0;
    if (fd >= 0 && list == NULL)
        error_system(err, errno, "cannot read the folder '%s'", folder);
    while (list != NULL) {
        const struct dirent *entry = readdir(list);
        int64_t budget = INT64_MAX;

        if (entry == NULL)
            break;
        if (!str_starts(str_from(entry->d_name), STR(CHECKPOINT_TRASH)))
            continue;
        ++*count;
        ok = checkpoint_clear(fd, entry->d_name, &budget, err) && ok;
    }
    if (list != NULL)
        (void)closedir(list);
    if (fd >= 0)
        (void)close(fd);
    return ok;
}

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
    int64_t closed_ns; /* its writer closed it, or renamed it to its name; 0: not so */
    struct checkpoint_label label;
    struct watched *next;
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
    size_t count;
    int inotify;       /* -1: none, or none yet */
    bool changed;      /* the list of names must be read again */
    bool begun, due;   /* the first look is over; pruning is due */
    bool ended, clean; /* the program ended; and well */
    int64_t signal_ns; /* something was ended by a signal; INT64_MAX: not yet */
    bool unranked_reported;
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
static struct watched *watched_find(struct checkpoint_watch *w, struct str name)
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

/* Out of sight, and out of the list. */
static void let_go(struct checkpoint_watch *w, int folder, const struct checkpoint *c)
{
    char hidden[NAME_MAX + 1];
    struct error err = {0};

    if (!checkpoint_hide(folder, c->name, hidden, &err)) {
        watch_failed(w, &err);
        return;
    }
    watch_trash(w, hidden);
    w->changed = true;
    if (w->options.removed != NULL)
        w->options.removed(w->options.ctx, c);
}

/* Labels are known to the watch only; what is not complete for it stays. */
static void add_known(struct checkpoint_watch *w, struct checkpoint *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct watched *e = watched_find(w, list[i].name);
        struct checkpoint known;

        if (e == NULL || !e->settled || e->c.touched_ns != list[i].touched_ns) {
            list[i].doubt = list[i].doubt != NULL ? list[i].doubt : "being written";
            continue;
        }
        if (e->unsure) {
            list[i].doubt = "may be unfinished";
            continue;
        }
        if (w->options.rules.metric.len > 0 && isnan(e->c.metric) && !e->label.final) {
            list[i].doubt = "its metric may still change";
            continue;
        }
        known = watched_view(e);
        list[i].metric = known.metric;
        list[i].cost = known.cost;
        list[i].took_s = known.took_s;
        list[i].ours = known.ours;
    }
}

/* Are there more than the rules keep, and none that can be ranked? */
static void warn_unranked(struct checkpoint_watch *w, const struct checkpoint *list,
                          size_t count)
{
    size_t unranked = 0;

    for (size_t i = 0; i < count; i++) {
        const struct checkpoint *c = &list[i];

        if (c->doubt != NULL || c->series == 0 || (w->options.rules.ours_only && !c->ours))
            continue;
        if (!isnan(c->metric))
            return;
        unranked++;
    }
    if (w->options.rules.metric.len == 0 || w->unranked_reported ||
        w->options.unranked == NULL ||
        unranked <= (size_t)(w->options.rules.keep > 1 ? w->options.rules.keep : 1))
        return;
    w->unranked_reported = true;
    w->options.unranked(w->options.ctx, unranked);
}

/* Look at the folder afresh, and move what the rules let go out of sight. */
static void watch_prune(struct checkpoint_watch *w)
{
    struct arena scratch = {.alloc = w->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct checkpoint_rules rules = w->options.rules;
    struct checkpoint *list;
    struct error err = {0};
    struct stat st;
    size_t count;
    int folder = -1;

    /* The watch has seen them settle; clocks of file servers may run ahead of ours. */
    rules.settle_s = -INFINITY;
    if (checkpoints_scan(w->options.folder, rules.metric, &scratch, &list, &count, &err)) {
        add_known(w, list, count);
        checkpoints_decide(list, count, &rules, w->now_ns);
        warn_unranked(w, list, count);
        folder = checkpoint_folder(w->options.folder, &st, &err);
        for (size_t i = 0; folder >= 0 && i < count; i++)
            if (!list[i].keep)
                let_go(w, folder, &list[i]);
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

static struct checkpoint_around look_around(const struct checkpoint_watch *w,
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
    now = look_around(w, e);
    if (w->options.label != NULL)
        w->options.label(w->options.ctx, &now, &e->label);
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

    if (!e->mine || was.final)
        return;
    ask_label(w, e, false);
    same = (was.metric == e->label.metric || (isnan(was.metric) && isnan(e->label.metric))) &&
           (was.step == e->label.step || (isnan(was.step) && isnan(e->label.step)));
    if (e->settled && !same)
        report_settled(w, e);
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
    glance_at(w);
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
