/* Documents, compared byte for byte with the files in tests/unit/render/documents, which
 * tests/browser opens. UPDATE=1 rewrites these; look at what changed. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "render/document.h"
#include "unit/money.h"

#define WORDS(text) \
    { \
        (text), sizeof(text) - 1 \
    }
#define POINTS(list) .at = (list), .len = ARRAY_LEN(list)

/* Markup, an escape sequence, a byte that is no UTF-8, text from right to left. */
#define HOSTILE "<img src=x onerror=alert(1)> & \"x\" \033[31m \xff \xe2\x80\xae |*_`"

struct spend_row {
    struct str team;
    usd cost, before;
    double share;
    int64_t runs;
};

static const struct field spend_fields[] = {
    FIELD(TEXT, spend_row, team, .help = "team"),
    FIELD(USD, spend_row, cost, .help = "cost"),
    FIELD(USD, spend_row, before, .help = "cost of the month before"),
    FIELD(SHARE, spend_row, share, .help = "share of the cost"),
    FIELD(COUNT, spend_row, runs, .help = "runs"),
};
static const struct field_set spend_set = FIELD_SET(struct spend_row, spend_fields);

static const struct spend_row spend[] = {
    {WORDS("vision"), {412310000000}, {380000000000}, .61, 204},
    {WORDS("llama_finetune"), {201500000000}, {198420000000}, .3, 57},
    {WORDS(HOSTILE), {61290000000}, {0}, .09, -1},
};
static const struct spend_row spend_total = {
    WORDS("total"), {675100000000}, {578420000000}, 1, 261};

static enum term_style spend_style(const void *row)
{
    return ((const struct spend_row *)row)->share > .5 ? STYLE_GOOD : STYLE_PLAIN;
}

static const struct column spend_list[] = {
    COLUMN("team", team),
    COLUMN("runs", runs, .unknown = "unknown"),
    COLUMN("cost", cost, .form = COLUMN_CENTS),
    COLUMN("month before", before, .form = COLUMN_CENTS, .if_any = true, .style = STYLE_DIM),
    COLUMN("share", share),
    COLUMN("secret", runs, .hidden = true),
};
static const struct columns spend_columns = {
    .at = spend_list, .len = ARRAY_LEN(spend_list), .style = spend_style};

static const struct document_fact facts[] = {
    {WORDS("Spend"), WORDS("$675.10"), WORDS("metered runs and bills, to 2026-11-30")},
    {WORDS("Forecast"), WORDS("$702 to $731"), WORDS("80 % range, by the last 8 weeks")},
    {WORDS("Energy"), {0}, WORDS("the machine has no power meter")},
};

static const struct figure_point team_points[] = {
    {.label = WORDS("vision"), .y = 412.31, .marked = true},
    {.label = WORDS("llama_finetune"), .y = 201.5},
    {.label = WORDS(HOSTILE), .y = 61.29}};
static const struct figure_series team_series = {POINTS(team_points)};
static const struct figure team_figures[] = {{.kind = FIGURE_BARS,
                                              .title = WORDS("Spend by team"),
                                              .y = {.unit = FIGURE_USD},
                                              .series = &team_series,
                                              .series_count = 1},
                                             {.kind = FIGURE_DONUT,
                                              .title = WORDS("Shares"),
                                              .y = {.unit = FIGURE_USD},
                                              .series = &team_series,
                                              .series_count = 1}};
static const struct figure_sheet team_sheet = {
    .figures = team_figures, .count = 1, .footer = WORDS("Metered, prices from 2026-11-15.")};
static const struct figure_sheet two_sheet = {
    .figures = team_figures, .count = 2, .columns = 2};

static struct document sample(struct arena *arena)
{
    struct document d = document_new(STR("November 2026: vision & " HOSTILE), arena);
    struct document_table table = {.caption = STR("Spend by team"),
                                   .columns = &spend_columns,
                                   .rows = {&spend_set, spend, ARRAY_LEN(spend)},
                                   .total_label = "total",
                                   .total_set = &spend_set,
                                   .total = &spend_total};

    d.subtitle = STR("1. to 30. November 2026, UTC, in US dollars");
    d.footer = STR("Made by Stint on 2026-12-01 10:00 UTC from the ledger.");
    document_facts(&d, facts, ARRAY_LEN(facts));
    document_note(&d, DOCUMENT_WARNING, STR("7 runs have no price: their cost is unknown."));
    document_heading(&d, 2, STR("Where the money went"));
    document_paragraph(&d, STR("# not a heading, @team not a user, #12 not an issue, $x$"));
    document_figure(&d, STR("teams of <x>.svg"), &team_sheet, STR("Spend by team"));
    document_table(&d, &table);
    document_heading(&d, 4, STR("Shares"));
    document_note(&d, DOCUMENT_NOTE, document_text(&d, "%d of %d teams " HOSTILE, 3, 3));
    document_figure(&d, STR("two.svg"), &two_sheet, STR(""));
    document_heading(&d, 2, STR("Empty"));
    table.rows.len = 0;
    table.total = NULL;
    document_table(&d, &table);
    table.rows.len = 3;
    table.most = 2;
    document_table(&d, &table);
    return d;
}

static void check(const char *name, void (*write)(const struct document *, struct buf *))
{
    struct arena arena = test_arena();
    struct document d = sample(&arena);
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct str expected;
    char path[1024];

    write(&d, &out);
    assert_true(buf_ok(&out, &err));
    (void)snprintf(path, sizeof path, "%s/tests/unit/render/documents/%s",
                   env_get("STINT_SOURCE_ROOT"), name);
    if (env_get("UPDATE") != NULL)
        assert_true(fs_put(path, buf_text(&out), &err));
    if (!fs_read(path, 1 << 20, &arena, &expected, &err))
        fail_msg("%s", err.text);
    assert_string_equal(str_dup(buf_text(&out), &arena, &err), str_dup(expected, &arena, &err));
    buf_free(&out);
    arena_free(&arena);
}

static void the_page_is_as_it_was(void **state)
{
    (void)state;
    check("sample.html", document_html);
}

static void the_markdown_is_as_it_was(void **state)
{
    (void)state;
    check("sample.md", document_markdown);
}

static void assert_escaped(struct str text, const char *expected)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    markdown_escape(text, &out);
    buf_char(&out, '\0');
    assert_string_equal(out.at, expected);
    buf_free(&out);
}

static void markdown_of_a_name_is_that_name(void **state)
{
    (void)state;
    assert_escaped(STR("llama_2_7b"), "llama_2_7b");
    assert_escaped(STR("_a_ __b"), "\\_a\\_ \\_\\_b");
    assert_escaped(STR("$12.34 or $x$"), "$12.34 or \\$x\\$");
    assert_escaped(STR("a|b ~c~ `d`"), "a\\|b \\~c\\~ \\`d\\`");
    assert_escaped(STR("![x](y)"), "!\\[x\\](y)");
    assert_escaped(STR("<script>&amp;"), "&lt;script&gt;&amp;amp;");
    assert_escaped(STR("@owner #3 a@b"), "@<!-- -->owner #<!-- -->3 a@<!-- -->b");
    assert_escaped(STR("two\nlines\x1b[0m\xff"), "two?lines?\\[0m?");
    assert_escaped(STR("caf\xc3\xa9_"), "caf\xc3\xa9\\_");
}

/* On paper numbers and short texts stay in one line, and tables of few rows on one page. */
static void only_long_cells_become_several_lines(void **state)
{
    static const struct spend_row rows[] = {
        {WORDS("2026-11-15"), {1}, {1}, .1, -1},
        {WORDS("the run paid for set-up before its first step"), {1}, {1}, .1, -1},
        {WORDS("shadeform/oslo-norway-3/excesssupply"), {1}, {1}, .1, -1}};
    struct arena arena = test_arena();
    struct document d = document_new(STR("x"), &arena);
    struct buf page = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    (void)state;
    document_table(&d, &(struct document_table){.columns = &spend_columns,
                                                .rows = {&spend_set, rows, ARRAY_LEN(rows)}});
    document_html(&d, &page);
    buf_char(&page, '\0');
    assert_non_null(strstr(page.at, "<th scope=\"row\">2026-11-15<"));
    assert_non_null(strstr(page.at, "<th scope=\"row\" class=\"wide\">the run"));
    assert_non_null(strstr(page.at, "<th scope=\"row\" class=\"wide solid\">shadeform"));
    assert_non_null(strstr(page.at, "<div class=\"scroll brief\""));
    buf_free(&page);
    arena_free(&arena);
}

static size_t page_length(void)
{
    struct arena arena = test_arena();
    struct document d = sample(&arena);
    struct buf page = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    size_t length;

    document_html(&d, &page);
    length = page.len;
    buf_free(&page);
    arena_free(&arena);
    return length;
}

/* The output fails or is complete, and nothing leaks. */
static void memory_may_run_out(void **state)
{
    size_t length = page_length();
    bool done = false;

    (void)state;
    for (size_t allow = 0; !done; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct document d = sample(&arena);
        struct buf page = buf_new(&alloc, BUF_MAX_OUTPUT);
        struct buf text = buf_new(&alloc, BUF_MAX_OUTPUT);
        struct error err = {0};

        document_html(&d, &page);
        document_markdown(&d, &text);
        done = failing.allow > 0;
        if (buf_ok(&page, &err))
            assert_int_equal(page.len, length);
        assert_true(!done || (buf_ok(&page, &err) && buf_ok(&text, &err)));
        buf_free(&page);
        buf_free(&text);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

int group_document(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_is_as_it_was),
        cmocka_unit_test(the_markdown_is_as_it_was),
        cmocka_unit_test(markdown_of_a_name_is_that_name),
        cmocka_unit_test(only_long_cells_become_several_lines),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
