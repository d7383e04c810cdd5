/* checkpoints_watch.h - the state of a watch, shared by the files that keep it. */
#ifndef RUN_CHECKPOINT_CHECKPOINTS_WATCH_H
#define RUN_CHECKPOINT_CHECKPOINTS_WATCH_H

#include "run/checkpoint/checkpoints_internal.h"

#define SECOND INT64_C(1000000000)

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
    bool modified; /* an event told of a write, or of another file in its place */
    bool looked;   /* at least once */
    bool saved;    /* was whole: what is written now is another save */
    bool mine;     /* written since the run began */
    bool unsure;   /* whole as far as can be told after a failure: nothing goes for its sake */
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
    bool unranked_said;
    struct timespec mtime;     /* of the folder */
    uint64_t inode;            /* likewise: another may take its place */
    int64_t glance_ns;         /* when to glance again */
    int64_t now_ns, before_ns; /* of this look and the one before; -1 */
    int64_t saving_ns;         /* until when writes were told */
};

/* As it is known to the watch: with the metric and the cost of its label. */
struct checkpoint watched_view(const struct watched *e);

/* The one of this name; NULL. */
struct watched *watched_find(struct checkpoint_watch *w, struct str name);

/* Look for a name that an event told of: add it when it is a checkpoint's. */
struct watched *watch_add_name(struct checkpoint_watch *w, const char *name);

/* Is the folder there? Notes whether its names, or one of those known, have changed. */
bool watch_folder(struct checkpoint_watch *w);
void watch_read_events(struct checkpoint_watch *w);

/* Look at the folder afresh, and move what the rules let go out of sight. */
void watch_prune(struct checkpoint_watch *w);

/* Remember what is out of sight; remove up to so many files of it. */
void watch_trash(struct checkpoint_watch *w, const char *name);
void watch_clear(struct checkpoint_watch *w, int64_t budget);

#endif
