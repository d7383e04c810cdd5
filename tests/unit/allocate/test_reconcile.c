#include "test.h"

#include "allocate/reconcile.h"

#define DAY 20000 /* 2024-10-04 */
#define HOUR 3600

static struct decimal number(const char *text)
{
    struct decimal d;

    assert_true(decimal_parse(str_from(text), &d));
    return d;
}

static struct reconcile_machine machine(const char *resource, const char *instance)
{
    return (struct reconcile_machine){.resource = str_from(resource),
                                      .provider = STR("AWS"),
                                      .region = STR("us-east-1"),
                                      .instance = str_from(instance)};
}

static struct reconcile_cell cell(size_t at, int on, double hours, const char *cost)
{
    return (struct reconcile_cell){.machine = at,
                                   .on = {DAY + on},
                                   .from = {(int64_t)(DAY + on) * 86400},
                                   .to = {(int64_t)(DAY + on + 1) * 86400},
                                   .hours = hours,
                                   .cost = number(cost),
                                   .currency = "USD"};
}

/* From an hour of a day, so many hours long. */
static struct reconcile_attempt attempt(const char *resource, int on, int hour, double hours)
{
    int64_t from = (int64_t)(DAY + on) * 86400 + (int64_t)hour * HOUR;

    return (struct reconcile_attempt){.run = STR("0199-run-aaaabbbb"),
                                      .name = STR("bert"),
                                      .resource = str_from(resource),
                                      .provider = STR("AWS"),
                                      .region = STR("us-east-1"),
                                      .instance = STR("p4d.24xlarge"),
                                      .from = {from},
                                      .to = {from + (int64_t)(hours * HOUR)}};
}

static void match(struct reconcile_machine *machines, size_t machine_count,
                  struct reconcile_cell *cells, size_t cell_count,
                  struct reconcile_attempt *attempts, size_t attempt_count)
{
    static struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct error err = {0};

    arena_free(&arena); /* of the last time */
    assert_true(reconcile(machines, machine_count, cells, cell_count, attempts, attempt_count,
                          &arena, &err));
}

static void assert_amount(struct decimal got, const char *wanted)
{
    if (decimal_cmp(got, number(wanted)) != 0)
        fail_msg("%.15g instead of %s", decimal_double(got), wanted);
}

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

static void ids_match_as_a_whole(void **state)
{
    struct reconcile_machine m[] = {machine("xi-01", "x"), machine("i-012", "x")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "1"), cell(1, 0, 24, "1")};
    struct reconcile_attempt a[] = {attempt("i-01", 0, 0, 5)};

    (void)state;
    match(m, 2, c, 2, a, 1);
    assert_int_equal(a[0].how, RECONCILE_NOT);
    assert_amount(c[0].matched, "0");
}

static void a_tag_names_the_run(void **state)
{
    static const char *const names[] = {"0199-run-aaaabbbb", "aaaabbbb", "bert"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct reconcile_machine m[] = {machine("i-7", "x"), machine("i-8", "x")};
        struct reconcile_cell c[] = {cell(0, 0, 24, "24"), cell(1, 0, 24, "24")};
        struct reconcile_attempt a[] = {attempt("", 0, 0, 6)};

        m[1].run = str_from(names[i]);
        match(m, 2, c, 2, a, 1);
        assert_int_equal(a[0].how, RECONCILE_TAG);
        assert_int_equal(a[0].machines[0], 1);
        assert_amount(a[0].billed, "6");
    }
}

static void without_an_id_type_and_time_tell(void **state)
{
    struct reconcile_machine m[] = {machine("i-1", "g5.xlarge"), machine("i-2", "P4D.24xlarge"),
                                    machine("i-3", "p4d.24xlarge")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "24"), cell(1, 0, 8, "8"),
                                 cell(2, 0, 24, "24")};
    struct reconcile_attempt a[] = {attempt("", 0, 0, 20), attempt("", 0, 0, 20)};

    (void)state;
    match(m, 3, c, 3, a, 2);
    assert_int_equal(a[0].how, RECONCILE_PLACE);
    assert_int_equal(a[0].machines[0], 2);
    /* Nothing is left that the second one fits on: 8 hours are not half of its time. */
    assert_int_equal(a[1].how, RECONCILE_NOT);
}

static void known_runs_come_before_guesses(void **state)
{
    struct reconcile_machine m[] = {machine("i-1", "p4d.24xlarge")};
    struct reconcile_cell c[] = {cell(0, 0, 20, "20")};
    struct reconcile_attempt a[] = {attempt("", 0, 0, 20), attempt("i-1", 0, 0, 20)};

    (void)state;
    match(m, 1, c, 1, a, 2);
    assert_int_equal(a[0].how, RECONCILE_NOT);
    assert_int_equal(a[1].how, RECONCILE_RESOURCE);
    assert_amount(c[0].matched, "20");
}

static void a_run_that_knows_its_machine_is_on_no_other(void **state)
{
    struct reconcile_machine m[] = {machine("i-1", "p4d.24xlarge")};
    struct reconcile_cell c[] = {cell(0, 0, 24, "20")};
    struct reconcile_attempt a[] = {attempt("i-9", 0, 0, 20)};

    (void)state;
    match(m, 1, c, 1, a, 1);
    assert_int_equal(a[0].how, RECONCILE_NOT);
}

/* However often the machine was shared and whatever the digits: nothing is lost or made. */
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

static void nothing_is_no_failure(void **state)
{
    struct reconcile_attempt a[] = {attempt("", 0, 0, 1)};

    (void)state;
    match(NULL, 0, NULL, 0, a, 1);
    assert_int_equal(a[0].how, RECONCILE_NOT);
    match(NULL, 0, NULL, 0, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_pays_for_its_share_of_the_machine),
        cmocka_unit_test(ids_match_as_a_whole),
        cmocka_unit_test(a_tag_names_the_run),
        cmocka_unit_test(without_an_id_type_and_time_tell),
        cmocka_unit_test(known_runs_come_before_guesses),
        cmocka_unit_test(a_run_that_knows_its_machine_is_on_no_other),
        cmocka_unit_test(shares_never_add_up_to_more_than_the_cell),
        cmocka_unit_test(nothing_is_no_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
