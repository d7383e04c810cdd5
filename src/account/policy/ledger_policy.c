#include "account/policy/ledger_policy.h"

#include "ledger/budgets.h"

bool ledger_policy_read(struct ledger *ledger, struct arena *arena,
                        const struct allocation_policy **out, struct error *err)
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

const struct allocation_policy *ledger_policy_or_none(struct ledger *ledger,
                                                      struct arena *arena, struct error *err)
{
    const struct allocation_policy *p = NULL;

    if (ledger != NULL && !ledger_policy_read(ledger, arena, &p, err))
        return NULL;
    return p != NULL ? p : policy_read((struct str){0}, "", arena, err);
}
