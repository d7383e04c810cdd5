/* The optimum compared with an exhaustive search and with every policy. */
#include "test.h"

#include <math.h>

#include "spot/market.h"
#include "spot/optimum.h"
#include "spot/optimum_internal.h"

/* Exhaustive: every choice in every tick, by the simulator's own rules written again. */
struct brute {
    const struct small *small;
    size_t ticks;
    double best;
};

struct place {
    enum sim_mode mode;
    size_t zone;
    bool placed;
    double left, pending, usd;
};

static double moved(const double *table, const struct sim_market *m, const struct place *from,
                    size_t to)
{
    if (table == NULL || !from->placed)
        return 0;
    return table[m->zones[from->zone].region * m->regions + m->zones[to].region];
}

static void all_ways(struct brute *b, size_t tick, struct place at);

static void one_way(struct brute *b, size_t tick, struct place at, enum sim_mode mode,
                    size_t zone)
{
    const struct sim_market *m = &b->small->market;
    const struct sim_job *job = &b->small->job;
    const struct sim_zone *z = &m->zones[zone];
    double price = mode == SIM_ON_DEMAND ? z->on_demand
                   : z->price != NULL    ? z->price[tick]
                                         : z->spot;
    double wait, seconds = m->gap;

    if (at.mode != mode || at.zone != zone) {
        at.usd += moved(m->egress, m, &at, zone);
        at.pending = job->delay + moved(m->carry, m, &at, zone);
        at.mode = mode;
        at.zone = zone;
        at.placed = true;
    }
    wait = fmin(at.pending, seconds);
    if (job->by_second && at.pending + at.left < seconds)
        seconds = at.pending + at.left;
    at.usd += price * job->gang * seconds / 3600;
    at.pending -= wait;
    at.left -= fmin(at.left, seconds - wait);
    all_ways(b, tick + 1, at);
}

static void all_ways(struct brute *b, size_t tick, struct place at)
{
    const struct sim_market *m = &b->small->market;

    if (at.usd >= b->best)
        return;
    if (at.left <= 1e-3) {
        b->best = at.usd;
        return;
    }
    if (tick >= b->ticks)
        return;
    if (at.mode == SIM_SPOT && m->zones[at.zone].nodes_at[tick] < b->small->job.gang)
        at.mode = SIM_IDLE;
    for (size_t z = 0; z < m->zone_count; z++) {
        if (m->zones[z].nodes_at[tick] >= b->small->job.gang)
            one_way(b, tick, at, SIM_SPOT, z);
        one_way(b, tick, at, SIM_ON_DEMAND, z);
    }
    at.mode = SIM_IDLE;
    at.pending = 0;
    all_ways(b, tick + 1, at);
}

static double optimum_of(const struct small *small, struct sim_choice *plan)
{
    struct arena arena = test_arena();
    struct error err = {0};
    double usd = NAN;

    if (!optimum_find(&small->market, &small->job, &arena, plan, &usd, &err))
        fail_msg("%s", err.text);
    arena_free(&arena);
    return usd;
}

static struct sim_result run(const struct small *small, const struct policy *policy)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct sim_result result;
    struct error err = {0};

    if (!sim_run(&small->market, &small->job, policy, &arena, NULL, &result, &err))
        fail_msg("%s: %s", policy->name, err.text);
    arena_free(&arena);
    return result;
}

/* All of them in the optimized build; with the sanitizers each takes several times as long. */
#ifdef __OPTIMIZE__
enum { SEARCHES = 400, PROBLEMS = 300 };
#else
enum { SEARCHES = 120, PROBLEMS = 84 };
#endif

static void equals_exhaustive_search(void **state)
{
    struct small small;

    (void)state;
    small_state = 1;
    for (int i = 0; i < SEARCHES; i++) {
        size_t zones = 1 + (size_t)i % 3;
        struct brute b = {.small = &small, .best = INFINITY};
        double found;

        small_make(&small, zones, zones == 1 ? 8 : zones == 2 ? 7 : 5);
        small.job.by_second = i % 2 == 0;
        b.ticks = sim_deadline_ticks(&small.job, small.market.gap);
        small.market.ticks = b.ticks;
        all_ways(&b, 0, (struct place){.left = small.job.work});
        found = optimum_of(&small, NULL);
        if (fabs(found - b.best) > 1e-6)
            fail_msg("case %d: found %.7f, and the best is %.7f", i, found, b.best);
    }
}

static void the_plan_costs_what_it_says(void **state)
{
    struct small small;

    (void)state;
    small_state = 2;
    for (int i = 0; i < PROBLEMS; i++) {
        struct sim_choice plan[SMALL_TICKS];
        struct sim_result result;
        double found;

        small_make(&small, 3, 40);
        small.job.by_second = i % 2 == 0;
        found = optimum_of(&small, plan);
        result = run(&small, &policy_optimal);
        assert_false(result.late);
        if (fabs(result.usd - found) > 1e-6)
            fail_msg("case %d: found %.7f, and the plan costs %.7f", i, found, result.usd);
    }
}

static struct sim_choice script[SMALL_TICKS];

static void *script_begin(const struct policy *self, const struct sim_market *market,
                          const struct sim_job *job, struct arena *arena, struct error *err)
{
    (void)self;
    (void)market;
    (void)job;
    return arena_array(arena, char, 1, err);
}

static struct sim_choice script_pick(void *state, const struct sim_view *view)
{
    (void)state;
    return script[view->tick];
}

/* Lists that grow too long are replaced by full tables, which find the same, and a plan for it,
 * in one part or in several. */
static void full_tables_find_the_same(void **state)
{
    static const struct policy follow = {
        .name = "script", .begin = script_begin, .pick = script_pick};
    struct small small;

    (void)state;
    small_state = 3;
    for (int i = 0; i < PROBLEMS; i++) {
        struct arena arena = test_arena();
        struct net net;
        struct error err = {0};
        uint8_t states[SMALL_TICKS];
        double expected, found;
        size_t last;

        small_make(&small, 1 + (size_t)i % 3, i % 2 == 0 ? 40 : SMALL_TICKS - 1);
        small.job.by_second = i % 4 < 2;
        expected = optimum_of(&small, NULL);
        assert_true(net_make(&small.market, &small.job, &arena, &net, &err));
        assert_true(isfinite(dense_cells(&net)) && dense_plan_fits(&net));
        assert_true(dense_find(&net, &arena, states, &last, &found, &err));
        assert_near(found, expected, 1e-6);
        for (size_t tick = 0; tick < SMALL_TICKS; tick++)
            script[tick] = tick <= last ? net_choice(&net, states[tick])
                                        : (struct sim_choice){SIM_IDLE, 0};
        assert_near(run(&small, &follow).usd, expected, 1e-6);
        arena_free(&arena);
    }
}

static void no_policy_pays_less(void **state)
{
    struct small small;

    (void)state;
    small_state = 3;
    for (int i = 0; i < PROBLEMS; i++) {
        double found;

        small_make(&small, 4, SMALL_TICKS);
        small.job.by_second = i % 2 == 0;
        if (i % 3 == 0) {
            small.job.save_every = 100 + 100.0 * small_roll(10);
            small.job.save_takes = 10.0 * small_roll(5);
        }
        found = optimum_of(&small, NULL);
        for (size_t p = 0; p < policy_count; p++) {
            struct sim_result result;

            if (policies[p] == &policy_informed) /* of one zone */
                continue;
            result = run(&small, policies[p]);

            if (!result.late && result.usd < found - 1e-6)
                fail_msg("case %d: %s pays %.7f, the optimum is %.7f", i, policies[p]->name,
                         result.usd, found);
        }
    }
}

/* The least is never below the bound, and no more above it than it says. */
static void the_bound_holds_the_optimum(void **state)
{
    struct small small;
    double widest = 0;

    (void)state;
    small_state = 6;
    for (int i = 0; i < PROBLEMS; i++) {
        struct arena arena = test_arena();
        struct error err = {0};
        double found, usd, above;

        small_make(&small, 1 + (size_t)i % 4, SMALL_TICKS);
        small.job.by_second = i % 2 == 0;
        found = optimum_of(&small, NULL);
        if (!optimum_bound(&small.market, &small.job, &arena, &usd, &above, &err))
            fail_msg("%s", err.text);
        if (usd > found + 1e-6 || usd + above < found - 1e-6)
            fail_msg("case %d: %.7f to %.7f, the optimum is %.7f", i, usd, usd + above, found);
        widest = fmax(widest, found - usd);
        arena_free(&arena);
    }
    assert_true(widest > 0); /* not always exact: this tests something */
}

static void reports_an_impossible_deadline(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct small small;
    double usd;

    (void)state;
    small_state = 4;
    small_make(&small, 1, 10);
    small.job.work = small.market.gap * 10.0;
    small.job.delay = 1;
    assert_false(optimum_find(&small.market, &small.job, &arena, NULL, &usd, &err));
    assert_int_equal(err.kind, ERROR_UNFIT);
    small.job.work = 0;
    assert_true(optimum_find(&small.market, &small.job, &arena, NULL, &usd, &err));
    assert_true(usd == 0);
    arena_free(&arena);
}

static void survives_out_of_memory(void **state)
{
    struct small small;
    size_t allow = 0;
    bool ok = false;

    (void)state;
    small_state = 5;
    small_make(&small, 3, 12);
    for (; !ok && allow < 1000; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct sim_choice plan[SMALL_TICKS];
        struct error err = {0};
        double usd;

        ok = optimum_find(&small.market, &small.job, &arena, plan, &usd, &err);
        if (!ok)
            assert_int_equal(err.kind, ERROR_MEMORY);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
    assert_true(ok && allow > 10);
}

int group_optimum(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_exhaustive_search),
        cmocka_unit_test(the_plan_costs_what_it_says),
        cmocka_unit_test(full_tables_find_the_same),
        cmocka_unit_test(no_policy_pays_less),
        cmocka_unit_test(the_bound_holds_the_optimum),
        cmocka_unit_test(reports_an_impossible_deadline),
        cmocka_unit_test(survives_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
