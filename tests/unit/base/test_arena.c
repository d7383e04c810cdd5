#include "test.h"

#include <string.h>

static void gives_zeroed_memory(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = 256};
    struct error err = {0};

    (void)state;
    for (int round = 0; round < 40; round++) {
        unsigned char *bytes = arena_array(&arena, unsigned char, 33, &err);

        assert_non_null(bytes);
        for (size_t i = 0; i < 33; i++)
            assert_int_equal(bytes[i], 0);
        memset(bytes, 0xff, 33); /* the next one must not see these */
    }
    assert_int_equal(err.kind, ERROR_NONE);
    arena_free(&arena);
}

static void keeps_what_was_written(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = 64};
    struct error err;
    unsigned *numbers[100];

    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        numbers[i] = arena_array(&arena, unsigned, 3, &err);
        assert_non_null(numbers[i]);
        for (unsigned j = 0; j < 3; j++)
            numbers[i][j] = i * 3 + j;
    }
    for (unsigned i = 0; i < 300; i++)
        assert_int_equal(numbers[i / 3][i % 3], i);
    arena_free(&arena);
}

static void aligns_every_object(void **state)
{
    static const size_t aligns[] = {1, 2, 4, 8, 16, 1, 8, 2, 16, 16, 4};
    struct arena arenas[] = {{.alloc = &alloc_system, .block_size = 1024},
                             {.alloc = &alloc_system}};
    struct error err;

    (void)state;
    for (size_t a = 0; a < ARRAY_LEN(arenas); a++) {
        for (size_t i = 0; i < 20 * ARRAY_LEN(aligns); i++) {
            size_t align = aligns[i % ARRAY_LEN(aligns)];
            void *at = arena_get(&arenas[a], 1, align + i % 3, align, &err);

            assert_non_null(at);
            assert_int_equal((uintptr_t)at % align, 0);
        }
        arena_free(&arenas[a]);
    }
}

static void fills_a_block_before_allocating_another(void **state)
{
    struct failing_alloc failing = {.allow = 2};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct arena arena = {.alloc = &alloc, .block_size = 128};
    struct error err = {0};

    (void)state;
    for (int i = 0; i < 16; i++)
        assert_non_null(arena_get(&arena, 1, 8, 8, &err));
    assert_int_equal(failing.held, 1);
    assert_non_null(arena_get(&arena, 1, 1, 1, &err));
    assert_int_equal(failing.held, 2);
    arena_free(&arena);
    assert_int_equal(failing.held, 0);
}

static void gives_objects_larger_than_a_block(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = 16};
    struct error err;
    char *large = arena_array(&arena, char, 100000, &err);

    (void)state;
    assert_non_null(large);
    memset(large, 'x', 100000);
    assert_non_null(arena_array(&arena, char, 16, &err));
    arena_free(&arena);
}

static void without_a_block_size_each_object_is_its_own_block(void **state)
{
    struct failing_alloc failing = {.allow = 100};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct arena arena = {.alloc = &alloc};
    struct error err;

    (void)state;
    for (size_t i = 1; i <= 10; i++) {
        assert_non_null(arena_array(&arena, char, i, &err));
        assert_int_equal(failing.held, i);
    }
    arena_free(&arena);
    assert_int_equal(failing.held, 0);
}

static void nothing_is_an_object_too(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};

    (void)state;
    assert_non_null(arena_get(&arena, 0, 8, 8, &err));
    assert_non_null(arena_get(&arena, 8, 0, 8, &err));
    assert_int_equal(err.kind, ERROR_NONE);
    arena_free(&arena);
}

static void refuses_sizes_that_overflow(void **state)
{
    static const struct {
        size_t count, size;
    } cases[] = {
        {SIZE_MAX, 2}, {SIZE_MAX / 2 + 1, 2}, {2, SIZE_MAX}, {SIZE_MAX, SIZE_MAX},
        {SIZE_MAX, 1}, {SIZE_MAX - 8, 1},     {1, SIZE_MAX},
    };
    struct failing_alloc failing = {.allow = 100};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct arena arena = {.alloc = &alloc, .block_size = 64};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};

        assert_null(arena_get(&arena, cases[i].count, cases[i].size, 1, &err));
        assert_int_equal(err.kind, ERROR_MEMORY);
        assert_string_equal(err.text, "out of memory");
    }
    assert_int_equal(failing.held, 0);
}

static void survives_every_failing_allocation(void **state)
{
    (void)state;
    for (size_t allow = 0; allow <= 5; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct error err = {0};
        size_t got = 0;

        while (got < 5 && arena_array(&arena, int, 10, &err) != NULL)
            got++;
        assert_int_equal(got, allow < 5 ? allow : 5);
        assert_int_equal(err.kind, allow < 5 ? ERROR_MEMORY : ERROR_NONE);
        assert_int_equal(failing.held, got);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

static void can_be_used_again_after_it_was_freed(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct error err;
    int *number;

    (void)state;
    arena_free(&arena); /* of nothing */
    assert_non_null(arena_array(&arena, int, 5, &err));
    arena_free(&arena);
    arena_free(&arena);
    number = arena_array(&arena, int, 1, &err);
    assert_non_null(number);
    assert_int_equal(*number, 0);
    arena_free(&arena);
}

static void a_list_grows_and_keeps_its_elements(void **state)
{
    struct arena arena = {.alloc = &alloc_system}; /* a block each: ASan sees every overrun */
    struct error err;
    size_t room = 0;
    int *list = NULL;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        int *before = list;
        size_t had = room;

        list = arena_grow(&arena, list, (size_t)i, sizeof *list, &room, &err);
        assert_non_null(list);
        assert_true((size_t)i < room);
        if ((size_t)i < had)
            assert_ptr_equal(list, before);
        list[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(list[i], i);
    arena_free(&arena);
}

static void a_list_that_cannot_grow_keeps_its_room(void **state)
{
    struct failing_alloc failing = {.allow = 1};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct arena arena = {.alloc = &alloc};
    struct error err = {0};
    size_t room = 0, huge = SIZE_MAX / 2 + 1;
    char *list = arena_grow(&arena, NULL, 0, 1, &room, &err);
    size_t had = room;

    (void)state;
    assert_non_null(list);
    assert_null(arena_grow(&arena, list, room, 1, &room, &err));
    assert_int_equal(err.kind, ERROR_MEMORY);
    assert_int_equal(room, had);
    assert_null(arena_grow(&arena, list, huge, 1, &huge, &err));
    assert_true(huge == SIZE_MAX / 2 + 1);
    arena_free(&arena);
    assert_int_equal(failing.held, 0);
}

int group_arena(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_zeroed_memory),
        cmocka_unit_test(keeps_what_was_written),
        cmocka_unit_test(aligns_every_object),
        cmocka_unit_test(fills_a_block_before_allocating_another),
        cmocka_unit_test(gives_objects_larger_than_a_block),
        cmocka_unit_test(without_a_block_size_each_object_is_its_own_block),
        cmocka_unit_test(nothing_is_an_object_too),
        cmocka_unit_test(refuses_sizes_that_overflow),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(can_be_used_again_after_it_was_freed),
        cmocka_unit_test(a_list_grows_and_keeps_its_elements),
        cmocka_unit_test(a_list_that_cannot_grow_keeps_its_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
