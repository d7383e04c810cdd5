/* meter_options.h - how operations open the meters of this machine. */
#ifndef OP_METER_OPTIONS_H
#define OP_METER_OPTIONS_H

#include "meter/meter.h"

/* How meters are opened by default: everything, with what tests put in the place of the machine
 * (STINT_ROOT before /proc and /sys; STINT_NVML, STINT_ROCM and STINT_HL_SMI in the place of
 * the vendors' libraries and program). `tree`: the process whose tree is metered; 0: the
 * machine. */
struct meter_options op_meter_options(pid_t tree);

#endif
