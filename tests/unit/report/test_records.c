/* Records look the same wherever they are shown. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "budget/budget.h"
#include "report/records.h"

static struct budget_view budget_of(const char *spent, const char *limit, double threshold)
{
    static double thresholds[1];
    static struct ledger_budget budget;
    struct budget_state s = {.budget = &budget, .forecast = NAN};
    struct budget_view out;
    struct arena arena = {.alloc = &alloc_system};
    struct error err = {0};

    thresholds[0] = threshold;
    budget = (struct ledger_budget){.amount = {.currency = currency_usd},
                                    .thresholds = {thresholds, 1}};
    assert_true(decimal_parse(str_from(spent), &s.spent));
    assert_true(decimal_parse(str_from(limit), &s.limit));
    budget_compare(&s);
    assert_true(budget_view_make(&s, &arena, &out, &err));
    out.state.at = NULL; /* in the arena */
    arena_free(&arena);
    return out;
}

/* The column of this name at a place, as it is shown of a row. */
static void assert_cell(const struct columns *columns, const char *member,
                        const struct field_set *set, const void *row, const char *expected)
{
    const struct table_rows rows = {set, row, 1};
    struct buf out = buf_new(&alloc_system, 1000);

    for (size_t c = 0; c < columns->len; c++)
        if (columns->at[c].member != NULL && strcmp(columns->at[c].member, member) == 0 &&
            columns_show(columns, c, &rows))
            column_write(&columns->at[c], set, row, &out);
    assert_str_equal(buf_text(&out), expected);
    buf_free(&out);
}

/* Never 100 % before all of it is spent, never 99 % when it is. */
static void test_share_of_budget(void **state)
{
    static const struct {
        const char *spent, *limit, *shown;
        enum term_style style;
    } cases[] = {
        {"0", "100", "0 %", STYLE_PLAIN},
        {"49.999", "100", "49 %", STYLE_PLAIN},
        {"58", "100", "58 %", STYLE_WARN}, /* 0.58 * 100 is 57.99999999999999 */
        {"99.6", "100", "99 %", STYLE_WARN},
        {"99.999999999999999999", "100", "99 %", STYLE_WARN},
        {"100", "100", "100 %", STYLE_BAD},
        {"0.3", "0.3", "100 %", STYLE_BAD},
        {"1.09999", "1", "109 %", STYLE_BAD},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct budget_view b = budget_of(cases[i].spent, cases[i].limit, 0.5);

        for (enum column_place place = PLACE_ANY; place < PLACES; place++) {
            assert_cell(&budget_columns[place], "share", &budget_view_fields, &b,
                        cases[i].shown);
            assert_int_equal(budget_columns[place].style(&b), cases[i].style);
        }
    }
}

static void test_budget_not_evaluated(void **state)
{
    struct ledger_budget none = {.amount = {{500, 0}, currency_usd}};
    struct budget_view b = {.budget = none, .is = {.share = NAN, .forecast = NAN}};

    (void)state;
    b.is.problem.kind = ERROR_INPUT;
    assert_int_equal(budget_style(&b), STYLE_WARN);
    assert_cell(&budget_columns[PLACE_REPORT], "limit", &budget_view_fields, &b, "$500.00");
    assert_cell(&budget_columns[PLACE_REPORT], "share", &budget_view_fields, &b, "?");
    assert_cell(&budget_columns[PLACE_REPORT], "forecast", &budget_view_fields, &b, "");
    assert_cell(&budget_columns[PLACE_PAGE], "forecast", &budget_view_fields, &b, "-");
}

/* A state has one word and one style on the terminal and on the page; a file has its name. */
static void test_runs(void **state)
{
    struct str tag = STR("team=nlp");
    struct ledger_run run = {.state = RUN_STOPPED,
                             .reason = STR(LEDGER_DETACHED),
                             .budget_share = 0.996,
                             .start = {.name = STR("bert"), .tags = {&tag, 1}}};
    const struct table_rows rows = {&ledger_run_fields, &run, 1};
    struct buf out = buf_new(&alloc_system, 10000);

    (void)state;
    for (enum column_place place = PLACE_TERMINAL; place <= PLACE_PAGE; place++) {
        assert_cell(&run_columns[place], "state", &ledger_run_fields, &run, "detached");
        assert_int_equal(run_columns[place].style(&run), STYLE_WARN);
    }
    assert_cell(&run_columns[PLACE_PAGE], "budget_share", &ledger_run_fields, &run, "99 %");
    for (size_t c = 0; c < run_columns[PLACE_PAGE].len; c++)
        if (strcmp(run_columns[PLACE_PAGE].at[c].title, "team") == 0)
            assert_true(columns_show(&run_columns[PLACE_PAGE], c, &rows));
        else if (strcmp(run_columns[PLACE_PAGE].at[c].title, "project") == 0)
            assert_false(columns_show(&run_columns[PLACE_PAGE], c, &rows));
    columns_csv(&run_columns[PLACE_FILE], &rows, &out);
    assert_true(str_starts(buf_text(&out), STR("id,name,state,started_utc,ended_utc,duration_s,"
                                               "cost_usd,budget_usd,energy_kwh,")));
    buf_free(&out);
}

int group_records(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_share_of_budget),
        cmocka_unit_test(test_budget_not_evaluated),
        cmocka_unit_test(test_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
