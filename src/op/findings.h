/* findings.h - what `stint advise` finds, for reports: the operation is called by its name, so
 * that the numbers are the same.
 */
#ifndef OP_FINDINGS_H
#define OP_FINDINGS_H

#include "report/findings.h"

struct op_context; /* op/context.h */

/* Of a run, by its id. What advise needs of memory is given back. A question that fails is
 * reported as a warning and as `problem`; false: no memory. */
bool op_findings_of_run(struct op_context *ctx, struct str id, struct report_findings *out,
                        struct error *err) MUST_USE;

/* Of a period, both days included. Of one with more than 20,000 runs only the 50 works that
 * cost most are looked at, which is noted. */
bool op_findings_of_period(struct op_context *ctx, day since, day until,
                           struct report_findings *out, struct error *err) MUST_USE;

#endif
