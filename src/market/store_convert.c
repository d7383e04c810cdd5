/* Stores of the format before SQLite, read once and converted.
 *
 * Little-endian; rows of fixed width; no gaps, so that a checksum covers every byte. A header
 * of 192 bytes: magic 8, version 4, CRC of these 12; size of the file 8; six sections of 24
 * (offset 8, bytes 8, CRC 4, bytes of a row 4); zeros; the CRC of all before it in the last 4.
 * Points are packed as they still are. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/crc.h"
#include "base/fs.h"
#include "market/store_internal.h"

#define MAGIC "stint$\r\n"
#define HEADER 192
#define HEADER_SECTIONS 24
#define SECTION_ENTRY 24
#define TRIES_PER_SECOND 20
#define OLD_MAX ((size_t)1 << 32) /* bytes of an old store */

/* In the order in which they are in the file, with the bytes of a row. */
enum section {
    POINTS,
    STRINGS, /* length 2, bytes */
    FEEDS, /* feed 4, provider 4, from 4, confidence 1, scope 1, zeros 2, read 8, imported 8 */
    READINGS, /* feed 4, region 4, market 4, zeros 4, at 8 */
    OFFERS,   /* 5 texts 4 each, first series 4, how many 4, zeros 4, 5 numbers 8 each */
    SERIES, /* offer 4, feed 4, market 1, doubts 1, flags 1, zero 1, currency 4, price 8, since
               * 8, seen 8, first 8, points: offset 8, how many 4, bytes 4, CRC 4; zeros 4 */
    SECTIONS,
};

static const size_t row_bytes[SECTIONS] = {1, 1, 32, 24, 72, 72};

struct old_store {
    const char *name;
    const unsigned char *base;
    size_t size;
    struct {
        const unsigned char *at;
        size_t rows;
    } section[SECTIONS];
};

struct old_series {
    struct series_row row; /* `history` is not set */
    struct str packed;
    uint32_t crc;
};

static uint32_t get32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

static uint64_t get64(const unsigned char *at)
{
    return (uint64_t)get32(at) | (uint64_t)get32(at + 4) << 32;
}

static const unsigned char *row_at(const struct old_store *old, enum section section, size_t i)
{
    return old->section[section].at + i * row_bytes[section];
}

static bool old_damaged(const struct old_store *old, struct error *err)
{
    return db_damaged(old->name, "it is an old store whose checksums are wrong", err);
}

/* --- checking --- */

static bool find_sections(struct old_store *old)
{
    uint64_t next = HEADER;

    for (unsigned s = 0; s < SECTIONS; s++) {
        const unsigned char *entry = old->base + HEADER_SECTIONS + s * SECTION_ENTRY;
        uint64_t size = get64(entry + 8);

        if (get64(entry) != next || size > old->size - next || size % row_bytes[s] != 0 ||
            get32(entry + 20) != row_bytes[s] ||
            (s != POINTS && get32(entry + 16) != crc32c(0, old->base + next, (size_t)size)))
            return false;
        old->section[s].at = old->base + next;
        old->section[s].rows = (size_t)size / row_bytes[s];
        next += size;
    }
    return next == old->size;
}

static bool open_image(struct str image, const char *name, struct old_store *out,
                       struct error *err)
{
    const unsigned char *at = (const unsigned char *)image.at;

    *out = (struct old_store){.name = name, .base = at, .size = image.len};
    if (image.len >= 16 && memcmp(at, MAGIC, 8) == 0 && get32(at + 12) == crc32c(0, at, 12) &&
        get32(at + 8) != 1)
        return error_fail(err, ERROR_INPUT, "the price store '%s' is of version %u, not 1",
                          name, get32(at + 8));
    if (image.len < HEADER || memcmp(at, MAGIC, 8) != 0 || get64(at + 16) != image.len ||
        get32(at + HEADER - 4) != crc32c(0, at, HEADER - 4) || !find_sections(out))
        return old_damaged(out, err);
    return true;
}

/* --- rows --- */

static bool text_at(const struct old_store *old, const unsigned char *ref, struct str *out)
{
    size_t size = old->section[STRINGS].rows, from = get32(ref);
    const unsigned char *at = old->section[STRINGS].at + from;

    if (size < 2 || from > size - 2)
        return false;
    *out = (struct str){(const char *)at + 2, (size_t)at[0] | (size_t)at[1] << 8};
    return out->len <= size - 2 - from;
}

static bool feed_row_at(const struct old_store *old, size_t i, struct feed_row *out)
{
    const unsigned char *at = row_at(old, FEEDS, i);

    *out = (struct feed_row){.id = (int64_t)i + 1,
                             .is.confidence = (enum confidence)at[12],
                             .is.scope = (enum feed_scope)at[13],
                             .is.read = {(int64_t)get64(at + 16)},
                             .is.imported = {(int64_t)get64(at + 24)}};
    return at[12] < CONFIDENCE_COUNT && at[13] <= SCOPE_PROVIDER &&
           text_at(old, at, &out->is.feed) && text_at(old, at + 4, &out->is.provider) &&
           text_at(old, at + 8, &out->is.from);
}

static bool series_row_at(const struct old_store *old, size_t i, struct old_series *out)
{
    const unsigned char *at = row_at(old, SERIES, i);
    uint64_t from = get64(at + 48), room = old->section[POINTS].rows;
    struct series_row *row = &out->row;

    *row = (struct series_row){.offer = get32(at),
                               .feed = get32(at + 4),
                               .market = at[8],
                               .doubts = at[9],
                               .flags = at[10],
                               .price = (int64_t)get64(at + 16),
                               .since = (int64_t)get64(at + 24),
                               .seen = (int64_t)get64(at + 32),
                               .first = (int64_t)get64(at + 40),
                               .points = get32(at + 56)};
    memcpy(row->currency.code, at + 12, 4);
    out->packed.len = get32(at + 60);
    out->crc = get32(at + 64);
    if (row->feed >= old->section[FEEDS].rows || row->market >= MARKET_COUNT ||
        row->doubts > 15 || row->flags > 1 || row->currency.code[3] != '\0' ||
        row->points == 0 || out->packed.len > room || from > room - out->packed.len ||
        (row->price != SERIES_NONE && (row->price < 0 || row->price > PRICE_HIGHEST)) ||
        row->first < 0 || row->first > row->since || row->since > row->seen ||
        row->seen > STAMP_LATEST)
        return false;
    out->packed.at = (const char *)old->section[POINTS].at + from;
    return out->crc == crc32c(0, out->packed.at, out->packed.len) &&
           row->points <= out->packed.len / 2;
}

/* --- writing --- */

struct conversion {
    struct old_store old;
    struct db_writer writer;
    struct map names;
    struct buf blob, place;
    struct place_writer place_writer;
    struct points_room points;
    int64_t next_history;
    size_t next_series;
};

static bool convert_feeds(struct conversion *c, struct error *err)
{
    for (size_t i = 0; i < c->old.section[FEEDS].rows; i++) {
        struct feed_row row;

        if (!feed_row_at(&c->old, i, &row))
            return old_damaged(&c->old, err);
        if (!db_write_feed(&c->writer, &row, err))
            return false;
    }
    return true;
}

static bool convert_readings(struct conversion *c, struct error *err)
{
    for (size_t i = 0; i < c->old.section[READINGS].rows; i++) {
        const unsigned char *at = row_at(&c->old, READINGS, i);
        int64_t when = (int64_t)get64(at + 16);
        struct day_run on;
        struct str region;

        if (get32(at) >= c->old.section[FEEDS].rows || get32(at + 8) >= MARKET_COUNT ||
            when < 0 || when > STAMP_LATEST || !text_at(&c->old, at + 4, &region))
            return old_damaged(&c->old, err);
        on.first = on.last = day_of((stamp){when}).n;
        buf_clear(&c->blob);
        day_runs_pack((struct day_runs){&on, 1}, &c->blob);
        if (!buf_ok(&c->blob, err) ||
            !db_write_reading(&c->writer, (int64_t)get32(at) + 1, region, get32(at + 8), when,
                              buf_text(&c->blob), err))
            return false;
    }
    return true;
}

/* Of a log, the days between its points were observed too. */
static bool convert_history(struct conversion *c, struct old_series *series, struct error *err)
{
    struct series_row *row = &series->row;
    struct day_run days = {day_of((stamp){row->first}).n, day_of((stamp){row->seen}).n};
    bool log = row_at(&c->old, FEEDS, row->feed)[13] == SCOPE_LOG && days.first < days.last;

    c->points.len = 0;
    if (!points_room_for(&c->points, row->points, err))
        return false;
    if (!points_unpack(series->packed, row->points, c->points.at) ||
        c->points.at[0].at.s != row->first ||
        c->points.at[row->points - 1].at.s != row->since ||
        c->points.at[row->points - 1].value != row->price)
        return old_damaged(&c->old, err);
    if (row->points == 1 && !log)
        return true;
    row->history = c->next_history++;
    buf_clear(&c->blob);
    history_pack(c->points.at, row->points, (struct day_runs){&days, log}, &c->blob);
    return buf_ok(&c->blob, err) &&
           db_write_history(&c->writer, row->history, buf_text(&c->blob), err);
}

static bool convert_offer(struct conversion *c, size_t i, const struct str text[TEXT_COUNT],
                          struct error *err)
{
    const unsigned char *at = row_at(&c->old, OFFERS, i);
    size_t left = c->old.section[SERIES].rows - c->next_series, count = get32(at + 24);
    struct series_row rows[64];
    double number[NUMBER_KINDS];
    uint32_t name[NAME_KINDS];

    if (get32(at + 20) != c->next_series || count > left || count > ARRAY_LEN(rows))
        return old_damaged(&c->old, err);
    for (unsigned n = 0; n < NUMBER_KINDS; n++) {
        uint64_t bits = get64(at + 32 + 8 * n);

        memcpy(&number[n], &bits, sizeof bits);
    }
    for (size_t k = 0; k < count; k++) {
        struct old_series series;

        if (!series_row_at(&c->old, c->next_series + k, &series) || series.row.offer != i)
            return old_damaged(&c->old, err);
        if (!convert_history(c, &series, err))
            return false;
        rows[k] = series.row;
        rows[k].feed++; /* its row */
    }
    c->next_series += count;
    for (unsigned n = 0; n < NAME_KINDS; n++)
        if (!name_number(&c->names, text[NAME_FIRST + n], &name[n], err))
            return false;
    place_add(&c->place_writer, name, number, rows, count);
    return true;
}

static bool end_place(struct conversion *c, struct str provider, struct str region,
                      struct error *err)
{
    place_end(&c->place_writer);
    return buf_ok(&c->place, err) &&
           db_write_place(&c->writer, provider, region, &c->place_writer, err);
}

static bool convert_offers(struct conversion *c, struct error *err)
{
    struct str text[TEXT_COUNT], last[2] = {0};
    size_t count = c->old.section[OFFERS].rows;

    for (size_t i = 0; i < count; i++) {
        const unsigned char *at = row_at(&c->old, OFFERS, i);

        for (unsigned t = 0; t < TEXT_COUNT; t++)
            if (!text_at(&c->old, at + 4 * t, &text[t]))
                return old_damaged(&c->old, err);
        if (i > 0 && (!str_eq(last[0], text[0]) || !str_eq(last[1], text[1])) &&
            !end_place(c, last[0], last[1], err))
            return false;
        if (i == 0 || !str_eq(last[0], text[0]) || !str_eq(last[1], text[1])) {
            buf_clear(&c->place);
            place_begin(&c->place_writer, &c->place);
        }
        memcpy(last, text, sizeof last);
        if (!convert_offer(c, i, text, err))
            return false;
    }
    if (c->next_series != c->old.section[SERIES].rows)
        return old_damaged(&c->old, err);
    return count == 0 || end_place(c, last[0], last[1], err);
}

static bool write_names(struct conversion *c, struct error *err)
{
    buf_clear(&c->blob);
    names_pack(&c->names, &c->blob);
    return buf_ok(&c->blob, err) && db_write_names(&c->writer, buf_text(&c->blob), err);
}

bool store_convert_image(struct str image, const char *name, sqlite3 *db,
                         const struct alloc *alloc, struct error *err)
{
    struct conversion c = {.names = map_of(alloc, UINT32_MAX - 1),
                           .blob = buf_new(alloc, UINT32_MAX),
                           .place = buf_new(alloc, UINT32_MAX),
                           .points.alloc = alloc,
                           .next_history = 1};
    bool ok = open_image(image, name, &c.old, err) && db_run(db, "BEGIN", name, err) &&
              db_make_tables(db, name, err) && db_writer_begin(&c.writer, db, name, err) &&
              convert_feeds(&c, err) && convert_readings(&c, err) && convert_offers(&c, err) &&
              write_names(&c, err);

    db_writer_end(&c.writer);
    map_free(&c.names);
    buf_free(&c.blob);
    buf_free(&c.place);
    points_room_free(&c.points);
    return ok && db_run(db, "COMMIT", name, err);
}

/* --- files --- */

struct old_paths {
    const char *now;         /* X.db, where the prices go */
    char store[PATH_MAX];    /* X.store for X.db */
    char kept[PATH_MAX];     /* X.store.old: the same, converted */
    char lock[PATH_MAX];     /* X.store.lock, which older programs take, too */
    char previous[PATH_MAX]; /* X.store~, which they kept */
    char fresh[PATH_MAX];    /* X.db.new */
    char folder[PATH_MAX];
};

static bool old_paths_of(const char *path, struct old_paths *out)
{
    size_t len = strlen(path);
    const char *slash;

    if (len < 4 || strcmp(path + len - 3, ".db") != 0 || len + 16 > PATH_MAX)
        return false;
    out->now = path;
    (void)snprintf(out->store, PATH_MAX, "%.*s.store", (int)len - 3, path);
    (void)snprintf(out->kept, PATH_MAX, "%.*s.store.old", (int)len - 3, path);
    (void)snprintf(out->lock, PATH_MAX, "%.*s.store.lock", (int)len - 3, path);
    (void)snprintf(out->previous, PATH_MAX, "%.*s.store~", (int)len - 3, path);
    (void)snprintf(out->fresh, PATH_MAX, "%s.new", path);
    slash = strrchr(path, '/');
    if (slash == NULL)
        (void)snprintf(out->folder, PATH_MAX, ".");
    else
        (void)snprintf(out->folder, PATH_MAX, "%.*s", slash > path ? (int)(slash - path) : 1,
                       path);
    return true;
}

/* Keep others from converting, and older programs from writing. -1 when that cannot be done;
 * errno says why. */
static int lock_old(const struct old_paths *paths)
{
    const struct timespec pause = {.tv_nsec = 1000000000L / TRIES_PER_SECOND};
    int lock = open(paths->lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

    for (int i = 0; lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0; i++) {
        if (errno != EINTR &&
            (errno != EWOULDBLOCK || i >= STORE_PATIENCE * TRIES_PER_SECOND)) {
            (void)close(lock);
            return -1;
        }
        (void)nanosleep(&pause, NULL);
    }
    return lock;
}

static bool convert_to(const char *to, struct str image, const char *name,
                       const struct alloc *alloc, sqlite3 **db, struct error *err)
{
    /* A new file is put in place when it is complete: it needs no journal. */
    return db_open(to, db, err) && db_run(*db, "PRAGMA journal_mode=MEMORY", to, err) &&
           store_convert_image(image, name, *db, alloc, err);
}

static bool convert_file(const struct old_paths *paths, struct str image,
                         const struct alloc *alloc, struct error *err)
{
    sqlite3 *db = NULL;
    bool ok;

    (void)unlink(paths->fresh);
    ok = db_make_file(paths->fresh, err) &&
         convert_to(paths->fresh, image, paths->store, alloc, &db, err);
    ok = sqlite3_close(db) == SQLITE_OK && ok;
    if (ok && rename(paths->fresh, paths->now) != 0) {
        error_system(err, errno, "cannot make '%s'", paths->now);
        ok = false;
    }
    if (!ok) {
        (void)unlink(paths->fresh);
        return false;
    }
    (void)rename(paths->store, paths->kept);
    (void)unlink(paths->previous);
    fs_sync_folder(paths->folder);
    return true;
}

/* What is read is the same whether it could be written or not. */
static bool convert_read(const struct old_paths *paths, struct str image, bool writable,
                         const struct alloc *alloc, const struct messages *messages,
                         sqlite3 **memory, struct error *err)
{
    struct error why = {0};

    if (writable && convert_file(paths, image, alloc, &why)) {
        message_note(messages,
                     "the prices of '%s' are in '%s' now; the old file is kept as '%s'",
                     paths->store, paths->now, paths->kept);
        return true;
    }
    if (writable && why.kind != ERROR_SYSTEM) {
        *err = why;
        return false;
    }
    if (convert_to(":memory:", image, paths->store, alloc, memory, err))
        return true;
    (void)sqlite3_close(*memory);
    *memory = NULL;
    return false;
}

bool store_convert(const char *path, const struct alloc *alloc, const struct messages *messages,
                   sqlite3 **memory, struct error *err)
{
    struct arena arena = {.alloc = alloc};
    struct old_paths paths;
    struct str image = {0};
    int lock;
    bool ok;

    *memory = NULL;
    if (fs_exists(path) || !old_paths_of(path, &paths) || !fs_exists(paths.store))
        return true;
    lock = lock_old(&paths);
    if (lock < 0 && errno == EWOULDBLOCK)
        return error_fail(err, ERROR_FAILED,
                          "another stint has been using '%s' for %d seconds: try again",
                          paths.store, STORE_PATIENCE);
    ok = true;
    if (!fs_exists(path) && fs_exists(paths.store)) /* else another has done it meanwhile */
        ok = fs_read(paths.store, OLD_MAX, &arena, &image, err) &&
             convert_read(&paths, image, lock >= 0, alloc, messages, memory, err);
    arena_free(&arena);
    if (lock >= 0) {
        if (ok && *memory == NULL)
            (void)unlink(paths.lock);
        (void)close(lock);
    }
    return ok;
}
