#include "market/book.h"

#include <stdlib.h>

#include "market/store.h"

static const struct feed_format built_in = {.name = "built-in",
                                            .feed = "built-in",
                                            .confidence = CONFIDENCE_CATALOG,
                                            .scope = SCOPE_ROWS};
static const struct feed_format own_rows = {.name = "catalog",
                                            .feed = "catalog",
                                            .confidence = CONFIDENCE_PRIVATE,
                                            .scope = SCOPE_ROWS};

/* Before the user's discounts, which are taken off what a store has when it is read. */
static int64_t list_price(usd_per_hour list, usd_per_hour price)
{
    return list.nano > 0 ? list.nano : price.nano;
}

static bool add_book_row(struct store_edit *edit, const struct machine *row, struct error *err)
{
    const struct feed_format *format = row->fact.layer > 0 ? &own_rows : &built_in;
    struct quote quote = quote_blank();

    quote_machine(&quote, row);
    quote.provider = row->provider;
    quote.region = row->region;
    quote.zone = row->zone;
    quote.instance = row->instance;
    quote.price[MARKET_ON_DEMAND] = list_price(row->list_on_demand, row->on_demand);
    quote.price[MARKET_SPOT] = list_price(row->list_spot, row->spot);
    quote.at.s = row->fact.date.n * SECONDS_PER_DAY;
    return store_edit_feed(edit, format, str_from(format->feed), row->fact.source, err) &&
           store_edit_quote(edit, &quote, err);
}

struct store *market_book(const struct catalog *catalog, stamp now, const struct alloc *alloc,
                          struct error *err)
{
    const struct rows *offers = &catalog->tables[TABLE_OFFERS];
    struct store_edit *edit = store_edit_new(alloc, err);
    struct store *book = NULL;
    bool ok = edit != NULL;

    for (size_t i = 0; ok && i < offers->len; i++) {
        const struct machine *row = CATALOG_ROW(catalog, TABLE_OFFERS, machine, i);

        if (row->accelerator.len > 0 && row->count >= 1 &&
            !machine_is_retired(catalog, row, day_of(now)))
            ok = add_book_row(edit, row, err);
    }
    if (ok)
        book = store_of_edit(edit, now, alloc, err);
    store_edit_free(edit);
    return book;
}

bool book_has_own(const struct store_feed *feed)
{
    return feed->confidence == own_rows.confidence &&
           str_eq(feed->feed, str_from(own_rows.feed));
}

static int compare_book_days(const void *a, const void *b)
{
    const day *x = a, *y = b;

    return (x->n > y->n) - (x->n < y->n);
}

bool market_book_dates(const struct catalog *catalog, struct arena *arena,
                       struct book_dates *out, struct error *err)
{
    const struct rows *offers = &catalog->tables[TABLE_OFFERS];
    day *days = arena_array(arena, day, offers->len, err);

    *out = (struct book_dates){.newest = DAY_UNKNOWN, .usual = DAY_UNKNOWN};
    if (days == NULL)
        return false;
    for (size_t i = 0; i < offers->len; i++) {
        const struct machine *row = CATALOG_ROW(catalog, TABLE_OFFERS, machine, i);

        if (row->fact.layer == 0 && row->fact.current)
            days[out->total++] = row->fact.date;
    }
    qsort(days, out->total, sizeof days[0], compare_book_days);
    for (size_t i = 0, same = 0; i < out->total; i++) {
        same = i > 0 && days[i].n == days[i - 1].n ? same + 1 : 1;
        if (same >= out->of_usual) {
            out->of_usual = same;
            out->usual = days[i];
        }
        out->newest = days[i];
    }
    return true;
}

void book_dates_write(const struct book_dates *dates, day today, struct buf *out)
{
    if (dates->total == 0) {
        buf_adds(out, "none");
        return;
    }
    if (dates->of_usual < dates->total)
        buf_addf(out, "%zu of %zu ", dates->of_usual, dates->total);
    buf_adds(out, "from ");
    day_write(dates->usual, out);
    buf_addf(out, " (%d days old)", today.n > dates->usual.n ? today.n - dates->usual.n : 0);
    if (dates->newest.n == dates->usual.n)
        return;
    buf_adds(out, ", the newest from ");
    day_write(dates->newest, out);
}
