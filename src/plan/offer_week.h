/* offer_week.h - how the price of one offer and the carbon of its power change over a week. */
#ifndef PLAN_OFFER_WEEK_H
#define PLAN_OFFER_WEEK_H

#include "plan/week.h"
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

#endif
