/* cgroup_walk.h - who is in a control group, and in the groups that they made below it. */
#ifndef METER_CGROUP_WALK_H
#define METER_CGROUP_WALK_H

#include <sys/types.h>

#include "meter/cgroup.h"

/* Calls `each` for every process; the tree of groups is followed a few levels down. */
void cgroup_walk(const struct cgroup *group, void (*each)(void *ctx, pid_t pid), void *ctx);

#endif
