/* price_works.h - what the works that rules look at would cost elsewhere: other machines, spot
 * with its risk, other hours. */
#ifndef OP_ADVISE_PRICE_WORKS_H
#define OP_ADVISE_PRICE_WORKS_H

#include "advise/rules/rule.h"

struct op_context; /* op/context.h */

#define ADVISE_PRICED 200 /* works that are priced elsewhere: the most expensive */

/* Price the works. The facts are of this call: what they refer to is in the arena. */
bool advise_price_works(struct op_context *ctx, struct advise_facts *facts,
                        struct error *err) MUST_USE;

#endif
