/* week.h - what changes with the hour of the week: prices, and how clean power is.
 *
 * Hour 0 is Monday 00:00 UTC. Multipliers are of the mean. A week repeats.
 */
#ifndef PLAN_WEEK_H
#define PLAN_WEEK_H

#include "catalog/catalog.h"
#include "series/pattern.h"

struct week {
    double sum[WEEK_HOURS + 1]; /* of the multipliers of all hours before */
    double least;               /* multiplier: what a bound may count on */
};

/* From a multiplier for each hour, none of them unknown or below zero. */
void week_of(const double hours[static WEEK_HOURS], struct week *out);

/* The mean multiplier over `hours` hours from `start` (both may be fractions, and longer than a
 * week). NULL is 1. */
double week_mean(const struct week *week, double start, double hours);

/* The pattern of a provider's market (needs TABLE_PRICE_HOURS), or of a grid
 * (TABLE_CARBON_HOURS; the generic one, `*`, when it has none of its own). False when there is
 * none: then nothing is known to change. `measured`: it rests on measured prices, not on a rule
 * of thumb. Local hours of the tables are hours of UTC unless their notes say otherwise. */
bool week_of_prices(const struct catalog *catalog, struct str provider, struct str market,
                    struct week *out, bool *measured);
bool week_of_carbon(const struct catalog *catalog, struct str grid, struct week *out,
                    bool *measured);

/* The best whole hour to start within `within` hours of `now` for something that takes `hours`:
 * least price_weight x mean price + carbon_weight x mean carbon; the earliest of equals. Done
 * by `deadline` hours from now (INFINITY: whenever). Hours from now; 0 when it must start now. */
double week_best_start(const struct week *prices, const struct week *carbon,
                       double price_weight, double carbon_weight, double now, double within,
                       double hours, double deadline);

/* The cheapest starts of `hours` hours within `days` days, best first, none overlapping a
 * better one. How many were found. */
struct week_slot {
    double start_h;       /* from now */
    double price, carbon; /* mean multipliers */
};
size_t week_slots(const struct week *prices, const struct week *carbon, double price_weight,
                  double carbon_weight, double now, double hours, double days,
                  struct week_slot *out, size_t most);

#endif
