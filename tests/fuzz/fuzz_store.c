/* Any bytes as one blob of a price database whose others are good, by the first byte: names, a
 * place, a history, days. Its checksum is corrected, so that what is behind it is reached.
 * Refused, or read to something sane. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc.h"
#include "market/store_internal.h"

enum kind { NAMES, PLACE, HISTORY, DAYS, KINDS };

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
        if (!store_statements(store, i, &arena, &points, &err)) {
            require(err.kind == ERROR_INPUT);
            continue;
        }
        require(points.len > 0);
        for (size_t k = 1; k < points.len; k++)
            require(points.at[k].at.s > points.at[k - 1].at.s);
        require(store_observed(store, i, &arena, &days, &err) && days.len > 0);
        for (size_t k = 1; k < days.len; k++)
            require(days.at[k].first > days.at[k - 1].last + 1);
    }
    arena_free(&arena);
}

/* A place with an offer that has two prices: the first has the history below. */
static void good_place(struct buf *out, struct place_writer *writer)
{
    static const uint32_t name[NAME_KINDS] = {0, 1, 2};
    static const double number[NUMBER_KINDS] = {8, 80, 96, 1024, 0.5};
    struct series_row rows[2] = {{.price = 3,
                                  .since = 200000,
                                  .seen = 300000,
                                  .first = 1000,
                                  .history = 1,
                                  .feed = 1,
                                  .points = 2,
                                  .currency = {"USD"}},
                                 {.price = 5,
                                  .since = 1000,
                                  .seen = 1000,
                                  .first = 1000,
                                  .feed = 2,
                                  .points = 1,
                                  .market = MARKET_SPOT,
                                  .currency = {"EUR"}}};

    place_begin(writer, out);
    place_add(writer, name, number, rows, ARRAY_LEN(rows));
    place_end(writer);
}

static void good_names(struct buf *out)
{
    struct map names = map_of(&alloc_system, 100);
    struct error err = {0};
    uint32_t number;

    require(name_number(&names, STR("us-a"), &number, &err) &&
            name_number(&names, STR("vm"), &number, &err) &&
            name_number(&names, STR("H100"), &number, &err));
    names_pack(&names, out);
    map_free(&names);
}

static void good_history(struct buf *out)
{
    static const struct point points[] = {{{1000}, 7}, {{200000}, 3}};
    static const struct day_run days = {1, 2};

    history_pack(points, ARRAY_LEN(points), (struct day_runs){&days, 1}, out);
}

static void good_days(struct buf *out)
{
    static const struct day_run days[] = {{0, 2}, {5, 5}};

    day_runs_pack((struct day_runs){days, ARRAY_LEN(days)}, out);
}

static void write_rows(sqlite3 *db, struct buf of[KINDS], struct place_writer *place)
{
    struct feed_row feeds[] = {
        {1, {.feed = STR("a"), .provider = STR("aws"), .scope = SCOPE_LOG}},
        {2, {.feed = STR("b"), .provider = STR("aws"), .scope = SCOPE_PROVIDER}}};
    struct db_writer w;
    struct error err = {0};

    require(db_run(db, "BEGIN", "fuzz", &err) && db_make_tables(db, "fuzz", &err) &&
            db_writer_begin(&w, db, "fuzz", &err) &&
            db_write_names(&w, buf_text(&of[NAMES]), &err) &&
            db_write_feed(&w, &feeds[0], &err) && db_write_feed(&w, &feeds[1], &err) &&
            db_write_reading(&w, 1, STR("us"), 0, 1000, buf_text(&of[DAYS]), &err) &&
            db_write_history(&w, 1, buf_text(&of[HISTORY]), &err) &&
            db_write_place(&w, STR("aws"), STR("us"), place, &err));
    db_writer_end(&w);
    require(db_run(db, "COMMIT", "fuzz", &err));
}

/* As many offers and prices as the blob says, up to what its bytes have room for. */
static bool count_place(struct str blob, struct place_writer *writer)
{
    struct place_reader r;

    if (!place_open(blob, UINT32_MAX, &r) || r.offers > blob.len || r.series > blob.len)
        return false;
    writer->offers = r.offers;
    writer->series = r.series;
    return true;
}

static void read_with(enum kind kind, struct str blob)
{
    struct buf of[KINDS];
    struct place_writer place;
    struct error err = {0};
    struct store *store;
    sqlite3 *db = NULL;

    for (int i = 0; i < KINDS; i++)
        of[i] = buf_new(&alloc_system, (size_t)1 << 20);
    good_names(&of[NAMES]);
    good_place(&of[PLACE], &place);
    good_history(&of[HISTORY]);
    good_days(&of[DAYS]);
    buf_clear(&of[kind]);
    buf_add(&of[kind], blob);
    if (kind != PLACE || count_place(blob, &place)) {
        require(db_open(":memory:", &db, &err));
        write_rows(db, of, &place);
        store = store_read_database(db, "fuzz", false, &alloc_system, &err);
        if (store != NULL)
            walk(store);
        else
            require(err.kind == ERROR_DAMAGED);
        if (store == NULL)
            (void)sqlite3_close(db);
        store_close(store);
    }
    for (int i = 0; i < KINDS; i++)
        buf_free(&of[i]);
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

    if (size < 5 || size > (size_t)1 << 16)
        return 0;
    copy = malloc(size - 1);
    require(copy != NULL);
    memcpy(copy, data + 1, size - 1);
    unpack(copy, size - 1);
    read_with((enum kind)(data[0] % KINDS), (struct str){(const char *)copy, size - 1});
    free(copy);
    return 0;
}
