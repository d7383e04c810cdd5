/* How much prices move and how often machines are lost. */
#include "test.h"

#include <math.h>

#include "series/risk.h"

#define DAY INT64_C(86400)

static unsigned draw(unsigned *state, unsigned below)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 16) % below;
}

static struct volatility volatility_of(struct points p, int64_t days)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct volatility v;

    assert_true(series_volatility(p, (struct window){{0}, {days * DAY}}, &v, &arena, &err));
    arena_free(&arena);
    return v;
}

static void moves_are_those_of_daily_values(void **state)
{
    struct point points[60];
    double daily[59], weekly[53], mean = 0, square = 0, size = 0;
    unsigned seed = 2;
    struct volatility v;
    size_t larger = 0;

    (void)state;
    for (int64_t d = 0; d < 60; d++)
        points[d] = (struct point){{d * DAY}, 1000 + draw(&seed, 1000)};
    v = volatility_of((struct points){points, 60}, 59);
    for (size_t d = 0; d < 59; d++) {
        daily[d] = log((double)points[d + 1].value / (double)points[d].value);
        mean += daily[d] / 59;
    }
    for (size_t d = 0; d < 59; d++)
        square += (daily[d] - mean) * (daily[d] - mean);
    for (size_t d = 0; d < 53; d++) {
        weekly[d] = fabs((double)points[d + 7].value / (double)points[d].value - 1);
        size += weekly[d] / 53;
    }
    assert_int_equal(v.days, 59);
    assert_int_equal(v.week_pairs, 53);
    assert_true(fabs(v.daily - sqrt(square / 58)) < 1e-12);
    assert_true(fabs(v.weekly - size) < 1e-12);
    for (size_t d = 0; d < 53; d++)
        larger += weekly[d] > v.weekly_p95;
    assert_int_equal(larger, 2); /* 51 of 53 are 96 of 100; 50 would be 94 */
}

/* $10 except for eight hours of each day at $20: the same every day, at any sampling. */
static void swings_within_a_day_are_no_weekly_moves(void **state)
{
    struct point points[120];
    struct volatility v;

    (void)state;
    for (int64_t d = 0; d < 60; d++) {
        /* The expensive hours move, so that every hour of the day sees both prices. */
        points[2 * d] = (struct point){{d * DAY + (d % 12) * 3600}, 20000};
        points[2 * d + 1] = (struct point){{d * DAY + (d % 12) * 3600 + 8 * 3600}, 10000};
    }
    v = volatility_of((struct points){points, 120}, 60);
    assert_true(v.weekly < 1e-3 && v.daily < 1e-3);
    assert_true(fabs(v.range - 1) < 1e-9);
    assert_int_equal(v.days, 59);
    for (int64_t d = 0; d < 60; d++) /* once a day: nothing is known of the hours */
        points[d] = (struct point){{d * DAY}, 10000 + d};
    v = volatility_of((struct points){points, 60}, 59);
    assert_true(isnan(v.range));
}

static void days_without_a_price_are_left_out(void **state)
{
    static const struct point points[] = {
        {{0}, 1000}, {{3 * DAY}, SERIES_NONE}, {{5 * DAY}, 2000}, {{9 * DAY}, 1000}};
    struct volatility v = volatility_of((struct points){points, 4}, 20);

    (void)state;
    assert_int_equal(v.days, 2 + 15); /* days 0-1-2, 5 to 20 */
    assert_true(v.daily > 0);
    v = volatility_of((struct points){points, 1}, 3);
    assert_int_equal(v.days, 3);
    assert_true(isnan(v.daily) && isnan(v.weekly));
    v = volatility_of((struct points){0}, 0);
    assert_int_equal(v.days, 0);
}

static int64_t held(struct points p, int64_t s)
{
    int64_t value = SERIES_NONE;

    for (size_t i = 0; i < p.len; i++)
        if (p.at[i].at.s <= s)
            value = p.at[i].value;
    return value;
}

static void losses_are_those_of_looking_each_hour(void **state)
{
    unsigned seed = 4;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct point spot[12], limit[6];
        struct points s = {spot, draw(&seed, 13)}, l = {limit, draw(&seed, 7)};
        int64_t from = draw(&seed, 10) * 3600, to = (10 + draw(&seed, 60)) * 3600;
        struct window w = {{from}, {to}};
        struct losses got;
        size_t events = 0;
        double exposed = 0, known = 0;
        bool had = false;
        int64_t at = -5 * 3600;

        for (size_t i = 0; i < s.len; i++) {
            at += (1 + draw(&seed, 9)) * 3600;
            spot[i] = (struct point){{at}, draw(&seed, 3) == 0 ? SERIES_NONE : draw(&seed, 9)};
        }
        at = -5 * 3600;
        for (size_t i = 0; i < l.len; i++) {
            at += (1 + draw(&seed, 19)) * 3600;
            limit[i] =
                (struct point){{at}, draw(&seed, 4) == 0 ? SERIES_NONE : 3 + draw(&seed, 6)};
        }
        got = series_losses(s, l, w);
        for (int64_t t = w.from.s; t < w.to.s; t += 3600) {
            int64_t price = held(s, t), bound = held(l, t);
            bool has = price != SERIES_NONE && (bound == SERIES_NONE || price < bound);

            if (s.len == 0 || t < spot[0].at.s)
                continue;
            events += had && !has;
            exposed += has;
            known++;
            had = has;
        }
        assert_int_equal(got.events, events);
        assert_true(got.exposed_h == exposed && got.known_h == known);
    }
}

static void quantiles_of_gamma_are_those_of_its_known_shapes(void **state)
{
    static const double shares[] = {0.01, 0.1, 0.5, 0.9, 0.99};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(shares); i++) {
        double share = shares[i], half = gamma_quantile(0.5, share);
        double one = gamma_quantile(1, share), two = gamma_quantile(2, share);

        assert_true(fabs(erf(sqrt(half)) - share) < 1e-10);
        assert_true(fabs(one + log1p(-share)) < 1e-10);
        assert_true(fabs(1 - exp(-two) * (1 + two) - share) < 1e-10);
    }
    /* Large shapes are nearly normal: mean 1000, standard deviation 31.6. */
    assert_true(fabs(gamma_quantile(1000, 0.9) - (1000 + 1.2816 * sqrt(1000))) < 0.5);
    assert_true(isnan(gamma_quantile(0, 0.5)) && isnan(gamma_quantile(1, 1)));
}

static void no_loss_in_a_short_time_is_not_never(void **state)
{
    struct rate none = rate_of(0, 24 * 180, 0.8), many = rate_of(40, 1000, 0.8);
    struct rate unknown = rate_of(0, 0, 0.8);

    (void)state;
    assert_true(fabs(none.mean - 0.5 / (24 * 180)) < 1e-15);
    assert_true(none.low > 0 && none.low < none.mean && none.mean < none.high);
    assert_true(many.low > 0.031 && many.high < 0.05);
    assert_true(isnan(unknown.mean) && isnan(unknown.high));
}

int group_risk(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swings_within_a_day_are_no_weekly_moves),
        cmocka_unit_test(moves_are_those_of_daily_values),
        cmocka_unit_test(days_without_a_price_are_left_out),
        cmocka_unit_test(losses_are_those_of_looking_each_hour),
        cmocka_unit_test(quantiles_of_gamma_are_those_of_its_known_shapes),
        cmocka_unit_test(no_loss_in_a_short_time_is_not_never),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
