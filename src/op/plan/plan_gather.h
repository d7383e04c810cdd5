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

#endif
