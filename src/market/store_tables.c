#include "market/store_tables.h"

#include <stdlib.h>

/* --- feeds --- */

static int feed_order(const void *a, const void *b)
{
    const struct new_feed *x = a, *y = b;
    int order = str_cmp(x->feed, y->feed);

    return order != 0 ? order : str_cmp(x->provider, y->provider);
}

static struct new_feed *find_feed(const struct new_tables *t, struct str feed,
                                  struct str provider)
{
    struct new_feed key = {.feed = feed, .provider = provider};

    return t->feed_count == 0 ? NULL
                              : bsearch(&key, t->feeds, t->feed_count, sizeof key, feed_order);
}

static bool join_feeds(const struct store *old, struct store_edit *edit, stamp now,
                       struct new_tables *t, struct error *err)
{
    size_t kept = 0;

    t->feeds = arena_array(&edit->arena, struct new_feed, old->feeds + edit->feed_count, err);
    t->feed_of = arena_array(&edit->arena, uint32_t, old->feeds, err);
    if (t->feeds == NULL || t->feed_of == NULL)
        return false;
    for (size_t i = 0; i < old->feeds; i++) {
        struct store_feed f = store_feed(old, i);

        t->feeds[i] = (struct new_feed){f.feed,  f.provider, f.from,      f.confidence,
                                        f.scope, f.read.s,   f.imported.s};
    }
    t->feed_count = old->feeds;
    qsort(t->feeds, t->feed_count, sizeof *t->feeds, feed_order);
    for (size_t i = 0; i < edit->feed_count; i++) {
        const struct edit_feed *f = edit->feeds[i];
        struct new_feed fresh = {f->feed,  f->provider, f->from, f->confidence,
                                 f->scope, f->newest,   now.s};
        struct new_feed *known = find_feed(t, f->feed, f->provider);

        if (known == NULL)
            t->feeds[old->feeds + kept++] = fresh;
        else if (f->newest >= known->read) {
            fresh.scope = known->scope > f->scope ? known->scope : f->scope;
            *known = fresh;
        }
    }
    t->feed_count += kept;
    qsort(t->feeds, t->feed_count, sizeof *t->feeds, feed_order);
    for (size_t i = 0; i < old->feeds; i++) {
        struct store_feed f = store_feed(old, i);

        t->feed_of[i] = (uint32_t)(find_feed(t, f.feed, f.provider) - t->feeds);
    }
    for (size_t i = 0; i < edit->feed_count; i++)
        edit->feeds[i]->index =
            (uint32_t)(find_feed(t, edit->feeds[i]->feed, edit->feeds[i]->provider) - t->feeds);
    return true;
}

/* --- readings to the end --- */

static int read_order(const void *a, const void *b)
{
    const struct new_read *x = a, *y = b;
    int order = (x->feed > y->feed) - (x->feed < y->feed);

    if (order == 0)
        order = str_cmp(x->region, y->region);
    return order != 0 ? order : (x->market > y->market) - (x->market < y->market);
}

/* What this edit's quotes spoke of, for the feeds that were read to their end: as many rows as
 * there are different ones among neighbours. Counts them only while `to` is NULL. */
static size_t fresh_reads(const struct store_edit *edit, struct new_read *to)
{
    size_t count = 0;

    for (size_t i = 0; i < edit->count; i++)
        for (const struct edit_series *s = edit->offers[i]->series; s != NULL; s = s->next) {
            if (s->market == MARKET_ANY || !s->feed->complete)
                continue;
            if (to != NULL)
                to[count] = (struct new_read){
                    .feed = s->feed->index,
                    .region = s->feed->complete_scope == SCOPE_REGIONS
                                  ? edit->offers[i]->text[TEXT_REGION]
                                  : STR(""),
                    .market = s->market,
                    .past = -1,
                    .fresh = s->feed->complete_at,
                };
            count++;
        }
    return count;
}

static bool join_reads(const struct store *old, struct store_edit *edit, struct new_tables *t,
                       struct error *err)
{
    size_t total = old->reads + fresh_reads(edit, NULL), kept = 0;

    t->reads = arena_array(&edit->arena, struct new_read, total, err);
    if (t->reads == NULL)
        return false;
    for (size_t i = 0; i < old->reads; i++) {
        struct read_row row = store_read_row(old, i);

        t->reads[i] = (struct new_read){t->feed_of[row.feed], store_text(old, row.region),
                                        row.market, row.at, -1};
    }
    (void)fresh_reads(edit, t->reads + old->reads);
    qsort(t->reads, total, sizeof *t->reads, read_order);
    for (size_t i = 0; i < total; i++) {
        struct new_read *into = &t->reads[kept > 0 ? kept - 1 : 0];

        if (kept == 0 || read_order(into, &t->reads[i]) != 0) {
            t->reads[kept++] = t->reads[i];
            continue;
        }
        if (t->reads[i].past > into->past)
            into->past = t->reads[i].past;
        if (t->reads[i].fresh > into->fresh)
            into->fresh = t->reads[i].fresh;
    }
    t->read_count = kept;
    return true;
}

bool tables_join(const struct store *old, struct store_edit *edit, stamp now,
                 struct new_tables *out, struct error *err)
{
    *out = (struct new_tables){0};
    return join_feeds(old, edit, now, out, err) && join_reads(old, edit, out, err);
}

int64_t tables_silence(const struct new_tables *tables, uint32_t feed, struct str region,
                       unsigned market, bool fresh)
{
    const struct str regions[] = {STR(""), region};
    int64_t at = -1;

    for (size_t i = 0; i < ARRAY_LEN(regions) && tables->read_count > 0; i++) {
        struct new_read key = {.feed = feed, .region = regions[i], .market = market};
        const struct new_read *read =
            bsearch(&key, tables->reads, tables->read_count, sizeof key, read_order);

        if (read != NULL && (fresh ? read->fresh : read->past) > at)
            at = fresh ? read->fresh : read->past;
    }
    return at;
}

/* --- writing --- */

bool tables_write(const struct new_tables *tables, struct store_writer *w, struct error *err)
{
    unsigned char at[FEED_ROW > READ_ROW ? FEED_ROW : READ_ROW];

    for (size_t i = 0; i < tables->feed_count; i++) {
        const struct new_feed *f = &tables->feeds[i];
        struct feed_row row = {.confidence = (uint8_t)f->confidence,
                               .scope = (uint8_t)f->scope,
                               .read = f->read,
                               .imported = f->imported};

        if (!store_writer_text(w, f->feed, &row.feed, err) ||
            !store_writer_text(w, f->provider, &row.provider, err) ||
            !store_writer_text(w, f->from, &row.from, err))
            return false;
        feed_row_put(at, &row);
        buf_add(&w->feeds, (struct str){(const char *)at, FEED_ROW});
    }
    for (size_t i = 0; i < tables->read_count; i++) {
        const struct new_read *r = &tables->reads[i];
        struct read_row row = {.feed = r->feed,
                               .market = r->market,
                               .at = r->past > r->fresh ? r->past : r->fresh};

        if (!store_writer_text(w, r->region, &row.region, err))
            return false;
        read_row_put(at, &row);
        buf_add(&w->reads, (struct str){(const char *)at, READ_ROW});
    }
    return true;
}
