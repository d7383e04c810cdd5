/* A ledger of an earlier version is upgraded: nothing is lost, a file is copied before, also
 * with several programs at the same time and when one is interrupted. What comes after the
 * newest version is the tests' own (ledger/next_version.h). */
#include "copy_world.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "ledger/next_version.h"

#define RUNS 60 /* besides the odd rows that every table has */
#define ALL_RUNS (RUNS + 3)

static int first, newest; /* versions: of the ledger before, and of the tests' last step */
static char old_file[100], backup_file[240];

/* ---- making ledgers ---- */

static struct ledger *open_with(const struct ledger_schema *schema, const char *path,
                                enum ledger_mode mode, struct error *err)
{
    return ledger_open_as(schema, path, mode, PATIENCE, &ledger_clock, &alloc_system, err);
}

/* As a newer Stint does: a file when it is opened, a server by `stint ledger init`. */
static bool upgrade_with(const struct ledger_schema *schema, struct error *err)
{
    struct ledger *l =
        open_with(schema, ledger_file, test_server == NULL ? LEDGER_READ : LEDGER_ADMIN, err);
    struct ledger_roles roles = {0};
    int before, now;
    bool ok = l != NULL && (test_server == NULL || ledger_init(l, &roles, &before, &now, err));

    ledger_close(l);
    return ok;
}

static bool upgrade(struct error *err)
{
    return upgrade_with(next_schema(), err);
}

static void copy_from_to(const struct ledger_schema *schema, const char *from, const char *to,
                         struct ledger_copy *copy)
{
    struct error err = {0};
    struct ledger *a = open_with(schema, from, LEDGER_READ, &err);
    struct ledger *b = a != NULL ? open_with(schema, to, LEDGER_WRITE, &err) : NULL;

    *copy = (struct ledger_copy){0};
    if (b == NULL || !ledger_copy(a, b, copy, &ledger_arena, &err))
        fail_msg("%s", err.text);
    ledger_close(a);
    ledger_close(b);
}

/* Odd rows in every table, and runs. */
static void make_old(void)
{
    struct ledger *l;

    first = ledger_newest(&ledger_schema);
    newest = ledger_newest(next_schema());
    next_meanwhile = NULL;
    (void)snprintf(old_file, sizeof old_file, "%s/old.db", ledger_folder);
    (void)snprintf(backup_file, sizeof backup_file, "%s.v%d.bak", ledger_file, first);
    fill(old_file);
    l = open_at(old_file, LEDGER_WRITE);
    for (int i = 0; i < RUNS; i++) {
        struct ledger_start start;
        char name[20];

        (void)snprintf(name, sizeof name, "run %d", i);
        start = start_of(name);
        end_run(l, &start, begin_run(l, &start), i, RUN_DONE);
    }
    ledger_close(l);
    ledger_close(open_at(old_file, LEDGER_READ)); /* puts the log into the file */
}

/* In the ledger's place, alone. */
static void put_old(void)
{
    struct ledger_copy copy;
    char command[400];

    if (test_server == NULL) {
        (void)snprintf(command, sizeof command,
                       "cd %s && rm -f ledger.db* && cp old.db ledger.db", ledger_folder);
        assert_int_equal(system(command), 0);
        return;
    }
    assert_true(server_does("SET client_min_messages TO error;"
                            "DROP SCHEMA IF EXISTS stint CASCADE"));
    copy_from_to(&ledger_schema, old_file, ledger_file, &copy);
}

/* ---- looking at them ---- */

static int version_of(const char *path)
{
    struct error err = {0};
    struct ledger *l = open_with(next_schema(), path, LEDGER_ADMIN, &err);
    int version;

    if (l == NULL || !ledger_version(l, &version, &err))
        fail_msg("%s", err.text);
    version = l->found;
    ledger_close(l);
    return version;
}

/* What is in it, by copying all of it to a file. */
static struct ledger_copy contents(const struct ledger_schema *schema, const char *path)
{
    struct ledger_copy copy;
    char to[100];

    (void)snprintf(to, sizeof to, "%s/contents.db", ledger_folder);
    (void)unlink(to);
    copy_from_to(schema, path, to, &copy);
    return copy;
}

static const struct ledger_copied_table *table_of(const struct ledger_copy *copy,
                                                  struct str name)
{
    const struct ledger_copied_table *tables = copy->tables.at;

    for (size_t i = 0; i < copy->tables.len; i++)
        if (str_eq(tables[i].table, name))
            return &tables[i];
    return NULL;
}

/* Every row of every table that was there, to the last digit; of runs, which have a column
 * more, their number. */
static void assert_all_there(const struct ledger_copy *now)
{
    struct ledger_copy before = contents(&ledger_schema, old_file);
    const struct ledger_copied_table *tables = before.tables.at;

    for (size_t i = 0; i < before.tables.len; i++) {
        const struct ledger_copied_table *t = table_of(now, tables[i].table);

        if (t == NULL || t->digest.rows != tables[i].digest.rows ||
            (now->version != first && str_eq(t->table, STR("runs"))
                 ? t->digest.rows != ALL_RUNS
                 : strcmp(t->digest_text, tables[i].digest_text) != 0))
            fail_msg("'%.*s' is not what it was", STR_ARG(tables[i].table));
    }
}

static void assert_unchanged(void)
{
    struct ledger_copy now = contents(&ledger_schema, ledger_file); /* of this version only */

    assert_all_there(&now);
}

static void assert_backup(void)
{
    struct ledger_copy copy;
    struct stat st;
    char path[260];

    assert_int_equal(stat(backup_file, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    copy = contents(&ledger_schema, backup_file);
    assert_all_there(&copy);
    (void)snprintf(path, sizeof path, "%s.tmp", backup_file);
    assert_int_equal(access(path, F_OK), -1);
    (void)snprintf(path, sizeof path, "%s.v%d.bak", ledger_file, first + 1);
    assert_int_equal(access(path, F_OK), -1);
}

static void assert_upgraded(void)
{
    struct ledger_copy now;
    const struct ledger_copied_table *moods;

    assert_int_equal(version_of(ledger_file), newest);
    now = contents(next_schema(), ledger_file);
    assert_int_equal(now.version, newest);
    assert_all_there(&now);
    moods = table_of(&now, STR("moods"));
    assert_non_null(moods);
    assert_int_equal(moods->digest.rows, ALL_RUNS);
    assert_null(table_of(&now, STR("passing")));
    if (test_server == NULL)
        assert_backup();
}

/* ---- tests ---- */

static void ledger_of_an_earlier_version_is_upgraded(void **state)
{
    struct error err = {0};
    struct ledger_run run;
    struct ledger *l;

    (void)state;
    make_old();
    put_old();
    if (!upgrade(&err))
        fail_msg("%s", err.text);
    assert_upgraded();
    l = open_with(next_schema(), ledger_file, LEDGER_WRITE, &err);
    assert_non_null(l);
    run = read_run(l, "run 7"); /* it is read, and written to */
    assert_int_equal(run.totals.cost.nano, 7 * DOLLAR);
    assert_int_equal(run.state, RUN_DONE);
    run.start = start_of("next");
    end_run(l, &run.start, begin_run(l, &run.start), 1, RUN_DONE);
    assert_int_equal(read_run(l, "next").state, RUN_DONE);
    ledger_close(l);
}

/* A ledger that is new is made by the same steps. */
static void a_new_ledger_has_the_same_tables(void **state)
{
    struct error err = {0};
    struct ledger *l;
    struct ledger_start start;

    (void)state;
    make_old();
    l = open_with(next_schema(), ledger_file, LEDGER_WRITE, &err);
    assert_non_null(l);
    start = start_of("x");
    (void)begin_run(l, &start);
    ledger_close(l);
    assert_int_equal(version_of(ledger_file), newest);
    assert_int_equal(contents(next_schema(), ledger_file).rows,
                     3); /* a run, its attempt, its price */
    assert_int_equal(access(backup_file, F_OK), -1);
}

static void a_newer_version_is_refused(void **state)
{
    static const enum ledger_mode modes[] = {LEDGER_READ, LEDGER_CHANGE, LEDGER_WRITE,
                                             LEDGER_ADMIN};
    struct error err = {0};
    char words[80];

    (void)state;
    make_old();
    put_old();
    assert_true(upgrade(&err));
    (void)snprintf(words, sizeof words, "has version %d, but this stint knows only %d", newest,
                   first);
    for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
        err = (struct error){0};
        assert_null(open_with(&ledger_schema, ledger_file, modes[i], &err));
        assert_int_equal(err.kind, ERROR_DAMAGED);
        if (strstr(err.text, words) == NULL)
            fail_msg("%s", err.text);
        assert_non_null(strstr(err.hint, "a newer stint wrote it"));
    }
    assert_upgraded();
}

/* ---- what fails, or is interrupted ---- */

static int64_t stops_at;

static bool fails_there(int64_t run)
{
    return run != stops_at;
}

static bool dies_there(int64_t run)
{
    if (run == stops_at)
        (void)kill(getpid(), SIGKILL);
    return true;
}

static void a_step_that_fails_changes_nothing(void **state)
{
    struct error err = {0};

    (void)state;
    make_old();
    put_old();
    stops_at = ALL_RUNS / 2;
    next_meanwhile = fails_there;
    assert_false(upgrade(&err));
    assert_string_equal(err.text, "run 31 has no mood");
    assert_unchanged();
    next_meanwhile = NULL;
    assert_true(upgrade(&err));
    assert_upgraded();
}

/* Also the last one, after others that succeeded. */
static void sql_that_fails_changes_nothing(void **state)
{
    struct ledger_step steps[32];
    struct ledger_schema wrong = {.steps = steps, .count = next_schema()->count};
    struct error err = {0};

    (void)state;
    make_old();
    put_old();
    memcpy(steps, next_schema()->steps, wrong.count * sizeof steps[0]);
    steps[wrong.count - 1].sql = "this is no SQL";
    assert_false(upgrade_with(&wrong, &err));
    assert_unchanged();
    err = (struct error){0};
    assert_true(upgrade(&err));
    assert_upgraded();
}

static int upgrade_in_child(void)
{
    struct error err = {0};

    if (upgrade(&err))
        return 0;
    (void)fprintf(stderr, "%s\n", err.text);
    return 1;
}

/* In the middle of a step, at its first and at its last row. */
static void a_program_that_dies_changes_nothing(void **state)
{
    static const int64_t at[] = {1, ALL_RUNS / 2, ALL_RUNS};
    struct error err = {0};

    (void)state;
    make_old();
    for (size_t i = 0; i < ARRAY_LEN(at); i++) {
        int status;
        pid_t child;

        put_old();
        stops_at = at[i];
        next_meanwhile = dies_there;
        child = fork();
        if (child == 0)
            _exit(upgrade_in_child());
        next_meanwhile = NULL;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        assert_unchanged();
        assert_true(upgrade(&err));
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
        struct error err = {0};
        struct ledger *l;
        int status;
        pid_t child;

        put_old();
        child = fork();
        if (child == 0)
            _exit(upgrade_in_child());
        (void)nanosleep(&(struct timespec){.tv_nsec = i * 7919 % KILLS * 600000}, NULL);
        (void)kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        l = open_with(&ledger_schema, ledger_file, LEDGER_READ, &err);
        undone += l != NULL;
        assert_true(l != NULL || strstr(err.text, "knows only") != NULL);
        ledger_close(l);
        assert_int_equal(upgrade_in_child(), 0);
        assert_upgraded();
    }
    assert_true(undone > 0);
}

static void many_programs_upgrade_it_once(void **state)
{
    enum { PROGRAMS = 8, TIMES = 3 };

    (void)state;
    make_old();
    for (int n = 0; n < TIMES; n++) {
        put_old();
        for (int i = 0; i < PROGRAMS; i++)
            if (fork() == 0)
                _exit(upgrade_in_child());
        for (int i = 0; i < PROGRAMS; i++) {
            int status;

            assert_true(wait(&status) > 0);
            assert_int_equal(status, 0);
        }
        assert_upgraded();
    }
}

/* Where no copy can be kept, nothing is changed. */
static void without_a_backup_nothing_is_changed(void **state)
{
    struct error err = {0};

    (void)state;
    make_old();
    put_old();
    assert_int_equal(mkdir(backup_file, 0700), 0); /* in its place */
    assert_false(upgrade(&err));
    assert_int_equal(err.kind, ERROR_SYSTEM);
    assert_non_null(strstr(err.text, "cannot back the ledger up"));
    assert_unchanged();
    assert_int_equal(rmdir(backup_file), 0);
    assert_true(upgrade(&err));
    assert_upgraded();
}

int group_migrate(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(ledger_of_an_earlier_version_is_upgraded),
        ledger_test(a_new_ledger_has_the_same_tables),
        ledger_test(a_newer_version_is_refused),
        ledger_test(a_step_that_fails_changes_nothing),
        ledger_test(sql_that_fails_changes_nothing),
        ledger_test(a_program_that_dies_changes_nothing),
        ledger_test(many_programs_upgrade_it_once),
        file_test(upgrade_can_be_killed_at_any_moment),
        file_test(without_a_backup_nothing_is_changed),
    };

    return run_on_engines(tests);
}
