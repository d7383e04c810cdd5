/* advise_world.h - a few runs, the works they make, and what a rule finds in them. */
#ifndef TESTS_ADVISE_WORLD_H
#define TESTS_ADVISE_WORLD_H

#include "test.h"

#include <stdio.h>

#include "advise/rules/rule.h"

#define RUNS_MAX 40
#define DAY0 INT64_C(1793404800) /* 2026-10-31 */

static struct arena arena;
static struct advise_run runs[RUNS_MAX];
static size_t run_count;
static struct advise_facts facts;
static struct findings found;
static int64_t unpriced;

/* An hour of training at $2/hr, done; the next begins two hours later. */
static inline struct advise_run *add_run(const char *name, double hours)
{
    struct advise_run *r = &runs[run_count];

    *r = (struct advise_run){
        .name = str_from(name),
        .started = {DAY0 + (int64_t)run_count * 7200},
        .ended = {DAY0 + (int64_t)run_count * 7200 + (int64_t)(hours * 3600)},
        .cost = usd_from(2 * hours),
        .hours = hours,
        .startup_hours = NAN,
        .lost_hours = NAN,
        .gpus = 1,
        .gpu = STR("A100-80GB-SXM"),
        .busy = NAN,
        .memory_peak = NAN,
        .memory_total = NAN,
        .received = NAN,
        .steps = NAN,
        .step_s = NAN,
        .metric = NAN,
        .estimated_hours = NAN,
        .estimated_cost = USD_UNKNOWN,
        .rate = {INT64_C(2000000000)},
        .offer = STR("aws/us-east-1/p4de"),
        .market = STR("on-demand"),
        .attempts = 1};
    (void)snprintf(r->id, sizeof r->id, "run%zu", run_count);
    for (int i = 0; i < ADVISE_PARTS; i++)
        r->part[i] = USD_UNKNOWN;
    r->part[PART_TRAIN] = r->cost;
    run_count++;
    return r;
}

/* Of its training so much was something else. */
static inline void spend_on(struct advise_run *r, enum advise_part part, double dollars)
{
    r->part[part] = usd_from(dollars);
    r->part[PART_TRAIN] = usd_from(usd_double(r->part[PART_TRAIN]) - dollars);
}

static inline const struct advise_work *work_at(size_t i)
{
    assert_true(i < facts.works.len);
    return &((const struct advise_work *)facts.works.at)[i];
}

static inline void make_works(double scale)
{
    struct error err = {0};

    facts.per = STR("month");
    facts.limit = USD_UNKNOWN;
    assert_true(advise_works(runs, run_count, scale, &arena, &facts.works, &unpriced, &err));
}

static inline void apply_rules(void)
{
    struct error err = {0};

    found = (struct findings){.arena = &arena};
    assert_true(advise_apply(&facts, &found, &err));
}

/* The rule's only finding, or NULL. */
static inline const struct finding *finding_of(const char *rule)
{
    const struct finding *only = NULL;

    for (size_t i = 0; i < found.count; i++)
        if (str_eq(found.at[i].rule, str_from(rule))) {
            assert_null(only);
            only = &found.at[i];
        }
    return only;
}

static inline const struct finding *find_by(const char *rule)
{
    make_works(1);
    apply_rules();
    return finding_of(rule);
}

#define assert_saves(f, low, mid, high) \
    do { \
        const struct finding *f_ = (f); \
        assert_non_null(f_); \
        assert_near(usd_double(f_->saving_low), low, 1e-6); \
        assert_near(usd_double(f_->saving), mid, 1e-6); \
        assert_near(usd_double(f_->saving_high), high, 1e-6); \
    } while (0)

static inline int world_start(void **state)
{
    (void)state;
    arena = test_arena();
    run_count = 0;
    facts = (struct advise_facts){0};
    return 0;
}

static inline int world_end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

#define world_test(function) cmocka_unit_test_setup_teardown(function, world_start, world_end)

#endif
