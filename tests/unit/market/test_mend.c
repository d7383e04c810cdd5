#include "stores.h"

#include <fcntl.h>

#include "market/store_format.h"

/* --- a small store, and whether another holds the same -------------------------------------
 * */

static void write_small(void)
{
    struct store_edit *edit = edit_of("list");

    for (int64_t i = 0; i < 5; i++) {
        struct quote q = quote_of(i < 3 ? "a" : "b", 1000 + i * DAY_S, (i + 1) * 1234500000);

        q.price[MARKET_SPOT] = i == 2 ? PRICE_NONE : i * 77;
        add_quote(edit, &q);
    }
    complete(edit, SCOPE_PROVIDER, 1000 + 4 * DAY_S);
    (void)commit(edit, 5);
}

static void check_same(const struct store *a, const struct store *b)
{
    struct arena arena = test_arena();
    struct error err = {0};

    assert_int_equal(store_offer_count(a), store_offer_count(b));
    assert_int_equal(store_series_count(a), store_series_count(b));
    assert_int_equal(store_feed_count(a), store_feed_count(b));
    for (size_t i = 0; i < store_offer_count(a); i++)
        assert_true(str_eq(store_offer(a, i).instance, store_offer(b, i).instance));
    for (size_t i = 0; i < store_series_count(a); i++) {
        struct store_series x = store_series(a, i), y = store_series(b, i);
        struct points p, q;

        assert_true(x.price == y.price && x.since.s == y.since.s && x.seen.s == y.seen.s);
        assert_true(x.market == y.market && x.points == y.points && x.doubts == y.doubts);
        assert_true(store_points(a, i, &arena, &p, &err));
        assert_true(store_points(b, i, &arena, &q, &err));
        assert_int_equal(p.len, q.len);
        assert_memory_equal(p.at, q.at, p.len * sizeof *p.at);
    }
    arena_free(&arena);
}

/* Opened, and mended where it needs it: as it was, and good from then on. `said` is whether
 * anything was. */
static void check_mended(const struct store *expected, bool *said)
{
    struct buf mended = buf_new(&alloc_system, 4096);
    struct error err = {0};
    struct store *store = store_open(store_path, &alloc_system, &mended, &err);

    assert_non_null(store);
    if (mended.len == 0 && store_verify(store) > 0) {
        store_close(store);
        if (!store_mend(store_path, &alloc_system, &mended, &err))
            fail_msg("%s", err.text);
        assert_true(mended.len > 0);
        store = open_good();
    }
    *said = mended.len > 0;
    assert_true(mended.failed == ERROR_NONE &&
                (mended.len == 0 || memchr(mended.at, '\n', mended.len) == NULL));
    assert_int_equal(store_verify(store), 0);
    check_same(store, expected);
    store_close(store);
    if (*said) {
        store = open_good();
        assert_int_equal(store_verify(store), 0);
        store_close(store);
        assert_true(fs_exists(beside(".damaged")));
    }
    buf_free(&mended);
}

/* --- every byte --------------------------------------------------------------------------- */

static void every_flipped_byte_is_noticed_and_mended(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct store *good;
    struct str image;
    char *copy;

    (void)state;
    write_small();
    image = read_whole(store_path, &arena);
    assert_true(image.len > 400 && image.len < 4000);
    copy = str_dup(image, &arena, &err);
    good = store_of(image, "good", &alloc_system, &err);
    assert_true(copy != NULL && good != NULL);
    for (size_t i = 0; i < image.len; i++) {
        char flipped = (char)(image.at[i] ^ (i % 2 == 0 ? 1 << i / 2 % 8 : 0xff));
        bool said;

        write_whole(beside("~"), image);
        copy[i] = flipped;
        write_whole(store_path, (struct str){copy, image.len});
        copy[i] = image.at[i];
        check_mended(good, &said);
        assert_true(said); /* there is no byte that does not matter */
        assert_int_equal(unlink(beside(".damaged")), 0);
    }
    store_close(good);
    arena_free(&arena);
}

/* In memory, every bit. */
static void every_flipped_bit_is_noticed(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct str image;
    char *copy;

    (void)state;
    write_small();
    image = read_whole(store_path, &arena);
    copy = str_dup(image, &arena, &err);
    assert_non_null(copy);
    for (size_t bit = 0; bit < image.len * 8; bit++) {
        struct store *store;

        copy[bit / 8] = (char)(image.at[bit / 8] ^ 1 << bit % 8);
        store = store_of((struct str){copy, image.len}, "flipped", &alloc_system, &err);
        assert_true(store == NULL || store_verify(store) == 1);
        store_close(store);
        copy[bit / 8] = image.at[bit / 8];
    }
    arena_free(&arena);
}

static void every_cut_is_noticed_and_mended(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct store *good;
    struct str image;
    bool said;

    (void)state;
    write_small();
    image = read_whole(store_path, &arena);
    good = store_of(image, "good", &alloc_system, &err);
    assert_non_null(good);
    for (size_t len = 0; len < image.len; len++) {
        write_whole(beside("~"), image);
        write_whole(store_path, (struct str){image.at, len});
        check_mended(good, &said);
        assert_true(said);
    }
    store_close(good);
    arena_free(&arena);
}

/* --- what cannot be had back -------------------------------------------------------------- */

static void flip(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    int byte;

    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    byte = fgetc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fputc(byte ^ 0x10, file), byte ^ 0x10);
    assert_int_equal(fclose(file), 0);
}

/* A store whose series "a" has another point than the one before has, and damaged points. */
static void damage_points_of_a(void)
{
    struct store_edit *edit = edit_of("list");

    add(edit, "a", 10, 5);
    add(edit, "a", 20, 6);
    add(edit, "b", 10, 7);
    (void)commit(edit, 0);
    edit = edit_of("list");
    add(edit, "a", 30, 8);
    add(edit, "a", 40, 9);
    add(edit, "a", 50, 9);
    (void)commit(edit, 0);
    flip(store_path, STORE_HEADER + 2);
}

static void damaged_points_are_an_error_until_mended(void **state)
{
    struct arena arena = test_arena();
    struct buf mended = buf_new(&alloc_system, 4096);
    struct error err = {0};
    struct points points;
    struct store *store;

    (void)state;
    damage_points_of_a();
    store = open_good();
    assert_int_equal(store_verify(store), 1);
    assert_false(store_points(store, 0, &arena, &points, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, "aws us-east-1 a"));
    assert_non_null(strstr(err.text, store_path));
    check_series(store, "b", MARKET_ON_DEMAND, {{10}, 7});
    store_close(store);

    assert_true(store_mend(store_path, &alloc_system, &mended, &err));
    assert_non_null(strstr(mended.at, "1 are restored"));
    store = open_good();
    /* What the one before had, and the newest price, which the tables have. */
    check_series(store, "a", MARKET_ON_DEMAND, {{10}, 5}, {{20}, 6}, {{40}, 9});
    check_series(store, "b", MARKET_ON_DEMAND, {{10}, 7});
    assert_int_equal(store_series(store, 0).seen.s, 50);
    store_close(store);
    store = store_open(beside("~"), &alloc_system, NULL, &err);
    assert_non_null(store); /* it is the one before still */
    assert_int_equal(store_series(store, 0).price, 6);
    store_close(store);
    buf_free(&mended);
    arena_free(&arena);
}

static void the_newest_price_is_never_lost(void **state)
{
    struct buf mended = buf_new(&alloc_system, 4096);
    struct error err = {0};
    struct store *store;

    (void)state;
    damage_points_of_a();
    assert_int_equal(unlink(beside("~")), 0);
    assert_true(store_mend(store_path, &alloc_system, &mended, &err));
    assert_non_null(strstr(mended.at, "0 are restored"));
    assert_non_null(strstr(mended.at, "1 have only their newest price"));
    store = open_good();
    check_series(store, "a", MARKET_ON_DEMAND, {{40}, 9});
    assert_int_equal(store_series(store, 0).seen.s, 50);
    store_close(store);
    buf_clear(&mended);
    assert_true(
        store_mend(store_path, &alloc_system, &mended, &err)); /* nothing is left to do */
    assert_int_equal(mended.len, 0);
    buf_free(&mended);
}

static void a_commit_mends_what_it_finds(void **state)
{
    struct store_edit *edit;
    struct store_change change;
    struct store *store;

    (void)state;
    damage_points_of_a();
    edit = edit_of("list");
    add(edit, "b", 60, 3);
    change = commit(edit, 0);
    assert_int_equal(change.restored, 1);
    assert_int_equal(change.lost, 0);
    assert_true(fs_exists(beside(".damaged")));
    store = open_good();
    check_series(store, "a", MARKET_ON_DEMAND, {{10}, 5}, {{20}, 6}, {{40}, 9});
    check_series(store, "b", MARKET_ON_DEMAND, {{10}, 7}, {{60}, 3});
    store_close(store);
}

static void a_commit_onto_damaged_tables_starts_from_the_one_before(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct store *store;

    (void)state;
    add(edit, "a", 10, 5);
    (void)commit(edit, 0);
    edit = edit_of("list");
    add(edit, "a", 20, 6);
    (void)commit(edit, 0);
    flip(store_path, STORE_HEADER - 1);
    edit = edit_of("list");
    add(edit, "a", 30, 7);
    (void)commit(edit, 0);
    store = open_good();
    check_series(store, "a", MARKET_ON_DEMAND, {{10}, 5}, {{30}, 7});
    store_close(store);
    assert_true(fs_exists(beside(".damaged")));
}

static void without_a_good_one_it_starts_empty_and_says_what_to_do(void **state)
{
    struct buf mended = buf_new(&alloc_system, 4096);
    struct error err = {0};
    struct store *store;

    (void)state;
    write_whole(store_path, STR("not a store at all"));
    write_whole(beside("~"), STR("nor this"));
    store = store_open(store_path, &alloc_system, &mended, &err);
    assert_non_null(store);
    assert_int_equal(store_offer_count(store), 0);
    store_close(store);
    buf_char(&mended, '\0');
    assert_non_null(strstr(mended.at, store_path));
    assert_non_null(strstr(mended.at, "stint price fetch --all"));
    assert_non_null(strstr(mended.at, ".damaged"));
    assert_false(fs_exists(store_path));
    store_close(open_good());
    buf_free(&mended);
}

static void memory_may_run_out_while_mending(void **state)
{
    struct failing_alloc memory = {0};
    const struct alloc alloc = {failing_get, failing_put, &memory};
    bool done = false;

    (void)state;
    for (size_t allow = 0; !done; allow++) {
        struct error err = {0};

        damage_points_of_a();
        assert_true(allow < 200);
        memory.allow = allow;
        done = store_mend(store_path, &alloc, NULL, &err);
        assert_true(done || err.kind == ERROR_MEMORY);
        assert_int_equal(memory.held, 0);
        if (done) { /* and nothing was given up for want of memory */
            struct store *store = open_good();

            check_series(store, "a", MARKET_ON_DEMAND, {{10}, 5}, {{20}, 6}, {{40}, 9});
            store_close(store);
        }
        assert_int_equal(unlink(store_path), 0);
    }
    write_small();
    flip(store_path, 40);
    done = false;
    for (size_t allow = 0; !done; allow++) {
        struct error err = {0};
        struct store *store;

        assert_true(allow < 200);
        memory.allow = allow;
        store = store_open(store_path, &alloc, NULL, &err);
        done = store != NULL;
        assert_true(done || err.kind == ERROR_MEMORY);
        store_close(store);
        assert_int_equal(memory.held, 0);
    }
}

/* --- a folder that cannot be written to --------------------------------------------------- */

static void a_folder_that_is_only_read_is_still_read(void **state)
{
    struct buf mended = buf_new(&alloc_system, 4096);
    struct store_edit *edit = edit_of("list");
    struct store_change change;
    struct error err = {0};
    struct store *store;

    (void)state;
    write_small();
    write_small();
    flip(store_path, 40);
    assert_int_equal(chmod(store_path, 0644) + chmod(beside("~"), 0644), 0);
    assert_int_equal(unlink(beside(".lock")), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    if (geteuid() == 0 && seteuid(65534) != 0) {
        print_message("# SKIPPED: root cannot become another user here\n");
        store_edit_free(edit);
        return;
    }
    store = store_open(store_path, &alloc_system, &mended, &err);
    assert_non_null(store);
    assert_int_equal(store_offer_count(store), 2);
    assert_int_equal(store_verify(store), 0);
    assert_non_null(memmem(mended.at, mended.len, "nothing was written", 19));
    store_close(store);
    add(edit, "a", 30, 7);
    assert_false(store_commit(edit, store_path, (stamp){0}, &change, &err));
    assert_int_equal(err.kind, ERROR_SYSTEM);
    assert_false(store_mend(store_path, &alloc_system, NULL, &err));
    store_edit_free(edit);
    buf_free(&mended);
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
}

int group_mend(void)
{
    const struct CMUnitTest tests[] = {
        store_test(every_flipped_byte_is_noticed_and_mended),
        store_test(every_flipped_bit_is_noticed),
        store_test(every_cut_is_noticed_and_mended),
        store_test(damaged_points_are_an_error_until_mended),
        store_test(the_newest_price_is_never_lost),
        store_test(a_commit_mends_what_it_finds),
        store_test(a_commit_onto_damaged_tables_starts_from_the_one_before),
        store_test(without_a_good_one_it_starts_empty_and_says_what_to_do),
        store_test(memory_may_run_out_while_mending),
        store_test(a_folder_that_is_only_read_is_still_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
