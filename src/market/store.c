#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "market/store_internal.h"

#define FEED_ROW_HIGHEST 1000000 /* an index of feeds by their rows is an array */
/* --- rows --- */

size_t store_offer_count(const struct store *store)
{
    return store->offer_count;
}

size_t store_series_count(const struct store *store)
{
    return store->series_count;
}

size_t store_feed_count(const struct store *store)
{
    return store->feed_count;
}

size_t store_read_count(const struct store *store)
{
    return store->reading_count;
}

bool store_is_damaged(const struct store *store)
{
    return store->damaged;
}

struct str store_text(const struct store *store, const struct offer_row *row,
                      enum offer_text which)
{
    if (which == TEXT_PROVIDER)
        return store->places[row->place].provider;
    if (which == TEXT_REGION)
        return store->places[row->place].region;
    return store->names[row->name[which - NAME_FIRST]];
}

struct store_offer store_offer(const struct store *store, size_t i)
{
    const struct offer_row *row = &store->offers[i];

    return (struct store_offer){
        .provider = store->places[row->place].provider,
        .region = store->places[row->place].region,
        .zone = store_text(store, row, TEXT_ZONE),
        .instance = store_text(store, row, TEXT_INSTANCE),
        .accelerator = store_text(store, row, TEXT_ACCELERATOR),
        .count = row->number[NUMBER_COUNT],
        .gpu_memory_gib = row->number[NUMBER_GPU_MEMORY],
        .vcpus = row->number[NUMBER_VCPUS],
        .memory_gib = row->number[NUMBER_MEMORY],
        .reliability = row->number[NUMBER_RELIABILITY],
        .first_series = row->first,
        .series_count = row->count,
    };
}

struct store_series store_series(const struct store *store, size_t i)
{
    const struct series_row *row = &store->series[i];
    return (struct store_series){
        .offer = row->offer,
        .market = (enum market)row->market,
        .feed = row->feed,
        .doubts = row->doubts,
        .price = row->price == SERIES_NONE ? PRICE_NONE : row->price,
        .since = {row->since},
        .seen = {row->seen},
        .first = {row->first},
        .points = row->points,
        .currency = row->currency,
    };
}

struct store_feed store_feed(const struct store *store, size_t i)
{
    return store->feeds[i].is;
}

struct store_read store_read(const struct store *store, size_t i)
{
    return store->readings[i].is;
}

enum confidence store_confidence(const struct store *store, size_t feed)
{
    return store->feeds[feed].is.confidence;
}

size_t store_offer_find(const struct store *store, struct str provider, struct str region)
{
    size_t low = 0, high = store->offer_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct place_row *place = &store->places[store->offers[middle].place];
        int order = str_cmp(place->provider, provider);

        if (order == 0)
            order = str_cmp(place->region, region);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- reading the tables --- */

struct loading {
    struct store *store;
    size_t room;      /* of the array being read */
    uint32_t *index;  /* of a feed, by its row; UINT32_MAX where there is none */
    int64_t last_row; /* the highest row of a feed */
    struct days_room days;
    size_t offer_room, series_room;
    bool blobs; /* of places are kept */
};

static bool read_store_names(struct loading *l, sqlite3_stmt *from, struct error *err)
{
    struct store *store = l->store;
    bool good;

    return names_unpack(db_column(from, 0), &store->arena, &store->names, &store->name_count,
                        &good, err) &&
           (good || db_damaged(store->name, "the checksum of its names is wrong", err));
}

static bool read_feed(struct loading *l, sqlite3_stmt *from, struct error *err)
{
    struct store *store = l->store;
    int64_t confidence = sqlite3_column_int64(from, 4), scope = sqlite3_column_int64(from, 5);
    struct feed_row row = {.id = sqlite3_column_int64(from, 0),
                           .is.confidence = (enum confidence)confidence,
                           .is.scope = (enum feed_scope)scope,
                           .is.read = {sqlite3_column_int64(from, 6)},
                           .is.imported = {sqlite3_column_int64(from, 7)}};

    if (row.id <= 0 || row.id > FEED_ROW_HIGHEST || confidence < 0 ||
        confidence >= CONFIDENCE_COUNT || scope < 0 || scope > SCOPE_PROVIDER)
        return db_damaged(store->name, "a feed makes no sense", err);
    if (!str_keep(db_column(from, 1), &store->arena, &row.is.feed, err) ||
        !str_keep(db_column(from, 2), &store->arena, &row.is.provider, err) ||
        !str_keep(db_column(from, 3), &store->arena, &row.is.from, err))
        return false;
    store->feeds = arena_grow(&store->arena, store->feeds, store->feed_count,
                              sizeof *store->feeds, &l->room, err);
    if (store->feeds == NULL)
        return false;
    store->feeds[store->feed_count++] = row;
    if (row.id > l->last_row)
        l->last_row = row.id;
    return true;
}

static bool index_feeds(struct loading *l, struct error *err)
{
    size_t count = (size_t)l->last_row + 1;

    l->index = arena_array(&l->store->arena, uint32_t, count, err);
    if (l->index == NULL)
        return false;
    memset(l->index, 0xff, count * sizeof *l->index);
    for (size_t i = 0; i < l->store->feed_count; i++)
        l->index[l->store->feeds[i].id] = (uint32_t)i;
    return true;
}

static bool feed_index(const struct loading *l, int64_t row, uint32_t *out)
{
    if (row <= 0 || row > l->last_row)
        return false;
    *out = l->index[row];
    return *out != UINT32_MAX;
}

static bool read_reading(struct loading *l, sqlite3_stmt *from, struct error *err)
{
    struct store *store = l->store;
    int64_t market = sqlite3_column_int64(from, 2);
    struct reading_row row = {.is.market = (enum market)market,
                              .is.at = {sqlite3_column_int64(from, 3)}};
    struct day_run *days;
    uint32_t feed;
    bool good;

    l->days.len = 0;
    if (!day_runs_unpack(db_column(from, 4), &l->days, &good, err))
        return false;
    if (!good || !feed_index(l, sqlite3_column_int64(from, 0), &feed) || market < 0 ||
        market >= MARKET_COUNT || row.is.at.s < 0 || row.is.at.s > STAMP_LATEST)
        return db_damaged(store->name, "a reading makes no sense", err);
    row.is.feed = feed;
    days = arena_array(&store->arena, struct day_run, l->days.len, err);
    store->readings = arena_grow(&store->arena, store->readings, store->reading_count,
                                 sizeof *store->readings, &l->room, err);
    if (days == NULL || store->readings == NULL ||
        !str_keep(db_column(from, 1), &store->arena, &row.is.region, err))
        return false;
    if (l->days.len > 0)
        memcpy(days, l->days.at, l->days.len * sizeof *days);
    row.days = (struct day_runs){days, l->days.len};
    store->readings[store->reading_count++] = row;
    return true;
}

static int series_order(const struct series_row *a, const struct series_row *b)
{
    int order = (a->market > b->market) - (a->market < b->market);

    if (order == 0)
        order = (a->feed > b->feed) - (a->feed < b->feed);
    return order != 0 ? order : currency_compare(a->currency, b->currency);
}

/* The series of one offer, sorted: they are few, and mostly in order. */
static bool unpack_series(struct loading *l, struct place_reader *r, uint32_t offer,
                          struct series_row *at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct series_row row;
        size_t to = i;

        if (!place_series(r, &row) || !feed_index(l, row.feed, &row.feed))
            return false;
        row.offer = offer;
        for (; to > 0 && series_order(&at[to - 1], &row) > 0; to--)
            at[to] = at[to - 1];
        at[to] = row;
    }
    return true;
}

/* Add the offers of a place to those before it. */
static bool unpack_place(struct loading *l, struct str blob)
{
    struct store *store = l->store;
    struct place_reader r;
    bool good = place_open(blob, store->name_count, &r) &&
                r.offers <= l->offer_room - store->offer_count &&
                r.series <= l->series_room - store->series_count;

    while (good && r.offers > 0) {
        struct offer_row *row = &store->offers[store->offer_count];

        good = place_offer(&r, row);
        row->place = (uint32_t)store->place_count;
        row->first = (uint32_t)store->series_count;
        good = good && unpack_series(l, &r, (uint32_t)store->offer_count,
                                     &store->series[store->series_count], row->count);
        store->series_count += row->count;
        store->offer_count++;
    }
    return good && place_done(&r);
}

static bool read_place(struct loading *l, sqlite3_stmt *from, struct error *err)
{
    struct store *store = l->store;
    struct place_row row = {0};

    store->places = arena_grow(&store->arena, store->places, store->place_count,
                               sizeof *store->places, &l->room, err);
    if (store->places == NULL ||
        !str_keep(db_column(from, 0), &store->arena, &row.provider, err) ||
        !str_keep(db_column(from, 1), &store->arena, &row.region, err) ||
        (l->blobs && !str_keep(db_column(from, 2), &store->arena, &row.blob, err)))
        return false;
    if (!unpack_place(l, db_column(from, 2)))
        return db_damaged(store->name, "the checksum of prices is wrong", err);
    store->places[store->place_count++] = row;
    return true;
}

/* How many offers and series there are, and room for them. */
static bool read_store_totals(struct loading *l, sqlite3_stmt *from, struct error *err)
{
    struct store *store = l->store;
    int64_t offers = sqlite3_column_int64(from, 0), series = sqlite3_column_int64(from, 1);

    if (offers < 0 || offers > UINT32_MAX || series < 0 || series > UINT32_MAX)
        return db_damaged(store->name, "its totals make no sense", err);
    l->offer_room = (size_t)offers;
    l->series_room = (size_t)series;
    /* Not of the arena, which would touch all of it only to clear it. */
    store->offers =
        store->alloc->get(store->alloc->ctx, (l->offer_room + 1) * sizeof *store->offers);
    store->series =
        store->alloc->get(store->alloc->ctx, (l->series_room + 1) * sizeof *store->series);
    return (store->offers != NULL && store->series != NULL) || error_memory(err);
}

static bool read_store_rows(struct loading *l, const char *sql,
                            bool (*row)(struct loading *, sqlite3_stmt *, struct error *),
                            struct error *err)
{
    sqlite3_stmt *statement = NULL;
    bool ok = db_prepare(l->store->db, sql, l->store->name, &statement, err);
    int more = 1;

    l->room = 0;
    while (ok && more > 0) {
        more = db_step(statement, l->store->name, err);
        ok = more >= 0 && (more == 0 || row(l, statement, err));
    }
    (void)sqlite3_finalize(statement);
    return ok;
}

/* --- opening --- */

static struct store *store_new(const char *name, const struct alloc *alloc, struct error *err)
{
    size_t len = strlen(name);
    struct store *store = alloc->get(alloc->ctx, sizeof *store + len + 1);

    if (store == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *store = (struct store){.alloc = alloc,
                            .arena = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE}};
    memcpy(store->name, name, len + 1);
    return store;
}

static void store_free(struct store *store)
{
    (void)sqlite3_finalize(store->history);
    if (store->offers != NULL)
        store->alloc->put(store->alloc->ctx, store->offers);
    if (store->series != NULL)
        store->alloc->put(store->alloc->ctx, store->series);
    arena_free(&store->arena);
    store->alloc->put(store->alloc->ctx, store);
}

struct store *store_read_database(sqlite3 *db, const char *name, bool blobs,
                                  const struct alloc *alloc, struct error *err)
{
    struct loading l = {.days.alloc = alloc, .blobs = blobs};
    bool empty, ok;

    l.store = store_new(name, alloc, err);
    if (l.store == NULL)
        return NULL;
    l.store->db = db;
    ok = db_check(db, name, &empty, err);
    if (ok && !empty)
        ok = read_store_rows(&l, "SELECT data FROM names", read_store_names, err) &&
             read_store_rows(
                 &l,
                 "SELECT id, feed, provider, source, confidence, scope, read, imported"
                 " FROM feed ORDER BY feed, provider",
                 read_feed, err) &&
             index_feeds(&l, err) &&
             read_store_rows(&l, "SELECT feed, region, market, at, days FROM reading",
                             read_reading, err) &&
             read_store_rows(&l, "SELECT total(offers), total(series) FROM place",
                             read_store_totals, err) &&
             read_store_rows(
                 &l, "SELECT provider, region, data FROM place ORDER BY provider, region",
                 read_place, err) &&
             db_prepare(db, "SELECT data FROM history WHERE id = ?", name, &l.store->history,
                        err);
    days_room_free(&l.days);
    if (ok)
        return l.store;
    store_free(l.store);
    return NULL;
}

/* All tables at one moment. */
static struct store *read_at_once(sqlite3 *db, const char *name, const struct alloc *alloc,
                                  struct error *err)
{
    struct store *store = NULL;

    if (db_run(db, "BEGIN", name, err))
        store = store_read_database(db, name, false, alloc, err);
    (void)sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    return store;
}

static bool is_store_there(const char *path, bool *out, struct error *err)
{
    struct stat st;

    *out = stat(path, &st) == 0;
    if (*out && !S_ISREG(st.st_mode))
        return error_fail(err, ERROR_INPUT, "the price store '%s' is not a file", path);
    if (!*out && errno != ENOENT && errno != ENOTDIR) {
        error_system(err, errno, "cannot open the price store '%s'", path);
        return false;
    }
    return true;
}

static struct store *open_store_database(const char *path, const struct alloc *alloc,
                                         struct error *err)
{
    sqlite3 *db = NULL;
    struct store *store = NULL;
    bool there;

    if (!is_store_there(path, &there, err))
        return NULL;
    if (!there)
        return store_new(path, alloc, err);
    if (db_open(path, &db, err))
        store = read_at_once(db, path, alloc, err);
    if (store == NULL)
        (void)sqlite3_close(db);
    return store;
}

struct store *store_open(const char *path, const struct alloc *alloc,
                         const struct messages *messages, struct error *err)
{
    struct error why = {0};
    struct store *store = open_store_database(path, alloc, &why);

    if (store != NULL)
        return store;
    if (why.kind != ERROR_DAMAGED) {
        *err = why;
        return NULL;
    }
    message_warn(messages, "%s; without it only built-in prices are known: %s", why.text,
                 why.hint);
    store = store_new(path, alloc, err);
    if (store != NULL)
        store->damaged = true;
    return store;
}

void store_close(struct store *store)
{
    sqlite3 *db;

    if (store == NULL)
        return;
    db = store->db;
    store_free(store);
    (void)sqlite3_close(db);
}

/* --- histories --- */

static bool damaged_history(const struct store *store, size_t series, struct error *err)
{
    struct store_offer offer = store_offer(store, store->series[series].offer);

    error_set(err, ERROR_INPUT, "the prices of %.*s %.*s %.*s in '%s' are damaged",
              STR_ARG(offer.provider), STR_ARG(offer.region), STR_ARG(offer.instance),
              store->name);
    error_hint(err, STORE_DAMAGED_HINT);
    return false;
}

/* Its days are added to the room, which may be NULL. Its points last until leave_history(). */
static bool find_history(const struct store *store, size_t series, struct days_room *days,
                         struct history *out, struct error *err)
{
    int found;
    bool good = true;

    (void)sqlite3_reset(store->history);
    (void)sqlite3_bind_int64(store->history, 1, store->series[series].history);
    found = db_step(store->history, store->name, err);
    if (found < 0 ||
        (found > 0 && !history_open(db_column(store->history, 0), days, out, &good, err)))
        return false;
    return (found > 0 && good) || damaged_history(store, series, err);
}

/* Let go of the row, and of the lock on the database. */
static void leave_history(const struct store *store)
{
    (void)sqlite3_reset(store->history);
}

/* The points of a series, of which `history` has those that are not in its row. */
static bool unpack_history(const struct store *store, size_t series,
                           const struct history *history, struct point *to, struct error *err)
{
    const struct series_row *row = &store->series[series];

    if (row->history == 0)
        to[0] = (struct point){{row->since}, row->price};
    return row->history == 0 || points_unpack(history->points, history->count, to) ||
           damaged_history(store, series, err);
}

bool store_history(const struct store *store, size_t series, struct points_room *points,
                   struct days_room *days, struct error *err)
{
    struct history history = {.count = 1};
    bool ok = (store->series[series].history == 0 ||
               find_history(store, series, days, &history, err)) &&
              points_room_for(points, history.count, err) &&
              unpack_history(store, series, &history, points->at + points->len, err);

    leave_history(store);
    points->len += ok ? history.count : 0;
    return ok;
}

bool store_statements(const struct store *store, size_t series, struct arena *arena,
                      struct points *out, struct error *err)
{
    const struct series_row *row = &store->series[series];
    struct history history = {.count = 1};
    struct point *at = NULL;
    bool ok = row->history == 0 || find_history(store, series, NULL, &history, err);

    if (ok)
        at = arena_array(arena, struct point, history.count, err);
    ok = at != NULL && unpack_history(store, series, &history, at, err);
    leave_history(store);
    if (!ok)
        return false;
    /* What others have added since the store was opened is not part of it. */
    while (history.count > 1 && at[history.count - 1].at.s > row->seen)
        history.count--;
    *out = (struct points){at, history.count};
    return true;
}

void store_hold(const struct store *store)
{
    if (store->db != NULL)
        (void)sqlite3_exec(store->db, "BEGIN", NULL, NULL, NULL);
}

void store_release(const struct store *store)
{
    if (store->db != NULL)
        (void)sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
}

static bool is_reading_of(const struct store *store, const struct reading_row *r, size_t series)
{
    const struct series_row *row = &store->series[series];

    return r->is.feed == row->feed && r->is.market == (enum market)row->market &&
           (r->is.region.len == 0 ||
            str_eq(r->is.region, store->places[store->offers[row->offer].place].region));
}

/* All runs that have a day of the series, in any order. Only counts them while `to` is NULL.
 */
static size_t gather_days(const struct store *store, size_t series,
                          const struct points_room *points, const struct days_room *days,
                          struct day_run *to)
{
    int32_t seen = day_of((stamp){store->series[series].seen}).n;
    size_t count = 0;

    for (size_t i = 0; to != NULL && i < points->len; i++)
        to[count + i].first = to[count + i].last = day_of(points->at[i].at).n;
    count += points->len;
    if (to != NULL && days->len > 0)
        memcpy(to + count, days->at, days->len * sizeof *to);
    count += days->len;
    for (size_t i = 0; i < store->reading_count; i++) {
        const struct reading_row *r = &store->readings[i];

        if (!is_reading_of(store, r, series))
            continue;
        if (to != NULL && r->days.len > 0)
            memcpy(to + count, r->days.at, r->days.len * sizeof *to);
        count += r->days.len;
    }
    if (to != NULL)
        to[count] = (struct day_run){seen, seen};
    return count + 1;
}

bool store_observed(const struct store *store, size_t series, struct arena *arena,
                    struct day_runs *out, struct error *err)
{
    struct points_room points = {.alloc = store->alloc};
    struct days_room days = {.alloc = store->alloc};
    struct day_run *at = NULL;
    size_t count = 0;

    if (store_history(store, series, &points, &days, err)) {
        count = gather_days(store, series, &points, &days, NULL);
        at = arena_array(arena, struct day_run, count, err);
    }
    if (at != NULL) {
        (void)gather_days(store, series, &points, &days, at);
        *out = (struct day_runs){at, day_runs_join(at, count)};
    }
    points_room_free(&points);
    days_room_free(&days);
    return at != NULL;
}

bool store_points(const struct store *store, size_t series, struct arena *arena,
                  struct points *out, struct error *err)
{
    struct arena scratch = {.alloc = store->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct points stated;
    struct day_runs days;
    bool ok = store_statements(store, series, &scratch, &stated, err) &&
              store_observed(store, series, &scratch, &days, err) &&
              observed_points(stated, days, arena, out, err);

    arena_free(&scratch);
    return ok;
}
