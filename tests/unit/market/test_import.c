/* What the path of a price list says. */
#include "test.h"

#include "market/import.h"
#include "unit/time.h"

static void a_path_names_the_provider(void **state)
{
    static const struct {
        const char *path, *provider;
    } cases[] = {
        {"aws.csv", "aws"},
        {"aws_gpu_price_history.csv.xz", "aws"},
        {"gcp-2026-08-22.json", "gcp"},
        {"/data/aws/vms.csv", "aws"},
        {"catalogs/v8/lambda/vms.csv", "lambda"},
        {"/data/aws/gcp_skus.json", "gcp"}, /* the file's own name goes before */
        {"catalogs/v8/newcloud/vms.csv", "newcloud"},
        {"v10/newcloud/vms.csv", "newcloud"},
        {"catalogs/newcloud/vms.csv", ""},
        {"volumes/newcloud/vms.csv", ""},
        {"v/newcloud/vms.csv", ""},
        {"aws/deeper/vms.csv", ""},
        {"awsome.csv", ""},
        {"vms.csv", ""},
        {"/", ""},
        {"", ""},
    };
    struct arena arena = test_arena();
    struct catalog catalog = {0};
    struct error err = {0};

    (void)state;
    assert_true(catalog_load(&catalog, TABLE_BIT(TABLE_PROVIDERS), NULL, 0, &arena, &err));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str got = import_provider(&catalog, str_from(cases[i].path));

        if (!str_eq(got, str_from(cases[i].provider)))
            fail_msg("%s: '%.*s', not '%s'", cases[i].path, STR_ARG(got), cases[i].provider);
    }
    arena_free(&arena);
}

static void a_path_has_a_date(void **state)
{
    static const struct {
        const char *path;
        int64_t days; /* since 1970; -1: none */
    } cases[] = {
        {"gpu_offers_2026-08-22.csv", 20687},
        {"2026-08-22", 20687},
        {"/data/2026-08-22/aws/vms.csv", 20687},
        {"/data/2026-08-22/aws_2026-08-23.csv", 20688}, /* the last one */
        {"prices-2026-02-30.csv", -1},
        {"prices-2026-13-01.csv", -1},
        {"prices-1969-12-31.csv", -1},
        {"20260822.csv", -1},
        {"2026-08-2", -1},
        {"", -1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        stamp at = {-1};
        bool found = import_date(str_from(cases[i].path), &at);

        if (found != (cases[i].days >= 0) || (found && at.s != cases[i].days * SECONDS_PER_DAY))
            fail_msg("%s: %lld", cases[i].path, (long long)at.s);
    }
}

int group_import(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_names_the_provider),
        cmocka_unit_test(a_path_has_a_date),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
