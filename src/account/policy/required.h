/* required.h - tags that the allocation policy requires of runs. */
#ifndef ACCOUNT_POLICY_REQUIRED_H
#define ACCOUNT_POLICY_REQUIRED_H

#include "account/account.h"
#include "account/policy/allocate.h"
#include "ledger/ledger.h"

/* Has a run the tags that are required, its own or by a rule? Warns when not, or refuses it
 * when the policy does: "--tag team=...,project=...". */
bool account_require_tags(const struct account_source *account,
                          const struct allocation_policy *policy,
                          const struct ledger_start *start, struct error *err) MUST_USE;

/* The same for a run that is about to begin, by the ledger's own policy. A policy that cannot
 * be read is no reason not to run. */
bool account_check_start(const struct account_source *account, const struct ledger_start *start,
                         struct error *err) MUST_USE;

#endif
