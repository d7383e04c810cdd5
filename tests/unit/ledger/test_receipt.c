/* What a server answers about a run that was sent to it. */
#include "test.h"

#include "ledger/runs/receipt.h"

static void a_blank_receipt_knows_no_amounts(void **state)
{
    struct run_receipt r = run_receipt_blank();

    (void)state;
    assert_int_equal(r.attempt, -1);
    assert_int_equal(r.before_cost.nano, MONEY_UNKNOWN);
    assert_int_equal(r.month_spent.nano, MONEY_UNKNOWN);
    assert_int_equal(r.budget.remaining.nano, MONEY_UNKNOWN);
    assert_int_equal(r.budget.others.nano, MONEY_UNKNOWN);
    assert_int_equal(r.notes.len, 0);
}

static void a_clock_that_differs_is_noted(void **state)
{
    struct arena arena = {.alloc = &alloc_system};
    struct run_receipt r = run_receipt_blank();
    struct error err = {0};

    (void)state;
    assert_true(run_receipt_note_clock(&r, 0, &arena, &err));
    assert_int_equal(r.notes.len, 0);
    assert_true(run_receipt_note_clock(&r, -90, &arena, &err));
    assert_int_equal(r.notes.len, 1);
    assert_true(str_starts(r.notes.at[0], STR("this machine's clock is 90 s ahead of the ")));
    assert_true(run_receipt_note_clock(&r, 7200, &arena, &err));
    assert_true(str_starts(r.notes.at[0], STR("this machine's clock is 7200 s behind the ")));
    arena_free(&arena);
}

int group_receipt(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blank_receipt_knows_no_amounts),
        cmocka_unit_test(a_clock_that_differs_is_noted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
