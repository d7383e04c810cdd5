/* Ways to deploy: what they cost at a rate, and where another is cheaper, against trying every
 * rate. */
#include "test.h"

#include <math.h>

#include "plan/deploy.h"

static const struct job_slo none;
static const struct deploy_demand all_day = {.slo = &none, .hours_per_day = 24};

static const struct serverless by_use = {.usd_per_million_requests = {200000000},
                                         .usd_per_million_gb_seconds = {16666700000},
                                         .usd_per_million_vcpu_seconds = {MONEY_UNKNOWN},
                                         .usd_per_gpu_hour = {MONEY_UNKNOWN}};
static const struct serverless_terms terms = {.billing = {"request", 7},
                                              .step_ms = 1,
                                              .minimum_ms = 1,
                                              .starts_billed = {"yes", 3},
                                              .instances_high = NAN,
                                              .free_requests = NAN};

static struct deploy machine(double usd_h, double most_rate)
{
    return (struct deploy){.kind = DEPLOY_CPU,
                           .service_s = 0.8 / most_rate,
                           .first_s = 0.8 / most_rate,
                           .most_rate = most_rate,
                           .cold_s = NAN,
                           .price = {(int64_t)(usd_h * 1e9)},
                           .copies_each = 1,
                           .machines_each = 1};
}

static struct deploy function(double seconds, double gb)
{
    return (struct deploy){.kind = DEPLOY_SERVERLESS,
                           .service_s = seconds,
                           .first_s = seconds,
                           .most_rate = INFINITY,
                           .functions = true,
                           .idle_s = 600,
                           .cold_s = 5,
                           .copies_each = 1,
                           .machines_each = 1,
                           .paid = &by_use,
                           .terms = &terms,
                           .size = {.vcpus = 1, .memory_gb = gb}};
}

static double month(const struct deploy *d, double rate)
{
    return deploy_usd(d, &all_day, rate);
}

static void test_machines_are_added_as_the_rate_grows(void **state)
{
    struct deploy d = machine(0.1, 10);
    struct deploy_cost c;

    (void)state;
    assert_near(month(&d, 0.001), 72, 1e-9);
    assert_near(month(&d, 10), 72, 1e-9);
    assert_near(month(&d, 10.01), 144, 1e-9);
    assert_true(deploy_price(&d, 25, 8, &c)); /* 8 hours a day */
    assert_near(c.usd, 72, 1e-9);
    assert_near(c.machines, 3, 0);
    d.copies_each = 4;
    assert_near(month(&d, 40), 72, 1e-9);
    d.copies_each = 1;
    d.machines_each = 2;
    assert_near(month(&d, 20), 4 * 72, 1e-9);
    d.markup = 0.4;
    assert_near(month(&d, 20), 1.4 * 4 * 72, 1e-9);
}

static void test_a_machine_that_stops_costs_what_it_is_up(void **state)
{
    struct deploy d = machine(1, 10);
    struct deploy_cost c;

    (void)state;
    d.kind = DEPLOY_TO_ZERO;
    d.cold_s = 300;
    d.idle_s = 600;
    assert_true(deploy_price(&d, 1e-5, 24, &c)); /* 26 a month, each alone: 15 minutes */
    assert_near(c.usd, 26 * 900.0 / 3600, 0.2);
    assert_near(c.cold, 1, 0.01);
    assert_true(deploy_price(&d, 1, 24, &c)); /* never idle for so long */
    assert_near(c.usd, 720, 0.01);
    assert_true(month(&d, 1) > 720); /* what hardly ever stops is not worth it */
    d.minimum_s = 3600;
    assert_true(deploy_price(&d, 1e-5, 24, &c));
    assert_near(c.usd, 26, 0.5);
}

static void test_cold_starts_count_against_what_is_promised(void **state)
{
    struct deploy d = function(0.2, 2);
    struct job_slo slo = {.p95 = span_hours(1 / 3600.0)};
    struct deploy_demand demand = {.slo = &slo, .hours_per_day = 24};

    (void)state;
    /* One in 600 s of which exp(-6) are late at 0.01/s, and exp(-0.6) at 0.001/s. */
    assert_true(isfinite(deploy_usd(&d, &demand, 0.01)));
    assert_true(isinf(deploy_usd(&d, &demand, 0.001)));
    slo.p95 = span_hours(5.3 / 3600.0);
    assert_true(isfinite(deploy_usd(&d, &demand, 0.001)));
    slo = (struct job_slo){.p99 = span_hours(1 / 3600.0)};
    assert_true(isinf(deploy_usd(&d, &demand, 0.005)));
    slo = (struct job_slo){.p50 = span_hours(1 / 3600.0)};
    assert_true(isfinite(deploy_usd(&d, &demand, 0.005)));
}

/* By hand: a request costs 0.1 s x 2 GB and the fee, the machine $72 a month. */
static void test_break_even_by_hand(void **state)
{
    struct deploy f = function(0.1, 2), m = machine(0.1, 100);
    double each = 0.2 * 16.6667e-6 + 0.2e-6, rate = 72 / (each * 2592000);

    (void)state;
    f.cold_s = 1e-9; /* so that starts cost nothing */
    assert_near(deploy_break_even(&m, &f, &all_day, 1, 1e4), rate, 1e-4 * rate);
    assert_near(deploy_break_even(&f, &m, &all_day, 50, 1e-4), rate, 1e-4 * rate);
    assert_true(isnan(deploy_break_even(&f, &m, &all_day, 50, 1e4)));
}

/* Whatever the choices, the spans are those of a scan with far smaller steps. */
static void test_spans_are_those_of_trying_every_rate(void **state)
{
    struct deploy choices[] = {machine(0.15, 90), function(0.1, 2), machine(0.04, 7),
                               machine(2, 3000)};
    struct deploy_span spans[64];
    size_t count = deploy_cheapest(choices, ARRAY_LEN(choices), &all_day, 1e-3, 1e4, spans, 64);
    size_t at = 0, changes = 0, last = ARRAY_LEN(choices);

    (void)state;
    assert_true(count > 2);
    assert_near(spans[0].from, 1e-3, 0);
    assert_near(spans[count - 1].to, 1e4, 1e-9);
    for (double rate = 1.0001e-3; rate < 1e4; rate *= 1.0005) {
        size_t best = 0;

        for (size_t i = 1; i < ARRAY_LEN(choices); i++)
            if (month(&choices[i], rate) < month(&choices[best], rate))
                best = i;
        changes += best != last;
        last = best;
        while (at + 1 < count && rate >= spans[at].to)
            at++;
        if (fabs(rate / spans[at].from - 1) > 0.03 && fabs(rate / spans[at].to - 1) > 0.03)
            assert_near(month(&choices[spans[at].choice], rate), month(&choices[best], rate),
                        1e-6 * month(&choices[best], rate));
    }
    assert_true(changes <= count + 8); /* narrow ones may be missed */
}

static void test_slower_costs_no_less(void **state)
{
    struct deploy f = function(0.1, 2), m = machine(0.1, 10);
    struct deploy slow_f = deploy_slowed(&f, 2), slow_m = deploy_slowed(&m, 2);

    (void)state;
    for (double rate = 1e-4; rate < 1e3; rate *= 2) {
        assert_true(month(&slow_f, rate) >= month(&f, rate));
        assert_true(month(&slow_m, rate) >= month(&m, rate));
    }
}

int group_deploy(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machines_are_added_as_the_rate_grows),
        cmocka_unit_test(test_a_machine_that_stops_costs_what_it_is_up),
        cmocka_unit_test(test_cold_starts_count_against_what_is_promised),
        cmocka_unit_test(test_break_even_by_hand),
        cmocka_unit_test(test_spans_are_those_of_trying_every_rate),
        cmocka_unit_test(test_slower_costs_no_less),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
