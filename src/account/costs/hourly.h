/* hourly.h - what machines cost on demand, hour by hour: the load that commitments could cover.
 *
 * From bills: charges for machines that were paid on demand, at the price before discounts of
 * commitments; those of a day or longer are spread evenly over their hours, which makes a load
 * look steadier than it was. From runs, on days that no bill of their provider covers: what
 * they were metered at. Spot and what commitments cover already are left out.
 *
 * An hour is observed when a bill of the provider covers its day, or when it lies between the
 * first and the last run of the ledger and runs used such machines; others are unknown.
 *
 * Amounts are US dollars: statistics, so doubles. Those in other currencies are converted at
 * the rate of their day.
 */
#ifndef ACCOUNT_COSTS_HOURLY_H
#define ACCOUNT_COSTS_HOURLY_H

#include "account/account.h"
#include "account/query/converter.h"
#include "doc/field.h"

/* How loads are grouped: as commitments are sold. */
enum hourly_by {
    HOURLY_PROVIDER = 1,
    HOURLY_REGION = 2,
    HOURLY_FAMILY = 4, /* of machines: p4d, a2 */
};

#define HOURLY_GROUPS_MAX 512 /* loads; further ones are counted in `others` only */

struct map;            /* base/map.h */
struct reconciliation; /* account/reconcile/reconciliation.h */

struct hourly_query {
    day since, until; /* the first day, and the first day after */
    unsigned by;      /* bits of enum hourly_by */

    /* Adds the machines of bills that are left out, by their ids in lower case; NULL: none. */
    bool (*leave_out)(void *ctx, const struct reconciliation *bills, struct map *ids,
                      struct error *err);
    void *leave_out_ctx;
};

struct hourly_load {
    struct str provider, region, family; /* as bills have it; empty: not grouped by it */
    double *dollars;                     /* of each hour; NaN: not observed */
    int64_t observed;                    /* hours */
    double total;
    double mean, peak; /* dollars an hour, of those that are observed */
    double to_day;     /* share of the total that is known by the day, not by the hour */
    double to_month;   /* likewise by longer times */
    double from_runs;  /* share of it */
};

extern const struct field_set hourly_load_fields;

/* A commitment that is on the bills. */
struct hourly_commitment {
    struct str id, name, type, provider;
    double used, unused; /* effective cost */
    double list;         /* of what it was used for, at list prices; NaN: bills lack it */
    double utilization;  /* NaN: bills do not say what was unused */
    double saved;        /* list prices less all it cost; NaN: unknown */
};

extern const struct field_set hourly_commitment_fields;

struct hourly_use {
    stamp first; /* of the hours of every load */
    size_t hours;
    struct hourly_load *loads; /* the largest first */
    size_t count;
    struct hourly_commitment *commitments; /* the largest first */
    size_t commitment_count;
    double committed, on_demand; /* use of machines at list prices, by how it was paid */
    double spot;                 /* left out */
    double idle;                 /* left out: machines that runs were on, while none ran */
    double unused; /* left out: machines that no run was on, in accounts that have runs */
    double moved;  /* left out: what `leave_out` says */
    double others; /* of loads beyond the most that are kept */
    struct rates_used rates;
};

bool account_hourly(const struct account_source *account, const struct hourly_query *query,
                    struct hourly_use *out, struct error *err) MUST_USE;

#endif
