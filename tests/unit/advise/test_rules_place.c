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

int group_rules_place(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cheaper_machine_saves_the_difference),
        cmocka_unit_test(nothing_is_found_where_no_plan_is_cheaper),
        cmocka_unit_test(less_than_a_hundredth_is_none),
        cmocka_unit_test(spot_is_not_for_what_serves),
    };

    return cmocka_run_group_tests(tests, case_load, case_free);
}
