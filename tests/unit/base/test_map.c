#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"

#define MANY 100000

static struct str name_of(size_t n, char room[32])
{
    return (struct str){room, (size_t)snprintf(room, 32, "name %zu", n)};
}

/* A map of MANY names, which are stored in `names`. */
static void fill(struct map *map, char (*names)[32])
{
    struct error err = {0};

    for (size_t i = 0; i < MANY; i++) {
        bool added = false;
        struct map_entry *e = map_add(map, name_of(i, names[i]), &added, &err);

        assert_non_null(e);
        assert_true(added);
        assert_null(e->value);
        e->value = names[i];
    }
}

static void a_hundred_thousand_names_keep_their_order_and_values(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct map maps[] = {map_in_arena(&arena), map_of(&alloc_system, 0)};
    char(*names)[32] = arena_get(&arena, MANY, sizeof *names, 1, &(struct error){0}), room[32];

    (void)state;
    assert_non_null(names);
    for (size_t m = 0; m < ARRAY_LEN(maps); m++) {
        fill(&maps[m], names);
        assert_int_equal(maps[m].count, MANY);
        for (size_t i = 0; i < MANY; i++) {
            const struct map_entry *e = map_find(&maps[m], name_of(i, room));

            assert_ptr_equal(e, &maps[m].at[i]);
            assert_ptr_equal(e->value, names[i]);
        }
        assert_null(map_find(&maps[m], name_of(MANY, room)));
        map_free(&maps[m]);
        assert_int_equal(maps[m].count, 0);
        assert_null(map_find(&maps[m], name_of(0, room)));
    }
    arena_free(&arena);
}

static void a_name_is_added_once(void **state)
{
    struct map map = map_of(&alloc_system, 0);
    struct error err = {0};
    bool added = false;

    (void)state;
    assert_non_null(map_add(&map, STR("a"), &added, &err));
    assert_true(added);
    assert_non_null(map_add(&map, STR("b"), NULL, &err));
    assert_ptr_equal(map_add(&map, STR("a"), &added, &err), &map.at[0]);
    assert_false(added);
    assert_int_equal(map.count, 2);
    map_free(&map);
}

static void keys_are_any_bytes_and_may_be_empty(void **state)
{
    static const struct str keys[] = {{NULL, 0}, {"\0", 1}, {"\0\0", 2}, {"a\0b", 3}, {"a", 1}};
    struct map map = map_of(&alloc_system, 0);
    struct error err = {0};
    bool added;

    (void)state;
    assert_null(map_find(&map, keys[0]));
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        assert_non_null(map_add(&map, keys[i], &added, &err));
        assert_true(added);
    }
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        assert_ptr_equal(map_find(&map, keys[i]), &map.at[i]);
    assert_ptr_equal(map_find(&map, STR("")), &map.at[0]);
    map_free(&map);
}

/* The names are chosen so that their hashes fall into one slot. */
static void names_that_collide_are_distinguished(void **state)
{
    struct map map = map_of(&alloc_system, 0);
    struct error err = {0};
    char names[16][32], room[32];

    (void)state;
    assert_non_null(map_add(&map, name_of(0, names[0]), NULL, &err)); /* sets the seed */
    for (size_t i = 1; map.count < ARRAY_LEN(names); i++) {
        struct str name = name_of(i, names[map.count]);

        if ((text_hash(map.seed, name) & (map.slot_count - 1)) == 5)
            assert_non_null(map_add(&map, name, NULL, &err));
    }
    assert_int_equal(map.count, 16);
    for (size_t i = 0; i < 16; i++)
        assert_ptr_equal(map_find(&map, map.at[i].key), &map.at[i]);
    assert_null(map_find(&map, name_of(SIZE_MAX, room)));
    assert_non_null(map_add(&map, STR("another"), NULL, &err)); /* grows, and all are found */
    for (size_t i = 0; i < 16; i++)
        assert_ptr_equal(map_find(&map, str_from(names[i])), &map.at[i]);
    map_free(&map);
}

static void more_keys_than_allowed_are_refused(void **state)
{
    struct map map = map_of(&alloc_system, 3);
    struct error err = {0};
    char names[4][32];

    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_non_null(map_add(&map, name_of(i, names[i]), NULL, &err));
    assert_null(map_add(&map, name_of(3, names[3]), NULL, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(map_add(&map, name_of(2, names[3]), NULL, &err));
    assert_int_equal(map.count, 3);
    map_free(&map);
}

static void map_is_unchanged_when_memory_runs_out(void **state)
{
    char names[200][32];

    (void)state;
    for (size_t allow = 0; allow < 12; allow++) {
        struct failing_alloc failing = {.allow = allow};
        const struct alloc alloc = {failing_get, failing_put, &failing};
        struct map map = map_of(&alloc, 0);
        struct error err = {0};
        size_t i = 0;

        while (i < ARRAY_LEN(names) && map_add(&map, name_of(i, names[i]), NULL, &err) != NULL)
            i++;
        assert_int_equal(map.count, i);
        assert_int_equal(i, allow < 2 ? 0 : allow < 10 ? (size_t)8 << allow / 2 : 200);
        assert_int_equal(err.kind, i < 200 ? ERROR_MEMORY : ERROR_NONE);
        for (size_t k = 0; k < i; k++)
            assert_ptr_equal(map_find(&map, str_from(names[k])), &map.at[k]);
        map_free(&map);
        assert_int_equal(failing.held, 0);
    }
}

int group_map(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_thousand_names_keep_their_order_and_values),
        cmocka_unit_test(a_name_is_added_once),
        cmocka_unit_test(keys_are_any_bytes_and_may_be_empty),
        cmocka_unit_test(names_that_collide_are_distinguished),
        cmocka_unit_test(more_keys_than_allowed_are_refused),
        cmocka_unit_test(map_is_unchanged_when_memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
