/* Patterns: found where they were put, not found in noise, trends and snapshots. */
#include "test.h"

#include <math.h>

#include "series/pattern.h"

#define HOUR INT64_C(3600)
#define DAY (24 * HOUR)
#define MONDAY (345600 + 2900 * 7 * DAY) /* some Monday, 2025 */
#define MAX_POINTS 8000

static unsigned draw(unsigned *state, unsigned below)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 16) % below;
}

static struct pattern pattern_of(const struct point *points, size_t len, int64_t days,
                                 size_t slots)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct pattern p;

    assert_true(series_pattern((struct points){points, len},
                               (struct window){{MONDAY}, {MONDAY + days * DAY}}, slots, &p,
                               &arena, &err));
    arena_free(&arena);
    return p;
}

/* Expensive on working days from 9 to 17, over noise of the same size; a trend on top. */
static size_t office_hours(struct point *out, int days, double rise)
{
    unsigned seed = 5;
    size_t count = 0;

    for (int h = 0; h < days * 24; h++) {
        int weekday = h / 24 % 7, hour = h % 24;
        double busy = weekday < 5 && hour >= 9 && hour < 17 ? 1.2 : 1.0;
        double noise = 0.9 + 0.2 * (double)draw(&seed, 1000) / 1000;

        out[count++] = (struct point){{MONDAY + h * HOUR},
                                      (int64_t)(1e6 * busy * noise * (1 + rise * h / 1000))};
    }
    return count;
}

static void finds_office_hours_under_noise_and_a_trend(void **state)
{
    static struct point points[MAX_POINTS];
    size_t count = office_hours(points, 56, 0.5);
    struct pattern p = pattern_of(points, count, 56, WEEK_HOURS);
    double busy = 0, quiet = 0;

    (void)state;
    assert_int_equal(p.found, PATTERN_REAL);
    assert_int_equal(p.weeks, 7);
    assert_true(p.chance <= 0.005);
    for (size_t s = 0; s < WEEK_HOURS; s++) {
        if (s / 24 < 5 && s % 24 >= 9 && s % 24 < 17)
            busy += p.ratio[s] / 40;
        else
            quiet += p.ratio[s] / 128;
    }
    assert_true(fabs(busy / quiet - 1.2) < 0.02);
    assert_true(p.costliest / 24 < 5 && p.costliest % 24 >= 9 && p.costliest % 24 < 17);
}

static void finds_cheap_weekends(void **state)
{
    struct point points[70];
    struct pattern p;

    (void)state;
    /* Starts on a Thursday: slots are still days of the calendar. */
    for (int64_t d = 0; d < 70; d++)
        points[d] =
            (struct point){{MONDAY + (d + 3) * DAY}, (d + 3) % 7 >= 5 ? 800000 : 1000000};
    p = pattern_of(points, 70, 73, WEEK_DAYS);
    assert_int_equal(p.found, PATTERN_REAL);
    assert_int_equal(p.weeks, 9);
    assert_true(p.cheapest == 5 || p.cheapest == 6);
    assert_true(fabs(p.ratio[5] / p.ratio[0] - 0.8) < 1e-9);
    assert_true(fabs(p.swing - 0.25) < 1e-9);
}

/* Of 200 random walks, which have no pattern, about one in fifty may pass by chance. */
static void a_random_walk_has_no_pattern(void **state)
{
    static struct point points[MAX_POINTS];
    unsigned seed = 1;
    int hours = 0, weekdays = 0;

    (void)state;
    for (int round = 0; round < 200; round++) {
        double value = 1e6;
        size_t count = 0;

        for (int h = 0; h < 42 * 24; h++) {
            value *= 0.99 + 0.02 * (double)draw(&seed, 1000) / 999;
            if (draw(&seed, 5) == 0)
                points[count++] = (struct point){{MONDAY + h * HOUR}, (int64_t)value};
        }
        hours += pattern_of(points, count, 42, WEEK_HOURS).found == PATTERN_REAL;
        weekdays += pattern_of(points, count, 42, WEEK_DAYS).found == PATTERN_REAL;
    }
    assert_in_range(hours, 0, 14);
    assert_in_range(weekdays, 0, 14);
}

static void a_trend_is_no_pattern(void **state)
{
    static struct point points[MAX_POINTS];
    size_t count = 0;

    (void)state;
    for (int h = 0; h < 42 * 24; h++)
        points[count++] = (struct point){{MONDAY + h * HOUR}, 1000000 + h * 1000};
    assert_int_equal(pattern_of(points, count, 42, WEEK_HOURS).found, PATTERN_NONE);
    assert_int_equal(pattern_of(points, count, 42, WEEK_DAYS).found, PATTERN_NONE);
}

static void snapshots_of_a_day_cannot_show_hours(void **state)
{
    static struct point points[100];
    unsigned seed = 9;

    (void)state;
    for (int64_t d = 0; d < 100; d++)
        points[d] = (struct point){{MONDAY + d * DAY}, 1000000 + draw(&seed, 1000)};
    assert_int_equal(pattern_of(points, 100, 100, WEEK_HOURS).found, PATTERN_TOO_COARSE);
    assert_int_equal(pattern_of(points, 100, 100, WEEK_DAYS).found, PATTERN_NONE);
    for (size_t d = 0; d < 100; d += 9) /* more than one in ten */
        points[d].at.s += 5 * HOUR;
    assert_int_equal(pattern_of(points, 100, 100, WEEK_HOURS).found, PATTERN_NONE);
}

static void short_histories_have_no_pattern(void **state)
{
    static struct point points[MAX_POINTS];
    size_t count = office_hours(points, 20, 0);

    (void)state;
    assert_int_equal(pattern_of(points, count, 20, WEEK_HOURS).found, PATTERN_TOO_SHORT);
    assert_int_equal(pattern_of(points, count, 34, WEEK_DAYS).found, PATTERN_TOO_SHORT);
    assert_int_equal(pattern_of(points, 0, 100, WEEK_DAYS).found, PATTERN_TOO_SHORT);
    assert_int_equal(pattern_of(points, 1, -5, WEEK_DAYS).found, PATTERN_TOO_SHORT);
}

static void a_price_that_never_moves_has_none(void **state)
{
    static const struct point one[] = {{{MONDAY}, 1000}};
    struct pattern p = pattern_of(one, 1, 100, WEEK_DAYS);

    (void)state;
    assert_int_equal(p.found, PATTERN_NONE);
    assert_true(p.swing == 0);
}

int group_pattern(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_office_hours_under_noise_and_a_trend),
        cmocka_unit_test(finds_cheap_weekends),
        cmocka_unit_test(a_random_walk_has_no_pattern),
        cmocka_unit_test(a_trend_is_no_pattern),
        cmocka_unit_test(snapshots_of_a_day_cannot_show_hours),
        cmocka_unit_test(short_histories_have_no_pattern),
        cmocka_unit_test(a_price_that_never_moves_has_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
