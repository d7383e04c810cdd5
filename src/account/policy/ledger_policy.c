#include "account/policy/ledger_policy.h"

#include "ledger/budgets.h"

bool ledger_policy_read(struct ledger *ledger, struct arena *arena, const struct policy **out,
                        struct error *err)
{
    struct str text;
    stamp changed;

    *out = NULL;
    if (!ledger_document(ledger, LEDGER_POLICY_DOCUMENT, arena, &text, &changed, err))
        return false;
    if (text.len == 0)
        return true;
    *out = policy_read(text, LEDGER_POLICY_DOCUMENT, arena, err);
    return *out != NULL;
}
