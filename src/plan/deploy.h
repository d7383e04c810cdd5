/* deploy.h - ways to deploy a model that serves, each priced at any rate of requests: a machine
 * that is always up, one that stops when idle, functions and containers that are paid by use.
 *
 * Values in, values out; what a choice is made of is gathered in deploy_choices.c.
 */
#ifndef PLAN_DEPLOY_H
#define PLAN_DEPLOY_H

#include "estimate/infer.h"
#include "job/job.h"
#include "plan/serverless.h"

enum deployment {
    DEPLOY_GPU,            /* machines with GPUs, always up */
    DEPLOY_CPU,            /* machines without */
    DEPLOY_SERVERLESS,     /* functions and containers on vCPUs, paid by use */
    DEPLOY_SERVERLESS_GPU, /* the same with a GPU */
    DEPLOY_MANAGED,        /* endpoints of a platform, always up */
    DEPLOY_TO_ZERO, /* a machine that stops when idle, and starts with the next request */
    DEPLOYMENTS,
};

extern const char *const deployment_names[DEPLOYMENTS + 1]; /* "GPU machine", ..., NULL */

struct deploy {
    enum deployment kind;
    struct str offer, provider, region, product, accelerator, setting, basis, source;
    day date;           /* of the price */
    double price_width; /* 8 of 10 prices of this age are within a factor of exp() now */
    double premium;     /* what an old price counts for on top when choices are compared */
    /* One copy of the model: */
    double service_s, first_s; /* of a request once it is up; until its first token */
    double spread;             /* of these times: the deviation of the logarithm */
    double most_rate;          /* requests a second within the latency target */
    bool functions; /* each takes one request at a time; more are started as requests come */
    double idle_s, cold_s;    /* it stops after, and is up again after; cold_s NaN: always up */
    struct serving_load warm; /* at the rate that was asked for */
    double vcpus, memory_gb;  /* of an instance; NaN: it has more than is needed */
    /* A machine, or `terms` where it is paid by use: */
    usd_per_hour price;
    double copies_each, machines_each; /* of an instance: one of them is 1 */
    double markup;                     /* of a platform */
    double billing_s, minimum_s;       /* of one start */
    const struct serverless *paid;     /* NULL: a machine */
    const struct serverless_terms *terms;
    struct serverless_size size;
};

/* Of a month of 30 days. */
struct deploy_cost {
    double usd;
    struct serverless_bill bill; /* of what is paid by use */
    double cold, delayed;        /* shares of requests, as struct warm has them */
    double instances;            /* that are up on average, each of `machines_each` machines */
    double machines;             /* that are rented; 0: paid by use */
    double busy;                 /* of the time that they are up, with requests */
};

/* At `rate` requests a second, so many hours of each day. False: no price is known. */
bool deploy_price(const struct deploy *d, double rate, double hours_per_day,
                  struct deploy_cost *out);

/* The same when every time is `slower` times as long. */
struct deploy deploy_slowed(const struct deploy *d, double slower);

/* Are as many instances as it needs allowed at once? */
bool deploy_holds(const struct deploy *d, const struct deploy_cost *c);

/* Is what is promised kept, cold starts included? Without them, `most_rate` sees to it. */
bool deploy_keeps(const struct deploy *d, const struct deploy_cost *c,
                  const struct job_slo *slo);

/* Seconds that 95 of 100 requests take at most, at the rate that was asked for. */
double deploy_p95(const struct deploy *d, const struct deploy_cost *c);

/* ---- volumes at which another choice is cheaper ---- */

struct deploy_demand {
    const struct job_slo *slo;
    double hours_per_day;
};

/* Of the time up, from which on a machine might as well not stop. */
#define SELDOM_OFF 0.995

/* Dollars of a month at this rate, to be compared: with an old price at the end of its range; a
 * machine that stops must save 0.5 %.
 * INFINITY where the promises are not kept, or too many instances are needed. */
double deploy_usd(const struct deploy *d, const struct deploy_demand *of, double rate);

/* From `from` requests a second to `to`, the cheapest is `choice`. */
struct deploy_span {
    size_t choice;
    double from, to;
};

/* Which of the choices is cheapest at which rates, from the lowest on; at most `most` spans.
 * Spans narrower than a tenth may be missed. */
size_t deploy_cheapest(const struct deploy *at, size_t count, const struct deploy_demand *of,
                       double from, double to, struct deploy_span *out, size_t most);

/* The rate nearest to `rate`, up to `to` (above or below it), from which on `a` costs less than
 * `b`; NaN when there is none. */
double deploy_break_even(const struct deploy *a, const struct deploy *b,
                         const struct deploy_demand *of, double rate, double to);

#endif
