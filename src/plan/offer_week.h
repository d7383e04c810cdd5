/* offer_week.h - how the price of one offer and the carbon of its power change over a week. */
#ifndef PLAN_OFFER_WEEK_H
#define PLAN_OFFER_WEEK_H

#include "plan/week.h"
#include "series/pattern.h"
#include "unit/money.h"

/* Weeks that swing by less have no hour worth waiting for. */
#define PLAN_WEEK_FLAT 0.01

/* Which offer, by its names in the catalog. */
struct week_offer {
    struct str provider, region, instance;
    struct str market; /* "spot" or "on-demand" */
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
 * show one and did not; then the provider's rows of TABLE_PRICE_HOURS; else nothing is known to
 * change. Needs TABLE_CARBON_HOURS and TABLE_REGIONS too. `history` NULL: only the tables, which
 * costs nothing; else the weeks of its prices are turned 199 times (a few ms). */
bool offer_week_of(const struct catalog *catalog, const struct week_offer *offer,
                   const struct offer_history *history, struct arena *arena,
                   struct offer_week *out, struct error *err) MUST_USE;

/* The most expensive over the cheapest slot of so many hours, less 1. */
double week_swing(const struct week *week, double hours);

/* A ratio to six decimals: more are only what adding up leaves. */
double week_round(double ratio);

#endif
