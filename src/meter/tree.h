/* tree.h - the processes of a run: those that descend from one, and those it left behind.
 *
 * The supervisor is a subreaper, so that a child whose parent ended becomes its own: every
 * descendant that is alive is found below it in /proc. What ended is known from wait4(): its
 * processor time is in getrusage(RUSAGE_CHILDREN) of the supervisor. A cgroup of the run's own,
 * where one may be made, counts even what was not waited for.
 */
#ifndef METER_TREE_H
#define METER_TREE_H

#include <sys/types.h>

#include "base/arena.h"
#include "meter/cgroup.h"
#include "meter/sample.h"

struct tree;

/* `top` is the supervisor (its descendants are the tree, itself not), 0: every process. `root`
 * is put before "/proc" and "/sys"; NULL: "". `cgroup`: where the tree's processes are put
 * before they start; NULL: nowhere. It must outlive the tree. A cgroup that no process ever
 * joined is not believed. */
struct tree *tree_open(pid_t top, const struct cgroup *cgroup, const char *root,
                       const struct alloc *alloc, struct error *err) MUST_USE;
void tree_close(struct tree *tree);

/* `top` runs already, and is not this process: itself is in the tree, too, this process and
 * what it starts are not, even below `top`; what all of them used until now does not count.
 * Those whose parent ended before they were seen are not found. Once, after tree_open(); false
 * when it has ended. */
bool tree_include_top(struct tree *tree);

/* Everywhere below NULL is a tree of which nothing is known. */

/* A child of `top` that is no part of the tree, nor are its descendants (but for those it
 * leaves behind): the supervisor's own helpers. A few are remembered, the oldest forgotten. */
void tree_leave_out(struct tree *tree, pid_t pid);

/* Find who lives now, and what they have used. Called about once a second; on a machine with
 * thousands of processes, new ones are looked for every few times only. */
void tree_read(struct tree *tree, struct tree_sample *out);

/* Find who lives now, at once and thoroughly: before signals are sent to all of them. */
void tree_find(struct tree *tree);

/* Was this process in the tree at the last tree_read() or tree_find()? */
bool tree_has(const struct tree *tree, pid_t pid);

/* The processes of the last look, zombies among them: parents before children, unless it was
 * the cgroup that named them. */
size_t tree_members(const struct tree *tree, const pid_t **out);

/* Does the process handle this signal itself (SigCgt in /proc/PID/status)? */
bool tree_catches(const struct tree *tree, pid_t pid, int number);

/* Bytes of the tree's own memory, not of files that are mapped: a sum over the processes that
 * counts pages which they share several times. NaN unknown. */
double tree_anonymous(const struct tree *tree);

/* Seconds for which threads of the tree were ready to run and had no processor, so far: of
 * those that are there now, the first 4,096. */
double tree_waited(const struct tree *tree);

/* Its parent, when that is in the tree too; 0 otherwise. */
pid_t tree_parent(const struct tree *tree, pid_t pid);

#endif
