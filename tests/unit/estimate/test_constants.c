/* The constants: each has a value, and a table with a wrong one is refused. */
#include "known.h"

#include <string.h>

#define HEADER "name,value,unit,prior,spread,fitted_on,date,source,notes\n"

static bool load_over(const char *text, struct constants *out, struct error *err)
{
    struct catalog_layer mine = {
        .table = TABLE_CONSTANTS, .name = "my.csv", .text = str_from(text)};
    struct arena own = test_arena();
    struct catalog with = {0};
    bool ok = catalog_load(&with, TABLE_BIT(TABLE_CONSTANTS), &mine, 1, &own, err) &&
              constants_load(&with, out, err);

    arena_free(&own);
    return ok;
}

static void every_constant_has_a_row_and_every_row_a_constant(void **state)
{
    (void)state;
    assert_int_equal(known_catalog.tables[TABLE_CONSTANTS].len, CONSTANT_COUNT);
    for (size_t i = 0; i < CONSTANT_COUNT; i++)
        assert_true(known_constants.at[i] > 0 && isfinite(known_constants.at[i]));
}

static void fitted_constants_are_near_their_prior(void **state)
{
    static const char *const kinds[] = {"training", "memory",  "inference", "energy",
                                        "h200",     "kernels", "none"};

    (void)state;
    for (size_t i = 0; i < CONSTANT_COUNT; i++) {
        const struct constant *row = CATALOG_ROW(&known_catalog, TABLE_CONSTANTS, constant, i);
        bool kind = false;

        for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
            kind |= str_eq(row->fitted_on, str_from(kinds[k]));
        if (!kind)
            fail_msg("%.*s is fitted on '%.*s'", STR_ARG(row->name), STR_ARG(row->fitted_on));
        /* Five standard deviations: farther away the prior, or the data, is wrong. */
        if (row->spread > 0 && row->prior > 0 &&
            !(fabs(log(row->value / row->prior)) <= 5 * row->spread))
            fail_msg("%.*s is %g, far from %g", STR_ARG(row->name), row->value, row->prior);
    }
}

static void the_users_value_counts(void **state)
{
    struct constants c;
    struct error err = {0};

    (void)state;
    assert_true(load_over(HEADER "gemm_hopper,0.5,share,,,none,2026-11-16,mine,\n", &c, &err));
    assert_true(c.at[C_gemm_hopper] == 0.5);
    assert_true(c.at[C_gemm_ampere] == known_constants.at[C_gemm_ampere]);
}

static void unknown_names_and_useless_values_are_refused(void **state)
{
    struct constants c;
    struct error err = {0};

    (void)state;
    assert_false(load_over(HEADER "gem_hopper,0.5,share,,,none,2026-11-16,mine,\n", &c, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, "my.csv:2: there is no constant 'gem_hopper'");
    assert_false(load_over(HEADER "gemm_hopper,-1,share,,,none,2026-11-16,mine,\n", &c, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_false(load_over(HEADER "gemm_hopper,1e20,x,,,none,2026-11-16,mine,\n", &c, &err));
    assert_non_null(strstr(err.text, "gemm_hopper"));
}

/* A rate of zero would make infinite times. */
static void a_rate_of_zero_is_refused(void **state)
{
    struct constants c;
    struct error err = {0};

    (void)state;
    assert_false(load_over(HEADER "memory_rate,0,share,,,none,2026-11-16,me,\n", &c, &err));
    assert_non_null(strstr(err.text, "memory_rate"));
}

static void a_missing_table_is_an_error(void **state)
{
    struct catalog empty = {0};
    struct constants c;
    struct error err = {0};

    (void)state;
    assert_false(constants_load(&empty, &c, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, constant_names[0]));
}

int group_constants(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_constant_has_a_row_and_every_row_a_constant),
        cmocka_unit_test(fitted_constants_are_near_their_prior),
        cmocka_unit_test(the_users_value_counts),
        cmocka_unit_test(unknown_names_and_useless_values_are_refused),
        cmocka_unit_test(a_rate_of_zero_is_refused),
        cmocka_unit_test(a_missing_table_is_an_error),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
