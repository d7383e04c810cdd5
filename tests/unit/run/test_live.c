/* Runs that are running: their pace, rate and order. */
#include "run/supervise/live.h"

#include "test.h"
#include "unit/time.h"

#define NOW INT64_C(1794700800)
#define SECOND INT64_C(1000000000)

static const struct ledger_attempt attempt = {
    .totals = {.share = NAN}, .number = 1, .host = {"here", 4}, .rate = {2 * SECOND}};

static struct ledger_run a_run(void)
{
    struct ledger_run run = {.start = {.name = STR("train"),
                                       .budget = usd_from(10),
                                       .electricity = {MONEY_UNKNOWN},
                                       .storage_month = {MONEY_UNKNOWN},
                                       .pid = 42,
                                       .pid_started = 1000},
                             .heard = {NOW - 1},
                             .attempts = &attempt,
                             .attempt_count = 1};

    ledger_totals_unknown(&run.totals);
    run.totals.cost = usd_from(4);
    run.totals.elapsed = (span){7200 * SECOND};
    run.totals.step = 100;
    run.totals.steps = 400;
    return run;
}

static struct ledger_sample sample(double at_s, double step, double cost)
{
    return (struct ledger_sample){.at_s = at_s,
                                  .step = step,
                                  .cost = cost,
                                  .watts = 500,
                                  .gpu_busy = 0.9,
                                  .gpu_memory = NAN,
                                  .cpu_cores = 2,
                                  .memory = 1e9,
                                  .loss = NAN,
                                  .rate = NAN};
}

static void test_pace_and_projection(void **state)
{
    struct ledger_sample samples[] = {sample(0, 0, 0), sample(7000, 80, 3),
                                      sample(7140, 98, 3.9), sample(7200, 100, 4)};
    struct ledger_run run = a_run();
    struct live_run row;

    (void)state;
    live_run_make(&run, samples, 4, (stamp){NOW}, STR("here"), &row);
    assert_near(row.steps_rate, 2.0 / 60, 1e-9); /* over the last minute */
    assert_near(span_in_seconds(row.left), 9000, 1e-6);
    assert_near(usd_double(row.projected), 4 + 2 * 2.5, 1e-6);
    assert_near(row.now.watts, 500, 0);
    assert_false(row.silent);
    assert_int_equal(row.pid, 42);

    samples[3].rate = 3; /* its own report comes first */
    live_run_make(&run, samples, 4, (stamp){NOW}, STR("elsewhere"), &row);
    assert_near(span_in_seconds(row.left), 100, 1e-6);
    assert_int_equal(row.pid, -1);

    live_run_make(&run, samples, 1, (stamp){NOW + 60}, STR("here"),
                  &row); /* one moment: no pace */
    assert_int_equal(row.left.ns, -1);
    assert_int_equal(row.projected.nano, MONEY_UNKNOWN);
    assert_true(row.silent);

    live_run_make(&run, NULL, 0, (stamp){NOW}, (struct str){0}, &row);
    assert_true(isnan(row.now.watts) && isnan(row.now.gpu_busy) && isnan(row.steps_rate));
    assert_int_equal(row.pid, -1);
}

static void test_rate_without_a_price(void **state)
{
    struct ledger_sample samples[] = {sample(0, 0, 0), sample(60, 10, 0.05)};
    struct ledger_attempt unpriced = {
        .totals = {.share = NAN}, .number = 1, .host = STR("here"), .rate = {MONEY_UNKNOWN}};
    struct ledger_run run = a_run();
    struct live_run row;

    (void)state;
    run.attempts = &unpriced;
    run.start.electricity = (usd_per_kwh){SECOND / 5};
    live_run_make(&run, samples, 2, (stamp){NOW}, STR("here"), &row);
    assert_near(usd_per_hour_double(row.rate), 0.1, 1e-9); /* 500 W at $0.20 */
    run.start.electricity = (usd_per_kwh){MONEY_UNKNOWN};
    live_run_make(&run, samples, 2, (stamp){NOW}, STR("here"), &row);
    assert_near(usd_per_hour_double(row.rate), 3, 1e-9); /* what it spent lately */
    live_run_make(&run, samples, 1, (stamp){NOW}, STR("here"), &row);
    assert_int_equal(row.rate.nano, MONEY_UNKNOWN);
}

static const char *order_of(const char *by)
{
    static char names[8];
    struct live_run rows[] = {
        {.run = {{.name = STR("b")}, .totals = {.cost = {5}, .elapsed = {7}}}, .rate = {1}},
        {.run = {{.name = STR("c")}, .totals = {.cost = USD_UNKNOWN, .elapsed = {9}}},
         .rate = {3}},
        {.run = {{.name = STR("a")}, .totals = {.cost = {5}, .elapsed = {8}}},
         .rate = USD_PER_HOUR_UNKNOWN},
    };

    live_runs_sort(rows, 3, str_from(by));
    for (int i = 0; i < 3; i++)
        names[i] = rows[i].run.start.name.at[0];
    return names;
}

static void test_order(void **state)
{
    (void)state;
    assert_string_equal(order_of("cost"), "abc");
    assert_string_equal(order_of("rate"), "cba");
    assert_string_equal(order_of("time"), "cab");
    assert_string_equal(order_of("name"), "abc");
}

static void machines_are_counted_once(void **state)
{
    const struct live_run rows[] = {
        {.host = STR("a"), .rate = {2}},
        {.host = STR("b"), .rate = {MONEY_UNKNOWN}},
        {.host = STR("a"), .rate = {3}},
    };
    struct live_sum sum = live_runs_sum(rows, 3);

    (void)state;
    assert_int_equal(sum.running, 3);
    assert_int_equal(sum.machines, 2);
    assert_int_equal(sum.rate.nano, 5);
    assert_int_equal(sum.rate_unknown, 1);
    assert_int_equal(live_runs_sum(rows, 0).rate.nano, 0);
}

int group_live(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_are_counted_once),
        cmocka_unit_test(test_pace_and_projection),
        cmocka_unit_test(test_rate_without_a_price),
        cmocka_unit_test(test_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
