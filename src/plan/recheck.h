/* recheck.h - what changed since a plan was saved, and whether it is still good.
 *
 * Machine time follows the price of the machine, storage and egress stay; hours and setting are
 * the plan's.
 */
#ifndef PLAN_RECHECK_H
#define PLAN_RECHECK_H

#include "plan/plan.h"
#include "plan/record.h"

/* One of the plans that were saved. */
struct plan_recheck_row {
    struct plan_row then; /* as it was saved */
    struct str
        elsewhere; /* what it is compared with when it is gone: the same machine in another
                             region, the cheapest; else empty */
    struct str
        state; /* "same", "cheaper", "more expensive", "gone"; unknown: it had no price */
    usd_per_hour price_now;
    double price_change; /* a share; NaN unless both are known */
    day date_now;
    int64_t age_now_days; /* of the price */
    usd cost_now;
    double cost_change; /* a share */
};

extern const struct field_set plan_recheck_row_fields;

/* A way to deploy a model: the cheapest of its kind, then and now. */
struct plan_recheck_deployment {
    struct str deployment, offer_then, offer_now; /* offer_now empty: none can be used now */
    usd cost_then, cost_now;                      /* of a month */
    double cost_change;                           /* a share; NaN unless both are known */
};

extern const struct field_set plan_recheck_deployment_fields;

struct plan_recheck {
    struct str state;   /* of the best plan: good, more expensive, beaten, gone, unknown */
    struct str verdict; /* in one line */
    struct rows plans;  /* struct plan_recheck_row, as they were saved */
    struct rows
        deployments; /* struct plan_recheck_deployment; those of today that are new last */
    struct str best_offer; /* of the best plan of today; empty: not planned again */
    enum market best_market;
    usd best_cost;
    bool same;        /* the best plan of today is on the same machines as the saved one */
    bool newer;       /* some price is newer than that of the plan */
    size_t elsewhere; /* how many of the plans are compared with another region */
};

/* Compare the plans of a file with the prices of today: places of whatever market and
 * provider. */
bool recheck_prices(const struct plan_result *saved, const struct plan_place *places,
                    size_t count, day today, struct arena *arena, struct plan_recheck *out,
                    struct error *err) MUST_USE;

/* The best plan of today, when the job could be planned again. */
void recheck_best(const struct plan *best, struct plan_recheck *out);

/* Compare the ways to deploy a model that were saved with those of today. */
bool recheck_deployments(const struct plan_result *saved, const struct plan_result *today,
                         struct arena *arena, struct plan_recheck *out,
                         struct error *err) MUST_USE;

/* Is the saved plan still good? It is while it costs at most the tolerance (a share) more, and
 * no other plan costs less by more than that. */
bool recheck_judge(double tolerance, struct arena *arena, struct plan_recheck *out,
                   struct error *err) MUST_USE;

/* Is the price of a place the user's own: a machine, a row or a discount, whatever its date? */
bool place_has_own_price(const struct plan_place *place);

#endif
