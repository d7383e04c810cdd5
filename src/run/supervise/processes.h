/* processes.h - signals to the processes of a run. */
#ifndef RUN_SUPERVISE_PROCESSES_H
#define RUN_SUPERVISE_PROCESSES_H

#include "base/str.h"
#include "meter/tree.h"

/* Does any of those that were found last still live? */
bool processes_alive(const struct tree *tree);

/* Does any process of the tree catch it? */
bool processes_catch(const struct tree *tree, int number);

/* Is it the command line of a launcher (mpirun, srun, torchrun and their like), which passes
 * signals on to the processes it started? Words end with a 0 each, as in /proc/PID/cmdline. */
bool process_is_launcher(struct str command_line);

/* Would any process be asked by processes_ask()? */
bool processes_can_ask(const struct tree *tree, int number);

/* Ask for a checkpoint: the first process on each way down that catches the signal, and no
 * other, since those that do not catch it would die, and workers inherit handlers that only
 * their parent can use. A launcher passes it on: it is asked only when all that it started
 * catches the signal, otherwise those below it are that do. How many were asked. */
int processes_ask(const struct tree *tree, int number);

/* SIGTERM: to all on each way down until one catches it, which sees to its own; stopped ones
 * are woken to hear it. */
void processes_term(const struct tree *tree);

/* SIGKILL to all. */
void processes_kill(const struct tree *tree);

#endif
