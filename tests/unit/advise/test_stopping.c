#include "advise/rules/stopping.h"

#include "test.h"

static const double hours[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

static struct stopping judge(const double *values, bool greater, int patience)
{
    struct stopping s;

    assert_true(stopping_judge(hours, values, 10, greater, 10, patience, &s));
    return s;
}

/* Best at hour 4; the third value that is not better comes at hour 7. */
static void stops(void **state)
{
    static const double falls[] = {9, 7, 5, 4, 4.5, 5, 5, 6, 6, 7};
    static const double rises[] = {1, 2, 3, 4, 3, 2, 2, 1, 1, 1};

    (void)state;
    assert_near(judge(falls, false, 3).share, 0.3, 1e-12);
    assert_near(judge(falls, false, 5).share, 0.1, 1e-12);
    assert_near(judge(rises, true, 3).share, 0.3, 1e-12);
    assert_false(judge(falls, false, 3).loses);
}

static void goes_on(void **state)
{
    static const double better[] = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
    static const double two[] = {9, 8, 8, 8, 7, 7, 7, 6, 6, 6}; /* two in a row, never three */

    (void)state;
    assert_near(judge(better, false, 3).share, 0, 0);
    assert_near(judge(two, false, 3).share, 0, 0);
    assert_true(judge(two, false, 2).loses);
}

/* The third value without a better one is the last: nothing is left to save. */
static void threshold(void **state)
{
    static const double values[] = {9, 8, 7, 6, 5, 4, 3, 3, 3, 3};

    (void)state;
    assert_near(judge(values, false, 3).share, 0, 0);
    assert_near(judge(values, false, 2).share, 0.1, 1e-12);
}

static void refuses(void **state)
{
    static const double back[] = {1, 2, 1, 4, 5, 6, 7, 8, 9, 10};
    static const double odd[] = {1, 2, 3, NAN, 5, 6, 7, 8, 9, 10};
    struct stopping s;

    (void)state;
    assert_false(stopping_judge(hours, hours, 4, false, 10, 3, &s)); /* too few */
    assert_true(stopping_judge(hours, hours, 5, false, 10, 3, &s));
    assert_false(stopping_judge(back, hours, 10, false, 10, 3, &s));
    assert_false(stopping_judge(hours, odd, 10, false, 10, 3, &s));
    assert_false(stopping_judge(hours, hours, 10, false, 9, 3, &s)); /* ended before */
    assert_false(stopping_judge(hours, hours, 10, false, 0, 3, &s));
}

int group_stopping(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops),
        cmocka_unit_test(goes_on),
        cmocka_unit_test(threshold),
        cmocka_unit_test(refuses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
