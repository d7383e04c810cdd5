/* spot_place.h - where a provider's machine type costs least on spot, interruptions included.
 *
 * The same type costs 41 % of on-demand in one region and 70 % in another, and where it costs
 * more it is also lost more often: the region is half of the decision.
 */
#ifndef ADVISE_SPOT_PLACE_H
#define ADVISE_SPOT_PLACE_H

#include "advise/rules/rented.h"
#include "spot/interruption.h"

/* A new machine, the checkpoint read, the work since it. */
#define SPOT_RESTART_HOURS (10 / 60.0)

struct spot_place {
    const struct machine *machine;          /* NULL: nowhere, or not known */
    double share;                           /* spot there over on-demand here */
    double losses, losses_low, losses_high; /* interruptions in those hours: 80 % range */
    bool elsewhere;                         /* in another region than the rented one */
};

/* For work of `hours` that is saved and goes on after an interruption. The rented machine's own
 * region, unless another costs at least 10 % less; prices that are old are not compared. The
 * rented machine must be among `machines`. */
struct spot_place cheapest_spot(const struct rented *rented, const struct machine *machines,
                                size_t count, day today, const struct interruption_model *model,
                                double hours);

#endif
