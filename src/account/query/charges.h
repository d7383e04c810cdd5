/* charges.h - attempts of runs with their dimensions; read once for many questions.
 *
 * A report asks a dozen questions about the same days. Reading 100,000 attempts from a ledger
 * takes most of the time of each; those that are remembered take 72 bytes each, and dimensions
 * that many have in common are kept once.
 */
#ifndef ACCOUNT_QUERY_CHARGES_H
#define ACCOUNT_QUERY_CHARGES_H

#include "account/query/charge.h"

/* Of what is remembered, a charge has its key, number, cost, compute, times, GPUs and how busy
 * they were, and whether it is "running"; other texts and numbers are empty. */
typedef bool charge_visitor(void *ctx, const struct ledger_charge *charge,
                            const struct dimensions *of, struct error *err);

/* Which attempts: those under way from `since` to before `until` (ledger_charges()). */
struct charge_question {
    const struct coverage *coverage; /* of the ledger's bills */
    uint64_t wanted;                 /* dimensions that may have to be looked up, as bits */
    stamp since, until;
};

/* Every such attempt, with its dimensions as the account's policy sets them. From memory where
 * the account remembers these days. */
bool account_charges(const struct account_source *account,
                     const struct charge_question *question, charge_visitor *each, void *ctx,
                     struct error *err) MUST_USE;

/* Remember the attempts from the day `since` on: questions that this account is asked about
 * later days do not read them again. The ledger must be held (ledger_hold()) until the last. */
bool account_remember(struct account_source *account, day since, struct error *err) MUST_USE;

#endif
