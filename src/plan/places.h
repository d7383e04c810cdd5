/* places.h - from selected machines to the places of the planner.
 *
 * Every machine becomes a place for each market that it has a price in. Places that may not be
 * used are among them, with bars that say why, so that the planner can compute what each
 * restriction costs.
 */
#ifndef PLAN_PLACES_H
#define PLAN_PLACES_H

#include "plan/plan.h"

/* Tables that are looked into. Offers have the prices of the store and the user's discounts. */
#define PLAN_PLACE_TABLES \
    (TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_NAMES) | TABLE_BIT(TABLE_PROVIDERS) | \
     TABLE_BIT(TABLE_REGIONS) | TABLE_BIT(TABLE_STORAGE) | TABLE_BIT(TABLE_TRANSFER) | \
     TABLE_BIT(TABLE_COMMITMENTS) | TABLE_BIT(TABLE_MANAGED) | \
     TABLE_BIT(TABLE_INTERRUPTIONS) | TABLE_BIT(TABLE_LOCAL) | TABLE_BIT(TABLE_ELECTRICITY) | \
     TABLE_BIT(TABLE_ONPREM) | TABLE_BIT(TABLE_PRICE_HOURS) | TABLE_BIT(TABLE_CARBON_HOURS) | \
     TABLE_BIT(TABLE_NETWORKS) | TABLE_BIT(TABLE_LIMITS))

struct plan_places_ask {
    const struct catalog *catalog;
    const struct job *job;
    /* What there is, with the limits of options and job that each machine breaks. They must
     * stay. */
    const struct machine *machines;
    size_t machine_count;
    day today;
    /* of the options */
    struct str market;   /* empty: the job's, or on-demand */
    span max_age;        /* of prices: older ones are left out */
    struct str platform; /* a managed one, or a pattern; empty: none */
    struct strs owned;   /* OFFER=HOURS, over those of the settings */
    struct strs supply;  /* OFFER=MACHINES, the last that matches counts */
    bool weeks;          /* look up in the tables how prices and carbon move in a week */
    /* What another question judged which prices are too old by, so that both set aside the
     * same: on demand and on spot. NULL: the places of this one are asked. */
    const struct price_ages *ages, *spot_ages;
    /* of the settings */
    struct str country;        /* where the user's machines are */
    struct strs owned_setting; /* OFFER=HOURS */
    /* Called for every machine of a provider that may be used: one that can be planned with,
     * and one without a price. NULL: not called. */
    void (*seen)(void *ctx, const struct machine *machine);
    void *seen_ctx;
};

struct plan_places_facts {
    size_t offers; /* current ones, and machines of one's own */
    size_t slow;   /* of them left out: the speed of their accelerator is not known, or it only
                  * serves and the job trains */
    size_t unpriced; /* likewise: no price is known, or its currency has no rate */
    size_t old;      /* prices left out for their age */
    size_t contract; /* left out: machines that are only sold by contract */
    size_t outliers; /* likewise: far below those of their peers, and seen on one day only */
    struct price_ages ages, spot_ages; /* prices on demand and on spot that may be used */
    size_t unwatched;                  /* spot places whose risk is not known */
    struct strs notes;                 /* what was assumed */
};

/* Does --platform ask for this one? "all" and patterns ask for several. */
bool plan_platform_is(struct str asked, struct str product);

/* The places in the order of the machines. They live as long as the arena, the machines and the
 * catalog. ERROR_ABSENT when there is none at all, and for a platform or an owned offer that
 * matches nothing. */
bool plan_places(const struct plan_places_ask *ask, struct arena *arena,
                 struct plan_place **out, size_t *count, struct plan_places_facts *facts,
                 struct error *err) MUST_USE;

#endif
