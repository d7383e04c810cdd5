#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crc.h"
#include "base/fs.h"
#include "market/store_internal.h"

static const size_t row_bytes[SECTION_COUNT] = {
    [SECTION_POINTS] = 1,       [SECTION_STRINGS] = 1,        [SECTION_FEEDS] = FEED_ROW,
    [SECTION_READS] = READ_ROW, [SECTION_OFFERS] = OFFER_ROW, [SECTION_SERIES] = SERIES_ROW,
};

/* --- rows, which have been checked when the store was opened --- */

struct str store_text(const struct store *store, uint32_t ref)
{
    const unsigned char *at = store->section[SECTION_STRINGS].at + ref;

    return (struct str){(const char *)at + 2, (size_t)at[0] | (size_t)at[1] << 8};
}

static struct feed_row store_feed_row(const struct store *store, size_t i)
{
    return feed_row_get(store->section[SECTION_FEEDS].at + i * FEED_ROW);
}

struct read_row store_read_row(const struct store *store, size_t i)
{
    return read_row_get(store->section[SECTION_READS].at + i * READ_ROW);
}

struct offer_row store_offer_row(const struct store *store, size_t i)
{
    return offer_row_get(store->section[SECTION_OFFERS].at + i * OFFER_ROW);
}

struct series_row store_series_row(const struct store *store, size_t i)
{
    return series_row_get(store->section[SECTION_SERIES].at + i * SERIES_ROW);
}

struct str store_encoded(const struct store *store, const struct series_row *row)
{
    return (struct str){(const char *)store->section[SECTION_POINTS].at + row->at, row->size};
}

size_t store_offer_count(const struct store *store)
{
    return store->offers;
}

size_t store_series_count(const struct store *store)
{
    return store->series;
}

size_t store_feed_count(const struct store *store)
{
    return store->feeds;
}

struct store_offer store_offer(const struct store *store, size_t i)
{
    struct offer_row row = store_offer_row(store, i);

    return (struct store_offer){
        .provider = store_text(store, row.text[TEXT_PROVIDER]),
        .region = store_text(store, row.text[TEXT_REGION]),
        .zone = store_text(store, row.text[TEXT_ZONE]),
        .instance = store_text(store, row.text[TEXT_INSTANCE]),
        .accelerator = store_text(store, row.text[TEXT_ACCELERATOR]),
        .count = row.number[NUMBER_COUNT],
        .gpu_memory_gib = row.number[NUMBER_GPU_MEMORY],
        .vcpus = row.number[NUMBER_VCPUS],
        .memory_gib = row.number[NUMBER_MEMORY],
        .reliability = row.number[NUMBER_RELIABILITY],
        .first_series = row.first,
        .series_count = row.count,
    };
}

enum confidence store_confidence(const struct store *store, size_t feed)
{
    return (enum confidence)store_feed_row(store, feed).confidence;
}

size_t store_read_count(const struct store *store)
{
    return store->reads;
}

struct store_read store_read(const struct store *store, size_t i)
{
    struct read_row row = store_read_row(store, i);

    return (struct store_read){
        row.feed, store_text(store, row.region), (enum market)row.market, {row.at}};
}

struct store_series store_series(const struct store *store, size_t i)
{
    struct series_row row = store_series_row(store, i);
    struct store_series series = {
        .offer = row.offer,
        .market = (enum market)row.market,
        .feed = row.feed,
        .doubts = row.doubts,
        .price = row.price == SERIES_NONE ? PRICE_NONE : row.price,
        .since = {row.since},
        .seen = {row.seen},
        .first = {row.first},
        .points = row.points,
    };

    memcpy(series.currency, row.currency, sizeof series.currency);
    return series;
}

struct store_feed store_feed(const struct store *store, size_t i)
{
    struct feed_row row = store_feed_row(store, i);

    return (struct store_feed){
        .feed = store_text(store, row.feed),
        .provider = store_text(store, row.provider),
        .from = store_text(store, row.from),
        .confidence = (enum confidence)row.confidence,
        .scope = (enum feed_scope)row.scope,
        .read = {row.read},
        .imported = {row.imported},
    };
}

size_t store_offer_find(const struct store *store, struct str provider, struct str region)
{
    size_t low = 0, high = store->offers;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        struct offer_row row = store_offer_row(store, middle);
        int order = str_cmp(store_text(store, row.text[TEXT_PROVIDER]), provider);

        if (order == 0)
            order = str_cmp(store_text(store, row.text[TEXT_REGION]), region);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- checking --- */

static bool text_good(const struct store *store, uint32_t ref)
{
    size_t size = store->section[SECTION_STRINGS].size;

    return size >= 2 && ref <= size - 2 && store_text(store, ref).len <= size - 2 - ref;
}

static bool series_good(const struct store *store, const struct series_row *row, size_t offer)
{
    size_t room = store->section[SECTION_POINTS].size;

    return row->offer == offer && row->feed < store->feeds && row->market < MARKET_COUNT &&
           row->currency[3] == '\0' && row->points > 0 && row->points <= row->size / 2 &&
           row->size <= room && row->at <= room - row->size &&
           (row->price == SERIES_NONE || (row->price >= 0 && row->price <= PRICE_HIGHEST)) &&
           row->first >= 0 && row->first <= row->since && row->since <= row->seen &&
           row->seen <= STAMP_LATEST;
}

/* Every reference leads somewhere, so that nothing needs to look again. */
static bool rows_good(const struct store *store)
{
    size_t next = 0;
    uint64_t points = 0; /* where the next series' points must be: no gap, no overlap */

    for (size_t i = 0; i < store->feeds; i++) {
        struct feed_row row = store_feed_row(store, i);

        if (!text_good(store, row.feed) || !text_good(store, row.provider) ||
            !text_good(store, row.from) || row.confidence >= CONFIDENCE_COUNT ||
            row.scope > SCOPE_PROVIDER)
            return false;
    }
    for (size_t i = 0; i < store->reads; i++) {
        struct read_row row = store_read_row(store, i);

        if (row.feed >= store->feeds || !text_good(store, row.region) ||
            row.market >= MARKET_COUNT || row.at < 0 || row.at > STAMP_LATEST)
            return false;
    }
    for (size_t i = 0; i < store->offers; i++) {
        struct offer_row row = store_offer_row(store, i);

        for (unsigned t = 0; t < TEXT_COUNT; t++)
            if (!text_good(store, row.text[t]))
                return false;
        if (row.first != next || row.count > store->series - next)
            return false;
        for (size_t end = next + row.count; next < end; next++) {
            struct series_row series = store_series_row(store, next);

            if (!series_good(store, &series, i) || series.at != points)
                return false;
            points += series.size;
        }
    }
    return next == store->series && points == store->section[SECTION_POINTS].size;
}

static enum store_state damaged(const struct store *store, const char *how, struct error *err)
{
    error_set(err, ERROR_INPUT, "the price store '%s' is damaged: %s", store->name, how);
    return STORE_DAMAGED;
}

/* The sections stand one after the other and end where the file does. */
static bool take_sections(struct store *store)
{
    const unsigned char *entry = store->base + HEADER_SECTIONS;
    uint64_t next = STORE_HEADER;

    for (unsigned s = 0; s < SECTION_COUNT; s++, entry += SECTION_ENTRY) {
        uint64_t size = get64(entry + 8);

        if (get64(entry) != next || size > store->size - next || size % row_bytes[s] != 0 ||
            get32(entry + 20) != row_bytes[s])
            return false;
        store->section[s].at = store->base + next;
        store->section[s].size = (size_t)size;
        next += size;
    }
    store->feeds = store->section[SECTION_FEEDS].size / FEED_ROW;
    store->reads = store->section[SECTION_READS].size / READ_ROW;
    store->offers = store->section[SECTION_OFFERS].size / OFFER_ROW;
    store->series = store->section[SECTION_SERIES].size / SERIES_ROW;
    return next == store->size;
}

static enum store_state check(struct store *store, struct error *err)
{
    const unsigned char *at = store->base;

    if (store->size < STORE_PREAMBLE)
        return damaged(store, "it is cut short", err);
    if (memcmp(at, STORE_MAGIC, 8) != 0 ||
        get32(at + HEADER_PREAMBLE_CRC) != crc32c(0, at, HEADER_PREAMBLE_CRC))
        return damaged(store, "its first bytes are wrong", err);
    if (get32(at + HEADER_VERSION) != STORE_VERSION) {
        error_set(err, ERROR_INPUT,
                  "the price store '%s' is of version %u; this program knows version %d",
                  store->name, get32(at + HEADER_VERSION), STORE_VERSION);
        error_hint(err, "use the newer stint that wrote it, or move the file away");
        return STORE_REFUSED;
    }
    if (store->size < STORE_HEADER || get64(at + HEADER_SIZE) != store->size)
        return damaged(store, "it is cut short", err);
    if (get32(at + HEADER_CRC) != crc32c(0, at, HEADER_CRC) || !take_sections(store))
        return damaged(store, "its header is wrong", err);
    for (unsigned s = SECTION_STRINGS; s < SECTION_COUNT; s++)
        if (get32(at + HEADER_SECTIONS + s * SECTION_ENTRY + 16) !=
            crc32c(0, store->section[s].at, store->section[s].size))
            return damaged(store, "its tables are wrong", err);
    if (!rows_good(store))
        return damaged(store, "its tables are wrong", err);
    return STORE_GOOD;
}

/* --- opening --- */

struct store *store_empty(const char *name, const struct alloc *alloc, struct error *err)
{
    size_t len = strlen(name);
    struct store *store = alloc->get(alloc->ctx, sizeof *store + len + 1);

    if (store == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *store = (struct store){.alloc = alloc};
    memcpy(store->name, name, len + 1);
    return store;
}

void store_close(struct store *store)
{
    union {
        const void *read;
        void *free;
    } map;

    if (store == NULL)
        return;
    map.read = store->base;
    if (store->mapped)
        (void)munmap(map.free, store->size);
    store->alloc->put(store->alloc->ctx, store);
}

struct store *store_of(struct str image, const char *name, const struct alloc *alloc,
                       struct error *err)
{
    struct store *store = store_empty(name, alloc, err);

    if (store == NULL)
        return NULL;
    store->base = (const unsigned char *)image.at;
    store->size = image.len;
    if (check(store, err) == STORE_GOOD)
        return store;
    store_close(store);
    return NULL;
}

static enum store_state map_file(int fd, struct store *store, struct error *err)
{
    struct stat st;
    void *map;

    if (fstat(fd, &st) != 0) {
        error_system(err, errno, "cannot open '%s'", store->name);
        return STORE_REFUSED;
    }
    if (st.st_size < STORE_PREAMBLE)
        return damaged(store, "it is cut short", err);
    map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED) {
        error_system(err, errno, "cannot read '%s'", store->name);
        return STORE_REFUSED;
    }
    store->base = map;
    store->size = (size_t)st.st_size;
    store->mapped = true;
    return check(store, err);
}

enum store_state store_load(const char *path, const struct alloc *alloc, struct store **out,
                            struct error *err)
{
    int fd = fs_open(path, err);
    enum store_state state = STORE_REFUSED;

    if (fd < 0)
        return err->kind == ERROR_ABSENT ? STORE_ABSENT : STORE_REFUSED;
    *out = store_empty(path, alloc, err);
    if (*out != NULL) {
        state = map_file(fd, *out, err);
        if (state != STORE_GOOD)
            store_close(*out);
    }
    (void)close(fd);
    return state;
}
