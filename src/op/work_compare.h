/* work_compare.h - the same work on every provider and market.
 *
 * Work on GPUs goes to machines with GPUs; work that used none to machines without, which are
 * assumed to take as long. Machines whose processor has another architecture (ARM) would need
 * another build of the software: they are only compared with work that ran on such a machine.
 *
 * Times on other GPUs are modeled (estimate/relative.h), prices are those of today with
 * set-up and billing steps (market/compare.h). Of each provider and market the cheapest machine
 * is listed that has enough memory and is done in at most COMPARE_SLOWEST of the time.
 */
#ifndef OP_WORK_COMPARE_H
#define OP_WORK_COMPARE_H

#include "report/work_elsewhere.h"
#include "report/work_facts.h"

struct op_context; /* op/context.h */

/* Without a time there are no options; `why` says so, and is empty otherwise. */
bool op_work_compare(struct op_context *ctx, const struct report_work *work,
                     struct work_comparison *out, struct str *why, struct error *err) MUST_USE;

#endif
