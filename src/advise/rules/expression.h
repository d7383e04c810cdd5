/* expression.h - conditions and formulas over the facts of a record, as users write them.
 *
 *     utilization < 30% and cost > 10usd and not (market == "spot")
 *     min(idle_cost, 0.5 * cost) * (1 - utilization)
 *
 * Numbers with units, facts, texts in quotes, + - * /, comparisons, and/or/not, min and max,
 * parentheses. There are no loops, no variables and no functions of one's own: an expression is
 * evaluated in as many steps as it has words. Units are checked when it is read: dollars are
 * not compared with hours. What is not known makes the result unknown, unless the rest decides
 * it ("false and ..."); a division by zero is reported as one.
 */
#ifndef ADVISE_EXPRESSION_H
#define ADVISE_EXPRESSION_H

#include "doc/field.h"

#define EXPRESSION_LENGTH 1000 /* characters */
#define EXPRESSION_NODES 200
#define EXPRESSION_DEPTH 32

enum expression_kind { EXPRESSION_NUMBER, EXPRESSION_TRUTH, EXPRESSION_TEXT };

/* Powers of the units of a number: dollars an hour are {1, -1, 0}. */
struct dimension {
    int8_t usd, hours, bytes;
};

enum expression_state {
    VALUE_KNOWN,
    VALUE_UNKNOWN, /* a fact is not known */
    VALUE_DIVIDED, /* by zero */
};

struct expression_value {
    enum expression_state state;
    double number; /* dollars, hours, bytes */
    bool truth;
    struct str text;
};

struct expression; /* a parsed one, in the arena */

/* Read it: facts are the fields of the set. ERROR_INPUT with the column, a suggestion for a
 * fact that does not exist, and what units it would compare. */
bool expression_parse(struct str text, const struct field_set *facts, struct arena *arena,
                      const struct expression **out, struct error *err) MUST_USE;

enum expression_kind expression_kind(const struct expression *expression);
struct dimension expression_dimension(const struct expression *expression);

/* Its value for a record of the set. */
struct expression_value expression_value(const struct expression *expression,
                                         const void *record);

#endif
