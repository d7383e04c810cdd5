#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/tree.h"

static void test_a_path_without_its_extension(void **state)
{
    static const char *const paths[][2] = {
        {"a/b.jpg", "a/b"},
        {"b.tar.gz", "b.tar"},
        {"b", "b"},
        {".x", ".x"},
        {"a/.x", "a/.x"},
        {"a/.x.png", "a/.x"},
        {"a.b/c", "a.b/c"},
        {"", ""},
        {"ends with a.", "ends with a"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(paths); i++)
        assert_true(str_eq(tree_path_stem(str_from(paths[i][0])), str_from(paths[i][1])));
}

static void test_an_extension_in_any_case(void **state)
{
    static const char *const kinds[] = {"jpg", "gz", NULL};
    static const char *const with[] = {"a.jpg", "a/B.JPG", "a.tar.Gz"};
    static const char *const without[] = {"a.jpeg",  "jpg", ".jpg", "a/.gz",
                                          "a.jpg/b", "a.",  ""};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(with); i++)
        assert_true(tree_path_has_extension(str_from(with[i]), kinds));
    for (size_t i = 0; i < ARRAY_LEN(without); i++)
        assert_false(tree_path_has_extension(str_from(without[i]), kinds));
}

static void test_a_changed_file_is_seen(void **state)
{
    char path[] = "/tmp/stint-tree-XXXXXX";
    struct tree_stat was;
    struct stat st;
    int fd = mkstemp(path);

    (void)state;
    assert_int_equal(write(fd, "one", 3), 3);
    assert_int_equal(fstat(fd, &st), 0);
    was = tree_stat_of(&st);
    memset(&st, 0, sizeof st);
    assert_true(tree_file_is_unchanged(fd, &was, NULL));
    assert_true(tree_file_is_unchanged(fd, &was, &st));
    assert_int_equal(st.st_size, 3);
    assert_int_equal(write(fd, "two", 3), 3);
    assert_false(tree_file_is_unchanged(fd, &was, NULL));
    close(fd);
    remove(path);
}

static void test_what_is_no_file_is_no_unchanged_file(void **state)
{
    struct tree_stat was;
    struct stat st;
    int fd = open("/tmp", O_RDONLY);

    (void)state;
    assert_int_equal(fstat(fd, &st), 0);
    was = tree_stat_of(&st);
    assert_false(tree_file_is_unchanged(fd, &was, NULL));
    close(fd);
}

int group_tree(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_path_without_its_extension),
        cmocka_unit_test(test_an_extension_in_any_case),
        cmocka_unit_test(test_a_changed_file_is_seen),
        cmocka_unit_test(test_what_is_no_file_is_no_unchanged_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
