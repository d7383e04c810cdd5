/* cpu_power.h - energy of processor and memory, and the tree's part of it.
 *
 * Processor: by RAPL's counter, else by a model: a machine of N cores of which b are busy draws
 * w x (i x N + (1 - i) x b), where w is a busy core's watts (struct cpu_model) and i = 0.2 what
 * an idle core draws of that. The tree's part of either is t / (i x N + (1 - i) x b) when it
 * keeps t cores busy: its share of the busy time, and of idle cores no more than those it uses.
 * So one busy core of 64 is charged 1/14 of the machine, not all of it; by the model that is w
 * x t.
 *
 * Memory: by RAPL's counter, where the processor has one, else 0.37 W a GB in use. The tree's
 * part is its share of the memory in use. */
#ifndef METER_CPU_POWER_H
#define METER_CPU_POWER_H

#include "meter/sample.h"

/* ---- RAPL: energy counters of processor packages and memory, as Linux shows them (powercap)
 * ----
 *
 * Only entire packages are added up, and memory apart: cores are within packages, and "psys" is
 * around them. A zone that is there twice (by register and by memory map, or once for each die
 * with the counter of the socket) counts once. */

#define RAPL_ZONES 32

struct rapl_zone {
    char folder[40]; /* "intel-rapl:0:1" */
    char name[32];   /* "package-0-die-1", "dram" */
    bool memory;
    double last, range, joules;
};

struct rapl {
    int folder; /* of all zones, or -1 */
    struct rapl_zone zones[RAPL_ZONES];
    size_t count;
    char why[160];    /* there are no packages; empty when there are */
    char remedy[160]; /* what to type to get them */
};

/* `root` is put before "/sys"; NULL: "". True when a package can be read. */
bool rapl_open(struct rapl *rapl, const char *root);

/* Joules since it was opened; NaN for what there is not. To be called at least every few
 * minutes: a counter that wrapped twice looks like one that wrapped once. */
void rapl_read(struct rapl *rapl, double *packages, double *memory);

void rapl_close(struct rapl *rapl);

/* ---- the processor and its memory ---- */

/* A processor by its name: for machines without a counter. */
struct cpu_model {
    char name[64]; /* "AMD EPYC 7763 64-Core Processor", "ARM Neoverse V1"; or "unknown" */
    double watts_a_core; /* of one core as Linux counts them, at full load */
    double fp32_gflops;  /* that such a core computes at most: by its clock and instructions */
};

/* From /proc/cpuinfo; `proc` is the folder. */
void cpu_model_find(int proc, struct cpu_model *out);

/* That of this machine; `root` is put before "/proc"; NULL: "". */
void cpu_model_read(const char *root, struct cpu_model *out);

#define CPU_IDLE 0.2
#define WATTS_A_GB 0.37

/* What the machine did: not what this process may use of it. */
struct machine_use {
    double busy_s; /* of all cores, counted from any moment */
    double cores;
    double memory; /* bytes in use */
};

struct cpu_power {
    struct rapl rapl;
    bool counted; /* by RAPL */
    unsigned still;
    struct cpu_model model;
    char source[96];
    bool started;
    instant last;
    struct machine_use before;
    double tree_s;
    double packages, memory; /* of RAPL, at the last read */
    struct power_sample sum;
};

/* `watts_a_core` NaN: the model's. */
void cpu_power_open(struct cpu_power *power, const char *root, double watts_a_core);

void cpu_power_read(struct cpu_power *power, instant now, const struct machine_use *machine,
                    const struct tree_sample *tree, struct power_sample *out);

void cpu_power_close(struct cpu_power *power);

#endif
