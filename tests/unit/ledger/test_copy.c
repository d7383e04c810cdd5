/* One ledger into another: all of it, exactly, or nothing. */
#include "copy_world.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char from_file[100], back_file[100];

static void name_files(void)
{
    (void)snprintf(from_file, sizeof from_file, "%s/from.db", ledger_folder);
    (void)snprintf(back_file, sizeof back_file, "%s/back.db", ledger_folder);
}

static void say(struct ledger *l, const char *sql)
{
    struct error err = {0};
    struct query *q;

    if (!ledger_start_write(l, &err) || (q = ledger_query(l, sql, NO_VALUES, &err)) == NULL ||
        !ledger_finish(l, ledger_done(l, q, "write", &err), &err))
        fail_msg("%s: %s", sql, err.text);
}

static int64_t number_of(struct ledger *l, const char *sql)
{
    struct error err = {0};
    struct query *q = l->db->engine->prepare(l->db, sql, &err);
    int64_t number;

    if (q == NULL || ledger_row(l, q, "read", &err) != 1)
        fail_msg("%s: %s", sql, err.text);
    number = column_int(q, 0);
    l->db->engine->free(q);
    return number;
}

static bool copy_with(const char *from, const char *to, struct ledger_copy *copy,
                      struct error *err)
{
    struct ledger *a = open_at(from, LEDGER_READ), *b = open_at(to, LEDGER_WRITE);
    bool ok = ledger_copy(a, b, copy, &ledger_arena, err);

    ledger_close(a);
    ledger_close(b);
    return ok;
}

static void copy_all(const char *from, const char *to)
{
    struct ledger_copy copy = {0};
    struct error err = {0};

    if (!copy_with(from, to, &copy, &err))
        fail_msg("%s", err.text);
    assert_true(copy.rows > 0);
    assert_int_equal(copy.lost + copy.replaced, 0);
}

/* By SQLite alone: no row is in one of them that is not in the other. */
static void assert_same_files(const char *one, const char *other)
{
    struct ledger *l = open_at(one, LEDGER_READ);
    const struct ledger_table *tables;
    struct error err = {0};
    char sql[300];
    size_t count;

    assert_true(ledger_tables(l->schema, &ledger_arena, &tables, &count, &err));
    (void)snprintf(sql, sizeof sql, "ATTACH '%s' AS other", other);
    assert_int_equal(sqlite3_exec(sqlite_of(l), sql, NULL, NULL, NULL), SQLITE_OK);
    for (size_t i = 0; i < count; i++) {
        const char *name = tables[i].name;

        (void)snprintf(
            sql, sizeof sql,
            "SELECT (SELECT count(*) FROM (SELECT * FROM main.%s EXCEPT SELECT * FROM"
            " other.%s)) + (SELECT count(*) FROM (SELECT * FROM other.%s EXCEPT"
            " SELECT * FROM main.%s))",
            name, name, name, name);
        if (number_of(l, sql) != 0)
            fail_msg("%s is another", name);
        (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM other.%s", name);
        assert_int_equal(number_of(l, sql), strcmp(name, "bill_state") == 0 ? 1 : 3);
    }
    ledger_close(l);
}

/* ---- tests ---- */

/* The copy knows every table and column of the schema. */
static void every_table_and_column_is_known(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_table *tables;
    struct error err = {0};
    size_t count, columns = 0;

    (void)state;
    assert_true(ledger_start_alone(l, &err)); /* makes them */
    assert_true(ledger_finish(l, true, &err));
    assert_true(ledger_tables(l->schema, &ledger_arena, &tables, &count, &err));
    for (size_t i = 0; i < count; i++) {
        char sql[200];

        columns += tables[i].count;
        (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", tables[i].name);
        assert_int_equal(number_of(l, sql), 0);
    }
    assert_int_equal(
        number_of(l, test_server == NULL
                         ? "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"
                         : "SELECT count(*) FROM information_schema.tables"
                           " WHERE table_schema = 'stint' AND table_name <> 'about'"),
        count);
    assert_int_equal(
        number_of(l, test_server == NULL
                         ? "SELECT count(*) FROM sqlite_schema s, pragma_table_info(s.name) i"
                           " WHERE s.type = 'table'"
                         : "SELECT count(*) FROM information_schema.columns"
                           " WHERE table_schema = 'stint' AND table_name <> 'about'"),
        columns);
    ledger_close(l);
}

static void a_round_trip_changes_nothing(void **state)
{
    struct ledger *l;
    struct ledger_start start;

    (void)state;
    name_files();
    fill(from_file);
    copy_all(from_file, ledger_file);
    copy_all(ledger_file, back_file);
    assert_same_files(from_file, back_file);
    l = open_ledger(LEDGER_WRITE); /* and new rows get new keys */
    say(l, "UPDATE runs SET started = 0, attempts = 1");
    start = start_of("next");
    assert_int_equal(begin_run(l, &start), 1);
    assert_int_equal(number_of(l, "SELECT max(run) FROM runs"), 4);
    ledger_close(l);
}

static void nonempty_target_is_left_alone(void **state)
{
    struct ledger_copy copy = {0};
    struct error err = {0};
    struct ledger *l;

    (void)state;
    name_files();
    fill(from_file);
    copy_all(from_file, ledger_file);
    assert_false(copy_with(from_file, ledger_file, &copy, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, "is not empty: its table 'runs' has 3 rows"));
    l = open_ledger(LEDGER_READ);
    assert_int_equal(number_of(l, "SELECT count(*) FROM runs"), 3);
    ledger_close(l);
}

/* ---- broken off, and written to meanwhile ---- */

static int calls, limit;

static void count_calls(void *ctx, const char *label, uint64_t done, uint64_t total)
{
    (void)ctx;
    (void)label;
    assert_true(done <= total);
    calls++;
}

static bool at_limit(void)
{
    return calls >= limit;
}

static void die_at_limit(void *ctx, const char *label, uint64_t done, uint64_t total)
{
    count_calls(ctx, label, done, total);
    if (at_limit())
        (void)raise(SIGKILL);
}

/* The target is empty. */
static void assert_nothing(void)
{
    struct error err = {0};
    struct ledger *l =
        ledger_open(ledger_file, LEDGER_READ, PATIENCE, &ledger_clock, &alloc_system, &err);

    assert_null(l);
    assert_int_equal(err.kind, ERROR_ABSENT);
}

static void a_copy_that_is_stopped_leaves_nothing(void **state)
{
    struct ledger_copy copy = {.watch = {.progress = count_calls, .stopped = at_limit}};
    struct error err = {0};

    (void)state;
    name_files();
    fill(from_file);
    for (limit = 1; limit < 1000; limit += 9) {
        calls = 0;
        err = (struct error){0};
        if (copy_with(from_file, ledger_file, &copy, &err))
            break;
        assert_int_equal(err.kind, ERROR_STOPPED);
        assert_nothing();
    }
    assert_in_range(limit, 20, 200);
    copy_all(ledger_file, back_file);
    assert_same_files(from_file, back_file);
}

static void a_copy_that_is_killed_leaves_nothing(void **state)
{
    int status = 0;

    (void)state;
    name_files();
    fill(from_file);
    for (limit = 1; limit < 1000; limit += test_server == NULL ? 5 : 13) {
        pid_t child = fork();

        if (child == 0) {
            struct ledger_copy copy = {.watch = {.progress = die_at_limit}};
            struct error err = {0};

            _exit(copy_with(from_file, ledger_file, &copy, &err) ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!WIFSIGNALED(status))
            break;
        assert_nothing();
    }
    assert_int_equal(status, 0);
    assert_in_range(limit, 20, 200);
    copy_all(ledger_file, back_file);
    assert_same_files(from_file, back_file);
}

/* Runs are recorded in the source meanwhile: the copy is of one moment. */
static struct ledger *meanwhile;

static void record(void *ctx, const char *label, uint64_t done, uint64_t total)
{
    struct ledger_start start = start_of("meanwhile");

    count_calls(ctx, label, done, total);
    (void)begin_run(meanwhile, &start);
    tick_run(meanwhile, &start, 1, 1, NULL);
}

static void a_copy_is_of_one_moment(void **state)
{
    struct ledger_copy copy = {.watch = {.progress = record}};
    struct error err = {0};
    struct ledger *l;

    (void)state;
    name_files();
    l = open_at(from_file, LEDGER_WRITE);
    (void)import_file(l, "may.csv", 100, "0.123456789012345678");
    meanwhile = open_at(from_file, LEDGER_WRITE);
    if (!copy_with(from_file, ledger_file, &copy, &err))
        fail_msg("%s", err.text);
    assert_true(count_runs(l, everything) > 20);
    ledger_close(l);
    ledger_close(meanwhile);
    l = open_ledger(LEDGER_READ);
    assert_int_equal(count_runs(l, everything), 0);
    assert_total(l, "12.3456789012345678");
    ledger_close(l);
}

/* ---- what a server does not take ---- */

static void invalid_text_is_replaced_and_counted(void **state)
{
    struct ledger_copy copy = {0};
    struct error err = {0};
    struct ledger_start start;
    struct ledger *l;

    (void)state;
    name_files();
    l = open_at(from_file, LEDGER_WRITE);
    start = start_of("odd");
    start.command = STR("cat \xff\xfe.txt \xe6\xbc"); /* ends inside a character */
    (void)begin_run(l, &start);
    ledger_close(l);
    if (!copy_with(from_file, ledger_file, &copy, &err))
        fail_msg("%s", err.text);
    assert_int_equal(copy.replaced, 1);
    l = open_ledger(LEDGER_READ);
    assert_str_equal(read_run(l, "odd").start.command,
                     "cat \xef\xbf\xbd\xef\xbf\xbd.txt \xef\xbf\xbd\xef\xbf\xbd");
    ledger_close(l);
}

static void out_of_memory_is_an_error(void **state)
{
    bool ok = false;

    (void)state;
    name_files();
    fill(from_file);
    for (size_t allow = 0; !ok; allow += allow < 20 ? 1 : test_server == NULL ? 37 : 149) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc, .block_size = 4096};
        struct ledger_copy copy = {0};
        struct error err = {0};
        struct ledger *a =
            ledger_open(from_file, LEDGER_READ, PATIENCE, &ledger_clock, &alloc, &err);
        struct ledger *b = a != NULL ? ledger_open(ledger_file, LEDGER_WRITE, PATIENCE,
                                                   &ledger_clock, &alloc, &err)
                                     : NULL;

        assert_true(allow < 5000);
        ok = b != NULL && ledger_copy(a, b, &copy, &arena, &err);
        assert_int_equal(err.kind, ok ? ERROR_NONE : ERROR_MEMORY);
        ledger_close(a);
        ledger_close(b);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

/* ---- a damaged source ---- */

static void readable_rows_are_saved(void **state)
{
    struct ledger_copy copy = {.rescue = true};
    struct error err = {0};
    char command[300];
    struct stat st;
    struct ledger *l;
    int64_t saved = 0, least = INT64_MAX, pages = 0;
    struct ledger_import_options options = import_options();
    struct ledger_import *i;

    (void)state;
    name_files();
    l = open_at(from_file, LEDGER_WRITE);
    options.memory = 1; /* small blocks: a page has some of them, not all */
    i = begin_import(l, &options);
    put_file(i, "may.csv", 3000, "1");
    (void)commit_import(i);
    ledger_close(l);
    ledger_close(open_at(from_file, LEDGER_READ)); /* one file */
    assert_int_equal(stat(from_file, &st), 0);
    for (off_t page = 1; page < st.st_size / 4096; page += 9, pages++) {
        (void)snprintf(command, sizeof command,
                       "cd %s && rm -f ledger.db* hurt.db && cp from.db hurt.db &&"
                       " dd if=/dev/zero of=hurt.db bs=4096 count=1 seek=%lld conv=notrunc"
                       " 2>/dev/null",
                       ledger_folder, (long long)page);
        assert_int_equal(system(command), 0);
        (void)snprintf(back_file, sizeof back_file, "%s/hurt.db", ledger_folder);
        l = ledger_open(back_file, LEDGER_READ, PATIENCE, &ledger_clock, &alloc_system, &err);
        if (l == NULL) { /* its schema is gone */
            assert_int_equal(err.kind, ERROR_DAMAGED);
            continue;
        }
        ledger_close(l);
        err = (struct error){0};
        if (!copy_with(back_file, ledger_file, &copy, &err))
            fail_msg("page %lld: %s", (long long)page, err.text);
        saved = saved > copy.rows ? saved : copy.rows;
        least = least < copy.rows ? least : copy.rows;
    }
    assert_true(pages > 5 && saved > 3000 / 64);
    assert_true(least > saved * 2 / 3); /* one page has but a few of the blocks */
}

/* The rows behind it were shifted by the columns before the value that is none. */
static void a_row_with_an_amount_that_is_none_is_left_out_alone(void **state)
{
    struct ledger_copy copy = {.rescue = true};
    struct error err = {0};
    struct ledger_import_options options = import_options();
    struct ledger_import *i;
    struct ledger *l;

    (void)state;
    name_files();
    l = open_at(from_file, LEDGER_WRITE);
    i = begin_import(l, &options);
    put_file(i, "may.csv", 3000, "1");
    (void)commit_import(i);
    assert_true(ledger_start_write(l, &err));
    assert_true(ledger_finish(l,
                              ledger_run(l,
                                         "UPDATE bill_days SET effective = '1x2' WHERE day ="
                                         " (SELECT min(day) FROM bill_days) AND grp ="
                                         " (SELECT min(grp) FROM bill_days)",
                                         NO_VALUES, &err),
                              &err));
    ledger_close(l);
    if (!copy_with(from_file, ledger_file, &copy, &err))
        fail_msg("%s", err.text);
    assert_int_equal(copy.lost, 1);
}

int group_copy(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(every_table_and_column_is_known),
        ledger_test(a_round_trip_changes_nothing),
        ledger_test(nonempty_target_is_left_alone),
        ledger_test(a_copy_that_is_stopped_leaves_nothing),
        ledger_test(a_copy_that_is_killed_leaves_nothing),
        ledger_test(a_copy_is_of_one_moment),
        server_test(invalid_text_is_replaced_and_counted),
        ledger_test(out_of_memory_is_an_error),
        file_test(readable_rows_are_saved),
        file_test(a_row_with_an_amount_that_is_none_is_left_out_alone),
    };

    return run_on_engines(tests);
}
