#include "test.h"

#include <math.h>

#include "estimate/money/cost.h"

#define DOLLAR INT64_C(1000000000)

static const usd_per_hour two_dollars = {2 * DOLLAR};
static const usd_per_hour unknown_price = {MONEY_UNKNOWN};

/* Two machines at $2 for ten hours (8 to 15), and nothing else. */
static struct cost_inputs plain(void)
{
    return (struct cost_inputs){.training = {8, 10, 15},
                                .machines = 2,
                                .price = two_dollars,
                                .parallel = 1,
                                .trial_fraction = 1,
                                .power = {NAN}};
}

static usd expected_of(const struct cost *cost, enum cost_line_id line)
{
    assert_true(cost->at[line].written);
    return cost->at[line].amount.expected;
}

static void training_costs_hours_times_machines(void **state)
{
    struct cost_inputs in = plain();
    struct cost cost = estimate_cost(&in);
    struct usd_range total = cost_total(&cost);

    (void)state;
    assert_int_equal(total.low.nano, 32 * DOLLAR);
    assert_int_equal(total.expected.nano, 40 * DOLLAR);
    assert_int_equal(total.high.nano, 60 * DOLLAR);
    assert_true(cost_hours(&cost).expected == 10);
}

static void each_phase_has_its_line(void **state)
{
    struct cost_inputs in = plain();
    struct cost cost;

    (void)state;
    in.setup_s = 360;
    in.upload_s = 720;
    in.download_s = 36;
    in.evaluation = 0.1;
    in.checkpoints = 0.02;
    in.ingress = (usd){DOLLAR / 2};
    in.egress = (usd){DOLLAR};
    cost = estimate_cost(&in);
    assert_int_equal(expected_of(&cost, COST_SETUP).nano, 4 * DOLLAR / 10);
    assert_int_equal(expected_of(&cost, COST_UPLOAD).nano, 8 * DOLLAR / 10 + DOLLAR / 2);
    assert_int_equal(expected_of(&cost, COST_DOWNLOAD).nano, 4 * DOLLAR / 100);
    assert_int_equal(expected_of(&cost, COST_EVALUATION).nano, 4 * DOLLAR);
    assert_int_equal(expected_of(&cost, COST_CHECKPOINTS).nano, 8 * DOLLAR / 10);
    assert_int_equal(expected_of(&cost, COST_EGRESS).nano, DOLLAR);
    assert_int_equal(expected_of(&cost, COST_FAILURES).nano, 0);
    assert_int_equal(expected_of(&cost, COST_SEARCH).nano, 0);
    assert_true(fabs(cost_hours(&cost).expected - (10 + 0.1 + 0.2 + 0.01 + 1 + 0.2)) < 1e-9);
}

static void spot_and_plan_write_their_lines_later(void **state)
{
    struct cost_inputs in = plain();
    struct cost cost = estimate_cost(&in);
    const usd dollar = {DOLLAR};

    (void)state;
    assert_false(cost.at[COST_INTERRUPTIONS].written);
    assert_false(cost.at[COST_BILLING].written);
    assert_false(cost.at[COST_MARKUP].written);
    cost_write(&cost, COST_INTERRUPTIONS, (struct usd_range){{0}, dollar, dollar},
               (struct hours_range){0, 0.5, 0.5});
    assert_int_equal(cost_total(&cost).expected.nano, 41 * DOLLAR);
    assert_true(cost_hours(&cost).expected == 10.5);
}

static void every_line_has_a_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < COST_LINE_COUNT; i++)
        assert_non_null(cost_line_names[i]);
}

static void trials_side_by_side_cost_the_same_hours(void **state)
{
    struct cost_inputs in = plain();
    struct cost row, side;

    (void)state;
    in.trials = 20;
    in.trial_fraction = 0.25;
    row = estimate_cost(&in);
    in.parallel = 8;
    side = estimate_cost(&in);
    assert_int_equal(expected_of(&row, COST_SEARCH).nano, 20 * 10 * DOLLAR);
    assert_int_equal(expected_of(&side, COST_SEARCH).nano, 20 * 10 * DOLLAR);
    assert_true(row.at[COST_SEARCH].hours.expected == 50);
    assert_true(side.at[COST_SEARCH].hours.expected == 7.5); /* three rounds */

    in.setup_s = 3600; /* but each set of machines is set up: seven more */
    side = estimate_cost(&in);
    assert_int_equal(expected_of(&side, COST_SEARCH).nano, (20 * 10 + 7 * 4) * DOLLAR);

    in.parallel = 100; /* no more sets than trials */
    side = estimate_cost(&in);
    assert_true(side.at[COST_SEARCH].hours.expected == 2.5);
}

static void failures_add_repeated_work(void **state)
{
    struct cost_inputs in = plain();
    struct cost cost;

    (void)state;
    in.failures = 0.1;
    in.setup_s = 3600;
    cost = estimate_cost(&in);
    assert_int_equal(expected_of(&cost, COST_FAILURES).nano, 11 * 4 * DOLLAR / 10);
    in.trials = 2; /* trials fail too */
    cost = estimate_cost(&in);
    assert_int_equal(expected_of(&cost, COST_FAILURES).nano, 31 * 4 * DOLLAR / 10);
}

/* Energy follows all that machines are paid for. */
static void machines_work_and_wait(void **state)
{
    struct cost_inputs in = plain();
    struct machine_hours all = cost_machine_hours(&in);
    struct cost cost;

    (void)state;
    assert_true(all.busy.low == 8 && all.busy.expected == 10 && all.busy.high == 15);
    assert_true(all.waiting.expected == 0);
    in.lost.expected = 2;
    in.evaluation = 0.1;
    in.setup_s = 3600;
    in.upload_s = 1800;
    in.failures = 0.5;
    in.trials = 20;
    in.trial_fraction = 0.25;
    in.parallel = 4;
    all = cost_machine_hours(&in);
    assert_true(fabs(all.busy.expected - 13 * 6 * 1.5) <
                1e-9); /* 20 quarters of a run, and it */
    assert_true(fabs(all.waiting.expected - (4 * 1.5 + 0.5)) < 1e-9);
    cost = estimate_cost(&in);
    assert_int_equal(cost_total(&cost).expected.nano, /* two machines at $2 */
                     llround((all.busy.expected + all.waiting.expected) * 4e9));
}

static void owned_machines_pay_power_separately(void **state)
{
    struct cost_inputs in = plain();
    struct cost cost = estimate_cost(&in);

    (void)state;
    assert_int_equal(expected_of(&cost, COST_ELECTRICITY).nano, 0); /* in the price */
    in.price = (usd_per_hour){0};
    in.power = (watt){1000};
    in.tariff = (usd_per_kwh){DOLLAR / 5};
    in.setup_s = 3600;
    cost = estimate_cost(&in);
    assert_int_equal(cost_total(&cost).expected.nano, 11 * DOLLAR / 5);
    in.power = (watt){NAN};
    cost = estimate_cost(&in);
    assert_int_equal(cost_total(&cost).expected.nano, MONEY_UNKNOWN);
}

static void storage_is_billed_by_the_month_and_at_least_the_minimum(void **state)
{
    const usd_per_gb price = {23000000}; /* $0.023 */
    const bytes size = {UINT64_C(100000000000)};

    (void)state;
    assert_int_equal(cost_of_storage(price, size, 30, 0).nano, 23 * DOLLAR / 10);
    assert_int_equal(cost_of_storage(price, size, 15, 0).nano, 115 * DOLLAR / 100);
    assert_int_equal(cost_of_storage(price, size, 1, 90).nano, 69 * DOLLAR / 10);
    assert_int_equal(cost_of_storage(price, (bytes){0}, 1, 90).nano, 0);
    assert_int_equal(cost_of_storage(price, BYTES_UNKNOWN, 1, 0).nano, MONEY_UNKNOWN);
    assert_int_equal(cost_of_storage(price, size, NAN, 0).nano, MONEY_UNKNOWN);
    assert_int_equal(cost_of_storage(price, size, -1, 0).nano, MONEY_UNKNOWN);
    assert_int_equal(cost_of_storage((usd_per_gb){MONEY_UNKNOWN}, size, 1, 0).nano,
                     MONEY_UNKNOWN);
    assert_int_equal(cost_of_storage((usd_per_gb){INT64_MAX}, size, 99999, 0).nano,
                     MONEY_UNKNOWN);
}

/* Each of these makes one line unknown, and with it the total. */
static void an_unknown_line_makes_the_total_unknown(void **state)
{
    struct cost_inputs cases[12];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        cases[i] = plain();
    cases[0].price = unknown_price;
    cases[1].machines = 0;
    cases[2].training.expected = NAN;
    cases[3].training.expected = -1;
    cases[4].setup_s = NAN;
    cases[5].upload_s = -1;
    cases[6].evaluation = NAN;
    cases[7].failures = -0.1;
    cases[8].egress = USD_UNKNOWN;
    cases[9].trials = -1;
    cases[10].trials = 3;
    cases[10].parallel = 0;
    cases[11].training.expected = 1e15; /* and what does not fit */
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cost cost = estimate_cost(&cases[i]);

        if (cost_total(&cost).expected.nano != MONEY_UNKNOWN)
            fail_msg("case %zu is known", i);
    }
}

/* A price that may be off widens the part that machines cost, and nothing else. */
static void an_old_price_widens_what_machines_cost(void **state)
{
    struct usd_range total = {{8 * DOLLAR}, {12 * DOLLAR}, {18 * DOLLAR}}, range;
    double time = log(16.0 / 10), price = 0.3;

    (void)state;
    range = cost_widen(total, (usd){2 * DOLLAR}, price);
    assert_int_equal(range.expected.nano, total.expected.nano);
    assert_true(fabs(usd_double(range.high) - (2 + 10 * exp(hypot(time, price)))) < 1e-6);
    assert_true(fabs(usd_double(range.low) - (2 + 10 * exp(-hypot(log(10.0 / 6), price)))) <
                1e-6);
    range = cost_widen(total, (usd){2 * DOLLAR}, 0);
    assert_int_equal(range.low.nano, total.low.nano);
    assert_int_equal(range.high.nano, total.high.nano);
    range = cost_widen((struct usd_range){USD_UNKNOWN, USD_UNKNOWN, USD_UNKNOWN}, (usd){0}, 1);
    assert_int_equal(range.high.nano, MONEY_UNKNOWN);
    /* All of it is paid already: there is no price left that could be off. */
    range = cost_widen((struct usd_range){{DOLLAR}, {DOLLAR}, {DOLLAR}}, (usd){DOLLAR}, 1);
    assert_int_equal(range.high.nano, DOLLAR);
}

static void money_is_exact_to_the_nano_dollar(void **state)
{
    (void)state;
    assert_int_equal(cost_of_hours((usd_per_hour){3670000000}, 24).nano, 88080000000);
    assert_int_equal(cost_of_hours((usd_per_hour){1}, 0.5).nano, 1);
    assert_int_equal(cost_of_hours(two_dollars, 0).nano, 0);
    assert_int_equal(cost_of_hours(two_dollars, NAN).nano, MONEY_UNKNOWN);
    assert_int_equal(cost_of_hours(two_dollars, -1).nano, MONEY_UNKNOWN);
    assert_int_equal(cost_of_hours(two_dollars, 1e7).nano, MONEY_UNKNOWN);
    assert_int_equal(cost_of_hours((usd_per_hour){INT64_MAX}, 1000).nano, MONEY_UNKNOWN);
    assert_int_equal(cost_of_hours(unknown_price, 1).nano, MONEY_UNKNOWN);
}

static void a_total_is_shared_out(void **state)
{
    (void)state;
    assert_int_equal(cost_each((usd){40 * DOLLAR}, 100).nano, 4 * DOLLAR / 10);
    assert_int_equal(cost_each((usd){40 * DOLLAR}, 0).nano, MONEY_UNKNOWN);
    assert_int_equal(cost_each((usd){40 * DOLLAR}, NAN).nano, MONEY_UNKNOWN);
    assert_int_equal(cost_each(USD_UNKNOWN, 1).nano, MONEY_UNKNOWN);
}

static void output_costs_what_the_machine_costs_while_it_makes_it(void **state)
{
    (void)state;
    /* 1,000 tokens a second at $2 an hour: $0.5556 a million, twice that when half idle. */
    assert_int_equal(cost_of_output(two_dollars, 1000, 1, 1e6).nano, 555555556);
    assert_int_equal(cost_of_output(two_dollars, 1000, 0.5, 1e6).nano, 1111111111);
    assert_int_equal(cost_of_output(two_dollars, 0, 1, 1e6).nano, MONEY_UNKNOWN);
    assert_int_equal(cost_of_output(two_dollars, 1000, 0, 1e6).nano, MONEY_UNKNOWN);
    assert_int_equal(cost_of_output(two_dollars, 1000, 1.1, 1e6).nano, MONEY_UNKNOWN);
}

int group_cost(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(training_costs_hours_times_machines),
        cmocka_unit_test(each_phase_has_its_line),
        cmocka_unit_test(spot_and_plan_write_their_lines_later),
        cmocka_unit_test(every_line_has_a_name),
        cmocka_unit_test(trials_side_by_side_cost_the_same_hours),
        cmocka_unit_test(failures_add_repeated_work),
        cmocka_unit_test(machines_work_and_wait),
        cmocka_unit_test(owned_machines_pay_power_separately),
        cmocka_unit_test(storage_is_billed_by_the_month_and_at_least_the_minimum),
        cmocka_unit_test(an_unknown_line_makes_the_total_unknown),
        cmocka_unit_test(an_old_price_widens_what_machines_cost),
        cmocka_unit_test(money_is_exact_to_the_nano_dollar),
        cmocka_unit_test(a_total_is_shared_out),
        cmocka_unit_test(output_costs_what_the_machine_costs_while_it_makes_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
