/* deploy_choices.h - from the tables of machines and products to the cheapest way of each kind
 * to deploy a model that serves at a rate, and to the rows of the record. */
#ifndef PLAN_DEPLOY_CHOICES_H
#define PLAN_DEPLOY_CHOICES_H

#include "plan/deploy.h"
#include "plan/planning.h"

#define PLAN_DEPLOY_TABLES \
    (TABLE_BIT(TABLE_CPU_OFFERS) | TABLE_BIT(TABLE_CPUS) | TABLE_BIT(TABLE_SERVERLESS) | \
     TABLE_BIT(TABLE_SERVERLESS_TERMS) | TABLE_BIT(TABLE_MANAGED) | \
     TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_PRICE_DRIFT) | \
     TABLE_BIT(TABLE_TOKEN_PRICES) | TABLE_BIT(TABLE_GPU_PARTS) | TABLE_BIT(TABLE_EDGE) | \
     TABLE_BIT(TABLE_MODELS))

/* What the user measured on one machine: `batch` requests are answered together after a time,
 * and so many batches are in work at once. */
struct deploy_measured {
    struct str offer, provider, region, instance, accelerator, source;
    int64_t accelerators; /* below 0: not known */
    usd_per_hour price;
    bool spot; /* whose price it is */
    day date;  /* of the price */
    double seconds, batch, concurrency;
};

struct deploy_facts {
    const struct catalog *catalog;        /* with PLAN_DEPLOY_TABLES */
    struct strs accounts;                 /* providers; empty: any */
    const struct deploy_traffic *traffic; /* NULL: the job's rate all the time */
    double cached_input; /* share of the input that a hosted API has cached; 0: none */
    struct strs apis;    /* hosted models beside those with the job's weights; patterns */
    /* Shares of GPUs and devices that one buys are looked at, too: what they cost depends on
     * more than the job. */
    bool wide;
    struct strs devices; /* that the user has, or would buy; empty: any */
    usd_per_kwh electricity;
    const struct deploy_measured *measured; /* NULL: nothing was */
    struct deploy_set *set;                 /* filled in, for more questions; NULL: none */
};

/* The choices of the record, in its order, and others that may be cheaper at other rates. */
struct deploy_set {
    const struct deploy *at;
    const struct deploy_cost *cost;
    size_t count;
    /* Those of `at` without a condition, and others that may be the cheapest of their kind at
     * other rates. */
    const struct deploy *choices;
    size_t choice_count;
    struct deploy_demand demand; /* with the latency target that was assumed, if any */
    struct job_slo slo;          /* which `demand` refers to */
    double rate;                 /* of the peak */
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
