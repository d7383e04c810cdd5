/* tune_child.h - a command in a process group of its own, whose output is read. */
#ifndef RUN_TUNE_TUNE_CHILD_H
#define RUN_TUNE_TUNE_CHILD_H

#include <sys/types.h>

#include "base/arena.h"

#define TUNE_MEMBERS 1024

struct tune_child {
    pid_t pid;
    int fd;         /* what it prints, both outputs; never blocks */
    int status;     /* as waitpid() has it, once it has ended */
    double largest; /* resident bytes, of the largest process that ended */
    pid_t members[TUNE_MEMBERS];
    size_t member_count;
};

/* Start it, with nothing to read. False with the error set when it cannot be run; ERROR_ABSENT
 * when there is no such program. It gets SIGTERM when this program ends. */
bool tune_child_start(struct tune_child *t, char **argv, struct error *err) MUST_USE;

/* Has it ended? Never waits. */
bool tune_child_ended(struct tune_child *t);

/* Note who is below it now: some leave the process group. */
void tune_child_find(struct tune_child *t, const struct alloc *alloc);

/* To its group, and to all who were found. */
void tune_child_signal(const struct tune_child *t, int number);

#endif
