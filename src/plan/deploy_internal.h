/* deploy_internal.h - what the parts of the choice between deployments share. */
#ifndef PLAN_DEPLOY_INTERNAL_H
#define PLAN_DEPLOY_INTERNAL_H

#include "catalog/drift.h"
#include "estimate/serving/cpu.h"
#include "estimate/serving/infer_load.h"
#include "plan/deploy.h"
#include "plan/deploy_choices.h"

#define DEPLOY_LEAST_RATE 1e-7 /* requests/s: less is none */
#define DEPLOY_OTHER_GPUS 8    /* machines with other GPUs than the best that are looked at */
#define DEPLOY_GPUS_MOST 40    /* GPUs that are looked at for all rates */
#define DEPLOY_RATES 3         /* at which they are looked for */
#define DEPLOY_PLACES 4        /* with each of them */
#define DEPLOY_REASON 200      /* bytes of a reason */

/* What a copy on so many GPUs of a machine takes: many places have the same. */
struct probed_copy {
    const struct accelerator *gpu;
    const struct job *job;
    int64_t tensor, pipeline, per_node;
    bool serves;
    struct deploy took; /* what deploy_probe_gpu() fills in */
};

#define DEPLOY_PROBED 128

struct choosing {
    struct planning *w;
    const struct deploy_facts *facts;
    const struct job *job;
    double rate, hours_per_day; /* the rate is that of the peak */
    struct deploy_demand demand;
    const struct drift *drift;  /* of prices with their age */
    struct usd_range gpu_total; /* of the best plan on machines with GPUs */
    bool gpu_replaced;          /* another costs less where the rate changes */
    bool quiet;                 /* nothing is noted: a comparison */
    bool have[DEPLOYMENTS];
    struct deploy at[DEPLOYMENTS];
    struct deploy_cost cost[DEPLOYMENTS];
    struct plan_excluded *excluded;
    size_t excluded_count, excluded_room;
    /* At other rates another of the same kind may be the cheapest. */
    struct deploy *others;
    size_t other_count, other_room;
    struct deploy *set_at; /* of the caller's set */
    struct deploy_cost *set_cost;
    /* Of machines without a GPU, the one that comes nearest. */
    double nearest;
    struct str nearest_offer;
    char nearest_why[DEPLOY_REASON];
    struct probed_copy *probed; /* DEPLOY_PROBED of them */
    size_t probed_count;
    struct price_ages product_ages, token_ages; /* of what is paid by use, and by tokens */
    struct deploy worth_checking;               /* the cheapest whose price is set aside */
    double worth_checking_usd;                  /* INFINITY: there is none */
    struct error *err;
};

/* ---- deploy_choices.c: what is taken, and why not ---- */

void deploy_why(char why[static DEPLOY_REASON], const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "needs 17.1 GiB of memory, has at most 10" */
void deploy_why_memory(char why[static DEPLOY_REASON], double need, const char *of, double has);
void deploy_time_words(double seconds, char out[static 32]); /* "1.2 s" */
void deploy_dollar_words(const struct choosing *c, double dollars,
                         char out[static 32]); /* "$1,240" */
const char *deploy_plural(double n);           /* "" or "s" */

/* A row of what cannot be used. */
bool deploy_exclude(struct choosing *c, enum deployment kind, struct str offer,
                    const char *why);

/* Are only GPUs allowed? */
bool deploy_only_gpus(const struct choosing *c);

/* A provider that the user does not allow, or a market that is not considered; the same with a
 * region and the age of a price. */
bool deploy_provider_barred(const struct choosing *c, struct str provider,
                            char why[static DEPLOY_REASON]);
bool deploy_barred(const struct choosing *c, struct str provider, struct str region, day date,
                   char why[static DEPLOY_REASON]);

/* Take it if it meets the limits and is better than what there is of its kind; else `why` says
 * why not. */
bool deploy_consider(struct choosing *c, const struct deploy *d,
                     char why[static DEPLOY_REASON]);

/* How old the prices are that a kind is compared with. */
const struct price_ages *deploy_ages_of(const struct choosing *c, enum deployment kind);

/* The price's date and source, how far it may be off, by its age, and the premium of one that
 * is too old. The user's own is not, nor is any where the user says how old prices may be. */
void deploy_age_price(const struct choosing *c, const struct fact *fact, struct deploy *d);

/* For the rates at which it may be the cheapest of its kind. */
void deploy_remember(struct choosing *c, const struct deploy *d);

/* ---- deploy_probe.c: how much one copy takes ---- */

/* A copy on GPUs, spread as it is. */
struct gpu_probe {
    struct job job;
    struct hardware hw;
    const struct constants *constants;
    struct serving serving; /* at the last rate */
    struct replica replica; /* of it */
    bool open;
    struct serving_load load;
};

/* A copy on tensor x pipeline GPUs: how much it takes, and how long. False: it does not fit, or
 * is too slow. */
bool deploy_probe_gpu(const struct choosing *c, const struct accelerator *gpu, int64_t tensor,
                      int64_t pipeline, int64_t per_node, struct gpu_probe *p,
                      struct deploy *d);

/* ", llama.cpp" where that was chosen (choose_serving()), else "": part of a setting. */
const char *deploy_engine_words(const struct serving *serving);

/* The most requests a second within the target, of anything whose load is known at a rate; 0:
 * not even one alone. */
double deploy_find_most(bool (*keeps)(void *ctx, double rate), void *ctx, double near);

/* How it runs on vCPUs with so much memory; false with a reason, and how near it is. */
bool deploy_on_cpu(const struct choosing *c, const struct cpu_serving *s, double memory_gib,
                   struct deploy *d, char why[static DEPLOY_REASON], double *merit);

/* Bytes of weights, as they are stored. */
double deploy_weight_bytes(const struct serving *s);

/* Until an idle machine stops. */
double deploy_idle_s(const struct choosing *c);

/* Until a machine of the provider serves that is started now; NaN: not known. */
double deploy_start_s(const struct choosing *c, struct str provider, double weights);

/* A copy as the plan has it. False: it does not serve in time. */
bool deploy_of_plan(struct choosing *c, const struct plan *plan, enum deployment kind,
                    struct deploy *d);

/* ---- the kinds ---- */

bool deploy_add_gpu(struct choosing *c, const struct plan *best);
bool deploy_add_spot_gpus(struct choosing *c);
bool deploy_add_gpus_of_rates(struct choosing *c);
bool deploy_add_stopped_gpus(struct choosing *c, const struct plan *best);
bool deploy_add_managed_gpus(struct choosing *c);
bool deploy_add_cpus(struct choosing *c);
bool deploy_add_products(struct choosing *c, bool with_gpus);
bool deploy_add_api(struct choosing *c);
bool deploy_add_shared_gpus(struct choosing *c);
bool deploy_add_edge(struct choosing *c);
bool deploy_add_measured(struct choosing *c);

/* ---- deploy_rows.c: the record ---- */

bool deploy_fill_record(struct choosing *c, struct plan_result *res);

#endif
