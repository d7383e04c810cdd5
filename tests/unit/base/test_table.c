#include "test.h"

#include <string.h>

#include "base/table.h"

static const struct term file = {0};

static const struct table_column columns[] = {
    {.title = "gpu", .shrink = true},
    {.title = "price", .right = true},
    {.title = "note", .optional = true},
};

/* A table of `count` cells, row by row. */
static struct table fill(const struct table_column *cols, size_t col_count, struct arena *arena,
                         const char *const *cells, size_t count)
{
    struct table t = table_new(cols, col_count, arena);

    for (size_t i = 0; i < count; i++)
        table_text(&t, str_from(cells[i]));
    return t;
}

static void check_table(const struct table *t, const struct term *term, const char *expected)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    table_write(t, term, &out);
    assert_true(buf_ok(&out, &err));
    buf_char(&out, '\0');
    assert_string_equal(buf_text(&out).at, expected);
    buf_free(&out);
}

static void lines_up_columns(void **state)
{
    static const char *const cells[] = {"H100 SXM", "2.49", "fast", "A10", "12.00", "old"};
    struct arena arena = test_arena();
    struct table t = fill(columns, 3, &arena, cells, ARRAY_LEN(cells));

    (void)state;
    check_table(&t, &file,
                "gpu       price  note\n"
                "H100 SXM   2.49  fast\n"
                "A10       12.00  old\n");
    arena_free(&arena);
}

static void lists_the_columns_that_a_terminal_shows(void **state)
{
    static const char *const cells[] = {"H100 SXM", "2.49", "fast"};
    const struct term wide = {.width = 80}, narrow = {.width = 16};
    struct arena arena = test_arena();
    struct table t = fill(columns, 3, &arena, cells, ARRAY_LEN(cells));

    (void)state;
    assert_true(table_shows(&t, &file, 2) && table_shows(&t, &wide, 2));
    assert_false(table_shows(&t, &narrow, 2));
    assert_true(table_shows(&t, &narrow, 0));
    arena_free(&arena);
}

static void a_title_can_be_the_widest(void **state)
{
    static const struct table_column cols[] = {{.title = "the name"},
                                               {.title = "n", .right = 1}};
    static const char *const cells[] = {"a", "1", "b", "200"};
    struct arena arena = test_arena();
    struct table t = fill(cols, 2, &arena, cells, ARRAY_LEN(cells));

    (void)state;
    check_table(&t, &file,
                "the name    n\n"
                "a           1\n"
                "b         200\n");
    arena_free(&arena);
}

static void a_table_without_rows_is_its_titles(void **state)
{
    struct arena arena = test_arena();
    struct table t = table_new(columns, 3, &arena);

    (void)state;
    table_style(&t, STYLE_GOOD); /* of no row */
    check_table(&t, &file, "gpu  price  note\n");
    arena_free(&arena);
}

static void a_row_can_end_early(void **state)
{
    static const char *const cells[] = {"H100", "2.49", "fast", "A10"};
    struct arena arena = test_arena();
    struct table t = fill(columns, 3, &arena, cells, ARRAY_LEN(cells));
    struct buf out = buf_new(&alloc_system, 1000);

    (void)state;
    table_write(&t, &file, &out);
    assert_true(str_starts(buf_text(&out), STR("gpu   price  note\n"
                                               "H100   2.49  fast\n"
                                               "A10 ")));
    buf_free(&out);
    arena_free(&arena);
}

static void counts_characters_not_bytes(void **state)
{
    static const char *const cells[] = {"\u00e9t\u00e9", "1\u20ac", "x", "summer", "2", "y"};
    struct arena arena = test_arena();
    struct table t = fill(columns, 3, &arena, cells, ARRAY_LEN(cells));

    (void)state;
    check_table(&t, &file,
                "gpu     price  note\n"
                "\u00e9t\u00e9        1\u20ac  x\n"
                "summer      2  y\n");
    arena_free(&arena);
}

static void shows_control_bytes_as_question_marks(void **state)
{
    struct arena arena = test_arena();
    struct table t = table_new(columns, 3, &arena);

    (void)state;
    table_text(&t, STR("a\n\033[2Jb\x7f"));
    table_cell(&t, "%s\t%d", "p", 5);
    table_text(&t, STR("n\0\xc3\xa9"));
    check_table(&t, &file,
                "gpu       price  note\n"
                "a??[2Jb?    p?5  n?\u00e9\n");
    arena_free(&arena);
}

static void cuts_cells_of_more_than_a_line(void **state)
{
    struct arena arena = test_arena();
    struct table t = table_new(columns, 1, &arena);
    struct buf out = buf_new(&alloc_system, 10000);

    (void)state;
    table_cell(&t, "%0*d", 2000, 7);
    table_write(&t, &file, &out);
    assert_int_equal(buf_text(&out).len, strlen("gpu\n") + 511 + 1);
    buf_free(&out);
    arena_free(&arena);
}

/* --- terminals ---------------------------------------------------------------------------- */

static void shrinks_to_the_width_of_the_terminal(void **state)
{
    static const char *const cells[] = {
        "NVIDIA H100 SXM5", "2.49", "fast", "A10", "0.75", "old"};
    static const struct {
        unsigned width;
        const char *expected;
    } cases[] = {
        {0, "gpu               price  note\n"
            "NVIDIA H100 SXM5   2.49  fast\n"
            "A10                0.75  old\n"},
        {29, "gpu               price  note\n"
             "NVIDIA H100 SXM5   2.49  fast\n"
             "A10                0.75  old\n"},
        {28, "gpu               price\n" /* optional columns are left out first */
             "NVIDIA H100 SXM5   2.49\n"
             "A10                0.75\n"},
        {23, "gpu               price\n"
             "NVIDIA H100 SXM5   2.49\n"
             "A10                0.75\n"},
        {22, "gpu              price\n"
             "NVIDIA H100 SX~   2.49\n"
             "A10               0.75\n"},
        {15, "gpu       price\n"
             "NVIDIA ~   2.49\n"
             "A10        0.75\n"},
        {1, "gpu       price\n" /* no column is cut below eight: it cannot be made to fit */
            "NVIDIA ~   2.49\n"
            "A10        0.75\n"},
    };
    struct arena arena = test_arena();
    struct table t = fill(columns, 3, &arena, cells, ARRAY_LEN(cells));

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct term term = {.tty = true, .width = cases[i].width};

        check_table(&t, &term, cases[i].expected);
    }
    arena_free(&arena);
}

static void shrinks_the_widest_column_first(void **state)
{
    static const struct table_column cols[] = {
        {.title = "a", .shrink = true}, {.title = "b", .shrink = true}, {.title = "c"}};
    static const char *const cells[] = {"0123456789", "0123456789abcdefghij", "0123456789"};
    struct arena arena = test_arena();
    struct table t = fill(cols, 3, &arena, cells, ARRAY_LEN(cells));
    struct term term = {.tty = true, .width = 34};

    (void)state;
    check_table(&t, &term,
                "a           b           c\n"
                "0123456789  012345678~  0123456789\n");
    term.width = 32;
    check_table(&t, &term,
                "a          b          c\n"
                "01234567~  01234567~  0123456789\n");
    arena_free(&arena);
}

static void cuts_between_characters(void **state)
{
    static const struct table_column cols[] = {{.title = "a", .shrink = true}};
    static const char *const cells[] = {"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
                                        "\u00e9"};
    struct arena arena = test_arena();
    struct table t = fill(cols, 1, &arena, cells, 1);
    const struct term term = {.tty = true, .width = 9};

    (void)state;
    check_table(&t, &term,
                "a\n"
                "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9~\n");
    arena_free(&arena);
}

static void leaves_out_optional_columns_last_first(void **state)
{
    static const struct table_column cols[] = {{.title = "first", .optional = true},
                                               {.title = "keep"},
                                               {.title = "second", .optional = true},
                                               {.title = "third", .optional = true}};
    static const char *const cells[] = {"1", "2", "3", "4"};
    static const struct {
        unsigned width;
        const char *expected;
    } cases[] = {
        {26, "first  keep  second  third\n1      2     3       4\n"},
        {25, "first  keep  second\n1      2     3\n"},
        {19, "first  keep  second\n1      2     3\n"},
        {18, "first  keep\n1      2\n"},
        {10, "keep\n2\n"},
        {1, "keep\n2\n"},
    };
    struct arena arena = test_arena();
    struct table t = fill(cols, 4, &arena, cells, 4);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct term term = {.tty = true, .width = cases[i].width};

        check_table(&t, &term, cases[i].expected);
    }
    arena_free(&arena);
}

static void all_optional_columns_may_be_left_out(void **state)
{
    static const struct table_column cols[] = {{.title = "wide title", .optional = true}};
    struct arena arena = test_arena();
    struct table t = fill(cols, 1, &arena, (const char *const[]){"x"}, 1);
    const struct term term = {.tty = true, .width = 5};

    (void)state;
    check_table(&t, &term, "\n\n");
    arena_free(&arena);
}

static void styles_rows_where_there_is_color(void **state)
{
    struct arena arena = test_arena();
    struct table t = table_new(columns, 2, &arena);
    const struct term color = {.tty = true, .color = true, .width = 80};

    (void)state;
    table_text(&t, STR("H100"));
    table_text(&t, STR("2.49"));
    table_style(&t, STYLE_GOOD);
    table_text(&t, STR("A10"));
    table_style(&t, STYLE_WARN); /* in the middle of the row is enough */
    table_text(&t, STR("0.75"));
    table_text(&t, STR("T4"));
    table_text(&t, STR("0.35"));
    check_table(&t, &color,
                "\033[1mgpu   price\033[0m\n"
                "\033[32mH100   2.49\033[0m\n"
                "\033[33mA10    0.75\033[0m\n"
                "T4     0.35\n");
    check_table(&t, &file,
                "gpu   price\n"
                "H100   2.49\n"
                "A10    0.75\n"
                "T4     0.35\n");
    arena_free(&arena);
}

static void has_at_most_so_many_columns(void **state)
{
    struct table_column cols[TABLE_MAX_COLUMNS + 8];
    struct buf expected = buf_new(&alloc_system, 4096);
    struct arena arena = test_arena();
    struct table t;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cols); i++)
        cols[i] = (struct table_column){.title = "t"};
    t = table_new(cols, ARRAY_LEN(cols), &arena);
    assert_int_equal(t.column_count, TABLE_MAX_COLUMNS);
    for (size_t i = 0; i < TABLE_MAX_COLUMNS; i++)
        table_cell(&t, "%zu", i);
    for (size_t i = 0; i < TABLE_MAX_COLUMNS; i++)
        buf_adds(&expected, i + 1 == TABLE_MAX_COLUMNS ? "t\n" : i < 10 ? "t  " : "t   ");
    for (size_t i = 0; i < TABLE_MAX_COLUMNS; i++)
        buf_addf(&expected, "%zu%s", i, i + 1 == TABLE_MAX_COLUMNS ? "\n" : "  ");
    buf_char(&expected, '\0');
    check_table(&t, &file, buf_text(&expected).at);
    buf_free(&expected);
    arena_free(&arena);
}

static void survives_every_failing_allocation(void **state)
{
    static const char *const cells[] = {"a", "1", "x", "b", "2", "y"};

    (void)state;
    for (size_t allow = 0; allow <= 8; allow++) { /* two rows and six cells */
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct table t = fill(columns, 3, &arena, cells, ARRAY_LEN(cells));
        struct buf out = buf_new(&alloc_system, 1000);
        struct error err = {0};

        table_style(&t, STYLE_WARN);
        table_write(&t, &file, &out);
        if (allow < 8) {
            assert_true(t.failed);
            assert_false(buf_ok(&out, &err));
            assert_int_equal(err.kind, ERROR_MEMORY);
            assert_string_equal(err.text, "out of memory");
            assert_int_equal(buf_text(&out).len, 0);
        } else {
            assert_true(buf_ok(&out, &err));
            assert_str_equal(buf_text(&out), "gpu  price  note\n"
                                             "a        1  x\n"
                                             "b        2  y\n");
        }
        buf_free(&out);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

int group_table(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_the_columns_that_a_terminal_shows),
        cmocka_unit_test(lines_up_columns),
        cmocka_unit_test(a_title_can_be_the_widest),
        cmocka_unit_test(a_table_without_rows_is_its_titles),
        cmocka_unit_test(a_row_can_end_early),
        cmocka_unit_test(counts_characters_not_bytes),
        cmocka_unit_test(shows_control_bytes_as_question_marks),
        cmocka_unit_test(cuts_cells_of_more_than_a_line),
        cmocka_unit_test(shrinks_to_the_width_of_the_terminal),
        cmocka_unit_test(shrinks_the_widest_column_first),
        cmocka_unit_test(cuts_between_characters),
        cmocka_unit_test(leaves_out_optional_columns_last_first),
        cmocka_unit_test(all_optional_columns_may_be_left_out),
        cmocka_unit_test(styles_rows_where_there_is_color),
        cmocka_unit_test(has_at_most_so_many_columns),
        cmocka_unit_test(survives_every_failing_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
