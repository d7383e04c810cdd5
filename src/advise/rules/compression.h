/* compression.h - a smaller model for serving: quantized, pruned or distilled.
 *
 * Every method of compression.csv that is for models of this kind is served as the planner
 * would serve it (plan/ways.h), on the machines that the caller names; the cheapest counts.
 * What a method loses in accuracy is a published range: nothing here measures it.
 */
#ifndef ADVISE_COMPRESSION_H
#define ADVISE_COMPRESSION_H

#include "doc/field.h"
#include "estimate/job_estimate.h"
#include "unit/money.h"

/* One method; the first row is the model as it is. Unknown numbers are NaN. */
struct compression_row {
    struct str method;  /* "as it is", "awq", ... */
    struct str weights; /* how they are stored */
    double size_gb;     /* of the weights */
    double memory_gb;   /* on the fullest GPU, as it is served */
    struct str offer;   /* the cheapest that serves it; empty: none does, see `why` */
    struct str accelerator;
    int64_t gpus, machines, copies; /* that the rate needs; without one, a copy */
    double speed; /* times that of the model as it is, on its machines and at its batch */
    double p95_s; /* of a request */
    usd cost, cost_low, cost_high; /* of a month at the rate; else of a million tokens or
                                      1,000 requests: `compression_unit` */
    double saving;                 /* share of the cost as it is */
    double loss_low, loss_high;    /* of the metric: shares */
    bool trained, other_framework; /* the model is trained again; another engine serves it */
    struct str metric, needs, source, notes;
    struct str reason; /* there is no cost */
};

extern const struct field_set compression_fields;

struct compression_input {
    const struct job *job; /* resolved, and serves; its model is known */
    const struct constants *constants;
    const struct catalog *catalog; /* needs TABLE_COMPRESSION */
    const struct estimate_place *places;
    size_t place_count;
};

/* "month", "million tokens" or "1,000 requests": what the costs are of. */
const char *compression_unit(const struct job *job);

/* Rows of struct compression_row: as it is, then the methods, the cheapest first; those without
 * a cost last. */
bool compression_compare(const struct compression_input *in, struct arena *arena,
                         struct rows *out, struct error *err) MUST_USE;

#endif
