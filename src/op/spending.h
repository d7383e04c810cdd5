/* spending.h - questions about money from an operation: the account of its context, what requests have in common, and what
 * goes below every answer.
 */
#ifndef OP_SPENDING_H
#define OP_SPENDING_H

#include "account/query/groups.h"
#include "account/query/spending.h"
#include "doc/field.h"

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
    struct str since, until, month;
    struct strs where;
    struct str cost, from, currency;
};

extern const char *const costs_kinds[], *const costs_sources[];
extern const char *const costs_kinds_others[]; /* what kinds are called elsewhere */

#define COSTS_ASK(record, default_since) \
    FIELD_AS( \
        "since", TEXT, record, ask.since, .value = "WHEN", \
        .help = "from this day: 30d (the last 30 days) or 2026-11-01 (default: " default_since \
                ")"), \
        FIELD_AS("until", TEXT, record, ask.until, .value = "DAY", \
                 .help = "the last day: 2026-11-30, or 1d for yesterday"), \
        FIELD_AS("month", TEXT, record, ask.month, .value = "MONTH", \
                 .help = "this month instead: 2026-10"), \
        FIELD_AS( \
            "where", TEXTS, record, ask.where, .value = "CONDITION", .whole = true, \
            .help = \
                "only what matches: gpu=H100, 'team=nlp*'; may be repeated, all must match"), \
        FIELD_AS("cost", CHOICE, record, ask.cost, .value = "KIND", .choices = costs_kinds, \
                 .others = costs_kinds_others, .fallback = "effective", \
                 .help = "effective, billed, list or contracted"), \
        FIELD_AS("from", CHOICE, record, ask.from, .value = "WHAT", .choices = costs_sources, \
                 .fallback = "all", .help = "all, bills, or runs as they were metered"), \
        FIELD_AS("currency", TEXT, record, ask.currency, .value = "CODE", \
                 .help = "convert to this currency, at the rate of each day")

/* The query of an ask; `days`: how many, when none are given; 0: any. */
bool costs_query(const struct op_context *ctx, const struct costs_ask *ask, int32_t days,
                 struct spending_query *out, struct error *err) MUST_USE;

/* What an answer is made of. */
struct costs_basis {
    day since, until; /* the first and the last day; DAY_UNKNOWN: any */
    struct str ledger;
    bool none_yet; /* there is no ledger */
    bool filtered; /* conditions were given */
    int64_t unpriced;
    day billed_until;
    struct str kind, converted, rate_source; /* converted: the currencies that were */
    day rates_from, rates_to;
};

extern const struct field_set costs_basis_fields;

void costs_basis_of(const struct op_context *ctx, const struct spending_query *query,
                    const struct costs_ask *ask, const struct spending_answer *answer,
                    struct costs_basis *out);

/* Write rows to a file that the user named. */
bool costs_csv(const struct op_context *ctx, struct str path, const struct field_set *columns,
               const struct rows *rows, struct error *err) MUST_USE;

#endif
