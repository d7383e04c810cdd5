/* Any bytes as a price store: refused, or walked to its end and written anew with a quote more.
 * With the first byte's lowest bit set, checksums are put right first, so that what stands
 * behind them is reached too. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crc.h"
#include "market/store_commit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/stint-fuzz-XXXXXX";
static struct store_paths paths;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void remove_folder(void)
{
    (void)unlink(paths.file);
    (void)unlink(paths.previous);
    (void)unlink(paths.damaged);
    (void)rmdir(folder);
}

static void make_folder(void)
{
    struct error err = {0};
    char path[100];

    if (paths.file[0] != '\0')
        return;
    require(mkdtemp(folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/prices", folder);
    require(store_paths_of(path, &paths, &err));
    require(atexit(remove_folder) == 0);
}

static void put_checksums_right(unsigned char *at, size_t size)
{
    unsigned char *entry = at + HEADER_SECTIONS;

    if (size < STORE_HEADER)
        return;
    memcpy(at, STORE_MAGIC, 8);
    put32(at + HEADER_VERSION, STORE_VERSION);
    put32(at + HEADER_PREAMBLE_CRC, crc32c(0, at, HEADER_PREAMBLE_CRC));
    put64(at + HEADER_SIZE, size);
    for (unsigned s = 0; s < SECTION_COUNT; s++, entry += SECTION_ENTRY) {
        uint64_t from = get64(entry), len = get64(entry + 8);

        if (from <= size && len <= size - from && s != SECTION_POINTS)
            put32(entry + 16, crc32c(0, at + from, (size_t)len));
    }
    put32(at + HEADER_CRC, crc32c(0, at, HEADER_CRC));
}

static void walk(const struct store *store)
{
    struct arena arena = {.alloc = &alloc_system};
    size_t bad = 0;

    for (size_t i = 0; i < store_offer_count(store); i++) {
        struct store_offer offer = store_offer(store, i);

        require(store_offer_find(store, offer.provider, offer.region) <=
                store_offer_count(store));
        require(offer.first_series + offer.series_count <= store_series_count(store));
    }
    for (size_t i = 0; i < store_feed_count(store); i++)
        require(store_feed(store, i).confidence < CONFIDENCE_COUNT);
    for (size_t i = 0; i < store_series_count(store); i++) {
        struct store_series series = store_series(store, i);
        struct error err = {0};
        struct points points = {0};

        require(series.offer < store_offer_count(store) && series.market < MARKET_COUNT);
        require(series.feed < store_feed_count(store) && strlen(series.currency) <= 3);
        bad += !store_points(store, i, &arena, &points, &err);
        for (size_t k = 1; k < points.len; k++)
            require(points.at[k].at.s > points.at[k - 1].at.s);
    }
    require(store_verify(store) == bad);
    arena_free(&arena);
}

/* Damaged series too are made good by it. */
static void write_anew(const struct store *store)
{
    const struct feed_format format = {.name = "fuzz", .scope = SCOPE_REGIONS};
    struct error err = {0};
    struct store_edit *edit = store_edit_new(&alloc_system, &err);
    struct quote quote = quote_blank();
    struct store_change change;
    struct store *again = NULL;

    quote.provider = STR("aws");
    quote.region = STR("us-east-1");
    quote.instance = STR("m");
    quote.price[MARKET_SPOT] = 5;
    quote.at.s = 1000;
    require(edit != NULL && store_edit_feed(edit, &format, STR("list"), STR(""), &err) &&
            store_edit_quote(edit, &quote, &err) &&
            store_edit_complete(edit, SCOPE_REGIONS, quote.at, &err) &&
            store_commit_locked(edit, store, &paths, quote.at, &change, &err));
    store_edit_free(edit);
    require(store_load(paths.file, &alloc_system, &again, &err) == STORE_GOOD);
    require(store_offer_count(again) > 0);
    store_close(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {0};
    unsigned char *copy;
    struct store *store;

    if (size == 0)
        return 0;
    make_folder();
    copy = malloc(size);
    require(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    if ((data[0] & 1) != 0)
        put_checksums_right(copy, size - 1);
    store = store_of((struct str){(const char *)copy, size - 1}, "fuzz", &alloc_system, &err);
    require(store != NULL || err.kind != ERROR_NONE);
    if (store != NULL) {
        walk(store);
        write_anew(store);
    }
    store_close(store);
    free(copy);
    return 0;
}
