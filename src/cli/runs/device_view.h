/* device_view.h - the GPUs of a run, beside each other. */
#ifndef CLI_RUNS_DEVICE_VIEW_H
#define CLI_RUNS_DEVICE_VIEW_H

#include "cli/view.h"
#include "op/runs/show.h"

/* Lines of those that are unlike the others of their attempt, a line of the others, and what
 * idle ones cost. Nothing where all are alike: `uses` are rows of struct device_use. */
void view_devices(const struct view *view, const struct rows *uses,
                  const struct idle_devices *idle);

#endif
