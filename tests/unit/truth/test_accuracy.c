/* How far a run was from its prediction. */
#include "test.h"

#include <math.h>

#include "truth/accuracy.h"

static void errors_are_measured_over_predicted(void **state)
{
    struct accuracy_run run = {.predicted_cost = usd_from(10), .actual_cost = usd_from(15)};

    (void)state;
    run.run.predicted[CORRECTION_STEP] = 2;
    run.run.measured[CORRECTION_STEP] = 1;
    run.run.predicted[CORRECTION_MEMORY] = 40;
    run.run.measured[CORRECTION_MEMORY] = 44;
    accuracy_compare(&run);
    assert_near(run.error, -0.5, 1e-12);
    assert_near(run.memory_error, 0.1, 1e-12);
    assert_near(run.cost_error, 0.5, 1e-12);
}

static void what_is_not_known_has_no_error(void **state)
{
    struct accuracy_run run = {.predicted_cost = usd_from(10), .actual_cost = USD_UNKNOWN};

    (void)state;
    run.run.predicted[CORRECTION_STEP] = 2;
    run.run.measured[CORRECTION_STEP] = NAN;
    accuracy_compare(&run);
    assert_true(isnan(run.error) && isnan(run.memory_error) && isnan(run.cost_error));
    run.predicted_cost = (usd){0};
    run.actual_cost = usd_from(1);
    accuracy_compare(&run);
    assert_true(isnan(run.cost_error));
}

int group_accuracy(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_measured_over_predicted),
        cmocka_unit_test(what_is_not_known_has_no_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
