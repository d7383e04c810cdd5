/* The look-ahead compared with results by hand and by simulation, and the launcher that follows
 * its advice. */
#include "test.h"

#include <math.h>

#include "spot/decide.h"
#include "spot/learn.h"
#include "spot/lookahead.h"

#define HOUR 3600.0
#define GAP 600.0

static struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};

static struct look_model model_of(double lose, double gain)
{
    struct look_model m = {
        .gap = GAP, .spot = 1, .on_demand = 3, .spot_start = 360, .on_demand_start = 360};

    for (size_t i = 0; i < AGE_BINS; i++) {
        m.lose[i] = lose;
        m.gain[i] = gain;
    }
    return m;
}

static struct lookahead solved(const struct look_model *model, double hours, double slack)
{
    struct lookahead look;
    struct error err;

    assert_true(lookahead_init(&look, (size_t)(hours * HOUR / GAP), false, &arena, &err));
    lookahead_solve(&look, model, hours * HOUR, slack);
    return look;
}

static double now(const struct lookahead *look, double hours, double slack, enum sim_mode mode,
                  bool up)
{
    return lookahead_now(look, &(struct look_at){.time_left = hours * HOUR,
                                                 .slack = slack,
                                                 .mode = mode,
                                                 .up = up,
                                                 .age = age_edges[3]});
}

static void without_spot_it_is_on_demand(void **state)
{
    struct look_model m = model_of(1, 0);
    struct lookahead look = solved(&m, 20, 4 * HOUR);

    (void)state;
    /* 16 h of work: started at once or later, and while it runs without a start. */
    assert_near(now(&look, 20, 4 * HOUR, SIM_ON_DEMAND, false), 16 * 3, 0.6);
    assert_near(now(&look, 20, 4 * HOUR, SIM_IDLE, false), 16.1 * 3, 0.6);
    assert_near(now(&look, 20, 0, SIM_ON_DEMAND, false), 20 * 3, 1e-3);
}

static void with_spot_that_stays_it_is_spot(void **state)
{
    struct look_model m = model_of(0, 1);
    struct lookahead look = solved(&m, 20, 4 * HOUR);

    (void)state;
    assert_near(now(&look, 20, 4 * HOUR, SIM_SPOT, true), 16, 0.2);
    assert_near(now(&look, 20, 4 * HOUR, SIM_ON_DEMAND, true), 16.1, 0.3);
    /* No slack at all: on-demand cannot be left. */
    assert_near(now(&look, 20, 0, SIM_ON_DEMAND, true), 60, 1e-3);
}

static void slack_is_worth_something(void **state)
{
    struct look_model m = model_of(0.05, 0.05);
    struct lookahead look = solved(&m, 40, 12 * HOUR);
    double before = INFINITY;

    (void)state;
    for (double slack = 0; slack <= 12 * HOUR; slack += HOUR / 2) {
        /* The same time, so more slack is also less work: compare by the hour of work. */
        double usd_hour = now(&look, 40, slack, SIM_IDLE, false) / (40 - slack / HOUR);

        assert_true(usd_hour <= before + 1e-3);
        assert_true(usd_hour > 1 && usd_hour < 3.2);
        before = usd_hour;
    }
}

static void expensive_spot_is_not_worth_a_start(void **state)
{
    struct look_model m = model_of(0.2, 0.2);
    struct lookahead look;
    struct look_at at = {.time_left = 20 * HOUR - GAP, .up = true, .age = age_edges[1]};
    double stay, take;

    (void)state;
    m.spot = 2.95;
    look = solved(&m, 20, 4 * HOUR);
    at.mode = SIM_ON_DEMAND;
    at.slack = at.lost_slack = 4 * HOUR;
    stay = m.on_demand * GAP / HOUR + lookahead_usd(&look, &at);
    at.mode = SIM_SPOT;
    at.slack = at.lost_slack = 4 * HOUR - 360;
    take = m.spot * GAP / HOUR + lookahead_usd(&look, &at);
    assert_true(stay < take);
}

static void another_zone_makes_a_loss_cheaper(void **state)
{
    struct look_model m = model_of(0.1, 0.05);
    struct lookahead look = solved(&m, 40, 6 * HOUR);
    double alone = lookahead_loss(&look, 40 * HOUR, 6 * HOUR, 2);

    (void)state;
    m.other = 0.9;
    look = solved(&m, 40, 6 * HOUR);
    assert_true(alone > 0);
    assert_true(lookahead_loss(&look, 40 * HOUR, 6 * HOUR, 2) < alone / 2);
}

/* Long horizons and short ticks take the same room, and hold the same values. */
static void steps_are_bounded(void **state)
{
    struct look_model m = model_of(0.05, 0.05), fine;
    struct lookahead look = solved(&m, 40, 8 * HOUR), fine_look;

    (void)state;
    fine = m;
    fine.gap = 20;
    for (size_t i = 0; i < AGE_BINS; i++)
        fine.lose[i] = fine.gain[i] = 1 - pow(0.95, 20 / GAP);
    fine_look = solved(&fine, 40, 8 * HOUR);
    assert_true(fine_look.steps <= LOOK_STEPS);
    assert_near(now(&fine_look, 40, 8 * HOUR, SIM_IDLE, true),
                now(&look, 40, 8 * HOUR, SIM_IDLE, true), 1.5);
}

/* A job of more ticks than there is room for gets longer steps, not more memory. */
static void room_is_kept_to(void **state)
{
    static const size_t ticks[] = {0, 1, 10, 97, 150};
    struct look_model m = model_of(0.05, 0.05);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ticks); i++)
        for (double slack = 2; slack < 40; slack *= 4) {
            struct arena own = test_arena();
            struct lookahead look;
            struct error err;

            assert_true(lookahead_init(&look, ticks[i], slack > 8, &own, &err));
            lookahead_solve(&look, &m, 40 * HOUR, slack * HOUR);
            assert_true(look.steps <= (ticks[i] > 0 ? ticks[i] : 1));
            assert_true(now(&look, 40, slack * HOUR, SIM_IDLE, true) > 0);
            arena_free(&own);
        }
}

/* A job that follows decide() at each step, on a hostile or a normal market. */
static bool lead(uint64_t seed, double *out_usd)
{
    struct dice dice = dice_seed(seed);
    double work = 3 * HOUR + floor(dice_unit(&dice) * 7000);
    double delay = floor(dice_unit(&dice) * 1500);
    struct sim_job job = {.work = work, .delay = delay, .gang = 1};
    uint8_t nodes[2][200];
    struct sim_zone zones[2] = {{.nodes_at = nodes[0], .spot = 1, .on_demand = 3},
                                {.nodes_at = nodes[1], .spot = 1.2, .on_demand = 3}};
    struct sim_market market = {.zones = zones, .zone_count = 2, .gap = 600, .regions = 1};
    size_t limit = sim_least_ticks(&job, 600) + (size_t)(dice_unit(&dice) * 12);
    struct decide_job at = {.left = job.work};
    double chance = dice_unit(&dice);
    struct error err;

    *out_usd = 0;
    for (size_t tick = 0; tick < limit && at.left > 1e-3; tick++) {
        struct arena scratch = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct decision d;
        double works;

        for (size_t z = 0; z < 2; z++)
            nodes[z][tick] = dice_unit(&dice) < chance;
        market.ticks = tick + 1;
        at.time_left = (double)(limit - tick) * 600;
        assert_true(decide(&market, &job, &at, &scratch, &d, &err));
        arena_free(&scratch);
        assert_true(d.late_s <= 0);
        assert_true(d.count >= 1 && d.options[0].mode == SIM_ON_DEMAND);
        if (at.mode == SIM_SPOT && !nodes[at.zone][tick])
            at.mode = SIM_IDLE;
        if (d.choice.mode != at.mode || d.choice.zone != at.zone)
            at.pending = job.delay;
        at.mode = d.choice.mode;
        if (at.mode == SIM_IDLE)
            continue;
        at.zone = d.choice.zone;
        at.began = true;
        assert_true(at.mode == SIM_ON_DEMAND || nodes[at.zone][tick]);
        works = fmax(600 - at.pending, 0);
        at.pending = fmax(at.pending - 600, 0);
        at.left = fmax(at.left - works, 0);
        *out_usd += at.mode == SIM_SPOT ? zones[at.zone].spot : 3;
    }
    return at.left <= 1e-3;
}

static void following_it_meets_the_deadline(void **state)
{
    double all_usd = 0, usd_run;

    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        if (!lead(seed, &usd_run))
            fail_msg("seed %d is late", (int)seed);
        all_usd += usd_run / 6;
    }
    assert_true(all_usd / 300 < 12); /* 3 to 5 h of work at $3 an hour, less what spot saves */
}

static void reports_when_it_is_too_late(void **state)
{
    static const uint8_t up[] = {1, 1};
    struct sim_zone zone = {.nodes_at = up, .spot = 1, .on_demand = 3};
    struct sim_market market = {
        .zones = &zone, .zone_count = 1, .gap = 600, .ticks = 2, .regions = 1};
    struct sim_job job = {.work = 2 * HOUR, .delay = 300, .gang = 1};
    struct decide_job at = {.left = 2 * HOUR, .time_left = 1.9 * HOUR};
    struct decision d;
    struct error err;

    (void)state;
    assert_true(decide(&market, &job, &at, &arena, &d, &err));
    assert_near(d.late_s, 0.1 * HOUR + 300, 1e-6);
    assert_int_equal(d.choice.mode, SIM_ON_DEMAND);
    at.time_left = 0;
    assert_true(decide(&market, &job, &at, &arena, &d, &err));
    assert_int_equal(d.choice.mode, SIM_ON_DEMAND);
    at.time_left = 3 * HOUR;
    assert_true(decide(&market, &job, &at, &arena, &d, &err));
    assert_true(d.late_s <= 0);
    assert_near(d.latest_s, 3000, 1e-6); /* five looks: 18 - 13 ticks */
}

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

int group_lookahead(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_spot_it_is_on_demand),
        cmocka_unit_test(with_spot_that_stays_it_is_spot),
        cmocka_unit_test(slack_is_worth_something),
        cmocka_unit_test(expensive_spot_is_not_worth_a_start),
        cmocka_unit_test(another_zone_makes_a_loss_cheaper),
        cmocka_unit_test(steps_are_bounded),
        cmocka_unit_test(room_is_kept_to),
        cmocka_unit_test(following_it_meets_the_deadline),
        cmocka_unit_test(reports_when_it_is_too_late),
    };

    return cmocka_run_group_tests(tests, NULL, end);
}
