/* allocation.h - the allocation policy of the ledger: set, shown, tried out, removed. */
#ifndef OP_ACCOUNT_ALLOCATION_H
#define OP_ACCOUNT_ALLOCATION_H

#include "account/policy/allocate.h"
#include "doc/field.h"
#include "ledger/budgets.h"
#include "op/options.h"

struct op_context; /* op/context.h */

extern const struct op op_allocation_check, op_allocation_remove, op_allocation_set,
    op_allocation_show;

#define ALLOCATION_MAX ((size_t)1 << 20) /* bytes of a policy */

/* The policy in force; an empty one when there is none, or no ledger (NULL). */
const struct policy *op_policy(struct op_context *ctx, struct ledger *ledger,
                               struct error *err) MUST_USE;

/* A policy in a file. */
const struct policy *op_policy_file(struct op_context *ctx, struct str file, struct str *text,
                                    struct error *err) MUST_USE;

/* Has a run the tags that are required, its own or by a rule? Says so when not, or refuses it
 * when the policy does: "--tag team=...,project=...". */
bool op_require_tags(struct op_context *ctx, const struct policy *policy,
                     const struct ledger_start *start, struct error *err) MUST_USE;

/* The same for a run that is about to begin, by the ledger's own policy. `ledger`: NULL when there
 * is none. A policy that cannot be read is no reason not to run. */
bool allocation_check_start(struct op_context *ctx, struct ledger *ledger,
                            const struct ledger_start *start, struct error *err) MUST_USE;

struct allocation_request {
    struct str file;
    struct op_days days;
};

/* A rule, a shared or a recurring cost, and what it is about in one currency. */
struct allocation_row {
    struct str kind; /* "rule", "shared", "recurring" */
    int64_t line;
    struct str name, words;
    int64_t lines, runs;  /* that it matches; -1: not counted */
    struct money amount;  /* of them */
    struct money changed; /* of what the rule sets a tag of */
};

/* How much of the money has a tag. */
struct allocation_coverage {
    struct str tag, currency;
    struct money total, before, after;
};

struct allocation_result {
    struct str file, ledger, text;
    struct str set_at;
    bool none, same; /* there is no policy; it is what was there */
    struct strs required;
    struct str enforce;
    int64_t rules, shared, recurring;
    struct rows rows;     /* struct allocation_row */
    struct rows coverage; /* struct allocation_coverage, of tags whose share changed */
    day since, until;     /* that was looked at */
};

#endif
