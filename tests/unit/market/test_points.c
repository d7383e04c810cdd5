#include "test.h"

#include <string.h>

#include "market/store_pack.h"

#define BILLION INT64_C(1000000000)
#define DAY_S INT64_C(86400)
#define MANY 2000

static uint64_t chance_state;

static uint32_t chance(uint32_t below)
{
    chance_state = chance_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(chance_state >> 33) % below;
}

static void check_round_trip(const struct point *at, size_t len, size_t longest)
{
    struct buf out = buf_new(&alloc_system, 1 << 20);
    struct point *back = calloc(len, sizeof *back);

    assert_non_null(back);
    points_pack(at, len, &out);
    assert_true(out.failed == ERROR_NONE && out.len <= longest);
    assert_true(points_unpack(buf_text(&out), len, NULL));
    assert_true(points_unpack(buf_text(&out), len, back));
    for (size_t i = 0; i < len; i++) {
        assert_int_equal(back[i].at.s, at[i].at.s);
        assert_int_equal(back[i].value, at[i].value);
    }
    /* Another number of points, or fewer bytes, are refused. */
    assert_false(points_unpack(buf_text(&out), len + 1, NULL));
    assert_false(points_unpack(buf_text(&out), len - 1, NULL));
    for (size_t cut = 0; cut < out.len && cut < 64; cut++)
        assert_false(points_unpack((struct str){out.at, cut}, len, NULL));
    free(back);
    buf_free(&out);
}

static void the_largest_and_the_smallest(void **state)
{
    const struct point points[] = {{{0}, PRICE_HIGHEST},
                                   {{1}, 0},
                                   {{2}, SERIES_NONE},
                                   {{STAMP_LATEST - 1}, PRICE_HIGHEST},
                                   {{STAMP_LATEST}, PRICE_HIGHEST - 1}};

    (void)state;
    for (size_t from = 0; from < ARRAY_LEN(points); from++)
        for (size_t to = from + 1; to <= ARRAY_LEN(points); to++)
            check_round_trip(points + from, to - from, 100);
}

static void a_price_comes_back_after_a_gap(void **state)
{
    const struct point points[] = {{{100}, 5}, {{200}, SERIES_NONE}, {{300}, 5}, {{400}, 6}};

    (void)state;
    check_round_trip(points, ARRAY_LEN(points), 20);
}

static void daily_prices_take_few_bytes(void **state)
{
    static struct point points[MANY];
    int64_t value = 32774; /* of 0.0001 */

    (void)state;
    chance_state = 1;
    for (size_t i = 0; i < MANY; i++) {
        value += 1 + chance(600);
        value -= chance(2) == 0 ? 0 : 301;
        points[i] = (struct point){{7 * 3600 + (int64_t)i * DAY_S}, value * 100000};
    }
    check_round_trip(points, MANY, 4 * MANY);
}

static void any_points_come_back(void **state)
{
    static struct point points[300];
    static const int64_t units[] = {1, 7, 60, 3600, DAY_S};

    (void)state;
    chance_state = 2;
    for (int round = 0; round < 2000; round++) {
        size_t len = 1 + chance(round % 10 == 0 ? 300 : 10);
        int64_t at = chance(1000), unit = units[chance(ARRAY_LEN(units))], scale = 1;

        for (uint32_t i = chance(13); i > 0; i--)
            scale *= 10;
        for (size_t i = 0; i < len; i++) {
            int64_t value = chance(8) == 0 ? SERIES_NONE : (int64_t)chance(1000000) * scale;

            if (i > 0 && value == points[i - 1].value)
                value = value == SERIES_NONE ? 3 : SERIES_NONE;
            points[i] = (struct point){{at}, value};
            at += unit * (1 + chance(1 + chance(5000)));
        }
        check_round_trip(points, len, 1 + 20 * len);
    }
}

/* Any bytes: points in order and in bounds, or a refusal. */
static void junk_is_refused_or_sane(void **state)
{
    struct point points[40];
    char junk[60];
    unsigned taken = 0;

    (void)state;
    chance_state = 3;
    for (int round = 0; round < 200000; round++) {
        size_t len = 1 + chance(sizeof junk), count = 1 + chance((uint32_t)len / 2 + 1);

        for (size_t i = 0; i < len; i++)
            junk[i] = (char)chance(i == 0 || chance(4) > 0 ? 4 : 256);
        if (count > ARRAY_LEN(points) || !points_unpack((struct str){junk, len}, count, points))
            continue;
        taken++;
        for (size_t i = 0; i < count; i++) {
            assert_true(points[i].at.s >= 0 && points[i].at.s <= STAMP_LATEST);
            assert_true(i == 0 || points[i].at.s > points[i - 1].at.s);
            assert_true(points[i].value == SERIES_NONE ||
                        (points[i].value >= 0 && points[i].value <= PRICE_HIGHEST));
        }
    }
    assert_true(taken > 100);
}

static void overflows_are_refused(void **state)
{
    static const char *const bad[] = {
        "\x03\x01\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x01", /* a time past all */
        "\x93\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x01\x01", /* a value past all */
        "\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01", /* a number too long
                                                                             * */
        "\x04\x01\x01\x01\x01",                                             /* no such unit */
        "\xa0\x01\x01\x01\x01",
        "\x01\x01\x02\x01\x01", /* below zero */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        for (size_t count = 1; count < 3; count++)
            assert_false(points_unpack(str_from(bad[i]), count, NULL));
    assert_false(points_unpack(STR("\0\5\2\0\2"), 2, NULL)); /* two at one moment */
    assert_true(points_unpack(STR("\0\5\3\1\3"), 2, NULL));
}

static void room_grows_or_fails(void **state)
{
    struct failing_alloc memory = {.allow = 1};
    const struct alloc alloc = {failing_get, failing_put, &memory};
    struct points_room room = {.alloc = &alloc};
    struct error err = {0};

    (void)state;
    assert_true(points_room_for(&room, 10, &err));
    room.at[0] = (struct point){{7}, 8};
    room.len = 1;
    assert_false(points_room_for(&room, 100000, &err));
    assert_int_equal(err.kind, ERROR_MEMORY);
    memory.allow = 1;
    assert_true(points_room_for(&room, 100000, &err));
    assert_int_equal(room.at[0].at.s, 7);
    assert_true(room.capacity >= 100001);
    points_room_free(&room);
    assert_int_equal(memory.held, 0);
}

int group_points(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_and_the_smallest),
        cmocka_unit_test(a_price_comes_back_after_a_gap),
        cmocka_unit_test(daily_prices_take_few_bytes),
        cmocka_unit_test(any_points_come_back),
        cmocka_unit_test(junk_is_refused_or_sane),
        cmocka_unit_test(overflows_are_refused),
        cmocka_unit_test(room_grows_or_fails),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
