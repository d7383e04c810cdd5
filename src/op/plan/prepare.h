/* prepare.h - a job of a request, with everything that planning it needs. */
#ifndef OP_PLAN_PREPARE_H
#define OP_PLAN_PREPARE_H

#include "market/currency_notes.h"
#include "op/job_source.h"
#include "op/market.h"
#include "op/plan/plan.h"
#include "plan/places.h"
#include "plan/planning.h"

struct op_context;   /* op/context.h */
struct deploy_facts; /* plan/deploy_choices.h */

/* Places at the prices of today. */
struct plan_gathered {
    struct plan_place *places;
    size_t count;
    struct plan_places_facts facts;
    struct price_age age;        /* of the prices of all places */
    struct currency_notes notes; /* of the machines they were chosen from */
};

/* Over the limits of the job. The rest of the places' question is filled in. */
struct plan_gather_ask {
    struct plan_places_ask places;        /* the job, and options */
    struct strs providers, regions, gpus; /* patterns; "!T4" denies */
    double min_reliability;               /* NaN: the job's, or none */
};

/* Load the tables and prices, select machines, and make places of them. Notes which rates of
 * exchange and discounts were used. */
bool plan_gather(struct op_context *ctx, struct plan_gather_ask *ask, struct plan_gathered *out,
                 struct error *err) MUST_USE;

struct plan_work {
    struct job_input job;
    struct plan_gathered gathered;
    struct planning planning;
};

/* Read the job, find the places, and begin the search. `out` must stay where it is. */
bool plan_prepare(struct op_context *ctx, const struct plan_request *request, struct str job,
                  struct plan_work *out, struct error *err) MUST_USE;

/* The same, where prices are too old that are so for `like`, of which this is a part; NULL: its
 * own places are asked. */
bool plan_prepare_like(struct op_context *ctx, const struct plan_request *request,
                       struct str job, const struct plan_work *like, struct plan_work *out,
                       struct error *err) MUST_USE;

/* A machine without a GPU beside the best plan on GPUs, of a small model that is trained. */
bool plan_add_cpu(struct op_context *ctx, struct planning *p, const struct plan *best,
                  struct plan_result *res, struct error *err) MUST_USE;

/* Ways to deploy a model that serves other than the best machine with GPUs, which may be NULL:
 * into the record. Of other jobs there are none. */
bool plan_add_deployments(struct op_context *ctx, struct planning *p, const struct plan *best,
                          struct plan_result *res, struct error *err) MUST_USE;

/* The same with more facts: their catalog and accounts are filled in. */
bool plan_add_deployments_of(struct op_context *ctx, struct planning *p,
                             const struct plan *best, struct deploy_facts *facts,
                             struct plan_result *res, struct error *err) MUST_USE;

#endif
