/* work_source.h - a piece of work from a run of the ledger or from a saved plan. */
#ifndef REPORT_WORK_SOURCE_H
#define REPORT_WORK_SOURCE_H

#include "ledger/ledger.h"
#include "plan/record.h"
#include "report/work.h"

/* "bert (aaaa0001)" */
bool work_name_run(const struct ledger_run *run, struct arena *arena, struct str *out,
                   struct error *err) MUST_USE;

/* A metered run, without its metrics and what is usual. */
bool work_of_run(const struct ledger_run *run, struct arena *arena, struct report_work *work,
                 struct error *err) MUST_USE;

/* What is usual of the user's other runs, of those that were long enough to show something. */
bool work_usual_of(const struct ledger_run *runs, size_t count, const struct ledger_run *run,
                   struct arena *arena, struct work_usual *out, struct error *err) MUST_USE;

/* A plan with its choices; it has one at least. */
bool work_of_plan(const struct plan_result *plan, struct arena *arena, struct report_work *work,
                  struct error *err) MUST_USE;

#endif
