/* What a job will cost on spot: by simulation, and in closed form. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "spot/hazard.h"
#include "spot/outlook.h"

#define HOUR 3600.0

/* Of the closed form on the grid below, which is smaller than the header's: root mean square
 * and largest error of the cost, and root mean square of the chance. */
#define QUICK_RMS 0.04
#define QUICK_WORST 0.10
#define QUICK_LATE 0.06

static struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct outlook_ask ask_of(const struct lifetimes *life, double work, double deadline)
{
    return (struct outlook_ask){.job = {.work = work * HOUR,
                                        .deadline = deadline * HOUR,
                                        .delay = 0.1 * HOUR,
                                        .gang = 1,
                                        .by_second = true},
                                .spot = 1,
                                .on_demand = 3,
                                .life = life,
                                .policy = &policy_stint,
                                .seed = 1,
                                .runs = 60};
}

static struct outlook look(const struct outlook_ask *ask)
{
    struct error err = {0};
    struct outlook o;

    if (!outlook_run(ask, &arena, &o, &err))
        fail_msg("%s", err.text);
    return o;
}

/* A market that is always there costs its price, and no policy errs. */
static void a_market_without_losses_costs_its_price(void **state)
{
    struct lifetimes life = lifetimes_from_hazard(1e-9, 1, 0.999);
    struct outlook_ask ask = ask_of(&life, 24, 40);
    struct outlook o;

    (void)state;
    life.up = 1;
    ask.policy = NULL;
    o = look(&ask);
    assert_near(o.usd, 24.1, 0.2);
    assert_near(o.on_demand_usd, 72.3, 1e-9);
    assert_near(o.saving, 2 / 3.0, 0.005);
    assert_near(o.on_time, 1, 0);
    assert_true(o.worth);
    assert_near(o.spot_share, 1, 1e-9);
}

static void the_same_seed_gives_the_same(void **state)
{
    struct lifetimes life = lifetimes_typical;
    struct outlook_ask ask = ask_of(&life, 24, 36);
    struct outlook a = look(&ask), b = look(&ask), c;

    (void)state;
    ask.seed = 1000;
    c = look(&ask);
    assert_true(a.usd == b.usd && a.usd_error == b.usd_error);
    assert_true(a.usd_p10 == b.usd_p10 && a.usd_p50 == b.usd_p50 && a.usd_p90 == b.usd_p90);
    assert_true(a.hours_p90 == b.hours_p90 && a.on_time == b.on_time);
    assert_true(a.usd != c.usd);
    assert_near(a.usd, c.usd, 5 * hypot(a.usd_error, c.usd_error));
}

/* The guarded policy is never late, spot alone is at times; percentiles are in order. */
static void deadlines_are_kept_with_a_fallback_only(void **state)
{
    struct lifetimes life = lifetimes_typical;
    struct outlook_ask ask = ask_of(&life, 24, 34);
    struct outlook kept = look(&ask), alone;

    (void)state;
    assert_near(kept.on_time, 1, 0);
    assert_true(kept.hours_p90 <= 34);
    assert_true(kept.usd_p10 <= kept.usd_p50 && kept.usd_p50 <= kept.usd_p90);
    assert_true(kept.usd > kept.usd_p10 && kept.usd < kept.usd_p90);
    ask.policy = NULL;
    alone = look(&ask);
    assert_true(alone.on_time > 0.05 && alone.on_time < 0.95);
    assert_true(alone.usd < kept.usd);
    assert_true(alone.hours_p90 > 34);
    ask.job.deadline = 0; /* no hurry: the policy has nothing to guard */
    ask.policy = &policy_stint;
    assert_near(look(&ask).usd, alone.usd, 1e-9);
}

static void a_gang_pays_for_each(void **state)
{
    struct lifetimes life = lifetimes_typical;
    struct outlook_ask ask = ask_of(&life, 24, 36);
    struct outlook one = look(&ask), four;

    (void)state;
    ask.job.gang = 4;
    four = look(&ask);
    assert_near(four.usd, 4 * one.usd, 1e-9);
    assert_near(four.saving, one.saving, 1e-9);
}

static void what_cannot_be_promised_is_refused(void **state)
{
    struct lifetimes life = lifetimes_typical;
    struct outlook_ask ask = ask_of(&life, 24, 24);
    struct error err = {0};
    struct outlook o;

    (void)state;
    assert_false(outlook_run(&ask, &arena, &o, &err));
    assert_int_equal(err.kind, ERROR_UNFIT);
    assert_string_equal(err.text, "not even on-demand makes a deadline of 24 h");
    assert_non_null(strstr(err.hint, "24.17 h"));
    ask.job.work = 0;
    assert_false(outlook_run(&ask, &arena, &o, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
}

/* Where spot costs nearly as much, or machines never last, it is not worth it. */
static void reports_when_spot_is_not_worth_it(void **state)
{
    struct lifetimes life = lifetimes_typical, flapping = lifetimes_from_hazard(30, 1, 0.5);
    struct outlook_ask ask = ask_of(&life, 24, 0);

    (void)state;
    assert_true(look(&ask).worth);
    ask.spot = 2.99;
    assert_false(look(&ask).worth);
    ask.spot = 1;
    ask.life = &flapping;
    ask.job.delay = 2 * HOUR;
    ask.runs = 3;
    assert_false(look(&ask).worth);
    assert_true(look(&ask).unfinished > 0);
}

/* Saving takes time, lost work too; the interval is the best one, less under a deadline. */
static void saving_is_found_and_paid_for(void **state)
{
    struct lifetimes life = lifetimes_typical, calm = lifetimes_from_hazard(0.005, 0.7, 0.9);
    struct outlook_ask ask = ask_of(&life, 48, 0);
    struct interval_costs costs = {.save = 2 / 60.0, .restart = 0.1};
    struct interval_best best = interval_best(&life, &costs);
    struct outlook free_saves = look(&ask), o;
    struct error err = {0};

    (void)state;
    ask.job.save_takes = 120;
    o = look(&ask);
    assert_near(o.save_every, best.every * HOUR, 1e-6);
    assert_true(o.usd > free_saves.usd);
    assert_near(o.overhead, best.overhead.sum, 0.04);
    ask.job.notice = 300;
    assert_true(isinf(look(&ask).save_every));
    ask.job.notice = 0;
    ask.life = &calm;
    o = look(&ask);
    ask.job.deadline = 60 * HOUR;
    assert_true(look(&ask).save_every < o.save_every);
    ask.job.deadline = 49 * HOUR;
    assert_false(outlook_run(&ask, &arena, &o, &err));
    assert_non_null(strstr(err.text, "no time for saving"));
}

/* The closed form stays near the simulation over markets and jobs of many kinds, and never
 * fails; its errors are those that the header states. */
static void quick_is_near_the_simulation(void **state)
{
    static const double hazards[] = {0.05, 0.4}, ups[] = {0.3, 0.6, 0.9}, ratios[] = {1.3, 2};
    double square = 0, worst = 0, late = 0;
    int count = 0;

    (void)state;
    for (size_t i = 0; i < 2 * 3 * 2 * 2; i++) {
        struct lifetimes life = lifetimes_from_hazard(hazards[i % 2], 0.7, ups[i / 2 % 3]);
        double work = i / 6 % 2 == 0 ? 8 : 48;
        struct outlook_ask ask = ask_of(&life, work, work * ratios[i / 12] + 1);
        struct outlook o;
        struct outlook_quick q;
        double error;

        if (i % 3 == 0)
            ask.job.save_takes = 120;
        o = look(&ask);
        q = outlook_quick(&ask);
        error = (q.usd - o.usd) / o.on_demand_usd;
        square += error * error;
        worst = fmax(worst, fabs(error));
        count++;
        ask.policy = NULL;
        o = look(&ask);
        q = outlook_quick(&ask);
        assert_true(q.on_time >= 0 && q.on_time <= 1);
        late += (q.on_time - o.on_time) * (q.on_time - o.on_time);
    }
    printf("# quick: cost rms %.4f, worst %.4f; in time rms %.4f\n", sqrt(square / count),
           worst, sqrt(late / count));
    assert_true(sqrt(square / count) <= QUICK_RMS);
    assert_true(worst <= QUICK_WORST);
    assert_true(sqrt(late / count) <= QUICK_LATE);
}

static void quick_knows_the_ends(void **state)
{
    struct lifetimes never = lifetimes_from_hazard(1000, 1, 0.5), life = lifetimes_typical;
    struct outlook_ask ask = ask_of(&never, 24, 36);

    (void)state;
    ask.job.delay = 2 * HOUR;
    assert_near(outlook_quick(&ask).usd, 3 * 26, 1e-9); /* on-demand, as the policy would */
    ask.policy = NULL;
    assert_true(isinf(outlook_quick(&ask).usd));
    assert_near(outlook_quick(&ask).on_time, 0, 0);
    ask = ask_of(&life, 24, 0);
    ask.job.gang = 8;
    assert_near(outlook_quick(&ask).usd, 8 * 24 * (1 + outlook_quick(&ask).overhead), 1e-9);
}

/* The mean cost of uniform progress on windows of a real trace. */
static double on_real_windows(const struct trace *t, const struct outlook_ask *ask)
{
    size_t ticks = sim_deadline_ticks(&ask->job, t->gap), count = 0;
    double sum = 0;

    for (size_t from = 0; from + ticks <= t->ticks; from += 25) {
        struct sim_zone zone = {.id = t->id,
                                .nodes_at = t->nodes_at + from,
                                .spot = ask->spot,
                                .on_demand = ask->on_demand};
        struct sim_market market = {
            .zones = &zone, .zone_count = 1, .gap = t->gap, .ticks = ticks, .regions = 1};
        struct sim_result r;
        struct error err = {0};

        assert_true(sim_run(&market, &ask->job, ask->policy, &arena, NULL, &r, &err));
        sum += r.usd;
        count++;
    }
    return sum / (double)count;
}

/* Simulated markets cost as much as the real one that they were fitted on. */
static void simulated_markets_cost_what_real_ones_did(void **state)
{
    struct test_path path;
    struct traces traces;
    struct str text;
    struct error err = {0};
    double square = 0;

    (void)state;
    assert_true(fs_read(test_data("spot/traces/aws_2022-10_k80_v100_ping600.trc", &path),
                        (size_t)64 << 20, &arena, &text, &err));
    assert_true(
        traces_read(text, (struct trace_options){.name = "traces"}, &arena, &traces, &err));
    for (size_t i = 0; i < traces.len; i++) {
        struct lifetimes life;
        struct outlook_ask ask = ask_of(&life, 48, 70);
        struct arena scratch = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct outlook o;
        double error;

        lifetimes_fit(&traces.at[i], 1, &life);
        ask.policy = &policy_up;
        ask.runs = 200;
        assert_true(outlook_run(&ask, &scratch, &o, &err));
        error = (o.usd - on_real_windows(&traces.at[i], &ask)) / o.on_demand_usd;
        square += error * error;
    }
    printf("# made up against real: rms %.4f\n", sqrt(square / (double)traces.len));
    assert_true(sqrt(square / (double)traces.len) < 0.04);
}

/* A deadline that does not press costs as one that presses a little less, and takes no longer
 * to simulate; what is too long is refused. */
static void horizons_have_a_bound(void **state)
{
    struct lifetimes life = lifetimes_typical;
    struct outlook_ask ask = ask_of(&life, 8, 5000), later = ask_of(&life, 8, 600000);
    struct error err = {0};
    struct outlook a = look(&ask), b = look(&later);

    (void)state;
    assert_near(a.usd, b.usd, 0);
    assert_near(a.on_time, b.on_time, 0);
    ask = ask_of(&life, 600000, 700000);
    assert_false(outlook_run(&ask, &arena, &a, &err));
    assert_non_null(strstr(err.text, "too long to be simulated"));
    ask = ask_of(&life, 4000, 0);
    ask.runs = OUTLOOK_RUNS_MAX;
    assert_false(outlook_run(&ask, &arena, &a, &err));
    assert_non_null(strstr(err.text, "too much to simulate"));
}

int group_outlook(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_market_without_losses_costs_its_price, end),
        cmocka_unit_test_teardown(the_same_seed_gives_the_same, end),
        cmocka_unit_test_teardown(deadlines_are_kept_with_a_fallback_only, end),
        cmocka_unit_test_teardown(a_gang_pays_for_each, end),
        cmocka_unit_test_teardown(what_cannot_be_promised_is_refused, end),
        cmocka_unit_test_teardown(reports_when_spot_is_not_worth_it, end),
        cmocka_unit_test_teardown(saving_is_found_and_paid_for, end),
        cmocka_unit_test_teardown(quick_is_near_the_simulation, end),
        cmocka_unit_test_teardown(quick_knows_the_ends, end),
        cmocka_unit_test_teardown(simulated_markets_cost_what_real_ones_did, end),
        cmocka_unit_test_teardown(horizons_have_a_bound, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
