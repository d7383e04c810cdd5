/* What commands made, kept and found again; places of outputs; files that changed. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "data/bundle/bundle.h"
#include "data/cache/cache.h"
#include "data/cache/cache_changes.h"
#include "data/cache/cache_place.h"

#define KEY_PART(c) c c c c c c c c
#define KEY(c) \
    KEY_PART(c) \
    KEY_PART(c) KEY_PART(c) KEY_PART(c) KEY_PART(c) KEY_PART(c) KEY_PART(c) KEY_PART(c)

static char root[64];
static const struct watch unwatched = {0};

static int make_cache_folder(void **state)
{
    (void)state;
    (void)snprintf(root, sizeof root, "/tmp/stint-cache-XXXXXX");
    return mkdtemp(root) == NULL;
}

static int remove_cache_folder(void **state)
{
    (void)state;
    return !fs_remove_folder(root);
}

static const char *in_root(const char *name)
{
    static char paths[32][200];
    static unsigned next;
    char *path = paths[next++ % 32];

    (void)snprintf(path, sizeof paths[0], "%s/%s", root, name);
    return path;
}

static void put_text(const char *name, const char *text)
{
    FILE *file = fopen(in_root(name), "wb");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_text(const char *name, const char *text)
{
    char got[32] = "";
    FILE *file = fopen(in_root(name), "rb");

    assert_non_null(file);
    (void)fread(got, 1, sizeof got - 1, file);
    (void)fclose(file);
    assert_string_equal(got, text);
}

static struct cache test_cache(int64_t now)
{
    return (struct cache){.folder = in_root("kept"), .watch = &unwatched, .now = {now}};
}

/* Keep the file or folder `name` as the only output of an entry. */
static void keep_one(const char *key, const char *name, struct arena *arena)
{
    struct cache cache = test_cache(1000);
    struct cache_output output = {.path = str_from(in_root(name)), .sha256 = STR("00")};
    struct cache_entry entry = {
        .key = {key, CACHE_KEY}, .command = STR("make"), .outputs = {&output, 1}};
    struct error err = {0};
    const char *where;
    struct tree tree;
    int lock;

    assert_true(bundle_file(in_root(name), &unwatched, arena, &tree, &where, &err));
    lock = cache_lock(&cache, key, arena, &err);
    assert_true(lock >= 0);
    assert_true(cache_keep(&cache, &entry, &output, &tree, arena, &err));
    assert_int_equal(close(lock), 0);
}

static void outputs_come_back(void **state)
{
    struct cache cache = test_cache(1000);
    struct arena arena = test_arena();
    struct cache_entry entry;
    struct error err = {0};
    bool there;

    (void)state;
    assert_true(cache_find(&cache, KEY("a"), &arena, &entry, &there, &err));
    assert_false(there);
    put_text("out", "content");
    assert_int_equal(chmod(in_root("out"), 0755), 0);
    keep_one(KEY("a"), "out", &arena);
    assert_true(cache_find(&cache, KEY("a"), &arena, &entry, &there, &err));
    assert_true(there);
    assert_int_equal(entry.outputs.len, 1);
    assert_true(str_eq(entry.command, STR("make")));
    assert_true(cache_restore(&cache, &entry, 0, in_root("back"), &arena, &err));
    assert_text("back", "content");
    assert_int_equal(access(in_root("back"), X_OK), 0);
    arena_free(&arena);
}

static void what_is_damaged_counts_as_absent(void **state)
{
    struct cache cache = test_cache(1000);
    struct arena arena = test_arena();
    struct cache_entry entry;
    struct error err = {0};
    bool there;

    (void)state;
    put_text("out", "content");
    keep_one(KEY("a"), "out", &arena);
    put_text("kept/" KEY("a") "/0.tar.zst", "not a bundle");
    assert_true(cache_find(&cache, KEY("a"), &arena, &entry, &there, &err));
    assert_true(there);
    assert_false(cache_restore(&cache, &entry, 0, in_root("back"), &arena, &err));
    assert_int_equal(access(in_root("back"), F_OK), -1);
    put_text("kept/" KEY("a") "/entry", "{");
    assert_true(cache_find(&cache, KEY("a"), &arena, &entry, &there, &err));
    assert_false(there);
    assert_int_equal(access(in_root("kept/" KEY("a")), F_OK), -1);
    arena_free(&arena);
}

static void the_least_used_goes_first(void **state)
{
    static const char *const keys[] = {KEY("a"), KEY("b"), KEY("c")};
    struct cache cache = test_cache(1000);
    struct arena arena = test_arena();
    struct cache_entry *entries;
    struct error err = {0};
    size_t count, removed;
    int lock;

    (void)state;
    put_text("out", "content");
    for (int i = 0; i < 3; i++) {
        struct timespec times[2] = {{2000 - i, 0}, {2000 - i, 0}};
        char name[CACHE_KEY + sizeof "kept/"];

        keep_one(keys[i], "out", &arena);
        (void)snprintf(name, sizeof name, "kept/%s", keys[i]);
        assert_int_equal(utimensat(AT_FDCWD, in_root(name), times, 0), 0);
    }
    assert_true(cache_list(&cache, &arena, &entries, &count, &err));
    assert_int_equal(count, 3);
    assert_true(str_eq(entries[0].key, STR(KEY("a"))));
    assert_true(cache_shrink(&cache, 2 * entries[0].kept.n, "", &arena, &removed, &err));
    assert_int_equal(removed, 1);
    lock = cache_lock(&cache, KEY("b"), &arena, &err);
    assert_true(lock >= 0);
    assert_true(cache_shrink(&cache, 0, KEY("a"), &arena, &removed, &err));
    assert_int_equal(removed, 0); /* one is spared, somebody works on the other */
    assert_int_equal(close(lock), 0);
    assert_true(cache_shrink(&cache, 0, KEY("a"), &arena, &removed, &err));
    assert_true(cache_list(&cache, &arena, &entries, &count, &err));
    assert_int_equal(count, 1);
    arena_free(&arena);
}

static bool is_stopped(void)
{
    return true;
}

static void a_lock_is_waited_for(void **state)
{
    static const struct watch stopping = {.stopped = is_stopped};
    struct cache cache = test_cache(1000);
    struct arena arena = test_arena();
    struct error err = {0};
    int first = cache_lock(&cache, KEY("a"), &arena, &err), other;

    (void)state;
    assert_true(first >= 0);
    cache.watch = &stopping;
    other = cache_lock(&cache, KEY("b"), &arena, &err);
    assert_true(other >= 0);
    assert_int_equal(cache_lock(&cache, KEY("a"), &arena, &err), -1);
    assert_int_equal(err.kind, ERROR_STOPPED);
    assert_int_equal(close(first), 0);
    assert_int_equal(close(other), 0);
    arena_free(&arena);
}

static void earlier_outputs_come_back(void **state)
{
    struct arena arena = test_arena();
    struct cache_place place;
    struct error err = {0};
    bool broken;

    (void)state;
    put_text("out", "old");
    assert_true(cache_place_open(in_root("out"), &arena, &place, &err));
    assert_true(cache_place_clear(&place, &err));
    assert_int_equal(access(in_root("out"), F_OK), -1);
    put_text("out", "half");
    assert_true(cache_place_close(&place, false, &broken, &err));
    assert_true(broken);
    assert_text("out", "old");
    assert_text("out.broken", "half");
    assert_true(cache_place_clear(&place, &err)); /* killed here */
    assert_true(cache_place_open(in_root("out//"), &arena, &place, &err));
    assert_text("out", "old");
    assert_true(cache_place_clear(&place, &err));
    put_text("out", "new"); /* or here */
    assert_false(cache_place_open(in_root("out"), &arena, &place, &err));
    assert_text("out", "new");
    assert_text("out" CACHE_ASIDE, "old");
    assert_int_equal(unlink(in_root("out" CACHE_ASIDE)), 0);
    assert_true(cache_place_open(in_root("sub/out"), &arena, &place, &err));
    assert_true(cache_place_clear(&place, &err));
    put_text("sub/out", "made");
    assert_true(cache_place_close(&place, true, &broken, &err));
    assert_text("sub/out", "made");
    arena_free(&arena);
}

static void what_is_written_is_found(void **state)
{
    struct arena arena = test_arena();
    struct str spared;
    struct changes_work work = {
        .folder = root, .looks = 100, .spared = {&spared, 1}, .watch = &unwatched};
    struct strs found;
    struct error err = {0};
    bool all;

    (void)state;
    spared = str_from(in_root("out"));
    put_text("before", "");
    assert_int_equal(mkdir(in_root("out"), 0755), 0);
    assert_int_equal(mkdir(in_root("outside"), 0755), 0);
    work.since_ns = changes_begin();
    assert_true(changes_find(&work, &arena, &found, &all, &err));
    assert_int_equal(found.len, 0);
    put_text("out/a", "");
    put_text("outside/b", "");
    put_text(".hidden", "");
    assert_true(changes_find(&work, &arena, &found, &all, &err));
    assert_int_equal(found.len, 1);
    assert_true(str_eq(found.at[0], STR("outside/b")));
    assert_true(all);
    work.looks = 1;
    assert_true(changes_find(&work, &arena, &found, &all, &err));
    assert_false(all);
    arena_free(&arena);
}

#define CACHE_TEST(f) cmocka_unit_test_setup_teardown(f, make_cache_folder, remove_cache_folder)

int group_cache(void)
{
    const struct CMUnitTest tests[] = {
        CACHE_TEST(outputs_come_back),         CACHE_TEST(what_is_damaged_counts_as_absent),
        CACHE_TEST(the_least_used_goes_first), CACHE_TEST(a_lock_is_waited_for),
        CACHE_TEST(earlier_outputs_come_back), CACHE_TEST(what_is_written_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
