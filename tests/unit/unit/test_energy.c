#include "test.h"

#include <math.h>
#include <stdio.h>

#include "unit/energy.h"
#include "unit/time.h"

static void unknown_stays_unknown(void **state)
{
    (void)state;
    assert_int_equal(electricity_cost((watt){NAN}, (usd_per_kwh){170000000}).nano,
                     MONEY_UNKNOWN);
    assert_int_equal(electricity_cost((watt){350}, (usd_per_kwh){MONEY_UNKNOWN}).nano,
                     MONEY_UNKNOWN);
    assert_int_equal(electricity_cost((watt){0}, (usd_per_kwh){MONEY_UNKNOWN}).nano,
                     MONEY_UNKNOWN);
}

static void electricity_costs_money(void **state)
{
    static const struct {
        double watts;
        int64_t price, hourly;
    } cases[] = {
        {1000, 170000000, 170000000},
        {350, 170000000, 59500000},
        {0, 170000000, 0},
        {700, 0, 0},
        {0.5, 1000, 1}, /* nearest, halves away from zero */
        {0.4, 1000, 0},
        {1e30, 1000000000, MONEY_UNKNOWN}, /* does not fit */
        {INFINITY, 1, MONEY_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(
            electricity_cost((watt){cases[i].watts}, (usd_per_kwh){cases[i].price}).nano,
            cases[i].hourly);
}

static void writes_in_the_unit_that_fits(void **state)
{
    static const struct {
        double value;
        const char *power, *carbon;
    } cases[] = {
        {350, "350 W", "350 g CO2e"},
        {1200, "1.20 kW", "1.20 kg CO2e"},
        {15, "15 W", "15 g CO2e"},
        {0, "0 W", "0 g CO2e"},
        {0.25, "0.2 W", "0.2 g CO2e"},
        {999, "999 W", "999 g CO2e"},
        {1000, "1.00 kW", "1.00 kg CO2e"},
        {10200, "10.20 kW", "10.20 kg CO2e"},
        {-1500, "-1.50 kW", "-1.50 kg CO2e"},
        {NAN, "?", "?"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = buf_new(&alloc_system, 100);

        watt_write((watt){cases[i].value}, &out);
        assert_str_equal(buf_text(&out), cases[i].power);
        buf_clear(&out);
        gram_co2_write((gram_co2){cases[i].value}, &out);
        assert_str_equal(buf_text(&out), cases[i].carbon);
        buf_free(&out);
    }
}

static void writes_energy_in_watt_hours(void **state)
{
    static const struct {
        double joules;
        const char *text;
    } cases[] = {
        {JOULES_PER_KWH * 12.3, "12.30 kWh"},
        {JOULES_PER_KWH * 0.45, "450 Wh"},
        {JOULES_PER_KWH, "1.00 kWh"},
        {1800, "0.5 Wh"},
        {0, "0 Wh"},
        {NAN, "?"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = buf_new(&alloc_system, 100);

        joule_write((joule){cases[i].joules}, &out);
        assert_str_equal(buf_text(&out), cases[i].text);
        buf_free(&out);
    }
}

/* A run of some milliseconds used less than is counted, not nothing. */
static void metered_energy_is_never_nothing(void **state)
{
    struct buf out = buf_new(&alloc_system, 100);

    (void)state;
    joule_write_metered((joule){0}, &out);
    buf_char(&out, ' ');
    gram_co2_write_metered((gram_co2){0}, &out);
    buf_char(&out, ' ');
    joule_write_metered((joule){7200}, &out);
    assert_str_equal(buf_text(&out), "<0.001 Wh <0.001 g CO2e 2 Wh");
    buf_free(&out);
}

static void writing_survives_a_failing_allocation(void **state)
{
    static const double values[] = {5, 5000, NAN};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        struct failing_alloc failing = {.allow = 0};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct buf out = buf_new(&alloc, 100);
        struct error err = {0};

        watt_write((watt){values[i]}, &out);
        assert_false(buf_ok(&out, &err));
        assert_int_equal(err.kind, ERROR_MEMORY);
        buf_free(&out);
    }
}

int group_energy(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_stays_unknown),
        cmocka_unit_test(electricity_costs_money),
        cmocka_unit_test(writes_in_the_unit_that_fits),
        cmocka_unit_test(writes_energy_in_watt_hours),
        cmocka_unit_test(metered_energy_is_never_nothing),
        cmocka_unit_test(writing_survives_a_failing_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
