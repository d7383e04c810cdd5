/* carbon.h - what the energy means for the climate, in plain words, and what
 * undoing it costs.
 *
 * Grams come from energy x the region's intensity. Here they become kilometers, charges and
 * flights: each with its source, since such figures differ by a factor of two.
 */
#ifndef ESTIMATE_MONEY_CARBON_H
#define ESTIMATE_MONEY_CARBON_H

#include <stddef.h>

#include "unit/energy.h"
#include "unit/money.h"

enum equivalent_id {
    EQUIVALENT_CAR_KM,
    EQUIVALENT_PHONE_CHARGES,
    EQUIVALENT_TREE_YEARS,
    EQUIVALENT_HOUSEHOLD_DAYS, /* of electricity: follows the energy, not the grid */
    EQUIVALENT_FLIGHTS,
    EQUIVALENT_COUNT,
};

struct equivalent {
    const char *name;  /* for JSON: "car_km" */
    const char *words; /* "km by car" */
    double grams;      /* CO2e of one; 0 where energy counts instead */
    double kwh;        /* of one; 0 where carbon counts */
    int year;
    const char *source;
};

extern const struct equivalent equivalents[EQUIVALENT_COUNT];

/* How many of these it comes to; NaN when what counts is unknown. */
double equivalent_of(enum equivalent_id id, gram_co2 carbon, joule energy);

/* Ways to pay for it. A tonne is not a tonne: what is not emitted elsewhere is cheap and
 * doubtful, removing it permanently is expensive. */
enum offset_kind {
    OFFSET_AVOIDANCE,
    OFFSET_NATURE,  /* forests that grow */
    OFFSET_DURABLE, /* biochar, direct air capture */
    OFFSET_COUNT,
};

struct offset {
    const char *name, *words;
    double low, typical, high; /* USD a tonne */
    int year;
    const char *source;
};

extern const struct offset offsets[OFFSET_COUNT];

struct offset_cost {
    usd low, typical, high;
};

/* Unknown when the carbon is, or when it is less than nothing. */
struct offset_cost offset_cost_of(enum offset_kind kind, gram_co2 carbon);

/* At a price of one's own, in USD a tonne. */
usd offset_at(double usd_per_tonne, gram_co2 carbon);

#endif
