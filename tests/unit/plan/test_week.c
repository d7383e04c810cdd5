#include "test.h"

#include <math.h>

#include "plan/week.h"

/* Numbers that are the same in every run. */
static uint64_t dice = 1;

static double roll(double below)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (double)(dice >> 11) / 9007199254740992.0 * below;
}

static void random_hours(double hours[static WEEK_HOURS])
{
    for (size_t h = 0; h < WEEK_HOURS; h++)
        hours[h] = 0.5 + roll(1);
}

/* The mean by going through the hours one after the other. */
static double walked(const double hours[static WEEK_HOURS], double start, double length)
{
    double sum = 0, at = start, end = start + length;

    while (at < end) {
        double next = fmin(floor(at) + 1, end);
        double hour = fmod(floor(at), WEEK_HOURS);

        sum += hours[(size_t)(hour < 0 ? hour + WEEK_HOURS : hour)] * (next - at);
        at = next;
    }
    return sum / length;
}

static void a_mean_is_that_of_its_hours(void **state)
{
    double hours[WEEK_HOURS];
    struct week week;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        double start = roll(1000) - 300, length = roll(i % 2 == 0 ? 12 : 900) + 0.001;

        random_hours(hours);
        week_of(hours, &week);
        assert_near(week_mean(&week, start, length), walked(hours, start, length), 1e-9);
        start = floor(start);
        length = ceil(length);
        assert_near(week_mean(&week, start, length), walked(hours, start, length), 1e-9);
    }
}

static void edges_of_a_mean(void **state)
{
    double hours[WEEK_HOURS], total = 0;
    struct week week;

    (void)state;
    random_hours(hours);
    hours[17] = 0.25;
    for (size_t h = 0; h < WEEK_HOURS; h++)
        total += hours[h];
    week_of(hours, &week);
    assert_near(week.least, 0.25, 0);
    assert_near(week_mean(NULL, 3, 4), 1, 0);
    assert_near(week_mean(&week, 17.5, 0), 0.25, 1e-12);
    assert_near(week_mean(&week, 17 + 168 * 50, 1), 0.25, 1e-9);
    assert_near(week_mean(&week, 99, 168), total / 168, 1e-12);
    assert_near(week_mean(&week, 99, INFINITY), total / 168, 1e-12);
    assert_near(week_mean(&week, -1e-18, 1), hours[0], 1e-9);
    assert_true(isnan(week_mean(&week, 3, NAN)));
    assert_true(isnan(week_mean(&week, NAN, 3)));
    assert_true(isnan(week_mean(&week, INFINITY, 3)));
}

static void a_week_starts_on_monday(void **state)
{
    (void)state;
    assert_near(week_hour((stamp){1794700800}), 144, 0); /* a Sunday: 2026-11-15 */
    assert_near(week_hour((stamp){1794700800 + 86400}), 0, 0);
    assert_near(week_hour((stamp){1794700800 - 1800}), 143.5, 0);
    assert_near(week_hour((stamp){0}), 72, 0); /* 1970 began on a Thursday */
    assert_near(week_hour((stamp){-3600}), 71, 0);
}

/* Rows of the user's over what is built in. */
static struct catalog load(enum catalog_table table, const char *text, struct arena *arena)
{
    struct catalog_layer mine = {.table = table, .name = "my.csv", .text = str_from(text)};
    struct catalog catalog = {0};
    struct error err = {0};

    if (!catalog_load(&catalog, TABLE_BIT(table), &mine, 1, arena, &err))
        fail_msg("%s", err.text);
    return catalog;
}

#define PRICES "provider,market,days,from_hour,to_hour,multiplier,kind,date,source\n"
#define CARBON "grid,from_hour,to_hour,multiplier,kind,date,source\n"

static void prices_of_a_provider(void **state)
{
    struct arena arena = test_arena();
    struct catalog c = load(TABLE_PRICE_HOURS,
                            PRICES "lambda,spot,all,22,6,0.8,measured,2026-01-01,me\n"
                                   "lambda,spot,weekend,10,12,0.5,measured,2026-01-01,me\n"
                                   "lambda,on-demand,weekday,0,24,1.5,measured,2026-01-01,me\n"
                                   "lambda,on-demand,weekend,0,24,2,guess,2026-01-01,me\n",
                            &arena);
    struct week week;
    bool measured = false;

    (void)state;
    assert_true(week_of_prices(&c, STR("lambda"), STR("spot"), &week, &measured));
    assert_true(measured);
    assert_near(week_mean(&week, 21, 1), 1, 1e-12);
    assert_near(week_mean(&week, 22, 8), 0.8, 1e-12);
    assert_near(week_mean(&week, 30, 1), 1, 1e-12);
    assert_near(week_mean(&week, 10, 2), 1, 1e-12);         /* Monday */
    assert_near(week_mean(&week, 120 + 10, 2), 0.5, 1e-12); /* Saturday */
    assert_near(week_mean(&week, 144 + 10, 2), 0.5, 1e-12);
    assert_near(week.least, 0.5, 0);
    assert_true(week_varies(&week));

    assert_true(week_of_prices(&c, STR("lambda"), STR("on-demand"), &week, &measured));
    assert_false(measured);
    assert_near(week_mean(&week, 119, 2), 1.75, 1e-12);

    assert_true(week_of_prices(&c, STR("aws"), STR("spot"), &week, &measured));
    assert_true(measured);
    assert_near(week_mean(&week, 0, 120), 0.999, 1e-12);
    assert_true(week_of_prices(&c, STR("vast"), STR("spot"), &week, &measured));
    assert_false(measured);
    assert_near(week.least, 0.88, 0);
    assert_false(week_of_prices(&c, STR("aws"), STR("on-demand"), &week, &measured));
    assert_false(measured);
    assert_near(week_mean(&week, 5, 9), 1, 1e-12);
    assert_false(week_varies(&week));
    assert_false(week_varies(NULL));
    arena_free(&arena);
}

static void carbon_follows_the_sun(void **state)
{
    struct arena arena = test_arena();
    struct catalog c = load(TABLE_CARBON_HOURS,
                            CARBON "JP,11,13,0.5,measured,2026-01-01,me\n"
                                   "Mars,0,24,3,measured,2026-01-01,me\n",
                            &arena);
    struct week week;
    bool measured = false;

    (void)state;
    assert_true(week_of_carbon(&c, STR("JP"), &week, &measured));
    assert_true(measured);
    assert_near(week_mean(&week, 2, 2), 0.5, 1e-12); /* 11 h of the sun in Japan */
    assert_near(week_mean(&week, 4, 1), 1, 1e-12);
    assert_near(week_mean(&week, 168 + 24 + 2, 2), 0.5, 1e-12);
    assert_true(week_of_carbon(&c, STR("CAISO"), &week, &measured));
    assert_false(measured);
    assert_near(week_mean(&week, 18, 5), 0.6, 1e-12); /* 10 h to 15 h in California */
    assert_near(week_mean(&week, 27, 4), 1.32, 1e-12);
    assert_true(week_of_carbon(&c, STR("KR"), &week, &measured)); /* as any other grid */
    assert_near(week_mean(&week, 4, 4), 0.9, 1e-12);
    assert_false(week_of_carbon(&c, STR("*"), &week, &measured));
    assert_false(week_of_carbon(&c, STR("Mars"), &week, &measured));
    assert_false(measured);
    assert_near(week_mean(&week, 4, 4), 1, 1e-12);
    arena_free(&arena);
}

static void every_grid_has_its_place(void **state)
{
    struct arena arena = test_arena();
    struct catalog c = {0};
    struct error err = {0};
    int hours = 99;

    (void)state;
    assert_true(catalog_load(&c, TABLE_BIT(TABLE_REGIONS) | TABLE_BIT(TABLE_CARBON_HOURS), NULL,
                             0, &arena, &err));
    for (size_t i = 0; i < c.tables[TABLE_REGIONS].len; i++) {
        struct str grid = CATALOG_ROW(&c, TABLE_REGIONS, region, i)->grid;

        if (!str_eq(grid, STR("*")) && !week_solar_offset(grid, &hours))
            fail_msg("where is the grid '%.*s'?", STR_ARG(grid));
    }
    for (size_t i = 0; i < c.tables[TABLE_CARBON_HOURS].len; i++) {
        struct str grid = CATALOG_ROW(&c, TABLE_CARBON_HOURS, carbon_hours, i)->grid;

        if (!str_eq(grid, STR("*")) && !week_solar_offset(grid, &hours))
            fail_msg("where is the grid '%.*s'?", STR_ARG(grid));
    }
    assert_false(week_solar_offset(STR("*"), &hours));
    assert_true(week_solar_offset(STR("NZ"), &hours));
    assert_int_equal(hours, 12);
    assert_true(week_solar_offset(STR("CAISO"), &hours));
    assert_int_equal(hours, -8);
    arena_free(&arena);
}

static void the_best_start_is_the_best_of_all(void **state)
{
    double price[WEEK_HOURS], clean[WEEK_HOURS];
    struct week prices, carbon;

    (void)state;
    for (int i = 0; i < 500; i++) {
        double now = i % 3 == 0 ? floor(roll(168)) : roll(168), length = roll(40) + 0.1;
        double within = roll(400), deadline = i % 2 == 0 ? INFINITY : roll(300);
        double first = ceil(now) - now, best = 0, least, got;

        random_hours(price);
        random_hours(clean);
        week_of(price, &prices);
        week_of(clean, &carbon);
        least = 2 * walked(price, now, length) + 0.5 * walked(clean, now, length);
        for (int h = 0; first + h <= within && first + h + length <= deadline; h++) {
            double s = first + h;
            double score =
                2 * walked(price, now + s, length) + 0.5 * walked(clean, now + s, length);

            if (score < least - 1e-8) {
                least = score;
                best = s;
            }
        }
        got = week_best_start(&(struct week_wish){&prices, &carbon, 2, 0.5, now, length},
                              within, deadline);
        assert_near(got, best, 1e-9);
    }
}

static void a_start_that_is_not_free(void **state)
{
    double hours[WEEK_HOURS];
    struct week week;

    (void)state;
    for (size_t h = 0; h < WEEK_HOURS; h++)
        hours[h] = h == 40 ? 0.1 : 1;
    week_of(hours, &week);
    assert_near(week_best_start(&(struct week_wish){&week, NULL, 1, 0, 30, 1}, 48, INFINITY),
                10, 0);
    assert_near(week_best_start(&(struct week_wish){&week, NULL, 1, 0, 30, 1}, 9, INFINITY), 0,
                0);
    assert_near(week_best_start(&(struct week_wish){&week, NULL, 1, 0, 30, 1}, 48, 11), 10, 0);
    assert_near(week_best_start(&(struct week_wish){&week, NULL, 1, 0, 30, 1}, 48, 10.5), 0, 0);
    assert_near(week_best_start(&(struct week_wish){&week, NULL, 1, 0, 30, 1}, 48, 0.5), 0,
                0); /* too late anyhow */
    assert_near(week_best_start(&(struct week_wish){&week, NULL, 0, 0, 30, 1}, 48, INFINITY), 0,
                0);
    assert_near(week_best_start(&(struct week_wish){NULL, &week, 0, 1, 29.5, 1}, 48, INFINITY),
                10.5, 0);
    assert_near(week_best_start(&(struct week_wish){NULL, NULL, 1, 1, 30, 1}, 48, INFINITY), 0,
                0);
    assert_near(week_best_start(&(struct week_wish){&week, NULL, 1, 0, 30, NAN}, 48, INFINITY),
                0, 0);
    assert_near(week_best_start(&(struct week_wish){&week, NULL, 1, 0, 30, 1}, NAN, NAN), 10,
                0);
}

/* Every slot that was not taken overlaps one at least as good, and they come best first. */
static void slots_are_the_best_that_are_free(void **state)
{
    double price[WEEK_HOURS];
    struct week week;
    struct week_slot slots[64];

    (void)state;
    for (int i = 0; i < 200; i++) {
        double now = roll(168), length = roll(30) + 0.2, days = roll(14);
        size_t found;

        random_hours(price);
        week_of(price, &week);
        found =
            week_slots(&(struct week_wish){&week, NULL, 1, 0, now, length}, days, slots, 64);
        for (size_t j = 0; j < found; j++) {
            double clock = now + slots[j].start_h;

            assert_near(clock, round(clock), 1e-9);
            assert_true(slots[j].start_h >= 0);
            assert_true(slots[j].start_h + length <= days * 24 + 1e-9);
            assert_near(slots[j].price, walked(price, clock, length), 1e-8);
            assert_near(slots[j].carbon, 1, 0);
            assert_true(j == 0 || slots[j].price >= slots[j - 1].price - 1e-8);
        }
        for (int h = 0; ceil(now) - now + h + length <= days * 24 && found < 64; h++) {
            double s = ceil(now) - now + h;
            double mean = walked(price, now + s, length);
            bool beaten = false;

            for (size_t j = 0; j < found && !beaten; j++)
                beaten = fabs(slots[j].start_h - s) < length && slots[j].price <= mean + 1e-8;
            assert_true(beaten);
        }
    }
}

static void slots_at_the_edges(void **state)
{
    double hours[WEEK_HOURS];
    struct week week;
    struct week_slot slots[4];

    (void)state;
    for (size_t h = 0; h < WEEK_HOURS; h++)
        hours[h] = h % 24 < 6 ? 0.5 : 1;
    week_of(hours, &week);
    assert_int_equal(week_slots(&(struct week_wish){&week, NULL, 1, 0, 12, 3}, 1, slots, 4), 4);
    assert_near(slots[0].start_h, 12, 0);
    assert_near(slots[1].start_h, 15, 0);
    assert_near(slots[2].start_h, 0, 0);
    assert_near(slots[3].start_h, 3, 0);
    assert_int_equal(week_slots(&(struct week_wish){&week, NULL, 1, 0, 12, 25}, 1, slots, 4),
                     0);
    assert_int_equal(week_slots(&(struct week_wish){&week, NULL, 1, 0, 12, 24}, 1, slots, 4),
                     1);
    assert_int_equal(week_slots(&(struct week_wish){&week, NULL, 1, 0, 12, 0}, 1, slots, 4), 0);
    assert_int_equal(week_slots(&(struct week_wish){&week, NULL, 1, 0, 12, NAN}, 1, slots, 4),
                     0);
    assert_int_equal(week_slots(&(struct week_wish){&week, NULL, 1, 0, 12, 1}, NAN, slots, 4),
                     0);
    assert_int_equal(week_slots(&(struct week_wish){&week, NULL, 1, 0, 12, 1}, 1e300, slots, 2),
                     2);
    assert_int_equal(week_slots(&(struct week_wish){NULL, NULL, 1, 0, 12, 4}, 1, slots, 4), 4);
    assert_near(slots[3].start_h, 12, 0); /* all are equal: in the order of time */
}

int group_week(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mean_is_that_of_its_hours),
        cmocka_unit_test(edges_of_a_mean),
        cmocka_unit_test(a_week_starts_on_monday),
        cmocka_unit_test(prices_of_a_provider),
        cmocka_unit_test(carbon_follows_the_sun),
        cmocka_unit_test(every_grid_has_its_place),
        cmocka_unit_test(the_best_start_is_the_best_of_all),
        cmocka_unit_test(a_start_that_is_not_free),
        cmocka_unit_test(slots_are_the_best_that_are_free),
        cmocka_unit_test(slots_at_the_edges),
    };

    return cmocka_run_group_tests_name("plan/week", tests, NULL, NULL);
}
