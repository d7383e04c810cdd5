/* Statistics over windows, compared with sampling every second. */
#include "test.h"

#include <math.h>

#include "series/series.h"

#define LENGTH 60

static unsigned draw(unsigned *state, unsigned below)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 16) % below;
}

/* Up to ten points between -10 and 70 seconds, some of them gone. */
static struct points random_points(unsigned *state, struct point room[static 10])
{
    size_t count = draw(state, 11);
    int64_t at = -10;

    for (size_t i = 0; i < count; i++) {
        at += 1 + draw(state, 12);
        room[i] = (struct point){{at}, draw(state, 4) == 0 ? SERIES_NONE : 1 + draw(state, 9)};
    }
    return (struct points){room, count};
}

/* The value in the second that starts at `s`. */
static int64_t held(struct points p, int64_t s)
{
    int64_t value = SERIES_NONE;

    for (size_t i = 0; i < p.len; i++)
        if (p.at[i].at.s <= s)
            value = p.at[i].value;
    return value;
}

static void every_number_equals_sampling_each_second(void **state)
{
    unsigned seed = 7;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct point room[10];
        struct points p = random_points(&seed, room);
        int64_t from = draw(&seed, 20), to = 20 + draw(&seed, LENGTH - 20);
        struct window w = {{from}, {to}};
        struct series_stats got = series_stats(p, w);
        int64_t limit = draw(&seed, 10), min = SERIES_NONE, max = SERIES_NONE;
        double sum = 0, count = 0, below = 0, above = 0;
        struct series_rank rank = series_rank(p, w, limit);

        for (int64_t s = w.from.s; s <= w.to.s; s++) {
            int64_t v = held(p, s);

            if (v == SERIES_NONE)
                continue;
            min = min == SERIES_NONE || v < min ? v : min;
            max = max == SERIES_NONE || v > max ? v : max;
            if (s == w.to.s)
                continue;
            sum += (double)v;
            count++;
            below += v < limit;
            above += v > limit;
        }
        assert_true(got.first == held(p, w.from.s) && got.last == held(p, w.to.s));
        assert_true(got.min == min && got.max == max);
        assert_true(fabs(got.share - count / (double)(w.to.s - w.from.s)) < 1e-12);
        if (count > 0) {
            assert_true(fabs(got.mean - sum / count) < 1e-9);
            assert_true(fabs(rank.below - below / count) < 1e-12);
            assert_true(fabs(rank.above - above / count) < 1e-12);
            assert_true(fabs(rank.at_most - (count - above) / count) < 1e-12);
        } else {
            assert_true(isnan(rank.below) && isnan(rank.above));
        }
    }
}

static void quantiles_are_the_smallest_value_that_held_long_enough(void **state)
{
    static const double q[] = {0, 0.1, 0.5, 0.9, 1};
    unsigned seed = 11;

    (void)state;
    for (int round = 0; round < 1000; round++) {
        struct arena arena = test_arena();
        struct error err = {0};
        struct point room[10];
        struct points p = random_points(&seed, room);
        int64_t from = draw(&seed, 20), to = 20 + draw(&seed, LENGTH - 20);
        struct window w = {{from}, {to}};
        int64_t got[ARRAY_LEN(q)], of_value[10] = {0}, total = 0;

        assert_true(series_quantiles(p, w, q, ARRAY_LEN(q), got, &arena, &err));
        for (int64_t s = w.from.s; s < w.to.s; s++)
            if (held(p, s) != SERIES_NONE) {
                of_value[held(p, s)]++;
                total++;
            }
        for (size_t i = 0; i < ARRAY_LEN(q); i++) {
            int64_t expected = SERIES_NONE, sum = 0;

            for (int64_t v = 1; v < 10 && expected == SERIES_NONE; v++) {
                sum += of_value[v];
                if (of_value[v] > 0 && (double)sum >= q[i] * (double)total)
                    expected = v;
            }
            assert_true(got[i] == expected);
        }
        arena_free(&arena);
    }
}

static void pieces_are_means_and_gaps_stay_gaps(void **state)
{
    unsigned seed = 3;

    (void)state;
    for (int round = 0; round < 500; round++) {
        struct point room[10];
        struct points p = random_points(&seed, room);
        double got[6];

        series_resample(p, (struct window){{0}, {LENGTH}}, 6, got);
        for (int64_t i = 0; i < 6; i++) {
            double sum = 0, count = 0;

            for (int64_t s = i * 10; s < i * 10 + 10; s++)
                if (held(p, s) != SERIES_NONE) {
                    sum += (double)held(p, s);
                    count++;
                }
            if (count > 0)
                assert_true(fabs(got[i] - sum / count) < 1e-9);
            else
                assert_true(isnan(got[i]));
        }
    }
}

static void nothing_is_known_of_no_points_and_of_no_time(void **state)
{
    static const struct point one[] = {{{100}, 5}};
    struct series_stats none = series_stats((struct points){0}, (struct window){{0}, {10}});
    struct series_stats empty =
        series_stats((struct points){one, 1}, (struct window){{100}, {100}});

    (void)state;
    assert_true(none.min == SERIES_NONE && none.last == SERIES_NONE && isnan(none.mean));
    assert_true(none.share == 0);
    assert_true(empty.last == 5 && empty.min == 5 && empty.mean == 5 && isnan(empty.share));
    assert_true(series_at((struct points){one, 1}, (stamp){99}) == SERIES_NONE);
    assert_true(series_at((struct points){one, 1}, (stamp){100}) == 5);
}

static struct series_moves moves_of(const struct point *at, size_t len, int64_t from,
                                    int64_t to)
{
    return series_moves((struct points){at, len}, (struct window){{from}, {to}});
}

static void rounding_is_no_change_and_jumps_are_counted(void **state)
{
    static const struct point at[] = {
        {{10}, 1000000}, {{20}, 1000050},     {{30}, 1000101}, {{40}, 1000101},
        {{50}, 99000},   {{60}, SERIES_NONE}, {{70}, 2000000}, {{80}, 2000000},
    };
    struct series_moves m = moves_of(at, ARRAY_LEN(at), 0, 100);

    (void)state;
    /* 1000050 is rounding; 1000101 is not, against the price that counted last. */
    assert_int_equal(m.changes, 4);
    assert_int_equal(m.jumps, 2); /* to a tenth, and from there to twenty times */
    assert_true(fabs(m.largest - 2000000 / 99000.0) < 1e-9);
    assert_int_equal(m.at.s, 70);
    /* The window's end counts, its start does not; what was before a gap is remembered. */
    assert_int_equal(moves_of(at, ARRAY_LEN(at), 50, 70).changes, 2);
    assert_int_equal(moves_of(at, ARRAY_LEN(at), 60, 70).jumps, 1);
    assert_int_equal(moves_of(at, ARRAY_LEN(at), 50, 69).jumps, 0);
    assert_true(isnan(moves_of(at, ARRAY_LEN(at), 50, 69).largest));
    assert_int_equal(moves_of(at, 1, 0, 100).changes, 0); /* where it begins */
    assert_int_equal(moves_of(NULL, 0, 0, 100).changes, 0);
    assert_true(series_same(SERIES_NONE, SERIES_NONE) && !series_same(SERIES_NONE, 0));
    assert_true(series_same(0, 0) && !series_same(0, 1));
}

int group_stats(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_is_no_change_and_jumps_are_counted),
        cmocka_unit_test(every_number_equals_sampling_each_second),
        cmocka_unit_test(quantiles_are_the_smallest_value_that_held_long_enough),
        cmocka_unit_test(pieces_are_means_and_gaps_stay_gaps),
        cmocka_unit_test(nothing_is_known_of_no_points_and_of_no_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
