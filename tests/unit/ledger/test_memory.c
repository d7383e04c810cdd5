/* Wherever SQLite's allocation fails: an error message, no partial change, and an intact
 * ledger. */
#include "ledgers.h"

#include "ledger/runs/metrics.h"

static sqlite3_mem_methods plain;
static long allowed = -1; /* allocations before one fails; below 0: none does */
static bool failed;

static bool due(void)
{
    if (allowed < 0 || allowed-- > 0)
        return false;
    failed = true;
    return true;
}

static void *get(int size)
{
    return due() ? NULL : plain.xMalloc(size);
}

static void *resize(void *block, int size)
{
    return due() ? NULL : plain.xRealloc(block, size);
}

/* Call only while SQLite is not in use. */
static int listen_in(void **state)
{
    sqlite3_mem_methods mine;

    (void)state;
    if (sqlite3_shutdown() != SQLITE_OK ||
        sqlite3_config(SQLITE_CONFIG_GETMALLOC, &plain) != SQLITE_OK)
        return 1;
    mine = plain;
    mine.xMalloc = get;
    mine.xRealloc = resize;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &mine) == SQLITE_OK ? 0 : 1;
}

/* Everything that a writer does. */
static bool write_all(struct error *err)
{
    struct ledger *l =
        ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system, err);
    struct str words[] = {STR("team=nlp"), STR("os=Debian")};
    struct ledger_start start = start_of("x");
    struct ledger_totals t = totals_after(&start, 5);
    struct ledger_sample s = sample_at(5);
    struct ledger_checkpoint c = {
        .path = STR("/w/1"), .at = {NOW + 3}, .cost = USD_UNKNOWN, .best = true};
    const double one[] = {1};
    struct ledger_metric m = {.name = STR("loss"),
                              .told = 1,
                              .times = {one, 1},
                              .steps = {one, 1},
                              .values = {one, 1}};
    int attempt;
    bool ok;

    start.resume = true;
    start.tags = (struct strs){words, 1};
    start.facts = (struct strs){words + 1, 1};
    ok = l != NULL && ledger_begin(l, &start, &attempt, err) &&
         ledger_tick(l, start.id, attempt, &t, &s, err) &&
         ledger_event(l, start.id, attempt, t.at, "phase", STR("train"), err) &&
         ledger_checkpoint(l, start.id, attempt, &c, err) &&
         ledger_metrics_put(l, start.id, attempt, &m, 1, err) &&
         ledger_checkpoint_gone(l, start.id, c.path, t.at, err) &&
         ledger_end(l, start.id, attempt, &(struct ledger_ending){RUN_FAILED, 1, ""}, &t, err);
    ledger_close(l);
    return ok;
}

/* And a reader. */
static bool read_all(struct error *err)
{
    struct ledger *l =
        ledger_open(ledger_file, LEDGER_READ, PATIENCE, &ledger_clock, &alloc_system, err);
    const struct ledger_run *runs;
    const struct ledger_sample *samples;
    const struct ledger_happening *events;
    const struct ledger_checkpoint *checkpoints;
    const struct ledger_price *prices;
    struct arena arena = test_arena();
    struct ledger_run run;
    int64_t unknown;
    size_t count;
    usd spent;
    bool ok;

    ok = l != NULL && ledger_runs(l, &everything, &arena, &runs, &count, err) &&
         ledger_find(l, STR("x"), &arena, &run, err) &&
         ledger_samples(l, run.start.id, 1, &arena, &samples, &count, err) &&
         ledger_events(l, run.start.id, &arena, &events, &count, err) &&
         ledger_checkpoints(l, run.start.id, &arena, &checkpoints, &count, err) &&
         ledger_prices(l, run.start.id, &arena, &prices, &count, err) && count > 0 &&
         ledger_spent(l, (stamp){NOW + 1}, &spent, &unknown, err);
    ledger_close(l);
    arena_free(&arena);
    return ok;
}

/* With sanitizers each try takes ten times as long: they run fewer. Making the tables takes
 * thousands of allocations. */
#ifdef __OPTIMIZE__
enum { STEP = 3, MAKE_STEP = 97 };
#else
enum { STEP = 9, MAKE_STEP = 971 };
#endif

/* Fail one allocation after another, until none is left to fail. SQLite does without some. */
static long fail_each(bool (*work)(struct error *err))
{
    struct ledger *held =
        open_ledger(LEDGER_READ); /* otherwise its log is created again each time */
    long failures = 0;

    for (long at = 0;; at += STEP) {
        struct error err = {0};
        bool ok;

        allowed = at;
        failed = false;
        ok = work(&err);
        allowed = -1;
        if (!ok)
            assert_int_equal(err.kind, ERROR_MEMORY);
        failures += !ok;
        if (at % (10 * STEP) == 0 || !failed)
            assert_true(read_all(&err)); /* whatever happened, it is intact */
        if (!failed)
            break;
        assert_true(at < 60000);
    }
    ledger_close(held);
    return failures;
}

static void readers_survive(void **state)
{
    struct error err = {0};

    (void)state;
    assert_true(write_all(&err));
    assert_true(fail_each(read_all) > 100);
}

static void writers_survive(void **state)
{
    struct error err = {0};

    (void)state;
    assert_true(write_all(&err));
    assert_true(fail_each(write_all) > 100);
}

/* The tables are made in the first transaction, or not at all. */
static void makers_survive(void **state)
{
    (void)state;
    for (long at = 0;; at += MAKE_STEP) {
        struct error err = {0};
        bool ok;

        (void)unlink(ledger_file);
        allowed = at;
        failed = false;
        ok = write_all(&err);
        allowed = -1;
        if (!ok)
            assert_int_equal(err.kind, ERROR_MEMORY);
        assert_true(write_all(&err)); /* the next finds it usable */
        assert_true(read_all(&err));
        if (!failed)
            break;
        assert_true(at < 60000);
    }
}

int group_memory(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(readers_survive),
        ledger_test(writers_survive),
        ledger_test(makers_survive),
    };

    return cmocka_run_group_tests(tests, listen_in, NULL);
}
