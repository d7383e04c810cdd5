/* billed.h - machines on bills of accounts without runs: what they would cost on spot, in
 * another region, or with a newer GPU, as facts for rules.
 */
#ifndef ADVISE_BILLED_H
#define ADVISE_BILLED_H

#include "advise/rules/bills.h"
#include "catalog/catalog.h"

struct map; /* base/map.h */

/* What is sold. Needs TABLE_ACCELERATORS, TABLE_NAMES and TABLE_INTERRUPTIONS. */
struct billed_market {
    const struct catalog *catalog;
    const struct machine *machines; /* of all providers */
    size_t count;
    day today;
};

/* Is any machine of an account without runs on the bills? */
bool advise_billed_any(const struct reconciliation *bills);

/* `bills` was taken by advise_bills_take(). Each machine counts for the one that saves most of
 * it. `hours`: of the period. */
bool advise_billed_take(const struct reconciliation *bills, const struct billed_market *market,
                        double hours, struct arena *arena, struct advise_facts *facts,
                        struct error *err) MUST_USE;

/* Adds the machines that one of these ways makes cheaper for certain (its range does not begin
 * at nothing), by their ids in lower case: they are not to be committed to. */
bool advise_billed_moves(const struct reconciliation *bills, const struct billed_market *market,
                         double hours, struct arena *arena, struct map *ids,
                         struct error *err) MUST_USE;

#endif
