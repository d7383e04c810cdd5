/* An import is visible completely or not at all: killed imports, two at once, a reader
 * meanwhile, a disk that is full, memory that runs out. */
#include "bills_world.h"

#include "base/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

/* An import of `count` lines of a dollar that writes every few lines. False without a
 * message. */
static bool import_quietly(struct ledger *l, int count, const char *billed, struct error *err)
{
    struct ledger_import_options options = import_options();
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct ledger_import *i;
    struct ledger_imported out;
    struct made_line m;
    bool ok;

    options.memory = 1;
    options.pid = getpid();
    options.pid_started = process_start(getpid());
    i = ledger_import_begin(l, &options, err);
    ok = i != NULL && ledger_import_file(i, STR("may.csv"), &about_focus, err);
    for (int n = 0; ok && n < count; n++) {
        make_line(&m, n, billed);
        ok = ledger_import_line(i, &m.line, err);
    }
    ok = ok && ledger_import_file_end(i, STR("d"), err);
    if (ok)
        ok = ledger_import_commit(i, &arena, &out, err);
    else
        ledger_import_abandon(i);
    arena_free(&arena);
    return ok;
}

static void check_complete(void)
{
    sqlite3_stmt *s = NULL;
    struct ledger *l = open_ledger(LEDGER_READ);

    if (test_server != NULL) {
        ledger_close(l);
        return;
    }
    assert_int_equal(sqlite3_prepare_v2(sqlite_of(l), "PRAGMA integrity_check", -1, &s, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(s, 0), "ok");
    (void)sqlite3_finalize(s);
    ledger_close(l);
}

/* The one bill that is seen: its amount in dollars. */
static int64_t bill_dollars(struct ledger *l)
{
    const struct ledger_bill *bills;
    int64_t dollars;

    assert_int_equal(read_bills(l, &bills), 1);
    assert_true(decimal_fixed(bills[0].billed, 0, &dollars));
    return dollars;
}

/* Also checks that its sums agree. */
static int64_t seen_dollars(struct ledger *l)
{
    struct ledger_cost_query query = {.since = DAY_UNKNOWN, .until = DAY_UNKNOWN};
    int64_t dollars = bill_dollars(l), sum;
    struct answer a;

    ask_costs(l, &query, &a);
    assert_true(decimal_fixed(a.billed, 0, &sum));
    assert_int_equal(sum, dollars);
    return dollars;
}

/* Bills of 201, 202, ... dollars, one after the other; reports after each that it was kept. */
static void import_until_killed(int pipe_end)
{
    struct error err = {0};
    struct ledger *l =
        ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system, &err);

    for (int n = 201; l != NULL && import_quietly(l, n, "1", &err); n++)
        if (write(pipe_end, &n, sizeof n) != (ssize_t)sizeof n)
            break;
    _exit(1);
}

static void a_killed_import_is_not_seen(void **state)
{
    enum { KILLS = 20 };
    struct ledger *l = open_ledger(LEDGER_WRITE);
    int64_t kept = 100;

    (void)state;
    (void)import_file(l, "may.csv", 100, "1");
    ledger_close(l);
    for (int i = 0; i < KILLS; i++) {
        int ends[2], got;
        int64_t seen;
        pid_t child;

        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        child = fork();
        if (child == 0) {
            (void)close(ends[0]);
            import_until_killed(ends[1]);
        }
        (void)close(ends[1]);
        if (i % 2 == 1 && read(ends[0], &got, sizeof got) == (ssize_t)sizeof got)
            kept = got;
        (void)nanosleep(&(struct timespec){.tv_nsec = (i * 7919 % 47) * 1000000}, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        while (read(ends[0], &got, sizeof got) == (ssize_t)sizeof got)
            kept = got;
        (void)close(ends[0]);
        assert_int_equal(waitpid(child, &got, 0), child);
        assert_true(WIFSIGNALED(got));
        l = open_ledger(LEDGER_READ);
        seen = seen_dollars(l);
        assert_true(seen == kept || seen == kept + 1 ||
                    seen == 201); /* reported, not yet read */
        kept = seen;
        ledger_close(l);
    }
    assert_true(kept > 200);
    check_complete();
    l = open_ledger(LEDGER_WRITE);
    (void)import_file(l, "last.csv", 7, "1"); /* removes what dead imports left */
    assert_int_equal(seen_dollars(l), 7);
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
}

static void imports_at_once_do_not_double(void **state)
{
    enum { IMPORTS = 6 };
    struct ledger *l = open_ledger(LEDGER_WRITE);
    int64_t seen;

    (void)state;
    (void)import_file(l, "may.csv", 100, "1"); /* makes the tables */
    for (int i = 0; i < IMPORTS; i++)
        if (fork() == 0) {
            struct error err = {0};

            l = ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system,
                            &err);
            if (l == NULL || !import_quietly(l, 400 + i, "1", &err)) {
                (void)fprintf(stderr, "%s\n", err.text);
                _exit(1);
            }
            _exit(0);
        }
    for (int i = 0; i < IMPORTS; i++) {
        int status = 0;

        while (waitpid(-1, &status, WNOHANG) == 0) { /* a reader sees one of them, complete */
            seen = bill_dollars(l);
            assert_true(seen == 100 || (seen >= 400 && seen < 400 + IMPORTS));
        }
        assert_int_equal(status, 0);
    }
    seen = seen_dollars(l);
    assert_true(seen >= 400 && seen < 400 + IMPORTS);
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
    check_complete();
}

/* In a process with a limited file size: how it ended. */
static int import_in_little_space(rlim_t space)
{
    struct error err = {0};
    struct rlimit small;
    struct ledger *l;

    if (signal(SIGXFSZ, SIG_IGN) == SIG_ERR || getrlimit(RLIMIT_FSIZE, &small) != 0)
        return 1;
    small.rlim_cur = space;
    if (setrlimit(RLIMIT_FSIZE, &small) != 0)
        return 2;
    l = ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system, &err);
    if (l == NULL || import_quietly(l, 20000, "1", &err))
        return 3;
    return err.kind == ERROR_AWAY ? 0 : 4;
}

static void a_full_disk_changes_nothing(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct stat st;
    int status;
    pid_t child;

    (void)state;
    (void)import_file(l, "may.csv", 100, "1");
    assert_int_equal(stat(ledger_file, &st), 0);
    child = fork();
    if (child == 0)
        _exit(import_in_little_space((rlim_t)st.st_size + 300000));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(seen_dollars(l), 100);
    (void)import_file(l, "may.csv", 101, "1"); /* there is room again */
    assert_int_equal(seen_dollars(l), 101);
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
    check_complete();
}

/* An import on another machine that was silent for ten minutes counts as dead; if it is not, it
 * fails later. */
static void silent_import_is_removed(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE), *other = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_import *i;
    struct ledger_imported out;
    struct error err = {0};

    (void)state;
    options.host = STR("elsewhere");
    options.boot = STR("another");
    i = begin_import(l, &options);
    put_file(i, "may.csv", 20000, "1");
    ledger_now.s += 500;
    (void)import_file(other, "may.csv", 3, "1"); /* it may still be alive */
    assert_true(count_litter(other) > 0);
    ledger_now.s += 500;
    (void)import_file(other, "may.csv", 4, "1");
    assert_int_equal(count_litter(other), 0);
    assert_false(ledger_import_commit(i, &ledger_arena, &out, &err));
    assert_non_null(strstr(err.text, "took it for dead"));
    assert_int_equal(seen_dollars(other), 4);
    ledger_close(l);
    ledger_close(other);
}

static void out_of_memory_is_an_error(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    bool ok = false;

    (void)state;
    (void)import_file(l, "may.csv", 100, "1");
    for (size_t allow = 0; !ok; allow += allow < 30 ? 1 : 7) { /* they repeat themselves */
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct error err = {0};
        struct ledger *poor =
            ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc, &err);

        assert_true(allow < 2000);
        ok = poor != NULL && import_quietly(poor, 60, "1", &err);
        assert_int_equal(err.kind, ok ? ERROR_NONE : ERROR_MEMORY);
        ledger_close(poor);
        assert_int_equal(failing.held, 0);
        assert_int_equal(seen_dollars(l), ok ? 60 : 100);
    }
    ledger_close(l);
}

/* The disk of a server cannot be tested. */
static int in_a_file(void **state)
{
    return ledger_make(state);
}

int group_bills_durable(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(a_killed_import_is_not_seen),
        ledger_test(imports_at_once_do_not_double),
        cmocka_unit_test_setup_teardown(a_full_disk_changes_nothing, in_a_file, ledger_unmake),
        ledger_test(silent_import_is_removed),
        ledger_test(out_of_memory_is_an_error),
    };

    return run_on_engines(tests);
}
