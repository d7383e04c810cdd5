/* advise_commitment.h - the commitment that is recommended, as a fact for rules. */
#ifndef OP_ADVISE_ADVISE_COMMITMENT_H
#define OP_ADVISE_ADVISE_COMMITMENT_H

#include "advise/rules/rule.h"

struct op_context; /* op/context.h */

/* What a commitment would save, by the load from that day to that one (op_commitments). */
bool advise_price_commitment(struct op_context *ctx, day since, day until,
                             struct advise_facts *facts, struct error *err) MUST_USE;

#endif
