/* Quiet hours and digests, by the clock of their zone. */
#include "world.h"

#include "base/fs.h"
#include "op/alert/alert_when.h"

static stamp at(const char *text)
{
    stamp out;

    assert_true(stamp_parse(str_from(text), &out));
    return out;
}

static bool berlin(void)
{
    if (fs_exists("/usr/share/zoneinfo/Europe/Berlin"))
        return true;
    print_message("# SKIPPED there is no tz database\n");
    return false;
}

static void quiet_is(const struct quiet_hours *q, const char *now, const char *until)
{
    stamp end = {0};
    bool is = quiet_now(q, at(now), &end);

    assert_int_equal(is, until != NULL);
    if (is)
        assert_int_equal(end.s, at(until).s);
}

static void test_quiet(void **state)
{
    struct world *w = *state;
    struct quiet_hours q;
    struct error err = {0};

    assert_true(quiet_parse(&w->ctx, STR(""), &q, &err));
    quiet_is(&q, "2026-11-15T03:00:00Z", NULL);
    assert_true(quiet_parse(&w->ctx, STR("22:00-07:00"), &q, &err));
    quiet_is(&q, "2026-11-15T21:59:59Z", NULL);
    quiet_is(&q, "2026-11-15T22:00:00Z", "2026-11-16T07:00:00Z");
    quiet_is(&q, "2026-11-16T06:59:59Z", "2026-11-16T07:00:00Z");
    quiet_is(&q, "2026-11-16T07:00:00Z", NULL);
    assert_true(quiet_parse(&w->ctx, STR("12:00-13:30"), &q, &err));
    quiet_is(&q, "2026-11-16T13:00:00Z", "2026-11-16T13:30:00Z");
    quiet_is(&q, "2026-11-16T11:00:00Z", NULL);
    if (!berlin())
        return;
    assert_true(quiet_parse(&w->ctx, STR("22:00-07:00  Europe/Berlin"), &q, &err));
    quiet_is(&q, "2026-07-15T20:00:00Z", "2026-07-16T05:00:00Z");
    quiet_is(&q, "2026-11-15T20:00:00Z", NULL);
    quiet_is(&q, "2026-11-15T21:00:00Z", "2026-11-16T06:00:00Z");
    /* The night in which clocks go forward. */
    quiet_is(&q, "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z");
}

static void test_digest(void **state)
{
    struct world *w = *state;
    struct digest_times d;
    struct error err = {0};

    assert_true(digest_parse(&w->ctx, STR("daily"), &d, &err));
    assert_int_equal(digest_last(&d, at("2026-11-15T08:00:00Z")).s,
                     at("2026-11-14T09:00:00Z").s);
    assert_int_equal(digest_next(&d, at("2026-11-15T08:00:00Z")).s,
                     at("2026-11-15T09:00:00Z").s);
    assert_int_equal(digest_last(&d, at("2026-11-15T09:00:00Z")).s,
                     at("2026-11-15T09:00:00Z").s);
    assert_int_equal(digest_next(&d, at("2026-11-15T09:00:00Z")).s,
                     at("2026-11-16T09:00:00Z").s);
    assert_true(digest_parse(&w->ctx, STR("weekly at 18:30"), &d, &err));
    /* 2026-11-16 is a Monday. */
    assert_int_equal(digest_last(&d, at("2026-11-15T08:00:00Z")).s,
                     at("2026-11-09T18:30:00Z").s);
    assert_int_equal(digest_next(&d, at("2026-11-15T08:00:00Z")).s,
                     at("2026-11-16T18:30:00Z").s);
    assert_int_equal(digest_last(&d, at("2026-11-16T18:00:00Z")).s,
                     at("2026-11-09T18:30:00Z").s);
    assert_int_equal(digest_next(&d, at("2026-11-16T19:00:00Z")).s,
                     at("2026-11-23T18:30:00Z").s);
    if (!berlin())
        return;
    assert_true(digest_parse(&w->ctx, STR("daily at 09:00 Europe/Berlin"), &d, &err));
    assert_int_equal(digest_next(&d, at("2026-07-15T06:00:00Z")).s,
                     at("2026-07-15T07:00:00Z").s);
    assert_true(digest_parse(&w->ctx, STR("weekly Europe/Berlin"), &d, &err));
    assert_int_equal(digest_next(&d, at("2026-11-15T23:30:00Z")).s,
                     at("2026-11-16T08:00:00Z").s);
}

static void test_wrong(void **state)
{
    static const char *const quiet[] = {"22",          "22:00",       "22:00-7", "24:00-07:00",
                                        "22:60-07:00", "07:00-07:00", "-",       "a:b-c:d"};
    static const char *const digest[] = {"hourly",
                                         "daily at",
                                         "daily at 9",
                                         "daily at 25:00",
                                         "daily at 09:00 Nowhere/Land",
                                         "weekly ../etc"};
    struct world *w = *state;
    struct quiet_hours q;
    struct digest_times d;

    for (size_t i = 0; i < ARRAY_LEN(quiet); i++) {
        struct error err = {0};

        assert_false(quiet_parse(&w->ctx, str_from(quiet[i]), &q, &err));
        assert_int_not_equal(err.kind, ERROR_NONE);
    }
    for (size_t i = 0; i < ARRAY_LEN(digest); i++) {
        struct error err = {0};

        assert_false(digest_parse(&w->ctx, str_from(digest[i]), &d, &err));
        assert_int_not_equal(err.kind, ERROR_NONE);
    }
}

int group_alert_when(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_quiet, world_make, world_end),
        cmocka_unit_test_setup_teardown(test_digest, world_make, world_end),
        cmocka_unit_test_setup_teardown(test_wrong, world_make, world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
