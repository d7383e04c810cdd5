/* advise_bills.h - what reconciled bills show, as facts for rules: machines that stay on, and
 * machines of accounts without runs.
 */
#ifndef OP_ADVISE_ADVISE_BILLS_H
#define OP_ADVISE_ADVISE_BILLS_H

#include "advise/rules/bills.h"
#include "ledger/ledger.h"

struct map;        /* base/map.h */
struct op_context; /* op/context.h */

/* Of the days from `since` to before `until`; nothing where there are no bills. `scale` turns
 * money of the period into that of a month. */
bool op_advise_bills(struct op_context *ctx, struct ledger *ledger, day since, day until,
                     double scale, struct advise_facts *facts, struct error *err) MUST_USE;

/* advise_billed_moves() with the machines that are sold today. */
bool op_billed_moves(struct op_context *ctx, const struct reconciliation *bills, double hours,
                     struct map *ids, struct error *err) MUST_USE;

#endif
