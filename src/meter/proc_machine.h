/* proc_machine.h - what /proc says of the machine as a whole. */
#ifndef METER_PROC_MACHINE_H
#define METER_PROC_MACHINE_H

#include <stdbool.h>

/* Since the machine started, all cores together. Time that a hypervisor took (steal), and
 * waiting for disks, is not spent. */
struct machine_cpu {
    double user_s, system_s;
};

/* `proc` is the folder; `tick_s` the seconds of a tick. False when it cannot be read. */
bool machine_cpu_read(int proc, double tick_s, struct machine_cpu *out);

/* How many cores are on; NaN unknown. */
double machine_cores(int proc);

/* Bytes. In use: what could not be given to a new program. */
struct machine_memory {
    double total, used;
};

bool machine_memory_read(int proc, struct machine_memory *out);

#endif
