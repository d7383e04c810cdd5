/* save_watch.h - files that the processes of a run are writing: is a save under way, and how
 * long did the ones before take?
 *
 * Seen from outside, in the open descriptors of the tree. A file that is called as checkpoints
 * are, or lies in the folder of checkpoints, is a save; any other that grows quickly is taken
 * for one only while the run is being ended. */
#ifndef RUN_CHECKPOINT_SAVE_WATCH_H
#define RUN_CHECKPOINT_SAVE_WATCH_H

#include "base/str.h"
#include "meter/tree.h"

#define SAVE_FILES 64        /* that are followed at once */
#define SAVE_LEAST_BYTES 1e6 /* a smaller file says nothing about the next save */

/* A file that a process of the tree has open for writing. */
struct save_sight {
    uint64_t device, inode;
    double size;
    int64_t born_ns;    /* on the clock of files; -1 unknown */
    int64_t changed_ns; /* its last write */
    bool like_save;     /* by its name or its place */
    bool closed;        /* it was open at the last look; sizes and times are its last */
};

struct save_file {
    struct save_sight sight;
    double first_size;
    int64_t began_ns;
    bool open;       /* at the last look */
    bool closed_now; /* at the last look, and open at the one before */
    char path[256];  /* empty: not known */
    bool grew;       /* quickly, between the last two looks */
};

struct save_seen {
    double seconds, bytes;
};

struct save_watch {
    struct save_file at[SAVE_FILES];
    size_t count;
    int64_t looked_ns; /* at the last look; 0: never */
    bool under_way;    /* the files below belong to one save */
    int64_t began_ns, ended_ns;
    double bytes;
    double write_rate; /* of the last large file, bytes a second; 0: none seen */
};

/* What was seen at `now_ns`. True when a save has ended: `*out` says what it took. Pure. */
bool save_watch_see(struct save_watch *watch, const struct save_sight *sights, size_t count,
                    int64_t now_ns, struct save_seen *out);

/* Is something being saved? `ending`: any file that grows quickly counts. */
bool save_watch_saving(const struct save_watch *watch, bool ending);

/* Is it a path that checkpoints have? `folder` of checkpoints may be NULL. */
bool save_path_like(const char *path, const char *folder);

/* Look at the descriptors of the tree's processes, then as save_watch_see(). */
bool save_watch_look(struct save_watch *watch, const struct tree *tree, const char *folder,
                     int64_t now_ns, struct save_seen *out);

/* Is a process of the run writing a checkpoint out to the disk?
 *
 * What a program writes is in memory at first. fsync() and similar calls wait until it is on
 * the disk, for as long as the writing took or longer, and change no date of a file: what the
 * threads of the run wait for shows it. */
enum sync_kind {
    SYNC_NONE,
    SYNC_OTHER, /* a thread waits for a disk: whether for a checkpoint is not known */
    SYNC_FILE,  /* a thread waits for a file in the folder, or for the folder itself */
};

struct sync_seen {
    enum sync_kind kind;
    int64_t written_ns; /* SYNC_FILE: its last write, on the clock of files */
};

/* `folder`: an absolute path without links. */
void sync_watch_look(const struct tree *tree, const char *folder, struct sync_seen *out);

/* What /proc/PID/task/TID/syscall says: does the thread wait until something is on the disk?
 * `fd` is the descriptor that it waits for; -1: none, or not known. Pure. */
bool sync_call(struct str line, int *fd);

#endif
