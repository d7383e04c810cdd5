/* What restrictions cost, and which must be relaxed, over random small problems. */
#include "problems.h"

#include "plan/relax.h"

/* All of them in the optimized build; with the sanitizers each takes several times as long. */
#ifdef __OPTIMIZE__
enum { PROBLEMS = 300 };
#else
enum { PROBLEMS = 90 };
#endif

/* The limits, changed so. */
static struct plan_limits relaxed_limits(const struct plan_limits *limits,
                                         const struct relaxation *r)
{
    struct plan_limits l = *limits;

    for (size_t i = 0; i < r->step_count; i++) {
        const struct relax_step *step = &r->steps[i];
        bool lifted = isnan(step->to);

        switch (step->kind) {
        case RELAX_DEADLINE:
            l.deadline_h = step->to;
            break;
        case RELAX_BUDGET:
            l.budget = lifted ? USD_UNKNOWN : usd_from(step->to);
            break;
        case RELAX_RISK:
            l.max_risk = step->to;
            break;
        case RELAX_CARBON:
            l.max_carbon_kg = step->to;
            break;
        case RELAX_MOST_GPUS:
            l.most_gpus = lifted ? 16384 : (int64_t)step->to;
            break;
        case RELAX_LEAST_GPUS:
            l.least_gpus = lifted ? 0 : (int64_t)step->to;
            break;
        case RELAX_BAR:
            l.lifted |= (unsigned)step->bar;
            break;
        }
    }
    return l;
}

static struct world world;
static struct relax_result result;
static struct arena arena;
static struct search *search;
static struct plan best;

/* Tighter and with more bars than those of the search: most have no plan, and then many need
 * two things changed. */
static void make_tight(uint64_t seed)
{
    struct dice *d = &world.dice;
    struct plan_limits *l = &world.problem.limits;

    make_problem(&world, seed);
    for (size_t i = 0; i < PLACES; i++) {
        if (often(d, 0.3))
            world.places[i].bars |= BAR_ACCOUNT;
        if (often(d, 0.3))
            world.places[i].bars |= BAR_REGION;
        if (often(d, 0.3))
            world.places[i].bars |= BAR_GPU;
    }
    if (often(d, 0.5))
        l->deadline_h = exp(4 * dice_unit(d) - 2);
    if (often(d, 0.5))
        l->budget = usd_from(exp(5 * dice_unit(d) - 3));
    if (often(d, 0.2))
        l->max_carbon_kg = exp(5 * dice_unit(d) - 4);
    if (often(d, 0.2))
        l->least_gpus = 1 + (int64_t)pick(d, (size_t)l->most_gpus);
}

/* True when there is a plan; `result` has its cost, or what would give one. */
static bool solve(uint64_t seed, bool tight)
{
    struct error err = {0};
    bool found;

    if (tight)
        make_tight(seed);
    else
        make_problem(&world, seed);
    arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    search = search_new(&world.problem, NULL, &arena, &err);
    assert_non_null(search);
    assert_true(search_best(search, &world.problem, NULL, &best, &found, &err));
    assert_true(plan_relax(search, &world.problem, found ? &best : NULL, &result, &err));
    return found;
}

static bool has_plan(const struct plan_limits *limits, struct plan *plan)
{
    struct plan_problem p = world.problem;
    struct error err = {0};
    bool found;

    p.limits = *limits;
    assert_true(search_best(search, &p, NULL, plan, &found, &err));
    return found;
}

/* The same change, but for so much. */
static double smaller(const struct relax_step *step)
{
    switch (step->kind) {
    case RELAX_DEADLINE:
    case RELAX_CARBON:
        return 0.99 * step->to;
    case RELAX_BUDGET: /* a cent, or a hundredth */
    case RELAX_RISK:
        return step->to - 0.01;
    case RELAX_MOST_GPUS:
        return step->to - 1;
    case RELAX_LEAST_GPUS:
        return step->to + 1;
    case RELAX_BAR:
        break;
    }
    return step->to;
}

static void check_gives_a_plan(uint64_t seed, const struct relaxation *r)
{
    struct plan_limits limits = relaxed_limits(&world.problem.limits, r);
    struct plan plan;

    if (!has_plan(&limits, &plan))
        fail_msg("problem %llu: no plan after changing kind %d to %.12g",
                 (unsigned long long)seed, (int)r->steps[0].kind, r->steps[0].to);
    assert_true(plan.score == r->plan.score);
    assert_true(isnan(r->saves));
}

/* Of one change the least; of two, both less at once. */
static void check_is_least(uint64_t seed, const struct relaxation *r)
{
    struct relaxation less = *r;
    struct plan_limits limits;
    struct plan plan;

    for (size_t i = 0; i < r->step_count; i++) {
        if (isnan(r->steps[i].to))
            return; /* lifted altogether */
        less.steps[i].to = r->step_count == 1 || r->steps[i].kind == RELAX_LEAST_GPUS
                               ? smaller(&r->steps[i])
                               : 0.99 * r->steps[i].to;
    }
    limits = relaxed_limits(&world.problem.limits, &less);
    if (has_plan(&limits, &plan))
        fail_msg("problem %llu: a plan with kind %d at %.12g, and not only at %.12g",
                 (unsigned long long)seed, (int)r->steps[0].kind, less.steps[0].to,
                 r->steps[0].to);
}

static void without_a_plan_the_least_change_gives_one(void **state)
{
    size_t single = 0, pairs = 0, none = 0, nowhere = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= PROBLEMS; seed++) {
        if (!solve(seed, true)) {
            for (size_t i = 0; i < result.len; i++) {
                check_gives_a_plan(seed, &result.at[i]);
                check_is_least(seed, &result.at[i]);
                assert_true(i == 0 || !plan_better(&result.at[i].plan, &result.at[i - 1].plan));
                single += result.at[i].step_count == 1;
                pairs += result.at[i].step_count == 2;
            }
            none += result.len == 0 && result.anywhere;
            nowhere += !result.anywhere;
        }
        arena_free(&arena);
    }
    print_message("# %zu single, %zu pairs, %zu that need more, %zu fit nowhere\n", single,
                  pairs, none, nowhere);
    assert_true(single > PROBLEMS / 6 && pairs > PROBLEMS / 6 && none > 0 && nowhere > 0);
}

/* A plan stays allowed when the budget and the carbon limit are exactly what it needs, also
 * where its start is chosen among the hours of a week. */
static void limits_that_a_plan_meets_exactly_keep_it(void **state)
{
    size_t later = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 4 * PROBLEMS; seed++) {
        if (solve(seed, false)) {
            struct plan_limits limits = world.problem.limits;
            struct plan again;

            limits.max_carbon_kg = best.carbon_kg;
            limits.budget = best.total.expected;
            later += best.start_h > 0;
            if (!has_plan(&limits, &again))
                fail_msg("problem %llu: no plan with %.17g kg", (unsigned long long)seed,
                         best.carbon_kg);
        }
        arena_free(&arena);
    }
    assert_true(later > PROBLEMS / 60);
}

/* Lifts one restriction, as the caller would. */
static struct plan_limits lift(const struct relax_step *step)
{
    struct plan_limits l = world.problem.limits;

    switch (step->kind) {
    case RELAX_DEADLINE:
        l.deadline_h = NAN;
        break;
    case RELAX_BUDGET:
        l.budget = USD_UNKNOWN;
        break;
    case RELAX_RISK:
        l.max_risk = NAN;
        break;
    case RELAX_CARBON:
        l.max_carbon_kg = NAN;
        break;
    case RELAX_MOST_GPUS:
        l.most_gpus = 16384;
        break;
    case RELAX_LEAST_GPUS:
        l.least_gpus = 0;
        break;
    case RELAX_BAR:
        l.lifted |= (unsigned)step->bar;
        break;
    }
    return l;
}

static const struct relaxation *reported(const struct relax_step *step)
{
    for (size_t i = 0; i < result.len; i++)
        if (result.at[i].steps[0].kind == step->kind &&
            (step->kind != RELAX_BAR || result.at[i].steps[0].bar == step->bar))
            return &result.at[i];
    return NULL;
}

/* Every restriction, tried one by one: what is not reported makes nothing better. */
static size_t check_costs(void)
{
    size_t count = 0;

    for (int i = 0; i < RELAX_BAR + BAR_COUNT; i++) {
        struct relax_step step = {.kind = i < RELAX_BAR ? (enum relax_kind)i : RELAX_BAR};
        const struct relaxation *r;
        struct plan_limits limits;
        struct plan plan;

        if (i >= RELAX_BAR)
            step.bar = (enum machine_bar)(1u << (i - RELAX_BAR));
        limits = lift(&step);
        r = reported(&step);
        assert_true(has_plan(&limits, &plan));
        if (!(plan.score < best.score)) {
            assert_null(r);
            continue;
        }
        assert_non_null(r);
        count++;
        assert_int_equal(r->step_count, 1);
        assert_true(r->plan.total.expected.nano == plan.total.expected.nano);
        assert_true(r->plan.score == plan.score);
        assert_true(r->saves ==
                    usd_double(best.total.expected) - usd_double(plan.total.expected));
        if (isnan(r->steps[0].to) || step.kind == RELAX_DEADLINE)
            continue;
        limits = relaxed_limits(&world.problem.limits, r);
        assert_true(has_plan(&limits, &plan) && plan.score <= r->plan.score);
    }
    assert_int_equal(count, result.len);
    return count;
}

static void with_a_plan_each_restriction_has_its_cost(void **state)
{
    size_t plans = 0, costs = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= PROBLEMS; seed++) {
        if (solve(seed, seed % 2 == 0)) {
            plans++;
            costs += check_costs();
            for (size_t i = 1; i < result.len; i++)
                assert_true(result.at[i - 1].plan.score <= result.at[i].plan.score);
        }
        arena_free(&arena);
    }
    print_message("# %zu plans, %zu restrictions that cost something\n", plans, costs);
    assert_true(plans > PROBLEMS / 6 && costs > PROBLEMS / 10);
}

static const struct plan_limits no_limits = {.budget = {MONEY_UNKNOWN},
                                             .deadline_h = (double)NAN,
                                             .confidence = (double)NAN,
                                             .max_risk = (double)NAN,
                                             .max_carbon_kg = (double)NAN,
                                             .most_gpus = 512};

static void refuses(struct plan_limits limits, const char *text)
{
    struct error err = {0};

    assert_false(plan_check_limits(&limits, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, text);
    assert_true(err.hint[0] != '\0');
}

static void contradictions_are_named(void **state)
{
    struct plan_limits l = no_limits;
    struct error err = {0};

    (void)state;
    assert_true(plan_check_limits(&l, &err));
    l.max_risk = l.max_carbon_kg = 0;
    l.deadline_h = 24;
    l.within_h = 12;
    l.budget = usd_from(0.01);
    l.least_gpus = 512;
    assert_true(plan_check_limits(&l, &err));
    l = no_limits;
    l.budget = (usd){0};
    refuses(l, "the budget must be above zero");
    l = no_limits;
    l.deadline_h = 0;
    refuses(l, "the deadline has passed");
    l = no_limits;
    l.least_gpus = 8;
    l.most_gpus = 4;
    refuses(l, "at least 8 GPUs are requested, and at most 4");
    l = no_limits;
    l.most_gpus = 0;
    refuses(l, "a plan needs at least one GPU, not 0");
    l = no_limits;
    l.within_h = -1;
    refuses(l, "--within is in the past");
    l = no_limits;
    l.max_risk = 1.5;
    refuses(l, "a risk of 1.5 is not between 0 and 1");
    l = no_limits;
    l.confidence = 1;
    refuses(l, "a confidence of 100 % is not between 0 and 100 %");
    l = no_limits;
    l.max_carbon_kg = -1;
    refuses(l, "the maximum of -1 kg of carbon is below zero");
}

/* The least share of the memory that any setting takes on so many machines, with nothing
 * offloaded. */
static double least_need(const struct plan_place *place, int64_t machines)
{
    struct hardware hw = {.gpu = place->machine->gpu,
                          .gpus = machines * place->machine->count,
                          .per_node = place->machine->count,
                          .host_bytes = (double)NAN};
    struct error ignored = {0};
    double least = INFINITY;
    struct shape shape = {0};
    struct space s;

    if (!space_open(&world.job, &known_constants, &hw, false, &s, &ignored))
        return least;
    s.sure = true;
    while (space_next_shape(&s, &shape)) {
        struct micro micros[SPACE_MICROS];
        struct zero zeros[SPACE_ZEROS];
        enum recompute ways[SPACE_WAYS];
        size_t zero_count = space_zeros(&s, &shape, zeros);

        if (space_micros(&s, &shape, micros) == 0 || s.base.offload != OFFLOAD_NONE)
            continue;
        for (size_t z = 0; z < zero_count; z++) {
            struct setup setup = space_setup(&s, &shape, micros[0], zeros[z]);
            struct memory memory;

            setup.recompute = ways[space_recomputes(&s, shape.stack, ways) - 1];
            memory = estimate_memory(&setup, &known_constants);
            least = fmin(least, (memory.device + memory.paged) /
                                    (space_share(&s, &setup) * usable_memory(setup.gpu)));
        }
    }
    return least;
}

/* Nothing fits, and the nearest is reported with how much is missing. True when there was
 * one. */
static bool check_nearest(uint64_t seed)
{
    struct nearest_fit fit;
    double least = INFINITY;

    if (solve(seed, true) || result.anywhere || !plan_nearest_fit(search, &fit))
        return false;
    for (size_t i = 0; i < world.problem.place_count; i++)
        for (int64_t n = 1; n <= (world.places[i].join.joins ? world.places[i].join.supply : 1);
             n *= 2)
            least = fmin(least, least_need(&world.places[i], n));
    assert_true(fit.need > 1 && fit.gpus >= 1 && fit.machines >= 1);
    if (fit.need > 1.02 * least)
        fail_msg("problem %llu: needs %g, and another only %g", (unsigned long long)seed,
                 fit.need, least);
    return true;
}

static void the_nearest_fit_is_the_least_need(void **state)
{
    size_t seen = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 3 * PROBLEMS; seed++) {
        seen += check_nearest(seed);
        arena_free(&arena);
    }
    print_message("# %zu fit nowhere\n", seen);
    assert_true(seen > PROBLEMS / 60);
}

/* A model that serves, in one place with such machines. */
static void make_serving(const char *model, const char *gpu, int64_t count)
{
    struct error err = {0};

    make_problem(&world, 1);
    assert_true(job_reset(&world.job, &known_arena, &err));
    world.job.kind = JOB_INFER;
    set_text(&world, "model", model);
    set_text(&world, "rate", "2/s");
    set_text(&world, "input", "500");
    set_text(&world, "output", "200");
    if (!job_resolve(&world.job, &known_catalog, (struct str){0}, &known_arena, &err))
        fail_msg("%s", err.text);
    world.machines[0].gpu = known_gpu(gpu);
    world.machines[0].count = count;
    world.places[0].bars = 0;
    world.places[0].join =
        (struct joining){.joins = true, .gb_s = NAN, .least = 1, .step = 1, .supply = 1000};
    world.problem.place_count = 1;
    world.problem.limits = no_limits;
    arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    search = search_new(&world.problem, NULL, &arena, &err);
    assert_non_null(search);
}

/* The deadline does not matter for serving; the cost does. */
static void serving_is_relaxed_too(void **state)
{
    struct error err = {0};
    struct nearest_fit fit;
    struct plan plan;

    (void)state;
    make_serving("llama-3.1-8b", "A100", 4);
    assert_true(has_plan(&world.problem.limits, &plan));
    world.problem.limits.budget = usd_from(1);
    world.problem.limits.deadline_h = 1;
    assert_true(plan_relax(search, &world.problem, NULL, &result, &err));
    assert_int_equal(result.len, 1);
    assert_int_equal(result.at[0].steps[0].kind, RELAX_BUDGET);
    check_gives_a_plan(0, &result.at[0]);
    check_is_least(0, &result.at[0]);
    arena_free(&arena);

    make_serving("llama-3.1-405b", "T4", 1);
    assert_true(plan_relax(search, &world.problem, NULL, &result, &err));
    assert_false(result.anywhere);
    assert_int_equal(result.len, 0);
    assert_true(plan_nearest_fit(search, &fit));
    print_message("# a 405B model needs %.1f x the memory of %lld T4\n", fit.need,
                  (long long)fit.gpus);
    assert_true(fit.need > 10 && fit.need < 20 && fit.gpus == 4); /* 810 GB in 4 x 15 GB */
    arena_free(&arena);
}

int group_relax(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_plan_the_least_change_gives_one),
        cmocka_unit_test(limits_that_a_plan_meets_exactly_keep_it),
        cmocka_unit_test(with_a_plan_each_restriction_has_its_cost),
        cmocka_unit_test(contradictions_are_named),
        cmocka_unit_test(the_nearest_fit_is_the_least_need),
        cmocka_unit_test(serving_is_relaxed_too),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
