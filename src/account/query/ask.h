/* ask.h - what people ask about money, as it is typed, and what an answer is made of. */
#ifndef ACCOUNT_QUERY_ASK_H
#define ACCOUNT_QUERY_ASK_H

#include "account/query/groups.h"
#include "account/query/spending.h"
#include "doc/field.h"
#include "unit/moment.h"

/* What most questions take. */
struct costs_ask {
    struct days_asked days;
    struct strs where;
    struct str cost, from, currency;
};

extern const char *const costs_kinds[], *const costs_sources[];
extern const char *const costs_kinds_others[]; /* what kinds are called elsewhere */

/* The query of an ask; `days`: how many, when none are given; 0: any. */
bool costs_query(const struct costs_ask *ask, day today, int32_t days,
                 struct spending_query *out, struct error *err) MUST_USE;

/* --by of commands that take no length of time; `default_by` when nothing is given, if it is
 * not NULL. `names`: the dimensions, for the result. */
bool costs_by_dimensions(struct strs given, const char *default_by, struct arena *arena,
                         struct costs_by *out, struct strs *names, struct error *err) MUST_USE;

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

#endif
