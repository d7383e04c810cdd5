/* plan_gather.h - the parts of plan_places, for each other. */
#ifndef OP_PLAN_PLAN_GATHER_H
#define OP_PLAN_PLAN_GATHER_H

#include "op/currency_notes.h"
#include "op/plan/plan_places.h"
#include "spot/interruption.h"

/* What may be: one of `allow` (when there is any), and none of `deny`. */
struct patterns {
    struct strs allow, deny;
    bool asked; /* the options say what is allowed */
};

#define GATHER_NOTES 8

/* What a provider brings, whatever the region. */
struct seller {
    struct str name;
    const struct provider *row; /* NULL: nothing is known of it */
    unsigned bars;
    double markup;
    struct interruption_model model;
    double up;
    const struct commitment *terms; /* `row_count` rows, other kinds among them */
    size_t row_count, term_count;   /* term_count: of a term whose discount is known */
    bool weeks_read;
    const struct week *weeks[PLAN_MARKETS]; /* how its prices move; NULL: not, or not asked */
};

/* What a region of it brings. */
struct site {
    struct str region;
    const struct cost_inputs *terms;
    unsigned bars;
    double pue, carbon_g_kwh;
    const struct week *carbon; /* NULL: the same all week, or not asked */
};

struct gather {
    struct op_context *ctx;
    const struct job *job;
    const struct plan_places_ask *ask;
    struct plan_places_facts *facts;
    struct patterns providers, regions;
    bool *gpu_barred, *gpu_usable, *gpu_named; /* by row of the accelerators */
    struct str market;
    double min_reliability;
    struct seller seller; /* of the row at hand: rows of one stand together */
    struct site site;
    struct plan_place *places;
    size_t count;
    struct str notes[GATHER_NOTES];
    struct currency_notes currencies;
};

/* Read the patterns of options and job, and hold them against the catalog (TABLE_OFFERS,
 * TABLE_PROVIDERS, TABLE_REGIONS and TABLE_NAMES are loaded). */
bool gather_patterns(struct gather *g, struct error *err) MUST_USE;

bool patterns_pass(const struct patterns *p, struct str text);

/* Is the platform one that is known, and its markup too? */
bool gather_platform(struct gather *g, struct error *err) MUST_USE;

/* Turn to a provider and a region; nothing happens when it is the one at hand. `row_region` is
 * what the table of regions calls it. */
void gather_seller(struct gather *g, struct str provider);
bool gather_site(struct gather *g, struct str region, struct str row_region,
                 struct error *err) MUST_USE;

/* Off the on-demand price for a term; NaN for what is none, or not known. */
double term_discount(const struct commitment *c);

/* Hours that are paid for already, on the places that they are of. */
bool gather_owned(struct gather *g, struct strs owned, struct error *err) MUST_USE;

/* Machines of one's own: the one of the settings, and those of the user's files. */
bool gather_own(struct gather *g, bool local, bool on_prem, struct error *err) MUST_USE;

/* Add a place that has everything but what seller and site bring; not when its price is too
 * old. */
void gather_add(struct gather *g, struct plan_place place);

/* The accelerator of a machine, when it can be planned with; else NULL, and counted. */
const struct accelerator *gather_gpu(struct gather *g, struct str name);

#endif
