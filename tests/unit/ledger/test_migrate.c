/* A ledger of version 1, as the first release wrote it, is upgraded: nothing is lost, and a
 * backup is kept, also with several programs at the same time and when one is killed. */
#include "version_2.h"

#include "base/fs.h"
#include "ledger/bills/bills.h"
#include "ledger/copy/check.h"
#include "ledger/runs/learning.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#define RUNS 300

/* Runs as version 1 wrote them: every table has some, `user` is what it was called. */
static const char fill_sql[] =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
    " INSERT INTO runs(run, id, name, folder, command, user, commit_id, budget_nano, started,"
    "  attempts)"
    " SELECT i, printf('019b%04x-0000-7000-8000-%012x', i, i), 'run ' || i, '/home/ann', "
    "'train',"
    "  'ann', 'c0ffee', CASE WHEN i % 2 THEN i * 1000000000 END, 1700000000 + i, 1 FROM n;"
    "INSERT INTO tags SELECT run, 'team', 'nlp' FROM runs;"
    "INSERT INTO attempts(attempt, run, number, state, status, started, ended, host, boot, "
    "offer,"
    "  market, price_source, rate_nano, at, elapsed_ns, cost_nano, joules, loss)"
    " SELECT run, run, 1, 'done', 0, started, started + 60, 'box', 'b', 'aws/x/y', 'spot', "
    "'list',"
    "  2000000000, started + 60, 60000000000, run * 1000000007, run / 3.0, 1.0 / run FROM runs;"
    "INSERT INTO facts SELECT attempt, 0, 'gpu=H100' FROM attempts;"
    "INSERT INTO segments SELECT attempt, started, ended, rate_nano, offer, 'list' FROM "
    "attempts;"
    "INSERT INTO samples(attempt, at_s, cost, loss) SELECT attempt, 0.1, 0.25, joules"
    " FROM attempts;"
    "INSERT INTO events(attempt, at, kind, words) SELECT attempt, at, 'checkpoint', 'saved'"
    " FROM attempts;"
    "INSERT INTO checkpoints(run, path, number, at, bytes, best) SELECT run, '/c/' || run, 1,"
    " at, 1e9, 1 FROM attempts;";

/* Of everything that version 1 kept, by its own columns; `user` by the name it has now. */
static const char digest_sql[] =
    "SELECT group_concat(x, '|') FROM ("
    "SELECT count(*) || ' ' || sum(run) || ' ' || sum(length(id || name || folder || command ||"
    "  commit_id)) || ' ' || sum(budget_nano) || ' ' || sum(started) AS x FROM runs UNION ALL "
    "SELECT count(*) || key || value FROM tags GROUP BY key, value UNION ALL "
    "SELECT count(*) || ' ' || sum(cost_nano) || ' ' || total(joules) || ' ' || total(loss)"
    "  FROM attempts UNION ALL "
    "SELECT count(*) || fact FROM facts GROUP BY fact UNION ALL "
    "SELECT count(*) || ' ' || sum(rate_nano) FROM segments UNION ALL "
    "SELECT count(*) || ' ' || total(loss) FROM samples UNION ALL "
    "SELECT count(*) || min(words) FROM events UNION ALL "
    "SELECT count(*) || ' ' || total(bytes) FROM checkpoints)";

static char old_file[100], before[1000];

static void ask(const char *path, const char *sql, char *to, size_t room)
{
    sqlite3_stmt *s = NULL;
    sqlite3 *db;

    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
        fail_msg("%s: %s", path, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    (void)snprintf(to, room, "%s", (const char *)sqlite3_column_text(s, 0));
    (void)sqlite3_finalize(s);
    (void)sqlite3_close(db);
}

static void assert_asked(const char *path, const char *sql, const char *expected)
{
    char got[1000];

    ask(path, sql, got, sizeof got);
    assert_string_equal(got, expected);
}

/* The released tables are those of the first step: it is never changed again. */
static void make_old(void)
{
    static const char label[] = "PRAGMA journal_mode=WAL;"
                                "PRAGMA application_id=1400138094; PRAGMA user_version=1";
    sqlite3 *db;

    (void)snprintf(old_file, sizeof old_file, "%s/old.db", ledger_folder);
    assert_int_equal(ledger_steps[0].version, 1);
    assert_int_equal(sqlite3_open(old_file, &db), SQLITE_OK);
    if (sqlite3_exec(db, ledger_steps[0].sql, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(db, fill_sql, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(db, label, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    (void)sqlite3_close(db);
    ask(old_file, digest_sql, before, sizeof before);
    assert_true(str_starts(str_from(before), STR("300 45150 ")));
}

/* A copy of it in the ledger's place, alone. */
static void put_old(void)
{
    char command[400];

    (void)snprintf(command, sizeof command, "cd %s && rm -f ledger.db* && cp old.db ledger.db",
                   ledger_folder);
    assert_int_equal(system(command), 0);
}

static void backup_name(char to[static 240])
{
    (void)snprintf(to, 240, "%s.v1.bak", ledger_file);
}

/* Everything is in the new tables; the backup is complete and unchanged. */
static void assert_upgraded(void)
{
    char backup[240];
    struct stat st;

    assert_asked(ledger_file, "PRAGMA user_version", "5");
    assert_asked(ledger_file, digest_sql, before);
    assert_asked(ledger_file,
                 "SELECT count(*) FROM runs WHERE owner = 'ann' AND origin = 'run'", "300");
    assert_asked(ledger_file, "PRAGMA integrity_check", "ok");
    backup_name(backup);
    assert_asked(backup, "PRAGMA user_version", "1");
    assert_asked(backup, digest_sql, before);
    assert_asked(backup, "SELECT count(*) FROM runs WHERE user = 'ann'", "300");
    assert_asked(backup, "PRAGMA integrity_check", "ok");
    assert_int_equal(stat(backup, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    (void)snprintf(backup, sizeof backup, "%s.v1.bak.tmp", ledger_file);
    assert_int_equal(access(backup, F_OK), -1);
    (void)snprintf(backup, sizeof backup, "%s.v2.bak", ledger_file);
    assert_int_equal(access(backup, F_OK), -1);
}

static void ledger_of_version_1_is_upgraded(void **state)
{
    const struct ledger_happening *events;
    const struct ledger_checkpoint *checkpoints;
    const struct ledger_sample *samples;
    const struct ledger_price *prices;
    struct ledger_run run;
    struct error err = {0};
    struct ledger *l;
    size_t count;

    (void)state;
    make_old();
    put_old();
    l = open_ledger(LEDGER_READ); /* a reader upgrades it, too */
    assert_int_equal(count_runs(l, everything), RUNS);
    run = read_run(l, "run 7");
    assert_str_equal(run.start.user, "ann");
    assert_str_equal(run.start.origin, "run");
    assert_int_equal(run.start.tags.len, 1);
    assert_int_equal(run.start.facts.len, 1);
    assert_int_equal(run.totals.cost.nano, 7 * INT64_C(1000000007));
    assert_true(run.totals.joules == 7 / 3.0);
    assert_int_equal(run.start.budget.nano, 7 * DOLLAR);
    assert_int_equal(run.state, RUN_DONE);
    assert_true(ledger_events(l, run.start.id, &ledger_arena, &events, &count, &err));
    assert_int_equal(count, 1);
    assert_true(ledger_samples(l, run.start.id, 1, &ledger_arena, &samples, &count, &err));
    assert_int_equal(count, 1);
    assert_true(ledger_checkpoints(l, run.start.id, &ledger_arena, &checkpoints, &count, &err));
    assert_int_equal(count, 1);
    assert_true(ledger_prices(l, run.start.id, &ledger_arena, &prices, &count, &err));
    assert_int_equal(count, 1);
    ledger_close(l);
    assert_upgraded();
}

/* What was learned from wall time is not taken over; runs have no step time. */
static void corrections_of_version_3_are_dropped(void **state)
{
    static const char fill[] =
        "INSERT INTO runs(run, id, name, folder, command, owner, commit_id, started, attempts,"
        "  estimated_ns, features, origin)"
        " VALUES(1, '019d0001-0000-7000-8000-000000000001', 'bert', '/w', 'train', 'ann', '',"
        "  1794700800, 1, 60000000000, '{\"gpu\":\"L4\"}', 'run');"
        "INSERT INTO attempts(run, number, state, started, ended, host, boot, offer, market,"
        "  price_source, at, elapsed_ns) VALUES(1, 1, 'done', 1794700800, 1794700900, 'box',"
        "  'b', '', '', '', 1794700900, 100000000000);"
        "INSERT INTO corrections(gpu, framework, factor, low, high, runs, constants, made)"
        " VALUES('L4', 'hf', 1.57, 1.4, 1.7, 4, '1-abc', 1794700900);";
    struct ledger *l = open_ledger(LEDGER_ADMIN);
    const struct ledger_correction *corrections;
    const struct ledger_outcome *outcomes;
    struct error err = {0};
    size_t steps = 0, count;
    sqlite3 *db;

    (void)state;
    while (ledger_steps[steps].version < 4)
        steps++;
    assert_true(l->db->engine->begin(l->db, ENGINE_ALONE, &err));
    assert_true(ledger_finish(l, ledger_step_up(l, ledger_steps, steps, &err), &err));
    ledger_close(l);
    assert_int_equal(sqlite3_open(ledger_file, &db), SQLITE_OK);
    if (sqlite3_exec(db, fill, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    (void)sqlite3_close(db);
    l = open_ledger(LEDGER_READ);
    assert_true(ledger_corrections(l, &ledger_arena, &corrections, &count, &err));
    assert_int_equal(count, 0);
    assert_true(ledger_outcomes(l, (stamp){-1}, &ledger_arena, &outcomes, &count, &err));
    assert_int_equal(count, 1);
    assert_true(isnan(outcomes[0].step_s) && isnan(outcomes[0].startup_s));
    ledger_close(l);
    assert_asked(ledger_file, "PRAGMA user_version", "5");
}

/* In SQLite's words an AMOUNT is TEXT. */
static bool apply_step(sqlite3 *db, const char *sql)
{
    char *words = strdup(sql);
    bool ok;

    assert_non_null(words);
    for (char *at = words; (at = strstr(at, "AMOUNT")) != NULL;)
        memcpy(at, "TEXT  ", 6);
    ok = sqlite3_exec(db, words, NULL, NULL, NULL) == SQLITE_OK;
    free(words);
    return ok;
}

/* As the second release left it: its rows are in the new tables and in the backup. */
static void ledger_of_version_2_is_upgraded(void **state)
{
    char backup[240];
    struct ledger_run run;
    struct ledger *l;
    sqlite3 *db;

    (void)state;
    make_old();
    put_old();
    assert_int_equal(sqlite3_open(ledger_file, &db), SQLITE_OK);
    for (size_t i = 0; i < ledger_step_count; i++)
        if (ledger_steps[i].version == 2 && !apply_step(db, ledger_steps[i].sql))
            fail_msg("%s", sqlite3_errmsg(db));
    assert_true(apply_step(db, "UPDATE runs SET digest = 'd'; PRAGMA user_version=2"));
    (void)sqlite3_close(db);
    l = open_ledger(LEDGER_READ);
    assert_int_equal(count_runs(l, everything), RUNS);
    run = read_run(l, "run 7");
    assert_true(isnan(run.totals.save_s));
    assert_int_equal(run.totals.reserve_why.len, 0);
    ledger_close(l);
    assert_asked(ledger_file, "PRAGMA user_version", "5");
    assert_asked(ledger_file, digest_sql, before);
    assert_asked(ledger_file, "SELECT count(*) FROM runs WHERE digest = 'd'", "300");
    (void)snprintf(backup, sizeof backup, "%s.v2.bak", ledger_file);
    assert_asked(backup, "PRAGMA user_version", "2");
    assert_asked(backup, digest_sql, before);
}

/* ---- bills of version 2 ---- */

static void bills_of_version_2_are_packed_to_the_last_digit(void **state)
{
    const char *file = read_fixture("version_2.csv");
    struct error err = {0};
    struct ledger_health health;
    struct ledger *l;
    sqlite3 *db;

    (void)state;
    assert_int_equal(sqlite3_open(ledger_file, &db), SQLITE_OK);
    if (sqlite3_exec(db, read_fixture("version_2.sql"), NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    /* Sums in two parts, as large imports left them. */
    if (sqlite3_exec(db,
                     "INSERT INTO bill_days SELECT bill, day, grp, 1, '0.00', '0', '0', '0', 0"
                     " FROM bill_days",
                     NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    (void)sqlite3_close(db);
    assert_int_equal(chmod(ledger_file, 0600), 0);
    l = open_ledger(LEDGER_WRITE);
    assert_int_equal(compare_month(l, file, "2026-08", 1), 22);
    assert_int_equal(compare_month(l, file, "2026-10", 2), 2);
    assert_true(ledger_check(l, &ledger_arena, &health, &err));
    for (size_t i = 0; i < health.findings.len; i++)
        fail_msg("%.*s", STR_ARG(((const struct ledger_problem *)health.findings.at)[i].text));
    ledger_close(l);
    assert_asked(ledger_file, "PRAGMA user_version", "5");
    assert_asked(ledger_file, "SELECT count(*) || ' ' || sum(lines) FROM bill_blocks", "2 24");
    assert_asked(ledger_file,
                 "SELECT count(*) - count(DISTINCT bill || ' ' || day || ' ' || grp)"
                 " FROM bill_days",
                 "0");
    assert_asked(ledger_file,
                 "SELECT count(*) FROM sqlite_schema WHERE name IN ('bill_lines',"
                 " 'bill_things')",
                 "0");
}

static int open_and_close(void)
{
    struct error err = {0};
    struct ledger *l =
        ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system, &err);

    if (l == NULL || count_runs(l, everything) != RUNS) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    ledger_close(l);
    return 0;
}

static void many_programs_upgrade_it_once(void **state)
{
    enum { PROGRAMS = 8, TIMES = 4 };

    (void)state;
    make_old();
    for (int n = 0; n < TIMES; n++) {
        put_old();
        for (int i = 0; i < PROGRAMS; i++)
            if (fork() == 0)
                _exit(open_and_close());
        for (int i = 0; i < PROGRAMS; i++) {
            int status;

            assert_true(wait(&status) > 0);
            assert_int_equal(status, 0);
        }
        assert_upgraded();
    }
}

/* Killed at any time, the ledger is completely of one version or the other, and the next
 * program that opens it finishes the upgrade. */
static void upgrade_can_be_killed_at_any_moment(void **state)
{
    enum { KILLS = 24 };
    int undone = 0;

    (void)state;
    make_old();
    for (int i = 0; i < KILLS; i++) {
        char version[8];
        int status;
        pid_t child;

        put_old();
        child = fork();
        if (child == 0)
            _exit(open_and_close());
        (void)nanosleep(&(struct timespec){.tv_nsec = i * 7919 % KILLS * 600000}, NULL);
        (void)kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_asked(ledger_file, digest_sql, before);
        assert_asked(ledger_file, "PRAGMA integrity_check", "ok");
        ask(ledger_file, "PRAGMA user_version", version, sizeof version);
        undone += strcmp(version, "1") == 0;
        assert_int_equal(open_and_close(), 0);
        assert_upgraded();
    }
    assert_true(undone > 0);
}

/* Where no copy can be kept, nothing is changed. */
static void without_a_backup_nothing_is_changed(void **state)
{
    struct error err = {0};
    char backup[240];

    (void)state;
    make_old();
    put_old();
    backup_name(backup);
    assert_int_equal(mkdir(backup, 0700), 0); /* in its place */
    assert_null(
        ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system, &err));
    assert_int_equal(err.kind, ERROR_SYSTEM);
    assert_non_null(strstr(err.text, "cannot back the ledger up"));
    assert_asked(ledger_file, "PRAGMA user_version", "1");
    assert_int_equal(rmdir(backup), 0);
    assert_int_equal(open_and_close(), 0);
    assert_upgraded();
}

/* Version 2 had bills already: they stay, and those of answers are known to be coarse. */
static void bills_of_version_2_are_upgraded(void **state)
{
    static const char bills[] =
        "INSERT INTO imports VALUES (1, 'x', 1, 1, 1, 'ann', 'box', 'b', 1, 1, 1);"
        "INSERT INTO bills(bill, import, state, provider, account, currency, period_start,"
        " period_end, amounts, format, version, files, first_day, last_day, lines, billed,"
        " effective) VALUES"
        " (1, 1, 'current', 'AWS', '', 'USD', 1777593600, 1780272000, 'both', 'aws-explorer',"
        "  '', '[]', 20574, 20604, 0, '0', '0'),"
        " (2, 1, 'current', 'AWS', '111', 'USD', 1777593600, 1780272000, 'both', 'aws-cur',"
        "  '', '[]', 20574, 20604, 0, '0', '0');"
        "PRAGMA application_id=1400138094; PRAGMA user_version=2";
    struct error err = {0};
    struct ledger *l;
    sqlite3 *db;
    char backup[240];

    (void)state;
    assert_int_equal(sqlite3_open(ledger_file, &db), SQLITE_OK);
    for (size_t i = 0; i < ledger_step_count && ledger_steps[i].version <= 2; i++)
        assert_true(apply_step(db, ledger_steps[i].sql));
    assert_true(apply_step(db, bills));
    (void)sqlite3_close(db);
    l = ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system, &err);
    if (l == NULL)
        fail_msg("%s", err.text);
    ledger_close(l);
    assert_asked(ledger_file, "PRAGMA user_version", "5");
    assert_asked(ledger_file,
                 "SELECT group_concat(bill || format || coarse || coalesce(marks, '-'), ' ')"
                 " FROM bills",
                 "1aws-explorer1- 2aws-cur0-");
    (void)snprintf(backup, sizeof backup, "%s.v2.bak", ledger_file);
    assert_asked(backup, "PRAGMA user_version", "2");
}

int group_migrate(void)
{
    const struct CMUnitTest tests[] = {
        file_test(ledger_of_version_1_is_upgraded),
        file_test(corrections_of_version_3_are_dropped),
        file_test(ledger_of_version_2_is_upgraded),
        file_test(bills_of_version_2_are_upgraded),
        file_test(bills_of_version_2_are_packed_to_the_last_digit),
        file_test(many_programs_upgrade_it_once),
        file_test(upgrade_can_be_killed_at_any_moment),
        file_test(without_a_backup_nothing_is_changed),
    };

    (void)server_tests; /* files alone */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
