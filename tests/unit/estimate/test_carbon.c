#include "test.h"

#include <math.h>
#include <string.h>

#include "estimate/money/carbon.h"

static const joule no_energy = {0};

static void near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.12g, not %.12g", got, expected);
}

static void tonne_in_equivalents(void **state)
{
    const gram_co2 tonne = {1e6};

    (void)state;
    near(equivalent_of(EQUIVALENT_CAR_KM, tonne, no_energy), 1e6 / 249);
    near(equivalent_of(EQUIVALENT_PHONE_CHARGES, tonne, no_energy), 1e6 / 12.4);
    near(equivalent_of(EQUIVALENT_TREE_YEARS, tonne, no_energy), 1000.0 / 22);
    near(equivalent_of(EQUIVALENT_FLIGHTS, tonne, no_energy), 1000.0 / 493);
}

static void households_are_counted_by_energy(void **state)
{
    (void)state;
    near(equivalent_of(EQUIVALENT_HOUSEHOLD_DAYS, (gram_co2){NAN},
                       (joule){10715 * JOULES_PER_KWH}),
         365);
    assert_true(isnan(equivalent_of(EQUIVALENT_HOUSEHOLD_DAYS, (gram_co2){1}, (joule){NAN})));
}

static void unknown_carbon_has_unknown_equivalents(void **state)
{
    (void)state;
    for (int i = 0; i < EQUIVALENT_COUNT; i++)
        assert_true(isnan(equivalent_of((enum equivalent_id)i, (gram_co2){NAN}, (joule){NAN})));
}

static void every_figure_has_a_source(void **state)
{
    (void)state;
    for (size_t i = 0; i < EQUIVALENT_COUNT; i++) {
        assert_true((equivalents[i].grams > 0) != (equivalents[i].kwh > 0));
        assert_true(equivalents[i].year >= 2010 && equivalents[i].year <= 2026);
        assert_true(strlen(equivalents[i].source) > 20);
        assert_non_null(equivalents[i].name);
        assert_non_null(equivalents[i].words);
    }
    for (size_t i = 0; i < OFFSET_COUNT; i++) {
        assert_true(offsets[i].low > 0 && offsets[i].low < offsets[i].typical);
        assert_true(offsets[i].typical < offsets[i].high);
        assert_true(offsets[i].year >= 2020 && strlen(offsets[i].source) > 20);
    }
}

static void an_offset_costs_by_the_tonne(void **state)
{
    struct offset_cost cost = offset_cost_of(OFFSET_AVOIDANCE, (gram_co2){2e6});

    (void)state;
    assert_int_equal(cost.typical.nano, 12680000000);
    assert_true(cost.low.nano < cost.typical.nano && cost.typical.nano < cost.high.nano);
    assert_int_equal(offset_at(100, (gram_co2){24}).nano, 2400000);
    assert_int_equal(offset_at(100, (gram_co2){0}).nano, 0);
}

static void offset_of_unknown_carbon_is_unknown(void **state)
{
    (void)state;
    assert_int_equal(offset_at(100, (gram_co2){NAN}).nano, MONEY_UNKNOWN);
    assert_int_equal(offset_at(100, (gram_co2){-1}).nano, MONEY_UNKNOWN);
    assert_int_equal(offset_at(NAN, (gram_co2){1}).nano, MONEY_UNKNOWN);
    assert_int_equal(offset_at(1e12, (gram_co2){1e12}).nano, MONEY_UNKNOWN);
    assert_int_equal(offset_cost_of(OFFSET_DURABLE, (gram_co2){NAN}).high.nano, MONEY_UNKNOWN);
}

int group_carbon(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tonne_in_equivalents),
        cmocka_unit_test(households_are_counted_by_energy),
        cmocka_unit_test(unknown_carbon_has_unknown_equivalents),
        cmocka_unit_test(every_figure_has_a_source),
        cmocka_unit_test(an_offset_costs_by_the_tonne),
        cmocka_unit_test(offset_of_unknown_carbon_is_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
