/* runs_view.h - how runs look: their ends, metrics, shares and memory. */
#ifndef CLI_RUNS_VIEW_H
#define CLI_RUNS_VIEW_H

#include "cli/view.h"
#include "op/ledger_open.h"

/* A metric: five digits, so that similar runs can be distinguished. */
void runs_metric(double value, struct buf *out);

/* After a machine's price: ", shared by 20 runs: 5 % of it", ", 12.5 % of it", ", paid by the
 * run that it is inside of"; nothing when the run pays for all of it. `now`: `sharers` is how
 * many there are, not the most that there were. */
void view_share(struct buf *out, struct str pays, int64_t sharers, double share, bool now);

/* Of a GPU, in bytes: ", 55.3 of 150.8 GB", or where others use it too ", 55.3 GB used by the
 * run; device 86.1 of 150.8 GB". Nothing when it is not known. */
bool view_shares_device(double device, double run);
void view_device_memory(struct buf *out, double device, double total, double run);

#endif
