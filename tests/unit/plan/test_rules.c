/* The numbers of each rule of thumb equal exhaustive searches with and without it. */
#include "problems.h"

#include "base/num.h"
#include "estimate/range.h"
#include "plan/rules.h"

enum { PROBLEMS = 300 };

static struct world world;
static struct brute brute;
static struct arena arena;
static struct plan best;
static struct rule rules[RULE_COUNT];
static uint64_t problem;
static size_t applied[RULE_COUNT], agreed[RULE_COUNT];

static bool try_all(const struct plan_problem *p, const struct search_filter *filter)
{
    brute.p = p;
    brute.filter = filter;
    brute.found = false;
    brute.front_len = brute.settings = 0;
    try_everything(&brute);
    brute.p = NULL;
    brute.filter = NULL;
    return brute.found;
}

/* One side of a rule against the best of everything: within the limits, or without. */
static void expect(const struct rule *rule, const struct rule_side *side,
                   const struct plan_problem *p, const struct search_filter *filter)
{
    struct plan_problem loose = *p;
    bool allowed = try_all(p, filter), possible = allowed;

    loose.limits.budget = USD_UNKNOWN;
    loose.limits.deadline_h = loose.limits.max_risk = loose.limits.max_carbon_kg = NAN;
    if (!allowed)
        possible = try_all(&loose, filter);
    if (possible != side->possible || allowed != side->allowed)
        fail_msg("problem %llu, rule %d, %s: possible %d, allowed %d; everything: %d, %d",
                 (unsigned long long)problem, (int)rule->id, side->name, side->possible,
                 side->allowed, possible, allowed);
    if (!possible) {
        assert_true(isnan(side->usd) && isnan(side->hours));
        return;
    }
    if (side->usd != usd_double(brute.best.total.expected) || side->hours != brute.best.hours)
        fail_msg("problem %llu, rule %d, %s: $%.9f in %.9f h; everything: $%.9f in %.9f h",
                 (unsigned long long)problem, (int)rule->id, side->name, side->usd, side->hours,
                 usd_double(brute.best.total.expected), brute.best.hours);
}

/* The number in "ZeRO 3", "taking 4 machines", "a micro-batch of 8"; -1: none. */
static int64_t number_in(const char *name)
{
    int64_t n;

    while (*name != '\0' && (*name < '0' || *name > '9'))
        name++;
    return num_int((struct str){name, strspn(name, "0123456789")}, &n) ? n : -1;
}

/* The places in some markets. */
static struct plan_problem in_markets(unsigned markets, unsigned lifted)
{
    static struct plan_place places[PLACES];
    struct plan_problem p = world.problem;

    p.limits.lifted |= lifted;
    p.places = places;
    p.place_count = 0;
    for (size_t i = 0; i < world.problem.place_count; i++)
        if ((markets & 1u << world.places[i].market) != 0)
            places[p.place_count++] = world.places[i];
    return p;
}

static struct plan_problem at_home(const struct job *job)
{
    struct plan_problem p = world.problem;

    p.job = job;
    p.places = best.place;
    p.place_count = 1;
    return p;
}

static void check_markets(const struct rule *rule)
{
    bool spot_last = strcmp(rule->without.name, "spot") == 0;
    struct plan_problem p = in_markets(1u << MARKET_SPOT, BAR_MARKET);
    double on_spot;

    expect(rule, spot_last ? &rule->without : &rule->with, &p, NULL);
    on_spot = brute.best.score;
    p = in_markets(1u << MARKET_ON_DEMAND, BAR_MARKET);
    expect(rule, spot_last ? &rule->with : &rule->without, &p, NULL);
    assert_true(spot_last == (brute.best.work_h < 1));
    if (rule->with.allowed && rule->without.allowed && on_spot != brute.best.score)
        assert_true(rule->agrees == (spot_last == (brute.best.score < on_spot)));
    if (rule->with.allowed != rule->without.allowed)
        assert_true(rule->agrees == rule->with.allowed);
}

static void check_local(const struct rule *rule)
{
    bool own_first = strcmp(rule->with.name, "your own machine") == 0;
    struct plan_problem p = in_markets(1u << MARKET_OWN, 0);

    expect(rule, own_first ? &rule->with : &rule->without, &p, NULL);
    assert_true(own_first ? brute.best.work_h < 1 : brute.best.work_h > 10);
    p = in_markets(~(1u << MARKET_OWN), 0);
    expect(rule, own_first ? &rule->without : &rule->with, &p, NULL);
}

static void check_one_gpu(const struct rule *rule)
{
    struct search_filter one = {.gpus = 1};
    struct plan_problem p = world.problem;

    expect(rule, &rule->with, &p, &one);
    assert_true(rule->agrees == (best.way.gpus == 1));
    if (world.job.train.search.trials > 0)
        return;
    p.limits.least_gpus = 2;
    expect(rule, &rule->without, &p, NULL);
}

static void check_nodes(const struct rule *rule)
{
    struct plan_problem p = at_home(&world.job);
    struct search_filter filter = {.machines = 1};
    int64_t more = number_in(rule->without.name);

    expect(rule, &rule->with, &p, &filter);
    assert_true(more > 1 && (best.way.machines == 1 || more == best.way.machines));
    filter.machines = more;
    expect(rule, &rule->without, &p, &filter);
}

static struct search_filter own_machines(void)
{
    return (struct search_filter){.machines = best.way.machines, .gpus = best.way.gpus};
}

static void check_precision(const struct rule *rule)
{
    struct search_filter own = own_machines();
    struct job job = world.job;
    struct plan_problem p = at_home(&job);

    job.train.precision = str_from(rule->with.name);
    expect(rule, &rule->with, &p, &own);
    job.train.precision = str_from(rule->without.name);
    expect(rule, &rule->without, &p, &own);
}

static struct job as_best(void)
{
    const struct setup *s = &best.way.setup;
    struct job job = world.job;

    job.train.parallel.data = s->data;
    job.train.parallel.tensor = s->tensor;
    job.train.parallel.pipeline = s->pipeline;
    job.train.parallel.context = s->context;
    job.train.parallel.expert = s->expert;
    job.train.precision = str_from(precision_names[s->precision]);
    if (s->offload == OFFLOAD_NONE)
        job.train.parallel.offload = STR("none");
    return job;
}

/* The lowest stage that can be is `with`; `without` is the plan's own, or the highest. */
static void check_zero(const struct rule *rule)
{
    struct search_filter own = own_machines();
    struct job job = as_best();
    struct plan_problem p = at_home(&job);
    int64_t lowest = number_in(rule->with.name), other = number_in(rule->without.name);
    int64_t chosen = best.way.setup.zero;

    assert_true(lowest >= 0 && (chosen == lowest || chosen == other));
    for (int64_t stage = 0; stage <= 3; stage++) {
        job.train.parallel.zero = stage;
        if (stage == lowest)
            expect(rule, &rule->with, &p, &own);
        else if (stage == other)
            expect(rule, &rule->without, &p, &own);
        else if (stage < lowest || (stage > other && chosen == lowest))
            expect(rule, &(struct rule_side){.usd = NAN, .hours = NAN}, &p, &own);
    }
    assert_true(rule->agrees == (chosen == lowest));
}

static struct job with_zero(void)
{
    struct job job = as_best();

    job.train.parallel.zero = best.way.setup.zero;
    if (best.way.setup.data * best.way.setup.context > 1)
        job.train.parallel.shard = best.way.setup.shard;
    return job;
}

static void check_recompute(const struct rule *rule)
{
    struct search_filter own = own_machines();
    struct job job = with_zero();
    struct plan_problem p = at_home(&job);
    bool before = true;

    for (int way = 0; way < RECOMPUTE_COUNT; way++) {
        char name[32];

        (void)snprintf(name, sizeof name, "%s recompute",
                       way == 0 ? "no" : recompute_names[way]);
        job.train.recompute = str_from(recompute_names[way]);
        if (strcmp(name, rule->with.name) == 0) {
            before = false;
            expect(rule, &rule->with, &p, &own);
        } else if (strcmp(name, rule->without.name) == 0) {
            expect(rule, &rule->without, &p, &own);
        } else if (before) {
            expect(rule, &(struct rule_side){.usd = NAN, .hours = NAN}, &p, &own);
        }
    }
    assert_false(before);
}

static void check_batch(const struct rule *rule)
{
    const struct setup *s = &best.way.setup;
    struct search_filter own = own_machines();
    struct job job = with_zero();
    struct plan_problem p = at_home(&job);
    int64_t largest = number_in(rule->with.name), other = number_in(rule->without.name);

    job.train.parallel.offload = str_from(offload_names[s->offload]);
    job.train.recompute = str_from(recompute_names[s->recompute]);
    job.train.global_batch = (int64_t)setup_global_batch(s);
    job.train.micro_batch = largest;
    expect(rule, &rule->with, &p, &own);
    assert_true(largest >= s->micro_batch);
    assert_true(rule->agrees == (largest == s->micro_batch));
    job.train.micro_batch = 2 * largest;
    if (largest < 64 && try_all(&p, &own))
        assert_true(estimate_memory(&brute.best.way.setup, &known_constants).device >
                    fits_share(memory_doubt(s, &known_constants)) * usable_memory(s->gpu));
    if (other < 1)
        return;
    job.train.micro_batch = other;
    assert_true(other < largest);
    if (rule->without.possible)
        expect(rule, &rule->without, &p, &own);
}

static void check_offload(const struct rule *rule)
{
    struct search_filter filter = {0};
    struct job job = world.job;
    struct plan_problem p = at_home(&job);

    job.train.parallel.offload = STR("none");
    expect(rule, &rule->without, &p, NULL);
    p.limits.budget = USD_UNKNOWN; /* does it fit anywhere on as many? */
    p.limits.deadline_h = p.limits.max_risk = p.limits.max_carbon_kg = NAN;
    for (filter.gpus = 1; filter.gpus <= rule->with.gpus; filter.gpus++)
        assert_false(try_all(&p, &filter));
    assert_true(rule->with.gpus < rule->without.gpus || !rule->without.possible);
    assert_true(rule->agrees == (best.way.setup.offload != OFFLOAD_NONE));
}

static void check_words(const struct rule *rule)
{
    struct buf out = buf_new(&alloc_system, 1000);
    struct error err = {0};

    rule_effect(rule, &out);
    assert_true(buf_ok(&out, &err));
    assert_true(out.len > 10);
    assert_false(str_has_nocase(buf_text(&out), STR("nan")));
    buf_free(&out);
}

static void solve(uint64_t seed)
{
    struct error err = {0};
    struct search *search;
    bool found;

    problem = seed;
    make_problem(&world, seed);
    world.problem.limits.within_h = 0; /* rules are not about when */
    for (size_t i = 0; i < PLACES; i++) {
        if (world.places[i].market == MARKET_ON_DEMAND && often(&world.dice, 0.2))
            world.places[i].market = MARKET_OWN;
        if (world.places[i].market == MARKET_SPOT && often(&world.dice, 0.5))
            world.places[i].bars |= BAR_MARKET;
    }
    arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    search = search_new(&world.problem, NULL, &arena, &err);
    assert_non_null(search);
    assert_true(search_best(search, &world.problem, NULL, &best, &found, &err));
    if (!found)
        return;
    assert_true(plan_rules(search, &world.problem, &best, &arena, rules, &err));
    for (int i = 0; i < RULE_COUNT; i++) {
        static void (*const check[RULE_COUNT])(const struct rule *) = {
            check_markets, check_one_gpu,   check_offload, check_nodes, check_precision,
            check_zero,    check_recompute, check_batch,   check_local,
        };

        assert_int_equal(rules[i].id, i);
        check_words(&rules[i]);
        assert_true(rules[i].applies == (rules[i].why_not == NULL));
        if (rules[i].applies) {
            check[i](&rules[i]);
            applied[i]++;
            agreed[i] += rules[i].agrees;
        }
    }
}

static void rules_equal_exhaustive_search(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= PROBLEMS; seed++) {
        solve(seed);
        arena_free(&arena);
    }
    for (int i = 0; i < RULE_COUNT; i++) {
        print_message("# rule %d applies to %zu, agrees with %zu\n", i, applied[i], agreed[i]);
        assert_true(applied[i] > 3);
    }
}

static void says(const struct rule *rule, const char *text)
{
    struct buf out = buf_new(&alloc_system, 1000);

    rule_effect(rule, &out);
    buf_char(&out, '\0');
    assert_string_equal(out.at, text);
    buf_free(&out);
}

static void effects_are_sentences(void **state)
{
    struct rule rule = {.applies = true,
                        .with = {"one GPU", true, true, 10, 4, 1},
                        .without = {"sharding over 4 GPUs", true, true, 11.2, 3.2, 4}};

    (void)state;
    says(&rule, "sharding over 4 GPUs costs $1.20 more than one GPU and is done 48 min sooner");
    rule.without.usd = 9.5;
    rule.without.hours = 400;
    says(&rule, "sharding over 4 GPUs costs $0.50 less than one GPU and is done 396 h later");
    rule.without.usd = 10;
    rule.without.hours = 4;
    rule.without.allowed = false;
    says(&rule, "sharding over 4 GPUs costs as much as one GPU and takes as long, but does not "
                "meet the limits");
    rule.without.allowed = true;
    rule.with.allowed = false;
    rule.without.hours = 6.5;
    says(&rule,
         "sharding over 4 GPUs costs as much as one GPU and is done 2.5 h later; one GPU "
         "would not meet the limits");
    rule.without.possible = false;
    says(&rule, "only one GPU is possible");
    rule.applies = false;
    rule.why_not = "it does not fit one GPU";
    says(&rule, "it does not fit one GPU");
}

/* None of them is about serving. */
static void serving_has_no_rules(void **state)
{
    struct plan served = {.way = {.serves = true}, .hours = NAN};
    struct error err = {0};
    struct search *search;

    (void)state;
    make_problem(&world, 1);
    world.problem.limits.within_h = 0; /* rules are not about when */
    arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    search = search_new(&world.problem, NULL, &arena, &err);
    assert_non_null(search);
    served.place = &world.places[0];
    assert_true(plan_rules(search, &world.problem, &served, &arena, rules, &err));
    for (int i = 0; i < RULE_COUNT; i++) {
        assert_false(rules[i].applies);
        says(&rules[i], "it is a rule for training");
    }
    arena_free(&arena);
}

int group_rules(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_equal_exhaustive_search),
        cmocka_unit_test(effects_are_sentences),
        cmocka_unit_test(serving_has_no_rules),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
