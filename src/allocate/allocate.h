/* allocate.h - whose money it was: tags that must be there, rules that set them, and shared costs
 * that are split. Pure.
 *
 * The policy is one YAML document (docs/allocation.md), kept in the ledger.
 */
#ifndef ALLOCATE_ALLOCATE_H
#define ALLOCATE_ALLOCATE_H

#include "base/decimal.h"
#include "bill/dimension.h"
#include "doc/field.h"
#include "unit/money.h"
#include "unit/time.h"

struct policy; /* parsed; lives in the arena */

/* NULL with the error set: FILE:LINE and what to write instead. Empty text is an empty policy. */
const struct policy *policy_read(struct str yaml, const char *name, struct arena *arena,
                                 struct error *err) MUST_USE;

/* What a rule may look at besides dimensions. Unknown texts are empty. */
struct subject {
    const struct dimensions *of;
    struct str resource, resource_name, description, tags; /* tags: JSON, for "tag.app: x" */
};

/* Set what the rules say, the first rule that matches first; a rule never changes what is there
 * unless it says `override`. Values live as long as the policy. */
void policy_apply(const struct policy *policy, const struct subject *subject,
                  struct dimensions *out);

/* Tags that must be there. */
struct strs policy_required(const struct policy *policy);
bool policy_refuses(
    const struct policy *policy); /* a run without them is refused, not warned of */

/* An amount of someone, for splitting. */
struct share {
    struct dimensions of;
    char currency[4];
    struct decimal amount;
    struct str shared_by; /* empty: direct; else the rule that gave it */
};

/* Take the amounts that a `shared` rule matches and give them to the others as it says: by
 * usage, evenly or by weight. The sum stays the same to the last digit: what cannot be divided
 * goes to the largest. An amount that nobody can take stays where it is. `period`: recurring
 * costs of it are added first. */
bool policy_split(const struct policy *policy, const struct share *in, size_t count, day since,
                  day until, struct arena *arena, const struct share **out, size_t *out_count,
                  struct error *err) MUST_USE;

#endif
