#include "market/store_commit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "market/store_merge.h"
#include "market/store_tables.h"

#define BEHIND ((size_t)1 << 20)

/* A series of an offer: of the old file, of the edit, or of both. */
struct part {
    struct series_row old;
    bool is_old;
    const struct edit_series *quotes;
    uint32_t feed;
    uint8_t market;
    char currency[4];
};

struct commit {
    struct store_edit *edit;
    const struct store *old;
    struct new_tables tables;
    struct merge merge;
    struct store_writer writer;
    struct store_change *change;
    struct part *parts; /* of the offer at hand */
    struct series_row *rows;
    size_t part_capacity, row_capacity;
    uint32_t offers, series; /* written */
    size_t behind;           /* of the old points: not needed in memory any more */
};

/* --- one offer --- */

static int part_order(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    int order = (x->market > y->market) - (x->market < y->market);

    if (order == 0)
        order = (x->feed > y->feed) - (x->feed < y->feed);
    if (order == 0)
        order = memcmp(x->currency, y->currency, 4);
    return order != 0 ? order : y->is_old - x->is_old;
}

static bool add_part(struct commit *c, size_t count, struct part part, struct error *err)
{
    void *parts = c->parts;

    if (count == c->part_capacity &&
        !grow_array(c->edit->alloc, &parts, &c->part_capacity, sizeof part, err))
        return false;
    c->parts = parts;
    c->parts[count] = part;
    return true;
}

/* The series of an offer, old and quoted ones of the same kind as one. */
static bool gather(struct commit *c, const struct offer_row *old,
                   const struct edit_offer *quoted, size_t *count, struct error *err)
{
    size_t total = 0, kept = 0;

    for (uint32_t i = 0; old != NULL && i < old->count; i++) {
        struct series_row row = store_series_row(c->old, old->first + i);
        struct part part = {.old = row,
                            .is_old = true,
                            .feed = c->tables.feed_of[row.feed],
                            .market = row.market};

        memcpy(part.currency, row.currency, 4);
        if (!add_part(c, total++, part, err))
            return false;
    }
    for (const struct edit_series *s = quoted != NULL ? quoted->series : NULL; s != NULL;
         s = s->next) {
        struct part part = {.quotes = s, .feed = s->feed->index, .market = s->market};

        memcpy(part.currency, s->currency, 4);
        if (s->market != MARKET_ANY && !add_part(c, total++, part, err))
            return false;
    }
    if (total > 0)
        qsort(c->parts, total, sizeof *c->parts, part_order);
    for (size_t i = 0; i < total; i++) {
        const struct part *last = kept > 0 ? &c->parts[kept - 1] : NULL;

        if (last != NULL && last->is_old && !c->parts[i].is_old &&
            last->feed == c->parts[i].feed && last->market == c->parts[i].market &&
            memcmp(last->currency, c->parts[i].currency, 4) == 0)
            c->parts[kept - 1].quotes = c->parts[i].quotes;
        else
            c->parts[kept++] = c->parts[i];
    }
    *count = kept;
    return true;
}

/* Did a quote of this feed name the machine? What it left unsaid stays then. */
static bool named(const struct edit_offer *quoted, const struct part *part)
{
    for (const struct edit_series *s = quoted != NULL ? quoted->series : NULL; s != NULL;
         s = s->next)
        if (s->feed->index == part->feed)
            return true;
    return false;
}

/* Had the old file anything of this machine by this feed? */
static bool known(const struct part *parts, size_t count, uint32_t feed)
{
    for (size_t i = 0; i < count; i++)
        if (parts[i].is_old && parts[i].feed == feed)
            return true;
    return false;
}

/* When a feed's silence ended this series; -1 when it did not. */
static int64_t gone_at(const struct commit *c, const struct edit_offer *quoted,
                       struct str region, const struct part *part, size_t count)
{
    int64_t at = -1, newest = -1;

    if (part->quotes == NULL) { /* this edit's silence */
        if (!named(quoted, part))
            at = tables_silence(&c->tables, part->feed, region, part->market, true);
        return at > part->old.seen ? at : -1;
    }
    if (part->is_old || known(c->parts, count, part->feed))
        return -1;
    /* A machine that an older list names, and that was not there when a newer one was read. */
    at = tables_silence(&c->tables, part->feed, region, part->market, false);
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

/* Pages of the old file that have been copied are the kernel's again: a large store needs no
 * large memory. */
static void leave_behind(struct commit *c, size_t end)
{
    const size_t page = (size_t)64 * 1024; /* the largest in use */
    size_t before = STORE_HEADER + c->behind, after = STORE_HEADER + end;
    union {
        const unsigned char *read;
        void *advise;
    } at;

    if (!c->old->mapped || end < c->behind + BEHIND)
        return;
    before -= before % page;
    after -= after % page;
    at.read = c->old->base + before;
    if (after > before)
        (void)madvise(at.advise, after - before, MADV_DONTNEED);
    c->behind = end;
}

static bool write_series(struct commit *c, const struct edit_offer *quoted, struct str region,
                         size_t count, struct error *err)
{
    while (c->row_capacity < count) {
        void *rows = c->rows;

        if (!grow_array(c->edit->alloc, &rows, &c->row_capacity, sizeof *c->rows, err))
            return false;
        c->rows = rows;
    }
    for (size_t i = 0; i < count; i++) {
        const struct part *part = &c->parts[i];
        struct merge_input in = {.old = part->is_old ? &part->old : NULL,
                                 .quotes = part->quotes,
                                 .gone_at = gone_at(c, quoted, region, part, count)};
        struct series_row *row = &c->rows[i];
        enum merge_outcome outcome;
        struct str encoded;

        *row = (struct series_row){.offer = c->offers,
                                   .feed = part->feed,
                                   .market = part->market,
                                   .at = c->writer.written};
        memcpy(row->currency, part->currency, 4);
        if (!merge_series(&c->merge, &in, row, &encoded, &outcome, err) ||
            !store_writer_points(&c->writer, encoded, err))
            return false;
        count_outcome(c->change, part, outcome);
        if (part->is_old)
            leave_behind(c, part->old.at + part->old.size);
    }
    return true;
}

/* The newer word on the machine itself wins, where it says something. */
static void describe(const struct commit *c, const struct offer_row *old,
                     const struct edit_offer *quoted, struct str text[TEXT_COUNT],
                     double number[NUMBER_KINDS])
{
    int64_t seen = -1;

    for (unsigned i = 0; i < TEXT_COUNT; i++)
        text[i] = old != NULL ? store_text(c->old, old->text[i]) : quoted->text[i];
    for (unsigned i = 0; i < NUMBER_KINDS; i++)
        number[i] = old != NULL ? old->number[i] : quoted->number[i];
    if (old == NULL || quoted == NULL)
        return;
    for (uint32_t i = 0; i < old->count; i++) {
        struct series_row row = store_series_row(c->old, old->first + i);

        seen = row.seen > seen ? row.seen : seen;
    }
    for (unsigned i = 0; i < NUMBER_KINDS; i++)
        if (!isnan(quoted->number[i]) && (quoted->newest >= seen || isnan(number[i])))
            number[i] = quoted->number[i];
    if (quoted->text[TEXT_ACCELERATOR].len > 0 &&
        (quoted->newest >= seen || text[TEXT_ACCELERATOR].len == 0))
        text[TEXT_ACCELERATOR] = quoted->text[TEXT_ACCELERATOR];
}

/* Either may be NULL, not both. */
static bool write_offer(struct commit *c, const struct offer_row *old,
                        const struct edit_offer *quoted, struct error *err)
{
    unsigned char offer_bytes[OFFER_ROW], series_bytes[SERIES_ROW];
    struct str text[TEXT_COUNT];
    struct offer_row row = {.first = c->series};
    size_t count;

    if (!gather(c, old, quoted, &count, err))
        return false;
    c->change->offers += quoted != NULL;
    if (count == 0) /* a quote without any price says nothing */
        return true;
    c->change->new_offers += old == NULL;
    describe(c, old, quoted, text, row.number);
    for (unsigned i = 0; i < TEXT_COUNT; i++)
        if (!store_writer_text(&c->writer, text[i], &row.text[i], err))
            return false;
    if (c->offers == UINT32_MAX || count > UINT32_MAX - c->series)
        return error_fail(err, ERROR_INPUT, "there are too many prices for a price store");
    if (!write_series(c, quoted, text[TEXT_REGION], count, err))
        return false;
    doubts_set(c->rows, count, row.number[NUMBER_COUNT]);
    for (size_t i = 0; i < count; i++) {
        c->change->doubtful += c->parts[i].quotes != NULL && c->rows[i].doubts != 0;
        series_row_put(series_bytes, &c->rows[i]);
        buf_add(&c->writer.series, (struct str){(const char *)series_bytes, SERIES_ROW});
    }
    row.count = (uint32_t)count;
    offer_row_put(offer_bytes, &row);
    buf_add(&c->writer.offers, (struct str){(const char *)offer_bytes, OFFER_ROW});
    c->offers++;
    c->series += row.count;
    return true;
}

/* --- all of them --- */

/* Two sorted lists into one. */
static bool write_offers(struct commit *c, struct error *err)
{
    size_t i = 0, j = 0;

    while (i < c->old->offers || j < c->edit->count) {
        const struct edit_offer *quoted = j < c->edit->count ? c->edit->offers[j] : NULL;
        struct offer_row old;
        int order = 1;

        if (i < c->old->offers) {
            struct str text[TEXT_COUNT];

            old = store_offer_row(c->old, i);
            for (unsigned t = 0; t < TEXT_COUNT; t++)
                text[t] = store_text(c->old, old.text[t]);
            order = quoted != NULL ? offer_order(text, quoted->text) : -1;
        }
        if (!write_offer(c, order <= 0 ? &old : NULL, order >= 0 ? quoted : NULL, err))
            return false;
        i += order <= 0;
        j += order >= 0;
    }
    return true;
}

bool store_commit_locked(struct store_edit *edit, const struct store *old,
                         const struct store_paths *paths, stamp now,
                         struct store_change *change, struct error *err)
{
    struct commit c = {.edit = edit, .old = old, .change = change};
    const char *kept = paths->previous;
    bool ok;

    *change = (struct store_change){.quotes = edit->quotes};
    edit_sort(edit);
    merge_begin(&c.merge, old, paths, edit->alloc);
    ok = store_writer_begin(&c.writer, paths, edit->alloc, err) &&
         tables_join(old, edit, now, &c.tables, err) && write_offers(&c, err) &&
         tables_write(&c.tables, &c.writer, err) && store_writer_finish(&c.writer, err);
    change->restored = c.merge.restored;
    change->lost = c.merge.lost;
    if (change->restored + change->lost > 0)
        kept = paths->damaged;
    ok = ok && store_publish(paths, kept, err);
    store_writer_end(&c.writer, ok);
    merge_end(&c.merge);
    if (c.parts != NULL)
        edit->alloc->put(edit->alloc->ctx, c.parts);
    if (c.rows != NULL)
        edit->alloc->put(edit->alloc->ctx, c.rows);
    return ok;
}

bool store_commit(struct store_edit *edit, const char *path, stamp now,
                  struct store_change *change, struct error *err)
{
    struct store_paths paths;
    struct store *old;
    int lock;
    bool ok;

    *change = (struct store_change){0};
    if (!store_paths_of(path, &paths, err))
        return false;
    lock = store_lock(&paths, STORE_PATIENCE, err);
    if (lock < 0)
        return false;
    old = store_open_locked(&paths, edit->alloc, NULL, err);
    ok = old != NULL && store_commit_locked(edit, old, &paths, now, change, err);
    store_close(old);
    store_unlock(lock);
    return ok;
}
