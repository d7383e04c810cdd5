/* What the documentation promises of anomalies and forecasts, on fewer series than the
 * benchmark has, and none that the method was chosen on. */
#include "test.h"

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

static void months_are_foreseen(void **state)
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
        cmocka_unit_test(months_are_foreseen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
