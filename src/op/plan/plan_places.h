/* plan_places.h - from what the user has, knows and allows to the places of the planner.
 *
 * Every current offer becomes a place for each market that it has a price in; places that may
 * not be used are there all the same, with bars that say why, so that the planner can tell what
 * each restriction costs.
 */
#ifndef OP_PLAN_PLAN_PLACES_H
#define OP_PLAN_PLAN_PLACES_H

#include "op/offers.h"
#include "plan/plan.h"

/* What the options say. The limits of the job hold beside them: where both name what is
 * allowed, the options win; what either denies ("!T4") is denied. */
struct plan_places_ask {
    struct strs providers, regions, gpus; /* patterns */
    struct str market;                    /* empty: the job's, or on-demand */
    double min_reliability;               /* NaN: the job's, or none */
    span max_age;                         /* of prices: older ones are left out */
    struct str platform;                  /* a managed one, or a pattern; empty: none */
    struct strs owned;                    /* OFFER=HOURS, over those of the settings */
    struct str kind;                      /* one of offer_kinds; empty: any */
    bool weeks; /* look up in the tables how prices and carbon move in a week */
};

struct plan_places_facts {
    struct price_age age; /* of the prices of all places */
    size_t offers;        /* current ones, and machines of one's own */
    size_t slow; /* of them left out: the speed of their accelerator is not known, or it only
                  * serves and the job trains */
    size_t unpriced;   /* likewise: no price is known, or its currency has no rate */
    size_t old;        /* prices left out for their age */
    size_t unwatched;  /* spot places whose risk is not known */
    struct strs notes; /* what was assumed */
};

/* Machines of a provider whose machines can be joined: as many as a job may want. */
#define PLACE_MANY INT64_C(1000000)

/* The places in the order of the catalog; those of one's own come last. They live as long as
 * the context's arena and catalog. ERROR_ABSENT when there is none at all, and for a pattern, a
 * platform or an owned offer that matches nothing. Says which rates of exchange and discounts
 * were used. */
bool plan_places(struct op_context *ctx, const struct job *job,
                 const struct plan_places_ask *ask, struct plan_place **out, size_t *count,
                 struct plan_places_facts *facts, struct error *err) MUST_USE;

#endif
