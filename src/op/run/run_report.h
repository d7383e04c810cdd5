/* run_report.h - a report of each run, where the setting `reports` asks for it. */
#ifndef OP_RUN_RUN_REPORT_H
#define OP_RUN_RUN_REPORT_H

#include <stdbool.h>

struct op_context; /* op/context.h */

/* Write the report of the run that has ended, to a folder of its name and id. What goes wrong
 * is warned of: the run itself is recorded. */
void run_report_write(const struct op_context *ctx, const char *id, const char *name,
                      bool quiet);

#endif
