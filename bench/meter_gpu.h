/* meter_gpu.h - what the parts of the benchmark of GPU meters share. */
#ifndef BENCH_METER_GPU_H
#define BENCH_METER_GPU_H

#include "gpu_load.h"
#include "meter/nvml.h"

#define LOOKS_MAX 4000

struct look {
    double at, joules, watts, instant_watts;
};

struct field { /* nvmlFieldValue_t */
    unsigned id, scope;
    long long at, latency;
    int type, status;
    union {
        double real;
        unsigned number;
        unsigned long long big;
    } value;
};

struct bench {
    struct nvml_library nvml;
    nvml_handle device;
    int (*fields)(nvml_handle, int, struct field *);
    const char *library;
    double scale; /* of all lengths of time */
    struct look look[LOOKS_MAX];
    size_t looks;
};

/* The tree of a sample is the given one. */
struct tree {
    pid_t pid[4];
    size_t count;
};

void say(const char *name, double value, const char *unit);
void sayf(const char *test, const char *name, double value, const char *unit);
double cpu_seconds(void);
double kilobytes(void); /* of memory, in proportion where it is shared */
instant instant_now(void);

/* A meter of devices, or NULL after printing what is missing. */
void *open_meter(struct bench *b, struct arena *arena);

void energy(struct bench *b);
void share(struct bench *b);
void cost(struct bench *b);

#endif
