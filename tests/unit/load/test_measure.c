/* Quantiles, and whether their intervals hold what they say. */
#include "test.h"

#include "base/dice.h"
#include "load/measure.h"

static void known_values_have_known_quantiles(void **state)
{
    struct arena arena = test_arena();
    struct load_stat stat;
    struct error err;
    double values[1001];

    (void)state;
    for (int i = 0; i <= 1000; i++)
        values[i] = (i * 617) % 1001; /* 0 to 1000 in another order */
    assert_true(load_stat_of(values, 1001, &arena, &stat, &err));
    assert_int_equal(stat.count, 1001);
    assert_near(stat.mean.value, 500, 1e-9);
    assert_near(stat.p50.value, 500, 1e-9);
    assert_near(stat.p99.value, 990, 1e-9);
    assert_near(stat.p999.value, 999, 1e-9);
    assert_near(stat.most, 1000, 0);
    assert_true(stat.p50.low < 500 && stat.p50.high > 500);
    assert_true(stat.p50.low > 450 && stat.p50.high < 550);
    /* Of a thousand values the largest says nothing about how far the thousandth may be. */
    assert_true(isnan(stat.p999.high));
    arena_free(&arena);
}

static void unknown_and_endless_values_are_not_numbers(void **state)
{
    double values[] = {1, NAN, 2, INFINITY, 3};
    struct arena arena = test_arena();
    struct load_stat stat;
    struct error err;

    (void)state;
    assert_true(load_stat_of(values, 5, &arena, &stat, &err));
    assert_int_equal(stat.count, 4);
    assert_int_equal(stat.beyond, 1);
    assert_near(stat.p50.value, 2.5, 1e-12);
    assert_true(isnan(stat.mean.value) && isnan(stat.p99.value) && isnan(stat.most));
    assert_true(load_stat_of(values, 0, &arena, &stat, &err));
    assert_int_equal(stat.count, 0);
    assert_true(isnan(stat.p50.value));
    arena_free(&arena);
}

/* Draw runs whose quantile is known and count how often the interval holds it: as often as it
 * says, also where each value resembles the one before (an autoregressive process, turned into
 * exponential values by its own distribution). */
static double coverage_of(double likeness, double share, int size)
{
    struct dice dice = dice_seed(5);
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    double *values = calloc((size_t)size, sizeof *values), truth = -log1p(-share);
    int held = 0, runs = 300;
    struct error err;

    assert_non_null(values);
    for (int r = 0; r < runs; r++) {
        double normal = 0;
        struct load_stat stat;
        const struct load_quantile *q;

        for (int i = -50; i < size; i++) {
            double sum = -6;

            for (int k = 0; k < 12; k++)
                sum += dice_unit(&dice);
            normal = likeness * normal + sqrt(1 - likeness * likeness) * sum;
            if (i >= 0)
                values[i] = -log(erfc(normal / sqrt(2)) / 2);
        }
        assert_true(load_stat_of(values, (size_t)size, &arena, &stat, &err));
        q = share > 0.98 ? &stat.p99 : share > 0.8 ? &stat.p90 : &stat.p50;
        held += q->low <= truth && truth <= q->high;
        arena_free(&arena);
    }
    free(values);
    return (double)held / runs;
}

static void intervals_hold_what_they_say(void **state)
{
    (void)state;
    assert_in_range(1000 * coverage_of(0, 0.5, 2000), 900, 985);
    assert_in_range(1000 * coverage_of(0, 0.99, 2000), 900, 990);
    assert_in_range(1000 * coverage_of(0.8, 0.5, 2000), 880, 985);
    assert_in_range(1000 * coverage_of(0.8, 0.9, 2000), 880, 990);
}

static void gaps_are_counted_within_a_thousandth(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct load_gaps gaps;
    struct load_stat stat;
    struct error err;

    (void)state;
    assert_true(load_gaps_new(&arena, &gaps, &err));
    /* 1 us to 100 s, evenly in the logarithm, over 100 s. */
    for (int i = 0; i <= 80000; i++)
        load_gaps_add(&gaps, i % 100, (int64_t)(1000 * pow(10, i / 10000.0) + 0.5));
    stat = load_gaps_stat(&gaps);
    assert_int_equal(stat.count, 80001);
    assert_near(stat.p50.value, 0.01, 0.01 * 0.0015);
    assert_near(stat.p90.value, 1e-6 * pow(10, 7.2), 1e-6 * pow(10, 7.2) * 0.0015);
    assert_near(stat.most, 100, 1e-6);
    assert_true(stat.p50.low < stat.p50.value && stat.p50.value < stat.p50.high);
    load_gaps_clear(&gaps);
    assert_int_equal(load_gaps_stat(&gaps).count, 0);
    load_gaps_add(&gaps, 0, INT64_MAX);
    load_gaps_add(&gaps, 1e6, -5);
    assert_int_equal(load_gaps_stat(&gaps).count, 2);
    arena_free(&arena);
}

static void shares_have_wilsons_interval(void **state)
{
    struct load_quantile q = load_share(9, 10), none = load_share(0, 0);

    (void)state;
    assert_near(q.value, 0.9, 1e-12);
    assert_near(q.low, 0.5958, 1e-3);
    assert_near(q.high, 0.9821, 1e-3);
    assert_true(isnan(none.value));
    assert_near(load_share(100, 100).high, 1, 1e-12);
}

static void the_last_number_counts(void **state)
{
    (void)state;
    assert_near(load_number_printed(STR("step 5\naccuracy: 0.813 (of 1)\nscore=81.3%\ndone\n")),
                81.3, 0);
    assert_true(isnan(load_number_printed(STR("no numbers, v1.2.3"))));
    assert_true(isnan(load_number_printed(STR(""))));
}

int group_measure(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values_have_known_quantiles),
        cmocka_unit_test(unknown_and_endless_values_are_not_numbers),
        cmocka_unit_test(intervals_hold_what_they_say),
        cmocka_unit_test(gaps_are_counted_within_a_thousandth),
        cmocka_unit_test(shares_have_wilsons_interval),
        cmocka_unit_test(the_last_number_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
