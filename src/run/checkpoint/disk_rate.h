/* disk_rate.h - how fast a file system takes data, measured with a small file.
 *
 * In a process of its own, since a busy disk or a file server may not answer for long: the
 * supervisor never waits for it. The file has no name (or loses it at once), is 16 MB at most
 * and is written for 0.4 s at most; nothing is measured on a disk that is nearly full. */
#ifndef RUN_CHECKPOINT_DISK_RATE_H
#define RUN_CHECKPOINT_DISK_RATE_H

#include <sys/types.h>

#include "base/clock.h"

struct disk_probe {
    int fd;    /* that its answer comes by; -1: none is under way */
    pid_t pid; /* 0: none, or it has ended and was waited for */
    instant began;
};

#define DISK_PROBE_NONE ((struct disk_probe){.fd = -1})

/* Begin to measure in `folder`, or in the nearest folder above it that is there. False: it
 * could not be started. */
bool disk_probe_start(struct disk_probe *probe, const char *folder, instant now);

/* True when it is over: `*rate` is the answer in bytes a second, what reaches the disk, or NaN
 * when it is not known. Never waits. A disk that takes more than 5 s for the file counts as
 * one that takes just that long. */
bool disk_probe_look(struct disk_probe *probe, instant now, double *rate);

/* End it. */
void disk_probe_end(struct disk_probe *probe);

#endif
