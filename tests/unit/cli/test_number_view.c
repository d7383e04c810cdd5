/* Estimated numbers have three digits. */
#include "test.h"

#include <math.h>

#include "cli/number_view.h"

static void numbers_have_three_digits(void **state)
{
    static const struct {
        double n;
        const char *wanted;
    } cases[] = {
        {1.2345, "1.23"}, {9.996, "10.0"},     {99.96, "100"},
        {0.9996, "1.00"}, {999.6, "1,000"},    {104567, "105,000"},
        {42.04, "42.0"},  {0.01234, "0.0123"}, {-9.996, "-10.0"},
        {0, "0"},         {NAN, "?"},
    };
    struct buf text = buf_new(&alloc_system, 64);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        buf_clear(&text);
        number_write(cases[i].n, &text);
        buf_char(&text, '\0');
        assert_string_equal(text.at, cases[i].wanted);
    }
    buf_free(&text);
}

/* The largest unit that keeps the number above 1. */
static void times_have_the_unit_that_suits_them(void **state)
{
    static const struct {
        double seconds;
        const char *wanted;
    } cases[] = {
        {0.0123, "12.3 ms"}, {59.4, "59.4 s"},  {90, "1.50 min"},      {1224, "20.4 min"},
        {5472, "1.52 h"},    {86400, "24.0 h"}, {345600, "4.00 days"}, {NAN, "?"},
    };
    struct buf text = buf_new(&alloc_system, 64);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        buf_clear(&text);
        seconds_write(cases[i].seconds, &text);
        buf_char(&text, '\0');
        assert_string_equal(text.at, cases[i].wanted);
    }
    buf_free(&text);
}

int group_number_view(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_three_digits),
        cmocka_unit_test(times_have_the_unit_that_suits_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
