/* week.h - what changes with the hour of the week: prices, and how clean power is.
 *
 * Hour 0 is Monday 00:00 UTC. Multipliers are of the mean. A week repeats.
 */
#ifndef PLAN_WEEK_H
#define PLAN_WEEK_H

#include "catalog/catalog.h"
#include "series/pattern.h"
#include "unit/money.h"

struct week {
    double sum[WEEK_HOURS + 1]; /* of the multipliers of all hours before */
    double least;               /* multiplier: what a bound may count on */
};

/* The hour of the week that it is, 0 up to WEEK_HOURS, as a fraction. */
double week_hour(stamp at);

/* From a multiplier for each hour, none of them unknown or below zero. */
void week_of(const double hours[static WEEK_HOURS], struct week *out);

/* The mean multiplier over `hours` hours from `start` (both may be fractions, and longer than a
 * week). NULL is 1. */
double week_mean(const struct week *week, double start, double hours);

/* The pattern of a provider's market (needs TABLE_PRICE_HOURS), or of a grid
 * (TABLE_CARBON_HOURS; the generic one, `*`, when it has none of its own). False when there is
 * none: then nothing is known to change, and `out` is flat. `measured`: it rests on measured
 * values, not on a rule of thumb. Hours that no row covers have the mean; rows for weekdays or
 * weekends go before those for all days. Prices are in UTC. Carbon is in local solar time: a
 * grid whose place is not known (week_solar_offset()) has no pattern either. */
bool week_of_prices(const struct catalog *catalog, struct str provider, struct str market,
                    struct week *out, bool *measured);
bool week_of_carbon(const struct catalog *catalog, struct str grid, struct week *out,
                    bool *measured);

/* Whole hours that the sun's time of a grid of regions.csv is ahead of UTC (Tokyo: 9). False
 * when it is not known where the grid is, as for `*`. */
bool week_solar_offset(struct str grid, int *hours);

/* Is there an hour that differs from another? NULL is flat. */
bool week_varies(const struct week *week);

/* Something that is to start when it is best: with the least price_weight x mean price +
 * carbon_weight x mean carbon. */
struct week_wish {
    const struct week *prices, *carbon; /* NULL: the same all week */
    double price_weight, carbon_weight;
    double now;   /* hour of the week; may be a fraction */
    double hours; /* that it takes */
};

/* The best start: now, or a whole hour of the clock within `within` hours of now; the earliest
 * of equals. Done by `deadline` hours from now (INFINITY: whenever). Hours from now; 0 when it
 * must start now. */
double week_best_start(const struct week_wish *wish, double within, double deadline);

/* The best slots that start at a whole hour of the clock and lie within `days` days, best first
 * (the earliest of equals), none overlapping a better one. How many were found. Days beyond ten
 * years are not looked at. */
struct week_slot {
    double start_h;       /* from now */
    double price, carbon; /* mean multipliers */
};
size_t week_slots(const struct week_wish *wish, double days, struct week_slot *out,
                  size_t most);

/* ---- of one offer ---- */

/* Weeks that swing by less have no hour worth waiting for. */
#define PLAN_WEEK_FLAT 0.01

/* Which offer, by its names in the catalog. */
struct week_offer {
    struct str provider, region, instance;
    enum market market;
};

struct offer_week {
    struct week prices, carbon;       /* flat ones are 1 at every hour */
    bool price_varies, carbon_varies; /* by PLAN_WEEK_FLAT and more */
    struct str price_basis;           /* "history", "measured", "rule of thumb" or "flat" */
    struct str carbon_basis;          /* likewise, but for "history" */
    struct str price_why, carbon_why; /* a sentence: where it is known from */
    usd_per_hour mean;                /* of its last week, when that is kept and in dollars */
    double carbon_g_kwh;              /* of the grid, on average; NaN: not known */
};

/* What is kept of its prices. */
struct offer_history {
    struct points points;
    struct window window; /* that patterns are looked for in */
    usd_per_hour mean;    /* of its last week; unknown when it is not in dollars */
};

/* The offer's own prices come first, when they show a pattern beyond chance or had the time to
 * show one and did not; then the provider's measured rows of TABLE_PRICE_HOURS; else nothing is
 * known to change. Rules of thumb are named, and change no price. Needs TABLE_CARBON_HOURS and
 * TABLE_REGIONS too. `history` NULL: only the tables, which costs nothing; else the weeks of
 * its prices are turned 199 times (a few ms). */
bool offer_week_of(const struct catalog *catalog, const struct week_offer *offer,
                   const struct offer_history *history, struct arena *arena,
                   struct offer_week *out, struct error *err) MUST_USE;

/* The most expensive over the cheapest slot of so many hours, less 1. */
double week_swing(const struct week *week, double hours);

/* A ratio to six decimals: more are only what adding up leaves. */
double week_round(double ratio);

#endif
