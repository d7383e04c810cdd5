/* device_use.h - how each device of a run was used, by its samples, and what idle ones cost. */
#ifndef ACCOUNT_RUN_DEVICE_USE_H
#define ACCOUNT_RUN_DEVICE_USE_H

#include "base/buf.h"
#include "ledger/runs/devices.h"
#include "unit/size.h"

/* How a device was used, by the samples of its attempt. NaN: not known. */
struct device_use {
    struct ledger_device device;
    double busy;                             /* utilization, on average over time: 0 to 1 */
    double busy_share;                       /* of the time, with any work */
    bytes memory, memory_peak, memory_total; /* in use: on average, at most; there is */
    double watts;                            /* on average */
    stamp idle_since; /* without work from then on, to the end or until now; -1: at work */
    span idle;        /* for so long */
    double seen_s;    /* of which anything is known */
    double waste_s;   /* of these, without work while another device of the attempt worked */
    double waste;     /* its part of what the attempt cost then, all devices alike; dollars */
};

extern const struct field_set device_use_fields;

/* A device is without work below this utilization. */
#define DEVICE_IDLE 0.01

/* What samples of an attempt, in their order, say of one of its devices. Pure. */
void device_use_make(const struct ledger_device *device, stamp started,
                     const struct ledger_sample *samples, size_t count, struct device_use *out);

/* Of all attempts at a run: rows of struct device_use. */
bool device_uses_read(struct ledger *ledger, const struct ledger_run *run, struct arena *arena,
                      struct rows *out, struct error *err) MUST_USE;

/* How many of the rows, from the first on, are of its attempt. */
size_t device_uses_of_attempt(const struct device_use *uses, size_t count);

/* Of the devices of one attempt: is this one unlike most of them, by a tenth of utilization, or
 * because only it was used, was not used, has stopped or goes on? Then it is worth a line. */
bool device_use_is_odd(const struct device_use *uses, size_t count, size_t at);
size_t device_uses_odd(const struct device_use *uses, size_t count); /* how many */

/* The others of the attempt, on average. */
void device_uses_usual(const struct device_use *uses, size_t count, struct device_use *out);

/* Is there such a one in any attempt? */
bool device_uses_differ(const struct device_use *uses, size_t count);

/* GPUs that had no work while others of the same run worked. A machine is paid for with all its
 * GPUs, so each has an equal part of what the run cost then. That the price is that of all of
 * them is assumed, and said. */
struct idle_devices {
    int devices;  /* of the attempt with the most of that; 0: there are none */
    int idle;     /* of these */
    double share; /* of the time in which the use of devices is known */
    double waste; /* dollars, of all attempts */
    double cost;  /* dollars of the run */
};

/* False, and all zeros, when there are none, or when they cost less than 1 % of the run. Only
 * of a run that pays for the time of a machine. Pure. */
bool idle_devices_find(const struct ledger_run *run, const struct device_use *uses,
                       size_t count, struct idle_devices *out);

/* "1 of 8 GPUs was idle for 97 % of the time, while others worked"; and ": $1.20 of $10.00 went
 * to it". */
void idle_devices_write(const struct idle_devices *idle, struct buf *out);
void idle_devices_write_cost(const struct idle_devices *idle, struct buf *out);

#endif
