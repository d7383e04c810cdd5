/* offer_history.h - the week of an offer, with what the price store has of it. */
#ifndef OP_PLAN_OFFER_HISTORY_H
#define OP_PLAN_OFFER_HISTORY_H

#include "plan/week.h"

struct op_context; /* op/context.h */

/* Reads the prices of one offer and looks for patterns in them (a few ms), so ask for few. */
bool op_offer_week(struct op_context *ctx, const struct week_offer *offer,
                   struct offer_week *out, struct error *err) MUST_USE;

#endif
