#include "test.h"

#include "spot/past.h"

/* A tree: each entry comes after the one with half its number. */
enum { ENTRIES = 200000 };

static void grow(struct past *past, struct arena *arena)
{
    struct error err = {0};

    for (uint32_t i = 0; i < ENTRIES; i++) {
        uint32_t at;

        assert_true(past_add(past, i / 2, (uint8_t)(i % 251), arena, &at, &err));
        assert_int_equal(at, i);
    }
}

/* The states from an entry back to where all begin. */
static size_t walk(const struct past *past, uint32_t at, uint8_t *states)
{
    size_t n = 0;

    while (at != 0)
        states[n++] = past_back(past, &at);
    return n;
}

static void ways_stay_the_same_when_others_are_dropped(void **state)
{
    static const uint32_t kept[] = {ENTRIES - 1, 131071, 65536, 77777, 3, 0};
    struct arena arena = test_arena();
    struct past *past = arena_array(&arena, struct past, 1, &(struct error){0});
    struct error err = {0};
    uint8_t before[64], after[64];
    struct past copy;

    (void)state;
    grow(past, &arena);
    assert_true(past_begin(past, &arena, &err));
    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        past_keep(past, kept[i]);
    copy = (struct past){0};
    grow(&copy, &arena);
    past_drop(past);
    assert_true(past->len > 18 && past->len < 80);
    for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
        uint32_t moved = past_moved(past, kept[i]);
        size_t n = walk(&copy, kept[i], before);

        assert_true(moved < past->len);
        assert_int_equal(walk(past, moved, after), n);
        assert_memory_equal(before, after, n);
    }
    arena_free(&arena);
}

static void it_is_full_in_the_end(void **state)
{
    struct arena arena = test_arena();
    struct past *past = arena_array(&arena, struct past, 1, &(struct error){0});
    struct error err = {0};
    uint32_t at;

    (void)state;
    assert_false(past_is_long(past));
    for (size_t i = 0; i < (size_t)PAST_BLOCK * PAST_BLOCKS; i++)
        if (!past_add(past, 0, 1, &arena, &at, &err))
            fail();
    assert_true(past_is_long(past));
    assert_false(past_add(past, 0, 1, &arena, &at, &err));
    assert_int_equal(err.kind, ERROR_NONE);
    assert_true(past_begin(past, &arena, &err));
    past_keep(past, at);
    past_drop(past);
    assert_int_equal(past->len, 2);
    assert_int_equal(past_moved(past, at), 1);
    assert_true(past_add(past, 1, 2, &arena, &at, &err));
    arena_free(&arena);
}

int group_past(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_stay_the_same_when_others_are_dropped),
        cmocka_unit_test(it_is_full_in_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
