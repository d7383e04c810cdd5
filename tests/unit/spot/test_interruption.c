/* The interruption risk of a spot machine, from observed rows. */
#include "test.h"

#include <math.h>

#include "spot/interruption.h"

static struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};

#define HEADER \
    "provider,region,zone,accelerator,count,spot_share,availability,lost_30min,lost_1h,lost_" \
    "2h,lost_4h," \
    "lost_8h,lost_24h,days,date,source\n"

/* The built-in rows are of aws and gcp; these are of others. */
static void load(const char *rows, struct catalog *catalog)
{
    struct catalog_layer layer = {TABLE_INTERRUPTIONS, "own.csv", str_from(rows)};
    struct error err = {0};

    *catalog = (struct catalog){0};
    if (!catalog_load(catalog, TABLE_BIT(TABLE_INTERRUPTIONS), &layer, 1, &arena, &err))
        fail_msg("%s", err.text);
}

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static double risk(const struct interruption_model *m, double share, double hours)
{
    return -expm1(-interruption_hazard(m, share, hours, 0));
}

static void follows_the_rows_of_its_provider(void **state)
{
    struct interruption_model m;
    struct catalog catalog;

    (void)state;
    /* A hazard of 0.2 in the first hour that grows with the square root of time. */
    load(HEADER
         "acme,r,z,H100,1,,,0.13188,0.18127,0.24636,0.32968,0.43202,0.62462,9,2026-01-01,x\n",
         &catalog);
    m = interruption_model(&catalog, STR("acme"));
    assert_int_equal(m.basis, BASIS_PROVIDER);
    assert_int_equal(m.rows, 1);
    assert_near(m.shape, 0.5, 1e-3);
    assert_near(risk(&m, NAN, 1), 0.18127, 1e-4);
    assert_near(risk(&m, 0.9, 4), 0.32968, 1e-4); /* no line: the price does not matter */
    assert_near(risk(&m, NAN, 16), -expm1(-0.8), 1e-3);
    assert_true(interruption_hazard(&m, NAN, 1, 1) > interruption_hazard(&m, NAN, 1, 0));
    assert_true(interruption_hazard(&m, NAN, 1, -1) < interruption_hazard(&m, NAN, 1, 0));
}

static void scarce_machines_are_lost_sooner(void **state)
{
    struct interruption_model m;
    struct catalog catalog;

    (void)state;
    load(HEADER "acme,r,a,H100,1,0.3,,,0.1,0.19,,,,9,2026-01-01,x\n"
                "acme,r,b,H100,1,0.5,,,0.3,0.51,,,,9,2026-01-01,x\n"
                "acme,r,c,H100,1,0.7,,,0.6,0.84,,,,9,2026-01-01,x\n",
         &catalog);
    m = interruption_model(&catalog, STR("acme"));
    assert_int_equal(m.basis, BASIS_PRICE);
    assert_near(m.shape, 1, 1e-6); /* lost at a steady rate */
    assert_true(risk(&m, 0.3, 1) < risk(&m, 0.5, 1) && risk(&m, 0.5, 1) < risk(&m, 0.7, 1));
    assert_near(risk(&m, 0.3, 1), 0.1, 0.03);
    assert_near(risk(&m, 0.7, 1), 0.6, 0.1);
    /* Far beyond the observed range the nearest observation is used. */
    assert_near(risk(&m, 0.85, 1), risk(&m, 2, 1), 1e-12);
    assert_near(risk(&m, 0.15, 1), risk(&m, 0.01, 1), 1e-12);
    /* Without a price, the average of the rows: of -ln(1 - 0.1), -ln(0.7), -ln(0.4). */
    assert_near(interruption_hazard(&m, NAN, 1, 0), cbrt(0.105361 * 0.356675 * 0.916291), 1e-5);
}

static void a_line_that_falls_is_no_line(void **state)
{
    struct interruption_model m;
    struct catalog catalog;

    (void)state;
    load(HEADER "acme,r,a,H100,1,0.7,,,0.1,0.19,,,,9,2026-01-01,x\n"
                "acme,r,b,H100,1,0.5,,,0.3,0.51,,,,9,2026-01-01,x\n"
                "acme,r,c,H100,1,0.3,,,0.6,0.84,,,,9,2026-01-01,x\n",
         &catalog);
    m = interruption_model(&catalog, STR("acme"));
    assert_int_equal(m.basis, BASIS_PROVIDER);
    assert_near(risk(&m, 0.3, 1), risk(&m, 0.7, 1), 1e-12);
}

static void other_providers_are_used_for_an_unobserved_one(void **state)
{
    struct interruption_model aws, unobserved;
    struct catalog catalog;

    (void)state;
    load(HEADER, &catalog);
    aws = interruption_model(&catalog, STR("aws"));
    unobserved = interruption_model(&catalog, STR("vast"));
    assert_int_equal(aws.basis, BASIS_PRICE);
    assert_int_equal(unobserved.basis, BASIS_ALL);
    assert_int_equal(unobserved.rows, catalog.tables[TABLE_INTERRUPTIONS].len);
    assert_true(unobserved.spread > aws.spread);
    /* Lifetimes are heavy-tailed in every trace. */
    assert_true(aws.shape > 0.5 && aws.shape < 1);
    /* The traces with prices: 18 %, 38 % and 80 % within two hours. */
    assert_near(risk(&aws, 0.309, 2), 0.18, 0.05);
    assert_near(risk(&aws, 0.413, 2), 0.38, 0.08);
    assert_near(risk(&aws, 0.540, 2), 0.80, 0.05);
}

static void without_observations_nothing_is_known(void **state)
{
    struct catalog empty = {0};
    struct interruption_model m = interruption_model(&empty, STR("aws"));

    (void)state;
    assert_int_equal(m.basis, BASIS_NONE);
    assert_true(isnan(interruption_hazard(&m, 0.5, 2, 0)));
}

int group_interruption(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_rows_of_its_provider),
        cmocka_unit_test(scarce_machines_are_lost_sooner),
        cmocka_unit_test(a_line_that_falls_is_no_line),
        cmocka_unit_test(other_providers_are_used_for_an_unobserved_one),
        cmocka_unit_test(without_observations_nothing_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, end);
}
