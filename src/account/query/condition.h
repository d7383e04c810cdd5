/* condition.h - conditions on dimensions: "team=nlp", "gpu=H100*", "service!=AWS Support".
 *
 * Case does not matter and * matches any characters; an empty value, or (none), means that the
 * dimension has no value.
 */
#ifndef ACCOUNT_QUERY_CONDITION_H
#define ACCOUNT_QUERY_CONDITION_H

#include "account/account.h"
#include "base/str.h"
#include "bill/dimension.h"

struct condition {
    enum dimension of;
    bool negated;
    bool hit; /* some value matched the pattern */
    struct str glob;
    struct suggestion near; /* `best` is in `room`: values do not last */
    char room[80];
};

/* One, for options that take it. ERROR_USAGE with a suggestion. */
bool condition_parse(struct str text, struct condition *out, struct error *err) MUST_USE;

/* As many as there are texts, in the arena. */
bool conditions_parse(struct strs texts, struct arena *arena, struct condition **out,
                      struct error *err) MUST_USE;

/* Do all of them hold? Notes in each whether its value is ever met, and which came near. */
bool conditions_hold(struct condition *all, size_t count, const struct dimensions *of);

/* Warn of values that no cost had, with the nearest that one had. `ever`: of all days. */
void conditions_warn(const struct condition *all, size_t count, bool ever,
                     const struct messages *to);

#endif
