/* cgroup.h - a control group of the run's own, where one may be made.
 *
 * Version 2 (also the "unified" tree of a hybrid machine), else version 1's cpuacct and memory.
 * Asked for by trying: containers, Slurm and systemd differ in what they allow.
 */
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
 * behind, when none may be made: not an error. */
bool cgroup_make(struct cgroup *out, const char *name, const char *root);

/* Put a process into it: by the child itself, between fork and exec (async-signal-safe). */
void cgroup_join(const struct cgroup *group);

/* Kill all that is in it (cgroup.kill, or one by one). */
void cgroup_kill(const struct cgroup *group);

/* Is nobody left in it? True when there is no group. */
bool cgroup_empty(const struct cgroup *group);

/* Remove it; retried for as long as a dying process may take. */
void cgroup_remove(struct cgroup *group);

#endif
