/* ledgers.h - a ledger in a folder that goes with the test, or on a server; a clock that is set
 * by hand; and helpers that record runs. */
#ifndef TESTS_LEDGER_LEDGERS_H
#define TESTS_LEDGER_LEDGERS_H

#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "engines.h"
#include "ledger/engine/sqlite.h"
#include "ledger/internal.h"
#include "ledger/writes.h"

#define NOW INT64_C(1794700800) /* 2026-11-15 */
#define DOLLAR INT64_C(1000000000)
#define PATIENCE ((span){INT64_C(20000000000)})

static char ledger_folder[64], ledger_file[200];
static stamp ledger_now;
static struct clock ledger_clock;
static struct arena ledger_arena;

static inline int ledger_folder_make(void **state)
{
    (void)state;
    /* In memory where possible: thousands of syncs are slow on a disk. */
    (void)snprintf(ledger_folder, sizeof ledger_folder, "%s/stint-ledger-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(ledger_folder) == NULL)
        return 1;
    if (test_server != NULL)
        (void)snprintf(ledger_file, sizeof ledger_file, "%s", test_server);
    else
        (void)snprintf(ledger_file, sizeof ledger_file, "%s/ledger.db", ledger_folder);
    ledger_now = (stamp){NOW};
    ledger_clock = clock_fixed(&ledger_now);
    ledger_arena = test_arena();
    return 0;
}

static inline int ledger_unmake(void **state)
{
    char command[200];

    (void)state;
    arena_free(&ledger_arena);
    (void)snprintf(command, sizeof command, "rm -rf %s", ledger_folder);
    return system(command);
}

static inline int ledger_make(void **state)
{
    (void)state;
    return sqlite_setup(ledger_folder_make);
}

static inline int ledger_make_server(void **state)
{
    (void)state;
    return server_setup(ledger_folder_make);
}

/* As ledger_make(), but for tests of files alone. */
static inline int ledger_make_file(void **state)
{
    return ledger_make(state);
}

/* On both engines; on SQLite alone; on PostgreSQL alone. */
#define ledger_test(name) cmocka_unit_test_setup_teardown(name, ledger_make, ledger_unmake)
#define file_test(name) cmocka_unit_test_setup_teardown(name, ledger_make_file, ledger_unmake)
#define server_test(name) \
    cmocka_unit_test_setup_teardown(name, ledger_make_server, ledger_unmake)

static inline struct ledger *open_ledger(enum ledger_mode mode)
{
    struct error err = {0};
    struct ledger *l =
        ledger_open(ledger_file, mode, PATIENCE, &ledger_clock, &alloc_system, &err);

    if (l == NULL)
        fail_msg("%s", err.text);
    return l;
}

/* SQLite's own connection. */
static inline sqlite3 *sqlite_of(struct ledger *l)
{
    assert_ptr_equal(l->db->engine, &engine_sqlite);
    return ((struct sqlite_database *)l->db)->db;
}

/* This process as the supervisor of a run, as the ledger would look it up. */
static inline void watch_over(struct ledger_start *start)
{
    static char boot[64];
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");

    assert_non_null(f);
    assert_non_null(fgets(boot, sizeof boot, f));
    (void)fclose(f);
    boot[strcspn(boot, "\n")] = '\0';
    start->boot = str_from(boot);
    start->pid = getpid();
    f = fopen("/proc/self/stat", "r");
    assert_non_null(f);
    for (int i = 1; i < 22; i++)
        assert_int_equal(fscanf(f, "%*s"), 0);
    assert_int_equal(fscanf(f, "%ld", &start->pid_started), 1);
    (void)fclose(f);
}

static inline struct ledger_start start_of(const char *name)
{
    struct ledger_start start = {.name = str_from(name),
                                 .folder = STR("/home/ann/work"),
                                 .command = STR("python train.py"),
                                 .user = STR("ann"),
                                 .host = STR("box"),
                                 .offer = STR("aws/us-east-1/p5.48xlarge"),
                                 .market = STR("spot"),
                                 .price_source = STR("--price"),
                                 .rate = {2 * DOLLAR},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .started = ledger_now};

    watch_over(&start);
    ledger_new_id(ledger_now, start.id);
    return start;
}

static inline int begin_run(struct ledger *l, struct ledger_start *start)
{
    struct error err = {0};
    int attempt = 0;

    if (!ledger_begin(l, start, &attempt, &err))
        fail_msg("%s", err.text);
    return attempt;
}

/* What is known after so many seconds, at a dollar each. */
static inline struct ledger_totals totals_after(const struct ledger_start *start,
                                                int64_t seconds)
{
    struct ledger_totals totals;

    ledger_totals_unknown(&totals);
    totals.at = (stamp){start->started.s + seconds};
    totals.elapsed = (span){seconds * DOLLAR};
    totals.cost = (usd){seconds * DOLLAR};
    return totals;
}

static inline struct ledger_sample sample_at(double at_s)
{
    return (struct ledger_sample){at_s, at_s, NAN, NAN, NAN, NAN, NAN,
                                  NAN,  NAN,  NAN, NAN, {0}, {0}, {0}};
}

static inline void tick_run(struct ledger *l, const struct ledger_start *start, int attempt,
                            int64_t seconds, const struct ledger_sample *sample)
{
    struct ledger_totals totals = totals_after(start, seconds);
    struct error err = {0};

    if (!ledger_tick(l, start->id, attempt, &totals, sample, &err))
        fail_msg("%s", err.text);
}

static inline void end_run(struct ledger *l, const struct ledger_start *start, int attempt,
                           int64_t seconds, enum ledger_state how)
{
    struct ledger_totals totals = totals_after(start, seconds);
    struct error err = {0};

    if (!ledger_end(l, start->id, attempt,
                    &(struct ledger_ending){how, how == RUN_DONE ? 0 : 1, ""}, &totals, &err))
        fail_msg("%s", err.text);
}

static inline struct ledger_run read_run(struct ledger *l, const char *what)
{
    struct ledger_run run = {0};
    struct error err = {0};

    if (!ledger_find(l, str_from(what), &ledger_arena, &run, &err))
        fail_msg("%s", err.text);
    return run;
}

static inline size_t count_runs(struct ledger *l, struct ledger_query query)
{
    const struct ledger_run *runs;
    struct error err = {0};
    size_t count;

    if (!ledger_runs(l, &query, &ledger_arena, &runs, &count, &err))
        fail_msg("%s", err.text);
    return count;
}

#define run_on_engines(tests) \
    engine_tests(tests, ARRAY_LEN(tests), ledger_make, ledger_make_server)

static const struct ledger_query everything = {.since = {-1}, .until = {-1}};

#endif
