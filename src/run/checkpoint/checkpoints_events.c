/* How a watch learns of changes: inotify where it works, the date of the folder everywhere. */
#include <errno.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "run/checkpoint/checkpoints_watch.h"

struct watched *watched_find(struct checkpoint_watch *w, struct str name)
{
    struct watched *e = w->first;

    while (e != NULL && !str_eq(e->c.name, name))
        e = e->next;
    return e;
}

static void touch(const struct checkpoint_watch *w, struct watched *e)
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
    touch(w, e);
    e->modified |= (event->mask & (IN_MODIFY | IN_MOVED_TO)) != 0;
    e->closed_ns = finished ? w->now_ns : 0;
}

void watch_read_events(struct checkpoint_watch *w)
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
        (void)close(w->inotify); /* dates tell it too, if later */
        w->inotify = -1;
    }
}

/* Networks' file systems tell of changes by the folder's date only. */
bool watch_folder(struct checkpoint_watch *w)
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
