/* Past runs into a ledger: without one, what would be imported. */
#include "sinks.h"

#include "tracker/import.h"

#define START INT64_C(1793527200000) /* 2026-11-01 10:00 */
#define HOUR_MS INT64_C(3600000)
#define DOLLAR INT64_C(1000000000)

static struct tracker_run runs[2];

static int import_make(void **state)
{
    static struct arena arena;

    arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
        tracker_run_clear(&runs[i]);
        runs[i].state = TRACKER_FINISHED;
        runs[i].started_ms = START;
        runs[i].ended_ms = START + HOUR_MS;
        runs[i].gpus = 8;
    }
    runs[0].id = runs[0].name = STR("outer");
    runs[1].id = runs[1].name = STR("inner");
    *state = &arena;
    return 0;
}

static int import_end(void **state)
{
    arena_free(*state);
    return 0;
}

#define import_test(name) cmocka_unit_test_setup_teardown(name, import_make, import_end)

static bool give_runs(void *ctx, const struct tracker_sink *sink, struct error *err)
{
    (void)ctx;
    for (size_t i = 0; i < ARRAY_LEN(runs); i++)
        if (!sink->run(sink->ctx, &runs[i], err))
            return false;
    return true;
}

static const struct import_tracker mlflow = {.id = "mlflow", .title = "MLflow"};
static const struct import_source source = {.read = give_runs};

static struct tracker_import import_of(struct arena *arena,
                                       const struct import_runs_request *ask)
{
    return (struct tracker_import){.ask = ask,
                                   .tracker = &mlflow,
                                   .source = &source,
                                   .arena = arena,
                                   .now = {(START + 2 * HOUR_MS) / 1000}};
}

static const struct import_runs_request no_price = {
    .price.nano = MONEY_UNKNOWN, .gpu_price.nano = MONEY_UNKNOWN, .gpus = -1, .dry_run = true};

static void a_nested_run_costs_nothing_unless_it_is_separate(void **state)
{
    struct import_runs_request ask = no_price;
    struct tracker_import how = import_of(*state, &ask);
    struct import_runs_result out;
    const struct import_run_row *rows;
    struct error err = {0};

    ask.gpu_price.nano = 2 * DOLLAR;
    runs[1].parent = STR("outer");
    assert_true(tracker_import(&how, &out, &err));
    rows = out.runs.at;
    assert_int_equal(out.nested, 1);
    assert_int_equal(out.cost.nano, 16 * DOLLAR);
    assert_int_equal(rows[1].cost.nano, 0);
    ask.separate = true;
    assert_true(tracker_import(&how, &out, &err));
    assert_int_equal(out.nested, 0);
    assert_int_equal(out.cost.nano, 32 * DOLLAR);
}

/* The second hour of it is twice the price. */
static bool price_then(void *ctx, stamp from, stamp to, struct arena *arena,
                       struct import_price *out, struct error *err)
{
    (void)ctx, (void)arena, (void)err;
    assert_int_equal(to.s - from.s, 3600);
    *out = (struct import_price){{3 * DOLLAR}, {4 * DOLLAR}, STR("history")};
    return true;
}

static void a_machine_costs_what_it_did_then(void **state)
{
    struct import_prices prices = {.offer = STR("aws/us-east-1/p5"), .gpus = 8};
    struct tracker_import how = import_of(*state, &no_price);
    struct import_runs_result out;
    struct error err = {0};

    prices.then = price_then;
    how.prices = &prices;
    assert_true(tracker_import(&how, &out, &err));
    assert_int_equal(out.added, 2);
    assert_int_equal(out.cost.nano, 8 * DOLLAR);
    runs[0].gpus = 4; /* another machine */
    assert_true(tracker_import(&how, &out, &err));
    assert_int_equal(out.cost.nano, 4 * DOLLAR);
    assert_int_equal(out.cost_unknown, 1);
}

static void a_run_that_goes_on_or_is_too_early_is_left(void **state)
{
    struct import_runs_request ask = no_price;
    struct tracker_import how = import_of(*state, &ask);
    struct import_runs_result out;
    struct error err = {0};

    runs[0].state = TRACKER_RUNNING;
    runs[0].ended_ms = -1;
    assert_true(tracker_import(&how, &out, &err));
    assert_int_equal(out.skipped, 1);
    assert_int_equal(out.added, 1);
    ask.since = STR("2026-11-02");
    assert_true(tracker_import(&how, &out, &err));
    assert_int_equal(out.added + out.skipped, 0);
    ask.since = STR("soon");
    assert_false(tracker_import(&how, &out, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
}

static bool stop_now(void)
{
    return true;
}

static void it_ends_when_asked_to(void **state)
{
    struct tracker_import how = import_of(*state, &no_price);
    struct import_runs_result out;
    struct error err = {0};

    how.watch.stopped = stop_now;
    assert_false(tracker_import(&how, &out, &err));
    assert_int_equal(err.kind, ERROR_STOPPED);
    assert_string_equal(err.text, "stopped; 0 runs were imported");
}

int group_import(void)
{
    const struct CMUnitTest tests[] = {
        import_test(a_nested_run_costs_nothing_unless_it_is_separate),
        import_test(a_machine_costs_what_it_did_then),
        import_test(a_run_that_goes_on_or_is_too_early_is_left),
        import_test(it_ends_when_asked_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
