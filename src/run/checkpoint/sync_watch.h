/* sync_watch.h - is a process of the run writing a checkpoint out to the disk?
 *
 * What a program writes is in memory at first. fsync() and its like wait until it is on the
 * disk, for as long as the writing took or longer, and change nothing that dates of files would
 * tell: it is seen in what the threads of the run wait for. */
#ifndef RUN_CHECKPOINT_SYNC_WATCH_H
#define RUN_CHECKPOINT_SYNC_WATCH_H

#include "base/str.h"
#include "meter/tree.h"

enum sync_kind {
    SYNC_NONE,
    SYNC_OTHER, /* a thread waits for a disk: whether for a checkpoint cannot be told */
    SYNC_FILE,  /* a thread waits for a file in the folder, or for the folder itself */
};

struct sync_seen {
    enum sync_kind kind;
    int64_t written_ns; /* SYNC_FILE: its last write, on the clock of files */
};

/* `folder`: an absolute path without links. */
void sync_watch_look(const struct tree *tree, const char *folder, struct sync_seen *out);

/* What /proc/PID/task/TID/syscall says: does the thread wait until something is on the disk?
 * `fd` is the descriptor that it waits for; -1: none, or not one that can be told. Pure. */
bool sync_call(struct str line, int *fd);

#endif
