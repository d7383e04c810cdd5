/* members.h - the records of a run as rows and as fields of a journal. */
#ifndef LEDGER_RUNS_MEMBERS_H
#define LEDGER_RUNS_MEMBERS_H

#include "ledger/engine/list.h"
#include "ledger/runs/devices.h"
#include "ledger/runs/metrics.h"

/* The columns of struct ledger_sample: what kind they are, the member. */
#define LEDGER_SAMPLE(X) \
    X(NUMBER, at_s) \
    X(NUMBER, cost) \
    X(NUMBER, watts) \
    X(NUMBER, gpu_busy) \
    X(NUMBER, gpu_memory) \
    X(NUMBER, cpu_cores) \
    X(NUMBER, memory) \
    X(NUMBER, step) \
    X(NUMBER, loss) \
    X(NUMBER, rate) \
    X(NUMBER, gpu_memory_run)
#define LEDGER_SAMPLE_DEVICES(X) \
    X(NUMBERS, device_busy) \
    X(NUMBERS, device_memory) \
    X(NUMBERS, device_watts)

/* In the order of the columns that the statements name. */
extern const struct members ledger_totals_members, ledger_sample_members,
    ledger_sample_device_members, ledger_device_members, ledger_event_members,
    ledger_checkpoint_members,
    ledger_metric_members; /* a metric's points are lists beside it */

#endif
