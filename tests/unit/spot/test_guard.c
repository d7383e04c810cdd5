/* Never late: the guard on every trace of a short horizon, and on many long ones. */
#include "test.h"

#include <math.h>

#include "spot/guard.h"
#include "spot/market.h"
#include "spot/work.h"

/* The least safe choice that the guard allows. */
static void *begin(const struct policy *self, const struct sim_market *market,
                   const struct sim_job *job, struct arena *arena, struct error *err)
{
    static int nothing;

    (void)self;
    (void)market;
    (void)job;
    (void)arena;
    (void)err;
    return &nothing;
}

static struct sim_choice pick_spot_first(void *state, const struct sim_view *view)
{
    struct sim_choice wait = {SIM_IDLE, view->zone};

    (void)state;
    for (size_t z = view->zone_count; z-- > 0;) {
        struct sim_choice choice = {SIM_SPOT, z};

        if (view->up[z] && guard_allows(view, choice))
            return choice;
    }
    return guard_allows(view, wait) ? wait : guard_rescue(view);
}

static struct sim_choice pick_at_random(void *state, const struct sim_view *view)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        enum sim_mode mode = (enum sim_mode)small_roll(3);
        struct sim_choice choice = {mode, small_roll((unsigned)view->zone_count)};

        if ((choice.mode != SIM_SPOT || view->up[choice.zone]) && guard_allows(view, choice))
            return choice;
    }
    return guard_rescue(view);
}

static const struct policy spot_first = {
    .name = "spot-first", .begin = begin, .pick = pick_spot_first};
static const struct policy at_random = {
    .name = "at-random", .begin = begin, .pick = pick_at_random};

static struct sim_result run(const struct small *small, const struct policy *policy)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct sim_result result;
    struct error err = {0};

    if (!sim_run(&small->market, &small->job, policy, &arena, NULL, &result, &err))
        fail_msg("%s", err.text);
    arena_free(&arena);
    return result;
}

/* Work, delay and saving, at random, such that on-demand just meets the deadline or has some
 * time left. */
static void job_for(struct small *small, size_t ticks)
{
    struct sim_job *job = &small->job;
    double gap = small->market.gap;

    *job = (struct sim_job){.gang = 1, .deadline = gap * (double)ticks};
    job->delay = gap * 0.1 * small_roll(25);
    if (small_roll(2) == 0) {
        job->save_every = fmax(gap * 0.2 * (1 + small_roll(20)), 1);
        job->save_takes = gap * 0.05 * small_roll(20);
        job->notice = small_roll(2) == 0 ? 120 : 0;
    }
    job->work = gap * (double)ticks;
    while (sim_least_ticks(job, small->market.gap) > ticks)
        job->work -= small_roll(2) == 0 ? gap * 0.1 : gap / 7;
    if (small_roll(2) == 0)
        job->work *= 0.5 + 0.1 * small_roll(5);
    job->work = fmax(job->work, 0);
}

/* All 2^n availabilities of one zone. */
static void no_trace_makes_it_late(void **state)
{
    enum { TICKS = 9 };
    struct small small;

    (void)state;
    small_state = 11;
    for (int i = 0; i < 60; i++) {
        small_make(&small, 1, TICKS);
        job_for(&small, TICKS);
        for (unsigned bits = 0; bits < 1U << TICKS; bits++) {
            for (size_t t = 0; t < TICKS; t++)
                small.nodes[0][t] = bits >> t & 1;
            if (run(&small, &spot_first).late || run(&small, &at_random).late)
                fail_msg("case %d, availability %x: late", i, bits);
        }
    }
}

static void no_market_makes_it_late(void **state)
{
    struct small small;

    (void)state;
    small_state = 12;
    for (int i = 0; i < 20000; i++) {
        size_t ticks = 4 + small_roll(SMALL_TICKS - 4);

        small_make(&small, SMALL_ZONES, ticks);
        job_for(&small, ticks);
        if (run(&small, &spot_first).late || run(&small, &at_random).late)
            fail_msg("case %d: late", i);
    }
}

/* A view of one zone, from scratch. */
struct still {
    struct sim_job job;
    bool up;
    double spot, on_demand, zero, move_s, again_s;
    struct sim_view view;
};

static void make_still(struct still *s, double left, size_t ticks_left, double delay)
{
    *s = (struct still){.job = {.work = left, .delay = delay, .gang = 1},
                        .up = true,
                        .spot = 1,
                        .on_demand = 3,
                        .move_s = delay,
                        .again_s = delay};
    s->view = (struct sim_view){.job = &s->job,
                                .gap = 600,
                                .ticks_left = ticks_left,
                                .left = left,
                                .zone_count = 1,
                                .up = &s->up,
                                .spot = &s->spot,
                                .on_demand = &s->on_demand,
                                .move_usd = &s->zero,
                                .move_s = &s->move_s,
                                .again_s = &s->again_s};
}

/* Without saving, by the rule itself: what is left after a tick that may have been for
 * nothing. */
static void is_exact(void **state)
{
    struct still s;

    (void)state;
    /* 10 ticks of work and a start of 72 s: on-demand takes 11. */
    make_still(&s, 6000, 11, 72);
    assert_true(guard_allows(&s.view, (struct sim_choice){SIM_ON_DEMAND, 0}));
    assert_false(guard_allows(&s.view, (struct sim_choice){SIM_IDLE, 0}));
    /* A tick of spot does 528 s; then 5472 + 72 s take 10 more. */
    assert_true(guard_allows(&s.view, (struct sim_choice){SIM_SPOT, 0}));
    make_still(&s, 6000, 12, 72);
    assert_true(guard_allows(&s.view, (struct sim_choice){SIM_IDLE, 0}));
    make_still(&s, 6000, 10, 72);
    assert_false(guard_allows(&s.view, (struct sim_choice){SIM_ON_DEMAND, 0}));
    assert_int_equal(guard_rescue(&s.view).mode, SIM_ON_DEMAND);
    /* A start that takes longer than the tick is for nothing. */
    make_still(&s, 6000, 12, 720);
    assert_false(guard_allows(&s.view, (struct sim_choice){SIM_SPOT, 0}));
    make_still(&s, 6000, 13, 720);
    assert_true(guard_allows(&s.view, (struct sim_choice){SIM_SPOT, 0}));
    /* What runs and needs no more than the tick may be lost at its end. */
    make_still(&s, 600, 1, 72);
    s.view.mode = SIM_SPOT;
    assert_true(guard_allows(&s.view, (struct sim_choice){SIM_SPOT, 0}));
    s.view.pending = 1;
    assert_false(guard_allows(&s.view, (struct sim_choice){SIM_SPOT, 0}));
}

/* What it forbids is forbidden for a reason: there is a trace on which it would be late. */
static void forbids_nothing_that_is_safe(void **state)
{
    (void)state;
    small_state = 13;
    for (int i = 0; i < 3000; i++) {
        struct still s;
        struct work after, later;
        size_t ticks = 1 + small_roll(20);
        double left = 60.0 * (1 + small_roll(200)), delay = 30.0 * small_roll(50);
        bool safe;

        make_still(&s, left, ticks, delay);
        after = (struct work){.left = left, .pending = delay};
        work_go_on(&s.job, &after, 600);
        later = (struct work){.left = after.left, .pending = delay};
        safe = after.left <= 1e-3;
        for (size_t t = 1; t < ticks && !safe; t++) {
            work_go_on(&s.job, &later, 600);
            safe = later.left <= 1e-3;
        }
        assert_int_equal(guard_allows(&s.view, (struct sim_choice){SIM_SPOT, 0}), safe);
    }
}

static void rescue_takes_the_cheapest_that_makes_it(void **state)
{
    struct still s;
    bool up[2] = {false, false};
    double price[2] = {3, 2}, egress[2] = {0, 1}, moves[2] = {60, 660}, again[2] = {60, 60};

    (void)state;
    make_still(&s, 36000, 70, 60);
    s.view.zone_count = 2;
    s.view.up = up;
    s.view.spot = price;
    s.view.on_demand = price;
    s.view.move_usd = egress;
    s.view.move_s = moves;
    s.view.again_s = again;
    assert_int_equal(guard_rescue(&s.view).zone, 1);
    egress[1] = 20;
    assert_int_equal(guard_rescue(&s.view).zone, 0);
    egress[1] = 1;
    s.view.ticks_left = 61;
    assert_int_equal(guard_rescue(&s.view).zone, 0);
    s.view.ticks_left = 5;
    assert_int_equal(guard_rescue(&s.view).zone, 0);
}

int group_guard(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_trace_makes_it_late),
        cmocka_unit_test(no_market_makes_it_late),
        cmocka_unit_test(is_exact),
        cmocka_unit_test(forbids_nothing_that_is_safe),
        cmocka_unit_test(rescue_takes_the_cheapest_that_makes_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
