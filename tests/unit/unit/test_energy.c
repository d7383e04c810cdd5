#include "test.h"

#include <math.h>
#include <stdio.h>

#include "unit/energy.h"
#include "unit/time.h"

static void reads_powers(void **state)
{
    static const struct {
        const char *text;
        double watts;
    } cases[] = {
        {"350W", 350}, {"1.2kW", 1200}, {"350 W", 350}, {" 700W ", 700}, {"1.2 kW", 1200},
        {"0W", 0},     {"0.5W", 0.5},   {".5kW", 500},  {"1e3W", 1000},  {"1e-3kW", 1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        watt power = {-1};

        if (!watt_parse(str_from(cases[i].text), &power, &err))
            fail_msg("'%s': %s", cases[i].text, err.text);
        if (power.w != cases[i].watts)
            fail_msg("'%s' is %g W", cases[i].text, power.w);
    }
}

static void refuses_what_is_no_power(void **state)
{
    static const char *const cases[] = {
        "",      "350", "W",    "kW",   "350w", "1.2KW", "1.2kw", "1MW",  "-5W",
        "5 k W", "5Wh", "5kWh", "5W/h", "xW",   "1,2kW", "nanW",  "infW", "1e99kW",
    };
    char expected[200];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        watt power = {42};

        if (watt_parse(str_from(cases[i]), &power, &err))
            fail_msg("'%s' is %g W", cases[i], power.w);
        (void)snprintf(expected, sizeof expected, "'%s' is not a power", cases[i]);
        assert_int_equal(err.kind, ERROR_INPUT);
        assert_string_equal(err.text, expected);
        assert_string_equal(err.hint, "write it in watts or kilowatts: 350W, 1.2kW");
        assert_true(power.w == 42);
    }
}

static void power_over_time_is_energy(void **state)
{
    (void)state;
    assert_true(energy_of((watt){1000}, (span){SPAN_HOUR}).j == JOULES_PER_KWH);
    assert_true(energy_of((watt){350}, (span){1000000000}).j == 350);
    assert_true(energy_of((watt){0}, (span){SPAN_HOUR}).j == 0);
    assert_true(energy_of((watt){100}, (span){-1000000000}).j == -100);
    assert_true(carbon_of((joule){JOULES_PER_KWH}, (gram_per_kwh){400}).g == 400);
    assert_true(carbon_of((joule){JOULES_PER_KWH / 2}, (gram_per_kwh){400}).g == 200);
}

static void unknown_stays_unknown(void **state)
{
    (void)state;
    assert_true(isnan(energy_of((watt){NAN}, (span){SPAN_HOUR}).j));
    assert_true(isnan(carbon_of((joule){NAN}, (gram_per_kwh){400}).g));
    assert_true(isnan(carbon_of((joule){1}, (gram_per_kwh){NAN}).g));
    assert_true(isnan(carbon_of((joule){0}, (gram_per_kwh){NAN}).g));
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
        cmocka_unit_test(reads_powers),
        cmocka_unit_test(refuses_what_is_no_power),
        cmocka_unit_test(power_over_time_is_energy),
        cmocka_unit_test(unknown_stays_unknown),
        cmocka_unit_test(electricity_costs_money),
        cmocka_unit_test(writes_in_the_unit_that_fits),
        cmocka_unit_test(writes_energy_in_watt_hours),
        cmocka_unit_test(writing_survives_a_failing_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
