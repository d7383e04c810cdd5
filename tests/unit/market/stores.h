/* stores.h - a folder for each test of the store, and helpers that make quotes. */
#ifndef TESTS_STORES_H
#define TESTS_STORES_H

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "market/store.h"

#define DAY_S INT64_C(86400)
#define BILLION INT64_C(1000000000)

static char folder[64], store_path[100]; /* of this test; removed after it */

static inline int make_folder(void **state)
{
    (void)state;
    /* In memory where possible: thousands of flushes to a disk take minutes. */
    (void)snprintf(folder, sizeof folder, "%s/stint-store-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(folder) == NULL)
        return 1;
    (void)snprintf(store_path, sizeof store_path, "%s/prices.db", folder);
    return 0;
}

/* Of how many series the history cannot be read. */
static inline size_t damaged_series(const struct store *store)
{
    size_t damaged = 0;

    for (size_t i = 0; i < store_series_count(store); i++) {
        struct arena arena = {.alloc = &alloc_system};
        struct error err = {0};
        struct points points;

        damaged += !store_statements(store, i, &arena, &points, &err);
        arena_free(&arena);
    }
    return damaged;
}

static inline int remove_folder(void **state)
{
    char command[200];

    (void)state;
    (void)snprintf(command, sizeof command, "chmod -R u+rwx %s && rm -r %s", folder, folder);
    return system(command);
}

#define store_test(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

/* "PATH/prices.db" with something after it, until eight calls later. */
static inline const char *path_with_suffix(const char *suffix)
{
    static char paths[8][120];
    static unsigned next;
    char *path = paths[next++ % 8];

    (void)snprintf(path, sizeof paths[0], "%s%s", store_path, suffix);
    return path;
}

static const struct messages silent;

/* Collects messages in a buffer. */
static inline void show_message(void *ctx, enum message_kind kind, const char *text)
{
    (void)kind;
    buf_adds(ctx, text);
    buf_char(ctx, '\n');
}

static const struct feed_format test_format = {
    .name = "test", .confidence = CONFIDENCE_OFFICIAL, .scope = SCOPE_REGIONS};

static inline struct store_edit *edit_of(const char *feed)
{
    struct error err = {0};
    struct store_edit *edit = store_edit_new(&alloc_system, &err);

    assert_non_null(edit);
    if (!store_edit_feed(edit, &test_format, str_from(feed), STR("a file"), &err))
        fail_msg("%s", err.text);
    return edit;
}

/* aws, us-east-1, on demand, in dollars. */
static inline struct quote quote_of(const char *instance, int64_t at, int64_t nano)
{
    struct quote q = quote_blank();

    q.provider = STR("aws");
    q.region = STR("us-east-1");
    q.instance = str_from(instance);
    q.accelerator = STR("H100");
    q.count = 8;
    q.at.s = at;
    q.price[MARKET_ON_DEMAND] = nano;
    return q;
}

static inline void add_quote(struct store_edit *edit, const struct quote *q)
{
    struct error err = {0};

    if (!store_edit_quote(edit, q, &err))
        fail_msg("%s", err.text);
}

static inline void add(struct store_edit *edit, const char *instance, int64_t at, int64_t nano)
{
    struct quote q = quote_of(instance, at, nano);

    add_quote(edit, &q);
}

static inline void complete(struct store_edit *edit, enum feed_scope scope, int64_t at)
{
    struct error err = {0};

    if (!store_edit_complete(edit, scope, (stamp){at}, &err))
        fail_msg("%s", err.text);
}

/* Commit and free it. */
static inline struct store_change commit(struct store_edit *edit, int64_t now)
{
    struct store_change change;
    struct error err = {0};

    if (!store_commit(edit, store_path, (stamp){now}, &change, &err))
        fail_msg("%s", err.text);
    store_edit_free(edit);
    return change;
}

/* It opens without a message. */
static inline struct store *open_good(void)
{
    struct buf shown = buf_new(&alloc_system, 4096);
    const struct messages messages = {show_message, &shown, NULL};
    struct error err = {0};
    struct store *store = store_open(store_path, &alloc_system, &messages, &err);

    if (store == NULL || shown.len > 0)
        fail_msg("%s%.*s", err.text, STR_ARG(buf_text(&shown)));
    buf_free(&shown);
    return store;
}

/* The series of a machine in a market, by its first feed and currency; SIZE_MAX when there is
 * none. */
static inline size_t find_series(const struct store *store, const char *instance, enum market m)
{
    for (size_t i = 0; i < store_series_count(store); i++) {
        struct store_series s = store_series(store, i);

        if (s.market == m && str_eq(store_offer(store, s.offer).instance, str_from(instance)))
            return i;
    }
    return SIZE_MAX;
}

static inline void check_points(const struct store *store, size_t series,
                                const struct point *expected, size_t count)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct points points = {0};

    if (!store_statements(store, series, &arena, &points, &err))
        fail_msg("%s", err.text);
    assert_int_equal(points.len, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(points.at[i].at.s, expected[i].at.s);
        assert_int_equal(points.at[i].value, expected[i].value);
    }
    assert_int_equal(store_series(store, series).points, count);
    arena_free(&arena);
}

#define check_series(store, instance, market, ...) \
    do { \
        const struct point expected_[] = {__VA_ARGS__}; \
        size_t series_ = find_series((store), (instance), (market)); \
        assert_int_not_equal(series_, SIZE_MAX); \
        check_points((store), series_, expected_, ARRAY_LEN(expected_)); \
    } while (0)

static inline struct str read_all(const char *path, struct arena *arena)
{
    struct error err = {0};
    struct str text = {0};

    if (!fs_read(path, 1 << 24, arena, &text, &err))
        fail_msg("%s", err.text);
    return text;
}

static inline void write_all(const char *path, struct str text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    if (text.len > 0)
        assert_int_equal(fwrite(text.at, 1, text.len, file), text.len);
    assert_int_equal(fclose(file), 0);
}

#endif
