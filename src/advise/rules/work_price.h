/* work_price.h - what a work would cost otherwise: on spot, in another region, at another hour,
 * moved.
 *
 * Pure: the machines that are sold and the catalog in, members of struct advise_work out.
 */
#ifndef ADVISE_WORK_PRICE_H
#define ADVISE_WORK_PRICE_H

#include "advise/rules/rule.h"
#include "catalog/catalog.h"

/* What is known today. Needs TABLE_ACCELERATORS, TABLE_NAMES, TABLE_INTERRUPTIONS,
 * TABLE_PRICE_HOURS and TABLE_TRANSFER. */
struct work_pricing {
    const struct catalog *catalog;
    const struct constants *constants;
    const struct machine *machines; /* of all providers */
    size_t count;
    struct strs accounts; /* providers that the user has accounts with */
    day today;
    struct arena *arena;
};

/* Nothing of it is known when the work's machine or its time is not. */
bool work_is_priced(const struct advise_work *work);

/* Spot, another region, other hours of the week, and moving its data. */
bool work_price(const struct work_pricing *p, struct advise_work *work,
                struct error *err) MUST_USE;

/* Fill in what its machine and the user add to an option that was priced for one run: all runs,
 * memory, the account, how old the price is. */
bool work_price_option(const struct work_pricing *p, const struct advise_work *work,
                       struct advise_option *option, struct error *err) MUST_USE;

#endif
