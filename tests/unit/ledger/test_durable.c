/* What was recorded is kept: killed writers, many writers, a disk that is full, files that are
 * forbidden. */
#include "ledgers.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static void integrity(void)
{
    sqlite3_stmt *s = NULL;
    struct ledger *l = open_ledger(LEDGER_READ);

    if (test_server != NULL) { /* not checked here */
        ledger_close(l);
        return;
    }
    assert_int_equal(sqlite3_prepare_v2(sqlite_of(l), "PRAGMA integrity_check", -1, &s, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(s, 0), "ok");
    (void)sqlite3_finalize(s);
    assert_int_equal(sqlite3_prepare_v2(sqlite_of(l), "PRAGMA foreign_key_check", -1, &s, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_DONE);
    (void)sqlite3_finalize(s);
    ledger_close(l);
}

/* A writer that reports after each tick that it was kept. */
static void tick_until_killed(int pipe_end, const char *id)
{
    struct error err = {0};
    struct ledger *l =
        ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system, &err);
    struct ledger_start start = start_of("crash");
    int attempt;

    (void)snprintf(start.id, sizeof start.id, "%.*s", (int)sizeof start.id - 1, id);
    if (l == NULL || !ledger_begin(l, &start, &attempt, &err))
        _exit(1);
    for (int i = 1;; i++) {
        struct ledger_totals t = totals_after(&start, i);
        struct ledger_sample s = sample_at(i);

        if (!ledger_tick(l, start.id, 1, &t, &s, &err) ||
            write(pipe_end, &i, sizeof i) != (ssize_t)sizeof i)
            _exit(1);
    }
}

static void kill_9_loses_nothing_committed(void **state)
{
    enum { KILLS = 50 };
    char ids[KILLS][LEDGER_ID];
    int kept[KILLS] = {0};
    struct ledger *l;

    (void)state;
    for (int i = 0; i < KILLS; i++) {
        int ends[2], got;
        pid_t child;

        ledger_new_id(ledger_now, ids[i]);
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        child = fork();
        if (child == 0) {
            (void)close(ends[0]);
            tick_until_killed(ends[1], ids[i]);
        }
        (void)close(ends[1]);
        /* Wait for the first report of some; then for a moment that differs from one to the
         * next, so that begins, ticks and checkpoints of the log are all cut short. */
        if (i % 4 != 0 && read(ends[0], &got, sizeof got) == (ssize_t)sizeof got)
            kept[i] = got;
        (void)nanosleep(&(struct timespec){.tv_nsec = (i * 7919 % 50) * 400000}, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        while (read(ends[0], &got, sizeof got) == (ssize_t)sizeof got)
            kept[i] = got;
        (void)close(ends[0]);
        assert_int_equal(waitpid(child, &got, 0), child);
        assert_true(WIFSIGNALED(got));
    }
    integrity();
    l = open_ledger(LEDGER_READ);
    for (int i = 0; i < KILLS; i++) {
        const struct ledger_sample *samples;
        struct error err = {0};
        struct ledger_run run;
        size_t count;

        if (kept[i] == 0)
            continue;
        run = read_run(l, ids[i]);
        assert_int_equal(run.state, RUN_LOST);
        assert_true(run.totals.cost.nano >= kept[i] * DOLLAR);
        assert_true(run.totals.cost.nano <=
                    (kept[i] + 1) * DOLLAR); /* reported, not yet read */
        assert_true(ledger_samples(l, ids[i], 1, &ledger_arena, &samples, &count, &err));
        assert_near(samples[count - 1].at_s, (double)run.totals.cost.nano / 1e9, 0);
    }
    ledger_close(l);
}

static void many_writers_lose_nothing(void **state)
{
    enum { WRITERS = 50, TICKS = 20 };
    const struct ledger_run *runs;
    struct error err = {0};
    struct ledger *l;
    size_t count;

    (void)state;
    for (int i = 0; i < WRITERS; i++) { /* they make the ledger, too, at one moment */
        if (fork() != 0)
            continue;
        struct ledger_start start = start_of("many");
        int attempt;

        l = ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system,
                        &err);
        if (l == NULL || !ledger_begin(l, &start, &attempt, &err)) {
            (void)fprintf(stderr, "%s\n", err.text);
            _exit(1);
        }
        for (int k = 1; k <= TICKS; k++) {
            struct ledger_totals t = totals_after(&start, k);
            struct ledger_sample s = sample_at(k);

            if (!ledger_tick(l, start.id, attempt, &t, &s, &err)) {
                (void)fprintf(stderr, "%s\n", err.text);
                _exit(1);
            }
        }
        struct ledger_totals t = totals_after(&start, TICKS);

        _exit(!ledger_end(l, start.id, attempt, &(struct ledger_ending){RUN_DONE, 0, ""}, &t,
                          &err));
    }
    for (int i = 0; i < WRITERS; i++) {
        int status;

        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    integrity();
    l = open_ledger(LEDGER_READ);
    assert_true(ledger_runs(l, &everything, &ledger_arena, &runs, &count, &err));
    assert_int_equal(count, WRITERS);
    for (size_t i = 0; i < count; i++) {
        const struct ledger_sample *samples;
        size_t sampled;

        assert_int_equal(runs[i].totals.cost.nano, TICKS * DOLLAR);
        assert_int_equal(runs[i].state, RUN_DONE);
        assert_true(
            ledger_samples(l, runs[i].start.id, 1, &ledger_arena, &samples, &sampled, &err));
        assert_int_equal(sampled, TICKS);
    }
    ledger_close(l);
}

/* An import that is killed in the middle, before it commits. */
static void import_until_killed(int pipe_end)
{
    static const char *const columns[] = {"day", "currency", "usd", "source"};
    struct error err = {0};
    struct ledger *l =
        ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system, &err);
    struct bulk *b;

    if (l == NULL || !ledger_start_write(l, &err))
        _exit(1);
    b = bulk_open(l, "rates", columns, ARRAY_LEN(columns), &err);
    if (b == NULL)
        _exit(1);
    for (int i = 0;; i++) {
        bulk_put(b, as_int(i));
        bulk_put(b, as_text(STR("EUR")));
        bulk_put(b, as_text_or_null(STR("1.25")));
        bulk_put(b, as_text(STR("here")));
        if (!bulk_row(b, &err) || (i == 20000 && write(pipe_end, &i, 1) != 1))
            _exit(1);
    }
}

static void an_import_that_is_killed_leaves_nothing(void **state)
{
    struct error err = {0};
    struct ledger *l = open_ledger(LEDGER_ADMIN);
    struct query *q;
    int ends[2], status;
    pid_t child;
    char got;

    (void)state;
    assert_true(ledger_start_write(l, &err) && ledger_finish(l, true, &err));
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    child = fork();
    if (child == 0)
        import_until_killed(ends[1]);
    (void)close(ends[1]);
    assert_int_equal(read(ends[0], &got, 1), 1);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    (void)close(ends[0]);
    assert_true(ledger_start_alone(l, &err)); /* the lock is free again */
    q = ledger_query(l, "SELECT count(*) FROM rates", NO_VALUES, &err);
    assert_non_null(q);
    assert_int_equal(ledger_row(l, q, "read", &err), 1);
    assert_int_equal(column_int(q, 0), 0);
    query_reset(q);
    assert_true(ledger_finish(l, true, &err));
    ledger_close(l);
    integrity();
}

static void writer_that_does_not_wait_gets_an_error(void **state)
{
    struct ledger *busy = open_ledger(LEDGER_WRITE), *l;
    struct ledger_start start = start_of("x"), other = start_of("y");
    struct error err = {0};
    int attempt;

    (void)state;
    (void)begin_run(busy, &start);
    assert_true(ledger_start_alone(busy, &err));
    l = ledger_open(ledger_file, LEDGER_WRITE, (span){1000000}, &ledger_clock, &alloc_system,
                    &err);
    assert_non_null(l);
    assert_false(ledger_begin(l, &other, &attempt, &err));
    assert_int_equal(err.kind, ERROR_AWAY);
    assert_non_null(strstr(err.text, "another program"));
    assert_int_equal(count_runs(l, everything), 1); /* readers need not wait */
    assert_true(ledger_finish(busy, true, &err));
    assert_int_equal(begin_run(l, &other), 1);
    ledger_close(l);
    ledger_close(busy);
}

static void a_full_disk_takes_nothing_back(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("full");
    struct rlimit before, small;
    struct error err = {0};
    int kept = 1;
    struct stat st;
    char log[220];

    (void)state;
    (void)begin_run(l, &start);
    tick_run(l, &start, 1, 1, NULL);
    (void)snprintf(log, sizeof log, "%s-wal", ledger_file);
    assert_int_equal(stat(log, &st), 0);
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = (rlim_t)st.st_size + 20000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (;; kept++) {
        struct ledger_totals t = totals_after(&start, kept + 1);
        struct ledger_sample s = sample_at(kept + 1);

        if (!ledger_tick(l, start.id, 1, &t, &s, &err))
            break;
        assert_true(kept < 1000);
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(err.kind, ERROR_AWAY);
    assert_int_equal(read_run(l, "full").totals.cost.nano, kept * DOLLAR);
    tick_run(l, &start, 1, kept + 1, NULL); /* there is room again */
    assert_int_equal(read_run(l, "full").totals.cost.nano, (kept + 1) * DOLLAR);
    ledger_close(l);
    integrity();
}

/* As an unprivileged user, since root may do everything. 0 when it passed. */
static int as_unprivileged(int (*check)(void))
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        if (geteuid() == 0 && (setegid(65534) != 0 || seteuid(65534) != 0))
            _exit(99);
        _exit(check());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static int read_but_not_write(void)
{
    struct error err = {0};
    struct ledger *l;

    if (ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system, &err) !=
            NULL ||
        err.kind != ERROR_SYSTEM)
        return 1;
    l = ledger_open(ledger_file, LEDGER_READ, PATIENCE, &ledger_clock, &alloc_system, &err);
    if (l == NULL) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    return count_runs(l, everything) == 1 ? 0 : 3;
}

static int not_even_read(void)
{
    struct error err = {0};

    return ledger_open(ledger_file, LEDGER_READ, PATIENCE, &ledger_clock, &alloc_system,
                       &err) == NULL &&
                   err.kind == ERROR_AWAY
               ? 0
               : 1;
}

static int not_make(void)
{
    struct error err = {0};

    return ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system,
                       &err) == NULL &&
                   err.kind == ERROR_SYSTEM
               ? 0
               : 1;
}

static void rights_are_respected(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("x");

    (void)state;
    (void)begin_run(l, &start);
    end_run(l, &start, 1, 1, RUN_DONE);
    ledger_close(l);
    ledger_close(open_ledger(LEDGER_READ)); /* puts the log in its place */
    assert_int_equal(chmod(ledger_file, 0444), 0);
    assert_int_equal(chmod(ledger_folder, 0555), 0);
    assert_int_equal(as_unprivileged(read_but_not_write), 0);
    assert_int_equal(chmod(ledger_file, 0000), 0);
    assert_int_equal(as_unprivileged(not_even_read), 0);
    (void)snprintf(ledger_file, sizeof ledger_file, "%s/new.db", ledger_folder);
    assert_int_equal(as_unprivileged(not_make), 0);
    assert_int_equal(chmod(ledger_folder, 0700), 0);
}

int group_durable(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(kill_9_loses_nothing_committed),
        ledger_test(many_writers_lose_nothing),
        ledger_test(an_import_that_is_killed_leaves_nothing),
        ledger_test(writer_that_does_not_wait_gets_an_error),
        file_test(a_full_disk_takes_nothing_back),
        file_test(rights_are_respected),
    };

    return run_on_engines(tests);
}
