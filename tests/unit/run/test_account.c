/* What a run has cost so far. */
#include "test.h"

#include "run/supervise/account.h"
#include "unit/energy.h"

#define S INT64_C(1000000000)

static struct run_charge nothing(void)
{
    return (struct run_charge){.rate = USD_PER_HOUR_UNKNOWN,
                               .electricity = {MONEY_UNKNOWN},
                               .pue = 1,
                               .grams_per_kwh = NAN,
                               .setup = USD_UNKNOWN,
                               .storage = USD_UNKNOWN,
                               .transfer = USD_UNKNOWN,
                               .extra = USD_UNKNOWN};
}

static void time_costs_and_phases_add_up_exactly(void **state)
{
    struct run_charge charge = nothing();
    struct account account;
    int64_t sum = 0;
    usd expected;

    (void)state;
    charge.rate = (usd_per_hour){2490000001};
    account_start(&account, &charge, (instant){7});
    for (int i = 1; i <= 1000; i++)
        account_see(&account, (instant){7 + i * S / 3 + i}, (enum run_phase)(i % PHASE_COUNT),
                    NAN, NAN);
    assert_true(usd_for(charge.rate, (span){1000 * S / 3 + 1000}, &expected));
    assert_int_equal(account_cost(&account).nano, expected.nano);
    for (size_t i = 0; i < PHASE_COUNT; i++) {
        assert_true(account.phase[i].nano > 0);
        sum += account.phase[i].nano;
    }
    assert_int_equal(sum, expected.nano);
}

/* A part of an interval that was another phase moves there, and nothing is lost. */
static void parts_of_an_interval_move_between_phases(void **state)
{
    struct run_charge charge = nothing();
    struct account account;

    (void)state;
    charge.rate = (usd_per_hour){3600 * S};
    account_start(&account, &charge, (instant){0});
    account_see(&account, (instant){S}, PHASE_TRAIN, NAN, NAN);
    account_see(&account, (instant){3 * S}, PHASE_TRAIN, NAN, NAN);
    account_move(&account, PHASE_TRAIN, PHASE_CHECKPOINT, 0.5);
    assert_int_equal(account.phase[PHASE_CHECKPOINT].nano, S / 2);
    assert_int_equal(account.phase[PHASE_TRAIN].nano, 5 * S / 2);
    account_see(&account, (instant){4 * S}, PHASE_TRAIN, NAN, NAN);
    account_move(&account, PHASE_TRAIN, PHASE_CHECKPOINT, 9); /* at most all of the interval */
    assert_int_equal(account.phase[PHASE_CHECKPOINT].nano, 3 * S / 2);
    assert_int_equal(account_cost(&account).nano, 4 * S);
    account_see(&account, (instant){4 * S}, PHASE_TRAIN, NAN, NAN);
    account_move(&account, PHASE_TRAIN, PHASE_CHECKPOINT, 1);
    assert_int_equal(account.phase[PHASE_CHECKPOINT].nano, 3 * S / 2);
}

static void upfront_cost_counts_at_once(void **state)
{
    struct run_charge charge = nothing();
    struct account account;

    (void)state;
    charge.rate = (usd_per_hour){3600 * S};
    charge.extra = (usd){12 * S};
    charge.setup = (usd){S};
    account_start(&account, &charge, (instant){0});
    assert_int_equal(account_cost(&account).nano, 13 * S);
    account_see(&account, (instant){2 * S}, PHASE_TRAIN, NAN, NAN);
    assert_int_equal(account_cost(&account).nano, 15 * S);
}

static void an_unknown_price_stays_unknown(void **state)
{
    struct run_charge charge = nothing();
    struct account account;

    (void)state;
    charge.extra = (usd){12 * S};
    account_start(&account, &charge, (instant){0});
    account_see(&account, (instant){2 * S}, PHASE_TRAIN, 5, 5);
    assert_int_equal(account_cost(&account).nano, MONEY_UNKNOWN);
    assert_true(isnan(account_grams(&account)));
}

static void electricity_is_paid_by_the_energy(void **state)
{
    struct run_charge charge = nothing();
    struct account account;

    (void)state;
    charge.electricity = (usd_per_kwh){300000000};
    charge.pue = 1.5;
    charge.grams_per_kwh = 400;
    account_start(&account, &charge, (instant){0});
    account_see(&account, (instant){3600 * S}, PHASE_TRAIN, 2 * JOULES_PER_KWH, 2000);
    assert_int_equal(account_cost(&account).nano, 900000000);
    assert_int_equal(account.rate.nano, 900000000);
    assert_near(account_grams(&account), 1200, 1e-9);
    /* A meter that stops answering subtracts nothing. */
    account_see(&account, (instant){3601 * S}, PHASE_TRAIN, NAN, NAN);
    assert_int_equal(account_cost(&account).nano, 900000000);
}

static void a_machine_and_its_electricity_add_up(void **state)
{
    struct run_charge charge = nothing();
    struct account account;

    (void)state;
    charge.rate = (usd_per_hour){S};
    charge.electricity = (usd_per_kwh){300000000};
    account_start(&account, &charge, (instant){0});
    account_see(&account, (instant){3600 * S}, PHASE_TRAIN, JOULES_PER_KWH, 1000);
    assert_int_equal(account_cost(&account).nano, 1300000000);
    assert_int_equal(account.rate.nano, 1300000000);
}

/* Without a meter the cost is unknown, not zero. */
static void unmetered_electricity_is_unknown(void **state)
{
    struct run_charge charge = nothing();
    struct account account;

    (void)state;
    charge.electricity = (usd_per_kwh){300000000};
    account_start(&account, &charge, (instant){0});
    account_see(&account, (instant){S}, PHASE_SETUP, NAN, NAN);
    assert_int_equal(account_cost(&account).nano, MONEY_UNKNOWN);
    account_see(&account, (instant){2 * S}, PHASE_TRAIN, JOULES_PER_KWH, 500);
    assert_int_equal(account_cost(&account).nano, 300000000);
    assert_int_equal(account.phase[PHASE_TRAIN].nano, 300000000);
}

static void unstarted_run_costs_nothing(void **state)
{
    struct run_charge charge = nothing();
    struct account account;

    (void)state;
    charge.rate = (usd_per_hour){3600 * S};
    charge.setup = (usd){S};
    account_start(&account, &charge, (instant){0});
    account_nothing(&account);
    assert_int_equal(account_cost(&account).nano, 0);
}

static void share_of(struct account *account, int64_t at, int64_t paid, double part)
{
    account_share(account, &(struct account_share){
                               .paid = {paid}, .at = {at}, .part = part, .inside = part == 0});
}

/* It pays for its share of the machine's time; guards count with all of the price. */
static void a_machine_is_shared(void **state)
{
    struct run_charge charge = nothing();
    struct account account;

    (void)state;
    charge.rate = (usd_per_hour){3600 * S};
    account_start(&account, &charge, (instant){0});
    share_of(&account, 4 * S, 1 * S, 0.25);
    account_see(&account, (instant){4 * S}, PHASE_TRAIN, NAN, NAN);
    assert_int_equal(account_cost(&account).nano, 1 * S);
    assert_int_equal(account.rate.nano, 900 * S);
    assert_int_equal(account_rate_most(&account).nano, 3600 * S);
    assert_int_equal(account_rate_full(&account).nano, 3600 * S);
    /* Without a new value, the last one is used. */
    account_see(&account, (instant){8 * S}, PHASE_TRAIN, NAN, NAN);
    assert_int_equal(account_cost(&account).nano, 2 * S);
    account_share(&account, &(struct account_share){
                                .paid = {2 * S}, .at = {8 * S}, .part = 0.5, .fixed = true});
    account_see(&account, (instant){10 * S}, PHASE_IDLE, NAN, NAN);
    assert_int_equal(account_cost(&account).nano, 3 * S);
    assert_int_equal(account_rate_most(&account).nano, 1800 * S);
    assert_int_equal(account_rate_full(&account).nano, 3600 * S);
    assert_int_equal(account.phase[PHASE_TRAIN].nano, 2 * S);
}

/* Inside another run neither time nor electricity is paid, until that one has ended. */
static void a_run_inside_another_pays_nothing(void **state)
{
    struct run_charge charge = nothing();
    struct account account;

    (void)state;
    charge.rate = (usd_per_hour){3600 * S};
    charge.electricity = (usd_per_kwh){S};
    account_start(&account, &charge, (instant){0});
    share_of(&account, 2 * S, 0, 0);
    account_see(&account, (instant){2 * S}, PHASE_TRAIN, JOULES_PER_KWH, 1000);
    assert_int_equal(account_cost(&account).nano, 0);
    assert_int_equal(account.rate.nano, 0);
    share_of(&account, 3 * S, 1 * S, 1);
    account_see(&account, (instant){3 * S}, PHASE_TRAIN, 3 * JOULES_PER_KWH, 1000);
    assert_int_equal(account_cost(&account).nano, 1 * S + 2 * S);
    assert_int_equal(account.rate.nano, 3601 * S);
}

int group_account(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_costs_and_phases_add_up_exactly),
        cmocka_unit_test(parts_of_an_interval_move_between_phases),
        cmocka_unit_test(upfront_cost_counts_at_once),
        cmocka_unit_test(an_unknown_price_stays_unknown),
        cmocka_unit_test(electricity_is_paid_by_the_energy),
        cmocka_unit_test(a_machine_and_its_electricity_add_up),
        cmocka_unit_test(unmetered_electricity_is_unknown),
        cmocka_unit_test(unstarted_run_costs_nothing),
        cmocka_unit_test(a_machine_is_shared),
        cmocka_unit_test(a_run_inside_another_pays_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
