/* cleaner.h - the same job with less carbon: in another region or at another hour, and what
 * that costs more.
 *
 * No money is saved, so these are no findings: a table from which to choose. What a grid emits
 * is its yearly average (regions.csv); how that moves with the hour is mostly a rule of thumb.
 */
#ifndef ADVISE_CLEANER_H
#define ADVISE_CLEANER_H

#include "advise/rules/rule.h"

#define CLEANER_LEAST 0.1 /* share of the carbon, below which a region is not cleaner */
#define CLEANER_MOST 5    /* regions that are listed */

struct cleaner_row {
    struct str way;               /* "region" or "hour" */
    struct str offer, region;     /* where */
    int64_t start_hour;           /* UTC, at which to start; -1: any */
    double g_kwh;                 /* of the grid, grams of CO2e for a kWh, on average */
    double carbon_kg, avoided_kg; /* of the job, or of a month where it serves */
    double avoided;               /* share */
    usd cost, extra;              /* extra: than where it runs now; below 0: it costs less */
    double usd_per_kg;            /* of what is avoided; NaN: costs nothing more */
    struct str basis;             /* of the figures */
};

extern const struct field_set cleaner_fields;

/* Places with the same GPUs, in other regions. Of the cleaner ones those that no other beats in
 * both cost and carbon, the cheapest first; then the best hour, where it is known to matter.
 * The job must be estimated (`base`) in a known region: otherwise there are no rows. */
bool cleaner_find(const struct advise_job *job, const struct estimate_place *places,
                  size_t count, struct arena *arena, struct rows *out,
                  struct error *err) MUST_USE;

#endif
