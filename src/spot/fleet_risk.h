/* fleet_risk.h - the chance that machines of pools which fail together are lost. */
#ifndef SPOT_FLEET_RISK_H
#define SPOT_FLEET_RISK_H

#include "spot/fleet.h"

struct fleet_risk {
    size_t count;
    int64_t units[FLEET_POOLS_MAX]; /* of one machine, in common parts */
    double own[FLEET_POOLS_MAX];    /* chance of a pool's own failure */
    /* Pools by family, then group; shocks are at the first of each. */
    size_t order[FLEET_POOLS_MAX], family[FLEET_POOLS_MAX], group[FLEET_POOLS_MAX];
    double family_shock[FLEET_POOLS_MAX], group_shock[FLEET_POOLS_MAX];
    int64_t part;                  /* units in a common part */
    int64_t most;                  /* parts that can be counted */
    double *all, *member, *pooled; /* [most + 1] work memory */
};

/* `most`: units that any choice may have. */
bool fleet_risk_new(const struct fleet_pool *pools, size_t count, int64_t most,
                    struct arena *arena, struct fleet_risk *out, struct error *err) MUST_USE;

/* The chance that more than `limit` units of so many machines are lost. */
double fleet_risk_above(struct fleet_risk *r, const int64_t machines[static FLEET_POOLS_MAX],
                        double limit);

/* Units lost in the mean, where all above `most` count as that. */
double fleet_risk_mean(struct fleet_risk *r, const int64_t machines[static FLEET_POOLS_MAX],
                       double most);

#endif
