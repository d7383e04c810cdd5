/* Any bytes as a store of the format before SQLite: refused, or converted into a database that
 * is then read to its end. With the first byte's lowest bit set, checksums are corrected first,
 * so that what is behind them is reached too. The same bytes as blobs of a database: refused,
 * or unpacked to something sane. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc.h"
#include "market/store_internal.h"

#define HEADER 192
#define SECTIONS 24
#define SECTION_COUNT 6

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void put(unsigned char *at, uint64_t value, unsigned len)
{
    for (unsigned i = 0; i < len; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get(const unsigned char *at)
{
    uint64_t value = 0;

    for (unsigned i = 8; i > 0; i--)
        value = value << 8 | at[i - 1];
    return value;
}

static void put_checksums_right(unsigned char *at, size_t size)
{
    unsigned char *entry = at + SECTIONS;

    if (size < HEADER)
        return;
    memcpy(at, "stint$\r\n", 8);
    put(at + 8, 1, 4);
    put(at + 12, crc32c(0, at, 12), 4);
    put(at + 16, size, 8);
    for (unsigned s = 0; s < SECTION_COUNT; s++, entry += 24) {
        uint64_t from = get(entry), len = get(entry + 8);

        if (from <= size && len <= size - from && s > 0)
            put(entry + 16, crc32c(0, at + from, (size_t)len), 4);
    }
    put(at + HEADER - 4, crc32c(0, at, HEADER - 4), 4);
}

static void walk(const struct store *store)
{
    struct arena arena = {.alloc = &alloc_system};

    for (size_t i = 0; i < store_offer_count(store); i++) {
        struct store_offer offer = store_offer(store, i);

        require(store_offer_find(store, offer.provider, offer.region) <=
                store_offer_count(store));
        require(offer.first_series + offer.series_count <= store_series_count(store));
    }
    for (size_t i = 0; i < store_series_count(store); i++) {
        struct store_series series = store_series(store, i);
        struct error err = {0};
        struct points points = {0};
        struct day_runs days = {0};

        require(series.offer < store_offer_count(store) && series.market < MARKET_COUNT);
        require(series.feed < store_feed_count(store) && strlen(series.currency.code) <= 3);
        require(store_statements(store, i, &arena, &points, &err) && points.len > 0);
        for (size_t k = 1; k < points.len; k++)
            require(points.at[k].at.s > points.at[k - 1].at.s);
        require(store_observed(store, i, &arena, &days, &err) && days.len > 0);
        for (size_t k = 1; k < days.len; k++)
            require(days.at[k].first > days.at[k - 1].last + 1);
    }
    arena_free(&arena);
}

static void convert(struct str image)
{
    struct error err = {0};
    struct store *store;
    sqlite3 *db = NULL;

    require(db_open(":memory:", &db, &err));
    if (!store_convert_image(image, "fuzz", db, &alloc_system, &err)) {
        require(err.kind != ERROR_NONE);
        (void)sqlite3_close(db);
        return;
    }
    store = store_read_database(db, "fuzz", false, &alloc_system, &err);
    if (store == NULL) { /* two offers of one name, say */
        require(err.kind != ERROR_NONE);
        (void)sqlite3_close(db);
        return;
    }
    walk(store);
    store_close(store);
}

static void unpack_place(struct str blob)
{
    struct place_reader r;
    struct offer_row offer;
    struct series_row series;

    if (!place_open(blob, 100, &r))
        return;
    while (place_offer(&r, &offer))
        for (uint32_t i = 0; i < offer.count; i++)
            if (!place_series(&r, &series))
                return;
}

/* As each kind of blob, with a correct checksum. */
static void unpack(unsigned char *at, size_t size)
{
    struct str blob = {(const char *)at, size}, *names;
    struct days_room days = {.alloc = &alloc_system};
    struct arena arena = {.alloc = &alloc_system};
    struct history history;
    struct error err = {0};
    size_t count;
    bool good;

    if (size < 4)
        return;
    put(at, crc32c(0, at + 4, size - 4), 4);
    unpack_place(blob);
    require(day_runs_unpack(blob, &days, &good, &err));
    require(names_unpack(blob, &arena, &names, &count, &good, &err));
    require(history_open(blob, &days, &history, &good, &err));
    if (good) {
        struct point *points = arena_array(&arena, struct point, history.count, &err);

        require(points != NULL);
        if (points_unpack(history.points, history.count, points))
            for (size_t i = 1; i < history.count; i++)
                require(points[i].at.s > points[i - 1].at.s);
    }
    days_room_free(&days);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *copy;

    if (size == 0)
        return 0;
    copy = malloc(size);
    require(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    if ((data[0] & 1) != 0)
        put_checksums_right(copy, size - 1);
    convert((struct str){(const char *)copy, size - 1});
    unpack(copy, size - 1);
    free(copy);
    return 0;
}
