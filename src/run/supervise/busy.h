/* busy.h - how busy a run, or a machine, is: what idleness is measured by. Pure.
 *
 * 0 to 1 of what there is; NaN: unknown, which is not idle. `cores` are the cores in use
 * between the last two looks (NaN unknown): of the tree for a run, of all processes for a
 * machine. */
#ifndef RUN_SUPERVISE_BUSY_H
#define RUN_SUPERVISE_BUSY_H

#include "meter/sample.h"

/* A run that uses devices: the busiest of them, by its own work where that is known,
 * whatever the cores do, since the device is what is paid for. One that uses none (yet): the
 * cores. */
double busy_of_run(const struct meter_sample *sample, double cores);

/* The busiest of all devices, or the cores when they are busier: a machine that prepares data
 * is at work. */
double busy_of_machine(const struct meter_sample *sample, double cores);

#endif
