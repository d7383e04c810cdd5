/* gpu.h - one vendor's devices as a table of functions: a file each; and what they share.
 *
 * A vendor fills in samples of the devices that may be ours; which of them the tree uses comes
 * from the vendor's list of processes and `tree_has`.
 */
#ifndef METER_GPU_H
#define METER_GPU_H

#include "base/arena.h"
#include "meter/meter.h"
#include "meter/tree.h"
#include "meter/visible.h"

struct gpu_vendor {
    const char *name; /* "nvidia" */
    /* Open the library. NULL without an error set: there is none of it here; `why` (at least
     * 200 bytes) then says what was missing, for `stint meters`. */
    void *(*open)(const struct meter_options *options, struct arena *arena, char *why);
    /* Add a sample for each device that is visible to the tree to out[*count...], up to
     * METER_GPUS in all. `exact`: whatever it costs, read the counters themselves. */
    void (*read)(void *state, const struct tree *tree, instant now, bool exact,
                 struct gpu_sample *out, size_t *count);
    void (*close)(void *state);
};

extern const struct gpu_vendor gpu_nvidia, gpu_amd, gpu_gaudi;

#define GPU_WHY 200 /* bytes for `why` */

/* Our word on energy, as fractions, where the vendor gives none better. */
#define GPU_ERROR_COUNTER 0.05 /* by NVIDIA's documents; not compared with a wall meter */
#define GPU_ERROR_SAMPLED 0.15 /* the sensor's, and 9 %: the worst mean measured, when idle */
#define GPU_ERROR_SLICE 0.30   /* a part of a device, by its size */
#define GPU_ERROR_SELDOM 0.25  /* power that is looked at each few seconds */

/* Is there such a file or folder, below the root of the options? For drivers: "/sys/module/..."
 */
bool gpu_has_path(const struct meter_options *options, const char *path);

/* A sample of which nothing is known yet. */
struct gpu_sample gpu_unknown(const char *vendor, int index);

/* Energy of one device: by its counter, by power that is looked at, or by both where the
 * counter costs too much to be read at each look. All zeros to begin. */
struct gpu_energy {
    double joules; /* since the first look: never less than it was */
    double known;  /* the best that is known: the counter's, and power since it was read */
    enum meter_method method;
    double base;    /* `known` when the counter was read last, */
    double counter; /* and its value */
    instant counted;
    double watts; /* at the last look that knew them */
    instant at;
    bool begun;      /* there is a figure */
    bool has_watts;  /* `watts` and `at` are set */
    bool has_count;  /* the counter has been read */
    unsigned passed; /* looks since then that went without it */
};

/* What one look found out. */
struct gpu_reading {
    double watts;   /* NaN unknown */
    double counter; /* joules; NaN: not read, or it did not answer */
    bool counts;    /* it has a counter, which will be read again */
    bool exact;     /* what the counter says is reported at once */
};

/* Power holds between two looks as their mean. When the counter is read after some looks
 * without it, the difference is reported little by little (between half and one and a half of
 * what power says), so that a rate from one look to the next is never far off; the sum never
 * goes back, and is the counter's when the reading is exact, unless it is ahead already. A
 * counter that went backwards (the driver was loaded again), or faster than any device can,
 * starts anew: what passed is then known by power, or lost. */
void gpu_energy_look(struct gpu_energy *energy, const struct gpu_reading *reading, instant now);

/* Was power looked at so long ago that it says little about the time since? */
bool gpu_energy_stale(const struct gpu_energy *energy, instant now);

/* The sum and its method into the sample; `known` false: it is unknown. */
void gpu_energy_report(const struct gpu_energy *energy, bool known, struct gpu_sample *sample);

/* Calls that cost a lot are paid from this: it grows by GPU_PACE seconds of processor time a
 * second, and a call may be made while there is anything in it. An expensive call leaves a
 * debt. */
#define GPU_PACE 0.0003

struct gpu_purse {
    span (*work)(void); /* the processor time of this thread */
    span before;
    instant at;
    double seconds; /* of processor time; below zero when it is in debt */
    bool begun;
};

struct gpu_purse gpu_purse_of(const struct meter_options *options);
void gpu_purse_fill(struct gpu_purse *purse, instant now);
static inline bool gpu_purse_may(const struct gpu_purse *purse)
{
    return purse->seconds > 0;
}

/* Around the call. */
void gpu_purse_begin(struct gpu_purse *purse);
void gpu_purse_end(struct gpu_purse *purse);

/* One process on a device. */
struct gpu_user {
    int64_t pid;   /* as the vendor counts, which may be in another namespace */
    double memory; /* bytes; NaN unknown */
    double busy;   /* share of the last moments that its work ran; NaN unknown */
};

#define GPU_USERS 128 /* processes of one device that are looked at */

struct gpu_users {
    struct gpu_user user[GPU_USERS];
    size_t count;
    bool known; /* the list could be read at all */
    bool busy;  /* and how busy each of them keeps the device */
    bool tells; /* the driver reports that, now or later */
    /* What the driver reported at this look of all work since it was asked before; those
     * that have ended meanwhile are in it, too. */
    struct gpu_user worked[GPU_USERS];
    size_t worked_count;
    bool fresh; /* it did */
    bool opens; /* the time that it will report next begins with this look */
};

/* Add a process, or its memory to what is there of it. */
void gpu_users_add(struct gpu_users *users, int64_t pid, double memory);
struct gpu_user *gpu_users_find(struct gpu_users *users, int64_t pid);

/* Whose processes are whose. */
struct gpu_owners {
    const char *root;
    const char *node[2]; /* one of which a process that computes has open: "/dev/nvidia-uvm" */
    bool all;            /* the entire machine is metered: everything is ours */
    bool nested;         /* we are in a process namespace of our own */
    struct {
        int64_t pid;
        instant until;
        char owner;
    } known[32];
    bool opened; /* a process of the tree has one of `node` open, as far as was seen */
    instant opened_until;
};

/* `node` may be NULL, and must outlive it. */
struct gpu_owners gpu_owners_of(const struct meter_options *options, const char *node);

/* Has a process of the tree one of the nodes open? Looked at each few seconds. */
bool gpu_tree_has_open(struct gpu_owners *owners, const struct tree *tree, instant now);

/* What the tree has of a device at this moment. */
struct gpu_part {
    int processes, ours; /* -1 unknown */
    double own;          /* the part of the device's energy that is the tree's */
    enum meter_method method;
    double busy, memory; /* of the tree; NaN unknown */
    bool served;         /* a service works there for others (MPS), whom it may list apart */
    /* The tree's part of all work since the driver was asked before, when it reported at this
     * look; else NaN. Its part of the energy since then is that, whatever was assumed
     * meanwhile. */
    double measured;
    bool opens; /* the time that it is about next begins with this look */
    bool exact; /* what is owed is reported at once */
};

/* `busy` and `memory` are the entire device's (NaN unknown), `visible` whether the environment
 * lets the tree use it. */
struct gpu_part gpu_part_of(struct gpu_owners *owners, const struct tree *tree,
                            const struct gpu_users *users, bool visible,
                            const struct gpu_sample *device, instant now);

/* The tree's part of a device's energy, added up over time. All zeros to begin. */
struct gpu_share {
    double joules;         /* the tree's */
    double seen;           /* of the device's that are in it */
    double own;            /* at the last look */
    double open, open_own; /* of the device since the driver reported work, and assumed ours */
    double owed;           /* what was assumed too little (below zero: too much) */
    enum meter_method method;
    bool begun, used, shared;
};

/* Take what the device used since the last look into account, and fill in what the sample says
 * of the tree. Between two words of the driver on the work of processes the last one is assumed
 * to hold; when the next one comes, the difference is made up for at once, as far as the tree's
 * energy then neither goes back nor grows faster than the device's: the rest follows at the
 * next looks, and all of it at one that is exact. */
void gpu_share_add(struct gpu_share *share, const struct gpu_part *part,
                   struct gpu_sample *sample);

/* What the environments of the tree's processes say, a few processes at each look. */
struct gpu_sight {
    enum visible_vendor vendor;
    const char *root;
    const struct visible_device *devices;
    size_t count;
    visible_set now;       /* what counts at present */
    visible_set gathering; /* of the round that is under way */
    bool answered, heard;  /* one had an answer; one could be asked */
    bool all;              /* the entire machine: every device */
    size_t next;           /* the member to ask next */
};

/* Our own environment begins; the devices must outlive it. */
void gpu_sight_open(struct gpu_sight *sight, const struct meter_options *options);
void gpu_sight_look(struct gpu_sight *sight, const struct tree *tree);

#endif
