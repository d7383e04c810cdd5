/* ledger_policy.h - the allocation policy that the ledger keeps. */
#ifndef ACCOUNT_POLICY_LEDGER_POLICY_H
#define ACCOUNT_POLICY_LEDGER_POLICY_H

#include "account/policy/allocate.h"
#include "ledger/ledger.h"

#define LEDGER_POLICY_DOCUMENT "allocation" /* its name among the ledger's documents */

/* Read it; NULL in `out` when the ledger has none. */
bool ledger_policy_read(struct ledger *ledger, struct arena *arena,
                        const struct allocation_policy **out, struct error *err) MUST_USE;

/* The same, or an empty one: of a ledger without a policy, and of no ledger at all (NULL). NULL
 * with the error set. */
const struct allocation_policy *
ledger_policy_or_none(struct ledger *ledger, struct arena *arena, struct error *err) MUST_USE;

#endif
