/* What interruptions add on spot, and trials side by side, against numbers worked out by
 * hand. */
#include "price_world.h"

/* A loss every ten hours, a minute to save, six to start: an interval of sqrt(2 x 60 x 36000) =
 * 2078 s, of which saving, repeated work and starts take 2.9 + 2.9 + 1 %. */
static void interruptions_on_spot(void **state)
{
    (void)state;
    way.machines = 1;
    way.gpus = 8;
    place.market = MARKET_SPOT;
    place.risk = (struct plan_risk){.first_hour = 0.1, .shape = 1, .up = 0.8};
    price();
    assert_near(plan.overhead, 0.068, 0.006);
    assert_near(plan.save_every_s, 2078, 60);
    assert_near(plan.losses, 10 * (1 + plan.overhead) / 10, 0.01);
    assert_near(plan.risk, 1 - exp(-1), 1e-9);
    /* What is added to ten hours; the first start is set-up. */
    assert_near(line(COST_INTERRUPTIONS), 4 * 10 * plan.overhead, 1e-6);
    assert_near(plan.busy_h, 10 * (1 + plan.overhead) + 0.1, 1e-9);
    assert_near(plan.hours, plan.busy_h / 0.8, 1e-9); /* a fifth of the time there is none */
    assert_near(usd_double(plan.cost.at[COST_INTERRUPTIONS].amount.low), 0, 0);
    place.risk.first_hour = NAN; /* unknown: no plan on spot */
    assert_false(plan_price(&problem, &place, &way, &plan));
}

/* Of two machines most are lost together: 1.3 times the losses of one. */
static void more_machines_are_lost_more_often(void **state)
{
    (void)state;
    place.market = MARKET_SPOT;
    place.risk = (struct plan_risk){.first_hour = 0.01, .shape = 1, .up = 1};
    price();
    assert_near(plan.risk, 1 - exp(-0.01 * 1.3 * 10), 1e-9);
}

/* A deadline with a machine on demand to fall back on, and without. */
static void spot_and_a_deadline(void **state)
{
    (void)state;
    way.machines = 1;
    way.gpus = 8;
    place.market = MARKET_SPOT;
    place.risk = (struct plan_risk){.first_hour = 0.1, .shape = 1, .up = 0.8};
    problem.limits.deadline_h = 10.05; /* less than set-up and work */
    machine.on_demand = an_hour(10);
    assert_false(plan_price(&problem, &place, &way, &plan));
    problem.limits.deadline_h = 12;
    price();
    assert_near(plan.on_time, 1, 0); /* on demand, if it must be */
    assert_true(plan.hours <= 12);
    assert_true(total() > 4 * 10.1 && total() <= 10 * 10.5);
    machine.on_demand = USD_PER_HOUR_UNKNOWN;
    price();
    assert_true(plan.on_time < PLAN_SURE);
    assert_false(plan_allowed(&problem, &plan));
}

/* Five trials and the run that counts, one after the other: six runs, one set-up. */
static void trials_one_after_the_other(void **state)
{
    (void)state;
    set("search.trials", "5");
    terms.trials = 5;
    price();
    assert_near(line(COST_SEARCH), 5 * 80, 1e-9);
    assert_near(total(), 6 * 80 + 0.8, 1e-9);
    assert_near(plan.hours, 60.1, 1e-9);
}

/* Two sets: three rounds and the run that counts; each set is set up. */
static void trials_side_by_side(void **state)
{
    double work = cluster_watts(machine.gpu, 16, 8, 350, &known_constants).w;
    double idle =
        cluster_watts(machine.gpu, 16, 8, board_idle_watts(machine.gpu, &known_constants),
                      &known_constants)
            .w;

    (void)state;
    set("search.trials", "5");
    terms.trials = 5;
    way.trials_parallel = 2;
    price();
    assert_near(line(COST_SEARCH), 5 * 80 + 0.8, 1e-9);
    assert_near(total(), 6 * 80 + 2 * 0.8, 1e-9);
    assert_near(plan.hours, 40.1, 1e-9);
    assert_near(plan.kwh, (work * 60 + idle * 0.2) / 1000 * 1.5, 1e-6);
    way.trials_parallel = 50; /* sets need not be joined, but there must be enough machines */
    assert_true(plan_price(&problem, &place, &way, &plan));
    way.trials_parallel = 51;
    assert_false(plan_price(&problem, &place, &way, &plan));
    way.machines = 1;
    place.join.joins = false;
    assert_true(plan_price(&problem, &place, &way, &plan));
}

/* Racks of 18 are rented as such, whatever is used of them. */
static void machines_are_rented_in_the_numbers_they_come_in(void **state)
{
    (void)state;
    place.join.step = place.join.least = 18;
    price();
    assert_int_equal(plan.way.machines, 18);
    assert_near(total(), 9 * 80.8, 1e-9);
    place.join.supply = 17;
    assert_false(plan_price(&problem, &place, &way, &plan));
}

/* Each set of machines is billed by itself, and committed to by itself. */
static void every_set_of_machines_is_billed(void **state)
{
    (void)state;
    set("search.trials", "4");
    terms.trials = 4;
    way.trials_parallel = 4;
    place.commit_hours = 730;
    price();
    assert_near(total(), 4 * 730 * 8, 1e-6);
    place.commit_hours = 0;
    place.minimum_s = 24 * 3600; /* five runs on four sets: 12.6 h of each on average */
    price();
    assert_near(total(), 4 * 24 * 8, 1e-6);
}

/* Interruptions of one after the other are those of all; side by side there are as many. */
static void trials_are_lost_side_by_side(void **state)
{
    double serial, losses;

    (void)state;
    set("search.trials", "9");
    terms.trials = 9;
    terms.setup_s = 0;
    way.hours = 1;
    place.market = MARKET_SPOT;
    place.risk = (struct plan_risk){.first_hour = 0.1, .shape = 1, .up = 1};
    price();
    serial = line(COST_INTERRUPTIONS);
    losses = plan.losses;
    assert_true(serial > 0.3);
    way.trials_parallel = 9;
    price();
    assert_near(plan.hours, 2, 0.2);
    assert_near(line(COST_INTERRUPTIONS), serial, serial * 0.1);
    assert_near(plan.losses, losses, losses * 0.1);
}

int group_price_risk(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(interruptions_on_spot, fresh),
        cmocka_unit_test_setup(more_machines_are_lost_more_often, fresh),
        cmocka_unit_test_setup(spot_and_a_deadline, fresh),
        cmocka_unit_test_setup(trials_one_after_the_other, fresh),
        cmocka_unit_test_setup(trials_side_by_side, fresh),
        cmocka_unit_test_setup(every_set_of_machines_is_billed, fresh),
        cmocka_unit_test_setup(machines_are_rented_in_the_numbers_they_come_in, fresh),
        cmocka_unit_test_setup(trials_are_lost_side_by_side, fresh),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
