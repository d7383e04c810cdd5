/* Tables made from records and lists of columns. */
#include "test.h"

#include <limits.h>
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
          "a     done   2026-11-15 10:00  $1,234.57  $2.49  1h30min  0.3 %\n"
          "-     -      -                         -      ?        ?      -\n");
}

static void forms_and_texts_of_the_unknown(void **state)
{
    static const struct column columns[] = {
        COLUMN("name", name, .unknown = "(none)"),
        COLUMN("exact", cost.amount, .form = COLUMN_EXACT, .unknown = "?"),
        COLUMN("change", cost.change, .form = COLUMN_CHANGE),
        COLUMN("share", cost.share),
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

/* Machines, as lists of prices have them. */
struct offer {
    struct str provider, region, gpu, note;
    int64_t gpus, others;
    double risk, risk_low, risk_high, hours;
    usd low, high;
    struct decimal billed;
    struct currency currency;
    bool best;
    int64_t seen, days;
};

static const struct field offer_fields[] = {
    FIELD(TEXT, offer, provider, .help = ""),
    FIELD(TEXT, offer, region, .help = ""),
    FIELD(TEXT, offer, gpu, .empty_unknown = true),
    FIELD(TEXT, offer, note, .help = ""),
    FIELD(COUNT, offer, gpus, .help = ""),
    FIELD(COUNT, offer, others, .help = ""),
    FIELD(SHARE, offer, risk, .help = ""),
    FIELD(SHARE, offer, risk_low, .help = ""),
    FIELD(SHARE, offer, risk_high, .help = ""),
    FIELD(NUMBER, offer, hours, .help = ""),
    FIELD(USD, offer, low, .help = ""),
    FIELD(USD, offer, high, .help = ""),
    FIELD(DECIMAL, offer, billed, .help = ""),
    FIELD(CURRENCY, offer, currency, .help = ""),
    FIELD(FLAG, offer, best, .help = ""),
    FIELD(COUNT, offer, seen, .help = ""),
    FIELD(COUNT, offer, days, .help = ""),
};

static const struct field_set offer_set = FIELD_SET(struct offer, offer_fields);

static const struct offer offers[] = {
    {{"aws", 3},
     {"eu-1", 4},
     {"H100", 4},
     {"odd", 3},
     8,
     0,
     0.41,
     0.3,
     0.52,
     14.2,
     {INT64_C(1200000000)},
     {INT64_C(3000000000)},
     {12345, 2},
     {"EUR"},
     true,
     12,
     104},
    {{"own", 3},
     {"", 0},
     {"", 0},
     {"none", 4},
     1,
     3,
     NAN,
     NAN,
     NAN,
     NAN,
     {INT64_C(1200000000)},
     {INT64_C(1200000000)},
     {0, INT_MAX},
     {""},
     false,
     5,
     5},
};

static void other_fields_complete_a_value(void **state)
{
    static const struct column columns[] = {
        COLUMN("where", provider, .under = {"region"}, .marks = {{"best", "*"}}),
        COLUMN("gpus", gpu, .times = "gpus", .otherwise = "note"),
        COLUMN("risk", risk, .from = "risk_low", .to = "risk_high"),
        COLUMN("time", hours, .form = COLUMN_HOURS),
        COLUMN("range", low, .to = "high", .form = COLUMN_ESTIMATE, .spread = true),
        COLUMN("billed", billed, .currency = "currency"),
        COLUMN("seen", seen, .of = "days", .unit = " d"),
        COLUMN("group", note, .others = "others"),
    };
    struct table_rows list = {&offer_set, offers, ARRAY_LEN(offers)};
    struct arena arena = test_arena();
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct term term = {0};

    (void)state;
    columns_print(COLUMNS(columns), &list, &term, &arena, &out);
    assert_str_equal(buf_text(&out),
                     "where      gpus                  risk    time           range"
                     "      billed         seen  group\n"
                     "aws/eu-1*  8x H100  41 % (30 to 52 %)  14.2 h  $1.20 to $3.00"
                     "  123.45 EUR  12 of 104 d  odd\n"
                     "own        none                     -       -               ?"
                     "           -          5 d  others (3)\n");
    buf_free(&out);
    arena_free(&arena);
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
                                     "a      done   0.3 %  $0.00\n"
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
        cmocka_unit_test(other_fields_complete_a_value),
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
