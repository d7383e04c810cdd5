/* Files that are new, damaged, foreign or of another version. */
#include "ledgers.h"

#include <fcntl.h>
#include <sys/stat.h>

static void the_files_are_the_users_own(void **state)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    struct ledger_start start = start_of("bert");
    struct ledger *l;
    char path[240];
    struct stat st;

    (void)state;
    (void)snprintf(ledger_file, sizeof ledger_file, "%s/a/b/ledger.db", ledger_folder);
    l = open_ledger(LEDGER_WRITE);
    (void)begin_run(l, &start);
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        (void)snprintf(path, sizeof path, "%s%s", ledger_file, ends[i]);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0600);
    }
    (void)snprintf(path, sizeof path, "%s/a", ledger_folder);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
    ledger_close(l);
    ledger_close(NULL);
}

/* Root's own command must not lock a service out of its ledger. Others cannot give files
 * away. */
static void root_leaves_the_files_to_the_owner_of_the_folder(void **state)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    struct ledger_start start = start_of("bert");
    uid_t owner = geteuid() == 0 ? 65534 : geteuid();
    struct ledger *l;
    char path[240];
    struct stat st;

    (void)state;
    assert_int_equal(chown(ledger_folder, owner, (gid_t)-1), 0);
    l = open_ledger(LEDGER_WRITE);
    (void)begin_run(l, &start);
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        (void)snprintf(path, sizeof path, "%s%s", ledger_file, ends[i]);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_uid, owner);
        assert_int_equal(st.st_mode & 07777, 0600);
    }
    ledger_close(l);
}

static void a_ledger_that_nothing_was_written_to_is_not_left_behind(void **state)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char path[240];
    struct stat st;

    (void)state;
    ledger_close(open_ledger(LEDGER_WRITE));
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        (void)snprintf(path, sizeof path, "%s%s", ledger_file, ends[i]);
        assert_int_equal(stat(path, &st), -1);
    }
}

static void what_is_to_be_changed_must_be_there(void **state)
{
    struct ledger_start start = start_of("bert");
    struct error err = {0};
    struct stat st;
    struct ledger *l;

    (void)state;
    assert_null(
        ledger_open(ledger_file, LEDGER_CHANGE, (span){0}, &ledger_clock, &alloc_system, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_int_equal(stat(ledger_file, &st), -1);
    l = open_ledger(LEDGER_WRITE);
    (void)begin_run(l, &start);
    ledger_close(l);
    ledger_close(open_ledger(LEDGER_CHANGE));
    assert_int_equal(stat(ledger_file, &st), 0);
}

static void who_wrote_in_the_meantime_keeps_the_file(void **state)
{
    struct ledger_start start = start_of("bert");
    struct ledger *first = open_ledger(LEDGER_WRITE), *second = open_ledger(LEDGER_WRITE);
    struct stat st;

    (void)state;
    (void)begin_run(second, &start);
    ledger_close(first);
    assert_int_equal(stat(ledger_file, &st), 0);
    ledger_close(second);
}

/* Its writes would be lost with the file. */
static void who_had_only_opened_it_writes_to_no_file_that_is_gone(void **state)
{
    struct ledger_start start = start_of("bert");
    struct ledger *first = open_ledger(LEDGER_WRITE), *second = open_ledger(LEDGER_WRITE);
    struct error err = {0};
    struct stat st;
    int attempt;

    (void)state;
    ledger_close(first);
    assert_int_equal(stat(ledger_file, &st), -1);
    assert_false(ledger_begin(second, &start, &attempt, &err));
    if (err.kind != ERROR_AWAY)
        fail_msg("%s", err.text);
    ledger_close(second);
    second = open_ledger(LEDGER_WRITE);
    (void)begin_run(second, &start);
    ledger_close(second);
}

/* A new ledger with one run, closed and in one file. */
static void make_one_file(void)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("x");

    (void)begin_run(l, &start);
    ledger_close(l);
    ledger_close(open_ledger(LEDGER_READ));
}

static void overwrite(off_t from, off_t to)
{
    int fd = open(ledger_file, O_WRONLY);

    assert_true(fd >= 0);
    for (; from < to; from++)
        assert_int_equal(pwrite(fd, "\x5a", 1, from), 1);
    (void)close(fd);
}

/* Whatever byte is wrong: an error message, never a crash. */
static void damage_is_reported_in_one_line(void **state)
{
    struct stat st;

    (void)state;
    make_one_file();
    assert_int_equal(stat(ledger_file, &st), 0);
    for (off_t page = 0; page < st.st_size / 4096; page++) {
        struct error err = {0};
        struct ledger_run run;
        struct ledger *l;
        bool ok;

        (void)unlink(ledger_file);
        make_one_file();
        overwrite(page * 4096, page * 4096 + (page == 0 ? 16 : 4096));
        l = ledger_open(ledger_file, LEDGER_READ, PATIENCE, &ledger_clock, &alloc_system, &err);
        ok = l != NULL && ledger_find(l, STR("last"), &ledger_arena, &run, &err);
        if (!ok) {
            assert_int_equal(err.kind, ERROR_DAMAGED);
            assert_non_null(strstr(err.text, "is damaged"));
            assert_non_null(strstr(err.hint, ".recover"));
        }
        assert_false(page <= 1 && ok); /* the header and the runs are always needed */
        ledger_close(l);
    }
}

static void other_files_are_refused(void **state)
{
    struct error err = {0};
    sqlite3 *db;

    (void)state;
    assert_null(
        ledger_open(ledger_file, LEDGER_READ, PATIENCE, &ledger_clock, &alloc_system, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_string_equal(err.hint, "'stint run -- COMMAND' makes it");
    assert_null(
        ledger_open(ledger_folder, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system, &err));
    assert_int_equal(err.kind, ERROR_DAMAGED);

    assert_int_equal(sqlite3_open(ledger_file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE photos(x)", NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
    assert_null(
        ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system, &err));
    assert_int_equal(err.kind, ERROR_DAMAGED);
    assert_non_null(strstr(err.text, "another program's"));

    (void)unlink(ledger_file);
    assert_true(fs_replace(ledger_file, STR("just some words, and not a few of them\n"), &err));
    assert_null(
        ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system, &err));
    assert_int_equal(err.kind, ERROR_DAMAGED);
    assert_true(fs_replace(ledger_file, STR(""), &err)); /* begun, but never written to */
    assert_null(
        ledger_open(ledger_file, LEDGER_READ, PATIENCE, &ledger_clock, &alloc_system, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
}

/* Wherever memory runs out, nothing is changed and the ledger stays intact. */
static void out_of_memory_changes_nothing(void **state)
{
    bool done = false;

    (void)state;
    make_one_file();
    for (size_t allow = 0; !done; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct error err = {0};
        const struct ledger_run *runs;
        const struct ledger_sample *samples;
        const struct ledger_happening *events;
        const struct ledger_checkpoint *checkpoints;
        struct ledger_run run;
        size_t count;
        struct ledger *l =
            ledger_open(ledger_file, LEDGER_READ, PATIENCE, &ledger_clock, &alloc, &err);

        assert_true(allow < 500);
        done = l != NULL && ledger_runs(l, &everything, &arena, &runs, &count, &err) &&
               ledger_find(l, STR("x"), &arena, &run, &err) &&
               ledger_samples(l, run.start.id, 1, &arena, &samples, &count, &err) &&
               ledger_events(l, run.start.id, &arena, &events, &count, &err) &&
               ledger_checkpoints(l, run.start.id, &arena, &checkpoints, &count, &err);
        assert_int_equal(err.kind, done ? ERROR_NONE : ERROR_MEMORY);
        ledger_close(l);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

int group_open(void)
{
    const struct CMUnitTest tests[] = {
        file_test(the_files_are_the_users_own),
        file_test(a_ledger_that_nothing_was_written_to_is_not_left_behind),
        file_test(what_is_to_be_changed_must_be_there),
        file_test(who_wrote_in_the_meantime_keeps_the_file),
        file_test(who_had_only_opened_it_writes_to_no_file_that_is_gone),
        file_test(root_leaves_the_files_to_the_owner_of_the_folder),
        file_test(damage_is_reported_in_one_line),
        file_test(other_files_are_refused),
        ledger_test(out_of_memory_changes_nothing),
    };

    return run_on_engines(tests);
}
