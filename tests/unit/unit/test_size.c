#include "test.h"

#include <stdio.h>

#include "unit/size.h"

#define HINT "give the unit in full: 80GB is 80 * 1000^3 bytes, 80GiB is 80 * 1024^3"

static void reads_sizes_with_their_unit(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {
        {"80GB", 80000000000},
        {"80GiB", 85899345920},
        {"80 GB", 80000000000},
        {" 80GB ", 80000000000},
        {"1.5GiB", 1610612736},
        {"0.001kB", 1},
        {"0kB", 0},
        {"1kB", 1000},
        {"1KiB", 1024},
        {"1MB", 1000000},
        {"1MiB", 1048576},
        {"1TB", 1000000000000},
        {"1TiB", 1099511627776},
        {"1PB", 1000000000000000},
        {"1PiB", 1125899906842624},
        {"0.0010KiB", 1}, /* part of a byte is none */
        {"18446PB", 18446000000000000000U},
        {"16383.999PiB", 18446742947809644773U},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        bytes size = {42};

        if (!bytes_parse(str_from(cases[i].text), &size, &err))
            fail_msg("'%s': %s", cases[i].text, err.text);
        if (size.n != cases[i].bytes)
            fail_msg("'%s' is %llu bytes", cases[i].text, (unsigned long long)size.n);
    }
}

static void refuses_what_is_no_size(void **state)
{
    static const char *const cases[] = {
        "",       "80",       "80G", "80g",    "80gb",  "80Gb",  "GB",
        "-1GB",   "+1GB",     "80B", "80KB",   "1e3GB", "1,5GB", "80GBs",
        "80 G B", "0.0001GB", "xGB", "80GB/s", "1TBB",  "$80GB", "99999999999999999999GB",
    };
    char expected[200];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        bytes size = {42};

        assert_false(bytes_parse(str_from(cases[i]), &size, &err));
        (void)snprintf(expected, sizeof expected, "'%s' is not a size", cases[i]);
        assert_int_equal(err.kind, ERROR_INPUT);
        assert_string_equal(err.text, expected);
        assert_string_equal(err.hint, HINT);
        assert_int_equal(size.n, 42);
    }
}

static void refuses_what_is_too_large(void **state)
{
    static const char *const cases[] = {"16384PiB", "18447PB", "9223372036854775PiB"};
    char expected[200];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        bytes size;

        assert_false(bytes_parse(str_from(cases[i]), &size, &err));
        (void)snprintf(expected, sizeof expected, "size '%s' is too large", cases[i]);
        assert_int_equal(err.kind, ERROR_INPUT);
        assert_string_equal(err.text, expected);
        assert_string_equal(err.hint, "");
    }
}

static void bandwidths_are_bytes_or_bits_of_a_second(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {
        {"100MB", 100000000},   {"100MB/s", 100000000}, {" 1.5 GiB/s ", 1610612736},
        {"1Gbit/s", 125000000}, {"800Mbps", 100000000}, {"10 Gb/s", 1250000000},
        {"64kbit/s", 8000},
    };
    static const char *const refused[] = {"100",    "100/s", "fast", "1Gbit",
                                          "-1MB/s", "MB/s",  ""};
    struct error err = {0};
    bytes size;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(bytes_per_second_parse(str_from(cases[i].text), &size, &err));
        assert_int_equal(size.n, cases[i].bytes);
    }
    for (size_t i = 0; i < ARRAY_LEN(refused); i++)
        assert_false(bytes_per_second_parse(str_from(refused[i]), &size, &err));
}

static void writes_the_largest_unit(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {
        {0, "0 B"},
        {1, "1 B"},
        {999, "999 B"},
        {1000, "1 kB"},
        {1024, "1.02 kB"},
        {1500, "1.5 kB"},
        {80000000000, "80 GB"},
        {85899345920, "85.90 GB"},
        {1500000000000, "1.5 TB"},
        {1230000000000, "1.23 TB"},
        {2000000, "2 MB"},
        {UINT64_C(5000000000000000), "5 PB"},
        {UINT64_MAX, "18446.74 PB"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = buf_new(&alloc_system, 100);

        bytes_write((bytes){cases[i].bytes}, &out);
        assert_str_equal(buf_text(&out), cases[i].text);
        buf_free(&out);
    }
}

static void full_and_tenth_units_read_back_the_same(void **state)
{
    static const uint64_t units[] = {1000, 1000000, 1000000000, 1000000000000};

    (void)state;
    for (size_t u = 0; u < ARRAY_LEN(units); u++)
        for (uint64_t tenths = 10; tenths < 10000; tenths += 7) {
            struct buf out = buf_new(&alloc_system, 100);
            struct error err = {0};
            bytes size = {units[u] / 10 * tenths}, back = {0};

            bytes_write(size, &out);
            assert_true(bytes_parse(buf_text(&out), &back, &err));
            assert_int_equal(back.n, size.n);
            buf_free(&out);
        }
}

static void counts_in_gigabytes(void **state)
{
    (void)state;
    assert_true(bytes_gb((bytes){0}) == 0);
    assert_true(bytes_gb((bytes){1500000000}) == 1.5);
    assert_true(bytes_gb((bytes){UINT64_C(80000000000000)}) == 80000);
}

static void writing_survives_a_failing_allocation(void **state)
{
    static const bytes sizes[] = {{5}, {1500}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct failing_alloc failing = {.allow = 0};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct buf out = buf_new(&alloc, 100);
        struct error err = {0};

        bytes_write(sizes[i], &out);
        assert_false(buf_ok(&out, &err));
        assert_int_equal(err.kind, ERROR_MEMORY);
        buf_free(&out);
    }
}

static void measured_sizes_become_bytes_or_unknown(void **state)
{
    (void)state;
    assert_int_equal(bytes_from(1536.7).n, 1536);
    assert_int_equal(bytes_from(0).n, 0);
    assert_int_equal(bytes_from(-1).n, BYTES_UNKNOWN.n);
    assert_int_equal(bytes_from(NAN).n, BYTES_UNKNOWN.n);
    assert_int_equal(bytes_from(1e30).n, BYTES_UNKNOWN.n);
}

int group_size(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_sizes_become_bytes_or_unknown),
        cmocka_unit_test(reads_sizes_with_their_unit),
        cmocka_unit_test(refuses_what_is_no_size),
        cmocka_unit_test(refuses_what_is_too_large),
        cmocka_unit_test(bandwidths_are_bytes_or_bits_of_a_second),
        cmocka_unit_test(writes_the_largest_unit),
        cmocka_unit_test(full_and_tenth_units_read_back_the_same),
        cmocka_unit_test(counts_in_gigabytes),
        cmocka_unit_test(writing_survives_a_failing_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
