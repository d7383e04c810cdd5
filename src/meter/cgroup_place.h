/* cgroup_place.h - in which control groups this process is, as folders. */
#ifndef METER_CGROUP_PLACE_H
#define METER_CGROUP_PLACE_H

#include "base/str.h"
#include "meter/cgroup.h"

/* One hierarchy: where it is mounted, and where in it this process is. */
struct cgroup_at {
    char folder[CGROUP_PATH]; /* empty: there is none */
    size_t mount;             /* bytes at its start that are the mount: nothing is above */
    bool alone;               /* version 1: no other controller shares the hierarchy */
};

struct cgroup_place {
    struct cgroup_at v2, cpu, cpuacct, memory;
};

/* `root` is put before "/proc" and before what is mounted; NULL: "". */
void cgroup_place_find(const char *root, struct cgroup_place *out);

/* Cut the last name off the folder. False when it is the mount already. */
bool cgroup_above(struct cgroup_at *at);

#endif
