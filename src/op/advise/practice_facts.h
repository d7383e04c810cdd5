/* practice_facts.h - the facts of a period, measured in the ledger and the configuration. */
#ifndef OP_ADVISE_PRACTICE_FACTS_H
#define OP_ADVISE_PRACTICE_FACTS_H

#include "advise/practice/practice.h"
#include "ledger/ledger.h"
#include "unit/time.h"

struct op_context; /* op/context.h */

/* Of the days from `since` to before `until`. `ledger`: NULL: there is none, and little is
 * known. Quiet. A fact that cannot be computed (a currency without a rate) is unknown, and its
 * evidence says why; false only when the ledger cannot be read or memory runs out. */
bool op_practices(struct op_context *ctx, struct ledger *ledger, day since, day until,
                  struct practices *out, struct error *err) MUST_USE;

#endif
