/* relax.h - what restrictions cost, and which to give up when nothing is left. */
#ifndef PLAN_RELAX_H
#define PLAN_RELAX_H

#include "plan/search.h"

enum relax_kind {
    RELAX_DEADLINE,
    RELAX_BUDGET,
    RELAX_RISK,
    RELAX_CARBON,
    RELAX_MOST_GPUS,
    RELAX_LEAST_GPUS,
    RELAX_BAR, /* one of the bars */
};

/* One restriction that is given up, or given up in part. */
struct relax_step {
    enum relax_kind kind;
    enum machine_bar bar; /* of RELAX_BAR */
    /* What the limit becomes: hours, USD, share, kg, GPUs. NaN: it goes altogether, as bars do,
     * and a deadline that costs money although it is kept. */
    double to;
};

struct relaxation {
    struct relax_step steps[2];
    size_t step_count; /* 2: both are needed */
    struct plan plan;  /* the best one then */
    double saves;      /* USD that it costs less than the best plan now; NaN: there is none */
};

enum {
    RELAX_MOST = 16,
    RELAX_USUAL_GPUS = 512, /* a limit from here on restricts nothing */
};

struct relax_result {
    struct relaxation at[RELAX_MOST]; /* the one with the best plan first */
    size_t len;
    /* Without a plan, and nothing in `at`: is there one when all restrictions are lifted? If
     * not, the job fits nowhere: plan_nearest_fit(). */
    bool anywhere;
    struct plan free; /* that one */
};

/* With a best plan: every restriction that is in force, lifted alone, where that gives a better
 * score; `to` is what the plan without it would take. It is an aim's score that orders them: of
 * cost, by what is saved.
 *
 * Without (`best` NULL: search_best() found none): each restriction alone that gives a plan
 * when it is changed, by the least that does: deadline, risk and carbon to half a percent,
 * money to the cent (rounded up). Where none alone does, two; of deadline, budget and carbon
 * both are multiplied by the same number, the least that does.
 *
 * At most RELAX_USUAL_GPUS or more counts as no limit, unless no other change gives a plan. */
bool plan_relax(struct search *s, const struct plan_problem *p, const struct plan *best,
                struct relax_result *out, struct error *err) MUST_USE;

/* Limits that contradict each other whatever the catalog holds, in one line: "budget $0",
 * "at least 8 GPUs, and at most 4". ERROR_INPUT. */
bool plan_check_limits(const struct plan_limits *limits, struct error *err) MUST_USE;

/* The hardware that comes nearest to hold the job. */
struct nearest_fit {
    const struct plan_place *place; /* one with such machines */
    int64_t gpus, machines;
    double need;            /* share of the memory that may be used; above 1: does not fit */
    bool host;              /* it is the machine's memory that lacks, not the GPUs' */
    struct setup setup;     /* of training, unless it is a measured rate */
    struct serving serving; /* of serving: one copy */
};

/* Bars and limits do not count. For each kind of machine, the most of them that the job can be
 * spread over, in the settings that take least memory; of the nearest kind then the fewest GPUs
 * that need at most 1 % more. False when no card can do it at all. A `need` of 1 or less: it is
 * not memory that lacks. */
bool plan_nearest_fit(struct search *s, struct nearest_fit *out);

#endif
