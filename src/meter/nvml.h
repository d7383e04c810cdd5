/* nvml.h - NVIDIA's management library, with prototypes of our own: the driver brings the
 * library, and its header is not needed to call it.
 *
 * Layouts and numbers are those of the library's published interface, which only ever adds.
 */
#ifndef METER_NVML_H
#define METER_NVML_H

#include "meter/gpu.h"

typedef struct nvml_device_opaque *nvml_handle;

enum nvml_status {
    NVML_OK = 0,
    NVML_NOT_SUPPORTED = 3,
    NVML_NO_PERMISSION = 4,
    NVML_NOT_FOUND = 6,
    NVML_INSUFFICIENT_SIZE = 7,
    NVML_DRIVER_NOT_LOADED = 9,
    NVML_FUNCTION_NOT_FOUND = 13,
    NVML_GPU_IS_LOST = 15,
    NVML_RESET_REQUIRED = 16,
    NVML_VERSION_MISMATCH = 18,
    NVML_GPU_NOT_FOUND = 28,
};

#define NVML_UNKNOWN64 (~0ULL) /* "value not available" */
#define NVML_CLOCK_SM 1

struct nvml_memory {
    unsigned long long total, free, used;
};

struct nvml_memory_v2 {
    unsigned int version;
    unsigned long long total, reserved, free, used;
};

#define NVML_MEMORY_V2 ((unsigned)sizeof(struct nvml_memory_v2) | 2U << 24)

struct nvml_utilization {
    unsigned int gpu, memory; /* percent */
};

struct nvml_process_v1 {
    unsigned int pid;
    unsigned long long memory;
};

/* Of the functions _v2 and _v3. */
struct nvml_process {
    unsigned int pid;
    unsigned long long memory;
    unsigned int gpu_instance, compute_instance;
};

/* Of _v3 in the first drivers of the 535 series. */
struct nvml_process_535 {
    struct nvml_process process;
    unsigned long long protected_memory;
};

struct nvml_process_use {
    unsigned int pid;
    unsigned long long at; /* microseconds */
    unsigned int sm, memory, encoder, decoder;
};

struct nvml_attributes {
    unsigned int multiprocessors, copy_engines, decoders, encoders, jpegs, flows;
    unsigned int gpu_slices, compute_slices;
    unsigned long long memory_mb;
};

typedef int nvml_number(nvml_handle, unsigned int *);
typedef int nvml_text(nvml_handle, char *, unsigned int);
typedef int nvml_processes(nvml_handle, unsigned int *, void *);

/* The library: a function that it lacks is NULL. */
struct nvml_library {
    void *handle;
    int (*init)(void);
    int (*shutdown)(void);
    int (*count)(unsigned int *);
    int (*by_index)(unsigned int, nvml_handle *);
    nvml_text *name, *uuid;
    int (*energy)(nvml_handle, unsigned long long *); /* millijoules */
    nvml_number *power, *limit, *limit_set;           /* milliwatts */
    int (*utilization)(nvml_handle, struct nvml_utilization *);
    int (*memory)(nvml_handle, struct nvml_memory *);
    int (*memory_v2)(nvml_handle, struct nvml_memory_v2 *);
    int (*clock)(nvml_handle, int, unsigned int *);
    int (*clock_max)(nvml_handle, int, unsigned int *);
    int (*throttle)(nvml_handle, unsigned long long *);
    int (*temperature)(nvml_handle, int, unsigned int *);
    nvml_processes *compute, *graphics, *clients; /* of MPS */
    bool old_compute, old_graphics, old_clients;  /* they give nvml_process_v1 */
    int (*process_use)(nvml_handle, struct nvml_process_use *, unsigned int *,
                       unsigned long long);
    int (*mig_mode)(nvml_handle, unsigned int *, unsigned int *);
    nvml_number *mig_most;
    int (*mig_by_index)(nvml_handle, unsigned int, nvml_handle *);
    int (*attributes)(nvml_handle, struct nvml_attributes *);
};

/* What was asked of a device, for those that answer "not supported": they are asked no more. */
enum nvml_ask {
    ASK_ENERGY,
    ASK_POWER,
    ASK_UTILIZATION,
    ASK_MEMORY,
    ASK_MEMORY_V2,
    ASK_CLOCK,
    ASK_THROTTLE,
    ASK_TEMPERATURE,
    ASK_COMPUTE,
    ASK_GRAPHICS,
    ASK_CLIENTS,
    ASK_PROCESS_USE,
};

/* A device, or a slice of one. */
struct nvml_unit {
    nvml_handle handle;
    struct gpu_sample sample; /* what is known of it, kept from look to look */
    struct gpu_energy energy;
    struct gpu_share share;
    unsigned refused;        /* bits of nvml_ask */
    unsigned failed;         /* times in a row that the counter did not answer */
    unsigned silent;         /* looks in a row that neither it nor power did */
    size_t device;           /* of a slice: the unit that it is a part of */
    double part;             /* of a slice: what part of the device it is */
    bool cut;                /* has slices, which are shown instead of it */
    bool served;             /* by MPS, whose clients have a list of their own */
    bool lost;               /* fell off the bus, or must be reset */
    unsigned long long seen; /* time of the last word on processes' work */
    instant asked;           /* when it was asked for, by our clock */
    bool asked_ever;
    bool several; /* processes were on it at the last look */
    bool based;   /* and the driver will report what they did since it was asked */
    bool worded;  /* it reported once, since then: */
    struct {
        unsigned pid, percent, samples; /* percent in all of them */
    } work[GPU_USERS];
    unsigned works;
};

struct nvml {
    struct nvml_library library;
    struct nvml_unit *unit;
    struct visible_device *devices; /* the same, for visible.h */
    size_t count;
    struct gpu_owners owners;
    struct gpu_sight sight;
    struct gpu_users users;      /* of the device that is being looked at */
    size_t turn;                 /* looks so far: what changes slowly takes turns */
    struct gpu_purse purse;      /* for the energy counters */
    size_t next;                 /* the device whose counter is read next */
    struct gpu_purse work_purse; /* for the work of processes */
};

/* Open the library and find its functions; false, with `why`, when it is not there. The
 * benchmark of the meters asks it directly, too. */
bool nvml_load(struct nvml_library *library, const char *path, char *why);

static inline bool nvml_may(const struct nvml_unit *unit, enum nvml_ask ask)
{
    return !unit->lost && (unit->refused >> ask & 1) == 0;
}

#endif
