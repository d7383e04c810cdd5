/* allocation.h - what is in an allocation policy, the cost that each part of it matches, and
 * how much of the money has which tag. */
#ifndef ACCOUNT_POLICY_ALLOCATION_H
#define ACCOUNT_POLICY_ALLOCATION_H

#include "account/account.h"
#include "account/policy/allocate.h"

enum allocation_kind { ALLOCATION_RULE, ALLOCATION_SHARED, ALLOCATION_RECURRING };

/* A rule, a shared or a recurring cost, and what it matches in one currency. */
struct allocation_row {
    enum allocation_kind kind;
    int64_t line;
    struct str name, words;
    int64_t lines, runs;  /* that it matches; -1: not counted */
    struct money amount;  /* of them */
    struct money changed; /* of what the rule sets a tag of */
};

struct allocation {
    struct strs required; /* tags */
    struct str enforce;   /* "warn" or "refuse" */
    int64_t rules, shared, recurring;
    struct rows rows; /* struct allocation_row */
};

extern const struct field_set allocation_fields; /* of struct allocation */

/* What is in a policy, without what it matches. */
bool allocation_describe(const struct allocation_policy *policy, struct arena *arena,
                         struct allocation *out, struct error *err) MUST_USE;

/* The same, with what each part matches from `since` to the day before `until`: a row for each
 * currency. */
bool account_allocation(const struct account_source *account,
                        const struct allocation_policy *policy, day since, day until,
                        struct allocation *out, struct error *err) MUST_USE;

/* ---- how much of the money has a tag ---- */

/* In one currency, of all that was ever recorded. */
struct tagged_money {
    const struct tagged_currency {
        struct currency currency;
        struct decimal total, of[DIMENSION_COUNT];
    } * at;
    size_t count;
};

bool account_tagged_money(const struct account_source *account, struct tagged_money *out,
                          struct error *err) MUST_USE;

/* A tag whose amount changed. */
struct tagged_change {
    struct str tag;
    struct money total, before, after;
};

extern const struct field_set tagged_change_fields;

/* What is different: struct tagged_change. */
bool tagged_money_changes(const struct tagged_money *before, const struct tagged_money *after,
                          struct arena *arena, struct rows *out, struct error *err) MUST_USE;

#endif
