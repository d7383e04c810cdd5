/* Which days are without data, and what follows from prices with such days. */
#include "test.h"

#include <math.h>

#include "series/observed.h"
#include "series/pattern.h"
#include "series/risk.h"

#define DAY INT64_C(86400)

static struct arena arena = {.alloc = &alloc_system};

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct points with_gaps(const struct point *at, size_t len, const struct day_run *days,
                               size_t count)
{
    struct error err = {0};
    struct points out;

    assert_true(observed_points((struct points){at, len}, (struct day_runs){days, count},
                                &arena, &out, &err));
    return out;
}

/* Ten days from day 100 on, and ten from day 204 on, with a price of 10 and then of 40. */
static struct points two_weeks_apart(void)
{
    static const struct point at[] = {{{100 * DAY}, 10}, {{204 * DAY + 3600}, 40}};
    static const struct day_run days[] = {{100, 109}, {204, 213}};

    return with_gaps(at, 2, days, 2);
}

static void near_enough_follows_from_how_often_it_is_observed(void **state)
{
    static const struct day_run daily[] = {{1, 50}, {60, 90}};
    static const struct day_run every_third[] = {{1, 1}, {4, 4}, {7, 7}, {10, 10}};
    static const struct day_run weekly[] = {{1, 1}, {8, 8}, {15, 15}};
    static const struct day_run twice[] = {{90, 90}, {194, 194}};
    static const struct day_run once[] = {{90, 90}};

    (void)state;
    assert_int_equal(observed_reach((struct day_runs){daily, 2}), 3);
    assert_int_equal(observed_reach((struct day_runs){every_third, 4}), 6);
    assert_int_equal(observed_reach((struct day_runs){weekly, 3}), 7);
    assert_int_equal(observed_reach((struct day_runs){twice, 2}), 7);
    assert_int_equal(observed_reach((struct day_runs){once, 1}), 3);
    assert_int_equal(observed_reach((struct day_runs){NULL, 0}), 3);
}

static void a_gap_lasts_from_the_last_day_to_the_next_price(void **state)
{
    struct points p = two_weeks_apart();

    (void)state;
    assert_int_equal(p.len, 3);
    assert_int_equal(p.at[1].at.s, 110 * DAY);
    assert_true(p.at[1].value == SERIES_UNKNOWN);
    assert_int_equal(p.at[2].at.s, 204 * DAY + 3600);
    assert_int_equal(series_at(p, (stamp){110 * DAY - 1}), 10);
    assert_true(series_at(p, (stamp){150 * DAY}) == SERIES_UNKNOWN);
}

static void the_same_price_after_a_gap_is_known_from_its_day_on(void **state)
{
    static const struct point at[] = {{{100 * DAY}, 10}, {{300 * DAY}, 20}};
    static const struct day_run days[] = {{100, 101}, {150, 152}, {154, 160}, {300, 300}};
    struct points p = with_gaps(at, 2, days, 4);

    (void)state;
    assert_int_equal(p.len, 5); /* 10, unknown, 10, unknown, 20: two days apart are near */
    assert_int_equal(p.at[1].at.s, 102 * DAY);
    assert_int_equal(p.at[2].at.s, 150 * DAY);
    assert_int_equal(p.at[2].value, 10);
    assert_int_equal(p.at[3].at.s, 161 * DAY);
    assert_int_equal(p.at[4].value, 20);
}

static struct day_runs log_days(const int *on, size_t count)
{
    struct day_set set = {0};
    struct error err = {0};
    struct day_runs out;

    for (size_t i = 0; i < count; i++)
        day_set_add(&set, on[i]);
    assert_true(observed_log_days(&set, &arena, &out, &err));
    return out;
}

static void a_silent_log_has_a_gap_unless_it_is_often_silent(void **state)
{
    static const int apart[] = {90, 194};
    int daily[40], monthly[20];
    struct day_runs days;

    (void)state;
    days = log_days(apart, 2);
    assert_int_equal(days.len, 2);
    assert_int_equal(days.at[0].last, 90);
    for (int i = 0; i < 40; i++)
        daily[i] = i < 20 ? 100 + i : 220 + i; /* nothing from 120 to 239 */
    days = log_days(daily, 40);
    assert_int_equal(days.len, 2);
    assert_int_equal(days.at[0].last, 119);
    assert_int_equal(days.at[1].first, 240);
    for (int i = 0; i < 20; i++)
        monthly[i] = 100 + 30 * i;
    days = log_days(monthly, 20);
    assert_int_equal(days.len, 1);
    days = log_days(monthly, 5); /* too few to know how often it is silent */
    assert_int_equal(days.len, 5);
}

static void days_without_data_are_in_no_mean(void **state)
{
    struct points p = two_weeks_apart();
    struct window all = {{100 * DAY}, {214 * DAY}};
    struct series_stats s = series_stats(p, all);
    struct series_moves m = series_moves(p, all);
    double piece[2];

    (void)state;
    assert_true(fabs(s.mean - 25) < 0.1); /* not 12.6 */
    assert_true(fabs(s.observed - 20.0 / 114) < 1e-3);
    assert_true(fabs(s.share - s.observed) < 1e-12);
    assert_int_equal(m.changes, 1);
    assert_true(fabs(series_rank(p, all, 40).below - 0.5) < 0.01);
    series_resample(p, (struct window){{120 * DAY}, {200 * DAY}}, 2, piece);
    assert_true(isnan(piece[0]) && isnan(piece[1]));
}

/* It is gone after the gap: when it went is not known, and it was not there all the while. */
static void a_gap_is_neither_exposure_nor_a_loss(void **state)
{
    static const struct point at[] = {{{100 * DAY}, 10}, {{204 * DAY}, SERIES_NONE}};
    static const struct point limit[] = {{{100 * DAY}, 20}, {{204 * DAY}, 5}};
    static const struct day_run days[] = {{100, 109}, {204, 213}};
    struct points p = with_gaps(at, 2, days, 2);
    struct window all = {{100 * DAY}, {214 * DAY}};
    struct losses l = series_losses(p, (struct points){0}, all);
    struct volatility v;
    struct error err = {0};

    (void)state;
    assert_int_equal(l.events, 0);
    assert_true(fabs(l.exposed_h - 240) < 1e-9);
    assert_true(fabs(l.known_h - 480) < 1e-9);
    assert_true(fabs(l.span_h - 114 * 24) < 1e-9);
    p = two_weeks_apart();
    assert_true(series_volatility(p, all, &v, &arena, &err));
    assert_int_equal(v.days, 18); /* none over the gap */
    assert_true(fabs(v.daily) < 1e-12);
    /* A limit that was not observed meanwhile is what it was. */
    l = series_losses((struct points){at, 1}, with_gaps(limit, 2, days, 2), all);
    assert_int_equal(l.events, 1);
    assert_true(fabs(l.exposed_h - 104 * 24) < 1e-9);
}

/* Weekends cost twice as much, in two months of a year. */
static void weeks_without_data_are_in_no_pattern(void **state)
{
    static struct point at[400];
    static const struct day_run days[] = {{1001, 1042}, {1323, 1364}};
    size_t len = 0;
    struct pattern p;
    struct error err = {0};
    struct points points;

    (void)state;
    for (size_t r = 0; r < 2; r++)
        for (int32_t d = days[r].first; d <= days[r].last; d++)
            at[len++] = (struct point){{d * DAY}, d % 7 < 2 ? 20 : 10};
    points = with_gaps(at, len, days, 2);
    assert_true(series_pattern(points, (struct window){{1001 * DAY}, {1365 * DAY}}, WEEK_DAYS,
                               &p, &arena, &err));
    assert_true(p.weeks >= 9 && p.weeks <= 12); /* of 52 */
    assert_true(p.found == PATTERN_REAL);
    points = with_gaps(at, 45, (const struct day_run[]){{1001, 1042}, {1323, 1325}}, 2);
    assert_true(series_pattern(points, (struct window){{1020 * DAY}, {1326 * DAY}}, WEEK_DAYS,
                               &p, &arena, &err));
    assert_true(p.found == PATTERN_TOO_SHORT);
}

int group_observed(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_enough_follows_from_how_often_it_is_observed),
        cmocka_unit_test(a_gap_lasts_from_the_last_day_to_the_next_price),
        cmocka_unit_test(the_same_price_after_a_gap_is_known_from_its_day_on),
        cmocka_unit_test(a_silent_log_has_a_gap_unless_it_is_often_silent),
        cmocka_unit_test(days_without_data_are_in_no_mean),
        cmocka_unit_test(a_gap_is_neither_exposure_nor_a_loss),
        cmocka_unit_test(weeks_without_data_are_in_no_pattern),
    };

    return cmocka_run_group_tests(tests, NULL, end);
}
