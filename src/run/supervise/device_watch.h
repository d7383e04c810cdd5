/* device_watch.h - each device that a run could use: which they are, and how they are used now.
 *
 * From the first use of a device on, all are watched that the run may use: one that stays idle
 * beside the others is what is looked for. A device is left out while others use it and the run
 * does not. Pure.
 */
#ifndef RUN_SUPERVISE_DEVICE_WATCH_H
#define RUN_SUPERVISE_DEVICE_WATCH_H

#include "ledger/runs/devices.h"
#include "meter/sample.h"

struct watched_device {
    char id[96], name[METER_NAME];
    struct ledger_device row, recorded; /* as it is; as it was recorded last */
    bool is_recorded;
};

/* All zeros to begin. */
struct device_watch {
    struct watched_device at[LEDGER_DEVICES]; /* in the order in which they were first seen */
    size_t count;
    bool begun;                    /* a device was used */
    double busy[LEDGER_DEVICES];   /* of the last look; NaN unknown, or not ours to know */
    double memory[LEDGER_DEVICES]; /* bytes */
    double watts[LEDGER_DEVICES];
};

void device_watch_see(struct device_watch *watch, const struct meter_sample *sample);

/* The lists of a sample; they are those of the watch, until its next look. */
void device_watch_fill(const struct device_watch *watch, struct ledger_sample *out);

/* The next device that is new, or has changed by enough to be recorded again (by anything when
 * it is the `last` time); it counts as recorded from now on. NULL: none. */
const struct ledger_device *device_watch_changed(struct device_watch *watch, bool last);

#endif
