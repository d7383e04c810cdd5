/* spending.h - questions about money from an operation: the account of its context, what
 * requests have in common, and what goes below every answer.
 */
#ifndef OP_SPENDING_H
#define OP_SPENDING_H

#include "account/query/ask.h"
#include "doc/field.h"
#include "op/options.h"

struct op_context; /* op/context.h */

/* The account that questions are answered from: of the ledger (NULL: there is none), with the
 * context's arena, day, messages and catalog. The context must outlive it. */
struct account_source op_account(struct op_context *ctx, struct ledger *ledger);

/* account_spending() of it. */
bool op_spending(struct op_context *ctx, struct ledger *ledger,
                 const struct spending_query *query, struct spending_answer *out,
                 struct error *err) MUST_USE;

/* Options of a costs_ask: the member `ask` of a request. */
#define COSTS_ASK(record, default_since) \
    OP_PERIOD(record, ask.days, default_since), COSTS_ASK_WHAT(record)

/* Without the period. */
#define COSTS_ASK_WHAT(record) \
    OP_WHERE(record, ask.where), \
        FIELD_AS("cost", CHOICE, record, ask.cost, .value = "KIND", .choices = costs_kinds, \
                 .others = costs_kinds_others, .fallback = "effective", \
                 .help = "kind of cost: effective, billed, list or contracted"), \
        FIELD_AS("from", CHOICE, record, ask.from, .value = "WHAT", .choices = costs_sources, \
                 .fallback = "all", \
                 .help = "source of costs: all, bills, or runs as metered"), \
        OP_CURRENCY(record, ask.currency)

/* What the answer is made of; `ledger`: that was asked; NULL: there is none. */
void costs_basis_of(const struct op_context *ctx, const struct ledger *ledger,
                    const struct spending_query *query, const struct costs_ask *ask,
                    const struct spending_answer *answer, struct costs_basis *out);

#endif
