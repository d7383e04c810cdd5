/* advise_left_on.h - machines that stay on after runs, from bills, as a fact for rules. */
#ifndef OP_ADVISE_ADVISE_LEFT_ON_H
#define OP_ADVISE_ADVISE_LEFT_ON_H

#include "advise/rules/rule.h"

struct ledger;     /* ledger/ledger.h */
struct op_context; /* op/context.h */

/* What bills charged for machines that runs were on, while none ran: from `since` to before
 * `until`, in dollars. `scale` turns it into the findings' unit. The ledger is held. */
bool advise_left_on_read(struct op_context *ctx, struct ledger *ledger, day since, day until,
                         double scale, struct advise_facts *facts, struct error *err) MUST_USE;

#endif
