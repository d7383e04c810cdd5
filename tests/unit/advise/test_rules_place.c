/* Where a job runs: machines that the planner would rent instead. */
#include "job_case.h"

static struct job_case it;
static struct advise_option options[2];

static struct advise_option option(enum market market, double cost, double low, double high)
{
    return (struct advise_option){.offer = STR("test/here/one"),
                                  .gpu = STR("L4"),
                                  .market = market,
                                  .gpus = 1,
                                  .cost = usd_from(cost),
                                  .cost_low = usd_from(low),
                                  .cost_high = usd_from(high),
                                  .interruptions = market == MARKET_SPOT ? 0.5 : NAN};
}

/* A job that costs $100, with these plans. */
static void plan(enum job_kind kind, size_t count)
{
    case_open(&it, kind,
              kind == JOB_TRAIN ? "model=llama-2-7b data.tokens=25M"
                                : "model=llama-3-8b rate=1/s",
              case_place("H100", 1, 2.5));
    it.advise.options = (struct rows){options, count};
    it.advise.monthly = kind == JOB_INFER;
    it.facts.job_money = (struct advise_money){0};
    it.facts.job_money.part[PART_TRAIN] = 90;
    it.facts.job_money.part[PART_STORAGE] = 10;
}

static void a_cheaper_machine_saves_the_difference(void **state)
{
    const struct finding *f;

    (void)state;
    options[0] = option(MARKET_ON_DEMAND, 60, 50, 75);
    options[1] = option(MARKET_SPOT, 30, 20, 45);
    plan(JOB_TRAIN, 2);
    case_saves(&it, "cheaper-machine", 40);
    f = case_finding(&it, "cheaper-machine");
    assert_int_equal(f->saving_low.nano, usd_from(25).nano);
    assert_int_equal(f->saving_high.nano, usd_from(50).nano);
    assert_non_null(strstr(f->action.at, "--offer test/here/one:on-demand"));
    case_saves(&it, "spot-machine", 70);
    f = case_finding(&it, "spot-machine");
    assert_non_null(strstr(f->evidence.at, "0.5 interruptions expected"));
}

static void nothing_is_found_where_no_plan_is_cheaper(void **state)
{
    (void)state;
    options[0] = option(MARKET_ON_DEMAND, 120, 100, 140);
    plan(JOB_TRAIN, 1);
    case_none(&it, "cheaper-machine");
    case_none(&it, "spot-machine");
    plan(JOB_TRAIN, 0);
    case_none(&it, "cheaper-machine");
    options[0].cost = USD_UNKNOWN;
    plan(JOB_TRAIN, 1);
    case_none(&it, "cheaper-machine");
}

/* FINDING_LEAST: a hundredth of the cost. */
static void less_than_a_hundredth_is_none(void **state)
{
    (void)state;
    options[0] = option(MARKET_ON_DEMAND, 99.5, 99, 100);
    plan(JOB_TRAIN, 1);
    case_none(&it, "cheaper-machine");
    options[0] = option(MARKET_ON_DEMAND, 98.5, 98, 99);
    plan(JOB_TRAIN, 1);
    case_saves(&it, "cheaper-machine", 1.5);
}

static void spot_is_not_for_what_serves(void **state)
{
    (void)state;
    options[0] = option(MARKET_ON_DEMAND, 60, 50, 75);
    options[1] = option(MARKET_SPOT, 30, 20, 45);
    plan(JOB_INFER, 2);
    case_saves(&it, "cheaper-machine", 40);
    case_none(&it, "spot-machine");
    case_open(&it, JOB_INFER, "model=llama-3-8b", case_place("H100", 1, 2.5)); /* no rate */
    it.advise.options = (struct rows){options, 2};
    it.advise.monthly = true;
    it.facts.job_money.part[PART_TRAIN] = 100;
    case_none(&it, "cheaper-machine");
}

/* The same of spot: a hundredth, and just less. */
static void spot_saves_a_hundredth_or_more(void **state)
{
    (void)state;
    options[0] = option(MARKET_SPOT, 99, 98, 100);
    plan(JOB_TRAIN, 1);
    case_saves(&it, "spot-machine", 1);
    options[0] = option(MARKET_SPOT, 99.01, 98, 100);
    plan(JOB_TRAIN, 1);
    case_none(&it, "spot-machine");
}

/* Other settings on the same machines are not another machine. */
static void the_machine_it_is_on_is_no_finding(void **state)
{
    (void)state;
    options[0] = option(MARKET_ON_DEMAND, 60, 50, 75);
    options[0].offer = STR("test/here/machine");
    plan(JOB_TRAIN, 1);
    case_none(&it, "cheaper-machine");
    options[0].gpus = 2;
    plan(JOB_TRAIN, 1);
    case_saves(&it, "cheaper-machine", 40);
}

static void no_shell_expands_an_offer(void **state)
{
    (void)state;
    options[0] = option(MARKET_ON_DEMAND, 60, 50, 75);
    options[0].offer = STR("runpod/*/1x_L4");
    plan(JOB_TRAIN, 1);
    assert_non_null(strstr(case_finding(&it, "cheaper-machine")->action.at,
                           "--offer runpod/1x_L4:on-demand"));
}

/* ---- fewer machines ---- */

#define BERT "model=bert-base data.examples=1M sequence=128 goodput=off global_batch=256 "

/* What the job costs on so many machines of 8, at the same price of one. */
static double cost_on(int64_t gpus)
{
    struct job_case c;

    case_open(&c, JOB_TRAIN, BERT, case_place("A100", gpus, 10));
    return usd_double(c.base.total);
}

/* Slow Ethernet between four machines: of 2 and 1, the cheaper is taken. */
static void machines_that_do_not_pay(void **state)
{
    const struct finding *f;
    double least = fmin(cost_on(8), cost_on(16));

    (void)state;
    case_open(&it, JOB_TRAIN, BERT, case_place("A100", 32, 10));
    assert_near(cost_on(32), usd_double(it.base.total), 1e-9);
    case_saves(&it, "fewer-machines", usd_double(it.base.total) - least);
    f = case_finding(&it, "fewer-machines");
    assert_non_null(strstr(f->evidence.at, "4 x 8 A100-SXM-80GB"));
    assert_non_null(strstr(f->evidence.at, "1 x 8 A100-SXM-80GB"));
    assert_non_null(strstr(f->action.at, "--on A100-SXM-80GBx8, if "));
    case_open(&it, JOB_TRAIN, BERT, case_place("A100", 8, 10)); /* one is all there is */
    case_none(&it, "fewer-machines");
}

/* One machine takes `hours`: with a deadline of just that it is in time, of less it is not. */
static void fewer_machines_must_be_in_time(void **state)
{
    double hours;

    (void)state;
    case_open(&it, JOB_TRAIN, BERT, case_place("A100", 8, 10));
    hours = it.base.hours.value;
    case_open(&it, JOB_TRAIN, BERT, case_place("A100", 16, 10));
    it.given.limits.deadline = span_hours(hours * (1 + 1e-9));
    assert_non_null(case_finding(&it, "fewer-machines"));
    case_open(&it, JOB_TRAIN, BERT, case_place("A100", 16, 10));
    it.given.limits.deadline = span_hours(hours * (1 - 1e-6));
    case_none(&it, "fewer-machines");
}

/* ---- where the data is ---- */

/* 1 TB out of us-east-1 costs 0.02 a GB into another region, and 10,000 s of a machine for
 * $3.60/hr at 100 MB/s, which is not saved: data is read there, too. */
static void the_data_is_elsewhere(void **state)
{
    struct estimate_place here = case_place("H100", 1, 3.6), there = here;
    const char *keys = "model=bert-base data.examples=1M goodput=off data.size=1TB "
                       "data.at=aws/us-east-1";
    double cost;

    (void)state;
    here.provider = there.provider = STR("aws");
    here.region = STR("us-west-2");
    there.region = STR("us-east-1");
    there.offer = STR("aws/us-east-1/p5");
    here.offer = STR("aws/us-west-2/p5");
    there.market = MARKET_ON_DEMAND;
    case_open(&it, JOB_TRAIN, keys, there);
    cost = usd_double(it.base.total);
    case_none(&it, "data-region"); /* it is there already */
    case_open(&it, JOB_TRAIN, keys, here);
    assert_near(usd_double(it.base.total) - cost, 20, 1e-6);
    it.advise.regions = (struct rows){&there, 1};
    it.facts.job_money.part[PART_TRANSFER] = 20;
    it.facts.job_money.part[PART_TRAIN] -= 20;
    case_saves(&it, "data-region", 20);
    assert_non_null(strstr(case_finding(&it, "data-region")->action.at,
                           "stint run --offer aws/us-east-1/p5:on-demand"));
    /* So much more an hour that nothing is saved. */
    there.price.nano = (int64_t)((double)there.price.nano * (cost + 20) / cost);
    case_open(&it, JOB_TRAIN, keys, here);
    it.advise.regions = (struct rows){&there, 1};
    case_none(&it, "data-region");
    case_open(&it, JOB_TRAIN, keys, here); /* nothing is sold there */
    case_none(&it, "data-region");
}

int group_rules_place(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cheaper_machine_saves_the_difference),
        cmocka_unit_test(nothing_is_found_where_no_plan_is_cheaper),
        cmocka_unit_test(less_than_a_hundredth_is_none),
        cmocka_unit_test(spot_is_not_for_what_serves),
        cmocka_unit_test(spot_saves_a_hundredth_or_more),
        cmocka_unit_test(the_machine_it_is_on_is_no_finding),
        cmocka_unit_test(no_shell_expands_an_offer),
        cmocka_unit_test(machines_that_do_not_pay),
        cmocka_unit_test(fewer_machines_must_be_in_time),
        cmocka_unit_test(the_data_is_elsewhere),
    };

    return cmocka_run_group_tests(tests, case_load, case_free);
}
