/* What runs cost and took together. */
#include "test.h"

#include <math.h>

#include "ledger/runs/run_sum.h"
#include "unit/energy.h"

#define DOLLAR INT64_C(1000000000)

static struct ledger_run run_of(int64_t dollars, double kwh, int64_t seconds)
{
    struct ledger_run run = {0};

    run.totals.cost = dollars < 0 ? USD_UNKNOWN : (usd){dollars * DOLLAR};
    run.totals.joules = kwh * JOULES_PER_KWH;
    run.totals.elapsed = (span){seconds < 0 ? -1 : seconds * SECOND};
    return run;
}

static void what_is_known_of_all_adds_up(void **state)
{
    const struct ledger_run runs[] = {run_of(2, 1.5, 60), run_of(3, 0.5, 30)};
    struct ledger_run_sum sum = ledger_run_sum(runs, 2);

    (void)state;
    assert_int_equal(sum.cost.nano, 5 * DOLLAR);
    assert_int_equal(sum.cost_unknown, 0);
    assert_true(sum.energy_kwh == 2);
    assert_int_equal(sum.took.ns, 90 * SECOND);
    assert_int_equal(ledger_run_sum(runs, 0).cost.nano, 0);
}

static void one_that_is_unknown_makes_the_sum_unknown(void **state)
{
    const struct ledger_run runs[] = {run_of(2, NAN, 60), run_of(-1, 0.5, -1),
                                      run_of(1, 1, 30)};
    struct ledger_run_sum sum = ledger_run_sum(runs, 3);

    (void)state;
    assert_int_equal(sum.cost.nano, MONEY_UNKNOWN);
    assert_int_equal(sum.cost_unknown, 1);
    assert_int_equal(sum.cost_known.nano, 3 * DOLLAR);
    assert_true(isnan(sum.energy_kwh));
    assert_int_equal(sum.energy_unknown, 1);
    assert_true(sum.energy_known_kwh == 1.5);
    assert_int_equal(sum.took.ns, -1);
}

int group_run_sum(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_of_all_adds_up),
        cmocka_unit_test(one_that_is_unknown_makes_the_sum_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
