/* internal.h - a policy as it was read: what the files of allocate share. */
#ifndef ACCOUNT_POLICY_INTERNAL_H
#define ACCOUNT_POLICY_INTERNAL_H

#include "account/policy/allocate.h"
#include "doc/node.h"

/* What a condition looks at. */
enum look {
    LOOK_DIMENSION,
    LOOK_RESOURCE,
    LOOK_RESOURCE_NAME,
    LOOK_DESCRIPTION,
    LOOK_TAG, /* any tag of the bill, by its own key */
};

struct condition {
    enum look look;
    enum dimension dimension;
    struct str tag;
    struct strs globs; /* one must match */
};

struct conditions {
    const struct condition *at;
    size_t len;
};

struct setting {
    enum dimension dimension;
    struct str value;
};

struct settings_of {
    const struct setting *at;
    size_t len;
};

struct rule {
    unsigned line;
    struct conditions when; /* none: everything */
    struct settings_of set;
    bool override;
    struct str words;
};

enum split {
    SPLIT_USAGE,
    SPLIT_EVEN,
    SPLIT_WEIGHTS,
};

struct weight {
    struct str name;
    struct decimal amount;
};

struct shared {
    unsigned line;
    struct str name, words;
    struct conditions when;
    enum split split;
    enum dimension over;
    struct strs among; /* patterns; none: all that are there */
    const struct weight *weights;
    size_t weight_count;
};

enum per {
    PER_DAY,
    PER_MONTH,
    PER_YEAR,
};

struct recurring {
    unsigned line;
    struct str name;
    struct money cost;
    enum per per;
    day from, until;
    struct dimensions of;
};

struct policy {
    const struct alloc *alloc; /* for reading tags */
    struct strs required;
    bool refuses;
    struct rule *rules;
    size_t rule_count;
    struct shared *shared;
    size_t shared_count;
    struct recurring *recurring;
    size_t recurring_count;
};

/* ---- read_parts.c ---- */

/* The document being read. */
struct reading {
    const char *name;
    struct arena *arena;
};

/* ---- words.c ---- */

/* ---- divide.c ---- */

/* Someone who takes a part. */
struct taker {
    struct str name;
    struct decimal amount; /* by which the parts go: usage, a weight, or 1 */
    uint64_t weight;       /* the same as a whole number */
};

#define DIVIDE_DECIMALS 9 /* parts have at least so many decimals, where they fit */

/* Whole weights of the amounts, all above zero or not at all; the sum of them fits 62 bits. */
void takers_weigh(struct taker *takers, size_t count);

/* floor(n * part / whole) and the remainder; `whole` is below 2^62 and not below `part`. */
__extension__ typedef unsigned __int128 natural;
struct quotient {
    natural q;
    uint64_t rest;
};
struct quotient divide_share(natural n, uint64_t part, uint64_t whole);

/* What is left over of a taker's part: who comes first gets one of the last digits. */
struct remainder {
    uint64_t rest, weight;
    struct str name;
    size_t at;
};

/* The parts of `amount`, which add up to it exactly. `order` is scratch, and as long as `parts`
 * and `takers`. Not all weights are zero. */
void divide_exactly(struct decimal amount, const struct taker *takers, size_t count,
                    struct remainder *order, struct decimal *parts);

#endif
