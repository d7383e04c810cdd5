/* deliver.h - operations that raise alerts send what is due. */
#ifndef OP_DELIVER_H
#define OP_DELIVER_H

#include "alert/queue.h"

struct op_context; /* op/context.h */

/* The context's arena, clock and log for sending from this ledger. */
struct alert_sender op_sender(const struct op_context *ctx, struct ledger *ledger);

/* Send what is due (alert_deliver()). */
bool op_deliver(struct op_context *ctx, struct ledger *ledger, struct alert_sent *out,
                struct error *err) MUST_USE;

#endif
