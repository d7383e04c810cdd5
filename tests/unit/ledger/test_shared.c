/* What others may have spent since their last record. */
#include "test.h"

#include "ledger/runs/shared.h"
#include "unit/time.h"

#define DOLLAR INT64_C(1000000000)
#define NOW INT64_C(1794700800)

static struct ledger_charge charge(int64_t rate, int64_t heard)
{
    return (struct ledger_charge){
        .rate = {rate}, .compute = {MONEY_UNKNOWN}, .elapsed = {-1}, .until = {heard}};
}

static void time_since_the_last_record_is_charged(void **state)
{
    struct shared_look look = {0};
    struct ledger_charge c = charge(3600 * DOLLAR, NOW - 4);

    (void)state;
    shared_add(&look, &c, (stamp){NOW}, false);
    assert_int_equal(look.others.nano, 3600 * DOLLAR);
    /* Seconds are cut off: four and a bit. */
    assert_true(look.spent.nano >= 5 * DOLLAR && look.spent.nano <= 5 * DOLLAR + 1);
    /* A clock that is ahead of ours does not take money back. */
    c = charge(3600 * DOLLAR, NOW + 100);
    shared_add(&look, &c, (stamp){NOW}, false);
    assert_int_equal(look.others.nano, 7200 * DOLLAR);
    assert_true(look.spent.nano >= 6 * DOLLAR);
}

static void rates_may_not_be_known(void **state)
{
    struct shared_look look = {0};
    struct ledger_charge c = charge(MONEY_UNKNOWN, NOW);

    (void)state;
    shared_add(&look, &c, (stamp){NOW}, false);
    assert_int_equal(look.others.nano, 0);
    assert_int_equal(look.spent.nano, 0);
    c.compute = (usd){DOLLAR}; /* electricity: as it was until now */
    c.elapsed = (span){SPAN_HOUR / 2};
    shared_add(&look, &c, (stamp){NOW}, false);
    assert_int_equal(look.others.nano, 2 * DOLLAR);
    c = charge(INT64_MAX, 0); /* invalid values do not overflow */
    shared_add(&look, &c, (stamp){NOW}, false);
    assert_int_equal(look.others.nano, 2 * DOLLAR);
}

static struct ledger_charge on_machine(int64_t rate, const char *boot, const char *pays)
{
    struct ledger_charge c = charge(rate, NOW);

    c.boot = str_from(boot);
    c.pays = str_from(pays);
    c.share = 0.25;
    return c;
}

static void a_machine_that_is_divided_is_paid_once(void **state)
{
    struct ledger_charge here = on_machine(36 * DOLLAR, "a", "machine"),
                         costly = on_machine(40 * DOLLAR, "a", "machine"),
                         there = on_machine(36 * DOLLAR, "b", "machine"),
                         fixed = on_machine(36 * DOLLAR, "a", "fixed"),
                         inside = on_machine(36 * DOLLAR, "a", "inside");
    struct shared_look look = {0};

    (void)state;
    for (int i = 0; i < 19; i++)
        shared_add(&look, &here, (stamp){NOW}, false);
    assert_int_equal(look.others.nano, 36 * DOLLAR);
    assert_int_equal(look.spent.nano, DOLLAR / 100 + 1); /* a second of it, not 19 */
    /* This run is one of them, and counted apart with all of the price. */
    shared_add(&look, &here, (stamp){NOW}, true);
    assert_int_equal(look.others.nano, 0);
    shared_add(&look, &costly, (stamp){NOW}, false);
    assert_int_equal(look.others.nano, 4 * DOLLAR);
    for (int i = 0; i < 3; i++)
        shared_add(&look, &there, (stamp){NOW}, false);
    assert_int_equal(look.others.nano, 40 * DOLLAR);
    shared_add(&look, &fixed, (stamp){NOW}, false);
    assert_int_equal(look.others.nano, 49 * DOLLAR);
    shared_add(&look, &inside, (stamp){NOW}, false);
    assert_int_equal(look.others.nano, 49 * DOLLAR);
}

int group_shared(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_since_the_last_record_is_charged),
        cmocka_unit_test(rates_may_not_be_known),
        cmocka_unit_test(a_machine_that_is_divided_is_paid_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
