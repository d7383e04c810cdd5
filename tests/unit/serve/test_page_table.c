/* Tables of pages: their order, links and escaping. */
#include "test.h"

#include <math.h>

#include "serve/page.h"
#include "unit/money.h"

struct row {
    struct str name;
    usd cost;
    double score;
};

static const struct field row_fields[] = {
    FIELD(TEXT, row, name, .help = ""),
    FIELD(USD, row, cost, .help = ""),
    FIELD(NUMBER, row, score, .help = ""),
};
static const struct field_set row_set = FIELD_SET(struct row, row_fields);

static const struct column columns[] = {
    COLUMN("name", name),
    COLUMN("cost", cost),
    COLUMN("score", score),
};

/* 3 dollars, unknown, 1 dollar, 3 dollars. */
static const struct row rows[] = {
    {{"b", 1}, {3000000000}, 2},
    {{"<i>a", 4}, {MONEY_UNKNOWN}, NAN},
    {{"d", 1}, {1000000000}, 1},
    {{"c", 1}, {3000000000}, INFINITY},
};

static void expect_order(const char *sort, const size_t *wanted)
{
    struct arena arena = {.alloc = &alloc_system};
    struct error err = {0};
    struct table_rows all = {&row_set, rows, ARRAY_LEN(rows)};
    const size_t *order =
        page_table_order(COLUMNS(columns), &all, str_from(sort), &arena, &err);

    assert_non_null(order);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        assert_int_equal(order[i], wanted[i]);
    arena_free(&arena);
}

static void unknown_is_last_and_equal_rows_keep_their_order(void **state)
{
    (void)state;
    expect_order("cost", (const size_t[]){2, 0, 3, 1});
    expect_order("-cost", (const size_t[]){0, 3, 2, 1});
    expect_order("name", (const size_t[]){1, 0, 3, 2});
    expect_order("-name", (const size_t[]){2, 3, 0, 1});
    expect_order("-score", (const size_t[]){3, 0, 2, 1});
}

static void what_is_no_column_sorts_nothing(void **state)
{
    (void)state;
    expect_order("", (const size_t[]){0, 1, 2, 3});
    expect_order("-", (const size_t[]){0, 1, 2, 3});
    expect_order("nosuch", (const size_t[]){0, 1, 2, 3});
    expect_order("cost.nano", (const size_t[]){0, 1, 2, 3});
}

static struct visit visit_of(const char *path, const char *query)
{
    struct visit v = {.arena = {.alloc = &alloc_system, .block_size = 4096},
                      .path = str_from(path),
                      .out = buf_new(&alloc_system, SERVE_ANSWER)};
    struct error err = {0};

    assert_true(params_read(str_from(query), &v.arena, &v.params, &err));
    return v;
}

static void visit_drop(struct visit *v)
{
    buf_free(&v->out);
    arena_free(&v->arena);
}

static bool has(const struct visit *v, const char *text)
{
    return str_has_nocase(buf_text(&v->out), str_from(text));
}

static const struct page_table table = {.id = "t",
                                        .caption = {"A & B", 5},
                                        .columns = COLUMNS(columns),
                                        .rows = {&row_set, rows, ARRAY_LEN(rows)},
                                        .most = 3};

static void a_table_is_html_with_links_to_sort_it(void **state)
{
    struct visit v = visit_of("/x", "sort=t.-cost&q=a%26b");

    (void)state;
    page_table(&v, &table);
    assert_true(has(&v, "<caption>A &amp; B "));
    assert_true(has(&v, "aria-sort=\"descending\""));
    assert_true(has(&v, "href=\"/x?q=a%26b&amp;sort=t.cost\""));
    assert_true(has(&v, "href=\"/x?q=a%26b&amp;sort=t.name\""));
    assert_true(has(&v, "href=\"/x?sort=t.-cost&amp;q=a%26b&amp;format=csv&amp;table=t\""));
    assert_true(has(&v, "<th scope=\"row\">b</th><td class=\"num\">$3.00</td>"));
    assert_true(has(&v, "Rows 1 to 3 of 4."));
    assert_false(has(&v, "&lt;i&gt;a"));
    visit_drop(&v);
    v = visit_of("/x", "");
    page_table(&v, &table);
    assert_true(has(&v, "&lt;i&gt;a"));
    assert_false(has(&v, "<i>"));
    assert_false(has(&v, "aria-sort"));
    visit_drop(&v);
}

static void a_table_is_kept_as_csv_when_it_is_asked_for(void **state)
{
    struct visit v = visit_of("/x", "format=csv&table=t");

    (void)state;
    page_table(&v, &table);
    assert_true(v.csv_found);
    assert_true(str_starts(v.csv, STR("name,cost,score\n")));
    visit_drop(&v);
    v = visit_of("/x", "format=csv&table=other");
    page_table(&v, &table);
    assert_false(v.csv_found);
    visit_drop(&v);
}

static void text_is_harmless_in_html(void **state)
{
    struct buf out = buf_new(&alloc_system, 4096);

    (void)state;
    html_text(STR("<a href=\"x\">'&\x1b[0m\xff\xe2\x80\xae"), &out);
    assert_true(str_eq(buf_text(&out), STR("&lt;a href=&quot;x&quot;&gt;&#39;&amp;?[0m??")));
    buf_free(&out);
}

int group_page_table(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_is_last_and_equal_rows_keep_their_order),
        cmocka_unit_test(what_is_no_column_sorts_nothing),
        cmocka_unit_test(a_table_is_html_with_links_to_sort_it),
        cmocka_unit_test(a_table_is_kept_as_csv_when_it_is_asked_for),
        cmocka_unit_test(text_is_harmless_in_html),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
