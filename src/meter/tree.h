/* tree.h - the processes of a run: those that descend from one, and those it left behind.
 *
 * The supervisor is a subreaper, so that a child whose parent ended becomes its own: every
 * descendant that is alive is found below it in /proc. What ended is known from wait4(): its
 * processor time is in getrusage(RUSAGE_CHILDREN) of the supervisor. A cgroup of the run's own,
 * where one may be made, counts even what nobody waited for.
 */
#ifndef METER_TREE_H
#define METER_TREE_H

#include <sys/types.h>

#include "base/arena.h"
#include "meter/sample.h"

struct tree;

/* `top` is the supervisor (its descendants are the tree, itself not), 0: every process. `root`
 * is put before "/proc" and "/sys". `cgroup`: see cgroup.h; NULL: none. */
struct tree *tree_open(pid_t top, const char *cgroup, const char *root,
                       const struct alloc *alloc, struct error *err) MUST_USE;
void tree_close(struct tree *tree);

/* Find who lives now, and what they have used. */
void tree_read(struct tree *tree, struct tree_sample *out);

/* Was this process in the tree at the last tree_read()? */
bool tree_has(const struct tree *tree, pid_t pid);

/* The processes of the last tree_read(), parents before children. */
size_t tree_members(const struct tree *tree, const pid_t **out);

/* Does the process handle this signal itself (SigCgt in /proc/PID/status)? */
bool tree_catches(const struct tree *tree, pid_t pid, int number);

#endif
