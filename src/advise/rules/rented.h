/* rented.h - rented machines among those that are sold, and where the provider rents the same
 * for less. */
#ifndef ADVISE_RENTED_H
#define ADVISE_RENTED_H

#include "catalog/machine.h"

#define RENTED_STALE_DAYS 180 /* a price that old is a question */

/* A machine type as runs or bills name it, and what an hour of it costs on demand there. */
struct rented {
    struct str provider, region, instance;
    double hourly;
};

/* Is that machine of the rented type, at its provider, with a price on demand? */
bool rented_is_of_type(const struct rented *rented, const struct machine *machine);

/* The row of the rented machine itself; NULL: it is not among them. */
const struct machine *rented_machine(const struct rented *rented,
                                     const struct machine *machines, size_t count);

/* The cheapest region of the provider for the same type, on demand, when it is at least 5 %
 * cheaper; `share` is what it costs there over what it costs here. Prices of the same day are
 * compared, or such as are not old. Among those that cost the same, one of the same part of the
 * world. NULL: there is none, or it is not known. */
const struct machine *cheaper_region(const struct rented *rented,
                                     const struct machine *machines, size_t count, day today,
                                     double *share);

#endif
