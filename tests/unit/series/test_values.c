/* Plain numbers in order. */
#include "test.h"

#include <math.h>

#include "series/values.h"

static void quantiles_lie_on_lines(void **state)
{
    double values[] = {40, 10, 30, 20}, one[] = {7};

    (void)state;
    values_sort(values, 4);
    assert_near(values[0], 10, 0);
    assert_near(values_quantile(values, 4, 0), 10, 0);
    assert_near(values_quantile(values, 4, 0.5), 25, 1e-12);
    assert_near(values_quantile(values, 4, 0.1), 13, 1e-12);
    assert_near(values_quantile(values, 4, 1), 40, 0);
    assert_near(values_quantile(one, 1, 0.9), 7, 0);
}

/* Infinity is not between two numbers. */
static void infinity_is_a_value(void **state)
{
    double values[] = {INFINITY, 1, INFINITY};

    (void)state;
    values_sort(values, 3);
    assert_near(values_quantile(values, 3, 0), 1, 0);
    assert_true(isinf(values_quantile(values, 3, 0.5)));
    assert_true(isinf(values_quantile(values, 3, 0.9)));
    assert_true(isinf(values_quantile(values, 3, 0.1)));
}

int group_values(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_lie_on_lines),
        cmocka_unit_test(infinity_is_a_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
