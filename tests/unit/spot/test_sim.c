/* The tick rules, one at a time, and the policies by name. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "spot/policy.h"
#include "spot/work.h"

/* A policy that does what a script says: '.', 's', 'o', or 'S' and 'O' in the second zone. */
static const char *script;

static void *begin(const struct policy *self, const struct sim_market *market,
                   const struct sim_job *job, struct arena *arena, struct error *err)
{
    (void)self;
    (void)market;
    (void)job;
    (void)arena;
    (void)err;
    return &script;
}

static struct sim_choice pick(void *state, const struct sim_view *view)
{
    char c = view->tick < strlen(script) ? script[view->tick] : '.';
    size_t zone = c == 'S' || c == 'O' ? 1 : 0;

    (void)state;
    if ((c == 's' || c == 'S') && view->up[zone])
        return (struct sim_choice){SIM_SPOT, zone};
    if (c == 'o' || c == 'O')
        return (struct sim_choice){SIM_ON_DEMAND, zone};
    return (struct sim_choice){SIM_IDLE, 0};
}

static const struct policy scripted = {.name = "scripted", .begin = begin, .pick = pick};

enum { TICKS = 12 };

static double egress[] = {0, 0.5, 0.25, 0}, carry[] = {0, 100, 50, 0};
static struct sim_tick track[TICKS];

/* Spot 1 and on-demand 3 USD an hour (2 and 4 in the second zone), ticks of 600 s. */
static struct sim_result follow(const char *steps, const char *up, struct sim_job job)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct sim_result result;
    uint8_t nodes[2][TICKS];
    struct sim_zone zones[] = {
        {.nodes_at = nodes[0], .spot = 1, .on_demand = 3, .region = 0},
        {.nodes_at = nodes[1], .spot = 2, .on_demand = 4, .region = 1},
    };
    struct sim_market market = {.zones = zones,
                                .zone_count = 2,
                                .gap = 600,
                                .ticks = TICKS,
                                .regions = 2,
                                .egress = egress,
                                .carry = carry};

    for (size_t i = 0; i < TICKS; i++) {
        nodes[0][i] = i < strlen(up) ? (uint8_t)(up[i] - '0') : 0;
        nodes[1][i] = 9;
    }
    script = steps;
    job.gang = job.gang > 0 ? job.gang : 1;
    job.deadline = job.deadline > 0 ? job.deadline : 600 * TICKS;
    if (!sim_run(&market, &job, &scripted, &arena, track, &result, &err))
        fail_msg("%s", err.text);
    arena_free(&arena);
    return result;
}

static void full_ticks_are_paid(void **state)
{
    struct sim_result r = follow("ooo", "", (struct sim_job){.work = 1300, .delay = 100});

    (void)state;
    assert_near(r.usd, 3 * 3 / 6.0, 1e-12);
    assert_int_equal(r.end, 3);
    assert_false(r.late);
    assert_near(track[1].done, 500, 0);
    r = follow("ooo", "", (struct sim_job){.work = 1300, .delay = 100, .by_second = true});
    assert_near(r.usd, 3 * 1400 / 3600.0, 1e-12);
    assert_near(r.on_demand_s, 1400, 1e-9);
    r = follow("ooo", "", (struct sim_job){.work = 1300, .delay = 100, .gang = 5});
    assert_near(r.usd, 5 * 3 * 3 / 6.0, 1e-12);
}

static void a_start_longer_than_a_tick_goes_on(void **state)
{
    struct sim_result r = follow("oooo", "", (struct sim_job){.work = 1200, .delay = 700});

    (void)state;
    assert_near(track[1].done, 0, 0);
    assert_near(track[2].done, 500, 0);
    assert_int_equal(r.end, 4);
}

static void what_is_lost_must_start_again(void **state)
{
    struct sim_result r = follow("sssss", "11011", (struct sim_job){.work = 2000, .delay = 60});

    (void)state;
    assert_int_equal(r.losses, 1);
    assert_int_equal(r.starts, 2);
    assert_int_equal(track[2].mode, SIM_IDLE);
    assert_near(track[3].done, 1140, 0);
    assert_near(track[4].done, 1680, 0);
    assert_int_equal(r.end, 5);
    assert_near(r.usd, 4 / 6.0, 1e-12);
    assert_near(r.idle_s, 600, 0);
    r = follow("sss", "211", (struct sim_job){.work = 900, .delay = 60, .gang = 2});
    assert_int_equal(r.losses, 1);
    assert_true(r.late);
}

static void late_is_the_deadlines_tick(void **state)
{
    struct sim_job job = {.work = 1200, .deadline = 1799};

    (void)state;
    assert_false(follow("oo", "", job).late);
    assert_true(follow(".oo", "", job).late);
    assert_int_equal(sim_least_ticks(&job, 600), 2);
    job.delay = 1;
    assert_int_equal(sim_least_ticks(&job, 600), 3);
    job.delay = 0.0001;
    assert_int_equal(sim_least_ticks(&job, 600), 2);
}

static void moving_costs_egress_and_time(void **state)
{
    struct sim_result r = follow("sSsss", "11111", (struct sim_job){.work = 1700, .delay = 60});

    (void)state;
    assert_int_equal(r.moves, 2);
    assert_near(r.egress_usd, 0.75, 1e-12);
    assert_near(track[1].done, 540, 0);
    assert_near(track[2].done, 540 + 440, 0);
    assert_near(track[3].done, 540 + 440 + 490, 0);
    assert_near(r.usd, 0.75 + (1 + 2 + 1 + 1) / 6.0, 1e-12);
    /* The first start moves nothing. */
    r = follow("SS", "", (struct sim_job){.work = 1100, .delay = 60});
    assert_int_equal(r.moves, 0);
    assert_near(r.egress_usd, 0, 0);
    assert_int_equal(r.end, 2);
}

static void unsaved_work_is_lost(void **state)
{
    struct sim_job job = {.work = 3000, .save_every = 400, .save_takes = 20};
    struct sim_result r = follow("ss.", "110", job);

    (void)state;
    /* 400 work, 20 save, 180 work; 220 work, 20 save, 360 work, lost. */
    assert_near(track[1].done, 580, 0);
    assert_near(r.done, 800, 1e-9);
    assert_near(r.lost_s, 360, 1e-9);
    job.notice = 120;
    r = follow("ss.", "110", job);
    assert_near(r.done, 1140, 1e-9);
    assert_near(r.lost_s, 20, 1e-9);
    /* Saving that takes no time is no notice. */
    r = follow("ss.", "110", (struct sim_job){.work = 3000, .save_every = 5000});
    assert_near(r.done, 0, 0);
    assert_near(r.lost_s, 1200, 1e-9);
    /* Left by choice, twice: saved first, which the next start waits for and which is paid. */
    job.notice = 0;
    r = follow("sso", "111", job);
    assert_near(track[2].done, 1160, 1e-3);
    assert_near(r.lost_s, 0, 0);
    assert_near(r.usd, (1 + 1 + 3) / 6.0 + 20 * (1 + 3) / 3600.0, 1e-12);
    /* The new machine waits 20 s, works 400, saves 20, works 160. */
    assert_near(r.done, 1160 + 560, 1e-9);
}

/* Many saves in a tick, in one step or one at a time. */
static void check_saving(const struct sim_job *job)
{
    struct work at_once = {.left = 5000, .pending = 30}, parts = at_once;
    double ticks = work_ticks(job, &at_once, 600);
    int needed = 4;

    for (int i = 0; i < 4; i++)
        work_go_on(job, &at_once, 600);
    for (int i = 0; i < 2400; i++)
        work_go_on(job, &parts, 1);
    assert_near(at_once.left, parts.left, 1e-6);
    assert_near(at_once.unsaved, parts.unsaved, 1e-6);
    assert_near(at_once.pending, parts.pending, 1e-6);
    assert_int_equal(at_once.saving, parts.saving);
    for (; at_once.left > WORK_TOLERANCE; needed++)
        work_go_on(job, &at_once, 600);
    assert_near(needed, ticks, 0);
}

static void saving_adds_up(void **state)
{
    (void)state;
    for (int every = 7; every < 900; every += 13)
        for (int takes = 0; takes < 60; takes += 7)
            check_saving(&(struct sim_job){.save_every = every, .save_takes = takes});
}

static void policies_have_names(void **state)
{
    struct policy policy;
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < policy_count; i++) {
        assert_true(policy_named(str_from(policies[i]->name), &policy, &err));
        assert_ptr_equal(policy.pick, policies[i]->pick);
    }
    assert_true(policy_named(STR("time-sliced:12"), &policy, &err));
    assert_int_equal(policy.number, 12);
    assert_false(policy_named(STR("time-sliced:0"), &policy, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_false(policy_named(STR("up:3"), &policy, &err));
    assert_false(policy_named(STR("gredy"), &policy, &err));
    assert_string_equal(err.hint, "did you mean 'greedy'?");
    assert_false(policy_named(STR("?"), &policy, &err));
    assert_string_equal(err.hint, "there are on-demand, greedy, time-sliced, up-plain, up, "
                                  "up-oracle, stint, informed, optimal");
}

static void bad_numbers_are_refused(void **state)
{
    const struct sim_zone zone = {.nodes_at = (const uint8_t[4]){0}, .spot = 1, .on_demand = 3};
    const struct sim_zone unpriced = {.nodes_at = zone.nodes_at, .on_demand = NAN};
    const struct sim_market good = {
        .zones = &zone, .zone_count = 1, .gap = 600, .ticks = 4, .regions = 1};
    const struct sim_job job = {.work = 600, .deadline = 2400, .gang = 1};
    struct sim_market market = good;
    struct sim_job bad = job;
    struct error err = {0};

    (void)state;
    assert_true(sim_check(&market, &job, &err));
    market.ticks = 3;
    assert_false(sim_check(&market, &job, &err));
    market = good;
    market.zone_count = 0;
    assert_false(sim_check(&market, &job, &err));
    market = good;
    market.gap = 0;
    assert_false(sim_check(&market, &job, &err));
    market = good;
    market.regions = 0;
    assert_false(sim_check(&market, &job, &err));
    market = good;
    market.zones = &unpriced;
    assert_false(sim_check(&market, &job, &err));
    bad.work = NAN;
    assert_false(sim_check(&good, &bad, &err));
    bad = job;
    bad.gang = 0;
    assert_false(sim_check(&good, &bad, &err));
    bad = job;
    bad.save_every = 0.5;
    assert_false(sim_check(&good, &bad, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
}

int group_sim(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_ticks_are_paid),
        cmocka_unit_test(a_start_longer_than_a_tick_goes_on),
        cmocka_unit_test(what_is_lost_must_start_again),
        cmocka_unit_test(late_is_the_deadlines_tick),
        cmocka_unit_test(moving_costs_egress_and_time),
        cmocka_unit_test(unsaved_work_is_lost),
        cmocka_unit_test(saving_adds_up),
        cmocka_unit_test(policies_have_names),
        cmocka_unit_test(bad_numbers_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
