#include "op/deliver.h"
#include "op/context.h"

struct alert_sender op_sender(const struct op_context *ctx, struct ledger *ledger)
{
    return (struct alert_sender){.ledger = ledger,
                                 .arena = ctx->arena,
                                 .clock = ctx->clock,
                                 .log = ctx->messages.log,
                                 .stopped = ctx->watch.stopped};
}

bool op_deliver(struct op_context *ctx, struct ledger *ledger, struct alert_sent *out,
                struct error *err)
{
    struct alert_sender with = op_sender(ctx, ledger);

    return alert_deliver(&with, out, err);
}
