#include "test.h"

#include <string.h>

#include "base/draw.h"
#include "data/compare.h"
#include "data/digest.h"

#define NAMES 12
#define TRIES 3000

/* Trees in a few words: "a=1 b/c=2 d/=" are two files with contents 1 and 2, and an empty
 * folder; "e=?" could not be read. In the order of paths. */
static struct tree tree_of(struct arena *arena, const char *text)
{
    struct tree tree = {.arena = arena};
    struct str rest = str_from(text);
    struct error err = {0};

    while (rest.len > 0) {
        struct str value = str_cut(&rest, ' '), path = str_cut(&value, '=');
        struct tree_entry *e = tree_add_entry(&tree, &err);

        assert_non_null(e);
        *e = (struct tree_entry){.path = path, .hashed = !str_eq(value, STR("?"))};
        e->kind = str_ends(path, STR("/")) ? TREE_EMPTY : TREE_FILE;
        e->trouble = !e->hashed;
        e->stat.size = value.len > 0 ? 10 : 0;
        e->stat.modified = value.len > 1 ? value.at[1] : 0; /* "1x" was written at x */
        e->digest[0] = value.len > 0 ? (unsigned char)value.at[0] : 0;
    }
    return tree;
}

/* "upload a, conflict b" */
static const char *steps(const char *here, const char *there, const char *base, bool newer)
{
    static char memory[512];
    struct buf text = buf_within(memory, sizeof memory - 1);
    struct arena arena = test_arena();
    struct tree trees[] = {tree_of(&arena, here), tree_of(&arena, there),
                           tree_of(&arena, base != NULL ? base : "")};
    struct data_compare_work work = {&trees[0], &trees[1], base != NULL ? &trees[2] : NULL,
                                     newer ? DATA_CONFLICT_NEWER : DATA_CONFLICT_KEEP};
    struct data_comparison found;
    struct error err = {0};

    assert_true(data_compare(&work, &arena, &found, &err));
    for (size_t i = 0; i < found.change_count; i++)
        buf_addf(&text, "%s%s %.*s", i > 0 ? ", " : "", data_step_names[found.changes[i].step],
                 STR_ARG(found.changes[i].path));
    assert_true(buf_ok(&text, &err));
    memory[text.len] = 0;
    arena_free(&arena);
    return memory;
}

static void test_without_a_base_nothing_is_deleted(void **state)
{
    (void)state;
    assert_string_equal(steps("a=1 b=2", "a=1 b=2", NULL, false), "");
    assert_string_equal(steps("a=1 b=2", "", NULL, false), "upload a, upload b");
    assert_string_equal(steps("", "a=1 d/=", NULL, false), "download a, download d/");
    assert_string_equal(steps("a=1", "a=2", NULL, false), "conflict a");
}

static void test_the_base_says_who_changed(void **state)
{
    (void)state;
    assert_string_equal(steps("a=2 b=1", "a=1 b=2", "a=1 b=1", false), "upload a, download b");
    assert_string_equal(steps("a=1", "b=1", "a=1 b=1", false),
                        "delete local a, delete remote b");
    assert_string_equal(steps("a=2", "a=3", "a=1", false), "conflict a");
    assert_string_equal(steps("a=2", "a=2", "a=1", false), "");
    assert_string_equal(steps("a=2", "", "a=1", false), "conflict a");
    assert_string_equal(steps("", "a=2", "a=1", false), "conflict a");
    assert_string_equal(steps("c=1", "", "a=1", false), "upload c");
}

static void test_the_newer_is_taken_when_asked(void **state)
{
    (void)state;
    assert_string_equal(steps("a=1p b=1q c=1p", "a=2q b=2p c=2p", NULL, true),
                        "download a, upload b, conflict c");
    assert_string_equal(steps("a=2p", "", "a=1a", true), "conflict a");
}

/* A file where the other side has a folder cannot be moved there. */
static void test_a_file_and_a_folder_of_one_name(void **state)
{
    (void)state;
    assert_string_equal(steps("a=1 a.b=1", "a/b=1", NULL, false),
                        "conflict a, upload a.b, conflict a/b");
    assert_string_equal(steps("a/b/c=1", "a/b=1", NULL, false), "conflict a/b, conflict a/b/c");
    assert_string_equal(steps("a/b=1", "a=1", "a=1", false), "delete remote a, upload a/b");
    assert_string_equal(steps("a/b=1", "a=2", "a=1", false), "conflict a, conflict a/b");
    assert_string_equal(steps("a/=", "a/b=1", NULL, false), "download a/b");
}

static void test_nothing_is_done_with_what_was_not_read(void **state)
{
    (void)state;
    assert_string_equal(steps("a=?", "a=1", "a=1", false), "unknown a");
    assert_string_equal(steps("a=?", "", "a=1", false), "unknown a");
    assert_string_equal(steps("a=1", "", "a=?", false), "unknown a");
    /* A folder that could not be read: nothing in it was deleted. */
    assert_string_equal(steps("d/=?", "d/a=1 d/b/c=1 e=1", "d/a=1 d/b/c=1 e=1", false),
                        "unknown d/, unknown d/a, unknown d/b/c, delete remote e");
    assert_string_equal(steps("a=1", "a=2", "a=?", true), "conflict a");
}

static void test_only_changed_chunks_are_new(void **state)
{
    unsigned char old[3][TREE_DIGEST] = {{1}, {2}, {3}}, new[3][TREE_DIGEST] = {{1}, {9}, {3}};
    struct arena arena = test_arena();
    struct tree here = tree_of(&arena, "a=1"), there = tree_of(&arena, "a=2");
    struct data_compare_work work = {.here = &here, .there = &there, .base = &there};
    struct data_comparison found;
    struct error err = {0};

    (void)state;
    here.entries[0].chunks = new[0];
    there.entries[0].chunks = old[0];
    here.entries[0].chunk_count = there.entries[0].chunk_count = 3;
    here.entries[0].stat.size = there.entries[0].stat.size = 2 * DIGEST_CHUNK + 5;
    assert_true(data_compare(&work, &arena, &found, &err));
    assert_int_equal(found.sums[DATA_UPLOAD].paths, 1);
    assert_int_equal(found.sums[DATA_UPLOAD].size.n, 2 * DIGEST_CHUNK + 5);
    assert_int_equal(found.sums[DATA_UPLOAD].new_size.n, DIGEST_CHUNK);
    arena_free(&arena);
}

/* --- any trees --------------------------------------------------------------------------- */

/* Names of which some are folders of others, in order. */
static const char *const names[NAMES] = {"a",  "a.x",   "a/b",   "a/b/c", "a/d", "b",
                                         "b/", "c/d/e", "c/d/f", "e",     "f/",  "g"};

/* Contents by name; 0: not there. A name that is in the way of another is left out. */
static void draw_tree(uint64_t *draw, char have[NAMES])
{
    for (size_t i = 0; i < NAMES; i++) {
        have[i] = draw_below(draw, 3) == 0 ? 0 : (char)('1' + draw_below(draw, 2));
        for (size_t j = 0; have[i] != 0 && j < i; j++) {
            size_t len = strlen(names[j]);
            bool folder = names[j][len - 1] == '/';

            if (have[j] != 0 && strncmp(names[i], names[j], len) == 0 &&
                (folder || names[i][len] == '/'))
                have[i] = 0;
        }
    }
}

static void write_tree(const char have[NAMES], char *memory, size_t room)
{
    struct buf out = buf_within(memory, room);
    struct error err;

    for (size_t i = 0; i < NAMES; i++)
        if (have[i] != 0)
            buf_addf(&out, "%s%s=%.*s", out.len > 0 ? " " : "", names[i],
                     names[i][strlen(names[i]) - 1] != '/', &have[i]);
    buf_char(&out, 0);
    assert_true(buf_ok(&out, &err));
}

static size_t index_of(struct str path)
{
    for (size_t i = 0; i < NAMES; i++)
        if (str_eq(path, str_from(names[i])))
            return i;
    fail();
    return 0;
}

/* What the steps lead to: both sides are equal but for conflicts, and what only one side had
 * changed has won. */
static void apply(const struct data_comparison *found, char here[NAMES], char there[NAMES])
{
    for (size_t i = 0; i < found->change_count; i++) {
        size_t at = index_of(found->changes[i].path);

        switch ((enum data_step)found->changes[i].step) {
        case DATA_UPLOAD:
            there[at] = here[at];
            break;
        case DATA_DOWNLOAD:
            here[at] = there[at];
            break;
        case DATA_DELETE_LOCAL:
            here[at] = 0;
            break;
        case DATA_DELETE_REMOTE:
            there[at] = 0;
            break;
        case DATA_CONFLICT:
            here[at] = there[at] = '!';
            break;
        case DATA_UNKNOWN:
        case DATA_UNCHANGED:
        case DATA_STEPS:
            fail();
        }
    }
}

static void check_equal(const char here[NAMES], const char there[NAMES])
{
    for (size_t i = 0; i < NAMES; i++)
        if (names[i][strlen(names[i]) - 1] != '/') /* empty folders may be filled */
            assert_int_equal(here[i], there[i]);
}

static void test_any_trees_become_equal(void **state)
{
    uint64_t draw = 7;
    char have[3][NAMES], text[3][256];

    (void)state;
    for (int try = 0; try < TRIES; try++) {
        struct arena arena = test_arena();
        struct data_comparison found;
        struct tree trees[3];
        struct error err = {0};
        struct data_compare_work work = {&trees[0], &trees[1], NULL, DATA_CONFLICT_KEEP};

        for (size_t t = 0; t < 3; t++) {
            draw_tree(&draw, have[t]);
            write_tree(have[t], text[t], sizeof text[t]);
            trees[t] = tree_of(&arena, text[t]);
        }
        work.base = try % 3 > 0 ? &trees[2] : NULL;
        assert_true(data_compare(&work, &arena, &found, &err));
        if (work.base == NULL) {
            assert_int_equal(found.sums[DATA_DELETE_LOCAL].paths, 0);
            assert_int_equal(found.sums[DATA_DELETE_REMOTE].paths, 0);
        }
        apply(&found, have[0], have[1]);
        check_equal(have[0], have[1]);
        arena_free(&arena);
    }
}

int group_compare(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_base_nothing_is_deleted),
        cmocka_unit_test(test_the_base_says_who_changed),
        cmocka_unit_test(test_the_newer_is_taken_when_asked),
        cmocka_unit_test(test_a_file_and_a_folder_of_one_name),
        cmocka_unit_test(test_nothing_is_done_with_what_was_not_read),
        cmocka_unit_test(test_only_changed_chunks_are_new),
        cmocka_unit_test(test_any_trees_become_equal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
