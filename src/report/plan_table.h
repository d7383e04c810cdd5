/* plan_table.h - plans as a table for spreadsheets. */
#ifndef REPORT_PLAN_TABLE_H
#define REPORT_PLAN_TABLE_H

#include "plan/record.h"

/* CSV: a header whose names carry the units, then the plans, the front and the
 * naive choices; the column `list` says which. Unknown is an empty field. */
void plan_csv_text(const struct plan_result *res, struct buf *out);

#endif
