/* --since, --until and --month mean the same everywhere. */
#include "test.h"

#include "unit/moment.h"

#define TODAY 20772 /* 2026-11-15 */

static const stamp now = {(int64_t)TODAY * SECONDS_PER_DAY};

static void ends_are_whole_days(void **state)
{
    static const struct {
        const char *text;
        int64_t since, until;
    } cases[] = {
        {"2026-11-12", TODAY - 3, TODAY - 2},
        {"1d", TODAY - 1, TODAY - 1},
    };
    struct error err = {0};
    stamp at;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(moment_parse(now, "since", str_from(cases[i].text), &at, &err));
        assert_int_equal(at.s, cases[i].since * SECONDS_PER_DAY);
        assert_true(moment_end_parse(now, "until", str_from(cases[i].text), &at, &err));
        assert_int_equal(at.s, cases[i].until * SECONDS_PER_DAY);
    }
    assert_true(moment_end_parse(now, "until", STR("2026-11-12T10:00:00Z"), &at, &err));
    assert_int_equal(at.s, (int64_t)(TODAY - 3) * SECONDS_PER_DAY + 36000);
    assert_true(moment_end_parse(now, "until", STR("2026-11-12T10:00:00+02:00"), &at, &err));
    assert_int_equal(at.s, (int64_t)(TODAY - 3) * SECONDS_PER_DAY + 28800);
    assert_true(moment_end_parse(now, "until", STR(""), &at, &err));
    assert_int_equal(at.s, -1);
    assert_false(moment_end_parse(now, "until", STR("soon"), &at, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
}

static void days_are_asked_for_in_many_ways(void **state)
{
    static const struct {
        const char *since, *until, *month;
        int32_t days, first, after;
    } cases[] = {
        {"", "", "", 30, TODAY - 29, TODAY + 1},
        {"", "", "", 0, INT32_MIN, INT32_MIN},
        {"7d", "", "", 30, TODAY - 6, TODAY + 1},
        {"7d", "", "", 0, TODAY - 6, INT32_MIN},
        {"6h", "", "", 30, TODAY, TODAY + 1},
        {"", "1d", "", 30, TODAY - 30, TODAY},
        {"2026-11-12", "2026-11-12", "", 0, TODAY - 3, TODAY - 2},
        {"2026-11-12T10:00:00Z", "2026-11-12T10:00:00Z", "", 0, TODAY - 3, TODAY - 2},
        {"", "2026-11-12T00:00:00Z", "", 0, INT32_MIN, TODAY - 3}, /* before that day */
        {"", "", "2026-11", 30, TODAY - 14, TODAY + 16},
        {"", "", "2026-12", 0, TODAY + 16, TODAY + 47},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct days_asked asked = {str_from(cases[i].since), str_from(cases[i].until),
                                   str_from(cases[i].month)};
        struct error err = {0};
        day since, until;

        if (!days_asked_parse(day_of(now), &asked, cases[i].days, &since, &until, &err))
            fail_msg("%zu: %s", i, err.text);
        assert_int_equal(since.n, cases[i].first);
        assert_int_equal(until.n, cases[i].after);
    }
}

static void days_that_are_none_are_refused(void **state)
{
    static const struct days_asked wrong[] = {
        {.since = {"soon", 4}},
        {.until = {"2026-13-01", 10}},
        {.month = {"2026-13", 7}},
        {.month = {"2026", 4}},
        {.month = {"2026-11", 7}, .since = {"7d", 2}},
        {.since = {"2026-11-12", 10}, .until = {"2026-11-11", 10}},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct error err = {0};
        day since, until;

        assert_false(days_asked_parse(day_of(now), &wrong[i], 30, &since, &until, &err));
        assert_int_equal(err.kind, ERROR_USAGE);
    }
}

int group_moment(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_are_whole_days),
        cmocka_unit_test(days_are_asked_for_in_many_ways),
        cmocka_unit_test(days_that_are_none_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
