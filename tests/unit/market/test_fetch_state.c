#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "market/fetch_state.h"

static char path[64];

static int setup(void **state)
{
    (void)state;
    (void)snprintf(path, sizeof path, "/tmp/stint-feeds-%d.json", (int)getpid());
    (void)unlink(path);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    (void)unlink(path);
    return 0;
}

static struct fetch_state *open_state(struct arena *arena, char *warning, size_t room)
{
    struct buf messages = buf_new(&alloc_system, 4096);
    struct error err = {0};
    struct fetch_state *s = fetch_state_read(path, arena, &messages, &err);

    assert_non_null(s);
    (void)snprintf(warning, room, "%.*s", (int)messages.len,
                   messages.len > 0 ? messages.at : "");
    buf_free(&messages);
    return s;
}

static void test_round_trip(void **state)
{
    struct arena arena = test_arena(), again = test_arena();
    struct error err = {0};
    const stamp now = {1794736800}, long_ago = {1700000000};
    struct fetch_entry entry = {.list = STR("azure eastus"),
                                .url = STR("https://prices.azure.com/api"),
                                .etag = STR("\"a\\\"b\""),
                                .checked = now,
                                .fetched = now,
                                .status = 200};
    const struct fetch_entry *got;
    struct fetch_state *s;
    char warning[512];

    (void)state;
    s = open_state(&arena, warning, sizeof warning);
    assert_string_equal(warning, "");
    assert_int_equal(s->count, 0);
    assert_null(fetch_state_find(s, STR("azure eastus")));
    assert_true(fetch_state_put(s, &entry, &err));
    entry.message = STR("it failed: \x1b[1m \xff");
    entry.status = 503;
    assert_true(fetch_state_put(s, &entry, &err)); /* in place of the first */
    entry.list = STR("old");
    entry.checked = long_ago;
    assert_true(fetch_state_put(s, &entry, &err));
    assert_int_equal(s->count, 2);
    assert_true(fetch_state_write(s, path, now, &err));

    s = open_state(&again, warning, sizeof warning);
    assert_string_equal(warning, "");
    assert_int_equal(s->count, 1); /* the other is forgotten */
    got = fetch_state_find(s, STR("azure eastus"));
    assert_non_null(got);
    assert_str_equal(got->url, "https://prices.azure.com/api");
    assert_str_equal(got->etag, "\"a\\\"b\"");
    assert_int_equal(got->modified.len, 0);
    assert_int_equal(got->checked.s, now.s);
    assert_int_equal(got->fetched.s, now.s);
    assert_int_equal(got->status, 503);
    assert_true(str_starts(got->message, STR("it failed: ")));
    assert_ptr_equal(s->at, got);
    arena_free(&arena);
    arena_free(&again);
}

static void test_damaged(void **state)
{
    static const char *const bad[] = {
        "",
        "{",
        "[]",
        "null",
        "{\"schema\":\"stint.feeds/2\",\"lists\":[]}",
        "{\"schema\":\"stint.feeds/1\",\"lists\":[{}]}",
        "{\"schema\":\"stint.feeds/1\",\"lists\":[{\"list\":\"x\",\"checked\":\"y\"}]}",
        "{\"schema\":\"stint.feeds/1\",\"lists\":[{\"list\":\"x\",\"what\":\"y\"}]}",
        "{\"schema\":\"stint.feeds/1\",\"lists\":7}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct arena arena = test_arena();
        struct error err = {0};
        char warning[512];

        assert_true(fs_replace(path, str_from(bad[i]), &err));
        assert_int_equal(open_state(&arena, warning, sizeof warning)->count, 0);
        assert_non_null(strstr(warning, path));
        assert_non_null(strstr(warning, "read anew"));
        assert_null(strchr(warning, '\n'));
        arena_free(&arena);
    }
}

static void test_no_memory(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct fetch_entry entry = {.list = STR("l"), .checked = {1}, .fetched = {1}};
    struct fetch_state *s;
    char warning[512];
    bool ok = false;

    (void)state;
    s = open_state(&arena, warning, sizeof warning);
    assert_true(fetch_state_put(s, &entry, &err));
    assert_true(fetch_state_write(s, path, (stamp){1}, &err));
    arena_free(&arena);
    for (size_t allow = 0; !ok && allow < 200; allow++) {
        struct failing_alloc memory = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &memory};
        struct arena poor = {.alloc = &alloc};
        struct buf messages = buf_new(&alloc_system, 4096);

        err = (struct error){0};
        s = fetch_state_read(path, &poor, &messages, &err);
        ok = s != NULL && fetch_state_put(s, &entry, &err) &&
             fetch_state_write(s, path, (stamp){1}, &err);
        assert_true(ok || err.kind == ERROR_MEMORY);
        assert_int_equal(messages.len, 0);
        buf_free(&messages);
        arena_free(&poor);
        assert_int_equal(memory.held, 0);
    }
    assert_true(ok);
}

int group_fetch_state(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, setup, teardown),
        cmocka_unit_test_setup_teardown(test_damaged, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_memory, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
