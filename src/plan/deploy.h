/* deploy.h - ways to deploy a model that serves, each priced at any rate of requests: a machine
 * that is always up, one that stops when idle, functions and containers that are paid by use, a
 * hosted API that is paid by tokens, a share of a GPU, a device that one buys.
 *
 * Values in, values out; what a choice is made of is gathered in deploy_choices.c.
 */
#ifndef PLAN_DEPLOY_H
#define PLAN_DEPLOY_H

#include "estimate/serving/infer.h"
#include "job/job.h"
#include "plan/serverless.h"

enum deployment {
    DEPLOY_GPU,            /* machines with GPUs, always up */
    DEPLOY_SPOT,           /* the same on spot, with spare ones */
    DEPLOY_CPU,            /* machines without */
    DEPLOY_SERVERLESS,     /* functions and containers on vCPUs, paid by use */
    DEPLOY_SERVERLESS_GPU, /* the same with a GPU */
    DEPLOY_MANAGED,        /* endpoints of a platform, always up */
    DEPLOY_TO_ZERO,  /* a machine that stops when idle, and starts with the next request */
    DEPLOY_API,      /* a provider's own copy of the model, paid by tokens */
    DEPLOY_SHARED,   /* a share of a GPU (MIG), whose rest others use */
    DEPLOY_EDGE,     /* a device that one buys */
    DEPLOY_MEASURED, /* machines on which the user measured how long a request takes */
    DEPLOYMENTS,
};

extern const char *const deployment_names[DEPLOYMENTS + 1]; /* "GPU machine", ..., NULL */

struct deploy {
    enum deployment kind;
    struct str offer, provider, region, product, accelerator, setting, basis, source;
    day date;           /* of the price */
    double price_width; /* 8 of 10 prices of this age are within a factor of exp() now */
    bool old;           /* too old to be the best, unless most of its kind are */
    double premium;     /* what one that is set aside counts for on top (price_trust) */
    /* One copy of the model: */
    double service_s, first_s; /* of a request once it is up; until its first token */
    double at_once;            /* requests that it serves in that time; those on vCPUs: 1 */
    double spread;             /* of these times: the deviation of the logarithm */
    double most_rate;          /* requests a second within the latency target */
    bool functions; /* each takes one request at a time; more are started as requests come */
    double idle_s, cold_s;    /* it stops after, and is up again after; cold_s NaN: always up */
    struct serving_load warm; /* at the rate that was asked for */
    double vcpus, memory_gb;  /* of an instance; NaN: it has more than is needed */
    /* A machine, or `terms` where it is paid by use: */
    usd_per_hour price;
    double copies_each, machines_each; /* of an instance: one of them is 1 */
    double most_machines;              /* that can be rented; NaN: not known */
    double markup;                     /* of a platform */
    double billing_s, minimum_s;       /* of one start */
    const struct serverless *paid;     /* NULL: a machine */
    const struct serverless_terms *terms;
    struct serverless_size size;
    double start_s; /* until one more machine serves, when the rate grows; NaN: not known */
    /* Of one on spot: the share of the time for which it is away, being replaced; and that for
     * which fewer may be there than are needed. 0: none is ever away. */
    double away, short_share;
    /* What is paid by tokens: */
    const struct token_price *tokens; /* NULL: it is not */
    double usd_request;               /* of one request */
    /* A device that one buys; wear_usd NaN: it is rented. */
    double wear_usd; /* of a month */
    double idle_w, load_w, usd_kwh;
    double input_share; /* of the time of a request, the part that reads its input */
    /* Under which condition it costs this; it is then never the best. Empty: none. */
    struct str condition;
};

/* What `*d` is until more is known of it: always up, rented, not paid by tokens. */
struct deploy deploy_none(enum deployment kind);

/* Of a month of 30 days. */
struct deploy_cost {
    double usd;
    double fixed_usd; /* the same with as many machines all the time as the peak needs */
    double starts;    /* of machines that are added as traffic grows, in a month */
    struct serverless_bill bill; /* of what is paid by use */
    double cold, delayed;        /* shares of requests, as struct warm has them */
    double instances;            /* that are up on average, each of `machines_each` machines */
    double up_always;            /* the same if none stops */
    double machines;             /* that are rented; 0: paid by use */
    double busy; /* of what they can do while they are up; NaN: nothing is rented */
};

/* One copy of what has a queue, when every time is `slower` times as long: each of the
 * `at_once` begins with the next request as soon as another has ended. */
struct serving_load deploy_queue(const struct deploy *d, double slower, double rate);

/* At `rate` requests a second all the time, so many hours of each day. False: no price is
 * known. */
bool deploy_price(const struct deploy *d, double rate, double hours_per_day,
                  struct deploy_cost *out);

#define DEPLOY_HOURS 168 /* of a week */

/* How the rate changes with the hour: of a day, or of a week. */
struct deploy_traffic {
    double share[DEPLOY_HOURS]; /* of the rate at its peak: 0 to 1, and 1 in some hour */
    size_t hours;               /* 24 or DEPLOY_HOURS */
};

/* The mean rate as a share of the peak. */
double deploy_mean_share(const struct deploy_traffic *t);

struct deploy_demand {
    const struct job_slo *slo;
    double hours_per_day;
    const struct deploy_traffic *traffic; /* NULL: the same all the time */
};

/* The same where the rate changes: `rate` is that of the peak. Machines are added and
 * removed with the hour, at least one stays up (none of those that stop when idle); what is
 * added is paid while it starts, and `fixed_usd` is that of the peak's machines all the
 * time. A device that one buys is there all the time. */
bool deploy_month(const struct deploy *d, const struct deploy_demand *of, double rate,
                  struct deploy_cost *out);

/* The same at the rate of one hour, all the time; it may be 0. */
bool deploy_hour(const struct deploy *d, double rate, struct deploy_cost *out);

/* Machines that serve at this rate, copies, spare ones and all. */
double deploy_machines(const struct deploy *d, double rate);

/* The same when every time is `slower` times as long. */
struct deploy deploy_slowed(const struct deploy *d, double slower);

/* Are as many instances as it needs allowed at once, and are there so many machines? */
bool deploy_holds(const struct deploy *d, const struct deploy_cost *c);

/* Is what is promised kept, cold starts included? Without them, `most_rate` sees to it. */
bool deploy_keeps(const struct deploy *d, const struct deploy_cost *c,
                  const struct job_slo *slo);

/* Seconds that 95 of 100 requests take at most, at the rate that was asked for. */
double deploy_p95(const struct deploy *d, const struct deploy_cost *c);

/* Dollars of a request at a hosted API: `cached` is the share of the input that it has cached,
 * `batch` that answers may take a day. Where there is no price of its own for these, the usual
 * one holds. */
double token_request_usd(const struct token_price *row, double input, double output,
                         double cached, bool batch);

/* ---- volumes at which another choice is cheaper ---- */

/* Of the time up, from which on a machine might as well not stop. */
#define SELDOM_OFF 0.995

/* Dollars of a month at this rate, to be compared: with the premium of its price; a machine
 * that stops must save 0.5 %. INFINITY where the promises are not kept, or too many instances
 * are needed. */
double deploy_usd(const struct deploy *d, const struct deploy_demand *of, double rate);

/* From `from` requests a second to `to`, the cheapest is `choice`. */
struct deploy_span {
    size_t choice;
    double from, to;
};

/* Which of the choices is cheapest at which rates, from the lowest on; at most `most` spans.
 * Spans narrower than a tenth may be missed, and where one choice gives way to another of its
 * kind is known to a tenth. */
#define DEPLOY_SPANS 256
size_t deploy_cheapest(const struct deploy *at, size_t count, const struct deploy_demand *of,
                       double from, double to, struct deploy_span *out, size_t most);

/* Of the kinds alone, without spans that are soon over, where numbers of machines change by
 * one: the shortest is left out first, so that it does not matter which are found. How many are
 * left. */
size_t deploy_join_spans(const struct deploy *at, struct deploy_span *spans, size_t count);

/* The rates that are compared end where a kind has no more machines: what is cheapest beyond
 * that depends on the limit alone. `to` where none has a limit. */
double deploy_reach(const struct deploy *at, size_t count, double rate, double to);

/* Two ways of the table, and the choices of their kinds: at most two more than `choice_count`.
 * Where the price of a way is set aside, its kind counts at the prices that are shown. */
size_t deploy_pair(const struct deploy *a, const struct deploy *b, const struct deploy *choices,
                   size_t choice_count, struct deploy *out);

/* Two kinds of choices, each at any rate by the cheapest of its kind: the rates nearest to
 * `rate`, from `from` to `to`, below and above which `other` costs less. NaN: there is none. */
struct deploy_change {
    double below, above;
};
struct deploy_change deploy_change_of(const struct deploy *at, size_t count,
                                      enum deployment other, const struct deploy_demand *of,
                                      double rate, double from, double to);

#endif
