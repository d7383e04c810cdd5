/* storage.h - what keeping a data set costs, and the cheapest lifecycle of its tiers, exactly.
 *
 * Objects are stored when they arrive (the data set at the start, growth day by day) and move
 * to colder tiers at an age, as rules of object stores do. Costs: storage by the day, reads
 * (retrieval and requests), requests to store and to move, and the minimum time that a tier
 * bills when data leaves it sooner. As all depend on the age alone, the best days are found by
 * dynamic programming over (tier, day of entry): every choice of days is considered.
 *
 * Pure; amounts are estimates in US dollars.
 */
#ifndef ADVISE_STORAGE_H
#define ADVISE_STORAGE_H

#include "doc/field.h"
#include "unit/money.h"
#include "unit/time.h"

#define STORAGE_TIERS_MAX 8
#define STORAGE_MONTH_DAYS (365.0 / 12)
#define STORAGE_DAYS_MAX 1830 /* five years */

/* A tier, from the one that is hottest. */
struct storage_tier {
    struct str name, product;
    double gb_month;   /* US dollars for a GB and month */
    double retrieval;  /* for a GB that is read; NaN: unknown */
    double put, get;   /* for 1,000 requests; NaN: unknown, and not counted */
    double minimum_kb; /* smaller objects are billed as this */
    int minimum_days;  /* billed at least */
    bool direct;       /* data can be stored in it at once */
    bool by_rule;      /* a rule can move data to it... */
    int rule_days;     /* ...from this age on */
    double wait_h;     /* until data can be read; NaN: unknown */
};

/* What is kept, and how it is read. */
struct storage_data {
    double gb;           /* at the start */
    double grows;        /* GB a day */
    double object_gb;    /* size of an object */
    int days;            /* that costs are added up over */
    int keep_days;       /* objects are deleted at this age; 0: never */
    double wait_h;       /* that a read may wait */
    const double *reads; /* share of what has this age, in days, that is read on a day */
    size_t read_days;    /* of `reads`; later ages are like the last */
    double egress_gb;    /* a month, to the internet */
};

/* When objects enter a tier: their age. */
struct storage_step {
    struct str tier, product;
    int64_t day;
};

extern const struct field_set storage_step_fields;

struct storage_costs {
    double storage, retrieval, requests, early; /* early: minimum times that were not used */
    double total;                               /* of these */
    bool requests_known;
};

/* The costs of a policy: the tier `at[i]` from day `days[i]` on, the first from day 0. */
struct storage_costs storage_cost(const struct storage_tier *tiers, const size_t *at,
                                  const int *days, size_t steps,
                                  const struct storage_data *data);

struct storage_policy {
    size_t at[STORAGE_TIERS_MAX];
    int days[STORAGE_TIERS_MAX];
    size_t steps; /* 0: no tier can be used */
    struct storage_costs costs;
};

/* May the data be in this tier at all: is it read as soon as is wanted, at a known price? */
bool storage_tier_fits(const struct storage_tier *tier, const struct storage_data *data);

/* The policy with the lowest cost; of several, the one with fewest steps. */
bool storage_best(const struct storage_tier *tiers, size_t count,
                  const struct storage_data *data, struct arena *arena,
                  struct storage_policy *out, struct error *err) MUST_USE;

/* GB at the end of the time. */
double storage_at_end(const struct storage_data *data);

#endif
