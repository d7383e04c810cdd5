/* Values that come more often than daily: events as they would have been reported. */
#include "test.h"

#include "series/telemetry.h"

#define PER_HOUR 12
#define PER_DAY (24 * PER_HOUR)
#define DAYS 14
#define LEN ((size_t)DAYS * PER_DAY)

static double value[LEN];

/* Busy from 8 to 20, with noise that is always the same. */
static void fill(void)
{
    uint64_t state = 7;

    for (size_t i = 0; i < LEN; i++) {
        size_t hour = i / PER_HOUR % 24;

        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        value[i] = (hour >= 8 && hour < 20 ? 60 : 20) + 4 * (double)(state >> 40) / (1 << 24);
    }
}

static size_t at(size_t d, size_t hour)
{
    return (d * 24 + hour) * PER_HOUR;
}

static void add(size_t from, size_t hours, double by)
{
    for (size_t i = from; i < from + hours * PER_HOUR; i++)
        value[i] += by;
}

static size_t find(size_t len, double interval, struct arena *arena, const struct anomaly **out)
{
    const struct telemetry_options options = {0};
    struct telemetry series = {value, len, interval};
    struct error err;
    size_t count;

    assert_true(telemetry_anomalies(&series, &options, arena, out, &count, &err));
    return count;
}

static void days_with_a_rhythm_are_no_events(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;

    (void)state;
    fill();
    assert_int_equal(find(LEN, 300, &arena, &found), 0);
    for (size_t d = 0; d < DAYS; d++) /* nor is a job each night */
        add(at(d, 2), 1, 300);
    assert_int_equal(find(LEN, 300, &arena, &found), 0);
    arena_free(&arena);
}

static void a_burst_is_one_event(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;

    (void)state;
    fill();
    add(at(8, 10), 2, 200);
    add(at(8, 20), 2, 200); /* of the same cause */
    assert_int_equal(find(LEN, 300, &arena, &found), 1);
    assert_int_equal(found[0].first, at(8, 10));
    assert_int_equal(found[0].seen, at(8, 11) - 1);
    assert_true(found[0].last >= at(8, 22) - 1 && found[0].last < at(9, 8));
    assert_int_equal(found[0].direction, ANOMALY_UP);
    assert_true(found[0].actual > 3 * found[0].expected);
    assert_true(found[0].score > 4 && found[0].high < 260 && found[0].low > 40);
    assert_false(found[0].goes_on);
    arena_free(&arena);
}

/* Normal by itself, but not at this time of day. */
static void quiet_hour_of_a_busy_day_is_reported(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;

    (void)state;
    fill();
    add(at(9, 12), 1, -40);
    assert_int_equal(find(LEN, 300, &arena, &found), 1);
    assert_int_equal(found[0].first, at(9, 12));
    assert_int_equal(found[0].direction, ANOMALY_DOWN);
    assert_int_equal(found[0].parts, 1);
    assert_near(found[0].expected, 62, 2); /* of this hour, not of all */
    assert_true(found[0].low > found[0].actual && found[0].low < 62 && found[0].high > 62);
    arena_free(&arena);
}

static void a_new_level_is_reported_once(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;

    (void)state;
    fill();
    add(at(7, 0), 24 * (DAYS - 7), 500);
    assert_int_equal(find(LEN, 300, &arena, &found), 1);
    assert_int_equal(found[0].first, at(7, 0));
    arena_free(&arena);
}

static void repeated_events_are_normal(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;

    (void)state;
    fill();
    add(at(1, 10), 6, 200); /* before anything is reported */
    add(at(9, 10), 1, 100);
    for (size_t i = 0; i < LEN; i++)
        value[i] -= 1000; /* it is the same below zero */
    assert_int_equal(find(LEN, 300, &arena, &found), 0);
    arena_free(&arena);
}

static void later_values_change_no_verdict(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *all, *part;
    size_t count;

    (void)state;
    fill();
    add(at(5, 10), 2, 200);
    add(at(9, 10), 3, -300);
    count = find(LEN, 300, &arena, &all);
    assert_int_equal(count, 2);
    for (size_t len = 0; len < LEN; len += 61) {
        size_t seen = find(len, 300, &arena, &part), before = 0;

        while (before < count && all[before].seen < len)
            before++;
        assert_int_equal(seen, before);
        for (size_t i = 0; i < seen; i++)
            assert_int_equal(part[i].seen, all[i].seen);
    }
    assert_int_equal(find(at(9, 11), 300, &arena, &part), 2);
    assert_true(part[1].goes_on);
    arena_free(&arena);
}

static void an_hour_is_judged_when_half_of_it_is_known(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;

    (void)state;
    fill();
    add(at(9, 12), 1, 500);
    for (size_t i = at(9, 12); i < at(9, 12) + PER_HOUR / 2; i++)
        value[i] = NAN;
    assert_int_equal(find(LEN, 300, &arena, &found), 1);
    value[at(9, 12) + PER_HOUR / 2] = NAN;
    assert_int_equal(find(LEN, 300, &arena, &found), 0);
    arena_free(&arena);
}

static void odd_series_are_judged_too(void **state)
{
    static const double intervals[] = {0, 1, 3600, 90000, INFINITY, NAN};
    struct arena arena = test_arena();
    const struct anomaly *found;

    (void)state;
    fill();
    for (size_t i = 0; i < ARRAY_LEN(intervals); i++)
        (void)find(LEN, intervals[i], &arena, &found);
    assert_int_equal(find(0, 300, &arena, &found), 0);
    for (size_t i = at(4, 0); i < at(6, 5) + 7; i++)
        value[i] = NAN;
    assert_int_equal(find(LEN, 300, &arena, &found), 0);
    for (size_t i = 0; i < LEN; i++) /* never anything else, then once */
        value[i] = i / PER_HOUR == 200 ? 51 : 50;
    assert_int_equal(find(LEN, 300, &arena, &found), 1);
    assert_int_equal(found[0].first, 200 * PER_HOUR);
    for (size_t i = 0; i < LEN; i++)
        value[i] = i % 3 == 0 ? 1e308 : -1e308;
    (void)find(LEN, 3600, &arena, &found);
    arena_free(&arena);
}

static void memory_may_run_out(void **state)
{
    const struct telemetry_options options = {0};
    struct telemetry series = {value, LEN, 300};
    bool ok = false;

    (void)state;
    fill();
    for (size_t allow = 0; !ok; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        const struct anomaly *found;
        struct error err;
        size_t count;

        ok = telemetry_anomalies(&series, &options, &arena, &found, &count, &err);
        if (!ok)
            assert_int_equal(err.kind, ERROR_MEMORY);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
        assert_true(allow < 10);
    }
}

int group_telemetry(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_with_a_rhythm_are_no_events),
        cmocka_unit_test(a_burst_is_one_event),
        cmocka_unit_test(quiet_hour_of_a_busy_day_is_reported),
        cmocka_unit_test(a_new_level_is_reported_once),
        cmocka_unit_test(repeated_events_are_normal),
        cmocka_unit_test(later_values_change_no_verdict),
        cmocka_unit_test(an_hour_is_judged_when_half_of_it_is_known),
        cmocka_unit_test(odd_series_are_judged_too),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
