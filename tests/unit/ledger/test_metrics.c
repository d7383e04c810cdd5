/* The history of metrics: recorded at once, read back exactly, replaced when recorded again. */
#include "ledgers.h"

#include "ledger/runs/metrics.h"

static struct ledger_metric metric(const char *name, const double *times, const double *steps,
                                   const double *values, size_t count)
{
    return (struct ledger_metric){.name = str_from(name),
                                  .told = 1000,
                                  .odd = 2,
                                  .first = 1.0 / 3,
                                  .last = 0.1,
                                  .last_step = 30,
                                  .low = -1e-300,
                                  .low_step = 20,
                                  .high = NAN,
                                  .high_step = NAN,
                                  .times = {times, count},
                                  .steps = {steps, count},
                                  .values = {values, count}};
}

static const struct ledger_metric *read_metrics(struct ledger *l, const char *id, size_t *count)
{
    const struct ledger_metric *got;
    struct error err = {0};

    if (!ledger_metrics(l, id, &ledger_arena, &got, count, &err))
        fail_msg("%s", err.text);
    return got;
}

static void comes_back_exactly(void **state)
{
    const double times[] = {0.25, 1e6}, steps[] = {NAN, 12345678}, values[] = {1.0 / 3, -2e-9};
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct ledger_metric list[] = {metric("val_loss", times, steps, values, 2),
                                   metric("acc 100 %", times, steps, values, 0)};
    const struct ledger_metric *got;
    struct error err = {0};
    size_t count;

    (void)state;
    (void)begin_run(l, &start);
    for (int again = 0; again < 2; again++) { /* the same twice is the same */
        assert_true(ledger_metrics_put(l, start.id, 1, list, 2, &err));
        got = read_metrics(l, start.id, &count);
        assert_int_equal(count, 2);
    }
    assert_str_equal(got[0].name, "acc 100 %");
    assert_int_equal(got[0].times.len, 0);
    assert_str_equal(got[1].name, "val_loss");
    assert_int_equal(got[1].attempt, 1);
    assert_int_equal(got[1].told, 1000);
    assert_int_equal(got[1].odd, 2);
    assert_near(got[1].first, 1.0 / 3, 0);
    assert_near(got[1].low, -1e-300, 0);
    assert_true(isnan(got[1].high) && isnan(got[1].high_step));
    assert_int_equal(got[1].times.len, 2);
    assert_near(got[1].times.at[1], 1e6, 0);
    assert_true(isnan(got[1].steps.at[0]));
    assert_near(got[1].steps.at[1], 12345678, 0);
    assert_near(got[1].values.at[0], 1.0 / 3, 0);
    list[0].values.at = times;
    assert_true(ledger_metrics_put(l, start.id, 1, list, 1, &err));
    got = read_metrics(l, start.id, &count);
    assert_int_equal(count, 2);
    assert_near(got[1].values.at[0], 0.25, 0);
    ledger_close(l);
}

static void by_attempt(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct ledger_metric one = metric("loss", NULL, NULL, NULL, 0);
    const struct ledger_metric *got;
    struct error err = {0};
    size_t count;

    (void)state;
    (void)begin_run(l, &start);
    assert_true(ledger_metrics_put(l, start.id, 1, &one, 1, &err));
    end_run(l, &start, 1, 90, RUN_FAILED);
    start.resume = true;
    assert_int_equal(begin_run(l, &start), 2);
    one.told = 7;
    assert_true(ledger_metrics_put(l, start.id, 2, &one, 1, &err));
    got = read_metrics(l, start.id, &count);
    assert_int_equal(count, 2);
    assert_int_equal(got[0].told, 1000);
    assert_int_equal(got[1].attempt, 2);
    assert_int_equal(got[1].told, 7);
    assert_false(ledger_metrics_put(l, start.id, 3, &one, 1, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    ledger_close(l);
}

int group_metrics(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(comes_back_exactly),
        ledger_test(by_attempt),
    };

    return engine_tests(tests, ARRAY_LEN(tests), ledger_make, ledger_make_server);
}
