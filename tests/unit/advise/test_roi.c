/* What faster hardware is worth: the guides' formulas and examples, with the right figures. */
#include "test.h"

#include "advise/economics/roi.h"

/* An RTX 3070 that draws 200 W at $0.12/kWh, as a guide counts it: without wear. */
static const struct roi_machine guide = {.load_w = 200, .usd_kwh = 0.12, .price = NAN};

static void a_guides_value_of_speed_is_2700(void **state)
{
    static const struct roi_way slow = {40, 500}, fast = {10, 800};
    struct roi_return r = roi_compare(&slow, &fast, 100);

    (void)state;
    assert_near(r.hours_saved, 30, 0);
    assert_near(r.extra, 300, 0);
    assert_near(r.net, 2700, 1e-9);
    assert_near(r.ratio, 9, 1e-12);            /* 900 % */
    assert_near(r.break_even_hour, 10, 1e-12); /* it pays from $10 an hour on */
    assert_near(roi_compare(&slow, &fast, 10).net, 0, 1e-9);
    r = roi_compare(&fast, &slow, 100);
    assert_near(r.net, -2700, 1e-9);
    assert_true(isnan(r.ratio)); /* nothing extra is paid */
}

static void three_times_the_experiments_cost_125_each(void **state)
{
    /* $100 a run of 4 hours: 6 a day for $600; $50 of 12 hours: 2 a day for $100. */
    static const struct roi_way fast = {4, 100}, slow = {12, 50};

    (void)state;
    assert_near(roi_runs_a_day(fast.hours), 6, 1e-12);
    assert_near(roi_runs_a_day(slow.hours), 2, 1e-12);
    assert_near(roi_further_run(&slow, &fast), 125, 1e-9);
    assert_true(isnan(roi_further_run(&fast, &slow)));
}

static void parallel_search_costs_the_same(void **state)
{
    /* 20 configurations of 2 hours at $12/hr, on one machine and on four: the guide prints
     * $1,920 for four and asks for $1,440 of labor, since it counts the four twice. */
    static const struct roi_way one = {40, 40 * 12.0}, four = {10, 4 * 10 * 12.0};
    struct roi_return r = roi_compare(&one, &four, 1);

    (void)state;
    assert_near(four.money, 480, 0);
    assert_near(r.extra, 0, 0);
    assert_near(r.break_even_hour, 0, 0); /* worth it at any value of time */
}

static void local_runs_cost_electricity_and_time(void **state)
{
    /* The guide: 10 h on the RTX 3070 against 2 h for $3 in the cloud, at $50 an hour. */
    struct roi_way local = {10, roi_electricity(&guide, 10)}, cloud = {2, 3};

    (void)state;
    assert_near(local.money, 0.24, 1e-12);
    assert_near(roi_total(&local, 50), 500.24, 1e-9);
    assert_near(roi_compare(&local, &cloud, 50).net, 500.24 - 103, 1e-9);
    /* Without a value of time it is cheaper at home. */
    assert_near(roi_compare(&local, &cloud, 0).net, -2.76, 1e-9);
    /* 7 minutes on a machine at $0.013/hr are $0.0015; the guide prints $0.0076. */
    assert_near(
        roi_electricity(&(struct roi_machine){.load_w = 100, .usd_kwh = 0.13}, 7 / 60.0),
        0.0015, 0.00005);
}

static void wear_is_the_price_over_the_hours_of_its_life(void **state)
{
    struct roi_machine m = {
        .load_w = 0, .usd_kwh = 0, .price = 2500, .resale = 0.2, .life_hours = 10000};

    (void)state;
    assert_near(roi_wear(&m, 100), 20, 1e-12);
    assert_near(roi_wear(&guide, 100), 0, 0);
    assert_near(roi_payback_months(2500, 125), 20, 1e-12);
    assert_true(isinf(roi_payback_months(2500, 0)));
    assert_true(isinf(roi_payback_months(2500, -3)));
}

static void a_portfolio_adds_up(void **state)
{
    struct roi_run runs[] = {
        {.cost = usd_from(3), .hours = 2, .local_hours = 10},
        {.cost = usd_from(40), .hours = 8, .local_hours = NAN, .why_not = STR("too large")},
        {.cost = usd_from(10), .hours = 5, .local_hours = 4},
    };
    struct roi_portfolio p = roi_add_up(runs, 3, &guide, 50);

    (void)state;
    assert_int_equal(p.runs, 3);
    assert_int_equal(p.infeasible, 1); /* the guide adds an infinite saving for it */
    assert_near(usd_double(p.invested), 53, 1e-9);
    assert_near(usd_double(p.invested_feasible), 13, 1e-9);
    assert_near(usd_double(p.cloud_total), 103 + 260, 0.01);
    assert_near(usd_double(p.local_total), 500.24 + 200.096, 0.01);
    assert_near(usd_double(p.net), 700.336 - 363, 0.01);
    assert_near(p.ratio, 337.336 / 13, 1e-9);
    assert_near(usd_double(p.average), 337.336 / 2, 0.01);
    assert_near(p.hours_saved, 7, 1e-12);
    assert_near(usd_double(runs[2].net), 200.096 - 260, 0.01);
    assert_int_equal(runs[1].net.nano, MONEY_UNKNOWN);
}

static void an_empty_portfolio_is_unknown(void **state)
{
    struct roi_portfolio p = roi_add_up(NULL, 0, &guide, 50);

    (void)state;
    assert_int_equal(p.runs, 0);
    assert_true(isnan(p.ratio));
    assert_int_equal(p.average.nano, MONEY_UNKNOWN);
}

static void runs_are_read_with_their_period(void **state)
{
    static const char *const wrong[] = {"",       "10",    "10/",          "/month", "0/month",
                                        "-1/day", "x/day", "10/fortnight", "1e9/day"};
    struct error err = {0};
    double runs;

    (void)state;
    assert_true(roi_runs_parse(STR("10/month"), &runs, &err));
    assert_near(runs, 10, 0);
    assert_true(roi_runs_parse(STR("3 / day"), &runs, &err));
    assert_near(runs, 3 * 730 / 24.0, 1e-9);
    assert_true(roi_runs_parse(STR("2/WEEK"), &runs, &err));
    assert_near(runs, 2 * 730 / 168.0, 1e-9);
    assert_true(roi_runs_parse(STR("6/year"), &runs, &err));
    assert_near(runs, 0.5, 1e-12);
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        assert_false(roi_runs_parse(str_from(wrong[i]), &runs, &err));
        assert_int_equal(err.kind, ERROR_USAGE);
    }
}

int group_roi(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guides_value_of_speed_is_2700),
        cmocka_unit_test(three_times_the_experiments_cost_125_each),
        cmocka_unit_test(parallel_search_costs_the_same),
        cmocka_unit_test(local_runs_cost_electricity_and_time),
        cmocka_unit_test(wear_is_the_price_over_the_hours_of_its_life),
        cmocka_unit_test(a_portfolio_adds_up),
        cmocka_unit_test(an_empty_portfolio_is_unknown),
        cmocka_unit_test(runs_are_read_with_their_period),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
