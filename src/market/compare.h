/* compare.h - machines compared: what enough of them cost for some hours, and what a dollar
 * buys. */
#ifndef MARKET_COMPARE_H
#define MARKET_COMPARE_H

#include "catalog/network.h"
#include "market/select.h"

struct compare_query {
    int64_t gpus;
    span hours;
    bytes egress;         /* results sent to the internet */
    int64_t max_machines; /* below 1: any number */
    bool separate;        /* several machines need not be joined, nor are they limited */
    struct strs supply;   /* OFFER=MACHINES of the user's */
    bool running;         /* as a run is metered: no machine is prepared for it */
    bool all;             /* every machine, not only the cheapest of each region */
};

/* One way to rent enough GPUs. Totals are for the hours asked, set-up and egress included. */
struct price_comparison {
    struct machine machine;
    int64_t machines, gpus;
    struct joining join;
    double network_gbit_s; /* of one machine to the others; NaN: not known, or none */
    struct str network;    /* its kind */
    usd_per_hour hourly, spot_hourly; /* of all machines */
    double setup_s;
    usd setup, egress, total, spot_total;
    usd total_low, total_high, spot_total_low, spot_total_high; /* 80 % ranges of these */
    usd ranked, spot_ranked; /* what they count for: far more when they are set aside */
    bool outlier;            /* one of the prices is far below its peers, and seen only once */
    bool worth_checking;     /* the price is too old to be ranked with the others */
    double spot_saving;      /* share of the on-demand total */
    double vs_aws; /* a GPU-hour against the cheapest of AWS, less 1; NaN: none to compare */
    bool cheapest, cheapest_spot;
    bool complete; /* false when set-up or egress is not known, and so not in the totals */
};

extern const struct field_set price_comparison_fields;

/* Price each of the selected machines, cheapest total first, those with a price
 * that is too old and outliers last: rows of struct price_comparison. ERROR_ABSENT when
 * none is left. Several machines are of offers that can be joined; how many offers cannot is
 * noted. Needs TABLE_TRANSFER, TABLE_PROVIDERS and TABLE_NETWORKS. */
bool compare_costs(const struct market_view *view, const struct compare_query *query,
                   const struct machine *machines, size_t count, struct rows *out,
                   struct error *err) MUST_USE;

/* score = performance x reliability / price */
struct price_value {
    struct machine machine;
    struct str precision;
    double performance; /* dense peak of the machine, TFLOPS */
    double reliability;
    usd_per_hour price;
    double score;        /* peak PFLOP for a dollar, times reliability */
    double ranked;       /* the same; hardly anything when the price is set aside */
    bool worth_checking; /* it is too old to be ranked with the others */
};

extern const struct field_set price_value_fields;

extern const char *const compare_precisions[]; /* "bf16", ...; ends with NULL */

/* Rank the selected machines by their score in a market ("on-demand", "spot"), best first: rows
 * of struct price_value. Those with an unknown factor are left out; ERROR_ABSENT when none is
 * left. Needs TABLE_PROVIDERS. */
bool compare_values(const struct market_view *view, struct str precision, enum market market,
                    const struct machine *machines, size_t count, struct rows *out,
                    struct error *err) MUST_USE;

#endif
