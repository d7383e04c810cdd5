/* What runs now, as the ledger has it. */
#include "op/run/top.h"

#include <unistd.h>

#include "ledger/ledger.h"
#include "ledger/writes.h"
#include "op/context.h"
#include "world.h"

#define NOW INT64_C(1794700800) /* the world's */
#define SECOND INT64_C(1000000000)

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
    const struct live_run *rows;
    const struct ledger_happening *events;
    struct error err = {0};

    w->settings.budget = money_from_usd(usd_from(50));
    must(op_run(&w->ctx, &op_top, &request, &res, &err), &err);
    rows = res.runs.at;
    assert_int_equal(res.sum.running, 2);
    assert_int_equal(res.sum.machines, 1);
    assert_near(usd_per_hour_double(res.sum.rate), 9, 1e-9);
    assert_str_equal(rows[0].run.start.name, "dear");
    assert_near(usd_double(rows[0].run.totals.cost), 4, 1e-6);
    assert_near(span_in_seconds(rows[0].left), 1800, 1e-6);
    assert_near(usd_double(res.spent.today), 0, 1e-6); /* it has just become midnight */
    assert_near(usd_double(res.spent.month), 5, 1e-6);
    assert_near(res.spent.share, 0.1, 1e-9);
    assert_int_equal(res.details.events.len, 1);
    events = res.details.events.at;
    assert_int_equal(events[0].at.s, NOW - 5);
    assert_int_equal(res.details.watts.len, 11);
    assert_near(res.details.watts.at[10], 500, 0);

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
    assert_true(res.no_ledger);
    assert_int_equal(res.sum.running, 0);
}

static void test_no_memory(void **state)
{
    static const char *const requests[][2] = {{"top", "{}"}, {"top", "{\"run\":\"dear\"}"}};

    world_survives(*state, requests, ARRAY_LEN(requests));
}

int group_top(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_one_look, with_runs, without_runs),
        cmocka_unit_test_setup_teardown(test_no_ledger, world_make, world_end),
        cmocka_unit_test_setup_teardown(test_no_memory, with_runs, without_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
