/* The tags that a run must have, looked at before it begins. */
#include "op/account/allocation.h"
#include "op/run/run_start.h"

bool run_check_tags(struct op_context *ctx, struct ledger *ledger,
                    const struct ledger_start *start, struct error *err)
{
    struct error why = {0};
    const struct policy *policy;

    /* The next attempt at a run has the tags of the first. */
    if (ledger == NULL || start->resume_id[0] != '\0')
        return true;
    policy = op_policy(ctx, ledger, &why);
    if (policy != NULL)
        return op_require_tags(ctx, policy, start, err);
    op_say(ctx, VOICE_WARN, "tags were not looked at: %s", why.text);
    return true;
}
