/* spending.h - questions about money from an operation: the account of its context, what
 * requests have in common, and what goes below every answer.
 */
#ifndef OP_SPENDING_H
#define OP_SPENDING_H

#include "account/query/groups.h"
#include "account/query/spending.h"
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

/* What most questions take. */
struct costs_ask {
    struct days_asked days;
    struct strs where;
    struct str cost, from, currency;
};

extern const char *const costs_kinds[], *const costs_sources[];
extern const char *const costs_kinds_others[]; /* what kinds are called elsewhere */

/* Its options: the member `ask` of a request. */
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

/* The query of an ask; `days`: how many, when none are given; 0: any. */
bool costs_query(const struct op_context *ctx, const struct costs_ask *ask, int32_t days,
                 struct spending_query *out, struct error *err) MUST_USE;

/* What an answer is made of. */
struct costs_basis {
    day since, until; /* the first and the last day; DAY_UNKNOWN: any */
    struct str ledger;
    bool no_ledger; /* there is no ledger */
    bool filtered;  /* conditions were given */
    int64_t unpriced;
    day billed_until;
    struct str kind;
    struct rates_used rates;
};

extern const struct field_set costs_basis_fields;

/* `ledger`: that was asked; NULL: there is none. */
void costs_basis_of(const struct op_context *ctx, const struct ledger *ledger,
                    const struct spending_query *query, const struct costs_ask *ask,
                    const struct spending_answer *answer, struct costs_basis *out);

/* --by of commands that take no length of time; `default_by` when nothing is given, if it is
 * not NULL. `names`: the dimensions, for the result. */
bool costs_by_dimensions(const struct op_context *ctx, struct strs given,
                         const char *default_by, struct costs_by *out, struct strs *names,
                         struct error *err) MUST_USE;

#endif
