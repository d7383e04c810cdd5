/* rapl.h - energy counters of processor packages and memory, as Linux shows them (powercap).
 *
 * Only entire packages are added up, and memory apart: cores are within packages, and "psys" is
 * around them. A zone that is there twice (by register and by memory map, or once for each die
 * with the counter of the socket) counts once.
 */
#ifndef METER_RAPL_H
#define METER_RAPL_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
