/* What runs now, as the ledger has it. */
#include "op/run/top.h"

#include <unistd.h>

#include "ledger/ledger.h"
#include "op/context.h"
#include "op/run/top_rows.h"
#include "world.h"

#define NOW INT64_C(1794700800) /* the world's */
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
    struct top_run row;

    (void)state;
    top_fill(&run, samples, 4, (stamp){NOW}, STR("here"), &row);
    assert_near(row.steps_rate, 2.0 / 60, 1e-9); /* over the last minute */
    assert_near(span_in_seconds(row.left), 9000, 1e-6);
    assert_near(usd_double(row.projected), 4 + 2 * 2.5, 1e-6);
    assert_near(row.of_budget, 0.4, 1e-12);
    assert_near(row.watts, 500, 0);
    assert_str_equal(row.state, "running");
    assert_int_equal(row.pid, 42);

    samples[3].rate = 3; /* what it says itself comes first */
    top_fill(&run, samples, 4, (stamp){NOW}, STR("elsewhere"), &row);
    assert_near(span_in_seconds(row.left), 100, 1e-6);
    assert_int_equal(row.pid, -1);

    top_fill(&run, samples, 1, (stamp){NOW + 60}, STR("here"), &row); /* one moment: no pace */
    assert_int_equal(row.left.ns, -1);
    assert_int_equal(row.projected.nano, MONEY_UNKNOWN);
    assert_str_equal(row.state, "silent");

    top_fill(&run, NULL, 0, (stamp){NOW}, (struct str){0}, &row);
    assert_true(isnan(row.watts) && isnan(row.gpu_busy) && isnan(row.steps_rate));
    assert_int_equal(row.pid, -1);
}

static void test_rate_without_a_price(void **state)
{
    struct ledger_sample samples[] = {sample(0, 0, 0), sample(60, 10, 0.05)};
    struct ledger_attempt unpriced = {
        .totals = {.share = NAN}, .number = 1, .host = STR("here"), .rate = {MONEY_UNKNOWN}};
    struct ledger_run run = a_run();
    struct top_run row;

    (void)state;
    run.attempts = &unpriced;
    run.start.electricity = (usd_per_kwh){SECOND / 5};
    top_fill(&run, samples, 2, (stamp){NOW}, STR("here"), &row);
    assert_near(usd_per_hour_double(row.rate), 0.1, 1e-9); /* 500 W at $0.20 */
    run.start.electricity = (usd_per_kwh){MONEY_UNKNOWN};
    top_fill(&run, samples, 2, (stamp){NOW}, STR("here"), &row);
    assert_near(usd_per_hour_double(row.rate), 3, 1e-9); /* what it spent lately */
    top_fill(&run, samples, 1, (stamp){NOW}, STR("here"), &row);
    assert_int_equal(row.rate.nano, MONEY_UNKNOWN);
}

static const char *order_of(const char *by)
{
    static char names[8];
    struct top_run rows[] = {
        {.name = STR("b"), .cost = {5}, .rate = {1}, .elapsed = {7}},
        {.name = STR("c"), .cost = USD_UNKNOWN, .rate = {3}, .elapsed = {9}},
        {.name = STR("a"), .cost = {5}, .rate = USD_PER_HOUR_UNKNOWN, .elapsed = {8}},
    };

    top_sort(rows, 3, str_from(by));
    for (int i = 0; i < 3; i++)
        names[i] = rows[i].name.at[0];
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

static void test_stop_refuses_what_is_not_ours(void **state)
{
    struct top_run row = {.name = STR("x"), .host = STR("there"), .pid = -1};
    struct error err = {0};

    (void)state;
    assert_false(top_stop(&row, &err));
    assert_int_equal(err.kind, ERROR_FAILED);
    row.pid = getpid();
    row.pid_started = 1; /* another that had the number before */
    assert_false(top_stop(&row, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
}

/* ---- with a ledger ---- */

static char path[32];

static void must(bool ok, const struct error *err)
{
    if (!ok)
        fail_msg("%s", err->text);
}

static void fill(const char *name, double rate, int64_t seconds)
{
    struct ledger_start start = {.name = str_from(name),
                                 .host = STR("ip-10-0-0-7"),
                                 .user = STR("ann"),
                                 .rate = usd_per_hour_scaled((usd_per_hour){SECOND}, rate),
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = usd_from(100),
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .started = {NOW - seconds},
                                 .pid = -1,
                                 .pid_started = -1};
    struct error err = {0};
    struct ledger *ledger =
        ledger_open(path, LEDGER_WRITE, (span){SECOND}, &clock_system, &alloc_system, &err);
    struct ledger_totals t;
    int number;

    must(ledger != NULL, &err);
    ledger_new_id(start.started, start.id);
    must(ledger_begin(ledger, &start, &number, &err), &err);
    must(ledger_event(ledger, start.id, number, (stamp){NOW - 5}, "checkpoint", STR("saved"),
                      &err),
         &err);
    ledger_totals_unknown(&t);
    for (int64_t s = 0; s <= seconds; s += seconds / 10) {
        struct ledger_sample at = sample((double)s, (double)s, rate * (double)s / 3600);

        t.at = (stamp){start.started.s + s};
        t.elapsed = (span){s * SECOND};
        t.cost = usd_from(rate * (double)s / 3600);
        t.step = (double)s;
        t.steps = (double)seconds * 2;
        must(ledger_tick(ledger, start.id, number, &t, &at, &err), &err);
    }
    ledger_close(ledger);
}

static int with_runs(void **state)
{
    struct world *w;
    int fd;

    (void)snprintf(path, sizeof path, "/tmp/stint-top-XXXXXX");
    fd = mkstemp(path);
    if (fd < 0 || close(fd) != 0 || unlink(path) != 0 || world_make(state) != 0)
        return 1;
    w = *state;
    w->settings.ledger = str_from(path);
    fill("cheap", 1, 3600);
    fill("dear", 8, 1800);
    return 0;
}

static int without_runs(void **state)
{
    char more[64];

    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(more, sizeof more, "%s%s", path, i == 0 ? "-wal" : "-shm");
        (void)unlink(more);
    }
    (void)unlink(path);
    return world_end(state);
}

static void test_one_look(void **state)
{
    struct world *w = *state;
    struct top_request request = {.sort = STR("cost"), .run = STR("dear")};
    struct top_result res = {0};
    const struct top_run *rows;
    const struct top_event *events;
    struct error err = {0};

    w->settings.budget = money_from_usd(usd_from(50));
    must(op_run(&w->ctx, &op_top, &request, &res, &err), &err);
    rows = res.runs.at;
    assert_int_equal(res.running, 2);
    assert_int_equal(res.machines, 1);
    assert_near(usd_per_hour_double(res.rate), 9, 1e-9);
    assert_str_equal(rows[0].name, "dear");
    assert_near(usd_double(rows[0].cost), 4, 1e-6);
    assert_near(span_in_seconds(rows[0].left), 1800, 1e-6);
    assert_near(usd_double(res.today), 0, 1e-6); /* it has just become midnight */
    assert_near(usd_double(res.month), 5, 1e-6);
    assert_near(res.of_budget, 0.1, 1e-9);
    assert_int_equal(res.events.len, 1);
    events = res.events.at;
    assert_str_equal(events[0].at, "2026-11-14T23:59:55Z");
    assert_int_equal(res.watts.len, 11);
    assert_near(res.watts.at[10], 500, 0);

    request.run = STR("daer");
    assert_false(op_run(&w->ctx, &op_top, &request, &res, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
}

static void test_no_ledger(void **state)
{
    struct world *w = *state;
    struct top_request request = {.sort = STR("cost")};
    struct top_result res = {0};
    struct error err = {0};

    w->settings.ledger = STR("/nonexistent/ledger.db");
    must(op_run(&w->ctx, &op_top, &request, &res, &err), &err);
    assert_true(res.none_yet);
    assert_int_equal(res.running, 0);
}

static void test_no_memory(void **state)
{
    static const char *const requests[][2] = {{"top", "{}"}, {"top", "{\"run\":\"dear\"}"}};

    world_survives(*state, requests, ARRAY_LEN(requests));
}

int group_top(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pace_and_projection),
        cmocka_unit_test(test_rate_without_a_price),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_stop_refuses_what_is_not_ours),
        cmocka_unit_test_setup_teardown(test_one_look, with_runs, without_runs),
        cmocka_unit_test_setup_teardown(test_no_ledger, world_make, world_end),
        cmocka_unit_test_setup_teardown(test_no_memory, with_runs, without_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
