/* advise_billed.h - machines on bills of accounts without runs: what they would cost on
 * spot, in another region, or with a newer GPU, as facts for rules. */
#ifndef OP_ADVISE_ADVISE_BILLED_H
#define OP_ADVISE_ADVISE_BILLED_H

#include "advise/rules/bills.h"

struct map; /* base/map.h */

struct op_context; /* op/context.h */

/* `bills` was taken by advise_bills_take(). Each machine counts for the one that saves most of
 * it. `hours`: of the period. */
bool advise_billed_read(struct op_context *ctx, const struct reconciliation *bills,
                        double hours, struct advise_facts *facts, struct error *err) MUST_USE;

/* Adds the machines that one of these ways makes cheaper for certain (its range does not begin
 * at nothing), by their ids in lower case: they are not to be committed to. */
bool advise_billed_moves(struct op_context *ctx, const struct reconciliation *bills,
                         double hours, struct map *ids, struct error *err) MUST_USE;

#endif
