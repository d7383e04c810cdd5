#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "unit/time.h"

#define MS INT64_C(1000000)
#define SECOND INT64_C(1000000000)
#define MINUTE (60 * SECOND)
#define DAY (24 * SPAN_HOUR)

/* --- lengths of time ---------------------------------------------------------------------- */

static void reads_lengths_of_time(void **state)
{
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {
        {"24h", 24 * SPAN_HOUR},
        {"90min", 90 * MINUTE},
        {"90m", 90 * MINUTE},
        {"1h30min", 90 * MINUTE},
        {"2.5h", 150 * MINUTE},
        {"20s", 20 * SECOND},
        {"20sec", 20 * SECOND},
        {"250ms", 250 * MS},
        {"3d", 3 * DAY},
        {"3day", 3 * DAY},
        {"3days", 3 * DAY},
        {"2weeks", 14 * DAY},
        {"1week", 7 * DAY},
        {"1hour30minutes", 90 * MINUTE},
        {"2hours", 2 * SPAN_HOUR},
        {"3hrs5mins", 3 * SPAN_HOUR + 5 * MINUTE},
        {"1minute1second", 61 * SECOND},
        {"90seconds", 90 * SECOND},
        {"1w", 7 * DAY},
        {"24hr", 24 * SPAN_HOUR},
        {" 24h ", 24 * SPAN_HOUR},
        {"0s", 0},
        {"0.001ms", 1000},
        {".5s", 500 * MS},
        {"50.5263h", INT64_C(181894680000000)},
        {"0.123456789s", 123456789},
        {"0.12345678999999s", 123456789},
        {"1d2h3min4s5ms", DAY + 2 * SPAN_HOUR + 3 * MINUTE + 4 * SECOND + 5 * MS},
        {"15250w", 15250 * 7 * DAY},
        {"9223372036.854s", INT64_C(9223372036854000000)},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        span s = {42};

        if (!span_parse(str_from(cases[i].text), &s, &err))
            fail_msg("'%s': %s", cases[i].text, err.text);
        if (s.ns != cases[i].ns)
            fail_msg("'%s' is %lld ns", cases[i].text, (long long)s.ns);
    }
}

static void refuses_what_is_no_length_of_time(void **state)
{
    static const char *const cases[] = {
        "",         " ",
        "h",        "1x",
        "1H",       "1 h",
        "1h 30min", "-1h",
        "+1h",      "1h-",
        "1hmin",    "1..5h",
        "1e3s",     "1y",
        "h1",       "1,5h",
        "soon",     "1h30",
        ".h",       "\t",
        "1us",      "99999999999999999999s",
    };
    char expected[200];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        span s = {42};

        if (span_parse(str_from(cases[i]), &s, &err))
            fail_msg("'%s' parses", cases[i]);
        (void)snprintf(expected, sizeof expected, "'%s' is not a length of time", cases[i]);
        assert_int_equal(err.kind, ERROR_INPUT);
        assert_string_equal(err.text, expected);
        assert_string_equal(err.hint, "write it as 24h, 90min, 1h30min, 20s or 3d");
        assert_int_equal(s.ns, 42);
    }
    assert_false(span_parse(STR("1\0h"), &(span){0}, &(struct error){0}));
}

static void asks_for_the_unit_of_a_bare_number(void **state)
{
    struct error err = {0};
    span s;

    (void)state;
    assert_false(span_parse(STR("24"), &s, &err));
    assert_string_equal(err.text, "'24' is not a length of time");
    assert_string_equal(err.hint, "give the unit: 24d, 24h, 24min or 24s");
    assert_false(span_parse(STR(" 1.5 "), &s, &err));
    assert_string_equal(err.hint, "give the unit: 1.5d, 1.5h, 1.5min or 1.5s");
    assert_false(span_parse(STR("-24"), &s, &err)); /* a unit would not help */
    assert_string_equal(err.hint, "write it as 24h, 90min, 1h30min, 20s or 3d");
}

static void refuses_times_that_are_too_long(void **state)
{
    static const char *const cases[] = {"15251w", "9223372036855s", "15250w15250w",
                                        "9223372036854775w"};
    char expected[200];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        span s;

        assert_false(span_parse(str_from(cases[i]), &s, &err));
        (void)snprintf(expected, sizeof expected, "'%s' is too long a time", cases[i]);
        assert_int_equal(err.kind, ERROR_INPUT);
        assert_string_equal(err.text, expected);
    }
}

static void refuses_endless_text(void **state)
{
    struct buf text = buf_new(&alloc_system, 10000);
    struct error err = {0};
    span s;

    (void)state;
    for (int i = 0; i < 1000; i++)
        buf_adds(&text, "1s");
    assert_false(span_parse(buf_text(&text), &s, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_int_equal(strlen(err.text), 82 + strlen(" is not a length of time"));
    buf_free(&text);
}

static void converts_hours(void **state)
{
    (void)state;
    assert_int_equal(span_hours(1.5).ns, 90 * MINUTE);
    assert_int_equal(span_hours(-2).ns, -2 * SPAN_HOUR);
    assert_int_equal(span_hours(0).ns, 0);
    assert_int_equal(span_hours(1e10).ns, INT64_MAX);
    assert_int_equal(span_hours(INFINITY).ns, INT64_MAX);
    assert_int_equal(span_hours(NAN).ns, INT64_MAX);
    assert_int_equal(span_hours(-1e10).ns, -INT64_MAX); /* as far, the other way */
    assert_int_equal(span_hours(-INFINITY).ns, -INT64_MAX);
    assert_true(span_in_hours((span){90 * MINUTE}) == 1.5);
    assert_true(span_in_hours((span){-SPAN_HOUR}) == -1);
    assert_true(span_in_hours(span_hours(72)) == 72);
}

static void check_span(int64_t ns, const char *expected)
{
    struct buf out = buf_new(&alloc_system, 100);

    span_write((span){ns}, &out);
    assert_str_equal(buf_text(&out), expected);
    buf_free(&out);
}

static void writes_what_matters_of_a_time(void **state)
{
    (void)state;
    check_span(0, "0s");
    check_span(999999, "0s");
    check_span(MS, "1ms");
    check_span(250 * MS, "250ms");
    check_span(SECOND, "1s");
    check_span(45 * SECOND, "45s");
    check_span(1500 * MS, "1s");
    check_span(MINUTE, "1min");
    check_span(61 * SECOND, "1min1s");
    check_span(90 * MINUTE, "1h30min");
    check_span(SPAN_HOUR + SECOND, "1h"); /* seconds do not matter any more */
    check_span(72 * SPAN_HOUR, "72h");
    check_span(167 * SPAN_HOUR, "167h");
    check_span(7 * DAY, "7d"); /* full days, from a week on */
    check_span(30 * DAY, "30d");
    check_span(30 * DAY + SPAN_HOUR, "721h");
    check_span(7 * DAY + MINUTE, "168h1min");
    check_span(INT64_MAX, "2562047h47min");
}

static void writes_negative_times_with_a_sign(void **state)
{
    (void)state;
    check_span(-90 * MINUTE, "-1h30min");
    check_span(-MS, "-1ms");
    check_span(-8 * DAY, "-8d");
    check_span(-INT64_MAX, "-2562047h47min");
    check_span(INT64_MIN, "-2562047h47min");
}

static void times_written_without_loss_read_back_the_same(void **state)
{
    uint64_t random = 29;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        static const struct {
            int64_t step, below;
        } exact[] = {{MS, SECOND}, {SECOND, SPAN_HOUR}, {MINUTE, INT64_MAX}};
        struct buf out = buf_new(&alloc_system, 100);
        struct error err = {0};
        span s, back = {0};

        random = random * 6364136223846793005 + 1442695040888963407;
        s.ns = (int64_t)(random >> 1) % exact[round % 3].below;
        s.ns -= s.ns % exact[round % 3].step;
        span_write(s, &out);
        assert_true(span_parse(buf_text(&out), &back, &err));
        assert_int_equal(back.ns, s.ns);
        buf_free(&out);
    }
}

/* --- days --------------------------------------------------------------------------------- */

static void reads_days(void **state)
{
    static const struct {
        const char *text;
        int32_t n;
    } cases[] = {
        {"1970-01-01", 0},     {"1970-12-31", 364},     {"1972-02-29", 789},
        {"2000-02-29", 11016}, {"2000-03-01", 11017},   {"2024-02-29", 19782},
        {"2026-08-22", 20687}, {"2026-11-15", 20772},   {"2100-02-28", 47540},
        {"2100-03-01", 47541}, {"9999-12-31", 2932896},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = buf_new(&alloc_system, 100);
        day d = {42};

        if (!day_parse(str_from(cases[i].text), &d) || d.n != cases[i].n)
            fail_msg("'%s' is day %d", cases[i].text, d.n);
        day_write(d, &out);
        assert_str_equal(buf_text(&out), cases[i].text);
        buf_free(&out);
    }
}

static void refuses_days_that_never_come(void **state)
{
    static const char *const cases[] = {
        "2026-02-29",  "2024-02-30", "2026-02-30",  "2100-02-29", "2026-04-31",   "2026-06-31",
        "2026-09-31",  "2026-11-31", "2026-01-32",  "2026-01-00", "2026-00-01",   "2026-13-01",
        "2026-01-99",  "1969-12-31", "0000-01-01",  "",           "2026",         "2026-08",
        "2026-8-22",   "2026-08-2",  "2026/08/22",  "20260822",   "2026-08-22 ",  " 2026-08-22",
        "2026-08-22T", "26-08-22",   "2026-08-2x",  "+026-08-22", "-026-08-22",   "2026--8-22",
        "2026-08--2",  "2026-+8-22", "2026-08-.2",  "2026-08-2.", "2026-08-22\n", "today",
        "02026-08-22", "2026-1e-01", "2026-08-022",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        day d;

        if (day_parse(str_from(cases[i]), &d))
            fail_msg("'%s' is day %d", cases[i], d.n);
    }
}

static void every_day_reads_back_the_same(void **state)
{
    (void)state;
    for (int32_t n = 0; n <= 2932896; n += n < 150000 ? 1 : 97) {
        struct buf out = buf_new(&alloc_system, 100);
        day back = {-1};

        day_write((day){n}, &out);
        assert_int_equal(buf_text(&out).len, 10);
        assert_true(day_parse(buf_text(&out), &back));
        assert_int_equal(back.n, n);
        buf_free(&out);
    }
}

static void days_agree_with_the_calendar_of_the_system(void **state)
{
    (void)state;
    for (int32_t n = -100000; n < 200000; n += 11) {
        time_t seconds = (time_t)n * SECONDS_PER_DAY;
        struct buf out = buf_new(&alloc_system, 100);
        char expected[64];
        struct tm utc;

        assert_non_null(gmtime_r(&seconds, &utc));
        (void)snprintf(expected, sizeof expected, "%04d-%02d-%02d", utc.tm_year + 1900,
                       utc.tm_mon + 1, utc.tm_mday);
        day_write((day){n}, &out);
        assert_str_equal(buf_text(&out), expected);
        buf_free(&out);
    }
}

static void an_unknown_day_is_a_question_mark(void **state)
{
    struct buf out = buf_new(&alloc_system, 100);

    (void)state;
    day_write(DAY_UNKNOWN, &out);
    assert_str_equal(buf_text(&out), "?");
    buf_free(&out);
}

/* --- stamps ------------------------------------------------------------------------------- */

static void reads_stamps(void **state)
{
    static const struct {
        const char *text;
        int64_t s;
        const char *written;
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"},
        {"2026-11-15T10:00:00Z", 1794736800, "2026-11-15T10:00:00Z"},
        {"2026-11-15", 1794700800, "2026-11-15T00:00:00Z"},
        {"2024-02-29T23:59:59Z", 1709251199, "2024-02-29T23:59:59Z"},
        {"9999-12-31T23:59:59Z", 253402300799, "9999-12-31T23:59:59Z"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = buf_new(&alloc_system, 100);
        stamp at = {42};

        assert_true(stamp_parse(str_from(cases[i].text), &at));
        assert_int_equal(at.s, cases[i].s);
        stamp_write(at, &out);
        assert_str_equal(buf_text(&out), cases[i].written);
        buf_free(&out);
    }
}

static void refuses_other_ways_to_write_a_stamp(void **state)
{
    static const char *const cases[] = {
        "",
        "2026-11-15T",
        "2026-11-15T10",
        "2026-11-15T10:00",
        "2026-11-15T10:00:00",
        "2026-11-15T10:00Z",
        "2026-11-15T10:00:00z",
        "2026-11-15t10:00:00Z",
        "2026-11-15 10:00:00Z",
        "2026-11-15T10:00:00ZZ",
        "2026-11-15T10:00:00+00:00",
        "2026-11-15T10:00:00.000Z",
        "2026-11-15T24:00:00Z",
        "2026-11-15T10:60:00Z",
        "2026-11-15T10:00:60Z",
        "2026-11-15T-1:00:00Z",
        "2026-11-15T-0:00:00Z",
        "2026-11-15T00:-0:00Z",
        "2026-11-15T00:00:-0Z",
        "2026-11-15T1:00:00Z",
        "2026-02-30T10:00:00Z",
        "1969-12-31T23:59:59Z",
        "1794736800",
        " 2026-11-15",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        stamp at = {42};

        if (stamp_parse(str_from(cases[i]), &at))
            fail_msg("'%s' is %lld", cases[i], (long long)at.s);
    }
}

static void reads_stamps_with_fractions_and_offsets(void **state)
{
    static const struct {
        const char *text;
        int64_t s;
    } cases[] = {
        {"2026-11-15T10:00:00Z", 1794736800},
        {"2026-11-15T10:00:00+00:00", 1794736800},
        {"2026-11-15T10:00:00-00:00", 1794736800},
        {"2026-11-15T10:00:00.000Z", 1794736800},
        {"2026-11-15T10:00:00.999999999Z", 1794736800},
        {"2026-11-15T10:00:00.5+00:00", 1794736800},
        {"2026-11-15T11:00:00+01:00", 1794736800},
        {"2026-11-15T04:30:00-05:30", 1794736800},
        {"2026-11-16T00:00:00.25+14:00", 1794736800},
        {"1970-01-01T05:00:00+05:00", 0},
        {"1970-01-01T00:00:00-01:00", 3600},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        stamp at = {42};

        assert_true(stamp_parse_offset(str_from(cases[i].text), &at));
        assert_int_equal(at.s, cases[i].s);
    }
}

static void refuses_other_ways_to_write_an_offset(void **state)
{
    static const char *const cases[] = {
        "",
        "2026-11-15",
        "2026-11-15T10:00:00",
        "2026-11-15T10:00:00.Z",
        "2026-11-15T10:00:00.000",
        "2026-11-15T10:00:00,000Z",
        "2026-11-15T10:00:00.0-0Z",
        "2026-11-15T10:00:00z",
        "2026-11-15T10:00:00ZZ",
        "2026-11-15T10:00:00Z+00:00",
        "2026-11-15T10:00:00+0000",
        "2026-11-15T10:00:00+00",
        "2026-11-15T10:00:00+00:0",
        "2026-11-15T10:00:00+00:00Z",
        "2026-11-15T10:00:00++0:00",
        "2026-11-15T10:00:00--0:00",
        "2026-11-15T10:00:00+24:00",
        "2026-11-15T10:00:00+01:60",
        "2026-11-15T10:00:00 +01:00",
        "2026-11-15 10:00:00+01:00",
        "2026-11-31T10:00:00Z",
        "1970-01-01T00:59:59+01:00",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        stamp at = {42};

        if (stamp_parse_offset(str_from(cases[i]), &at))
            fail_msg("'%s' is %lld", cases[i], (long long)at.s);
        assert_int_equal(at.s, 42);
    }
}

static void moments_are_typed_in_many_ways(void **state)
{
    static const struct {
        const char *text;
        int64_t s; /* -1: refused */
    } cases[] = {
        {"1970-01-02", 86400},
        {"1970-01-02 01:00", 90000},
        {"1970-01-02T01:00", 90000},
        {"1970-01-02 01:00:05", 90005},
        {"1970-01-02T01:00:05Z", 90005},
        {"1970-01-02 01:00:05.5+01:00", 86405},
        {"1970-01-02 1:00", -1},
        {"1970-01-02 01:60", -1},
        {"1970-01-02 24:00", -1},
        {"1970-01-02_01:00", -1},
        {"1970-01-02 01:00 and so on until it is too long", -1},
        {"", -1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        stamp at = {-1};

        assert_int_equal(stamp_parse_typed(str_from(cases[i].text), &at), cases[i].s >= 0);
        assert_int_equal(at.s, cases[i].s);
    }
}

static void stamps_agree_with_the_calendar_of_the_system(void **state)
{
    uint64_t random = 31;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct buf out = buf_new(&alloc_system, 100);
        char expected[64];
        struct tm utc;
        time_t seconds;

        random = random * 6364136223846793005 + 1442695040888963407;
        seconds = (time_t)(random >> 16) % 253402300800 - 5000000000; /* some before 1970 */
        assert_non_null(gmtime_r(&seconds, &utc));
        (void)snprintf(expected, sizeof expected, "%04d-%02d-%02dT%02d:%02d:%02dZ",
                       utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min,
                       utc.tm_sec);
        stamp_write((stamp){seconds}, &out);
        assert_str_equal(buf_text(&out), expected);
        buf_free(&out);
    }
}

static void knows_the_day_of_a_stamp(void **state)
{
    (void)state;
    assert_int_equal(day_of((stamp){0}).n, 0);
    assert_int_equal(day_of((stamp){86399}).n, 0);
    assert_int_equal(day_of((stamp){86400}).n, 1);
    assert_int_equal(day_of((stamp){1794736800}).n, 20772);
    assert_int_equal(day_of((stamp){-1}).n, -1);
    assert_int_equal(day_of((stamp){-86400}).n, -1);
    assert_int_equal(day_of((stamp){-86401}).n, -2);
}

static void knows_when_a_month_began(void **state)
{
    static const struct {
        int64_t at, began;
    } known[] = {{0, 0},
                 {1794736800, 1793491200}, /* 2026-11-15T10:00, 2026-11-01 */
                 {1793491200, 1793491200},
                 {1793491199, 1790812800}, /* the last second of October */
                 {1709208000, 1706745600}, /* 2024-02-29T12:00 */
                 {-1, -2678400}};          /* December 1969 */

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        assert_int_equal(stamp_month((stamp){known[i].at}).s, known[i].began);
    assert_int_equal(stamp_next_month((stamp){1790812800}).s, 1793491200);
    assert_int_equal(stamp_next_month((stamp){1793491199}).s, 1793491200);
    assert_int_equal(stamp_next_month((stamp){-1}).s, 0);
}

/* One day after the other through 400 years, counted by hand. */
static void periods_start_where_the_calendar_says(void **state)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    day d = day_make(1899, 12, 31), week = {d.n - 6}, quarter, year;

    (void)state;
    for (int y = 1900; y < 2300; y++) {
        bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

        quarter = year = (day){d.n + 1};
        for (int m = 0; m < 12; m++) {
            day month = {d.n + 1};
            int length = lengths[m] + (m == 1 && leap);

            quarter = m % 3 == 0 ? month : quarter;
            for (int date = 1; date <= length; date++) {
                d.n++;
                week.n += d.n == week.n + 7 ? 7 : 0;
                assert_int_equal(day_week_start(d).n, week.n);
                assert_int_equal(day_month_start(d).n, month.n);
                assert_int_equal(day_quarter_start(d).n, quarter.n);
                assert_int_equal(day_year_start(d).n, year.n);
                assert_int_equal(day_month_length(d), length);
                assert_int_equal(day_month_add(d, 1).n, month.n + length);
            }
        }
    }
    assert_int_equal(day_month_add(day_make(2026, 11, 15), -11).n, day_make(2025, 12, 1).n);
    assert_int_equal(day_month_add(day_make(2026, 11, 30), 27).n, day_make(2029, 2, 1).n);
}

static void writing_survives_a_failing_allocation(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        struct failing_alloc failing = {.allow = 0};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct buf out = buf_new(&alloc, 100);
        struct error err = {0};

        if (way == 0)
            span_write((span){-SPAN_HOUR}, &out);
        else if (way == 1)
            day_write((day){1}, &out);
        else
            stamp_write((stamp){1}, &out);
        assert_false(buf_ok(&out, &err));
        assert_int_equal(err.kind, ERROR_MEMORY);
        buf_free(&out);
    }
}

static void seconds_are_none_when_unknown(void **state)
{
    (void)state;
    assert_near(span_in_seconds(span_hours(1.5)), 5400, 0);
    assert_near(span_in_seconds(SPAN_UNKNOWN), 0, 0);
}

int group_time(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seconds_are_none_when_unknown),
        cmocka_unit_test(reads_lengths_of_time),
        cmocka_unit_test(refuses_what_is_no_length_of_time),
        cmocka_unit_test(asks_for_the_unit_of_a_bare_number),
        cmocka_unit_test(refuses_times_that_are_too_long),
        cmocka_unit_test(refuses_endless_text),
        cmocka_unit_test(converts_hours),
        cmocka_unit_test(writes_what_matters_of_a_time),
        cmocka_unit_test(writes_negative_times_with_a_sign),
        cmocka_unit_test(times_written_without_loss_read_back_the_same),
        cmocka_unit_test(reads_days),
        cmocka_unit_test(refuses_days_that_never_come),
        cmocka_unit_test(every_day_reads_back_the_same),
        cmocka_unit_test(days_agree_with_the_calendar_of_the_system),
        cmocka_unit_test(an_unknown_day_is_a_question_mark),
        cmocka_unit_test(reads_stamps),
        cmocka_unit_test(refuses_other_ways_to_write_a_stamp),
        cmocka_unit_test(reads_stamps_with_fractions_and_offsets),
        cmocka_unit_test(refuses_other_ways_to_write_an_offset),
        cmocka_unit_test(moments_are_typed_in_many_ways),
        cmocka_unit_test(stamps_agree_with_the_calendar_of_the_system),
        cmocka_unit_test(knows_the_day_of_a_stamp),
        cmocka_unit_test(knows_when_a_month_began),
        cmocka_unit_test(periods_start_where_the_calendar_says),
        cmocka_unit_test(writing_survives_a_failing_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
