#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"

#define WIDE_MAX ((wide)(~(unsigned_wide)0 >> 1))
#define WIDE_MIN (-WIDE_MAX - 1)
#define WIDE_MAX_TEXT "170141183460469231731687303715884105727"

__extension__ typedef unsigned __int128 unsigned_wide;

static struct decimal parsed(const char *text)
{
    struct decimal d = {0};

    if (!decimal_parse(str_from(text), &d))
        fail_msg("'%s' does not parse", text);
    return d;
}

static void check_written(struct decimal d, const char *expected)
{
    struct buf out = buf_new(&alloc_system, 1000);

    decimal_write(d, &out);
    assert_str_equal(buf_text(&out), expected);
    buf_free(&out);
}

/* Not as good as random, but the same in every run. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static wide random_wide(uint64_t *state)
{
    uint64_t high = next_random(state), low = next_random(state);
    unsigned shift = next_random(state) % 128;
    unsigned_wide bits = (unsigned_wide)high << 64 | low;

    return (wide)(bits >> shift) * (next_random(state) % 2 ? 1 : -1);
}

static struct decimal random_decimal(uint64_t *state, int least_scale, unsigned scales)
{
    wide coefficient = random_wide(state);

    return (struct decimal){coefficient, least_scale + (int)(next_random(state) % scales)};
}

/* --- reading ------------------------------------------------------------------------------ */

static void reads_numbers_with_their_scale(void **state)
{
    static const struct {
        const char *text;
        int64_t coefficient;
        int scale;
    } cases[] = {
        {"0", 0, 0},
        {"-0", 0, 0},
        {"12", 12, 0},
        {"-12", -12, 0},
        {"+3", 3, 0},
        {"12.340", 12340, 3},
        {"-12.340", -12340, 3},
        {".5", 5, 1},
        {"-.5", -5, 1},
        {"007", 7, 0},
        {"0.10", 10, 2},
        {"7.0E-10", 70, 11},
        {"7e3", 7, -3},
        {"7E+3", 7, -3},
        {"1.25e1", 125, 1},
        {"1e0", 1, 0},
        {"1e-0", 1, 0},
        {"1e060", 1, -60},
        {"1e60", 1, -60},
        {"1e-60", 1, 60},
        {"0.0000000001e-50", 1, 60},
        {"0e60", 0, -60},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct decimal d = parsed(cases[i].text);

        if (d.coefficient != cases[i].coefficient || d.scale != cases[i].scale)
            fail_msg("'%s' has scale %d", cases[i].text, d.scale);
    }
}

static void refuses_other_text(void **state)
{
    static const char *const cases[] = {
        "",     "-",     "+",        ".",     "-.",   "+.",  "e5",  ".e5", "1e",     "1e+",
        "1e-",  "1e5.0", "1e5e5",    "1.2.3", "1..2", "--1", "+-1", "- 1", " 1",     "1 ",
        "1\n",  "1,5",   "1_000",    "1,000", "0x10", "1f",  "nan", "inf", "1e1000", "1e0000",
        "1e61", "1e-61", "\xd9\xa1", "1e 5",  "1E5x", "abc", "1-",  "1+1", "$1",     "1%",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct decimal d = {42, 7};

        if (decimal_parse(str_from(cases[i]), &d))
            fail_msg("'%s' parses", cases[i]);
        assert_true(d.coefficient == 42 && d.scale == 7); /* left alone */
    }
    assert_false(decimal_parse(STR("1\0"), &(struct decimal){0}));
    assert_false(decimal_parse(STR("1\0002"), &(struct decimal){0}));
    assert_false(decimal_parse((struct str){0}, &(struct decimal){0}));
}

static void keeps_twenty_eight_decimals(void **state)
{
    struct decimal d = parsed("1234567890.1234567890123456789012345678");

    (void)state;
    assert_int_equal(d.scale, 28);
    check_written(d, "1234567890.1234567890123456789012345678");
    d = parsed("-0.0000000000000000000000000001");
    assert_int_equal(d.scale, 28);
    check_written(d, "-0.0000000000000000000000000001");
}

static void overflows_at_128_bits_and_not_before(void **state)
{
    struct decimal d;

    (void)state;
    assert_true(parsed(WIDE_MAX_TEXT).coefficient == WIDE_MAX);
    assert_true(parsed("-" WIDE_MAX_TEXT).coefficient == -WIDE_MAX);
    assert_true(parsed("000" WIDE_MAX_TEXT).coefficient == WIDE_MAX);
    assert_false(decimal_parse(STR("170141183460469231731687303715884105728"), &d));
    assert_false(decimal_parse(STR("-170141183460469231731687303715884105728"), &d));
    assert_false(decimal_parse(STR("170141183460469231731687303715884105730"), &d));
    assert_false(decimal_parse(STR("1701411834604692317316873037158841057270"), &d));
    assert_false(decimal_parse(STR("200000000000000000000000000000000000000"), &d));
    assert_false(decimal_parse(STR("17014118346046923.1731687303715884105728"), &d));
}

/* --- adding ------------------------------------------------------------------------------- */

static void sums_are_exact(void **state)
{
    static const struct {
        const char *a, *b, *sum;
    } cases[] = {
        {"0.1", "0.2", "0.3"},
        {"1", "0.0000000000000000000000000001", "1.0000000000000000000000000001"},
        {"-1.50", "1.5", "0.00"},
        {"9.99", "0.01", "10.00"},
        {"7.0E-10", "1", "1.00000000070"},
        {"1e3", "0.5", "1000.5"},
        {"1e3", "1e2", "1100"},
        {"0e60", "0.001", "0.001"},
        {"-0.3", "0.1", "-0.2"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct decimal a = parsed(cases[i].a), b = parsed(cases[i].b), ab, ba;

        assert_true(decimal_add(a, b, &ab));
        assert_true(decimal_add(b, a, &ba));
        check_written(ab, cases[i].sum);
        check_written(ba, cases[i].sum);
    }
}

static void a_long_bill_adds_up_to_the_last_digit(void **state)
{
    struct decimal total = {0}, line = parsed("0.0000000000000000000000000003");

    (void)state;
    for (int i = 0; i < 1000000; i++)
        assert_true(decimal_add(total, line, &total));
    check_written(total, "0.0000000000000000000003000000");
}

static void a_sum_that_does_not_fit_is_an_error(void **state)
{
    static const struct {
        const char *a, *b;
    } cases[] = {
        {WIDE_MAX_TEXT, "1"}, {"-" WIDE_MAX_TEXT, "-2"}, {WIDE_MAX_TEXT, "0.1"},
        {"1e60", "1e-60"},    {"1e38", "0.1"},           {"-1e38", "0.1"},
    };
    struct decimal sum;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_false(decimal_add(parsed(cases[i].a), parsed(cases[i].b), &sum));
        assert_false(decimal_add(parsed(cases[i].b), parsed(cases[i].a), &sum));
    }
    assert_true(decimal_add(parsed("-" WIDE_MAX_TEXT), parsed("-1"), &sum));
    assert_true(sum.coefficient == WIDE_MIN);
    check_written(sum, "-170141183460469231731687303715884105728");
    sum.scale = 39;
    check_written(sum, "-0.170141183460469231731687303715884105728");
    sum.scale = 40;
    check_written(sum, "-0.0170141183460469231731687303715884105728");
}

/* --- comparing ---------------------------------------------------------------------------- */

static void compares_whatever_the_scales(void **state)
{
    static const struct {
        const char *a, *b;
        int order;
    } cases[] = {
        {"1", "1.000", 0},
        {"0", "-0.00", 0},
        {"0e60", "0e-60", 0},
        {"1e3", "1000.0", 0},
        {"1", "2", -1},
        {"-1", "-2", 1},
        {"-1", "1", -1},
        {"0.1", "0.09", 1},
        {"0", "0.0000000000000000000000000001", -1},
        {"-0.0000000000000000000000000001", "0", -1},
        {"1e60", "1e-60", 1},
        {"-1e60", "1e-60", -1},
        {"-1e60", "-1e-60", -1},
        {"-1e60", "-" WIDE_MAX_TEXT, -1},
        {"20000000000000000000000000000000000000", "1.0", 1}, /* times ten wraps below zero */
        {"-20000000000000000000000000000000000000", "-1.0", -1},
        {"30000000000000000000000000000000000000", "1.0", 1},
        {"35000000000000000000000000000000000000", "1.0", 1},
        {"2e37", "1.000000000000000000000000000000000000", 1},
        {"2e59", "0.3", 1},
        {WIDE_MAX_TEXT, "17014118346046923173168730371588410572.7", 1},
        {WIDE_MAX_TEXT, WIDE_MAX_TEXT, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int order = decimal_cmp(parsed(cases[i].a), parsed(cases[i].b));
        struct decimal size = decimal_magnitude(parsed(cases[i].a));
        int back = decimal_cmp(parsed(cases[i].b), parsed(cases[i].a));

        if ((order > 0) - (order < 0) != cases[i].order ||
            (back > 0) - (back < 0) != -cases[i].order)
            fail_msg("%s and %s: %d and %d", cases[i].a, cases[i].b, order, back);
        assert_true(decimal_cmp(size, parsed("0")) >= 0 &&
                    (decimal_cmp(size, parsed(cases[i].a)) == 0 ||
                     decimal_cmp(parsed(cases[i].a), parsed("0")) < 0));
    }
}

static void order_agrees_with_doubles(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (int round = 0; round < 100000; round++) {
        struct decimal a = random_decimal(&random, -60, 121);
        struct decimal b = random_decimal(&random, -60, 121);
        double x = decimal_double(a), y = decimal_double(b);
        int order = decimal_cmp(a, b);

        if (x > y)
            assert_true(order > 0);
        else if (x < y)
            assert_true(order < 0);
    }
}

/* --- fixed point -------------------------------------------------------------------------- */

static void becomes_fixed_only_when_nothing_is_lost(void **state)
{
    static const struct {
        const char *text;
        unsigned digits;
        bool fits;
        int64_t fixed;
    } cases[] = {
        {"12.34", 2, true, 1234},
        {"12.34", 9, true, 12340000000},
        {"12.3400000", 2, true, 1234},
        {"12.345", 2, false, 0},
        {"0.000", 0, true, 0},
        {"0e-60", 0, true, 0},
        {"0e60", 9, true, 0},
        {"1e3", 0, true, 1000},
        {"1e3", 2, true, 100000},
        {"1.5e1", 0, true, 15},
        {"9223372036854775807", 0, true, INT64_MAX},
        {"-9223372036854775808", 0, true, INT64_MIN},
        {"9223372036854775808", 0, false, 0},
        {"-9223372036854775809", 0, false, 0},
        {"9223372036.854775807", 9, true, INT64_MAX},
        {"9223372036.854775808", 9, false, 0},
        {"1e60", 0, false, 0},
        {"1e19", 0, false, 0},
        {"1e-1", 0, false, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int64_t fixed = 0;

        if (decimal_fixed(parsed(cases[i].text), cases[i].digits, &fixed) != cases[i].fits ||
            fixed != cases[i].fixed)
            fail_msg("%s to %u digits is %lld", cases[i].text, cases[i].digits,
                     (long long)fixed);
    }
}

/* --- writing and doubles ------------------------------------------------------------------ */

static void writes_plain_digits(void **state)
{
    static const struct {
        const char *text, *written;
    } cases[] = {
        {"12.340", "12.340"},
        {"7.0E-10", "0.00000000070"},
        {"1e3", "1000"},
        {"-1.5e3", "-1500"},
        {".5", "0.5"},
        {"-.05", "-0.05"},
        {"-0", "0"},
        {"0.00", "0.00"},
        {"0e5", "0"},
        {"+007", "7"},
        {"1e30", "1000000000000000000000000000000"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_written(parsed(cases[i].text), cases[i].written);
}

static void what_is_written_reads_back(void **state)
{
    uint64_t random = 3;

    (void)state;
    for (int round = 0; round < 50000; round++) {
        struct decimal d = random_decimal(&random, 0, 61), back;
        struct buf out = buf_new(&alloc_system, 1000);

        decimal_write(d, &out);
        assert_true(decimal_parse(buf_text(&out), &back));
        assert_true(back.coefficient == d.coefficient && back.scale == d.scale);
        buf_free(&out);
    }
}

/* strtod() rounds correctly; inexact results must agree with it, too. */
static void doubles_are_the_nearest(void **state)
{
    uint64_t random = 5;

    (void)state;
    for (int round = 0; round < 100000; round++) {
        struct decimal d = random_decimal(&random, -60, 121);
        struct buf out = buf_new(&alloc_system, 1000);

        decimal_write(d, &out);
        buf_char(&out, '\0');
        if (decimal_double(d) != strtod(buf_text(&out).at, NULL))
            fail_msg("%s becomes %.17g", buf_text(&out).at, decimal_double(d));
        buf_free(&out);
    }
    assert_true(decimal_double(parsed("0.1")) == 0.1);
    assert_true(decimal_double(parsed("-1e22")) == -1e22);
    assert_true(decimal_double(parsed("9007199254740993")) == 9007199254740992.0);
    assert_true(decimal_double((struct decimal){WIDE_MIN, 0}) == -ldexp(1, 127));
}

static void assert_decimal(struct decimal got, const char *wanted)
{
    struct buf out = buf_new(&alloc_system, 1000);

    decimal_write(got, &out);
    buf_char(&out, '\0');
    assert_string_equal(buf_text(&out).at, wanted);
    buf_free(&out);
}

static void products_are_exact(void **state)
{
    struct decimal d;
    uint64_t random = 7;

    (void)state;
    assert_true(decimal_multiply(parsed("0.000000000001"), parsed("24"), &d));
    assert_decimal(d, "0.000000000024");
    assert_true(decimal_multiply(parsed("-1.50"), parsed("1.50"), &d));
    assert_decimal(d, "-2.25");
    assert_true(decimal_multiply(parsed("0"), parsed("-3.1"), &d));
    assert_int_equal(d.coefficient, 0);
    assert_true(
        decimal_multiply(parsed("170141183460469231731687303715884105727"), parsed("-1"), &d));
    assert_decimal(d, "-170141183460469231731687303715884105727");
    assert_false(
        decimal_multiply(parsed("170141183460469231731687303715884105727"), parsed("2"), &d));
    assert_false(
        decimal_multiply(parsed("18446744073709551617"), parsed("18446744073709551617"), &d));
    assert_false(decimal_multiply(parsed("1e-40"), parsed("1e-40"), &d));
    for (int round = 0; round < 100000; round++) {
        int64_t a = (int64_t)next_random(&random), b = (int64_t)next_random(&random) >> 1;

        assert_true(decimal_multiply((struct decimal){a, 0}, (struct decimal){b, 0}, &d));
        assert_true(d.coefficient == (wide)a * b);
    }
}

static void quotients_round_away_from_zero_at_a_half(void **state)
{
    struct decimal d;
    uint64_t random = 9;

    (void)state;
    assert_true(decimal_divide(parsed("1"), parsed("3"), 6, &d));
    assert_decimal(d, "0.333333");
    assert_true(decimal_divide(parsed("-2"), parsed("3"), 6, &d));
    assert_decimal(d, "-0.666667");
    assert_true(decimal_divide(parsed("1"), parsed("8"), 2, &d));
    assert_decimal(d, "0.13");
    assert_true(decimal_divide(parsed("1"), parsed("-8"), 2, &d));
    assert_decimal(d, "-0.13");
    assert_true(decimal_divide(parsed("1e10"), parsed("0.0004"), 0, &d));
    assert_decimal(d, "25000000000000");
    assert_false(decimal_divide(parsed("1"), parsed("0.00"), 6, &d));
    assert_false(decimal_divide((struct decimal){WIDE_MIN, 0}, parsed("-1"), 0, &d));
    for (int round = 0; round < 100000; round++) { /* what was multiplied divides again */
        struct decimal a = {(int64_t)next_random(&random) >> 20, 3},
                       b = {((int64_t)next_random(&random) >> 20) | 1, 5}, product;

        assert_true(decimal_multiply(a, b, &product));
        assert_true(decimal_divide(product, b, 3, &d));
        assert_int_equal(decimal_cmp(d, a), 0);
    }
}

static void writing_survives_a_failing_allocation(void **state)
{
    struct failing_alloc failing = {.allow = 0};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct buf out = buf_new(&alloc, 1000);
    struct error err = {0};

    (void)state;
    decimal_write(parsed("-12.5"), &out);
    assert_false(buf_ok(&out, &err));
    assert_int_equal(err.kind, ERROR_MEMORY);
    assert_int_equal(buf_text(&out).len, 0);
    buf_free(&out);
}

static void zeros_come_off_the_end(void **state)
{
    static const struct {
        const char *text;
        int scale;
        const char *wanted;
    } cases[] = {{"1.500", 0, "1.5"},   {"1.500", 2, "1.50"}, {"-0.0100", 0, "-0.01"},
                 {"0.000", 0, "0"},     {"100", 0, "100"},    {"12.345", 0, "12.345"},
                 {"1.000", 5, "1.000"}, {"10.0", 0, "10"}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = buf_new(&alloc_system, 100);

        decimal_write(decimal_trim(parsed(cases[i].text), cases[i].scale), &out);
        assert_str_equal(buf_text(&out), cases[i].wanted);
        buf_free(&out);
    }
    assert_false(decimal_known(decimal_trim(DECIMAL_UNKNOWN, 2)));
}

int group_decimal(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_numbers_with_their_scale),
        cmocka_unit_test(refuses_other_text),
        cmocka_unit_test(keeps_twenty_eight_decimals),
        cmocka_unit_test(overflows_at_128_bits_and_not_before),
        cmocka_unit_test(sums_are_exact),
        cmocka_unit_test(a_long_bill_adds_up_to_the_last_digit),
        cmocka_unit_test(a_sum_that_does_not_fit_is_an_error),
        cmocka_unit_test(compares_whatever_the_scales),
        cmocka_unit_test(order_agrees_with_doubles),
        cmocka_unit_test(becomes_fixed_only_when_nothing_is_lost),
        cmocka_unit_test(writes_plain_digits),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(doubles_are_the_nearest),
        cmocka_unit_test(products_are_exact),
        cmocka_unit_test(quotients_round_away_from_zero_at_a_half),
        cmocka_unit_test(writing_survives_a_failing_allocation),
        cmocka_unit_test(zeros_come_off_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
