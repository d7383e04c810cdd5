/* allocate.h - whose money it was: tags that must be there, rules that set them, and shared
 * costs that are split. Pure.
 *
 * The policy is one YAML document (docs/guide/allocation.md), kept in the ledger.
 */
#ifndef ACCOUNT_POLICY_ALLOCATE_H
#define ACCOUNT_POLICY_ALLOCATE_H

#include "base/decimal.h"
#include "bill/dimension.h"
#include "doc/field.h"
#include "unit/money.h"
#include "unit/time.h"

/* ---- the document ---- */

/* What a condition looks at. */
enum policy_look {
    LOOK_DIMENSION,
    LOOK_RESOURCE,
    LOOK_RESOURCE_NAME,
    LOOK_DESCRIPTION,
    LOOK_TAG, /* any tag of the bill, by its own key */
};

struct policy_condition {
    enum policy_look look;
    enum dimension dimension;
    struct str tag;
    struct strs globs; /* one must match */
};

struct policy_conditions {
    const struct policy_condition *at;
    size_t len;
};

struct policy_setting {
    enum dimension dimension;
    struct str value;
};

struct policy_settings {
    const struct policy_setting *at;
    size_t len;
};

struct policy_rule {
    unsigned line;                 /* of the document */
    struct policy_conditions when; /* none: everything */
    struct policy_settings set;
    bool override;
    struct str words; /* "account=1234*, service=AmazonEC2 -> team=nlp (override)" */
};

enum policy_split {
    SPLIT_USAGE,
    SPLIT_EVEN,
    SPLIT_WEIGHTS,
};

struct policy_weight {
    struct str name;
    struct decimal amount;
};

struct policy_shared {
    unsigned line;
    struct str name, words; /* "charge=Tax, split by usage over team" */
    struct policy_conditions when;
    enum policy_split split;
    enum dimension over; /* the tag by which it is split */
    struct strs among;   /* patterns; none: all that are there */
    const struct policy_weight *weights;
    size_t weight_count;
};

enum policy_per {
    PER_DAY,
    PER_MONTH,
    PER_YEAR,
};

extern const char *const policy_per_names[]; /* "day", ... */

struct policy_recurring {
    unsigned line;
    struct str name;
    struct money cost;
    enum policy_per per;
    day from, until; /* the last day; DAY_UNKNOWN: it goes on */
    struct dimensions of;
};

struct allocation_policy {
    const struct alloc *alloc; /* for reading tags */
    struct strs required;      /* tags, as dimension_name() has them: "team", "cost_center" */
    bool refuses;              /* a run without them is refused, not warned of */
    struct policy_rule *rules;
    size_t rule_count;
    struct policy_shared *shared;
    size_t shared_count;
    struct policy_recurring *recurring;
    size_t recurring_count;
};

/* NULL with the error set: FILE:LINE and what to write instead. Empty text is an empty policy.
 * Texts are copied to the arena. */
const struct allocation_policy *policy_read(struct str yaml, const char *name,
                                            struct arena *arena, struct error *err) MUST_USE;

/* What a rule may look at besides dimensions. Unknown texts are empty. */
struct subject {
    const struct dimensions *of;
    struct str resource, resource_name, description, tags; /* tags: JSON, for "tag.app: x" */
    /* Besides their names, which the dimensions have: either may be meant by "account: x". */
    struct str account_id, sub_account_id;
};

/* Set what the rules set in `out`, which holds what is known already (`subject->of` may be
 * `out` itself). Rules go in the order of the file, and each sees what those before it set in
 * `out`; a rule never changes what is there unless it has `override`. Values live as long as
 * the policy. */
void policy_apply(const struct allocation_policy *policy, const struct subject *subject,
                  struct dimensions *out);

/* One rule by itself: does it match? Then it sets its tags in `has`; `changed`: something
 * was not so before. */
bool policy_rule_apply(const struct allocation_policy *policy, size_t i,
                       const struct subject *subject, struct dimensions *has, bool *changed);

bool policy_shared_matches(const struct allocation_policy *policy, size_t i,
                           const struct dimensions *of);

/* What a recurring cost comes to from `since` to `until` (the first day after), exactly: the
 * parts of a month add up to the month. */
bool policy_recurring_cost(const struct allocation_policy *policy, size_t i, day since,
                           day until, struct decimal *out, struct error *err) MUST_USE;

/* ---- splitting ---- */

/* An amount of someone, for splitting. */
struct share {
    struct dimensions of;
    day on; /* the day that it is of, or the first of its month */
    struct currency currency;
    struct decimal amount;
    bool metered;         /* no bill covers it yet, nor any part of it */
    const void *of_row;   /* the caller's own, for amounts that no rule shared */
    struct str shared_by; /* empty: direct; else the rule that gave it */
    struct str recurring; /* empty: recorded; else the recurring cost that it is */
    struct str kept_by;   /* a rule would have shared it, but no one could take it */
};

struct share_list {
    const struct share *at;
    size_t count;
};

/* The dimensions by which amounts must be apart for policy_split() to see what it looks at:
 * bits of enum dimension. */
uint64_t policy_split_by(const struct allocation_policy *policy);

/* Recurring costs of these days are added first. With DAY_UNKNOWN, from their own first day, or
 * to their own last (one that has none is not added). */
struct split_days {
    day since, until; /* the first day, and the first day after */
    bool each;        /* a share for each day; else one for all of them, which is of `since` */
    bool unsplit;     /* that is all: nothing is split */
};

/* Take the amounts that a `shared` rule matches and give them to the others by
 * usage, evenly or by weight; rules in the order of the file, each on what those before it
 * left. The sum stays the same to the last digit: what cannot be divided goes by the largest
 * remainders, of equal ones to who uses more, then by name. It is the sum of all that the rule
 * matches in a currency that is divided so, and the amounts that it is made of get their parts
 * of that: what one gets does not depend on how finely the amounts were divided. An amount
 * that no one can take stays where it is, with `kept_by` set. Usage is that of the amounts
 * given: ask month by month, so that a month's shares do not change with the next. */
bool policy_split(const struct allocation_policy *policy, struct share_list in,
                  const struct split_days *days, struct arena *arena, struct share_list *out,
                  struct error *err) MUST_USE;

#endif
