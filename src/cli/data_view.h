/* data_view.h - ways to move the data of a job, as plan and advise show them. */
#ifndef CLI_DATA_VIEW_H
#define CLI_DATA_VIEW_H

#include "cli/view.h"
#include "op/plan/plan.h"

/* A blank line, what moving it takes, what saves, and the commands. Nothing without a
 * folder. */
void data_view(const struct view *view, const struct plan_data *data);

#endif
