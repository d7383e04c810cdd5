#include "stores.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "base/crc.h"
#include "market/store_file.h"

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
    return store_open(store_path, &alloc_system, NULL, err);
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
    assert_int_equal(store_verify(store), 0);
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

static void what_is_no_file_is_refused(void **state)
{
    struct error err = {0};

    (void)state;
    assert_int_equal(mkdir(store_path, 0700), 0);
    assert_null(try_open(&err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_int_equal(rmdir(store_path), 0);
}

static void the_files_are_the_users_own(void **state)
{
    static const char *const suffixes[] = {"", "~", ".lock"};
    struct stat st;

    (void)state;
    write_generation(1, 5);
    write_generation(2, 6);
    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
        assert_int_equal(stat(beside(suffixes[i]), &st), 0);
        assert_int_equal(st.st_mode & 07777, 0600);
    }
    assert_false(fs_exists(beside(".new")) || fs_exists(beside(".link")));
    assert_false(fs_exists(beside(".damaged")));
}

static void the_one_before_stays(void **state)
{
    struct store *store;
    struct error err = {0};

    (void)state;
    for (int64_t i = 1; i < 5; i++)
        write_generation(i, i);
    store = store_open(beside("~"), &alloc_system, NULL, &err);
    assert_non_null(store);
    assert_int_equal(store_series(store, 0).price, 3);
    store_close(store);
}

static void a_link_stays_a_link(void **state)
{
    char target[120];
    struct stat st;
    struct store *store;

    (void)state;
    (void)snprintf(target, sizeof target, "%s/elsewhere", folder);
    write_whole(target, STR(""));
    assert_int_equal(unlink(target), 0);
    (void)memcpy(target + strlen(folder), "/prices2", 9);
    assert_int_equal(symlink(target, store_path), 0);
    write_whole(target, STR("damaged"));
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
    (void)snprintf(store_path, sizeof store_path, "%s/new/folder/prices", folder);
    write_generation(1, 5);
    store = open_good();
    assert_int_equal(store_offer_count(store), 2);
    store_close(store);
}

/* --- another version ---------------------------------------------------------------------- */

static void a_newer_file_is_refused_and_kept(void **state)
{
    unsigned char newer[] = STORE_MAGIC "\x02\0\0\0....and what the future has";
    struct str text = {(const char *)newer, sizeof newer}, kept;
    struct arena arena = test_arena();
    struct store_edit *edit = edit_of("list");
    struct store_change change;
    struct error err = {0};

    (void)state;
    put32(newer + 12, crc32c(0, newer, 12));
    write_whole(store_path, text);
    assert_null(try_open(&err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, store_path));
    assert_non_null(strstr(err.text, "version 2"));
    assert_true(err.hint[0] != '\0');
    add(edit, "a", 1, 5);
    assert_false(store_commit(edit, store_path, (stamp){0}, &change, &err));
    assert_non_null(strstr(err.text, "version 2"));
    assert_false(store_mend(store_path, &alloc_system, NULL, &err));
    store_edit_free(edit);
    kept = read_whole(store_path, &arena);
    assert_int_equal(kept.len, text.len);
    assert_memory_equal(kept.at, text.at, text.len);
    arena_free(&arena);
}

/* --- a disk that refuses ------------------------------------------------------------------ */

static void a_full_disk_leaves_all_as_it_was(void **state)
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
    assert_false(fs_exists(beside(".new")));
    assert_false(fs_exists(beside("~")));
    store = open_good();
    assert_int_equal(store_offer_count(store), 2);
    store_close(store);
    (void)commit(edit, 0); /* and now it works */
}

static void a_name_that_is_taken_leaves_all_as_it_was(void **state)
{
    struct store_edit *edit;
    struct store *store;
    struct store_change change;
    struct error err = {0};

    (void)state;
    write_generation(1, 5);
    assert_int_equal(mkdir(beside("~"), 0700), 0); /* so it cannot be replaced */
    edit = edit_of("list");
    add(edit, "c", 2, 7);
    assert_false(store_commit(edit, store_path, (stamp){0}, &change, &err));
    assert_int_equal(err.kind, ERROR_SYSTEM);
    assert_false(fs_exists(beside(".new")) || fs_exists(beside(".link")));
    store = open_good();
    assert_int_equal(store_offer_count(store), 2);
    store_close(store);
    store_edit_free(edit);
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
    assert_false(store_mend(path, &alloc_system, NULL, &err));
    store_edit_free(edit);
}

/* --- others ------------------------------------------------------------------------------- */

static void a_lock_that_is_held_is_named(void **state)
{
    struct store_paths paths;
    struct error err = {0};
    int first, second;

    (void)state;
    assert_true(store_paths_of(store_path, &paths, &err));
    first = store_lock(&paths, 0, &err);
    assert_true(first >= 0);
    second = store_lock(&paths, 0, &err);
    assert_int_equal(second, -1);
    assert_int_equal(err.kind, ERROR_FAILED);
    assert_non_null(strstr(err.hint, paths.lock));
    store_unlock(first);
    second = store_lock(&paths, 0, &err);
    assert_true(second >= 0);
    store_unlock(second);
}

static void wait_for(pid_t child)
{
    int status;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void two_writers_both_get_their_word_in(void **state)
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
    assert_int_equal(store_verify(store), 0);
    store_close(store);
}

/* What a killed writer leaves is one of the generations that it wrote, whole. */
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
        assert_int_equal(store_verify(store), 0);
        assert_true(store_series(store, 0).price >= newest);
        assert_int_equal(store_series(store, 0).price, store_series(store, 1).price);
        assert_int_equal(store_series(store, 0).price + 1, store_series(store, 0).points);
        store_close(store);
    }
    write_generation(INT64_C(1) << 30, 7); /* nothing that was left is in the way */
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
}

int group_store(void)
{
    const struct CMUnitTest tests[] = {
        store_test(an_absent_file_is_an_empty_store),
        store_test(an_empty_edit_makes_an_empty_store),
        store_test(what_is_no_file_is_refused),
        store_test(the_files_are_the_users_own),
        store_test(the_one_before_stays),
        store_test(a_link_stays_a_link),
        store_test(the_folder_is_made),
        store_test(a_newer_file_is_refused_and_kept),
        store_test(a_full_disk_leaves_all_as_it_was),
        store_test(a_name_that_is_taken_leaves_all_as_it_was),
        store_test(a_path_that_is_too_long_is_refused),
        store_test(a_lock_that_is_held_is_named),
        store_test(two_writers_both_get_their_word_in),
        store_test(a_killed_writer_leaves_a_good_file),
        store_test(a_reader_keeps_what_it_opened),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
