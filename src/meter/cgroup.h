/* cgroup.h - a control group of the run's own, where one may be made.
 *
 * Version 2 (also the "unified" tree of a hybrid machine), and version 1's memory, and its
 * cpuacct where there is no version 2. Asked for by trying: containers, Slurm and systemd
 * differ in what they allow. It only counts: no limit is set, nothing above it is changed, and
 * where a group would change how processors are shared out (version 1's cpu together with
 * cpuacct) none is made. */
#ifndef METER_CGROUP_H
#define METER_CGROUP_H

#include <sys/types.h>

#include "base/error.h"

#define CGROUP_PATH 512

struct cgroup {
    char v2[CGROUP_PATH];      /* the folder; empty: none */
    char cpuacct[CGROUP_PATH]; /* version 1 */
    char memory[CGROUP_PATH];
};

/* Make one below the one this process is in, called "stint-NAME". False, and nothing is left
 * behind, when none may be made: not an error. `why` (at least 160 bytes, or NULL) then says
 * why, for `stint meters`. `root` is put before "/proc" and "/sys"; NULL: "". Groups of that
 * kind that dead runs left behind, ten minutes old and empty, are removed. */
bool cgroup_make(struct cgroup *out, const char *name, const char *root, char *why);

/* A new process in it, a member before it does anything, that calls `become`, which does not
 * return and does only what is safe in a signal handler until it calls exec. One that `execs`
 * at once is not a copy of this process, as with vfork(): it shares our memory until then, and
 * we wait. A group that may not be joined is passed over: tree_read() notices. -1 with errno:
 * there is none. */
pid_t cgroup_start(const struct cgroup *group, bool execs, void (*become)(void *ctx),
                   void *ctx) MUST_USE;

/* Kill all that is in it (cgroup.kill, or one by one, at once and without waiting for their
 * end). */
void cgroup_kill(const struct cgroup *group);

/* Is no process left in it? True when there is no group. */
bool cgroup_empty(const struct cgroup *group);

/* Remove it, and what empty groups its processes left in it; retried for as long as a dying
 * process may take (0.1 s). */
void cgroup_remove(struct cgroup *group);

/* Calls `each` for every process; the tree of groups is followed a few levels down. */
void cgroup_walk(const struct cgroup *group, void (*each)(void *ctx, pid_t pid), void *ctx);

#endif
