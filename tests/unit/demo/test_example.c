/* The files of examples/, as they are in the program. */
#include "test.h"

#include <string.h>

#include "base/fs.h"
#include "demo/example.h"

/* The text of the file in the source tree. */
static struct str read_source(const char *path, struct arena *arena)
{
    const char *root = env_get("STINT_SOURCE_ROOT");
    struct error err = {0};
    struct str text = {0};
    char name[512];

    (void)snprintf(name, sizeof name, "%s/examples/%s", root != NULL ? root : ".", path);
    assert_true(fs_read(name, 1 << 20, arena, &text, &err));
    return text;
}

static void every_text_is_its_file(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};

    (void)state;
    assert_true(example_count > 20);
    for (size_t i = 0; i < example_count; i++) {
        const struct example *example = &example_table[i];

        assert_true(str_eq(example_text(example), read_source(example->path, &arena)));
        assert_true(strstr(example->command, example_file(example)) != NULL);
    }
    arena_free(&arena);
}

static void names_are_found_and_differ(void **state)
{
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < example_count; i++) {
        const struct example *example = &example_table[i];

        assert_ptr_equal(example_find(str_from(example->name), &err), example);
        assert_ptr_equal(example_find(str_from(example_file(example)), &err), example);
    }
    assert_ptr_equal(example_find(STR("llama-7b-lora"), &err), &example_table[0]);
}

static void an_unknown_name_is_refused(void **state)
{
    struct error err = {0};

    (void)state;
    assert_null(example_find(STR("lorra"), &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_string_equal(err.hint, "did you mean 'lora'?");
    assert_null(example_find(STR(""), &err));
    assert_null(example_find(STR("tools/axolotl.yml"), &err));
}

int group_example(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_is_its_file),
        cmocka_unit_test(names_are_found_and_differ),
        cmocka_unit_test(an_unknown_name_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
