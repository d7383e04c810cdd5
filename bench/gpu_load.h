/* gpu_load.h - work for an NVIDIA device, without CUDA's toolkit: the driver's own library is
 * opened at run time and compiles a small program of ours. */
#ifndef BENCH_GPU_LOAD_H
#define BENCH_GPU_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What a load does, and what it did: in memory that parent and child share. */
struct gpu_load {
    double on_ms, off_ms; /* off 0: steadily */
    double part;          /* of the device's processors: blocks of the grid */
    double launch_ms;     /* a launch is made to take this long on a device that is free */
    volatile int ready;   /* 1: waits for `go`; -1: cannot, `why` is the reason */
    volatile int go, stop;
    volatile double launches; /* done so far, and */
    volatile double alone_ms; /* the time they would take on a device that is free */
    volatile double busy_ms;  /* the time they took */
    char why[160];
};

/* Memory for `count` loads. NULL when there is none. */
struct gpu_load *gpu_loads(unsigned count);

/* Start one in a process of its own; its number, or -1. Waits until it is
 * ready or cannot be. */
pid_t gpu_load_start(struct gpu_load *load);

/* End it and wait for it. */
void gpu_load_end(struct gpu_load *load, pid_t child);

double bench_now(void); /* seconds, monotonic */
void bench_sleep_until(double when);

#endif
