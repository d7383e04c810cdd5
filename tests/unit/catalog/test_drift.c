/* How far prices drift with their age: the built-in table, and one of the user's. */
#include "catalog/drift.h"

#include <math.h>

#include "loaded.h"

static struct drift drift;

static int load_drift(void **state)
{
    (void)state;
    if (load_tables(TABLE_BIT(TABLE_PRICE_DRIFT)) != 0)
        return 1;
    drift_read(&catalog, &drift);
    return 0;
}

static double width(const char *provider, const char *gpu, bool spot, int64_t age)
{
    return drift_width(drift_find(&drift, str_from(provider), str_from(gpu), spot), age);
}

static void a_price_of_today_does_not_drift(void **state)
{
    (void)state;
    assert_true(width("aws", "H100-SXM-80GB", true, 0) == 0);
    assert_true(width("aws", "H100-SXM-80GB", true, -3) == 0);
}

static void widths_never_shrink_with_age(void **state)
{
    static const char *const providers[] = {"aws", "gcp", "azure", "vast", "runpod", "acme"};

    (void)state;
    for (size_t p = 0; p < ARRAY_LEN(providers); p++)
        for (int spot = 0; spot < 2; spot++) {
            double before = 0;

            for (int64_t age = 1; age < 3000; age += 7) {
                double now = width(providers[p], "H100-SXM-80GB", spot != 0, age);

                assert_true(now >= before && isfinite(now));
                before = now;
            }
            assert_true(before > 0.1); /* nothing is sure after eight years */
        }
}

/* Rows for a provider count before those for all, and rows for a card before those for all. */
static void the_row_that_says_most_counts(void **state)
{
    (void)state;
    assert_true(width("aws", "T4", false, 180) == 0);
    assert_true(width("aws", "H100-SXM-80GB", false, 400) > 0.3);
    assert_true(width("acme", "T4", false, 400) > 0.2);
    assert_true(width("vast", "RTX4090", false, 180) > width("runpod", "RTX4090", false, 180));
}

/* Between two ages it is linear in the square root; behind the last it grows with that. */
static void ages_in_between_and_behind(void **state)
{
    const struct drift_curve curve = {.len = 2, .ages = {4, 16}, .widths = {0.2, 0.4}};

    (void)state;
    assert_true(fabs(drift_width(&curve, 1) - 0.1) < 1e-12);
    assert_true(fabs(drift_width(&curve, 4) - 0.2) < 1e-12);
    assert_true(fabs(drift_width(&curve, 9) - 0.3) < 1e-12);
    assert_true(fabs(drift_width(&curve, 64) - 0.8) < 1e-12);
    assert_true(drift_width(NULL, 64) == 0);
}

/* All prices of today are what they are; behind the last row no more of them change. */
static void prices_that_do_not_change(void **state)
{
    const struct drift_curve curve = {.len = 2, .ages = {4, 16}, .unchanged = {0.8, 0.4}};
    const struct drift_curve *large =
        drift_find(&drift, STR("aws"), STR("H100-SXM-80GB"), false);

    (void)state;
    assert_true(drift_unchanged(&curve, 0) == 1);
    assert_true(fabs(drift_unchanged(&curve, 1) - 0.9) < 1e-12);
    assert_true(fabs(drift_unchanged(&curve, 9) - 0.6) < 1e-12);
    assert_true(fabs(drift_unchanged(&curve, 64) - 0.4) < 1e-12);
    assert_true(isnan(drift_unchanged(NULL, 64)));
    assert_true(drift_width(large, 90) == 0 && drift_unchanged(large, 90) > 0.9);
    assert_true(drift_unchanged(large, 400) < 0.8);
}

static void the_users_rows_come_first(void **state)
{
    static const char text[] = "providers,gpus,market,age_days,width,date,source\n"
                               "*,*,on-demand,10,0.7,2026-11-01,me\n";
    struct catalog_layer layer = {TABLE_PRICE_DRIFT, "mine.csv", STR(text)};
    struct error err = {0};
    struct catalog own = {0};
    struct drift mine;

    (void)state;
    assert_true(catalog_load(&own, TABLE_BIT(TABLE_PRICE_DRIFT), &layer, 1, &arena, &err));
    drift_read(&own, &mine);
    assert_true(fabs(drift_width(drift_find(&mine, STR("aws"), STR("T4"), false), 10) - 0.7) <
                0.05);
    assert_true(isnan(drift_unchanged(drift_find(&mine, STR("aws"), STR("T4"), false), 10)));
}

int group_drift(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_price_of_today_does_not_drift),
        cmocka_unit_test(widths_never_shrink_with_age),
        cmocka_unit_test(the_row_that_says_most_counts),
        cmocka_unit_test(ages_in_between_and_behind),
        cmocka_unit_test(prices_that_do_not_change),
        cmocka_unit_test(the_users_rows_come_first),
    };

    return cmocka_run_group_tests(tests, load_drift, free_catalog);
}
