/* Stores of the format before SQLite become databases. */
#include "stores.h"

#include <sys/wait.h>

#include "market/store_internal.h"
#include "old_store.h"

static const struct str image = {(const char *)old_store, sizeof old_store};
static char old_path[100];

static void write_old(struct str content)
{
    (void)snprintf(old_path, sizeof old_path, "%s/prices.store", folder);
    write_all(old_path, content);
}

static const char *old_path_with_suffix(const char *suffix)
{
    static char path[120];

    (void)snprintf(path, sizeof path, "%s%s", old_path, suffix);
    return path;
}

static void check_converted(const struct store *store)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct day_runs days;
    struct store_offer c;

    assert_int_equal(store_offer_count(store), 3);
    assert_int_equal(store_series_count(store), 5);
    assert_int_equal(store_feed_count(store), 2);
    assert_int_equal(store_read_count(store), 2);
    assert_int_equal(damaged_series(store), 0);
    check_series(store, "a", MARKET_ON_DEMAND, {{1000}, 1234500000},
                 {{1000 + DAY_S}, 2469000000}, {{1000 + 2 * DAY_S}, 3703500000});
    check_series(store, "a", MARKET_SPOT, {{1000}, 0}, {{1000 + DAY_S}, 77},
                 {{1000 + 2 * DAY_S}, SERIES_NONE});
    check_series(store, "c", MARKET_SPOT, {{DAY_S}, 5});
    c = store_offer(store, 2);
    assert_str_equal(c.provider, "gcp");
    assert_str_equal(c.region, "eu");
    assert_str_equal(c.zone, "eu-a");
    assert_true(isnan(c.count) && store_offer(store, 0).count == 8);
    assert_true(store_offer(store, 0).reliability == 0.5);
    assert_string_equal(store_series(store, 4).currency.code, "EUR");
    assert_str_equal(store_feed(store, 1).from, "another");
    assert_int_equal(store_feed(store, 0).scope, SCOPE_PROVIDER);
    assert_true(store_observed(store, 4, &arena, &days, &err)); /* all days of a log */
    assert_true(days.len == 1 && days.at[0].first == 1 && days.at[0].last == 9);
    assert_true(store_observed(store, 0, &arena, &days, &err));
    assert_true(days.len == 2 && days.at[0].first == 0 && days.at[0].last == 2);
    assert_true(days.at[1].first == 4 && days.at[1].last == 4);
    arena_free(&arena);
}

static struct store *open_shown(struct buf *shown)
{
    const struct messages messages = {show_message, shown, NULL};
    struct error err = {0};
    struct store *store = store_open(store_path, &alloc_system, &messages, &err);

    if (store == NULL)
        fail_msg("%s", err.text);
    buf_char(shown, '\0');
    return store;
}

static void an_old_store_is_converted_once(void **state)
{
    struct buf shown = buf_new(&alloc_system, 4096);
    struct arena arena = test_arena();
    struct store *store;
    struct stat st;
    struct str kept;

    (void)state;
    write_old(image);
    write_all(old_path_with_suffix("~"), STR("the one before"));
    store = open_shown(&shown);
    check_converted(store);
    store_close(store);
    assert_non_null(strstr(shown.at, old_path_with_suffix(".old")));
    assert_non_null(strstr(shown.at, store_path));
    kept = read_all(old_path_with_suffix(".old"), &arena);
    assert_true(str_eq(kept, image));
    assert_int_equal(stat(store_path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_false(fs_exists(old_path) || fs_exists(path_with_suffix(".new")) ||
                 fs_exists(old_path_with_suffix("~")) ||
                 fs_exists(old_path_with_suffix(".lock")));
    store = open_good(); /* no second message */
    check_converted(store);
    store_close(store);
    buf_free(&shown);
    arena_free(&arena);
}

static void an_import_converts_first(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct store *store;

    (void)state;
    write_old(image);
    add(edit, "a", 1000 + 9 * DAY_S, 5);
    (void)commit(edit, 0);
    store = open_good();
    assert_int_equal(store_offer_count(store), 3);
    assert_int_equal(store_series(store, 0).points, 4);
    store_close(store);
}

static void a_database_wins_over_an_old_store(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct store *store;

    (void)state;
    add(edit, "m", 5, 5);
    (void)commit(edit, 0);
    write_old(image);
    store = open_good();
    assert_int_equal(store_offer_count(store), 1);
    store_close(store);
    assert_true(fs_exists(old_path));
}

/* Whatever byte is wrong, and wherever it is cut: a warning, and the file stays. */
static void check_refused(struct str content)
{
    struct buf shown = buf_new(&alloc_system, 4096);
    struct store *store;

    write_old(content);
    store = open_shown(&shown);
    assert_true(store_is_damaged(store));
    assert_int_equal(store_offer_count(store), 0);
    store_close(store);
    assert_non_null(strstr(shown.at, old_path));
    assert_non_null(strstr(shown.at, "stint price fetch --all"));
    assert_false(fs_exists(store_path) || fs_exists(path_with_suffix(".new")));
    assert_true(fs_exists(old_path));
    buf_free(&shown);
}

static void damage_is_refused(void **state)
{
    static char copy[sizeof old_store];

    (void)state;
    memcpy(copy, old_store, sizeof copy);
    for (size_t i = 0; i < sizeof copy; i += 3) {
        if (i >= 8 && i < 12)
            continue; /* of another version, with a correct checksum */
        copy[i] ^= 0x10;
        check_refused((struct str){copy, sizeof copy});
        copy[i] ^= 0x10;
    }
    for (size_t len = 0; len < sizeof copy; len += 7)
        check_refused((struct str){copy, len});
}

static void a_commit_does_not_write_over_damage(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct store_change change;
    struct error err = {0};

    (void)state;
    write_old((struct str){image.at, 100});
    add(edit, "m", 5, 5);
    assert_false(store_commit(edit, store_path, (stamp){0}, &silent, &change, &err));
    assert_int_equal(err.kind, ERROR_DAMAGED);
    assert_string_equal(err.hint, STORE_DAMAGED_HINT);
    assert_true(fs_exists(old_path) && !fs_exists(store_path));
    store_edit_free(edit);
}

static void a_folder_that_is_read_only_is_read(void **state)
{
    struct store *store;

    (void)state;
    write_old(image);
    assert_int_equal(chmod(old_path, 0644) + chmod(folder, 0555), 0);
    if (geteuid() == 0 && seteuid(65534) != 0)
        test_skip("root cannot become another user here");
    store = open_good();
    check_converted(store);
    store_close(store);
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    assert_true(fs_exists(old_path) && !fs_exists(store_path));
}

static void two_processes_convert_at_once(void **state)
{
    pid_t children[4];
    struct store *store;

    (void)state;
    write_old(image);
    for (int i = 0; i < 4; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            struct error err = {0};
            struct store *own = store_open(store_path, &alloc_system, &silent, &err);

            _exit(own != NULL && store_offer_count(own) == 3 ? 0 : 1);
        }
    }
    for (int i = 0; i < 4; i++) {
        int status;

        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    store = open_good();
    check_converted(store);
    store_close(store);
}

static void memory_may_run_out(void **state)
{
    struct failing_alloc memory = {0};
    const struct alloc alloc = {failing_get, failing_put, &memory};
    bool done = false;

    (void)state;
    write_old(image);
    for (size_t allow = 0; !done; allow++) {
        struct error err = {0};
        struct store *store;

        assert_true(allow < 200);
        memory.allow = allow;
        store = store_open(store_path, &alloc, &silent, &err);
        done = store != NULL;
        assert_true(done || err.kind == ERROR_MEMORY);
        store_close(store);
        assert_int_equal(memory.held, 0);
    }
}

int group_store_convert(void)
{
    const struct CMUnitTest tests[] = {
        store_test(an_old_store_is_converted_once),
        store_test(an_import_converts_first),
        store_test(a_database_wins_over_an_old_store),
        store_test(damage_is_refused),
        store_test(a_commit_does_not_write_over_damage),
        store_test(a_folder_that_is_read_only_is_read),
        store_test(two_processes_convert_at_once),
        store_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
