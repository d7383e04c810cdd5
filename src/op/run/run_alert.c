#include "op/run/run_alert.h"

#include "alert/channel.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "settings/settings.h"

/* Are they channels of the ledger? */
static bool check_channels(struct op_context *ctx, struct strs names, struct error *err)
{
    struct ledger *ledger = NULL;
    struct error problem = {0};
    bool ok;

    if (!op_ledger_there(ctx, &ledger, &problem)) {
        message_warn(&ctx->messages, "alerts may not be sent: %s", problem.text);
        return true;
    }
    ok = channels_check(ledger, names, ctx->arena, err);
    ledger_close(ledger);
    return ok;
}

bool run_alert_command(struct op_context *ctx, struct strs channels, struct strs on,
                       struct alert_events *out, struct error *err)
{
    return alert_events_make(channels, on, ctx->settings->ledger, ctx->arena, out, err) &&
           (out->command == NULL || check_channels(ctx, channels, err));
}
