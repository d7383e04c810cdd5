/* price_world.h - one plan whose price can be worked out by hand. */
#ifndef TESTS_PLAN_PRICE_WORLD_H
#define TESTS_PLAN_PRICE_WORLD_H

#include "../estimate/known.h"

#include "estimate/money/energy.h"
#include "plan/plan.h"

static struct job job;
static struct cost_inputs terms;
static struct machine machine;
static struct plan_place place;
static struct plan_problem problem;
static struct way way;
static struct plan plan;

static inline void set(const char *key, const char *value)
{
    struct error err = {0};

    if (!job_set(&job, str_from(key), str_from(value), &known_arena, &err))
        fail_msg("%s=%s: %s", key, value, err.text);
}

static inline usd_per_hour an_hour(double dollars)
{
    return (usd_per_hour){(int64_t)llround(dollars * 1e9)};
}

/* Ten hours on two machines of $4 an hour, six minutes of set-up, billed by the second. */
static inline int fresh(void **state)
{
    struct error err = {0};

    (void)state;
    if (!job_reset(&job, &known_arena, &err))
        return -1;
    terms = (struct cost_inputs){.setup_s = 360, .parallel = 1, .trial_fraction = 1};
    machine = (struct machine){.name = STR("p/r/i"),
                               .provider = STR("p"),
                               .gpu = known_gpu("A100-80GB"),
                               .count = 8,
                               .memory_gib = 1000,
                               .on_demand = USD_PER_HOUR_UNKNOWN};
    place = (struct plan_place){
        .machine = &machine,
        .price = an_hour(4),
        .join = {.joins = true, .gb_s = NAN, .least = 1, .step = 1, .supply = 100},
        .terms = &terms,
        .reliability = NAN,
        .notice_s = NAN,
        .pue = 1.5,
        .carbon_g_kwh = 200,
        .risk = {.first_hour = NAN}};
    way = (struct way){.machines = 2,
                       .gpus = 16,
                       .copies = 1,
                       .hours = 10,
                       .latency_s = NAN,
                       .board_w = 350,
                       .trials_parallel = 1};
    problem = (struct plan_problem){
        .job = &job,
        .constants = &known_constants,
        .places = &place,
        .place_count = 1,
        .limits = {.budget = USD_UNKNOWN,
                   .confidence = NAN,
                   .deadline_h = NAN,
                   .max_risk = NAN,
                   .max_carbon_kg = NAN,
                   .most_gpus = 512},
        .aim = {.cost = 1, .cost_unit = 1, .time_unit = 1, .carbon_unit = 1},
    };
    return 0;
}

static inline void price(void)
{
    assert_true(plan_price(&problem, &place, &way, &plan));
    assert_near(usd_double(cost_total(&plan.cost).expected), usd_double(plan.total.expected),
                1e-9);
}

static inline double line(enum cost_line_id id)
{
    return usd_double(plan.cost.at[id].amount.expected);
}

static inline double total(void)
{
    return usd_double(plan.total.expected);
}

#endif
