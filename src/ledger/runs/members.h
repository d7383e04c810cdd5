/* members.h - the records of a run as rows and as fields of a journal. */
#ifndef LEDGER_RUNS_MEMBERS_H
#define LEDGER_RUNS_MEMBERS_H

#include "ledger/engine/list.h"
#include "ledger/runs/devices.h"
#include "ledger/runs/metrics.h"

/* In the order of the columns that the statements name. */
extern const struct field_set ledger_totals_members, ledger_sample_members,
    ledger_sample_device_members, ledger_device_members, ledger_event_members,
    ledger_checkpoint_members,
    ledger_metric_members; /* a metric's points are lists beside it */

#endif
