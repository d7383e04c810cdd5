/* The tags that a run must have, looked at before it begins. */
#include "op/allocation.h"
#include "op/run_start.h"

#define PATIENCE ((span){INT64_C(5000000000)})

bool run_check_tags(struct op_context *ctx, const char *ledger,
                    const struct ledger_start *start, struct error *err)
{
    struct error why = {0};
    struct ledger *l;
    const struct policy *policy = NULL;
    bool opened;

    /* The next attempt at a run has the tags of the first. */
    if (ledger == NULL || start->resume_id[0] != '\0')
        return true;
    l = ledger_open(ledger, LEDGER_READ, PATIENCE, ctx->clock, ctx->arena->alloc, &why);
    opened = l != NULL;
    if (opened)
        policy = op_policy(ctx, l, &why);
    ledger_close(l);
    if (policy != NULL)
        return op_require_tags(ctx, policy, start, err);
    if (opened)
        op_say(ctx, VOICE_WARN, "tags were not looked at: %s", why.text);
    return true;
}
