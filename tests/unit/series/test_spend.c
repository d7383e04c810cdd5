/* The documented accuracy of anomalies and forecasts, on fewer series than the benchmark has,
 * and none that the method was chosen on. */
#include "test.h"

#include "series/daily.h"
#include "spend_families.h"
#include "spend_score.h"
#include "spend_world.h"

#define SEEDS 25
#define FIRST 700000

static void events_are_found(void **state)
{
    (void)state;
    for (int w = 0; w < SPEND_BARRED; w++) {
        struct spend_score score = {0};

        assert_true(world_score((enum spend_world)w, FIRST, SEEDS, &score));
        assert_true(tally_f1(&score.all) >= 0.75);
        assert_true(tally_false_per_quarter(&score.all) <= 0.1);
    }
}

/* Random days without spending: fewer days show how much the others vary. */
static void events_among_days_without_spending_are_found(void **state)
{
    const struct anomaly_options options = {.least = 20, .share = 0.2};
    struct spend_score score = {0};

    (void)state;
    for (uint64_t seed = 300000; seed < 300240; seed++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct spend_alarm alarms[SPEND_DAYS];
        const struct anomaly *found;
        struct spend_series s;
        struct daily daily;
        struct error err;
        size_t count;

        spend_family_make(FAMILY_ZEROS, seed, &s);
        daily = (struct daily){{s.first_day}, s.amount, s.days};
        assert_true(daily_anomalies(&daily, &options, &arena, &found, &count, &err));
        for (size_t k = 0; k < count; k++)
            alarms[k] = (struct spend_alarm){found[k].seen, found[k].direction == ANOMALY_DOWN};
        spend_score(&s, alarms, count, 28, &score);
        arena_free(&arena);
    }
    assert_true(tally_f1(&score.all) >= 0.8);
    assert_true(tally_false_per_quarter(&score.all) <= 0.05);
}

static void months_are_forecast(void **state)
{
    struct forecast_score f = world_forecast(WORLD_BILLS, FIRST, SEEDS / 2, 10, false);

    (void)state;
    assert_true(f.count > 100);
    assert_true(f.mean[0] <= 0.03);
    for (size_t k = 1; k < FORECAST_PEERS; k++)
        assert_true(f.mean[0] < f.mean[k]);
    assert_true(f.within >= 0.75 && f.within <= 0.88);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_found),
        cmocka_unit_test(events_among_days_without_spending_are_found),
        cmocka_unit_test(months_are_forecast),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
