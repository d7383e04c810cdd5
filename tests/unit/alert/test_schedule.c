/* Quiet hours and digests, by the clock of their zone. */
#include "test.h"

#include "alert/schedule.h"
#include "base/fs.h"

static stamp at(const char *text)
{
    stamp out;

    assert_true(stamp_parse(str_from(text), &out));
    return out;
}

/* The rest of the test is skipped without it. */
static void need_berlin(struct arena *arena)
{
    if (fs_exists("/usr/share/zoneinfo/Europe/Berlin"))
        return;
    arena_free(arena);
    test_skip("there is no tz database");
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
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct quiet_hours q;
    struct error err = {0};

    (void)state;
    assert_true(quiet_parse(STR(""), &arena, &q, &err));
    quiet_is(&q, "2026-11-15T03:00:00Z", NULL);
    assert_true(quiet_parse(STR("22:00-07:00"), &arena, &q, &err));
    quiet_is(&q, "2026-11-15T21:59:59Z", NULL);
    quiet_is(&q, "2026-11-15T22:00:00Z", "2026-11-16T07:00:00Z");
    quiet_is(&q, "2026-11-16T06:59:59Z", "2026-11-16T07:00:00Z");
    quiet_is(&q, "2026-11-16T07:00:00Z", NULL);
    assert_true(quiet_parse(STR("12:00-13:30"), &arena, &q, &err));
    quiet_is(&q, "2026-11-16T13:00:00Z", "2026-11-16T13:30:00Z");
    quiet_is(&q, "2026-11-16T11:00:00Z", NULL);
    need_berlin(&arena);
    assert_true(quiet_parse(STR("22:00-07:00  Europe/Berlin"), &arena, &q, &err));
    quiet_is(&q, "2026-07-15T20:00:00Z", "2026-07-16T05:00:00Z");
    quiet_is(&q, "2026-11-15T20:00:00Z", NULL);
    quiet_is(&q, "2026-11-15T21:00:00Z", "2026-11-16T06:00:00Z");
    /* The night in which clocks go forward. */
    quiet_is(&q, "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z");
    arena_free(&arena);
}

static void test_digest(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct digest_times d;
    struct error err = {0};

    (void)state;
    assert_true(digest_parse(STR("daily"), &arena, &d, &err));
    assert_int_equal(digest_last(&d, at("2026-11-15T08:00:00Z")).s,
                     at("2026-11-14T09:00:00Z").s);
    assert_int_equal(digest_next(&d, at("2026-11-15T08:00:00Z")).s,
                     at("2026-11-15T09:00:00Z").s);
    assert_int_equal(digest_last(&d, at("2026-11-15T09:00:00Z")).s,
                     at("2026-11-15T09:00:00Z").s);
    assert_int_equal(digest_next(&d, at("2026-11-15T09:00:00Z")).s,
                     at("2026-11-16T09:00:00Z").s);
    assert_true(digest_parse(STR("weekly at 18:30"), &arena, &d, &err));
    /* 2026-11-16 is a Monday. */
    assert_int_equal(digest_last(&d, at("2026-11-15T08:00:00Z")).s,
                     at("2026-11-09T18:30:00Z").s);
    assert_int_equal(digest_next(&d, at("2026-11-15T08:00:00Z")).s,
                     at("2026-11-16T18:30:00Z").s);
    assert_int_equal(digest_last(&d, at("2026-11-16T18:00:00Z")).s,
                     at("2026-11-09T18:30:00Z").s);
    assert_int_equal(digest_next(&d, at("2026-11-16T19:00:00Z")).s,
                     at("2026-11-23T18:30:00Z").s);
    need_berlin(&arena);
    assert_true(digest_parse(STR("daily at 09:00 Europe/Berlin"), &arena, &d, &err));
    assert_int_equal(digest_next(&d, at("2026-07-15T06:00:00Z")).s,
                     at("2026-07-15T07:00:00Z").s);
    assert_true(digest_parse(STR("weekly Europe/Berlin"), &arena, &d, &err));
    assert_int_equal(digest_next(&d, at("2026-11-15T23:30:00Z")).s,
                     at("2026-11-16T08:00:00Z").s);
    arena_free(&arena);
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
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct quiet_hours q;
    struct digest_times d;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(quiet); i++) {
        struct error err = {0};

        assert_false(quiet_parse(str_from(quiet[i]), &arena, &q, &err));
        assert_int_not_equal(err.kind, ERROR_NONE);
    }
    for (size_t i = 0; i < ARRAY_LEN(digest); i++) {
        struct error err = {0};

        assert_false(digest_parse(str_from(digest[i]), &arena, &d, &err));
        assert_int_not_equal(err.kind, ERROR_NONE);
    }
    arena_free(&arena);
}

int group_schedule(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quiet),
        cmocka_unit_test(test_digest),
        cmocka_unit_test(test_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
