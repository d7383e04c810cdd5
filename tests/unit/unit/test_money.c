#include "test.h"

#include <stdlib.h>

#include <math.h>
#include <stdio.h>

#include "unit/money.h"
#include "unit/time.h"

#define HOUR ((span){SPAN_HOUR})

/* --- amounts in any currency -------------------------------------------------------------- */

static void reads_amounts_with_their_currency(void **state)
{
    static const struct {
        const char *text, *currency, *written;
    } cases[] = {
        {"$100", "USD", "$100"},
        {"100usd", "USD", "$100"},
        {"100USD", "USD", "$100"},
        {"100 Usd", "USD", "$100"},
        {"usd 100", "USD", "$100"},
        {"USD100", "USD", "$100"},
        {"99.50 EUR", "EUR", "99.50 EUR"},
        {"99.50EUR", "EUR", "99.50 EUR"},
        {"eur 12", "EUR", "12 EUR"},
        {"  gbp 7 ", "GBP", "7 GBP"},
        {"$-5", "USD", "-5 USD"},
        {"-5usd", "USD", "-5 USD"},
        {"$0", "USD", "$0"},
        {"$7.0E-10", "USD", "$0.00000000070"},
        {"1e3jpy", "JPY", "1000 JPY"},
        {"0.1234567890123456789012345678usd", "USD", "$0.1234567890123456789012345678"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = buf_new(&alloc_system, 1000);
        struct error err = {0};
        struct money m = {0};

        if (!money_parse(str_from(cases[i].text), &m, &err))
            fail_msg("'%s': %s", cases[i].text, err.text);
        assert_string_equal(m.currency.code, cases[i].currency);
        money_write(&m, &out);
        assert_str_equal(buf_text(&out), cases[i].written);
        assert_int_equal(err.kind, ERROR_NONE);
        buf_free(&out);
    }
}

static void check_refused(bool ok, const struct error *err, const char *text, const char *hint)
{
    assert_false(ok);
    assert_int_equal(err->kind, ERROR_INPUT);
    assert_string_equal(err->text, text);
    assert_string_equal(err->hint, hint);
}

static void refuses_what_is_no_amount(void **state)
{
    static const char *const cases[] = {
        "",          "$",   "usd",    "100 US",  "100us",    "$ 100", "$100usd",
        "usd100usd", "-$5", "100 $",  "100us$",  "u100sd",   "abc",   "1,000usd",
        "12..5usd",  "$$5", "usdusd", "\u20ac5", "100 usd!",
    };
    char expected[200];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        struct money m;
        bool ok = money_parse(str_from(cases[i]), &m, &err);

        (void)snprintf(expected, sizeof expected, "'%s' is not an amount of money", cases[i]);
        check_refused(ok, &err, expected, "write it as 100usd, 99.50EUR or, in quotes, '$100'");
    }
}

static void asks_for_the_currency_of_a_bare_number(void **state)
{
    struct error err = {0};
    struct money m;

    (void)state;
    check_refused(money_parse(STR("00"), &m, &err), &err, "'00' is not an amount of money",
                  "give the currency: 00usd, or '$00' in quotes, since the shell expands $ and "
                  "digits");
    check_refused(
        money_parse(STR(" 1234.5 "), &m, &err), &err, "' 1234.5 ' is not an amount of money",
        "give the currency: 1234.5usd, or '$1234.5' in quotes, since the shell expands $ "
        "and digits");
}

static void an_unknown_amount_is_a_question_mark(void **state)
{
    const struct money unknown = {0};
    struct buf out = buf_new(&alloc_system, 100);

    (void)state;
    money_write(&unknown, &out);
    assert_str_equal(buf_text(&out), "?");
    buf_free(&out);
}

/* --- dollars ------------------------------------------------------------------------------ */

static void reads_dollars_to_the_nano_dollar(void **state)
{
    static const struct {
        const char *text;
        int64_t nano;
    } cases[] = {
        {"$100", 100000000000},
        {"100usd", 100000000000},
        {"$0.000000001", 1},
        {"-2.5usd", -2500000000},
        {"$2.490000000000", 2490000000},
        {"$9223372036.854775807", INT64_MAX},
        {"$-9223372036.854775807", -INT64_MAX},
        {"$0", 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        usd amount = {42};

        if (!usd_parse(str_from(cases[i].text), &amount, &err))
            fail_msg("'%s': %s", cases[i].text, err.text);
        assert_int_equal(amount.nano, cases[i].nano);
    }
}

static void refuses_what_does_not_fit_in_nano_dollars(void **state)
{
    static const char *const cases[] = {
        "$0.0000000001",
        "$9223372036.854775808",
        "$-9223372036.854775808", /* would mean unknown */
        "$1e11",
        "1e50usd",
    };
    char expected[200];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        usd amount;
        bool ok = usd_parse(str_from(cases[i]), &amount, &err);

        (void)snprintf(expected, sizeof expected,
                       "'%s' is too large or has more than 9 decimals", cases[i]);
        check_refused(ok, &err, expected, "");
    }
}

static void refuses_other_currencies_for_dollars(void **state)
{
    struct error err = {0};
    usd amount;

    (void)state;
    check_refused(usd_parse(STR("99.50 EUR"), &amount, &err), &err,
                  "'99.50 EUR' is not in US dollars",
                  "prices are kept in US dollars: give the amount as 100usd");
    check_refused(usd_parse(STR("lots"), &amount, &err), &err,
                  "'lots' is not an amount of money",
                  "write it as 100usd or, in quotes, '$100'");
    check_refused(usd_parse(STR("-5"), &amount, &err), &err, "'-5' is not an amount of money",
                  "write it as 100usd or, in quotes, '$100'");
}

/* --- rates -------------------------------------------------------------------------------- */

static void reads_rates_by_the_hour(void **state)
{
    static const struct {
        const char *text;
        int64_t nano;
    } cases[] = {
        {"$2.49/hr", 2490000000},  {"2.49usd/hr", 2490000000},
        {"2.49usd/h", 2490000000}, {"2.49 usd / hour", 2490000000},
        {"$2.49/HR", 2490000000},  {"0.0007usd/s", 2520000000},
        {"$0.05/min", 3000000000}, {"$24/day", 1000000000},
        {"$1/day", 41666666},      {"$0/hr", 0},
        {"usd 1/hr", 1000000000},  {"$2562047/s", 9223369200000000000},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        usd_per_hour price = {42};

        if (!usd_per_hour_parse(str_from(cases[i].text), &price, &err))
            fail_msg("'%s': %s", cases[i].text, err.text);
        assert_int_equal(price.nano, cases[i].nano);
    }
}

static void refuses_rates_with_a_hint(void **state)
{
    static const struct {
        const char *text, *error, *hint;
    } cases[] = {
        {"$2.49", "price '$2.49' does not say per what", "write it as 2.49usd/hr"},
        {"", "price '' does not say per what", "write it as 2.49usd/hr"},
        {"2.49/hr", "'2.49' is not an amount of money",
         "give the currency: 2.49usd, or '$2.49' in quotes, since the shell expands $ and "
         "digits"},
        {"2.49eur/hr", "'2.49eur' is not in US dollars",
         "prices are kept in US dollars: give the amount as 100usd"},
        {"/hr", "'' is not an amount of money", "write it as 100usd or, in quotes, '$100'"},
        {"$-1/hr", "price '$-1/hr' is less than zero", ""},
        {"$1/week", "price '$1/week' is per 'week', which is not a unit of time",
         "use /hr, /s, /min or /day: 2.49usd/hr"},
        {"$1/kWh", "price '$1/kWh' is per 'kWh', which is not a unit of time",
         "use /hr, /s, /min or /day: 2.49usd/hr"},
        {"$1/", "price '$1/' is per '', which is not a unit of time",
         "use /hr, /s, /min or /day: 2.49usd/hr"},
        {"$1/hr/s", "price '$1/hr/s' is per 'hr/s', which is not a unit of time",
         "use /hr, /s, /min or /day: 2.49usd/hr"},
        {"$2562048/s", "price '$2562048/s' is too large", ""},
        {"$9223372036/min", "price '$9223372036/min' is too large", ""},
        {"$10000000000/hr", "'$10000000000' is too large or has more than 9 decimals", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        usd_per_hour price;

        check_refused(usd_per_hour_parse(str_from(cases[i].text), &price, &err), &err,
                      cases[i].error, cases[i].hint);
    }
}

static void reads_prices_of_electricity(void **state)
{
    struct error err = {0};
    usd_per_kwh price = {0};

    (void)state;
    assert_true(usd_per_kwh_parse(STR("0.17usd/kWh"), &price, &err));
    assert_int_equal(price.nano, 170000000);
    assert_true(usd_per_kwh_parse(STR("$0.2 / KWH "), &price, &err));
    assert_int_equal(price.nano, 200000000);
    check_refused(usd_per_kwh_parse(STR("$0.17/hr"), &price, &err), &err,
                  "'$0.17/hr' is not a price of electricity",
                  "write it per kilowatt-hour: 0.17usd/kWh");
    check_refused(usd_per_kwh_parse(STR("$0.17"), &price, &err), &err,
                  "price '$0.17' does not say per what", "write it as 0.17usd/kWh");
    check_refused(usd_per_kwh_parse(STR("$-1/kWh"), &price, &err), &err,
                  "price '$-1/kWh' is less than zero", "");
}

/* --- arithmetic --------------------------------------------------------------------------- */

static void rounds_to_the_nano_dollar(void **state)
{
    static const struct {
        int64_t price, ns, amount;
    } cases[] = {
        {1000000000, SPAN_HOUR, 1000000000},
        {1000000000, SPAN_HOUR / 2, 500000000},
        {2490000000, 90 * SPAN_HOUR, 224100000000},
        {1, SPAN_HOUR / 2, 1}, /* halves away from zero */
        {1, SPAN_HOUR / 2 - 1, 0},
        {3, SPAN_HOUR / 2, 2},
        {-1, SPAN_HOUR / 2, -1},
        {-1, SPAN_HOUR / 2 - 1, 0},
        {1, -SPAN_HOUR / 2, -1}, /* and so are those of a time before */
        {-3, -SPAN_HOUR / 2, 2},
        {1000000000, 0, 0},
        {0, INT64_MAX, 0},
        {INT64_MAX, SPAN_HOUR, INT64_MAX},
        {-INT64_MAX, SPAN_HOUR, -INT64_MAX},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        usd amount = {42};

        assert_true(usd_for((usd_per_hour){cases[i].price}, (span){cases[i].ns}, &amount));
        if (amount.nano != cases[i].amount)
            fail_msg("case %zu: %lld", i, (long long)amount.nano);
    }
}

static void reports_when_an_amount_does_not_fit(void **state)
{
    usd amount = {42};

    (void)state;
    assert_false(usd_for((usd_per_hour){INT64_MAX}, (span){SPAN_HOUR * 2}, &amount));
    assert_false(usd_for((usd_per_hour){INT64_MAX}, (span){-SPAN_HOUR * 2}, &amount));
    assert_false(usd_for((usd_per_hour){INT64_MAX}, (span){INT64_MAX}, &amount));
    assert_false(usd_for((usd_per_hour){-INT64_MAX}, (span){INT64_MIN}, &amount));
    assert_int_equal(amount.nano, 42);
}

static void unknown_stays_unknown(void **state)
{
    usd amount = {42};

    (void)state;
    assert_true(usd_for(USD_PER_HOUR_UNKNOWN, HOUR, &amount));
    assert_int_equal(amount.nano, MONEY_UNKNOWN);
    assert_true(usd_for(USD_PER_HOUR_UNKNOWN, (span){INT64_MIN}, &amount));
    assert_int_equal(amount.nano, MONEY_UNKNOWN);
    assert_int_equal(usd_per_hour_times(USD_PER_HOUR_UNKNOWN, 8).nano, MONEY_UNKNOWN);
    assert_int_equal(usd_per_hour_share(USD_PER_HOUR_UNKNOWN, 8).nano, MONEY_UNKNOWN);
    assert_int_equal(usd_add(USD_UNKNOWN, (usd){1}).nano, MONEY_UNKNOWN);
    assert_int_equal(usd_add((usd){1}, USD_UNKNOWN).nano, MONEY_UNKNOWN);
    assert_int_equal(usd_add(USD_UNKNOWN, USD_UNKNOWN).nano, MONEY_UNKNOWN);
    assert_true(isnan(usd_double(USD_UNKNOWN)));
    assert_int_equal(usd_from(NAN).nano, MONEY_UNKNOWN);
}

static void multiplies_and_shares_prices(void **state)
{
    (void)state;
    assert_int_equal(usd_per_hour_times((usd_per_hour){2490000000}, 8).nano, 19920000000);
    assert_int_equal(usd_per_hour_share((usd_per_hour){19920000000}, 8).nano, 2490000000);
    assert_int_equal(usd_per_hour_share((usd_per_hour){10}, 3).nano, 3);
    assert_int_equal(usd_per_hour_times((usd_per_hour){INT64_MAX}, 2).nano, MONEY_UNKNOWN);
    assert_int_equal(usd_per_hour_times((usd_per_hour){INT64_MAX}, -2).nano, MONEY_UNKNOWN);
    assert_int_equal(usd_per_hour_times((usd_per_hour){0}, INT64_MAX).nano, 0);
}

static void adds_amounts(void **state)
{
    (void)state;
    assert_int_equal(usd_add((usd){1}, (usd){2}).nano, 3);
    assert_int_equal(usd_add((usd){-5}, (usd){2}).nano, -3);
    assert_int_equal(usd_add((usd){INT64_MAX}, (usd){1}).nano, MONEY_UNKNOWN);
    assert_int_equal(usd_add((usd){-INT64_MAX}, (usd){-1}).nano, MONEY_UNKNOWN);
    assert_int_equal(usd_add((usd){-INT64_MAX}, (usd){-2}).nano, MONEY_UNKNOWN);
    assert_int_equal(usd_add((usd){INT64_MAX}, (usd){-1}).nano, INT64_MAX - 1);
}

static void converts_physics_once(void **state)
{
    static const struct {
        double dollars;
        int64_t nano;
    } cases[] = {
        {1.5, 1500000000},
        {-1.5, -1500000000},
        {0, 0},
        {1e-9, 1},
        {4e-10, 0},
        {6e-10, 1},
        {9.1e9, 9100000000000000000},
        {9.3e9, MONEY_UNKNOWN},
        {-9.3e9, MONEY_UNKNOWN},
        {1e300, MONEY_UNKNOWN},
        {INFINITY, MONEY_UNKNOWN},
        {-INFINITY, MONEY_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(usd_from(cases[i].dollars).nano, cases[i].nano);
    assert_true(usd_double((usd){2490000000}) == 2.49);
    assert_true(usd_double((usd){-1}) == -1e-9);
}

/* --- writing ------------------------------------------------------------------------------ */

static void writes_as_many_decimals_as_matter(void **state)
{
    static const struct {
        int64_t nano;
        const char *amount, *rate, *digits; /* digits: NULL when there is nothing to write */
    } cases[] = {
        {1234500000000, "$1234.50", "$1234.50/hr", "1234.5"},
        {2490000000, "$2.49", "$2.49/hr", "2.49"},
        {1000000000, "$1.00", "$1.00/hr", "1"},
        {1234567890, "$1.23", "$1.23/hr", "1.23456789"},
        {1235000000, "$1.24", "$1.24/hr", "1.235"},
        {1999999999, "$2.00", "$2.00/hr", "1.999999999"},
        {999999999, "$1.00", "$1.00/hr", "0.999999999"},
        {999950000, "$1.00", "$1.00/hr", "0.99995"},
        {999949999, "$0.9999", "$0.9999/hr", "0.999949999"},
        {-999999999, "-$1.00", "-$1.00/hr", "-0.999999999"},
        {526000000, "$0.5260", "$0.5260/hr", "0.526"},
        {10000000, "$0.0100", "$0.0100/hr", "0.01"},
        {9000000, "$0.009", "$0.009/hr", "0.009"},
        {7, "$0.000000007", "$0.000000007/hr", "0.000000007"},
        {0, "$0.00", "$0.00/hr", "0"},
        {-2490000000, "-$2.49", "-$2.49/hr", "-2.49"},
        {-7, "-$0.000000007", "-$0.000000007/hr", "-0.000000007"},
        {-526000000, "-$0.5260", "-$0.5260/hr", "-0.526"},
        {INT64_MAX, "$9223372036.85", "$9223372036.85/hr", "9223372036.854775807"},
        {-INT64_MAX, "-$9223372036.85", "-$9223372036.85/hr", "-9223372036.854775807"},
        {MONEY_UNKNOWN, "?", "?", NULL},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = buf_new(&alloc_system, 100);

        usd_write((usd){cases[i].nano}, &out);
        assert_str_equal(buf_text(&out), cases[i].amount);
        buf_clear(&out);
        usd_per_hour_write((usd_per_hour){cases[i].nano}, &out);
        assert_str_equal(buf_text(&out), cases[i].rate);
        buf_clear(&out);
        if (cases[i].digits != NULL) {
            nano_write(cases[i].nano, &out);
            assert_str_equal(buf_text(&out), cases[i].digits);
        }
        buf_free(&out);
    }
}

static void all_digits_read_back_the_same(void **state)
{
    uint64_t random = 23;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct buf out = buf_new(&alloc_system, 100);
        struct error err = {0};
        usd back = {0};
        int64_t nano;

        random = random * 6364136223846793005 + 1442695040888963407;
        nano = (int64_t)(random >> (1 + round % 60)) * (round % 2 == 0 ? 1 : -1);
        buf_char(&out, '$');
        nano_write(nano, &out);
        assert_true(usd_parse(buf_text(&out), &back, &err));
        assert_int_equal(back.nano, nano);
        buf_free(&out);
    }
}

static void writing_survives_a_failing_allocation(void **state)
{
    const struct money m = {{100, 0}, {"EUR"}};

    (void)state;
    for (int way = 0; way < 4; way++) {
        struct failing_alloc failing = {.allow = 0};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct buf out = buf_new(&alloc, 100);
        struct error err = {0};

        if (way == 0)
            usd_write((usd){1}, &out);
        else if (way == 1)
            usd_per_hour_write((usd_per_hour){1000000000}, &out);
        else if (way == 2)
            money_write(&m, &out);
        else
            nano_write(5, &out);
        assert_false(buf_ok(&out, &err));
        assert_int_equal(err.kind, ERROR_MEMORY);
        assert_int_equal(buf_text(&out).len, 0);
        buf_free(&out);
    }
}

static void knows_the_currencies(void **state)
{
    struct error err = {0};
    struct money m;

    (void)state;
    assert_true(currency_known(STR("USD")));
    assert_true(currency_known(STR("eur")));
    assert_true(currency_known(STR("ZWL")));
    assert_false(currency_known(STR("HRS")));
    assert_false(currency_known(STR("SD ")));
    assert_false(currency_known(STR("US")));
    assert_false(currency_known(STR("")));
    assert_false(money_parse(STR("24hrs"), &m, &err));
    assert_string_equal(err.text, "'24hrs' is not an amount of money");
}

static void expected_amounts_are_written_to_the_cent(void **state)
{
    (void)state;
    assert_int_equal(usd_about(145.752358).nano, INT64_C(145750000000));
    assert_int_equal(usd_about(-2.005001).nano, INT64_C(-2010000000));
    assert_int_equal(usd_about(0.123456).nano, INT64_C(123500000));
    assert_int_equal(usd_about(NAN).nano, MONEY_UNKNOWN);
    assert_near(usd_per_hour_double((usd_per_hour){INT64_C(2490000000)}), 2.49, 1e-12);
    assert_true(isnan(usd_per_hour_double(USD_PER_HOUR_UNKNOWN)));
}

/* Of every size and both signs: as far as three digits show, the same without the sign. */
static void small_amounts_have_three_digits_of_either_sign(void **state)
{
    (void)state;
    for (int64_t size = 1; size < INT64_C(1000000000000); size = size * 10 / 3 + 1) {
        int64_t up = usd_rounded((usd){size}).nano, down = usd_rounded((usd){-size}).nano;
        struct buf text = buf_new(&alloc_system, 64);

        assert_int_equal(down, size < 1000 ? 0 : -up);
        assert_true(llabs(up - size) * 200 <= size || up == size);
        if (size >= 10000000)
            assert_int_equal(up, size);
        usd_write((usd){down}, &text);
        assert_true(str_starts(buf_text(&text), down < 0 ? STR("-$") : STR("$0.00")));
        assert_true(text.len <= 16);
        buf_free(&text);
    }
    assert_int_equal(usd_rounded((usd){-11}).nano, 0);
    assert_int_equal(usd_rounded((usd){11}).nano, 11);
    assert_int_equal(usd_rounded((usd){-123456}).nano, -123000);
    assert_int_equal(usd_rounded((usd){9999999}).nano, 10000000);
    assert_int_equal(usd_rounded(USD_UNKNOWN).nano, MONEY_UNKNOWN);
}

static void estimates_have_three_digits(void **state)
{
    static const struct {
        double dollars;
        const char *wanted;
    } cases[] = {
        {58123456, "$58.1 million"},
        {1243.6, "$1,240"},
        {999600, "$1.00 million"},
        {999.6, "$1,000"},
        {123456, "$123,000"},
        {2.4e9, "$2.40 billion"},
        {130, "$130"},
        {12.34, "$12.3"},
        {9.996, "$10.0"},
        {99.96, "$100"},
        {5, "$5.00"},
        {0.5, "$0.50"},
        {0.01321, "$0.0132"},
        {0.013, "$0.013"},
        {1.2345e-7, "$0.000000123"},
        {5e-9, "$0.000000005"},
        {0, "$0.00"},
        {-12.34, "-$12.3"},
        {-1234567, "-$1.23 million"},
        {NAN, "?"},
    };
    struct buf text = buf_new(&alloc_system, 64);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        buf_clear(&text);
        usd_write_estimate(usd_from(cases[i].dollars), &text);
        buf_char(&text, '\0');
        assert_string_equal(text.at, cases[i].wanted);
    }
    buf_free(&text);
}

static void test_cents(void **state)
{
    static const struct {
        const char *amount, *currency, *wanted;
    } cases[] = {
        {"68321.324", "USD", "$68,321.32"},
        {"1200", "EUR", "1,200.00 EUR"},
        {"-3.105", "USD", "-$3.11"},
        {"0", "USD", "$0.00"},
        {"0.004999", "USD", "<$0.01"},
        {"-0.000000000000000001", "EUR", "-<0.01 EUR"},
        {"0.005", "USD", "$0.01"},
        {"999.995", "USD", "$1,000.00"},
        {"7E3", "USD", "$7,000.00"},
        {"100000000000000000000000000", "JPY", "100,000,000,000,000,000,000,000,000.00 JPY"},
        {"1", "", "?"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = buf_new(&alloc_system, 256);
        struct money m = {.currency = {""}};

        assert_true(decimal_parse(str_from(cases[i].amount), &m.amount));
        m.currency = currency_from(str_from(cases[i].currency));
        money_write_cents(&m, &out);
        assert_str_equal(buf_text(&out), cases[i].wanted);
        buf_free(&out);
    }
}

int group_money(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cents),
        cmocka_unit_test(expected_amounts_are_written_to_the_cent),
        cmocka_unit_test(small_amounts_have_three_digits_of_either_sign),
        cmocka_unit_test(estimates_have_three_digits),
        cmocka_unit_test(reads_amounts_with_their_currency),
        cmocka_unit_test(refuses_what_is_no_amount),
        cmocka_unit_test(asks_for_the_currency_of_a_bare_number),
        cmocka_unit_test(an_unknown_amount_is_a_question_mark),
        cmocka_unit_test(reads_dollars_to_the_nano_dollar),
        cmocka_unit_test(refuses_what_does_not_fit_in_nano_dollars),
        cmocka_unit_test(refuses_other_currencies_for_dollars),
        cmocka_unit_test(reads_rates_by_the_hour),
        cmocka_unit_test(refuses_rates_with_a_hint),
        cmocka_unit_test(reads_prices_of_electricity),
        cmocka_unit_test(rounds_to_the_nano_dollar),
        cmocka_unit_test(reports_when_an_amount_does_not_fit),
        cmocka_unit_test(unknown_stays_unknown),
        cmocka_unit_test(multiplies_and_shares_prices),
        cmocka_unit_test(adds_amounts),
        cmocka_unit_test(converts_physics_once),
        cmocka_unit_test(writes_as_many_decimals_as_matter),
        cmocka_unit_test(all_digits_read_back_the_same),
        cmocka_unit_test(writing_survives_a_failing_allocation),
        cmocka_unit_test(knows_the_currencies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
