/* The doctor: deliberate damage is found, and repaired where possible. */
#include "bills_world.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "ledger/budgets.h"
#include "ledger/copy/check.h"

static struct ledger_health health;

static void say(struct ledger *l, const char *sql)
{
    struct error err = {0};
    struct query *q;

    if (!ledger_start_write(l, &err) || (q = ledger_query(l, sql, NO_VALUES, &err)) == NULL ||
        !ledger_finish(l, ledger_done(l, q, "write", &err), &err))
        fail_msg("%s: %s", sql, err.text);
}

static void look(struct ledger *l)
{
    struct error err = {0};

    if (!ledger_check(l, &ledger_arena, &health, &err))
        fail_msg("%s", err.text);
}

static const struct ledger_problem *find(const char *kind)
{
    const struct ledger_problem *found = health.findings.at;

    for (size_t i = 0; i < health.findings.len; i++)
        if (str_eq(found[i].kind, str_from(kind)))
            return &found[i];
    return NULL;
}

static void assert_found(struct ledger *l, const char *kind, bool wrong, const char *words)
{
    const struct ledger_problem *t;

    look(l);
    t = find(kind);
    assert_non_null(t);
    if (t == NULL) /* for analyzers */
        return;
    assert_int_equal(t->wrong, wrong);
    if (!str_has_nocase(t->text, str_from(words)))
        fail_msg("'%.*s' does not say '%s'", STR_ARG(t->text), words);
    assert_true(t->run.len > 0);
}

/* Nothing else is found. */
static void assert_well(struct ledger *l)
{
    const struct ledger_problem *found;

    look(l);
    found = health.findings.at;
    for (size_t i = 0; i < health.findings.len; i++)
        if (!str_eq(found[i].kind, STR("space"))) /* of this machine */
            fail_msg("%.*s: %.*s", STR_ARG(found[i].kind), STR_ARG(found[i].text));
}

static void repair(struct ledger *l, struct ledger_repaired *out)
{
    struct ledger_import_options options = import_options();
    struct error err = {0};
    int64_t changed;

    look(l);
    if (!ledger_repair(l, &health, out, &err) ||
        (out->sums && !ledger_regroup(l, &options, &changed, &err)))
        fail_msg("%s", err.text);
}

static struct ledger *filled(void)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");

    (void)begin_run(l, &start);
    tick_run(l, &start, 1, 1, NULL);
    end_run(l, &start, 1, 2, RUN_DONE);
    (void)import_file(l, "may.csv", 60, "0.123456789012345678");
    return l;
}

static void a_good_ledger_is_well(void **state)
{
    const struct ledger_table_state *tables;
    struct ledger *l = filled();
    int64_t blocks = 0;

    (void)state;
    assert_well(l);
    assert_str_equal(health.engine, test_server != NULL ? "postgresql" : "sqlite");
    assert_true(health.release.len > 0);
    assert_int_equal(health.version, ledger_newest(l->schema));
    assert_true(health.size.n > 4000);
    if (test_server != NULL)
        assert_str_equal(health.rights, "reads, writes, changes tables");
    else
        assert_str_equal(health.journal, "wal");
    tables = health.tables.at;
    for (size_t i = 0; i < health.tables.len; i++)
        if (str_eq(tables[i].table, STR("bill_blocks")))
            blocks = tables[i].rows;
    assert_int_equal(blocks, 1);
    ledger_close(l);
}

static void sums_that_do_not_agree_are_found_and_made_again(void **state)
{
    struct ledger *l = filled();
    struct ledger_repaired done;

    (void)state;
    say(l, "UPDATE bill_days SET effective = '0.000000000000000001'"
           " WHERE day = (SELECT min(day) FROM bill_days)");
    assert_found(l, "sums", true, "daily sums of 1 bill differ from the lines");
    repair(l, &done);
    assert_true(done.sums);
    assert_well(l);
    say(l, "DELETE FROM bill_days");
    assert_found(l, "sums", true, "1 bill");
    repair(l, &done);
    assert_well(l);
    assert_total(l, "7.40740734074074068");
    say(l, "UPDATE bill_state SET regrouping = 1");
    assert_found(l, "rules", true, "interrupted");
    repair(l, &done);
    assert_well(l);
    say(l, "UPDATE bill_state SET next_grp = 1");
    assert_found(l, "keys", true, "used twice");
    repair(l, &done);
    assert_well(l);
    say(l, "DELETE FROM bill_groups");
    assert_found(l, "groups", true, "in no group");
    repair(l, &done);
    assert_well(l);
    ledger_close(l);
}

/* One bit of the content. */
static void damage_block(struct ledger *l)
{
    struct error err = {0};
    struct buf content = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct query *q;

    assert_true(ledger_start_write(l, &err));
    q = ledger_query(l, "SELECT content FROM bill_blocks", NO_VALUES, &err);
    assert_int_equal(ledger_row(l, q, "read", &err), 1);
    assert_true(column_blob(q, 0, &content, &err));
    query_reset(q);
    content.at[content.len / 2] ^= 4;
    q = ledger_query(l, "UPDATE bill_blocks SET content = ?1", NO_VALUES, &err);
    query_bind(q, 1, as_blob(buf_text(&content)));
    assert_true(ledger_done(l, q, "write", &err));
    assert_true(ledger_finish(l, true, &err));
    buf_free(&content);
}

static bool see_nothing(void *ctx, const struct ledger_bill *bill, const struct bill_line *line,
                        struct error *err)
{
    (void)ctx;
    (void)bill;
    (void)line;
    (void)err;
    return true;
}

/* A lost line cannot be restored: the sums, which still have it, stay. */
static void lost_lines_are_not_hidden_by_a_repair(void **state)
{
    struct ledger *l = filled();
    struct ledger_repaired done;

    (void)state;
    say(l, "DELETE FROM bill_blocks");
    assert_found(l, "total", true, "imported with 60 lines; 0 are left");
    assert_null(find("sums"));
    say(l, "UPDATE bill_state SET next_grp = 1"); /* something that can be repaired */
    repair(l, &done);
    assert_false(done.sums);
    assert_total(l, "7.40740734074074068");
    assert_found(l, "total", true, "");
    (void)import_file(l, "may.csv", 60, "0.123456789012345678"); /* as it says */
    look(l);
    assert_null(find("total"));
    ledger_close(l);
}

/* Every byte of a block is checked: its checksum, its header, its row in the table. */
static void damaged_lines_are_found(void **state)
{
    struct ledger *l = filled();
    struct error err = {0};
    struct ledger_line_query all = {.since = DAY_UNKNOWN, .until = DAY_UNKNOWN, .bill = -1};

    (void)state;
    say(l, "UPDATE bill_blocks SET lines = 59");
    assert_found(l, "lines", true, "lines of 1 bill cannot be read, or differ");
    say(l, "UPDATE bill_blocks SET lines = 60, list = '1'");
    assert_found(l, "lines", true, "1 bill");
    (void)import_file(l, "may.csv", 60, "0.123456789012345678");
    assert_well(l);
    damage_block(l);
    assert_found(l, "lines", true, "1 bill");
    assert_false(ledger_bill_lines(l, &all, see_nothing, NULL, &err));
    assert_int_equal(err.kind, ERROR_DAMAGED);
    assert_non_null(strstr(err.text, "lines of a bill cannot be read"));
    ledger_close(l);
}

static void remains_of_dead_imports_are_removed(void **state)
{
    struct ledger *l = filled(), *other = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_repaired done;
    struct ledger_import *i;

    (void)state;
    options.memory = 1;
    i = begin_import(other, &options);
    put_file(i, "june.csv", 9, "1");
    look(l);
    assert_null(find("import")); /* it lives */
    say(l, "UPDATE imports SET pid_started = 1 WHERE finished IS NULL");
    assert_found(l, "import", false, "1 import was interrupted");
    say(l, "UPDATE bills SET state = 'gone' WHERE state = 'current'");
    assert_found(l, "gone", false, "1 bill was replaced or removed");
    repair(l, &done);
    assert_int_equal(done.imports, 1);
    assert_true(done.bills >= 1);
    assert_well(l);
    assert_int_equal(count_litter(l), 0);
    ledger_import_abandon(i);
    (void)import_file(l, "may.csv", 1, "1");
    say(l, "INSERT INTO bill_blocks(bill, line, lines, first, last, groups, content) SELECT 99,"
           " 1, 1, 0, 0, groups, content FROM bill_blocks LIMIT 1");
    assert_found(l, "strays", false, "1 line and 0 daily sums belong to no bill");
    repair(l, &done);
    assert_int_equal(done.rows, 1);
    assert_well(l);
    ledger_close(l);
    ledger_close(other);
}

static void runs_and_messages_are_checked(void **state)
{
    struct ledger *l = filled();
    struct ledger_start start = start_of("dead");
    struct strs channels = {(struct str[]){STR("ops")}, 1};
    struct ledger_budget budget = {.name = STR("may"),
                                   .amount = {.amount = {100, 0}, .currency = {"USD"}},
                                   .period = STR("month"),
                                   .zone = STR("UTC"),
                                   .first_day = DAY_UNKNOWN,
                                   .last_day = DAY_UNKNOWN,
                                   .channels = channels};
    struct error err = {0};
    bool replaced;

    (void)state;
    start.pid_started = 1;
    (void)begin_run(l, &start);
    assert_found(l, "lost", false, "1 attempt ended without a record");
    say(l, "DELETE FROM attempts WHERE ended IS NULL");
    assert_found(l, "runs", true, "1 run has no attempt");
    say(l, "DELETE FROM runs WHERE name = 'dead'");
    if (!ledger_budget_put(l, &budget, &replaced, &err))
        fail_msg("%s", err.text);
    assert_found(l, "channel", true,
                 "the budget 'may' alerts the channel 'ops', which does not exist");
    say(l, "INSERT INTO channels(name, kind, settings, made) VALUES('ops', 'ntfy', '{}', 1)");
    assert_well(l);
    say(l, "INSERT INTO deliveries(channel, what, state, not_before, made, snapshot)"
           " VALUES('ops', 'test', 'waiting', 1, 1, '{}')");
    assert_found(l, "messages", true, "1 alert is overdue");
    say(l, "UPDATE deliveries SET state = 'given up'");
    assert_found(l, "given-up", false, "1 alert could not be sent");
    ledger_close(l);
}

/* A table with a wrong schema is a finding, and so are the checks that it prevents. */
static void checks_that_fail_are_reported(void **state)
{
    struct ledger *l = filled();
    struct error err = {0};

    (void)state;
    assert_true(ledger_start_alone(l, &err));
    assert_true(ledger_finish(
        l,
        l->db->engine->make(l->db, "ALTER TABLE segments RENAME COLUMN offer TO other", &err),
        &err));
    assert_found(l, "unread", true, "segments cannot be checked");
    ledger_close(l);
}

static void rows_without_their_parents_are_found(void **state)
{
    struct ledger *l = filled();

    (void)state;
    assert_int_equal(sqlite3_exec(sqlite_of(l),
                                  "PRAGMA foreign_keys=OFF; DELETE FROM runs;"
                                  "PRAGMA foreign_keys=ON",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_found(l, "orphans", true, "without the row");
    ledger_close(l);
    assert_int_equal(chmod(ledger_file, 0644), 0);
    l = open_ledger(LEDGER_READ);
    assert_found(l, "rights", false, "mode 644");
    ledger_close(l);
}

/* Damage of any page: an error message, never a crash, and never reported as healthy. */
static void damage_is_found_on_every_page(void **state)
{
    static char content[1 << 20];
    struct error err = {0};
    size_t size = 0, found = 0;
    struct ledger *l;
    struct stat st;
    int fd;

    (void)state;
    l = filled();
    /* Without pages that hold nothing: those can be anything. */
    assert_int_equal(sqlite3_exec(sqlite_of(l), "VACUUM", NULL, NULL, NULL), SQLITE_OK);
    ledger_close(l);
    ledger_close(open_ledger(LEDGER_READ)); /* one file */
    assert_int_equal(stat(ledger_file, &st), 0);
    size = (size_t)st.st_size;
    assert_true(size > 4096 && size <= sizeof content);
    fd = open(ledger_file, O_RDWR);
    assert_int_equal(pread(fd, content, size, 0), size);
    for (size_t page = 0; page < size / 4096; page++) {
        char bad[4096];

        memset(bad, page % 2 == 0 ? 0x5a : 0, sizeof bad);
        assert_int_equal(pwrite(fd, bad, sizeof bad, (off_t)(page * 4096)), sizeof bad);
        err = (struct error){0};
        l = ledger_open(ledger_file, LEDGER_READ, PATIENCE, &ledger_clock, &alloc_system, &err);
        if (l == NULL) {
            assert_int_equal(err.kind, ERROR_DAMAGED); /* the tables of tables */
            assert_non_null(strstr(err.text, "is damaged"));
        } else {
            look(l);
            assert_non_null(find("damage"));
            assert_true(health.tables.len > 20);
            found++;
            ledger_close(l);
        }
        assert_int_equal(pwrite(fd, content + page * 4096, 4096, (off_t)(page * 4096)), 4096);
    }
    (void)close(fd);
    assert_true(found > size / 4096 * 3 / 4);
}

static void out_of_memory_is_an_error(void **state)
{
    bool ok = false;

    (void)state;
    ledger_close(filled());
    for (size_t allow = 0; !ok; allow += allow < 20 ? 1 : 11) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc, .block_size = 4096};
        struct error err = {0};
        struct ledger *l =
            ledger_open(ledger_file, LEDGER_READ, PATIENCE, &ledger_clock, &alloc, &err);

        assert_true(allow < 3000);
        ok = l != NULL && ledger_check(l, &arena, &health, &err);
        assert_int_equal(err.kind, ok ? ERROR_NONE : ERROR_MEMORY);
        ledger_close(l);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

int group_check(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(a_good_ledger_is_well),
        ledger_test(sums_that_do_not_agree_are_found_and_made_again),
        ledger_test(lost_lines_are_not_hidden_by_a_repair),
        ledger_test(damaged_lines_are_found),
        ledger_test(remains_of_dead_imports_are_removed),
        ledger_test(runs_and_messages_are_checked),
        ledger_test(checks_that_fail_are_reported),
        file_test(rows_without_their_parents_are_found),
        file_test(damage_is_found_on_every_page),
        ledger_test(out_of_memory_is_an_error),
    };

    return run_on_engines(tests);
}
