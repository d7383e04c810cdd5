/* sample.h - what one look at the machine and at a process tree says.
 *
 * Counters count from the moment the meters were opened, or from the start of the tree, so that
 * the difference of two samples is what was used between them. Unknown is NaN or -1, never
 * zero, and every figure says how it was measured.
 */
#ifndef METER_SAMPLE_H
#define METER_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

/* How a figure was measured, best last. */
enum meter_method {
    METHOD_NONE,    /* not at all: the figure is unknown */
    METHOD_MODELED, /* computed from something else that was measured */
    METHOD_SAMPLED, /* looked at now and then, and added up */
    METHOD_COUNTER, /* a counter that misses nothing */
};
#define METER_METHOD_KINDS (METHOD_COUNTER + 1)

/* "unknown", "modeled", "sampled", "counter": for JSON and the ledger. */
extern const char *const meter_method_names[METER_METHOD_KINDS];

#define METER_GPUS 64 /* devices and MIG slices that are looked at */
#define METER_NAME 64

/* Whose a device is. */
enum gpu_use {
    GPU_VISIBLE, /* the tree may use it, and does not (yet) */
    GPU_OURS,    /* only the tree uses it */
    GPU_SHARED,  /* others use it too: `share` says what the tree's part is */
};

/* Why a GPU runs slower than it could: bits. */
enum gpu_throttle {
    THROTTLE_POWER = 1,
    THROTTLE_HEAT = 2,
    THROTTLE_HARDWARE = 4, /* power brake, slow-down by the hardware */
    THROTTLE_OTHER = 8,
};

struct gpu_sample {
    const char *vendor;    /* "nvidia", "amd", "habana" */
    char name[METER_NAME]; /* "NVIDIA H200" */
    char uuid[96];         /* of the slice when it is one */
    int index;             /* as the vendor counts, not as CUDA_VISIBLE_DEVICES does */
    bool slice;            /* a MIG slice: energy is the device's, by its share of the device */
    double part;           /* of a device that it is: 1, or less for a slice */
    enum gpu_use use;
    double joules; /* of the entire device since the meters were opened */
    enum meter_method joules_method;
    double error; /* of `joules`, as a fraction: the vendor's word or ours; NaN unknown */
    double share; /* of the device's energy that is the tree's, since opened: 0 to 1 */
    enum meter_method share_method;
    double watts, limit_watts; /* now; what it may draw */
    double busy;               /* share of the last moments with work on it: 0 to 1 */
    double tree_busy;          /* likewise by this tree; NaN when it is not known */
    double memory, memory_total, tree_memory; /* bytes */
    double clock_mhz, clock_max_mhz, celsius;
    int throttle;                  /* bits of gpu_throttle; -1 unknown */
    int processes, tree_processes; /* that use it; -1 unknown */
};

struct tree_sample {
    int processes; /* that live now */
    double cpu_s;  /* user and system, of all that live and lived */
    double user_s, system_s;
    double memory;        /* bytes resident now */
    double memory_peak;   /* the most at any moment */
    double read, written; /* bytes from and to storage */
    const char *source;   /* "cgroup v2", "cgroup v1", "/proc and wait" */
};

struct host_sample {
    double cpu_busy_s; /* all cores together, since opened */
    double cores;      /* that this process may use: affinity and cgroup quota; may be 1.5 */
    double memory, memory_total; /* bytes in use; what there is for us: the cgroup's limit */
    double received, sent; /* bytes over the network of this namespace, loopback left out */
};

/* Energy of processor and memory. */
struct power_sample {
    double joules; /* of all packages, since opened; modeled when there is no counter */
    double memory_joules;
    double tree_joules, tree_memory_joules; /* the tree's part, by its share of the busy time */
    enum meter_method method, memory_method;
    double error;
    const char *source; /* "RAPL", "model: load x 8 W a core" */
};

struct meter_sample {
    instant at;
    struct tree_sample tree;
    struct host_sample host;
    struct power_sample power;
    struct gpu_sample gpu[METER_GPUS];
    size_t gpus;
};

/* The tree's energy in all, since opened: processor, memory and its share of the devices; NaN
 * when a part is unknown that cannot be left out (a device that the tree uses). The worst
 * method among the parts, and the error they leave, go to `method` and `error`. */
double meter_tree_joules(const struct meter_sample *sample, enum meter_method *method,
                         double *error);

/* How that energy was measured: "counter", or "97 % counter, 3 % modeled" when
 * there are several, the largest share first. */
#define METER_METHODS 64
void meter_tree_methods(const struct meter_sample *sample, char out[static METER_METHODS]);

#endif
