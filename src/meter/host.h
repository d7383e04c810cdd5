/* host.h - the machine around the tree: what of it this process may use, and what it does. */
#ifndef METER_HOST_H
#define METER_HOST_H

#include "meter/cgroup_place.h"
#include "meter/cpu_power.h"
#include "meter/sample.h"

struct host {
    int proc; /* the folder, or -1 */
    double tick_s;
    double machine_cores;       /* that are on */
    double cores;               /* that this process may use */
    double memory_limit;        /* bytes; NaN: that of the machine */
    struct cgroup_at memory_at; /* whose limit it is */
    bool memory_v2;
    bool started;
    double busy_at_first, received_at_first, sent_at_first;
};

/* `root` is put before "/proc" and "/sys"; NULL: "". Limits are read here, once. */
void host_open(struct host *host, const char *root);
void host_read(struct host *host, struct host_sample *out, struct machine_use *machine);
void host_close(struct host *host);

/* How long the machine has been up: since its first process began. In a container that is the
 * container's, while /proc/uptime is the host's, which may have been up for a year. */
span host_uptime(const char *root);

#endif
