/* plan_csv.h - plans as a table for spreadsheets. */
#ifndef OP_PLAN_PLAN_CSV_H
#define OP_PLAN_PLAN_CSV_H

#include "op/plan/plan.h"

/* A header whose names carry the units, then the plans, the front and the naive choices; the
 * column `list` says which. Unknown is an empty field. */
void plan_csv_text(const struct plan_result *res, struct buf *out);

/* Write that to the file: all of it or nothing. */
bool plan_csv_write(const struct plan_result *res, struct str path, struct arena *arena,
                    struct error *err) MUST_USE;

#endif
