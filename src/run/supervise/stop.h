/* stop.h - stop a run that another process of this machine supervises. */
#ifndef RUN_SUPERVISE_STOP_H
#define RUN_SUPERVISE_STOP_H

#include "ledger/runs/live.h"

/* Ask its supervisor to save and end it. ERROR_ABSENT when it has ended, ERROR_FAILED when it
 * runs on another machine. */
bool run_stop(const struct live_run *run, struct error *err) MUST_USE;

#endif
