#include "stores.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "market/store_internal.h"

/* Two machines; in each generation one price for both. */
static void write_generation(int64_t at, int64_t nano)
{
    struct store_edit *edit = edit_of("list");

    add(edit, "a", at, nano);
    add(edit, "b", at, nano);
    (void)commit(edit, at);
}

static struct store *try_open(struct error *err)
{
    return store_open(store_path, &alloc_system, &silent, err);
}

/* --- opening ------------------------------------------------------------------------------ */

static void an_absent_file_is_an_empty_store(void **state)
{
    struct store *store = open_good();

    (void)state;
    assert_int_equal(store_offer_count(store), 0);
    assert_int_equal(store_series_count(store), 0);
    assert_int_equal(store_feed_count(store), 0);
    assert_int_equal(store_offer_find(store, STR("aws"), STR("")), 0);
    assert_int_equal(damaged_series(store), 0);
    store_close(store);
    store_close(NULL);
    assert_false(fs_exists(store_path));
}

static void an_empty_edit_makes_an_empty_store(void **state)
{
    struct store *store;

    (void)state;
    (void)commit(edit_of("list"), 0);
    store = open_good();
    assert_int_equal(store_offer_count(store), 0);
    store_close(store);
}

static void folder_instead_of_file_is_refused(void **state)
{
    struct error err = {0};

    (void)state;
    assert_int_equal(mkdir(store_path, 0700), 0);
    assert_null(try_open(&err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_int_equal(rmdir(store_path), 0);
}

static void the_file_is_the_users_own(void **state)
{
    struct stat st;

    (void)state;
    write_generation(1, 5);
    write_generation(2, 6);
    assert_int_equal(stat(store_path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_false(fs_exists(path_with_suffix("-journal")) ||
                 fs_exists(path_with_suffix("-wal")));
}

static void a_link_stays_a_link(void **state)
{
    char target[120];
    struct stat st;
    struct store *store;

    (void)state;
    (void)snprintf(target, sizeof target, "%s/elsewhere", folder);
    write_all(target, STR(""));
    assert_int_equal(symlink(target, store_path), 0);
    write_generation(1, 5);
    assert_int_equal(lstat(store_path, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    store = open_good();
    assert_int_equal(store_offer_count(store), 2);
    store_close(store);
}

static void the_folder_is_made(void **state)
{
    struct store *store;

    (void)state;
    (void)snprintf(store_path, sizeof store_path, "%s/new/folder/prices.db", folder);
    write_generation(1, 5);
    store = open_good();
    assert_int_equal(store_offer_count(store), 2);
    store_close(store);
}

/* --- files of others ---------------------------------------------------------------------- */

static void change_file(const char *sql)
{
    struct error err = {0};
    sqlite3 *db;

    assert_true(db_open(store_path, &db, &err));
    if (!db_run(db, sql, store_path, &err))
        fail_msg("%s", err.text);
    (void)sqlite3_close(db);
}

static void check_refused(const char *why)
{
    struct store_edit *edit = edit_of("list");
    struct store_change change;
    struct error err = {0};

    assert_null(try_open(&err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, store_path));
    assert_non_null(strstr(err.text, why));
    assert_true(err.hint[0] != '\0');
    add(edit, "a", 1, 5);
    assert_false(store_commit(edit, store_path, (stamp){0}, &change, &err));
    assert_non_null(strstr(err.text, why));
    store_edit_free(edit);
}

static void a_newer_file_is_refused_and_kept(void **state)
{
    (void)state;
    write_generation(1, 5);
    change_file("PRAGMA user_version=2");
    check_refused("version 2");
    change_file("PRAGMA user_version=1");
    store_close(open_good());
}

static void a_database_of_another_program_is_refused(void **state)
{
    (void)state;
    write_all(store_path, STR(""));
    change_file("CREATE TABLE theirs (a)");
    check_refused("another program");
}

/* --- damage ------------------------------------------------------------------------------- */

/* Each history but the first has to be long enough for its own page. */
static void write_long(void)
{
    struct store_edit *edit = edit_of("list");

    for (int64_t i = 0; i < 500; i++) {
        add(edit, "a", 1000 + i * 3700, i * 12345 % 777);
        add(edit, "b", 1000 + i * 3700, i * 12345 % 778);
    }
    (void)commit(edit, 0);
}

static void a_damaged_history_is_an_error_and_others_are_read(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct points points;
    struct store *store;
    struct store_edit *edit = edit_of("list");
    struct store_change change;

    (void)state;
    write_long();
    change_file("UPDATE history SET data ="
                " CAST(substr(data, 1, 50) || x'00' || substr(data, 52) AS BLOB) WHERE id = 1");
    store = open_good();
    assert_int_equal(damaged_series(store), 1);
    assert_false(store_statements(store, 0, &arena, &points, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, "aws us-east-1 a"));
    assert_string_equal(err.hint, STORE_DAMAGED_HINT);
    assert_true(store_statements(store, 1, &arena, &points, &err));
    store_close(store);
    change_file("DELETE FROM history WHERE id = 1");
    store = open_good();
    assert_int_equal(damaged_series(store), 1);
    store_close(store);
    add(edit, "a", 1, 5);
    assert_false(store_commit(edit, store_path, (stamp){0}, &change, &err));
    assert_string_equal(err.hint, STORE_DAMAGED_HINT);
    store_edit_free(edit);
    arena_free(&arena);
}

static void check_damaged(void)
{
    struct buf shown = buf_new(&alloc_system, 4096);
    const struct messages messages = {show_message, &shown, NULL};
    struct store_edit *edit = edit_of("list");
    struct store_change change;
    struct error err = {0};
    struct store *store = store_open(store_path, &alloc_system, &messages, &err);

    assert_non_null(store);
    assert_true(store_is_damaged(store));
    assert_int_equal(store_offer_count(store) + damaged_series(store), 0);
    store_close(store);
    buf_char(&shown, '\0');
    assert_non_null(strstr(shown.at, store_path));
    assert_non_null(strstr(shown.at, STORE_DAMAGED_HINT));
    add(edit, "m", 1, 5);
    assert_false(store_commit(edit, store_path, (stamp){0}, &change, &err));
    assert_string_equal(err.hint, STORE_DAMAGED_HINT);
    store_edit_free(edit);
    buf_free(&shown);
}

static void damaged_tables_are_an_empty_store(void **state)
{
    static const char *const damage[] = {
        "UPDATE place SET data = x'00112233445566778899aabbccddeeff'",
        "UPDATE place SET offers = 0",
        "UPDATE place SET series = -1",
        "UPDATE names SET data = x'00'",
        "DELETE FROM names",
        "DELETE FROM feed",
        "UPDATE feed SET id = 2000000",
        "UPDATE feed SET scope = 9",
        "DROP TABLE place",
    };

    (void)state;
    write_all(store_path, STR("not a database at all, but as long as a header could be"));
    check_damaged();
    for (size_t i = 0; i < ARRAY_LEN(damage); i++) {
        assert_int_equal(unlink(store_path), 0);
        write_generation(1, 5);
        change_file(damage[i]);
        if (i + 1 < ARRAY_LEN(damage))
            check_damaged();
    }
}

/* Flipped bytes never cause a crash or a wrong price. */
static void any_flipped_byte_is_survived(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct points good[2], points;
    struct str image;
    struct store *store;
    char *copy;

    (void)state;
    write_long();
    store = open_good();
    for (size_t i = 0; i < 2; i++)
        assert_true(store_statements(store, i, &arena, &good[i], &err));
    store_close(store);
    image = read_all(store_path, &arena);
    copy = str_dup(image, &arena, &err);
    assert_non_null(copy);
    for (size_t at = 0; at < image.len; at += 7) {
        copy[at] ^= (char)(1 << at % 8);
        write_all(store_path, (struct str){copy, image.len});
        copy[at] = image.at[at];
        store = try_open(&err);
        for (size_t i = 0; store != NULL && i < store_series_count(store); i++)
            if (store_statements(store, i, &arena, &points, &err)) {
                assert_int_equal(points.len, good[i].len);
                assert_memory_equal(points.at, good[i].at, points.len * sizeof *points.at);
            }
        store_close(store);
    }
    arena_free(&arena);
}

/* --- a disk that refuses ------------------------------------------------------------------ */

static void full_disk_changes_nothing(void **state)
{
    const struct rlimit small = {.rlim_cur = 300, .rlim_max = RLIM_INFINITY};
    struct rlimit before;
    struct store_edit *edit;
    struct store *store;
    struct store_change change;
    struct error err = {0};

    (void)state;
    write_generation(1, 5);
    edit = edit_of("list");
    add(edit, "c", 2, 7);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_false(store_commit(edit, store_path, (stamp){0}, &change, &err));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(signal(SIGXFSZ, SIG_DFL) != SIG_ERR);
    assert_int_equal(err.kind, ERROR_SYSTEM);
    assert_non_null(strstr(err.text, store_path));
    store = open_good();
    assert_int_equal(store_offer_count(store), 2);
    store_close(store);
    (void)commit(edit, 0); /* and now it works */
}

static void a_path_that_is_too_long_is_refused(void **state)
{
    static char path[5000];
    struct store_edit *edit = edit_of("list");
    struct store_change change;
    struct error err = {0};

    (void)state;
    memset(path, 'x', sizeof path - 1);
    assert_false(store_commit(edit, path, (stamp){0}, &change, &err));
    assert_non_null(strstr(err.text, "too long"));
    store_edit_free(edit);
}

/* --- others ------------------------------------------------------------------------------- */

static void wait_for(pid_t child)
{
    int status;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void two_writers_are_both_stored(void **state)
{
    struct store *store;

    (void)state;
    for (int writer = 0; writer < 2; writer++) {
        pid_t child = fork();

        assert_true(child >= 0);
        if (child == 0) {
            for (int64_t i = 0; i < 10; i++) {
                struct store_edit *edit = edit_of("list");
                struct store_change change;
                struct error err;
                char name[16];
                struct quote q;

                (void)snprintf(name, sizeof name, "w%d-%d", writer, (int)i);
                q = quote_of(name, i, 5);
                if (!store_edit_quote(edit, &q, &err) ||
                    !store_commit(edit, store_path, (stamp){i}, &change, &err))
                    _exit(1);
                store_edit_free(edit);
            }
            _exit(0);
        }
        if (writer == 1) {
            wait_for(child);
            assert_true(wait(NULL) > 0);
        }
    }
    store = open_good();
    assert_int_equal(store_offer_count(store), 20);
    assert_int_equal(damaged_series(store), 0);
    store_close(store);
}

/* A killed writer leaves one of its generations, complete. */
static void a_killed_writer_leaves_a_good_file(void **state)
{
    uint32_t seed = 5;

    (void)state;
    write_generation(0, 0);
    for (int round = 0; round < 40; round++) {
        struct timespec pause = {0};
        struct store *store;
        int64_t newest;
        pid_t child;

        store = open_good();
        newest = store_series(store, 0).price;
        store_close(store);
        child = fork();
        assert_true(child >= 0);
        if (child == 0)
            for (int64_t i = newest + 1;; i++)
                write_generation(i, i);
        seed = seed * 1664525 + 1013904223;
        pause.tv_nsec = (long)(seed >> 8) % 5000000;
        (void)nanosleep(&pause, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        store = open_good();
        assert_int_equal(store_offer_count(store), 2);
        assert_int_equal(damaged_series(store), 0);
        assert_true(store_series(store, 0).price >= newest);
        assert_int_equal(store_series(store, 0).price, store_series(store, 1).price);
        assert_int_equal(store_series(store, 0).price + 1, store_series(store, 0).points);
        store_close(store);
    }
    write_generation(INT64_C(1) << 30, 7); /* leftovers do not disturb */
}

static void a_reader_keeps_what_it_opened(void **state)
{
    struct store *store;

    (void)state;
    write_generation(1, 5);
    store = open_good();
    write_generation(2, 6);
    write_generation(3, 7);
    assert_int_equal(store_series(store, 0).price, 5);
    check_series(store, "a", MARKET_ON_DEMAND, {{1}, 5});
    store_close(store);
    store = open_good();
    write_generation(4, 8);
    check_series(store, "a", MARKET_ON_DEMAND, {{1}, 5}, {{2}, 6}, {{3}, 7});
    store_close(store);
}

/* A long transaction keeps others from writing, but not from reading. */
static void readers_read_while_others_write(void **state)
{
    struct store *store, *other;

    (void)state;
    write_generation(1, 5);
    write_generation(2, 6);
    store = open_good();
    store_hold(store);
    check_series(store, "a", MARKET_ON_DEMAND, {{1}, 5}, {{2}, 6});
    other = open_good();
    assert_int_equal(store_series_count(other), 2);
    store_close(other);
    store_release(store);
    write_generation(3, 7);
    store_close(store);
}

static void a_folder_that_is_read_only_is_read(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct store_change change;
    struct error err = {0};
    struct store *store;

    (void)state;
    write_long();
    assert_int_equal(chmod(store_path, 0444) + chmod(folder, 0555), 0);
    if (geteuid() == 0 && seteuid(65534) != 0) {
        store_edit_free(edit);
        test_skip("root cannot become another user here");
    }
    store = open_good();
    assert_int_equal(store_offer_count(store), 2);
    assert_int_equal(damaged_series(store), 0);
    store_close(store);
    add(edit, "a", 30, 7);
    assert_false(store_commit(edit, store_path, (stamp){0}, &change, &err));
    assert_int_equal(err.kind, ERROR_SYSTEM);
    store_edit_free(edit);
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
}

int group_store(void)
{
    const struct CMUnitTest tests[] = {
        store_test(an_absent_file_is_an_empty_store),
        store_test(an_empty_edit_makes_an_empty_store),
        store_test(folder_instead_of_file_is_refused),
        store_test(the_file_is_the_users_own),
        store_test(a_link_stays_a_link),
        store_test(the_folder_is_made),
        store_test(a_newer_file_is_refused_and_kept),
        store_test(a_database_of_another_program_is_refused),
        store_test(a_damaged_history_is_an_error_and_others_are_read),
        store_test(damaged_tables_are_an_empty_store),
        store_test(any_flipped_byte_is_survived),
        store_test(full_disk_changes_nothing),
        store_test(a_path_that_is_too_long_is_refused),
        store_test(two_writers_are_both_stored),
        store_test(a_killed_writer_leaves_a_good_file),
        store_test(a_reader_keeps_what_it_opened),
        store_test(readers_read_while_others_write),
        store_test(a_folder_that_is_read_only_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
