/* An edit into the database: feeds, complete readings, then offer by offer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "market/store_merge.h"

/* When a list that would name a feed's market in a region (in all of them when it is empty) was
 * last read: before this edit and in it; -1 for never. */
struct commit_reading {
    int64_t feed; /* its row */
    struct str region;
    unsigned market;
    int64_t past, fresh;
    struct day_runs days; /* of all such readings */
};

/* A series of an offer: of the database, of the edit, or of both. */
struct part {
    size_t old; /* SIZE_MAX when it is new */
    const struct edit_series *quotes;
    int64_t feed; /* its row */
    uint8_t market;
    struct currency currency;
};

struct commit {
    struct store_edit *edit;
    const struct store *old;
    struct commit_reading *readings; /* by feed, region, market */
    size_t reading_count;
    struct merge merge;
    struct db_writer writer;
    struct map names;
    int64_t next_history;
    struct buf place; /* the one being written */
    struct place_writer place_writer;
    size_t old_place; /* the first that is not before it */
    struct store_change *change;
    struct part *parts; /* of the offer at hand, as the next */
    struct series_row *rows;
    size_t part_room, row_room;
};

/* --- feeds --- */

static const struct feed_row *find_feed(const struct store *old, struct str feed,
                                        struct str provider)
{
    for (size_t i = 0; i < old->feed_count; i++)
        if (str_eq(old->feeds[i].is.feed, feed) && str_eq(old->feeds[i].is.provider, provider))
            return &old->feeds[i];
    return NULL;
}

static bool same_feed(const struct store_feed *a, const struct store_feed *b)
{
    return str_eq(a->from, b->from) && a->confidence == b->confidence && a->scope == b->scope &&
           a->read.s == b->read.s && a->imported.s == b->imported.s;
}

/* An older list than the one read last does not date a feed back. */
static bool write_feeds(struct commit *c, stamp now, struct error *err)
{
    int64_t next = 1;

    for (size_t i = 0; i < c->old->feed_count; i++)
        next = c->old->feeds[i].id >= next ? c->old->feeds[i].id + 1 : next;
    for (size_t i = 0; i < c->edit->feed_count; i++) {
        struct edit_feed *f = c->edit->feeds[i];
        const struct feed_row *known = find_feed(c->old, f->feed, f->provider);
        struct feed_row row = {
            .id = known != NULL ? known->id : next++,
            .is = {f->feed, f->provider, f->from, f->confidence, f->scope, {f->newest}, now}};

        f->row = row.id;
        if (known != NULL && known->is.scope > row.is.scope)
            row.is.scope = known->is.scope;
        if (known != NULL && (f->newest < known->is.read.s || same_feed(&known->is, &row.is)))
            continue;
        if (!db_write_feed(&c->writer, &row, err))
            return false;
    }
    return true;
}

/* --- complete readings --- */

static int reading_order(const void *a, const void *b)
{
    const struct commit_reading *x = a, *y = b;
    int order = (x->feed > y->feed) - (x->feed < y->feed);

    if (order == 0)
        order = str_cmp(x->region, y->region);
    return order != 0 ? order : (x->market > y->market) - (x->market < y->market);
}

/* The markets and regions of this edit's quotes, for the feeds that were read to their end: as
 * many rows as there are different ones among neighbors. Only counts them while `to` is
 * NULL. */
static size_t fresh_readings(const struct store_edit *edit, struct commit_reading *to)
{
    size_t count = 0;

    for (size_t i = 0; i < edit->offers.count; i++) {
        const struct edit_offer *offer = edit->offers.at[i].value;

        for (const struct edit_series *s = offer->series; s != NULL; s = s->next) {
            if (s->market == SERIES_NO_MARKET || !s->feed->complete)
                continue;
            if (to != NULL)
                to[count] = (struct commit_reading){
                    .feed = s->feed->row,
                    .region = s->feed->complete_scope == SCOPE_REGIONS
                                  ? offer->text[TEXT_REGION]
                                  : STR(""),
                    .market = s->market,
                    .past = -1,
                    .fresh = s->feed->complete_at,
                };
            count++;
        }
    }
    return count;
}

static bool join_readings(struct commit *c, struct error *err)
{
    size_t past = c->old->reading_count, kept = 0;
    size_t total = past + fresh_readings(c->edit, NULL);

    c->readings = arena_array(&c->edit->arena, struct commit_reading, total, err);
    if (c->readings == NULL)
        return false;
    for (size_t i = 0; i < past; i++) {
        const struct reading_row *row = &c->old->readings[i];

        c->readings[i] = (struct commit_reading){c->old->feeds[row->is.feed].id,
                                                 row->is.region,
                                                 row->is.market,
                                                 row->is.at.s,
                                                 -1,
                                                 row->days};
    }
    (void)fresh_readings(c->edit, c->readings + past);
    qsort(c->readings, total, sizeof *c->readings, reading_order);
    for (size_t i = 0; i < total; i++) {
        const struct commit_reading *from = &c->readings[i];
        struct commit_reading *into = &c->readings[kept > 0 ? kept - 1 : 0];

        if (kept == 0 || reading_order(into, from) != 0) {
            c->readings[kept++] = *from;
            continue;
        }
        if (from->past > into->past)
            into->past = from->past;
        if (from->fresh > into->fresh)
            into->fresh = from->fresh;
        if (from->days.len > 0)
            into->days = from->days;
    }
    c->reading_count = kept;
    return true;
}

/* Add the day of this edit's reading to those that are known. */
static bool add_reading_day(struct commit *c, struct commit_reading *r, bool *more,
                            struct error *err)
{
    int32_t on = day_of((stamp){r->fresh}).n;
    struct day_run *days;

    if (day_runs_cover(r->days, (struct day_run){on, on}))
        return true;
    days = arena_array(&c->edit->arena, struct day_run, r->days.len + 1, err);
    if (days == NULL)
        return false;
    if (r->days.len > 0)
        memcpy(days, r->days.at, r->days.len * sizeof *days);
    days[r->days.len] = (struct day_run){on, on};
    r->days = (struct day_runs){days, day_runs_join(days, r->days.len + 1)};
    *more = true;
    return true;
}

static bool write_readings(struct commit *c, struct error *err)
{
    struct buf blob = buf_new(c->edit->alloc, UINT32_MAX);
    bool ok = join_readings(c, err);

    for (size_t i = 0; ok && i < c->reading_count; i++) {
        struct commit_reading *r = &c->readings[i];
        bool write = r->fresh > r->past;

        if (r->fresh < 0)
            continue;
        ok = add_reading_day(c, r, &write, err);
        if (!ok || !write)
            continue;
        buf_clear(&blob);
        day_runs_pack(r->days, &blob);
        ok = buf_ok(&blob, err) &&
             db_write_reading(&c->writer, r->feed, r->region, r->market,
                              r->fresh > r->past ? r->fresh : r->past, buf_text(&blob), err);
    }
    buf_free(&blob);
    return ok;
}

/* The reading of all regions, or of one. NULL when there is none. */
static const struct commit_reading *find_reading(const struct commit *c,
                                                 const struct part *part, struct str region)
{
    struct commit_reading key = {.feed = part->feed, .region = region, .market = part->market};

    return c->reading_count == 0
               ? NULL
               : bsearch(&key, c->readings, c->reading_count, sizeof key, reading_order);
}

/* The newest complete reading that would have named such a series, before this edit or in it;
 * -1 when there is none. */
static int64_t last_reading(const struct commit *c, const struct part *part, struct str region,
                            bool fresh)
{
    const struct commit_reading *found[] = {find_reading(c, part, STR("")),
                                            find_reading(c, part, region)};
    int64_t at = -1;

    for (size_t i = 0; i < ARRAY_LEN(found); i++) {
        int64_t its = found[i] == NULL ? -1 : fresh ? found[i]->fresh : found[i]->past;

        at = its > at ? its : at;
    }
    return at;
}

/* --- one offer --- */

static int part_order(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    int order = (x->market > y->market) - (x->market < y->market);

    if (order == 0)
        order = (x->feed > y->feed) - (x->feed < y->feed);
    if (order == 0)
        order = currency_compare(x->currency, y->currency);
    return order != 0 ? order : (x->old == SIZE_MAX) - (y->old == SIZE_MAX);
}

static bool add_commit_part(struct commit *c, size_t count, struct part part, struct error *err)
{
    c->parts =
        arena_grow(&c->edit->arena, c->parts, count, sizeof *c->parts, &c->part_room, err);
    if (c->parts == NULL)
        return false;
    c->parts[count] = part;
    return true;
}

/* The series of an offer; stored and quoted ones of the same kind are one. */
static bool gather_parts(struct commit *c, const struct offer_row *old,
                         const struct edit_offer *quoted, size_t *count, struct error *err)
{
    size_t total = 0, kept = 0;

    for (size_t i = 0; old != NULL && i < old->count; i++) {
        const struct series_row *row = &c->old->series[old->first + i];
        struct part part = {.old = old->first + i,
                            .feed = c->old->feeds[row->feed].id,
                            .market = row->market,
                            .currency = row->currency};

        if (!add_commit_part(c, total++, part, err))
            return false;
    }
    for (const struct edit_series *s = quoted != NULL ? quoted->series : NULL; s != NULL;
         s = s->next) {
        struct part part = {.old = SIZE_MAX,
                            .quotes = s,
                            .feed = s->feed->row,
                            .market = s->market,
                            .currency = s->currency};

        if (s->market != SERIES_NO_MARKET && !add_commit_part(c, total++, part, err))
            return false;
    }
    if (total > 0)
        qsort(c->parts, total, sizeof *c->parts, part_order);
    for (size_t i = 0; i < total; i++) {
        struct part *last = kept > 0 ? &c->parts[kept - 1] : NULL;

        if (last != NULL && last->old != SIZE_MAX && c->parts[i].old == SIZE_MAX &&
            last->feed == c->parts[i].feed && last->market == c->parts[i].market &&
            currency_is(last->currency, c->parts[i].currency))
            last->quotes = c->parts[i].quotes;
        else
            c->parts[kept++] = c->parts[i];
    }
    *count = kept;
    return true;
}

/* Did a quote of this feed name the machine? Then the prices that it leaves out stay. */
static bool is_offer_named(const struct edit_offer *quoted, const struct part *part)
{
    for (const struct edit_series *s = quoted != NULL ? quoted->series : NULL; s != NULL;
         s = s->next)
        if (s->feed->row == part->feed)
            return true;
    return false;
}

/* Had the store any price of this machine from this feed? */
static bool was_known(const struct part *parts, size_t count, int64_t feed)
{
    for (size_t i = 0; i < count; i++)
        if (parts[i].old != SIZE_MAX && parts[i].feed == feed)
            return true;
    return false;
}

/* Since when a complete list leaves this series out, which ends it; -1 when none does. */
static int64_t gone_at(const struct commit *c, const struct edit_offer *quoted,
                       struct str region, const struct part *part, size_t count)
{
    int64_t at = -1, newest = -1;

    if (part->quotes == NULL) { /* a list of this edit */
        if (!is_offer_named(quoted, part))
            at = last_reading(c, part, region, true);
        return at > c->old->series[part->old].seen ? at : -1;
    }
    if (part->old != SIZE_MAX || was_known(c->parts, count, part->feed))
        return -1;
    /* A machine of an older list, which was missing when a newer one was read. */
    at = last_reading(c, part, region, false);
    for (const struct edit_chunk *k = part->quotes->first; at >= 0 && k != NULL; k = k->next)
        for (uint32_t i = 0; i < k->used; i++)
            newest = pending_at(k->at[i]) > newest ? pending_at(k->at[i]) : newest;
    return at > newest ? at : -1;
}

static void count_outcome(struct store_change *change, const struct part *part,
                          enum merge_outcome outcome)
{
    if (outcome == MERGE_GONE)
        change->gone++;
    else if (part->quotes != NULL && outcome == MERGE_CHANGED)
        change->changed++;
    else if (part->quotes != NULL)
        change->unchanged++;
}

static bool merge_part(struct commit *c, const struct part *part, struct str region,
                       int64_t gone, struct series_row *row, struct error *err)
{
    const struct commit_reading *all = find_reading(c, part, STR(""));
    const struct commit_reading *here = find_reading(c, part, region);
    struct merge_input in = {.old = part->old, .quotes = part->quotes, .gone_at = gone};
    enum merge_outcome outcome;
    bool write;

    if (all != NULL)
        in.read[0] = all->days;
    if (here != NULL)
        in.read[1] = here->days;
    *row = (struct series_row){
        .feed = (uint32_t)part->feed, .market = part->market, .currency = part->currency};
    if (!merge_series(&c->merge, &in, row, &outcome, &write, err))
        return false;
    if (write && row->history == 0)
        row->history = c->next_history++;
    count_outcome(c->change, part, outcome);
    return !write ||
           db_write_history(&c->writer, row->history, buf_text(&c->merge.history), err);
}

static bool merge_parts(struct commit *c, const struct edit_offer *quoted, struct str region,
                        size_t count, struct error *err)
{
    while (c->row_room < count) {
        c->rows = arena_grow(&c->edit->arena, c->rows, c->row_room, sizeof *c->rows,
                             &c->row_room, err);
        if (c->rows == NULL)
            return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!merge_part(c, &c->parts[i], region,
                        gone_at(c, quoted, region, &c->parts[i], count), &c->rows[i], err))
            return false;
    return true;
}

/* The newer facts about the machine itself win, where they are known. */
static void describe_commit_offer(const struct commit *c, const struct offer_row *old,
                                  const struct edit_offer *quoted, struct str text[TEXT_COUNT],
                                  double number[NUMBER_KINDS])
{
    int64_t seen = -1;

    for (unsigned i = 0; i < TEXT_COUNT; i++)
        text[i] = old != NULL ? store_text(c->old, old, i) : quoted->text[i];
    for (unsigned i = 0; i < NUMBER_KINDS; i++)
        number[i] = old != NULL ? old->number[i] : quoted->number[i];
    if (old == NULL || quoted == NULL)
        return;
    for (size_t i = 0; i < old->count; i++) {
        const struct series_row *row = &c->old->series[old->first + i];

        seen = row->seen > seen ? row->seen : seen;
    }
    for (unsigned i = 0; i < NUMBER_KINDS; i++)
        if (!isnan(quoted->number[i]) && (quoted->newest >= seen || isnan(number[i])))
            number[i] = quoted->number[i];
    if (quoted->text[TEXT_ACCELERATOR].len > 0 &&
        (quoted->newest >= seen || text[TEXT_ACCELERATOR].len == 0))
        text[TEXT_ACCELERATOR] = quoted->text[TEXT_ACCELERATOR];
}

/* Either may be NULL, not both. */
static bool add_commit_offer(struct commit *c, const struct offer_row *old,
                             const struct edit_offer *quoted, struct error *err)
{
    struct str text[TEXT_COUNT];
    uint32_t name[NAME_KINDS];
    double number[NUMBER_KINDS];
    size_t count;

    if (!gather_parts(c, old, quoted, &count, err))
        return false;
    c->change->offers += quoted != NULL;
    if (count == 0) /* a quote without any price */
        return true;
    c->change->new_offers += old == NULL;
    describe_commit_offer(c, old, quoted, text, number);
    if (!merge_parts(c, quoted, text[TEXT_REGION], count, err))
        return false;
    doubts_set(c->rows, count, number[NUMBER_COUNT]);
    for (size_t i = 0; i < count; i++)
        c->change->doubtful += c->parts[i].quotes != NULL && c->rows[i].doubts != 0;
    for (unsigned i = 0; i < NAME_KINDS; i++)
        if (!name_number(&c->names, text[NAME_FIRST + i], &name[i], err))
            return false;
    place_add(&c->place_writer, name, number, c->rows, count);
    return true;
}

/* --- all of them --- */

static int place_order(struct str provider, struct str region, const struct str text[])
{
    int order = str_cmp(provider, text[TEXT_PROVIDER]);

    return order != 0 ? order : str_cmp(region, text[TEXT_REGION]);
}

/* Write the place that is complete, if anything in it changed. */
static bool write_store_place(struct commit *c, struct str provider, struct str region,
                              struct error *err)
{
    const struct str key[] = {provider, region};
    const struct place_row *old;
    int order = -1;

    place_end(&c->place_writer);
    if (!buf_ok(&c->place, err))
        return false;
    for (; c->old_place < c->old->place_count; c->old_place++) {
        old = &c->old->places[c->old_place];
        order = place_order(old->provider, old->region, key);
        if (order >= 0)
            break;
    }
    if (c->place_writer.offers == 0 ||
        (order == 0 && str_eq(c->old->places[c->old_place].blob, buf_text(&c->place))))
        return true;
    return db_write_place(&c->writer, provider, region, &c->place_writer, err);
}

/* Two sorted lists of offers, and where we are in them. */
struct offer_lists {
    const struct store *old;
    struct edit_offer **quoted;
    size_t old_at, quoted_at, quoted_count;
};

/* The next offer of either list, or of both; false at the end. */
static bool next_offer(const struct offer_lists *l, const struct offer_row **old,
                       const struct edit_offer **quoted, struct str text[TEXT_COUNT])
{
    int order = 0;

    *old = l->old_at < l->old->offer_count ? &l->old->offers[l->old_at] : NULL;
    *quoted = l->quoted_at < l->quoted_count ? l->quoted[l->quoted_at] : NULL;
    for (unsigned i = 0; *old != NULL && i < TEXT_COUNT; i++)
        text[i] = store_text(l->old, *old, i);
    if (*old != NULL && *quoted != NULL)
        order = offer_order(text, (*quoted)->text);
    if (order > 0)
        *old = NULL;
    if (order < 0)
        *quoted = NULL;
    if (*old == NULL && *quoted != NULL)
        memcpy(text, (*quoted)->text, TEXT_COUNT * sizeof *text);
    return *old != NULL || *quoted != NULL;
}

static bool write_offers(struct commit *c, struct error *err)
{
    struct offer_lists l = {.old = c->old,
                            .quoted = edit_sorted(c->edit, err),
                            .quoted_count = c->edit->offers.count};
    struct str text[TEXT_COUNT], provider = {0}, region = {0};
    const struct offer_row *old;
    const struct edit_offer *quoted;
    bool ok = l.quoted != NULL, open = false;

    while (ok && next_offer(&l, &old, &quoted, text)) {
        if (open && place_order(provider, region, text) != 0) {
            ok = write_store_place(c, provider, region, err);
            open = false;
        }
        if (!open) {
            provider = text[TEXT_PROVIDER];
            region = text[TEXT_REGION];
            buf_clear(&c->place);
            place_begin(&c->place_writer, &c->place);
            open = true;
        }
        ok = ok && add_commit_offer(c, old, quoted, err);
        l.old_at += old != NULL;
        l.quoted_at += quoted != NULL;
    }
    return ok && (!open || write_store_place(c, provider, region, err));
}

static bool read_commit_names(struct commit *c, struct error *err)
{
    uint32_t number;

    for (size_t i = 0; i < c->old->name_count; i++)
        if (!name_number(&c->names, c->old->names[i], &number, err))
            return false;
    return true;
}

static bool write_commit_names(struct commit *c, struct error *err)
{
    if (c->names.count == c->old->name_count)
        return true;
    buf_clear(&c->place);
    names_pack(&c->names, &c->place);
    return buf_ok(&c->place, err) && db_write_names(&c->writer, buf_text(&c->place), err);
}

static bool next_history_row(struct commit *c, struct error *err)
{
    sqlite3_stmt *statement = NULL;
    bool ok = db_prepare(c->writer.db, "SELECT max(id) FROM history", c->old->name, &statement,
                         err) &&
              db_step(statement, c->old->name, err) > 0;

    if (ok)
        c->next_history = sqlite3_column_int64(statement, 0) + 1;
    (void)sqlite3_finalize(statement);
    return ok;
}

/* In a transaction that has begun. */
static bool commit_edit(struct store_edit *edit, sqlite3 *db, const struct store *old,
                        stamp now, struct store_change *change, struct error *err)
{
    struct commit c = {.edit = edit,
                       .old = old,
                       .names = map_of(edit->alloc, UINT32_MAX - 1),
                       .place = buf_new(edit->alloc, UINT32_MAX),
                       .change = change};
    bool ok;

    change->quotes = (int64_t)edit->quotes;
    merge_begin(&c.merge, old, edit->alloc);
    ok = db_writer_begin(&c.writer, db, old->name, err) && next_history_row(&c, err) &&
         write_feeds(&c, now, err) && write_readings(&c, err) && read_commit_names(&c, err) &&
         write_offers(&c, err) && write_commit_names(&c, err);
    db_writer_end(&c.writer);
    merge_end(&c.merge);
    buf_free(&c.place);
    map_free(&c.names);
    return ok;
}

/* Everything in one transaction, which others who write wait for. */
static bool commit_at_once(struct store_edit *edit, sqlite3 *db, const char *path, stamp now,
                           struct store_change *change, struct error *err)
{
    struct store *old = NULL;
    bool empty, ok = db_run(db, "BEGIN IMMEDIATE", path, err);

    if (!ok)
        return false;
    ok = db_check(db, path, &empty, err) && (!empty || db_make_tables(db, path, err));
    if (ok)
        old = store_read_database(db, path, true, edit->alloc, err);
    ok = old != NULL && commit_edit(edit, db, old, now, change, err);
    if (old != NULL)
        old->db = NULL; /* which is the caller's */
    store_close(old);
    ok = ok && db_run(db, "COMMIT", path, err);
    if (!ok)
        (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return ok;
}

bool store_commit(struct store_edit *edit, const char *path, stamp now,
                  struct store_change *change, struct error *err)
{
    sqlite3 *db = NULL;
    bool ok;

    *change = (struct store_change){0};
    ok = db_make_file(path, err) && db_open(path, &db, err) &&
         commit_at_once(edit, db, path, now, change, err);
    (void)sqlite3_close(db);
    return ok;
}

struct store *store_of_edit(struct store_edit *edit, stamp now, const struct alloc *alloc,
                            struct error *err)
{
    static const char name[] = ":memory:";
    struct store_change change = {0};
    struct store *store = NULL;
    sqlite3 *db = NULL;

    if (db_open(name, &db, err) && commit_at_once(edit, db, name, now, &change, err))
        store = store_read_database(db, name, false, alloc, err);
    if (store == NULL)
        (void)sqlite3_close(db);
    return store;
}

/* ---- what changed ---- */

static const struct field change_fields[] = {
    FIELD(COUNT, store_change, quotes, .help = "prices of machines read"),
    FIELD(COUNT, store_change, offers, .help = "offers with prices"),
    FIELD(COUNT, store_change, new_offers, .help = "offers not known before"),
    FIELD(COUNT, store_change, changed, .help = "prices that changed"),
    FIELD(COUNT, store_change, unchanged, .help = "prices confirmed"),
    FIELD(COUNT, store_change, gone, .help = "prices no longer listed"),
    FIELD(COUNT, store_change, doubtful, .help = "prices to check: 'stint price doctor'"),
};

const struct field_set store_change_fields = FIELD_SET(struct store_change, change_fields);

void store_change_add(const struct store_change *from, struct store_change *to)
{
    to->quotes += from->quotes;
    to->offers += from->offers;
    to->new_offers += from->new_offers;
    to->changed += from->changed;
    to->unchanged += from->unchanged;
    to->gone += from->gone;
    to->doubtful += from->doubtful;
}
