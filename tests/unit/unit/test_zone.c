#include "test.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/fs.h"
#include "unit/zone.h"

static stamp at(const char *text)
{
    stamp out;

    assert_true(stamp_parse(str_from(text), &out));
    return out;
}

static day on(const char *text)
{
    day out;

    assert_true(day_parse(str_from(text), &out));
    return out;
}

/* A file with two changes and the rule for later, as a compiler of zones writes it. */
static size_t write_berlin(char *to)
{
    static const char footer[] = "\nCET-1CEST,M3.5.0,M10.5.0/3\n";
    static const unsigned char header[44] = {'T', 'Z',      'i',      'f',
                                             '2', [35] = 0, [39] = 1, [43] = 4};
    static const unsigned char block[] = {0, 0, 0x0e, 0x10, 0, 0, 'C', 'E', 'T', 0};
    static const unsigned char header2[44] = {'T', 'Z',      'i',      'f',
                                              '2', [35] = 2, [39] = 2, [43] = 9};
    /* 2026-03-29T01:00:00Z and 2026-10-25T01:00:00Z */
    static const unsigned char block2[] = {0,    0,    0,    0,    0x69, 0xc8, 0x79, 0x90, 0, 0,
                                           0,    0,    0x6a, 0xdd, 0x54, 0x90, 1,    0,    0, 0,
                                           0x0e, 0x10, 0,    0,    0,    0,    0x1c, 0x20, 1, 4,
                                           'C',  'E',  'T',  0,    'C',  'E',  'S',  'T',  0};
    char *end = to;

    memcpy(end, header, sizeof header);
    end += sizeof header;
    memcpy(end, block, sizeof block);
    end += sizeof block;
    memcpy(end, header2, sizeof header2);
    end += sizeof header2;
    memcpy(end, block2, sizeof block2);
    end += sizeof block2;
    memcpy(end, footer, sizeof footer - 1);
    return (size_t)(end - to) + sizeof footer - 1;
}

static void test_file(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct zone zone;
    char file[512];
    size_t len = write_berlin(file);

    (void)state;
    assert_true(zone_read((struct str){file, len}, &arena, &zone, &err));
    assert_int_equal(zone.count, 2);
    assert_int_equal(zone_offset(&zone, at("2026-01-01")), 3600);
    assert_int_equal(zone_offset(&zone, at("2026-03-29T00:59:59Z")), 3600);
    assert_int_equal(zone_offset(&zone, at("2026-03-29T01:00:00Z")), 7200);
    assert_int_equal(zone_offset(&zone, at("2026-10-25T01:00:00Z")), 3600);
    /* Past the list, by the rule. */
    assert_int_equal(zone_offset(&zone, at("2030-07-01")), 7200);
    assert_int_equal(zone_offset(&zone, at("2030-12-01")), 3600);
    arena_free(&arena);
}

static void test_broken_files(void **state)
{
    char file[512];
    size_t len = write_berlin(file);

    (void)state;
    for (size_t cut = 0; cut < len - 29;
         cut++) { /* without the rule it is still a valid zone */
        struct arena arena = test_arena();
        struct error err = {0};
        struct zone zone;

        assert_false(zone_read((struct str){file, cut}, &arena, &zone, &err));
        assert_int_equal(err.kind, ERROR_INPUT);
        arena_free(&arena);
    }
    for (size_t i = 0; i < len; i++) { /* whatever a byte becomes, it ends */
        struct arena arena = test_arena();
        struct error err = {0};
        struct zone zone;
        char kept = file[i];

        file[i] = (char)0xff;
        if (zone_read((struct str){file, len}, &arena, &zone, &err))
            (void)zone_offset(&zone, at("2030-07-01"));
        file[i] = kept;
        arena_free(&arena);
    }
}

static void test_rules(void **state)
{
    struct zone_rule r;

    (void)state;
    assert_true(zone_rule_parse(STR("CET-1CEST,M3.5.0,M10.5.0/3"), &r));
    assert_int_equal(zone_rule_offset(&r, at("2026-03-29T00:59:59Z")), 3600);
    assert_int_equal(zone_rule_offset(&r, at("2026-03-29T01:00:00Z")), 7200);
    assert_int_equal(zone_rule_offset(&r, at("2026-10-25T00:59:59Z")), 7200);
    assert_int_equal(zone_rule_offset(&r, at("2026-10-25T01:00:00Z")), 3600);
    assert_true(zone_rule_parse(STR("EST5EDT,M3.2.0,M11.1.0"), &r));
    assert_int_equal(zone_rule_offset(&r, at("2026-03-08T06:59:59Z")), -5 * 3600);
    assert_int_equal(zone_rule_offset(&r, at("2026-03-08T07:00:00Z")), -4 * 3600);
    assert_int_equal(zone_rule_offset(&r, at("2026-11-01T06:00:00Z")), -5 * 3600);
    /* South of the equator summer is around the new year. */
    assert_true(zone_rule_parse(STR("AEST-10AEDT,M10.1.0,M4.1.0/3"), &r));
    assert_int_equal(zone_rule_offset(&r, at("2026-01-15")), 11 * 3600);
    assert_int_equal(zone_rule_offset(&r, at("2026-07-15")), 10 * 3600);
    assert_int_equal(zone_rule_offset(&r, at("2026-12-31")), 11 * 3600);
    assert_true(zone_rule_parse(STR("<+0530>-5:30"), &r));
    assert_int_equal(zone_rule_offset(&r, at("2026-07-15")), 5 * 3600 + 1800);
    assert_true(zone_rule_parse(STR("IST-2IDT,M3.4.4/26,M10.5.0"), &r));
    assert_int_equal(zone_rule_offset(&r, at("2026-03-27T00:00:00Z")), 3 * 3600);
    assert_int_equal(zone_rule_offset(&r, at("2026-03-26T23:59:59Z")), 2 * 3600);
    assert_true(zone_rule_parse(STR("AAA24BBB23,J60/167,J300/-167"), &r));
    assert_true(zone_rule_parse(STR("AAA0BBB,J60,J300"), &r)); /* 1 March, also in leap years */
    assert_int_equal(zone_rule_offset(&r, at("2028-03-01T03:00:00Z")), 3600);
    assert_int_equal(zone_rule_offset(&r, at("2028-02-29T03:00:00Z")), 0);
    assert_true(zone_rule_parse(STR("AAA0BBB,59,300"), &r)); /* 29 February in leap years */
    assert_int_equal(zone_rule_offset(&r, at("2028-02-29T03:00:00Z")), 3600);
}

static void test_wrong_rules(void **state)
{
    static const char *const wrong[] = {"",
                                        "C",
                                        "CET",
                                        "CET-1CEST",
                                        "CET-200",
                                        "CET84CES6,M1.5.0,M9.5.0",
                                        "CET-1CES25,M1.5.0,M9.5.0",
                                        "<-03",
                                        "CET-1X2",
                                        "CET-1CEST,M13.1.0,M1",
                                        "CET-1CEST,M3.0.0,M10.5.0",
                                        "CET-1CEST,M3.5.0,M10.5.0x",
                                        "CET-1CEST,J0,J5"};
    struct zone_rule r;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        assert_false(zone_rule_parse(str_from(wrong[i]), &r));
}

static void test_clocks(void **state)
{
    struct zone zone = {.ruled = true}, utc = {0};

    (void)state;
    assert_true(zone_rule_parse(STR("CET-1CEST,M3.5.0,M10.5.0/3"), &zone.rule));
    assert_int_equal(zone_day(&zone, at("2026-10-31T23:00:00Z")).n, on("2026-11-01").n);
    assert_int_equal(zone_day(&zone, at("2026-10-31T22:59:59Z")).n, on("2026-10-31").n);
    assert_int_equal(zone_moment(&zone, on("2026-11-01"), 0).s, at("2026-10-31T23:00:00Z").s);
    assert_int_equal(zone_moment(&zone, on("2026-07-01"), 9 * 3600).s,
                     at("2026-07-01T07:00:00Z").s);
    /* Left out, and shown twice. */
    assert_int_equal(zone_moment(&zone, on("2026-03-29"), 9000).s,
                     at("2026-03-29T01:30:00Z").s);
    assert_int_equal(zone_moment(&zone, on("2026-10-25"), 9000).s,
                     at("2026-10-25T00:30:00Z").s);
    /* On the days of change themselves. */
    assert_int_equal(zone_moment(&zone, on("2026-03-29"), 43200).s,
                     at("2026-03-29T10:00:00Z").s);
    assert_int_equal(zone_moment(&zone, on("2026-10-25"), 43200).s,
                     at("2026-10-25T11:00:00Z").s);
    assert_int_equal(zone_moment(&utc, on("2026-11-01"), 5).s, at("2026-11-01T00:00:05Z").s);
}

static void test_names(void **state)
{
    static const char *const good[] = {"UTC", "Europe/Berlin", "Etc/GMT+3", "America/St_Johns"};
    static const char *const bad[] = {"", "/etc/passwd", "../x", "a.b", "a b", "Europe/", "12"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        assert_true(zone_name_ok(str_from(good[i])));
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_false(zone_name_ok(str_from(bad[i])));
}

/* libc knows the same files: every hour of many years, in odd zones. */
static void test_against_libc(void **state)
{
    static const char *const names[] = {
        "Europe/Berlin",     "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
        "America/Sao_Paulo", "Europe/Dublin",    "Asia/Gaza",    "Pacific/Apia"};

    (void)state;
    for (size_t n = 0; n < ARRAY_LEN(names); n++) {
        struct arena arena = test_arena();
        struct error err = {0};
        struct zone zone;
        struct str file;
        char path[128];

        (void)snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", names[n]);
        if (!fs_exists(path)) {
            arena_free(&arena);
            test_skip("%s is not there", path);
        }
        assert_true(fs_read(path, ZONE_FILE_MAX, &arena, &file, &err));
        assert_true(zone_read(file, &arena, &zone, &err));
        (void)setenv("TZ", names[n], 1);
        tzset();
        for (time_t t = 0; t < 2500000000; t += 86399) {
            struct tm there;

            assert_non_null(localtime_r(&t, &there));
            assert_int_equal(zone_offset(&zone, (stamp){t}), there.tm_gmtoff);
        }
        arena_free(&arena);
    }
}

static void test_calendar(void **state)
{
    int y, m, d;

    (void)state;
    assert_int_equal(day_make(2026, 13, 1).n, on("2027-01-01").n);
    assert_int_equal(day_make(2026, 0, 1).n, on("2025-12-01").n);
    assert_int_equal(day_make(2028, 2, 30).n, on("2028-03-01").n);
    day_split(on("2028-02-29"), &y, &m, &d);
    assert_int_equal(y * 10000 + m * 100 + d, 20280229);
}

int group_zone(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),         cmocka_unit_test(test_broken_files),
        cmocka_unit_test(test_rules),        cmocka_unit_test(test_wrong_rules),
        cmocka_unit_test(test_clocks),       cmocka_unit_test(test_names),
        cmocka_unit_test(test_against_libc), cmocka_unit_test(test_calendar),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
