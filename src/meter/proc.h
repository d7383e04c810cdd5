/* proc.h - the small files of /proc and /sys: read completely into a buffer of the caller,
 * taken apart without copying. Read each second, so nothing here allocates. */
#ifndef METER_PROC_H
#define METER_PROC_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/str.h"

/* Read the file, up to `room` bytes. False when it cannot be opened or read. */
bool proc_read(int folder, const char *path, char *buffer, size_t room, struct str *out);

/* "ROOT/PATH" into `to`; false when it does not fit. `root` may be NULL. */
bool proc_path(char *to, size_t room, const char *root, const char *path);

/* Likewise, and open it as a folder for openat(): -1 when it is not there. */
int proc_folder(const char *root, const char *path);

/* The next number of `*rest`, which may be negative: what comes before it is stepped over. NaN
 * when there is none. */
double proc_number(struct str *rest);

/* The number after `key` at the start of a line: "MemTotal:", "usage_usec". NaN when there is
 * no such line. */
double proc_value(struct str text, const char *key);

/* The only number of a small file: NaN when there is none ("max" too). */
double proc_file_number(int folder, const char *path);

/* The first line of a file, without blanks at its ends; empty when there is none. Bytes that no
 * terminal should see are cut off. */
struct str proc_file_line(int folder, const char *path, char *buffer, size_t room);

/* What /proc/PID/stat says that is of use. */
struct proc_stat {
    char state;
    pid_t parent;
    double user, system, waited_user, waited_system; /* ticks; waited: of children that ended */
    double start;                                    /* ticks since the machine started */
    double resident;                                 /* pages */
};

bool proc_stat_parse(struct str text, struct proc_stat *out);

#define PROC_PATH 512

/* The first `room` bytes of the file; empty when it cannot be read. */
struct str proc_file(const char *path, char *to, size_t room);

/* ---- the machine as one ---- */

/* Since the machine started, all cores together. Time that a hypervisor took (steal), and
 * waiting for disks, is not spent. */
struct machine_cpu {
    double user_s, system_s;
};

/* `proc` is the folder; `tick_s` the seconds of a tick. False when it cannot be read. */
bool machine_cpu_read(int proc, double tick_s, struct machine_cpu *out);

/* Bytes. In use: what could not be given to a new program. */
struct machine_memory {
    double total, used;
};

bool machine_memory_read(int proc, struct machine_memory *out);

#endif
