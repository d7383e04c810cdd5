/* bills.h - what bills show that runs do not: machines left on or never used, and what is paid
 * for beside machines.
 */
#ifndef ADVISE_BILLS_H
#define ADVISE_BILLS_H

#include "account/reconcile/reconciliation.h"
#include "advise/rules/rule.h"

/* Fill what the facts have of bills, and the money of no work. `offers` has TABLE_OFFERS
 * loaded: which machines have GPUs. `scale` turns money of the period into the findings'
 * unit. Amounts in other currencies than dollars are left out. */
bool advise_bills_take(const struct reconciliation *bills, const struct catalog *offers,
                       double scale, struct arena *arena, struct advise_facts *facts,
                       struct error *err) MUST_USE;

/* Does the machine answer others, by its name or tags? */
bool advise_is_service(const struct reconcile_resource *machine);

/* Is it one that somebody works on, by its name: a notebook? */
bool advise_is_notebook(const struct reconcile_resource *machine);

/* Is the thing a copy of one that is listed before it: as much of it on as many days, and it
 * was not read? */
bool advise_is_copy(const struct advise_bills *bills, size_t number);

#endif
