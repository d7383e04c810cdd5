/* Values with their times: what is read of a file, and which method judges it. */
#include "test.h"

#include "base/buf.h"
#include "series/readings.h"

#define HOURS 240
#define START 1767225600 /* 2026-01-01 */

static bool read_text(const char *text, const char *column, struct arena *arena,
                      struct readings *out, struct error *err)
{
    const struct csv_options options = {.alloc = arena->alloc};
    struct csv *csv = csv_open_text(str_from(text), &options, err);
    bool ok;

    if (csv == NULL)
        return false;
    ok = readings_read(csv, str_from(column), arena, out, err);
    csv_close(csv);
    return ok;
}

static void expect_error(const char *text, const char *column, const char *why)
{
    struct arena arena = test_arena();
    struct readings_pace pace;
    struct readings r;
    struct error err = {0};

    assert_false(read_text(text, column, &arena, &r, &err) &&
                 readings_pace(&r, &arena, &pace, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, why);
    arena_free(&arena);
}

static void columns_are_found_by_name(void **state)
{
    static const struct {
        const char *text, *column;
    } files[] = {
        {"timestamp,value\n2026-01-01 00:00:00,1.5\n2026-01-01 00:05:00,-2\n", ""},
        {"host,Cost,Date\na,1.5,2026-01-01\nb,-2,2026-01-01T01:05:00+01:00\n", ""},
        {"time,gpu0,gpu1\n2026-01-01,7,1.5\n2026-01-01T00:05:00Z,7,-2\n", "GPU1"},
        {"2026-01-01T00:00:00Z,1.5\n2026-01-01T00:05:00.25Z,-2\n", ""},
        {"watts,start\n1.5,2026-01-01 00:00\n-2e0,2026-01-01 00:05\n", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct arena arena = test_arena();
        struct readings r;
        struct error err = {0};

        assert_true(read_text(files[i].text, files[i].column, &arena, &r, &err));
        assert_int_equal(r.len, 2);
        assert_int_equal(r.at[0].at.s, START);
        assert_int_equal(r.at[1].at.s, START + 300);
        assert_near(r.at[0].value, 1.5, 0);
        assert_near(r.at[1].value, -2, 0);
        assert_int_equal(r.negative, 1);
        arena_free(&arena);
    }
}

static void rows_that_are_odd_are_counted(void **state)
{
    struct arena arena = test_arena();
    struct readings_pace pace;
    struct readings r;
    struct error err = {0};

    (void)state;
    assert_true(read_text("time,value\n"
                          "2026-01-01 02:00:00,3\n" /* older ones follow */
                          "2026-01-01 00:00:00,1\n"
                          "2026-01-01 01:00:00,\n"
                          "2026-01-01 03:00:00,NaN\n"
                          "2026-01-01 04:00:00\n"
                          "2026-01-01 05:00:00,+Inf\n"
                          "2026-01-01 06:00:00,-1e999\n"
                          "2026-01-01 09:00:00,1e-400\n",
                          "", &arena, &r, &err));
    assert_int_equal(r.len, 8);
    assert_int_equal(r.missing, 3);
    assert_int_equal(r.infinite, 2);
    assert_int_equal(r.backward, 1);
    assert_int_equal(r.repeated, 0);
    assert_int_equal(r.at[0].at.s, START);
    assert_near(r.at[2].value, 3, 0);
    assert_true(isnan(r.at[5].value));
    assert_near(r.at[7].value, 0, 0);
    assert_true(readings_pace(&r, &arena, &pace, &err));
    assert_near(pace.interval, 3600, 0);
    assert_int_equal(pace.slots, 10);
    assert_int_equal(pace.empty, 7);
    assert_true(pace.too_short);
    arena_free(&arena);
}

static void what_cannot_be_read_is_refused(void **state)
{
    (void)state;
    expect_error("", "", "it is empty");
    expect_error("time,value\n", "", "there is no value in it");
    expect_error("time,value\n2026-01-01,\n2026-01-02,nan\n", "", "there is no value in it");
    expect_error("when,value\n2026-01-01,1\n", "", "line 1: there is no column 'time'");
    expect_error("time,a,b\n2026-01-01,1,2\n", "", "line 1: there is no column 'value'");
    expect_error("time,a,b\n2026-01-01,1,2\n", "c", "line 1: there is no column 'c'");
    expect_error("time,a,b\n2026-01-01,1,2\n", "time",
                 "line 1: 'time' is the column of the times");
    expect_error("2026-01-01,1\n", "a", "line 1: there is no header, and so no column 'a'");
    expect_error("time,value\n2026-01-01,1\n2026-13-01,1\n", "",
                 "line 3: '2026-13-01' is not a time");
    expect_error("time,value\n,1\n", "", "line 2: '' is not a time");
    expect_error("time,value\n2026-01-01,12 USD\n", "", "line 2: '12 USD' is not a number");
    expect_error("time,value\n2026-01-01,1e+\n", "", "line 2: '1e+' is not a number");
    expect_error("time,value\n2026-01-01,1\n", "", "all values have the same time");
    expect_error("time,value\n2026-01-01,1\n2026-01-01,2\n2026-01-02,3\n", "",
                 "1 of 3 rows repeat the time of another, such as 2026-01-01 00:00:00");
    expect_error("time,value\n2026-01-01,\"1\n", "", "line 2: a quoted field is never closed");
    expect_error("time,value\n2026-01-01T00:00:00Z,1\n2026-01-01T00:00:01Z,1\n"
                 "2026-01-01T00:00:02Z,1\n2027-01-01,1\n",
                 "",
                 "values 1 seconds apart are 31536001 intervals from the first to the last: "
                 "more than 4000000");
}

/* ---- judging ---- */

/* Hourly values, busy by day, with a burst in the ninth day; some hours are left out. */
static void write_hours(struct buf *out, int64_t step, size_t skip_from, size_t skip_to)
{
    buf_adds(out, "time,value\n");
    for (size_t i = 0; i < HOURS; i++) {
        double x = (i % 24 >= 8 && i % 24 < 20 ? 60 : 20) + (double)(i * 7 % 5);

        if (i >= skip_from && i < skip_to)
            continue;
        stamp_write((stamp){START + (int64_t)i * step}, out);
        buf_addf(out, ",%g\n", i >= 200 && i < 203 ? x + 300 : x);
    }
}

static bool judge(const struct buf *text, struct arena *arena, struct readings *r,
                  struct readings_found *found, struct error *err)
{
    const struct csv_options options = {.alloc = arena->alloc};
    const struct anomaly_options none = {.share = 0.2};
    struct csv *csv = csv_open_text(buf_text(text), &options, err);
    struct readings_pace pace;
    bool ok;

    if (csv == NULL)
        return false;
    ok = readings_read(csv, STR(""), arena, r, err) && readings_pace(r, arena, &pace, err) &&
         readings_judge(r, &pace, &none, arena, found, err);
    csv_close(csv);
    return ok;
}

static void hours_are_judged_as_telemetry(void **state)
{
    struct arena arena = test_arena();
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct readings_found found;
    struct readings r;
    struct error err = {0};

    (void)state;
    write_hours(&text, 3600, 0, 0);
    assert_true(judge(&text, &arena, &r, &found, &err));
    assert_int_equal(found.pace.method, READINGS_TELEMETRY);
    assert_int_equal(found.pace.slots, HOURS);
    assert_int_equal(found.pace.empty, 0);
    assert_false(found.pace.too_short);
    assert_int_equal(found.len, 1);
    assert_int_equal(found.at[0].first.s, START + 200 * 3600);
    assert_int_equal(found.at[0].seen.s, START + 200 * 3600);
    assert_true(found.at[0].value > 3 * found.at[0].expected);
    buf_free(&text);
    arena_free(&arena);
}

/* A gap of two days is not a time at zero: there is no event in it, and those after it are at
 * their own times. */
static void gaps_are_not_filled(void **state)
{
    struct arena arena = test_arena();
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct readings_found found;
    struct readings r;
    struct error err = {0};

    (void)state;
    write_hours(&text, 3600, 130, 178);
    assert_true(judge(&text, &arena, &r, &found, &err));
    assert_int_equal(found.pace.slots, HOURS);
    assert_int_equal(found.pace.empty, 48);
    assert_int_equal(found.len, 1);
    assert_int_equal(found.at[0].first.s, START + 200 * 3600);
    assert_int_equal(found.at[0].of.direction, ANOMALY_UP);
    buf_free(&text);
    arena_free(&arena);
}

static void days_are_judged_as_spending(void **state)
{
    struct arena arena = test_arena();
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct readings_found found;
    struct readings r;
    struct error err = {0};

    (void)state;
    buf_adds(&text, "date,cost\n");
    for (int i = 0; i < 90; i++) { /* some seconds early or late */
        stamp_write((stamp){START + 43200 + i * SECONDS_PER_DAY + i * 7 % 5}, &text);
        buf_addf(&text, ",%d\n", i == 60 || i == 61 ? 500 : 100 + i * 7 % 5);
    }
    assert_true(judge(&text, &arena, &r, &found, &err));
    assert_int_equal(found.pace.method, READINGS_DAILY);
    assert_int_equal(found.pace.slots, 90);
    assert_int_equal(found.pace.empty, 0);
    assert_int_equal(found.len, 1);
    assert_int_equal(found.at[0].first.s / SECONDS_PER_DAY, START / SECONDS_PER_DAY + 60);
    assert_int_equal(found.at[0].last.s / SECONDS_PER_DAY, START / SECONDS_PER_DAY + 61);
    assert_near(found.at[0].value, 500, 1e-9);
    assert_near(found.at[0].expected, 102, 3);
    buf_free(&text);
    arena_free(&arena);
}

/* Two values of one interval count with their mean; huge ones do not overflow. */
static void values_of_one_interval_are_averaged(void **state)
{
    struct arena arena = test_arena();
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct readings_found found;
    struct readings r;
    struct error err = {0};

    (void)state;
    write_hours(&text, 3600, 0, 0);
    stamp_write((stamp){START + 100 * 3600}, &text);
    buf_adds(&text, ",100000\n");
    assert_true(judge(&text, &arena, &r, &found, &err));
    assert_int_equal(r.repeated, 1);
    assert_int_equal(r.backward, 1);
    assert_int_equal(found.len, 1);
    assert_int_equal(found.at[0].first.s, START + 100 * 3600);
    assert_near(found.at[0].value, 50010, 20);
    buf_free(&text);
    arena_free(&arena);
}

static void memory_may_run_out(void **state)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    bool ok = false;

    (void)state;
    write_hours(&text, 3600, 10, 12);
    for (size_t allow = 0; !ok; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct readings_found found;
        struct readings r;
        struct error err = {0};

        ok = judge(&text, &arena, &r, &found, &err);
        if (!ok)
            assert_int_equal(err.kind, ERROR_MEMORY);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
        assert_true(allow < 100);
    }
    buf_free(&text);
}

int group_readings(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_found_by_name),
        cmocka_unit_test(rows_that_are_odd_are_counted),
        cmocka_unit_test(what_cannot_be_read_is_refused),
        cmocka_unit_test(hours_are_judged_as_telemetry),
        cmocka_unit_test(gaps_are_not_filled),
        cmocka_unit_test(days_are_judged_as_spending),
        cmocka_unit_test(values_of_one_interval_are_averaged),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
