/* Which run pays which part of a bill. */
#include "reconciling.h"

#include "account/reconcile/reconciliation.h"

static void a_run_pays_for_its_share_of_the_machine(void **state)
{
    struct reconcile_machine m[] = {machine("arn:aws:ec2:us-east-1:1:instance/i-01", "x")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "48"), cell(0, 1, 10, "20")};
    struct reconcile_attempt a[] = {attempt("i-01", 0, 18, 12)}; /* 6 hours of each day */

    (void)state;
    match(m, 1, c, 2, a, 1);
    assert_int_equal(a[0].how, RECONCILE_RESOURCE);
    assert_amount(a[0].billed, "24");
    assert_amount(c[0].matched, "12");
    assert_amount(c[1].matched, "12");
    assert_near(a[0].hours_billed, 12, 1e-9);
}

/* However often the machine was shared and whatever the digits: the sum is exact. */
static void shares_never_add_up_to_more_than_the_cell(void **state)
{
    uint64_t random = 3;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct reconcile_machine m[] = {machine("i-1", "x")};
        struct reconcile_cell c[] = {cell(0, 0, 24, "0"), cell(0, 1, 7.3, "0")};
        struct reconcile_attempt a[9];
        struct decimal sum = {0}, cells;
        size_t count;

        random = random * 6364136223846793005u + 1442695040888963407u;
        count = 1 + (random >> 33) % ARRAY_LEN(a);
        for (size_t i = 0; i < 2; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            c[i].cost = (struct decimal){(int64_t)(random >> 20) - (int64_t)(1LL << 42), 15};
        }
        for (size_t i = 0; i < count; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            a[i] = attempt("i-1", (int)(random >> 40) % 2, (int)(random >> 45) % 20,
                           (double)(random >> 50) / 2000);
        }
        match(m, 1, c, 2, a, count);
        for (size_t i = 0; i < count; i++)
            assert_true(decimal_add(sum, a[i].billed, &sum));
        assert_true(decimal_add(c[0].matched, c[1].matched, &cells));
        assert_int_equal(decimal_cmp(sum, cells), 0);
        for (size_t i = 0; i < 2; i++)
            assert_true(fabs(decimal_double(c[i].matched)) <=
                        fabs(decimal_double(c[i].cost)) + 1e-15);
    }
}

/* Two runs at the same time on one machine, both by its id: each its half. */
static void a_machine_may_be_shared(void **state)
{
    struct reconcile_machine m[] = {machine("i-1", "x")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "10")};
    struct reconcile_attempt a[] = {attempt("i-1", 0, 0, 24), attempt("i-1", 0, 0, 24),
                                    attempt("i-1", 0, 0, 24)};

    (void)state;
    match(m, 1, c, 1, a, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(a[i].how, RECONCILE_RESOURCE);
    assert_amount(a[0].billed, "3.333333333333");
    assert_amount(a[1].billed, "3.333333333334");
    assert_amount(a[2].billed, "3.333333333333");
    assert_amount(c[0].matched, "10");
}

/* Its time counts once, its money in both; the run's own sum is in the first. */
static void two_currencies_are_separate(void **state)
{
    struct reconcile_machine m[] = {machine("i-1", "x")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "24"), cell(0, 0, 24, "48")};
    struct reconcile_attempt a[] = {attempt("i-1", 0, 0, 6)};

    (void)state;
    c[0].currency = (struct currency){"EUR"};
    match(m, 1, c, 2, a, 1);
    assert_string_equal(a[0].currency.code, "EUR");
    assert_amount(a[0].billed, "6");
    assert_amount(c[1].matched, "12");
    assert_near(a[0].hours_billed, 6, 1e-9);
}

/* The end of a run: costs with many digits, nearly all of the time, and remainders. */
static void fully_assigned_cost_leaves_no_rest(void **state)
{
    struct reconcile_machine m[] = {machine("i-1", "x")};
    struct reconcile_cell c[] = {cell(0, 0, 10, "1.0000000000000000000000000001")};
    struct reconcile_attempt a[] = {attempt("i-1", 0, 0, 3.3), attempt("i-1", 0, 4, 6.55)};

    (void)state;
    match(m, 1, c, 1, a, 2);
    assert_int_equal(decimal_cmp(c[0].matched, c[0].cost), 0);
}

/* As many runs as machines, half of which are known: slow if every pair were compared. */
static void many_runs_and_machines_are_matched(void **state)
{
    enum { MANY = 2000, DAYS = 30 };
    struct arena arena = test_arena();
    struct error err = {0};
    struct reconcile_machine *m = arena_array(&arena, struct reconcile_machine, MANY, &err);
    struct reconcile_cell *c = arena_array(&arena, struct reconcile_cell, MANY * DAYS, &err);
    struct reconcile_attempt *a = arena_array(&arena, struct reconcile_attempt, MANY, &err);
    char(*ids)[24] = (char(*)[24])arena_get(&arena, MANY, 24, 1, &err);
    size_t found = 0;

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "i-%06zu", i);
        m[i] = machine(ids[i], "p4d.24xlarge");
        for (int on = 0; on < DAYS; on++)
            c[i * DAYS + (size_t)on] = cell(i, on, 24, "24");
        a[i] = attempt(i % 2 == 0 ? ids[MANY - 1 - i] : "", (int)(i % DAYS), 0, 20);
    }
    match(m, MANY, c, (size_t)MANY * DAYS, a, MANY);
    for (size_t i = 0; i < MANY; i++)
        found += a[i].how != RECONCILE_NOT && decimal_cmp(a[i].billed, number("20")) == 0;
    assert_int_equal(found, MANY);
    arena_free(&arena);
}

static void empty_input_is_no_error(void **state)
{
    struct reconcile_attempt a[] = {attempt("", 0, 0, 1)};

    (void)state;
    match(NULL, 0, NULL, 0, a, 1);
    assert_int_equal(a[0].how, RECONCILE_NOT);
    match(NULL, 0, NULL, 0, NULL, 0);
}

static void units_of_time_are_known(void **state)
{
    static const struct {
        const char *unit;
        double hours, of_azure;
    } units[] = {
        {"Hrs", 1, 1},
        {"Hours", 1, 1},
        {"hour", 1, 1},
        {"1 Hour", 1, 1},
        {"100 Hours", 100, 1},
        {"10 Hours", 10, 1},
        {"Hour", 1, 1},
        {"seconds", 1 / 3600.0, 1 / 3600.0},
        {"Minutes", 1 / 60.0, 1 / 60.0},
        {"GPU Hours", 1, 1},
        {"OCPU Per Hour", 1, 1},
        {"Core-Hours", 1, 1},
        {"GB-Hours", 0, 0},
        {"gibibyte hour", 0, 0},
        {"vCPU-Hours", 0, 0},
        {"1/Month", 0, 0},
        {"GB-Mo", 0, 0},
        {"Requests", 0, 0},
        {"Hours of support", 0, 0},
        {"", 0, 0},
        {"1", 0, 0},
        {" - ", 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        assert_near(reconcile_unit_hours(str_from(units[i].unit), false), units[i].hours,
                    1e-12);
        assert_near(reconcile_unit_hours(str_from(units[i].unit), true), units[i].of_azure,
                    1e-12);
    }
}

int group_reconcile(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_of_time_are_known),
        cmocka_unit_test(a_run_pays_for_its_share_of_the_machine),
        cmocka_unit_test(shares_never_add_up_to_more_than_the_cell),
        cmocka_unit_test(a_machine_may_be_shared),
        cmocka_unit_test(two_currencies_are_separate),
        cmocka_unit_test(fully_assigned_cost_leaves_no_rest),
        cmocka_unit_test(many_runs_and_machines_are_matched),
        cmocka_unit_test(empty_input_is_no_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
