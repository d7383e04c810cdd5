/* devices.h - the devices of a run: which there were, and how each was used.
 *
 * An attempt has a row for each device that its processes could use; its samples have their
 * utilization, memory and power as lists by the number of the device. One that others use is
 * left out while they do.
 */
#ifndef LEDGER_RUNS_DEVICES_H
#define LEDGER_RUNS_DEVICES_H

#include "ledger/ledger.h"

struct ledger_device {
    int attempt;                      /* only read */
    int64_t device;                   /* its place in the lists of samples, from 0 */
    int64_t number;                   /* as the vendor counts; -1: not known */
    struct str id, name;              /* "GPU-3f2a...", "NVIDIA H200" */
    bool used;                        /* by processes of the run, at any time */
    double memory_total, memory_peak; /* bytes */
};

/* Of all attempts, by attempt and number. */
bool ledger_devices(struct ledger *ledger, const char *id, struct arena *arena,
                    const struct ledger_device **out, size_t *count,
                    struct error *err) MUST_USE;

#endif
