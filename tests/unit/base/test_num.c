#include "test.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A finite double of any size, or NaN or an infinity now and then. */
static double random_double(uint64_t *state)
{
    uint64_t bits = next_random(state);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* --- junk --------------------------------------------------------------------------------- */

static void never_accepts_junk(void **state)
{
    static const char *const cases[] = {
        "",      " ",     "8 GPUs", "8GPUs",        " 8",  "8 ",   "8\n",   "\t8",      "8,5",
        "1,000", "1_000", "0x10",   "0b1",          "1e",  "e",    "-",     "+",        ".",
        "--1",   "1-",    "nan",    "NaN",          "inf", "-inf", "null",  "true",     "1.2.3",
        "1/2",   "1%",    "$1",     "\xef\xbc\x91", "1f",  "1L",   "1e+-2", "infinity", "1e999",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str text = str_from(cases[i]);
        int64_t integer, fixed;
        double real;

        if (num_int(text, &integer) || num_fixed(text, 9, &fixed) || num_double(text, &real))
            fail_msg("'%s' is accepted", cases[i]);
    }
    assert_false(num_int(STR("1\0"), &(int64_t){0}));
    assert_false(num_fixed(STR("1\0"), 2, &(int64_t){0}));
    assert_false(num_double(STR("1\0"), &(double){0}));
    assert_false(num_int((struct str){0}, &(int64_t){0}));
    assert_false(num_double((struct str){0}, &(double){0}));
}

static void looks_no_further_than_the_slice(void **state)
{
    int64_t integer = 0;
    double real = 0;

    (void)state;
    assert_true(num_int((struct str){"123456", 3}, &integer));
    assert_int_equal(integer, 123);
    assert_true(num_double((struct str){"1.5e10", 3}, &real));
    assert_true(real == 1.5);
}

/* --- integers ----------------------------------------------------------------------------- */

static void reads_integers(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        int64_t value;
    } cases[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"12", true, 12},
        {"-12", true, -12},
        {"007", true, 7},
        {"9223372036854775807", true, INT64_MAX},
        {"-9223372036854775808", true, INT64_MIN},
        {"9223372036854775808", false, 0},
        {"-9223372036854775809", false, 0},
        {"99999999999999999999999999999999999999999999", false, 0},
        {"+12", false, 0},
        {"12.", false, 0},
        {"12.0", false, 0},
        {"1e3", false, 0},
        {"1E3", false, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int64_t value = 0;
        bool ok = num_int(str_from(cases[i].text), &value);

        if (ok != cases[i].ok || (ok && value != cases[i].value))
            fail_msg("'%s': %d, %lld", cases[i].text, ok, (long long)value);
    }
}

static void reads_fixed_point_exactly(void **state)
{
    static const struct {
        const char *text;
        unsigned digits;
        bool ok;
        int64_t value;
    } cases[] = {
        {"2.49", 9, true, 2490000000},
        {"2.49", 2, true, 249},
        {"2.490", 2, true, 249},
        {"2.499", 2, false, 0},
        {"-0.1", 1, true, -1},
        {".5", 1, true, 5},
        {"5", 3, true, 5000},
        {"9223372036.854775807", 9, true, INT64_MAX},
        {"9223372036.854775808", 9, false, 0},
        {"1e3", 3, false, 0},
        {"1E3", 3, false, 0},
        {"+1", 3, false, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int64_t value = 0;
        bool ok = num_fixed(str_from(cases[i].text), cases[i].digits, &value);

        if (ok != cases[i].ok || value != cases[i].value)
            fail_msg("'%s': %d, %lld", cases[i].text, ok, (long long)value);
    }
}

/* --- doubles ------------------------------------------------------------------------------ */

static void reads_doubles_as_strtod_does(void **state)
{
    uint64_t random = 11;
    size_t accepted = 0;

    (void)state;
    for (int round = 0; round < 200000; round++) {
        char text[80];
        size_t len = 0, digits = 1 + next_random(&random) % 30;
        size_t point = next_random(&random) % (digits + 5);
        double value, expected;
        char *end;

        if (next_random(&random) % 3 == 0)
            text[len++] = '-';
        for (size_t i = 0; i < digits; i++) {
            if (i == point)
                text[len++] = '.';
            text[len++] = (char)('0' + next_random(&random) % 10);
        }
        text[len] = '\0';
        if (next_random(&random) % 2 == 0)
            len += (size_t)snprintf(text + len, sizeof text - len, "e%d",
                                    (int)(next_random(&random) % 80) - 40);
        expected = strtod(text, &end);
        assert_int_equal(*end, '\0');
        if (!num_double((struct str){text, len}, &value))
            continue;
        accepted++;
        if (value != expected)
            fail_msg("'%s': %.17g, expected %.17g", text, value, expected);
    }
    assert_true(accepted > 190000);
}

/* Any bytes are accepted only if strtod() accepts all of them. */
static void accepts_nothing_that_strtod_would_not(void **state)
{
    static const char alphabet[] = "0123456789+-.eE, xn";
    uint64_t random = 13;
    size_t accepted = 0;

    (void)state;
    for (int round = 0; round < 200000; round++) {
        char text[9] = "";
        size_t len = next_random(&random) % 8;
        double value, expected;
        char *end;

        for (size_t i = 0; i < len; i++)
            text[i] = alphabet[next_random(&random) % (sizeof alphabet - 1)];
        if (!num_double((struct str){text, len}, &value))
            continue;
        accepted++;
        expected = strtod(text, &end);
        if (*end != '\0' || value != expected)
            fail_msg("'%s' becomes %.17g", text, value);
    }
    assert_true(accepted > 1000);
}

static void compares_with_nan_last(void **state)
{
    static const struct {
        double a, b;
        int order;
    } cases[] = {
        {1, 2, -1},         {2, 1, 1},           {1, 1, 0},          {-0.0, 0.0, 0},
        {NAN, 1, 1},        {1, NAN, -1},        {NAN, NAN, 0},      {-NAN, NAN, 0},
        {NAN, INFINITY, 1}, {INFINITY, NAN, -1}, {-INFINITY, 1, -1}, {INFINITY, 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int order = num_compare(cases[i].a, cases[i].b);

        assert_int_equal((order > 0) - (order < 0), cases[i].order);
        assert_int_equal(num_by_value(&cases[i].a, &cases[i].b), order);
    }
}

static void unknown_numbers_have_a_substitute(void **state)
{
    (void)state;
    assert_true(num_known_or(NAN, 3) == 3 && num_known_or(2, 3) == 2);
    assert_true(num_above_zero(NAN) == 0 && num_above_zero(-1) == 0 && num_above_zero(2) == 2);
    assert_string_equal(num_plural(1), "");
    assert_string_equal(num_plural(0), "s");
    assert_string_equal(num_plural(2), "s");
}

/* --- writing ------------------------------------------------------------------------------ */

static void check_written(double value, const char *expected)
{
    struct buf out = buf_new(&alloc_system, 1000);

    num_write(value, &out);
    assert_str_equal(buf_text(&out), expected);
    buf_free(&out);
}

static void check_fixed(double value, int decimals, const char *expected)
{
    struct buf out = buf_new(&alloc_system, 1000);

    num_write_fixed(value, decimals, &out);
    assert_str_equal(buf_text(&out), expected);
    buf_free(&out);
}

static void writes_the_shortest_text(void **state)
{
    (void)state;
    check_written(0, "0");
    check_written(0.1, "0.1");
    check_written(-2.5, "-2.5");
    check_written(1e15, "1e+15");
    check_written(123456, "123456");
    check_written(1.0 / 3, "0.3333333333333333");
    check_written(0.1 + 0.2, "0.30000000000000004");
    check_written(5e-324, "4.94065645841247e-324"); /* 15 digits, less zeros, are tried first */
    check_written(1e300, "1e+300");
    check_written(1e-300, "1e-300");
    check_written(DBL_MAX, "1.7976931348623157e+308");
    check_written(9007199254740992, "9007199254740992");
}

static void writes_null_for_what_json_lacks(void **state)
{
    (void)state;
    check_written(NAN, "null");
    check_written(INFINITY, "null");
    check_written(-INFINITY, "null");
}

static void written_doubles_read_back_the_same(void **state)
{
    uint64_t random = 17;

    (void)state;
    for (int round = 0; round < 100000; round++) {
        double value = random_double(&random), back;
        struct buf out = buf_new(&alloc_system, 1000);
        char shorter[40], longest[40];

        if (round % 2 == 0) { /* of a common size */
            value = (double)(next_random(&random) >> 11);
            value = ldexp(value, (int)(next_random(&random) % 100) - 100);
        }
        if (!isfinite(value))
            continue;
        num_write(value, &out);
        if (num_double(buf_text(&out), &back))
            assert_true(back == value);
        assert_true(num_read(buf_text(&out), &back) && back == value);
        buf_char(&out, '\0');
        if (strtod(buf_text(&out).at, NULL) != value)
            fail_msg("%.17g is written %s", value, buf_text(&out).at);
        (void)snprintf(shorter, sizeof shorter, "%.16g", value);
        (void)snprintf(longest, sizeof longest, "%.17g", value);
        if (strtod(shorter, NULL) == value && strcmp(shorter, longest) != 0)
            assert_string_not_equal(buf_text(&out).at, longest);
        buf_free(&out);
    }
}

static void writes_a_number_of_decimals(void **state)
{
    (void)state;
    check_fixed(1.005, 2, "1.00");
    check_fixed(2.5, 0, "2");
    check_fixed(-1234.5678, 3, "-1234.568");
    check_fixed(0, 2, "0.00");
    check_fixed(1e22, 1, "10000000000000000000000.0");
    check_fixed(NAN, 2, "?");
    check_fixed(-NAN, 0, "?");
    check_fixed(INFINITY, 2, "inf");
    check_fixed(-INFINITY, 2, "-inf");
}

static void every_double_can_be_read(void **state)
{
    double back;

    (void)state;
    assert_true(num_read(STR("5e-324"), &back) && back == 5e-324);
    assert_true(num_read(STR("-1.7976931348623157e+308"), &back) && back == -DBL_MAX);
    assert_false(num_read(STR("1e309"), &back));
    assert_false(num_read(STR(""), &back));
    assert_false(num_read(STR("1.2.3"), &back));
    assert_false(num_read(STR("inf"), &back));
    assert_false(num_read(STR("0x10"), &back));
}

static void largest_double_is_written_completely(void **state)
{
    struct buf out = buf_new(&alloc_system, 1000);

    (void)state;
    num_write_fixed(-DBL_MAX, 9, &out);
    assert_int_equal(buf_text(&out).len, 1 + 309 + 1 + 9);
    assert_true(str_starts(buf_text(&out), STR("-17976931348623157")));
    assert_true(str_ends(buf_text(&out), STR(".000000000")));
    buf_free(&out);
}

static void writing_survives_a_failing_allocation(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        struct failing_alloc failing = {.allow = 0};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct buf out = buf_new(&alloc, 1000);
        struct error err = {0};

        if (way == 0)
            num_write(1.5, &out);
        else
            num_write_fixed(way == 1 ? 1.5 : NAN, 2, &out);
        assert_false(buf_ok(&out, &err));
        assert_string_equal(err.text, "out of memory");
        buf_free(&out);
    }
}

/* --- locales ------------------------------------------------------------------------------ */

/* Use the locale, from the system or else made by localedef; false when neither has it. */
static bool use_locale(const char *name)
{
    char folder[] = "/tmp/stint-locale-XXXXXX", command[300], full[64];
    bool set;

    (void)snprintf(full, sizeof full, "%s.UTF-8", name);
    if (setlocale(LC_NUMERIC, full) != NULL)
        return true;
    if (mkdtemp(folder) == NULL)
        return false;
    (void)snprintf(command, sizeof command,
                   "localedef -i %s -f UTF-8 %s/%s >/dev/null 2>/dev/null", name, folder, full);
    set = system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 &&
          setlocale(LC_NUMERIC, full) != NULL;
    (void)unsetenv("LOCPATH");
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    return set;
}

static void check_in_locale(const char *name, const char *point)
{
    double real = 0;
    int64_t fixed = 0;

    if (!use_locale(name))
        test_skip("no locale '%s', and localedef cannot make it", name);
    assert_string_equal(localeconv()->decimal_point, point);
    check_written(1.5, "1.5");
    check_written(-1e-7, "-1e-07");
    check_written(1.0 / 3, "0.3333333333333333");
    check_written(0.1 + 0.2, "0.30000000000000004");
    check_written(1.25e300, "1.25e+300");
    check_fixed(1234.5, 2, "1234.50");
    check_fixed(-0.25, 1, "-0.2");
    assert_true(num_double(STR("1.5"), &real));
    assert_true(real == 1.5);
    assert_true(num_double(STR("1234567890.12345678901234567890"), &real));
    assert_true(real == 1234567890.1234567890);
    assert_true(num_fixed(STR("1.25"), 2, &fixed));
    assert_int_equal(fixed, 125);
    assert_false(num_double(STR("1,5"), &real));
    assert_false(num_fixed(STR("1,25"), 2, &fixed));
}

static int back_to_c(void **state)
{
    (void)state;
    return setlocale(LC_NUMERIC, "C") == NULL;
}

static void a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    check_in_locale("de_DE", ",");
}

static void a_point_of_two_bytes_changes_nothing(void **state)
{
    (void)state;
    check_in_locale("ps_AF", "\xd9\xab");
}

static void finds_the_greatest_common_divisor(void **state)
{
    (void)state;
    assert_int_equal(num_common(12, 18), 6);
    assert_int_equal(num_common(8, 0), 8);
    assert_int_equal(num_common(0, 8), 8);
    assert_int_equal(num_common(7, 9), 1);
}

static void percentages_are_shares(void **state)
{
    static const char *const bad[] = {"", "%", "0", "-5%", "0.001", "10001", "75 %%", "ten"};
    double share = 0;

    (void)state;
    assert_true(num_percent(STR("75"), &share));
    assert_true(share == 0.75);
    assert_true(num_percent(STR("75 %"), &share));
    assert_true(share == 0.75);
    assert_true(num_percent(STR("112.5%"), &share));
    assert_true(share == 1.125);
    assert_true(num_percent(STR("10000"), &share));
    assert_true(share == 100);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (num_percent(str_from(bad[i]), &share))
            fail_msg("'%s' is %g", bad[i], share);
}

static void estimates_are_read_without_exponents(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {0.013249, "0.0132"},
                 {-0.013249, "-0.0132"},
                 {43.51, "43.5"},
                 {999.6, "1,000"},
                 {1009.876, "1,010"},
                 {-1009.876, "-1,010"},
                 {605432, "605,000"},
                 {999600, "1 million"},
                 {58149999, "58.1 million"},
                 {2.5e9, "2.5 billion"},
                 {1.5e13, "15 trillion"},
                 {NAN, "?"}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(num_about(cases[i].value).text, cases[i].text);
    assert_non_null(num_about(1e300).text);
    assert_non_null(num_about(INFINITY).text);
}

int group_num(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_greatest_common_divisor),
        cmocka_unit_test(never_accepts_junk),
        cmocka_unit_test(looks_no_further_than_the_slice),
        cmocka_unit_test(reads_integers),
        cmocka_unit_test(reads_fixed_point_exactly),
        cmocka_unit_test(reads_doubles_as_strtod_does),
        cmocka_unit_test(accepts_nothing_that_strtod_would_not),
        cmocka_unit_test(compares_with_nan_last),
        cmocka_unit_test(unknown_numbers_have_a_substitute),
        cmocka_unit_test(writes_the_shortest_text),
        cmocka_unit_test(writes_null_for_what_json_lacks),
        cmocka_unit_test(written_doubles_read_back_the_same),
        cmocka_unit_test(writes_a_number_of_decimals),
        cmocka_unit_test(every_double_can_be_read),
        cmocka_unit_test(largest_double_is_written_completely),
        cmocka_unit_test(writing_survives_a_failing_allocation),
        cmocka_unit_test_teardown(a_decimal_comma_changes_nothing, back_to_c),
        cmocka_unit_test_teardown(a_point_of_two_bytes_changes_nothing, back_to_c),
        cmocka_unit_test(percentages_are_shares),
        cmocka_unit_test(estimates_are_read_without_exponents),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
