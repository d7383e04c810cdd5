/* runs_view.h - how runs look: moments, ends, and pictures of their samples. */
#ifndef CLI_RUNS_VIEW_H
#define CLI_RUNS_VIEW_H

#include "cli/view.h"
#include "op/ledger_open.h"

/* "2026-11-15 10:00" of "2026-11-15T10:00:05Z"; "-" when unknown. */
void runs_when(struct str at, bool seconds, struct buf *out);

/* Why it ended as it did: "budget", "exit 1", "signal 9", "2 attempts"; nothing when it is
 * done, or still runs. */
void runs_why(const struct ledger_run *run, struct buf *out);

/* Numbers as bars, joined to at most `columns`: the least is the lowest bar, the most the
 * highest; blank where none is known. */
void runs_bars(const double *values, size_t count, size_t columns, bool utf8, struct buf *out);

/* A metric: five digits, so that similar runs can be distinguished. */
void runs_metric(double value, struct buf *out);

void runs_span(span s, struct buf *out); /* "?" when unknown */

/* The next cell, from a buffer, which is freed; "-" when there is nothing in it. */
void runs_cell(struct table *t, struct buf *text);

/* After a machine's price: ", shared by 20 runs: 5 % of it", ", 12.5 % of it", ", paid by the
 * run that it is inside of"; nothing when the run pays for all of it. `now`: `sharers` is how
 * many there are, not the most that there were. */
void view_share(struct buf *out, struct str pays, int64_t sharers, double share, bool now);

/* Of a GPU, in bytes: ", 55.3 of 150.8 GB", or where others use it too ", 55.3 GB used by the
 * run; device 86.1 of 150.8 GB". Nothing when it is not known. */
bool view_shares_device(double device, double run);
void view_device_memory(struct buf *out, double device, double total, double run);

#endif
