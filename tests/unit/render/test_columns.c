/* Tables made from records and lists of columns. */
#include "test.h"

#include <math.h>

#include "render/columns.h"
#include "render/csv_rows.h"
#include "unit/money.h"
#include "unit/time.h"

static const char *const state_names[] = {"running", "done", NULL};

struct cost {
    struct money amount, change;
    double share;
};

struct row {
    struct str name;
    int32_t state;
    stamp at;
    struct cost cost;
    usd_per_hour price;
    span took;
    bool paired;
    int64_t days;
    double score;
    struct money extra;
};

static const struct field cost_fields[] = {
    FIELD(MONEY, cost, amount, .help = ""),
    FIELD(MONEY, cost, change, .help = ""),
    FIELD(SHARE, cost, share, .help = ""),
};

static const struct field_set cost_set = FIELD_SET(struct cost, cost_fields);

static const struct field row_fields[] = {
    FIELD(TEXT, row, name, .help = ""),    FIELD(ENUM, row, state, .names = state_names),
    FIELD(TIME, row, at, .help = ""),      FIELD(RECORD, row, cost, .row = &cost_set),
    FIELD(RATE, row, price, .help = ""),   FIELD(SPAN, row, took, .help = ""),
    FIELD(FLAG, row, paired, .help = ""),  FIELD(COUNT, row, days, .help = ""),
    FIELD(NUMBER, row, score, .help = ""), FIELD(MONEY, row, extra, .help = ""),
};

static const struct field_set row_set = FIELD_SET(struct row, row_fields);

struct result {
    struct rows rows;
};

static const struct field result_fields[] = {FIELD(LIST, result, rows, .row = &row_set)};

static const struct field_set result_set = FIELD_SET(struct result, result_fields);

static const struct row rows[] = {
    {.name = {"a", 1},
     .state = 1,
     .at = {1794736805},
     .cost = {{{1234567, 3}, {"USD"}}, {{-310, 2}, {"USD"}}, 0.003},
     .price = {2490000000},
     .took = {INT64_C(5400000000000)},
     .paired = true,
     .days = 85,
     .score = 61.26,
     .extra = {{0, 2}, {"USD"}}},
    {.name = {"", 0},
     .state = -1,
     .at = {-1},
     .cost = {.share = NAN},
     .price = {MONEY_UNKNOWN},
     .took = {-1},
     .days = -1,
     .score = NAN},
};

static const struct result result = {{rows, ARRAY_LEN(rows)}};

static enum term_style style_of(const void *row)
{
    return ((const struct row *)row)->paired ? STYLE_GOOD : STYLE_PLAIN;
}

static bool is_named(const void *row)
{
    return ((const struct row *)row)->name.len > 0;
}

static bool write_odd(const struct column *column, const void *row, struct buf *out)
{
    if (!((const struct row *)row)->paired)
        return false;
    buf_addf(out, "odd %d", column->index);
    return true;
}

static void check(const struct columns *columns, bool color, const char *expected)
{
    struct arena arena = test_arena();
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct term term = {.color = color};
    struct table_rows list = field_rows(&result_set, "rows", &result);

    columns_print(columns, &list, &term, &arena, &out);
    assert_str_equal(buf_text(&out), expected);
    buf_free(&out);
    arena_free(&arena);
}

static void values_print_themselves(void **state)
{
    static const struct column columns[] = {
        COLUMN("name", name),        COLUMN("state", state), COLUMN("when", at),
        COLUMN("cost", cost.amount), COLUMN("$/hr", price),  COLUMN("took", took),
        COLUMN("share", cost.share),
    };

    (void)state;
    check(COLUMNS(columns), false,
          "name  state  when                   cost   $/hr     took  share\n"
          "a     done   2026-11-15 10:00  $1,234.57  $2.49  1h30min    0 %\n"
          "-     -      -                         -      ?        ?      -\n");
}

static void forms_and_texts_of_the_unknown(void **state)
{
    static const struct column columns[] = {
        COLUMN("name", name, .unknown = "(none)"),
        COLUMN("exact", cost.amount, .form = COLUMN_EXACT, .unknown = "?"),
        COLUMN("change", cost.change, .form = COLUMN_CHANGE),
        COLUMN("share", cost.share, .form = COLUMN_FINE),
        COLUMN("at", at, .form = COLUMN_SECONDS),
        COLUMN("age", days, .form = COLUMN_AGE),
        COLUMN("score", score, .decimals = 1, .side = COLUMN_LEFT),
        COLUMN("mark", paired, .yes = "paired"),
    };

    (void)state;
    check(COLUMNS(columns), false,
          "name           exact  change  share  at                    age  score  mark\n"
          "a       1234.567 USD  -$3.10  0.3 %  2026-11-15 10:00:05  85 d  61.3   paired\n"
          "(none)             ?       -      -  -                       -  -      \n");
}

static void columns_without_values_are_hidden(void **state)
{
    static const struct column columns[] = {
        COLUMN("name", name),
        COLUMN("extra", extra, .if_any = true),
        COLUMN("cost", cost.amount, .if_any = true),
    };

    (void)state;
    check(COLUMNS(columns, .shown = is_named), false,
          "name       cost\n"
          "a     $1,234.57\n");
}

static void rows_have_a_style_and_odd_cells(void **state)
{
    static const struct column columns[] = {
        COLUMN("name", name),
        COLUMN("days", days, .cell = write_odd, .index = 7),
        COLUMN_CELL("odd", write_odd),
    };

    (void)state;
    check(COLUMNS(columns, .style = style_of), true,
          "\033[1mname   days  odd\033[0m\n"
          "\033[32ma     odd 7  odd 0\033[0m\n"
          "-         -  -\n");
}

static void a_total_has_the_fields_of_the_same_name(void **state)
{
    static const struct column columns[] = {
        COLUMN("name", name),
        COLUMN("state", state),
        COLUMN("share", cost.share),
        COLUMN("extra", extra, .unknown = "?"),
    };
    static const struct field total_fields[] = {FIELD(MONEY, row, extra, .help = "")};
    static const struct field_set total_set = FIELD_SET(struct row, total_fields);
    struct arena arena = test_arena();
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct term term = {0};
    struct table_rows list = field_rows(&result_set, "rows", &result);
    struct column_table t = columns_new(COLUMNS(columns), list.row, &arena);

    (void)state;
    columns_add(&t, &list);
    columns_total(&t, "total", &total_set, &rows[0]);
    columns_write(&t, &term, &out);
    assert_str_equal(buf_text(&out), "name   state  share  extra\n"
                                     "a      done     0 %  $0.00\n"
                                     "-      -          -      ?\n"
                                     "total                $0.00\n");
    buf_free(&out);
    arena_free(&arena);
}

static void csv_has_the_same_columns(void **state)
{
    static const struct column columns[] = {
        COLUMN("name", name),
        COLUMN_CELL("odd", write_odd),
        COLUMN("state", state),
        COLUMN("when", at),
        COLUMN("cost", cost.amount, .csv = "cost_usd"),
        COLUMN("took", took),
        COLUMN("share", cost.share),
        COLUMN("days", days),
        COLUMN("mark", paired, .yes = "paired"),
    };
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct table_rows list = field_rows(&result_set, "rows", &result);

    (void)state;
    columns_csv(COLUMNS(columns), &list, &out);
    assert_str_equal(buf_text(&out), "name,state,at,cost_usd,took,share,days,paired\n"
                                     "a,done,2026-11-15T10:00:05Z,1234.567,5400,0.003,85,yes\n"
                                     ",,,,,,,no\n");
    buf_free(&out);
}

static void amounts_in_csv_have_their_currency(void **state)
{
    static const struct column amounts[] = {COLUMN("name", name), COLUMN("cost", cost.amount),
                                            COLUMN("extra", extra)};
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct table_rows list = field_rows(&result_set, "rows", &result);

    (void)state;
    columns_csv(COLUMNS(amounts), &list, &out);
    assert_str_equal(buf_text(&out), "name,amount,extra,currency\n"
                                     "a,1234.567,0.00,USD\n"
                                     ",,,\n");
    buf_free(&out);
}

static void memory_that_runs_out_is_reported(void **state)
{
    static const struct column columns[] = {COLUMN("name", name), COLUMN("cost", cost.amount)};
    struct table_rows list = field_rows(&result_set, "rows", &result);

    (void)state;
    for (size_t allowed = 0; allowed < 4; allowed++) {
        struct failing_alloc failing = {.allow = allowed};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        struct term term = {0};

        columns_print(COLUMNS(columns), &list, &term, &arena, &out);
        assert_true(out.failed == ERROR_MEMORY || out.len > 0);
        buf_free(&out);
        arena_free(&arena);
    }
}

/* Names and tags may come from anyone: a spreadsheet must not take them for formulas. */
static void a_text_is_no_formula(void **state)
{
    static const struct {
        const char *text, *written;
    } cases[] = {
        {"bert", "bert"},
        {"=1+1", "'=1+1"},
        {"=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""},
        {"+x", "'+x"},
        {"-x", "'-x"},
        {"@SUM(A1)", "'@SUM(A1)"},
        {"\t=1", "'\t=1"},
        {"-1.5", "-1.5"},
        {"+3", "+3"},
        {"", ""},
        {"caf\xc3\xa9", "caf\xc3\xa9"},
        {"bad\xff\xfeutf \x1b[31m", "bad??utf \x1b[31m"}, /* for any reader of UTF-8 */
        {"=\x1b", "'=\x1b"},
        {"two\nlines", "\"two\nlines\""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = buf_new(&alloc_system, 1024);

        csv_rows_text(str_from(cases[i].text), &out);
        assert_str_equal(buf_text(&out), cases[i].written);
        buf_free(&out);
    }
}

int group_columns(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_print_themselves),
        cmocka_unit_test(forms_and_texts_of_the_unknown),
        cmocka_unit_test(columns_without_values_are_hidden),
        cmocka_unit_test(rows_have_a_style_and_odd_cells),
        cmocka_unit_test(a_total_has_the_fields_of_the_same_name),
        cmocka_unit_test(csv_has_the_same_columns),
        cmocka_unit_test(amounts_in_csv_have_their_currency),
        cmocka_unit_test(memory_that_runs_out_is_reported),
        cmocka_unit_test(a_text_is_no_formula),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
