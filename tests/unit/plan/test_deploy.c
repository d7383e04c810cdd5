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
    struct deploy d = deploy_none(DEPLOY_CPU);

    d.service_s = d.first_s = 0.8 / most_rate;
    d.most_rate = most_rate;
    d.price = (usd_per_hour){(int64_t)(usd_h * 1e9)};
    return d;
}

static struct deploy function(double seconds, double gb)
{
    struct deploy d = deploy_none(DEPLOY_SERVERLESS);

    d.service_s = d.first_s = seconds;
    d.most_rate = INFINITY;
    d.functions = true;
    d.idle_s = 600;
    d.cold_s = 5;
    d.paid = &by_use;
    d.terms = &terms;
    d.size = (struct serverless_size){.vcpus = 1, .memory_gb = gb};
    return d;
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

/* Of n machines, each away for a share of the time, more than k at once: by Poisson's law. */
static double more_away(double mean, int k)
{
    double chance = exp(-mean), sum = chance;

    for (int i = 1; i <= k; i++) {
        chance *= mean / i;
        sum += chance;
    }
    return 1 - sum;
}

static void test_spare_machines_stand_in_for_those_that_are_away(void **state)
{
    struct deploy d = machine(0.1, 10);

    (void)state;
    d.short_share = 0.01;
    assert_near(deploy_machines(&d, 100), 10, 0); /* none is ever away */
    for (double away = 1e-5; away < 0.2; away *= 1.7) {
        d.away = away;
        for (int n = 1; n <= 300; n += 23) {
            double all = deploy_machines(&d, 10 * n);
            int spares = (int)all - n;

            assert_true(spares >= 1 && spares <= (n > 1 ? n : 1));
            assert_true(more_away(n * away, spares) <= 0.01 + 1e-9 || spares == n);
            assert_true(spares == 1 || more_away(n * away, spares - 1) > 0.01 - 1e-9);
        }
    }
    d.away = 1e-4;
    assert_near(month(&d, 10), 2 * 72, 1e-9); /* the spare one is paid */
}

static void test_a_queue_for_several_at_once(void **state)
{
    struct deploy one = machine(1, 8), eight = machine(1, 8);
    struct serving_load alone, shared, slow;

    (void)state;
    eight.at_once = 8;
    alone = deploy_queue(&one, 1, 5);
    shared = deploy_queue(&eight, 1, 40);
    assert_near(alone.max_rate, 10, 1e-9);
    assert_near(shared.max_rate, 80, 1e-9);
    assert_near(shared.utilization, alone.utilization, 1e-12);
    assert_near(shared.batch, 4, 1e-9);
    assert_true(alone.request_p95 > 0.1); /* it waits */
    assert_near((shared.request_p95 - 0.1) * 8, alone.request_p95 - 0.1, 1e-9);
    assert_near(deploy_queue(&eight, 1, 0.001).request_p50, 0.1, 1e-9);
    slow = deploy_queue(&eight, 2, 20);
    assert_near(slow.utilization, 0.5, 1e-12);
    assert_near(slow.request_p95, 2 * shared.request_p95, 1e-9);
    assert_true(isinf(deploy_queue(&eight, 1, 80).request_p95));
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
    struct deploy pair[2];
    struct deploy_change change;

    (void)state;
    f.cold_s = 1e-9; /* so that starts cost nothing */
    pair[0] = f;
    pair[1] = m;
    for (double asked = 1; asked < 100; asked *= 7) { /* whatever rate was asked for */
        change = deploy_change_of(pair, 2, f.kind, &all_day, asked, 1e-4, 100);
        assert_near(asked < rate ? rate : change.below, rate, 1e-4 * rate);
        assert_true(isnan(change.above));
        change = deploy_change_of(pair, 2, m.kind, &all_day, asked, 1e-4, 100);
        assert_true(isnan(change.below));
        if (asked < rate)
            assert_near(change.above, rate, 1e-4 * rate);
    }
}

/* Whatever the choices, the spans are those of a scan with far smaller steps. */
static void test_spans_are_those_of_trying_every_rate(void **state)
{
    struct deploy choices[] = {machine(0.15, 90), function(0.1, 2), machine(0.04, 7),
                               machine(2, 3000)};
    struct deploy_span spans[64];
    size_t count, at = 0, changes = 0, last = ARRAY_LEN(choices);

    (void)state;
    choices[2].kind = DEPLOY_MANAGED; /* of one kind it does not matter where exactly */
    choices[3].kind = DEPLOY_CPU;
    count = deploy_cheapest(choices, ARRAY_LEN(choices), &all_day, 1e-3, 1e4, spans, 64);
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
                        0.06 * month(&choices[best], rate)); /* a narrow one was missed */
    }
    assert_true(changes <= count + 8); /* narrow ones may be missed */
}

/* Two ways that take turns: the second from 5 on but for short turns of the first. */
static void test_short_turns_are_left_out(void **state)
{
    const struct deploy choices[] = {{.kind = DEPLOY_API}, {.kind = DEPLOY_GPU}};
    struct deploy_span spans[] = {{0, 1, 5},       {1, 5, 7.2},   {0, 7.2, 7.8}, {1, 7.8, 10.3},
                                  {0, 10.3, 10.6}, {1, 10.6, 14}, {0, 14, 16},   {1, 16, 1000}};
    struct deploy_span apart[] = {{0, 1, 5}, {1, 5, 8}, {0, 8, 20}, {1, 20, 1000}};

    (void)state;
    assert_int_equal(deploy_join_spans(choices, spans, ARRAY_LEN(spans)), 2);
    assert_near(spans[0].to, 5, 1e-9);
    assert_near(spans[1].from, 5, 1e-9);
    assert_near(spans[1].to, 1000, 1e-9);
    assert_int_equal(deploy_join_spans(choices, apart, ARRAY_LEN(apart)), 4);
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

/* ---- hosted APIs, devices, traffic ---- */

static const struct token_price tokens = {.input_usd_per_m = {150000000},  /* $0.15 */
                                          .output_usd_per_m = {600000000}, /* $0.60 */
                                          .cached_input_usd_per_m = {75000000},
                                          .batch_input_usd_per_m = {75000000},
                                          .batch_output_usd_per_m = {300000000}};

/* 1,000 tokens in and 500 out: $0.00015 and $0.0003. */
static void test_tokens_by_hand(void **state)
{
    struct token_price plain = tokens;
    struct deploy d = deploy_none(DEPLOY_API);
    struct deploy_cost c;

    (void)state;
    assert_near(token_request_usd(&tokens, 1000, 500, 0, false), 0.00045, 1e-12);
    /* Half of the input is cached, at half the price. */
    assert_near(token_request_usd(&tokens, 1000, 500, 0.5, false), 0.0004125, 1e-12);
    /* Batches cost half; a cache does not lower that further. */
    assert_near(token_request_usd(&tokens, 1000, 500, 0, true), 0.000225, 1e-12);
    assert_near(token_request_usd(&tokens, 1000, 500, 0.5, true), 0.000225, 1e-12);
    plain.cached_input_usd_per_m = plain.batch_input_usd_per_m = USD_UNKNOWN;
    assert_near(token_request_usd(&plain, 1000, 500, 0.5, true), 0.00045, 1e-12);

    d.tokens = &tokens;
    d.usd_request = 0.00045;
    d.most_rate = INFINITY;
    assert_true(deploy_price(&d, 1, 24, &c)); /* 2,592,000 requests */
    assert_near(c.usd, 1166.4, 1e-9);
    assert_near(c.machines, 0, 0);
    assert_true(isnan(c.busy));
    assert_true(deploy_price(&d, 1, 12, &c));
    assert_near(c.usd, 583.2, 1e-9);
    d.usd_request = NAN;
    assert_false(deploy_price(&d, 1, 24, &c));
}

/* $480 over 4 years are $10 a month; 5 W idle and 25 W busy at $0.20/kWh. */
static struct deploy device(void)
{
    struct deploy d = machine(0, 10);

    d.kind = DEPLOY_EDGE;
    d.wear_usd = 10;
    d.idle_w = 5;
    d.load_w = 25;
    d.usd_kwh = 0.2;
    return d;
}

static void test_a_device_wears_and_draws_power(void **state)
{
    struct deploy d = device();
    struct deploy_cost c;

    (void)state;
    /* Half busy: 15 W for 720 h are 10.8 kWh, $2.16. */
    assert_true(deploy_price(&d, 5, 24, &c));
    assert_near(c.usd, 12.16, 1e-9);
    /* In 12 hours of each day: 5 W all the time and 10 W more for 360 h are 7.2 kWh. */
    assert_true(deploy_price(&d, 5, 12, &c));
    assert_near(c.usd, 11.44, 1e-9);
    /* Two of them at 15/s: 75 % busy, 20 W. */
    assert_true(deploy_price(&d, 15, 24, &c));
    assert_near(c.machines, 2, 0);
    assert_near(c.usd, 2 * (10 + 0.020 * 720 * 0.2), 1e-9);
}

/* 8 hours at the peak, 16 at a quarter of it. */
static struct deploy_traffic two_levels(double low)
{
    struct deploy_traffic t = {.hours = 24};

    for (size_t i = 0; i < 24; i++)
        t.share[i] = i >= 8 && i < 16 ? 1 : low;
    return t;
}

static void test_machines_follow_traffic(void **state)
{
    struct deploy_traffic t = two_levels(0.25);
    struct deploy_demand of = {.slo = &none, .hours_per_day = 24, .traffic = &t};
    struct deploy d = machine(0.1, 10);
    struct deploy_cost c;

    (void)state;
    assert_near(deploy_mean_share(&t), 0.5, 1e-12);
    /* 40/s take 4 machines for 8 hours, 10/s one for 16: 48 machine-hours a day. */
    assert_true(deploy_month(&d, &of, 40, &c));
    assert_near(c.usd, 48 * 30 * 0.1, 1e-9);
    assert_near(c.fixed_usd, 4 * 72, 1e-9);
    assert_near(c.machines, 4, 0);
    assert_near(c.instances, 2, 1e-9);
    assert_near(c.busy, 1, 1e-9);
    assert_near(c.starts, 3 * 30, 1e-9);
    /* Each of 90 starts takes 6 minutes, at $0.1/hr. */
    d.start_s = 360;
    assert_true(deploy_month(&d, &of, 40, &c));
    assert_near(c.usd, 144 + 90 * 0.1 * 0.1, 1e-9);
    /* Hours without requests: one machine stays up. */
    t = two_levels(0);
    d.start_s = NAN;
    assert_true(deploy_month(&d, &of, 40, &c));
    assert_near(c.usd, (4 * 8 + 16) * 30 * 0.1, 1e-9);
    /* One that stops does not. */
    d.kind = DEPLOY_TO_ZERO;
    d.cold_s = 60;
    d.idle_s = 600;
    assert_true(deploy_month(&d, &of, 40, &c));
    assert_near(c.usd, 4 * 8 * 30 * 0.1, 0.05);
    assert_near(c.fixed_usd, 4 * 72, 1e-9);
    assert_near(c.instances, 4.0 * 8 / 24, 0.01);
    assert_near(c.up_always, (4.0 * 8 + 16) / 24, 1e-9);
}

static void test_traffic_that_is_flat_changes_nothing(void **state)
{
    struct deploy_traffic t = two_levels(1);
    struct deploy_demand of = {.slo = &none, .hours_per_day = 24, .traffic = &t};
    struct deploy choices[] = {machine(0.1, 10), function(0.1, 2), device()};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(choices); i++)
        for (double rate = 1e-3; rate < 1e3; rate *= 7)
            assert_near(deploy_usd(&choices[i], &of, rate), month(&choices[i], rate),
                        1e-9 * month(&choices[i], rate));
}

static void test_devices_are_there_all_day(void **state)
{
    struct deploy_traffic t = two_levels(0.25);
    struct deploy_demand of = {.slo = &none, .hours_per_day = 24, .traffic = &t};
    struct deploy d = device();
    struct deploy_cost c;

    (void)state;
    /* Four at the peak of 40/s, half busy on average: 15 W each. */
    assert_true(deploy_month(&d, &of, 40, &c));
    assert_near(c.usd, 4 * 12.16, 1e-9);
    assert_near(c.fixed_usd, c.usd, 0);
}

static void test_use_is_paid_as_it_comes(void **state)
{
    struct deploy_traffic t = two_levels(0.25), quiet = two_levels(0);
    struct deploy_demand of = {.slo = &none, .hours_per_day = 24, .traffic = &t};
    struct deploy d = deploy_none(DEPLOY_API);
    struct deploy_cost c;

    (void)state;
    d.tokens = &tokens;
    d.usd_request = 1e-6;
    assert_true(deploy_month(&d, &of, 40, &c)); /* 20/s on average */
    assert_near(c.usd, 20 * 2.592, 1e-9);
    of.traffic = &quiet; /* a third of the day */
    assert_true(deploy_month(&d, &of, 40, &c));
    assert_near(c.usd, 40.0 / 3 * 2.592, 1e-9);
    assert_near(c.fixed_usd, c.usd, 0);
}

int group_deploy(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machines_are_added_as_the_rate_grows),
        cmocka_unit_test(test_spare_machines_stand_in_for_those_that_are_away),
        cmocka_unit_test(test_a_queue_for_several_at_once),
        cmocka_unit_test(test_a_machine_that_stops_costs_what_it_is_up),
        cmocka_unit_test(test_cold_starts_count_against_what_is_promised),
        cmocka_unit_test(test_break_even_by_hand),
        cmocka_unit_test(test_spans_are_those_of_trying_every_rate),
        cmocka_unit_test(test_short_turns_are_left_out),
        cmocka_unit_test(test_slower_costs_no_less),
        cmocka_unit_test(test_tokens_by_hand),
        cmocka_unit_test(test_a_device_wears_and_draws_power),
        cmocka_unit_test(test_machines_follow_traffic),
        cmocka_unit_test(test_traffic_that_is_flat_changes_nothing),
        cmocka_unit_test(test_devices_are_there_all_day),
        cmocka_unit_test(test_use_is_paid_as_it_comes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
