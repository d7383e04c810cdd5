/* plan.h - where, on what, how configured, when, and for how much: the problem and its answer.
 *
 * Places, prices, patterns and lifetimes are values that the caller gathers; nothing here does
 * I/O or looks at a clock. Unknown is NaN, MONEY_UNKNOWN, NULL.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "catalog/network.h"
#include "estimate/model/choose.h"
#include "estimate/money/cost.h"
#include "estimate/range.h"
#include "plan/record.h"
#include "plan/week.h"
#include "spot/outlook.h"

#define MONTH_HOURS 730.0 /* as terms of reservations count */

/* Losing a machine: of one got at a random moment, the chance to keep it for h hours is
 * exp(-first_hour h^shape - gone h). `up`: share of the time that machines are available. */
struct plan_risk {
    double first_hour, shape, gone, up; /* first_hour NaN: not known */
};

/* A machine that could be rented, in one market. Many places share `terms`. */
struct plan_place {
    const struct machine *machine; /* with its name and GPU; its on-demand price is what spot
                                    * falls back on */
    enum market market;
    usd_per_hour price;       /* of the machine in this market */
    day date;                 /* of the price */
    struct price_trust trust; /* in the price: how far it may be off, and what it counts for */
    unsigned bars;            /* enum machine_bar */
    struct joining join;      /* how many can be rented, and joined for one job, and by what */
    /* Everything of the job that depends on the place but not on the setting: set-up, moving
     * data, storage. `training`, `machines` and `price` are filled in for each plan. */
    const struct cost_inputs *terms;
    double billing_s, minimum_s;        /* whole so many seconds are billed, at least so many */
    double commit_hours;                /* billed whether used or not: reserved; else 0 */
    double owned_hours;                 /* machine-hours already paid for; else 0 */
    double markup;                      /* of a managed platform, a share of compute; else 0 */
    double reliability, notice_s;       /* NaN: not known */
    double pue, carbon_g_kwh;           /* never unknown: the world's where nothing better is */
    struct plan_risk risk;              /* of spot */
    const struct week *prices, *carbon; /* multipliers; NULL: the same all week */
};

/* What counts. `score` is the sum of weight x amount / unit over those with a weight; with one
 * aim alone the unit is 1. */
struct plan_aim {
    double cost, time, carbon;                /* weights */
    double cost_unit, time_unit, carbon_unit; /* USD, hours, kg */
    double value_of_time;                     /* USD of an hour of waiting; 0: nothing */
};

/* The chance to keep a deadline that a plan needs, on spot and elsewhere, unless another is
 * asked for. */
#define PLAN_SURE 0.95
#define PLAN_CONFIDENT 0.80

struct plan_limits {
    usd budget;        /* unknown: none */
    double deadline_h; /* NaN: none; from now */
    bool promised;     /* the user set it: a plan must keep it with some confidence */
    double confidence; /* in keeping the deadline; NaN: PLAN_SURE, PLAN_CONFIDENT */
    double max_risk;   /* of an interruption during the job; NaN: any */
    double max_carbon_kg;
    int64_t most_gpus;
    int64_t least_gpus; /* capacity that must be there; 0: none */
    double within_h;    /* the start is chosen within so many hours; 0: now */
    unsigned lifted;    /* enum machine_bar: restrictions that do not count */
};

struct plan_problem {
    const struct job *job;
    const struct constants *constants;
    const struct plan_place *places;
    size_t place_count;
    struct plan_limits limits;
    struct plan_aim aim;
    double hour_of_week; /* now: 0 is Monday 00:00 UTC */
};

/* How the machines work: what does not depend on where they are. */
struct way {
    bool serves;
    struct setup setup;     /* of training, unless the job is a measured rate */
    struct serving serving; /* of one copy of a model that serves */
    int64_t machines, gpus; /* gpus: used, over all machines */
    int64_t copies;         /* of a model that serves */
    double hours;           /* of the training alone; of serving NaN */
    double latency_s;       /* of serving: p95 of a request, or of one batch without a rate */
    double rate;            /* tokens, samples or requests a second, over all GPUs */
    struct doubt doubt;     /* of hours */
    double step_s, board_w;
    double need;       /* share of the GPU's memory */
    double host_bytes; /* that one machine must have for what is offloaded; 0: none */
    /* Machines that can give at least `host_from` bytes and less than `host_below` have it as
     * their simplest way; `host_below` 0: all do. */
    double host_from, host_below;
    int64_t trials_parallel; /* sets of machines for a hyper-parameter search; 1 without */
};

/* A way in a place. */
struct plan {
    const struct plan_place *place;
    struct way way;
    struct cost cost;
    struct usd_range total; /* of the job; of serving of a month, or of a million tokens */
    double hours;  /* from the start until done, waiting for spot included; NaN: serving */
    double busy_h; /* of those, with machines: without waiting for spot */
    double work_h; /* of those, without set-up and what interruptions add */
    double time;   /* what `time` aims at: hours, or p95 seconds of serving */
    double kwh, carbon_kg;
    double billed_h;   /* by the provider, of one set of machines */
    double multiplier; /* of the price, for the hours of the week that it runs in */
    double start_h;    /* hours from now */
    /* on spot */
    double risk; /* of losing a machine during the job; 0 elsewhere */
    double losses, save_every_s, overhead;
    double on_time; /* chance to keep the deadline */
    double score;
};

/* Is a better than b? By score, then cost, machine-hours, time, GPUs, machines, and the offer's
 * name and market. */
bool plan_better(const struct plan *a, const struct plan *b);

/* How long it takes, from start to end; unknown of serving. */
struct guess plan_hours(const struct plan *plan);

/* The chance to keep the deadline that this plan needs. */
double plan_confidence(const struct plan_problem *p, const struct plan *plan);

/* Machines that must be joined: for one run, for one copy that serves. */
int64_t plan_joined(const struct way *way);

/* Gbit/s of each machine to the others of one run; NaN: it has one machine. */
double plan_network_gbit_s(const struct plan *plan);

/* Would the place do, if only more of its machines could be rented? */
bool plan_lacks_supply(const struct plan_place *place, const struct way *way);

/* Price a way in a place. False when it cannot be there: too little host memory (for what is
 * offloaded, or to load the model), machines that cannot be joined, too many of them, an
 * unknown price, or spot whose risk is not known. Limits are not looked at. Where machines come
 * in numbers of their own (racks), so many are rented. */
bool plan_price(const struct plan_problem *p, const struct plan_place *place,
                const struct way *way, struct plan *out);

/* The same when it starts so many hours from now, whatever is better. */
bool plan_price_at(const struct plan_problem *p, const struct plan_place *place,
                   const struct way *way, double start_h, struct plan *out);

/* What a plan on spot asks of src/spot, to be simulated; `life` is filled in and must stay. */
struct outlook_ask plan_outlook(const struct plan_problem *p, const struct plan *plan,
                                struct lifetimes *life);

/* Hours that machines which serve are paid for: of a month, as many of each day as the job
 * says; without a rate, for a million tokens (or requests of what writes none). */
double plan_serving_hours(const struct job *job, const struct way *way);

/* Does it keep to the limits that are numbers? */
bool plan_allowed(const struct plan_problem *p, const struct plan *plan);

#endif
