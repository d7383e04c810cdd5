/* What the reader makes of a file; test_kohya.c of generate has the mistakes. */
#include "test.h"

#include "doc/toml.h"

static void reads_toml(void **state)
{
    static const char text[] = "a = \"x\\\"y\" # c\n"
                               "b.c = 1979-05-27T07:32:00Z\n"
                               "e = [ [1, 2], {f = 'g'}, ]\n"
                               "h = '''\n''i'''''\n"
                               "[t.\"u\"]\n"
                               "v = -inf\n";
    struct arena arena = test_arena();
    struct error err = {0};
    const struct node *root = toml_read(STR(text), "x", &arena, &err);
    const struct node *node;

    (void)state;
    assert_non_null(root);
    node = root->first;
    assert_str_equal(node->text, "x\\\"y");
    node = node->next;
    assert_str_equal(node->key, "b\x1f"
                                "c");
    assert_str_equal(node->text, "1979-05-27T07:32:00Z");
    node = node->next;
    assert_int_equal(node->kind, NODE_LIST);
    assert_str_equal(node->text, "[ [1, 2], {f = 'g'}, ]");
    node = node->next;
    assert_str_equal(node->text, "\n''i''");
    node = node->next;
    assert_str_equal(node->key, "t\x1fu");
    assert_str_equal(node->first->key, "v");
    assert_int_equal(node->first->line, 7);
    assert_null(node->next);
    arena_free(&arena);
}

static void tells_tables_from_values(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    const struct node *root =
        toml_read(STR("a = {b = 1}\n[c]\nd = 2\n[e.f]\n[[g]]\n"), "x", &arena, &err);
    const struct node *node;

    (void)state;
    assert_non_null(root);
    node = root->first;
    assert_false(toml_is_table(node));
    node = node->next;
    assert_true(toml_is_table(node));
    assert_false(toml_is_table(node->first));
    node = node->next;
    assert_false(toml_is_table(node));
    assert_false(toml_is_table(node->next));
    arena_free(&arena);
}

int group_toml(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_toml),
        cmocka_unit_test(tells_tables_from_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
