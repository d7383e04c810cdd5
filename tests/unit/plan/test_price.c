/* What a plan costs, line by line, against numbers worked out by hand. */
#include "price_world.h"

#include "estimate/step/goodput.h"

static void plain_hours(void **state)
{
    (void)state;
    price();
    assert_near(line(COST_COMPUTE), 10 * 2 * 4, 1e-9);
    assert_near(line(COST_SETUP), 0.1 * 2 * 4, 1e-9);
    assert_near(line(COST_BILLING), 0, 0);
    assert_near(total(), 80.8, 1e-9);
    assert_near(plan.hours, 10.1, 1e-12);
    assert_near(plan.busy_h, 10.1, 1e-12);
    assert_near(plan.work_h, 10, 1e-9);
    assert_near(plan.risk, 0, 0);
    assert_near(plan.on_time, 1, 0);
    assert_near(plan.score, 80.8, 1e-9);
    assert_false(plan.cost.at[COST_OWNED].written);
    assert_false(plan.cost.at[COST_MARKUP].written);
    assert_false(plan.cost.at[COST_INTERRUPTIONS].written);
}

/* 10 and 90 of 100: exp(1.2816 x 0.1) = 1.1367. */
static void a_spread_of_the_hours(void **state)
{
    (void)state;
    way.doubt.spread = 0.1;
    terms.setup_s = 0;
    price();
    assert_near(total(), 80, 1e-9);
    assert_near(usd_double(plan.total.high), 80 * 1.13673, 0.01);
    assert_near(usd_double(plan.total.low), 80 / 1.13673, 0.01);
}

/* What a long run loses is one line, of the hours that the estimate has too. */
static void long_runs_lose_time(void **state)
{
    struct goodput g;

    (void)state;
    way.hours = 1000;
    price();
    g = goodput_of(&job, way.gpus, way.hours, GOODPUT_ALL, &known_constants);
    assert_true(g.share < 1);
    assert_near(plan.cost.at[COST_LOST].hours.expected, 1000 / g.share - 1000, 1e-9);
    assert_near(plan.hours, 1000 / g.share + 0.1, 1e-9);
    assert_near(usd_double(plan.total.expected), 8 * plan.hours, 1e-6);
    set("goodput", "off");
    price();
    assert_near(plan.hours, 1000.1, 1e-9);
    way.hours = 10;
    set("goodput", "80%");
    price();
    assert_near(plan.hours, 12.6, 1e-9);
}

static void started_hours_are_billed(void **state)
{
    (void)state;
    place.billing_s = 3600;
    price(); /* 10.1 h are 11 */
    assert_near(total(), 11 * 2 * 4, 1e-9);
    assert_near(line(COST_BILLING), 0.9 * 2 * 4, 1e-9);
    terms.setup_s = 0; /* 10 h are 10 */
    price();
    assert_near(line(COST_BILLING), 0, 0);
    assert_near(total(), 80, 1e-9);
}

static void at_least_a_minimum(void **state)
{
    (void)state;
    place.minimum_s = 24 * 3600;
    price();
    assert_near(line(COST_BILLING), (24 - 10.1) * 8, 1e-9);
    assert_near(total(), 24 * 8, 1e-9);
    place.minimum_s = 3600; /* long over */
    price();
    assert_near(line(COST_BILLING), 0, 0);
}

/* A month that is committed to, whether used or not. */
static void commitment_is_paid_in_full(void **state)
{
    (void)state;
    place.market = MARKET_RESERVED;
    place.commit_hours = 730;
    price();
    assert_near(total(), 730 * 8, 1e-6);
    assert_near(line(COST_BILLING), (730 - 10.1) * 8, 1e-6);
}

/* Costs that do not depend on hours are not rounded to billed hours. */
static void bytes_are_not_billed_as_hours(void **state)
{
    (void)state;
    terms.egress = usd_from(3);
    terms.ingress = usd_from(2);
    place.billing_s = 3600;
    price();
    assert_near(total(), 11 * 8 + 3 + 2, 1e-9);
    assert_near(line(COST_BILLING), 0.9 * 8, 1e-9);
    assert_near(line(COST_EGRESS), 3, 1e-9);
}

static void owned_hours_come_first(void **state)
{
    (void)state;
    place.owned_hours = 200; /* machine-hours: 100 of both */
    price();
    assert_near(line(COST_OWNED), -80.8, 1e-9);
    assert_near(total(), 0, 0);
    place.owned_hours = 5; /* 2.5 of both */
    price();
    assert_near(line(COST_OWNED), -2.5 * 8, 1e-9);
    assert_near(total(), 60.8, 1e-9);
    place.owned_hours = 200; /* bytes are not owned */
    terms.egress = usd_from(3);
    price();
    assert_near(total(), 3, 1e-9);
    place.billing_s = 3600; /* whole hours of them are used up */
    place.owned_hours = 21;
    terms.egress = (usd){0};
    price();
    assert_near(total(), (11 - 10.5) * 8, 1e-9);
}

static void a_platform_takes_its_share_of_the_hours(void **state)
{
    (void)state;
    place.markup = 0.25;
    terms.egress = usd_from(3);
    price();
    assert_near(line(COST_MARKUP), 0.25 * 80.8, 1e-9);
    assert_near(total(), 80.8 * 1.25 + 3, 1e-9);
}

/* Prices that are half from the tenth hour of the week on, for ten hours. */
static void the_start_is_chosen_within_the_week(void **state)
{
    double hours[WEEK_HOURS];
    struct week week;

    (void)state;
    for (size_t i = 0; i < WEEK_HOURS; i++)
        hours[i] = i >= 10 && i < 20 ? 0.5 : 1;
    week_of(hours, &week);
    place.prices = &week;
    terms.setup_s = 0;
    price();
    assert_near(total(), 80, 1e-9); /* not asked for: what it costs on average */
    assert_near(plan.start_h, 0, 0);
    problem.limits.within_h = 24;
    price();
    assert_near(plan.start_h, 10, 0);
    assert_near(total(), 40, 1e-6);
    assert_near(plan.hours, 10, 1e-12); /* waiting is not counted */
    problem.limits.within_h = 6;        /* from 6 to 16: 4 at the price, 6 at half of it */
    price();
    assert_near(plan.start_h, 6, 0);
    assert_near(total(), (4 + 6 * 0.5) * 8, 1e-6);
    problem.limits.within_h = 24;
    problem.limits.deadline_h = 15; /* must be done: from 5 to 15 */
    price();
    assert_near(plan.start_h, 5, 0);
    assert_near(total(), (5 + 5 * 0.5) * 8, 1e-6);
    assert_true(plan_allowed(&problem, &plan));
    problem.hour_of_week = 10; /* it is just that time */
    price();
    assert_near(plan.start_h, 0, 0);
    assert_near(total(), 40, 1e-6);
}

/* 50 W next to each board, the boards' share of the machines and of the building. */
static void carbon_of_work_and_of_waiting(void **state)
{
    double at_work = cluster_watts(machine.gpu, 16, 8, 350, &known_constants).w;
    double idle =
        cluster_watts(machine.gpu, 16, 8, board_idle_watts(machine.gpu, &known_constants),
                      &known_constants)
            .w;

    (void)state;
    price();
    assert_true(at_work > 16 * 350 && idle < at_work / 2);
    assert_near(plan.kwh, (at_work * 10 + idle * 0.1) / 1000 * 1.5, 1e-9);
    assert_near(plan.carbon_kg, plan.kwh * 0.2, 1e-9);
    problem.aim =
        (struct plan_aim){.carbon = 1, .cost_unit = 1, .time_unit = 1, .carbon_unit = 1};
    price();
    assert_near(plan.score, plan.carbon_kg, 1e-12);
}

/* 30 days, 8 hours each: three machines of $4. */
static void serving_for_a_month(void **state)
{
    (void)state;
    job.kind = JOB_INFER;
    job.infer.rate = 5;
    job.infer.hours_per_day = 8;
    way.serves = true;
    way.machines = 3;
    way.latency_s = 1.5;
    price();
    assert_near(total(), 30 * 8 * 3 * 4, 1e-6);
    assert_near(plan.time, 1.5, 0);
    assert_true(isnan(plan.hours));
    place.owned_hours = 120; /* 40 of each machine */
    price();
    assert_near(total(), (240 - 40) * 12, 1e-6);
    place.owned_hours = 0;
    place.markup = 0.5;
    price();
    assert_near(total(), 240 * 12 * 1.5, 1e-6);
}

/* 500 tokens a second: a million takes 2000 s. */
static void a_million_tokens(void **state)
{
    (void)state;
    job.kind = JOB_INFER;
    way.serves = true;
    way.rate = 500;
    way.machines = 1;
    place.billing_s = 3600; /* serving goes on: no extra hour is started */
    price();
    assert_near(total(), 2000.0 / 3600 * 4, 1e-6);
}

static void what_cannot_be_there(void **state)
{
    (void)state;
    way.host_bytes = 9.9e11;
    assert_false(plan_price(&problem, &place, &way, &plan));
    way.host_bytes = 1e11;
    price();
    machine.memory_gib = NAN;
    assert_false(plan_price(&problem, &place, &way, &plan));
    way.host_bytes = 0;
    price();
    place.join.joins = false; /* two machines that cannot be joined */
    assert_false(plan_price(&problem, &place, &way, &plan));
    assert_false(plan_lacks_supply(&place, &way));
    place.join = (struct joining){.joins = true, .least = 1, .step = 1, .supply = 1};
    assert_false(plan_price(&problem, &place, &way, &plan));
    assert_true(plan_lacks_supply(&place, &way));
    place.join.supply = 2;
    price();
    place.price = USD_PER_HOUR_UNKNOWN;
    assert_false(plan_price(&problem, &place, &way, &plan));
}

static void limits_are_kept(void **state)
{
    (void)state;
    price(); /* $80.80, 10.1 h, 16 GPUs */
    assert_true(plan_allowed(&problem, &plan));
    problem.limits.budget = usd_from(80.79);
    assert_false(plan_allowed(&problem, &plan));
    problem.limits.budget = usd_from(80.8);
    problem.limits.deadline_h = 10.1;
    assert_true(plan_allowed(&problem, &plan));
    problem.limits.deadline_h = 10.09;
    assert_false(plan_allowed(&problem, &plan));
    problem.limits.deadline_h = NAN;
    problem.limits.most_gpus = 15;
    assert_false(plan_allowed(&problem, &plan));
    problem.limits.most_gpus = problem.limits.least_gpus = 16;
    assert_true(plan_allowed(&problem, &plan));
    problem.limits.least_gpus = 17;
    assert_false(plan_allowed(&problem, &plan));
    problem.limits.least_gpus = 0;
    problem.limits.max_carbon_kg = plan.carbon_kg;
    assert_true(plan_allowed(&problem, &plan));
    problem.limits.max_carbon_kg = plan.carbon_kg * 0.999;
    assert_false(plan_allowed(&problem, &plan));
    problem.limits.max_carbon_kg = NAN;
    problem.limits.max_risk = 0;
    assert_true(plan_allowed(&problem, &plan));
    plan.risk = 0.01;
    assert_false(plan_allowed(&problem, &plan));
}

/* 0.7 x $80.80/$40 + 0.3 x 10.1 h/5 h; and an hour that is worth $50. */
static void scores(void **state)
{
    (void)state;
    problem.aim = (struct plan_aim){
        .cost = 0.7, .time = 0.3, .cost_unit = 40, .time_unit = 5, .carbon_unit = 1};
    price();
    assert_near(plan.score, 0.7 * 2.02 + 0.3 * 2.02, 1e-9);
    problem.aim = (struct plan_aim){
        .cost = 1, .cost_unit = 1, .time_unit = 1, .carbon_unit = 1, .value_of_time = 50};
    price();
    assert_near(plan.score, 80.8 + 10.1 * 50, 1e-9);
}

int group_price(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(plain_hours, fresh),
        cmocka_unit_test_setup(a_spread_of_the_hours, fresh),
        cmocka_unit_test_setup(long_runs_lose_time, fresh),
        cmocka_unit_test_setup(started_hours_are_billed, fresh),
        cmocka_unit_test_setup(at_least_a_minimum, fresh),
        cmocka_unit_test_setup(commitment_is_paid_in_full, fresh),
        cmocka_unit_test_setup(bytes_are_not_billed_as_hours, fresh),
        cmocka_unit_test_setup(owned_hours_come_first, fresh),
        cmocka_unit_test_setup(a_platform_takes_its_share_of_the_hours, fresh),
        cmocka_unit_test_setup(the_start_is_chosen_within_the_week, fresh),
        cmocka_unit_test_setup(carbon_of_work_and_of_waiting, fresh),
        cmocka_unit_test_setup(serving_for_a_month, fresh),
        cmocka_unit_test_setup(a_million_tokens, fresh),
        cmocka_unit_test_setup(what_cannot_be_there, fresh),
        cmocka_unit_test_setup(limits_are_kept, fresh),
        cmocka_unit_test_setup(scores, fresh),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
