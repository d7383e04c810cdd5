/* How often to save: the formulas, the generalization to hazards by age, and what it costs. */
#include "test.h"

#include <math.h>

#include "spot/hazard.h"
#include "spot/interval.h"

static struct lifetimes constant(double rate)
{
    struct lifetimes l = lifetimes_typical;

    for (size_t b = 0; b < AGE_BINS; b++)
        l.lose[b] = rate;
    return l;
}

/* Young machines go at 1.4 an hour, old ones at 0.2: as observed (heavy-tailed). */
static struct lifetimes heavy(void)
{
    struct lifetimes l = constant(0.2);

    for (size_t b = 0; b < AGE_BINS && age_edges[b] < 0.5; b++)
        l.lose[b] = 1.4;
    return l;
}

/* Young's sqrt(2 d M): 2 minutes, 5 hours: 34.6 minutes. Daly's for the same is 33.3. */
static void the_formulas_are_those_of_the_papers(void **state)
{
    struct lifetimes l = constant(1 / 5.0);
    struct interval_costs costs = {.save = 2 / 60.0};

    (void)state;
    assert_near(interval_best(&l, &costs).young * 60, 34.6410, 1e-4);
    assert_near(interval_daly(2 / 60.0, 5) * 60, 33.3205, 1e-3);
    assert_near(interval_daly(20, 5), 5, 0); /* a save longer than two lives */
}

/* With one hazard for all ages, machine time is Daly's M e^(R/M) (e^((t+d)/M) - 1) / t. */
static void one_hazard_gives_dalys_exact_cost(void **state)
{
    struct lifetimes l = constant(1 / 5.0);
    struct interval_costs costs = {.save = 2 / 60.0, .restart = 0.1};

    (void)state;
    for (double t = 0.02; t < 30; t *= 1.7) {
        struct interval_overhead o = interval_cost(&l, &costs, t);
        double exact = 5 * exp(0.1 / 5) * expm1((t + costs.save) / 5) / t - 1;

        assert_near(o.sum, exact, 1e-9 * (1 + exact));
        assert_near(o.save + o.lost + o.restart, o.sum, 1e-12 * (1 + o.sum));
    }
}

static void the_best_is_dalys_when_one_hazard_holds(void **state)
{
    static const double saves[] = {0.005, 1 / 30.0, 0.1, 0.5};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(saves); i++)
        for (double mtbf = 2; mtbf < 200; mtbf *= 3) {
            struct lifetimes l = constant(1 / mtbf);
            struct interval_costs costs = {.save = saves[i], .restart = 0.1};
            struct interval_best best = interval_best(&l, &costs);

            assert_near(best.mean_life, mtbf, 1e-9 * mtbf);
            assert_near(best.every / best.daly, 1, 0.01);
            assert_near(best.gain, 0, 1e-3); /* age does not matter here */
        }
}

/* No interval on a fine grid is better, whatever the hazards. */
static void nothing_beats_the_best(void **state)
{
    struct lifetimes lives[] = {lifetimes_typical, heavy(), constant(0.3),
                                lifetimes_from_hazard(0.3, 0.6, 0.7)};
    struct interval_costs costs = {.save = 0.05, .restart = 0.2};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lives); i++) {
        struct interval_best best = interval_best(&lives[i], &costs);

        for (double t = 0.01; t < 20; t *= 1.003)
            assert_true(interval_cost(&lives[i], &costs, t).sum >= best.overhead.sum - 2e-4);
        assert_true(best.aged.sum <= best.overhead.sum);
    }
}

/* The most work that a life can keep, by dynamic programming over ages: V(a) is the largest of
 * S(a + t + d) / S(a) (t + V(a + t + d)). */
static double most_work(const struct lifetimes *l, const struct interval_costs *costs,
                        double grid, size_t ages)
{
    double *value = calloc(ages + 1, sizeof *value), first;
    struct hazard h = hazard_of(l->lose);
    size_t save = (size_t)lround(costs->save / grid);

    assert_non_null(value);
    for (size_t a = ages; a-- > 0;)
        for (size_t t = 1; t <= 600 && a + t + save <= ages; t++) {
            size_t next = a + t + save;
            double keep = hazard_survive(&h, (double)next * grid) /
                          hazard_survive(&h, (double)a * grid) *
                          ((double)t * grid + value[next]);

            value[a] = fmax(value[a], keep);
        }
    first = value[(size_t)lround(costs->restart / grid)];
    free(value);
    return first * hazard_survive(&h, costs->restart);
}

/* The schedule by age is as good as the best of all schedules. */
static void saving_by_age_is_near_the_optimum_of_all_schedules(void **state)
{
    struct lifetimes l = heavy();
    struct interval_costs costs = {.save = 0.02, .restart = 0.1};
    struct interval_best best = interval_best(&l, &costs);
    double grid = 0.01, optimum = best.mean_life / most_work(&l, &costs, grid, 8000) - 1;

    (void)state;
    /* More often when young. */
    assert_true(best.by_age[age_bin(0.1)] < best.by_age[AGE_BINS - 1]);
    assert_true(best.gain > 0.005);
    assert_true(best.aged.sum >= optimum - 2e-3); /* the grid's own coarseness */
    assert_true(best.aged.sum <= optimum + 2e-3);
    assert_true(best.overhead.sum > optimum + 5e-3);
}

static void notice_that_suffices_loses_no_work(void **state)
{
    struct lifetimes l = heavy();
    struct interval_costs costs = {.save = 1 / 60.0, .restart = 0.1, .notice = 2 / 60.0};
    struct interval_best best = interval_best(&l, &costs);

    (void)state;
    assert_true(isinf(best.every));
    assert_near(best.overhead.lost, 0, 1e-12);
    assert_true(best.overhead.sum > 0);
    costs.notice = 0.5 / 60; /* too short to be of use */
    assert_true(interval_best(&l, &costs).overhead.sum > best.overhead.sum);
    assert_true(isfinite(interval_best(&l, &costs).every));
}

static void restarts_longer_than_lives_get_nothing_done(void **state)
{
    struct lifetimes l = constant(60);
    struct interval_costs costs = {.save = 0.1, .restart = 2};

    (void)state;
    assert_true(isinf(interval_best(&l, &costs).overhead.sum));
}

static void saving_for_nothing_is_done_all_the_time(void **state)
{
    struct lifetimes l = constant(0.2);
    struct interval_costs costs = {.restart = 0.1};
    struct interval_best best = interval_best(&l, &costs);

    (void)state;
    assert_near(best.every, 0, 0);
    assert_near(best.overhead.sum, exp(0.02) - 1, 1e-9);
}

/* So many interruptions, each costing a save, a restart and the work lost since. */
static double simple_overhead(double interruptions, double save, double restart, double lost)
{
    return interruptions * (save + restart + lost) / 24;
}

/* Seed 001: overhead = interruptions x (checkpoint + restart) / hours, cost = price x hours x
 * (1 + overhead); seed 003: 24 h on 8 A100 at $15 spot against $32.77. The seeds leave out lost
 * work; half an interval for each interruption is the first order of what we compute. */
static void the_seeds_formulas_are_the_simple_case(void **state)
{
    struct lifetimes l = constant(1 / 12.0);
    struct interval_costs costs = {.save = 5 / 60.0, .restart = 10 / 60.0};
    double seed = simple_overhead(2, 5 / 60.0, 10 / 60.0, 0), every = 1, saves, simple;

    (void)state;
    assert_near(seed, 0.5 / 24, 1e-12);
    assert_near(15 * 24 * (1 + seed), 367.5, 1e-9);
    saves = costs.save / every;
    simple = saves + simple_overhead(2, 0, costs.restart, (every + costs.save) / 2);
    assert_near(interval_cost(&l, &costs, every).sum, simple, 0.02);
}

/* Met at a random moment, they are kept as the model says; new ones are lost sooner. */
static void modelled_lifetimes_keep_their_hazard_and_share(void **state)
{
    static const double times[] = {0.5, 1, 2, 4, 8, 24};
    struct lifetimes l = lifetimes_from_hazard(0.25, 0.7, 0.8);
    struct hazard lose = hazard_of(l.lose), gain = hazard_of(l.gain);
    double life = hazard_mean(&lose, INFINITY), out = hazard_mean(&gain, INFINITY);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(times); i++) {
        assert_near(hazard_goes_on(&lose, times[i]), exp(-0.25 * pow(times[i], 0.7)), 0.02);
        assert_true(hazard_survive(&lose, times[i]) < hazard_goes_on(&lose, times[i]) - 0.02);
    }
    assert_near(life / (life + out), 0.8, 1e-4);
    /* Typical outages, when nothing is known of them. */
    l = lifetimes_from_hazard(0.25, 0.7, NAN);
    assert_memory_equal(l.gain, lifetimes_typical.gain, sizeof l.gain);
    gain = hazard_of(l.gain);
    assert_near(l.up, life / (life + hazard_mean(&gain, INFINITY)), 1e-9);
    /* What has one rate for all ages has it here too. */
    l = lifetimes_from_hazard(0.3, 1, 0.5);
    for (size_t b = 0; b < AGE_BINS; b++)
        assert_near(l.lose[b], 0.3, 1e-12);
}

static void means_and_variances_are_those_of_the_exponential(void **state)
{
    struct lifetimes l = constant(0.5);
    struct hazard h = hazard_of(l.lose);

    (void)state;
    assert_near(hazard_mean(&h, INFINITY), 2, 1e-9);
    assert_near(hazard_mean(&h, 3), 2 * -expm1(-1.5), 1e-9);
    assert_near(hazard_variance(&h), 4, 1e-9);
    l = constant(0); /* no loss observed does not mean never */
    h = hazard_of(l.lose);
    assert_true(isfinite(hazard_mean(&h, INFINITY)));
}

int group_interval(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_formulas_are_those_of_the_papers),
        cmocka_unit_test(one_hazard_gives_dalys_exact_cost),
        cmocka_unit_test(the_best_is_dalys_when_one_hazard_holds),
        cmocka_unit_test(nothing_beats_the_best),
        cmocka_unit_test(saving_by_age_is_near_the_optimum_of_all_schedules),
        cmocka_unit_test(notice_that_suffices_loses_no_work),
        cmocka_unit_test(restarts_longer_than_lives_get_nothing_done),
        cmocka_unit_test(saving_for_nothing_is_done_all_the_time),
        cmocka_unit_test(the_seeds_formulas_are_the_simple_case),
        cmocka_unit_test(modelled_lifetimes_keep_their_hazard_and_share),
        cmocka_unit_test(means_and_variances_are_those_of_the_exponential),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
