/* In what order budgets end. */
#include "test.h"

#include "budget/ends.h"

static double lasts(int64_t left, int64_t own, int64_t others)
{
    return budget_time_left((usd){left}, (usd_per_hour){own}, (usd_per_hour){others});
}

static void what_is_spent_faster_ends_first(void **state)
{
    (void)state;
    assert_true(lasts(100, 10, 0) > lasts(100, 10, 5));
    assert_true(lasts(100, 10, 5) > lasts(50, 10, 5));
    /* A rate that is not known spends nothing of its own. */
    assert_true(lasts(100, MONEY_UNKNOWN, 10) == lasts(100, 0, 10));
}

static void what_is_overspent_most_ends_first(void **state)
{
    (void)state;
    assert_true(lasts(0, 10, 10) < lasts(1, 10, 10));
    assert_true(lasts(-20, 1, 1) < lasts(-10, 1000, 1000));
    /* Nothing is spent: it is the amount that decides, not infinity. */
    assert_true(lasts(100, 0, 0) < lasts(200, 0, 0));
}

int group_ends(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_spent_faster_ends_first),
        cmocka_unit_test(what_is_overspent_most_ends_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
