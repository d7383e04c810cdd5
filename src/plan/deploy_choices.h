/* deploy_choices.h - from the tables of machines and products to the cheapest way of each kind
 * to deploy a model that serves at a rate, and to the rows of the record. */
#ifndef PLAN_DEPLOY_CHOICES_H
#define PLAN_DEPLOY_CHOICES_H

#include "plan/planning.h"

#define PLAN_DEPLOY_TABLES \
    (TABLE_BIT(TABLE_CPU_OFFERS) | TABLE_BIT(TABLE_CPUS) | TABLE_BIT(TABLE_SERVERLESS) | \
     TABLE_BIT(TABLE_SERVERLESS_TERMS) | TABLE_BIT(TABLE_MANAGED) | \
     TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_PRICE_DRIFT))

struct deploy_facts {
    const struct catalog *catalog; /* with PLAN_DEPLOY_TABLES */
    struct strs accounts;          /* providers; empty: any */
};

/* Is there a choice? A known model that serves at a rate, where a platform is not given and
 * carbon is not what counts: of machines without a GPU it is not known. */
bool plan_has_deployments(const struct planning *w);

/* Fill in `deployments`, `volumes` and `excluded` of the record. `best` is the best plan on
 * machines with GPUs; NULL: none meets the limits. */
bool plan_deployments(struct planning *w, const struct deploy_facts *facts,
                      const struct plan *best, struct plan_result *res,
                      struct error *err) MUST_USE;

#endif
