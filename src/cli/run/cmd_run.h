/* cmd_run.h - what `stint run` and `stint attach` print at the end. */
#ifndef CLI_RUN_CMD_RUN_H
#define CLI_RUN_CMD_RUN_H

#include "cli/view.h"

/* `result`: struct run_result. */
void run_print(const struct view *view, const void *result);

#endif
