/* Sums by day in the table: those of a day of a bill, by group, some thousand in one value. A
 * row for each would take twenty times the work, and ten times the room.
 *
 *     1, CRC-32C         as of a block of lines (bills_block.c), and numbers as there
 *     sums               how many
 *     groups             what each is above the one before it: they are in order, each once
 *     lines              of each
 *     and of each amount, one after the other:
 *       form             LIKE + N: all are as amount N; VALUES: of each its scale, then of each
 *                        its coefficient
 */
#include "ledger/bills_internal.h"

#include <stdlib.h>

enum form { FORM_VALUES, FORM_LIKE }; /* + N */

#define PACKED_MAX ((size_t)1 << 20) /* of a page: a sum has four amounts of 20 bytes at most */

/* ---- writing ---- */

static int compare_day_sums(const void *a, const void *b)
{
    const struct day_sum *x = a, *y = b;

    if (x->bill != y->bill)
        return x->bill < y->bill ? -1 : 1;
    if (x->day != y->day)
        return x->day < y->day ? -1 : 1;
    return x->group < y->group ? -1 : x->group > y->group;
}

/* They mostly come in order. */
static void order_sums(struct day_sums *d)
{
    size_t n = 1;

    while (n < d->count && compare_day_sums(&d->at[n - 1], &d->at[n]) < 0)
        n++;
    if (n < d->count)
        qsort(d->at, d->count, sizeof d->at[0], compare_day_sums);
}

/* How many of them, from the first on, go to one page. */
static size_t page_length(const struct day_sum *sums, size_t count)
{
    size_t n = 1;

    while (n < count && n < PAGE_SUMS && sums[n].bill == sums[0].bill &&
           sums[n].day == sums[0].day)
        n++;
    return n;
}

/* The amount before this one that all of them have as well; `which` itself: none. */
static int like_of(const struct day_sum *sums, size_t count, int which)
{
    int like = 0;
    size_t n = 0;

    while (like < which && n < count) {
        const struct amounts *sum = &sums[n].sum;

        if (sum->coefficient[like] == sum->coefficient[which] &&
            sum->scale[like] == sum->scale[which]) {
            n++;
        } else {
            like++;
            n = 0;
        }
    }
    return like;
}

static void put_page_amounts(const struct day_sum *sums, size_t count, int which,
                             struct buf *out)
{
    int like = like_of(sums, count, which);

    if (like < which) {
        block_put_number(out, FORM_LIKE + (uint64_t)like);
        return;
    }
    block_put_number(out, FORM_VALUES);
    for (size_t n = 0; n < count; n++)
        buf_char(out, (char)sums[n].sum.scale[which]);
    for (size_t n = 0; n < count; n++)
        block_put_wide(out, sums[n].sum.coefficient[which]);
}

static bool pack_page(const struct day_sum *sums, size_t count, struct buf *out,
                      struct error *err)
{
    int64_t before = 0;

    block_put_head(out);
    block_put_number(out, count);
    for (size_t n = 0; n < count; n++) {
        block_put_number(out, (uint64_t)(sums[n].group - before));
        before = sums[n].group;
    }
    for (size_t n = 0; n < count; n++)
        block_put_number(out, sums[n].lines);
    for (int which = 0; which < BILL_AMOUNTS; which++)
        put_page_amounts(sums, count, which, out);
    if (!buf_ok(out, err))
        return false;
    block_put_crc(out);
    return true;
}

static bool write_day_page(struct bulk *b, const struct day_sum *sums, size_t count,
                           int64_t bill, int64_t part, struct buf *packed, struct error *err)
{
    char room[BILL_AMOUNTS][DECIMAL_ROOM];
    struct amounts total = {0};
    int64_t lines = 0;

    for (size_t n = 0; n < count; n++) {
        lines += sums[n].lines;
        if (!amounts_add(&total, &sums[n].sum, err))
            return false;
    }
    if (!pack_page(sums, count, packed, err))
        return false;
    bulk_put(b, as_int(bill));
    bulk_put(b, as_int(sums[0].day));
    bulk_put(b, as_int(part));
    bulk_put(b, as_int(sums[0].group));
    for (int n = 0; n < BILL_AMOUNTS; n++)
        bulk_put(b, as_text(decimal_text(amounts_get(&total, n), room[n])));
    bulk_put(b, as_int(lines));
    bulk_put(b, as_blob(buf_text(packed)));
    return bulk_row(b, err);
}

static bool write_day_pages(struct day_sums *d, struct bulk *b, const int64_t *keys,
                            struct error *err)
{
    struct buf packed = buf_new(d->alloc, PACKED_MAX);
    bool ok = true;

    for (size_t n = 0, count; ok && n < d->count; n += count) {
        count = page_length(d->at + n, d->count - n);
        ok = write_day_page(b, d->at + n, count, keys[d->at[n].bill], d->part, &packed, err);
    }
    buf_free(&packed);
    return ok;
}

bool days_write(struct day_sums *d, struct ledger *l, const int64_t *keys, struct error *err)
{
    static const char *const columns[] = {"bill",      "day",  "part",       "grp",   "billed",
                                          "effective", "list", "contracted", "lines", "sums"};
    struct bulk *b;
    bool ok;

    if (d->count == 0)
        return true;
    order_sums(d);
    b = bulk_open(l, "bill_days", columns, ARRAY_LEN(columns), err);
    if (b == NULL)
        return false;
    ok = write_day_pages(d, b, keys, err);
    if (!bulk_close(b, ok, err) || !ok)
        return false;
    d->part++;
    days_forget(d);
    return true;
}

/* ---- reading ---- */

static const char read_pages[] =
    "SELECT day, lines, billed, effective, list, contracted, sums FROM bill_days"
    " WHERE bill = ?1 AND day >= ?2 AND day < ?3 ORDER BY day, part, grp";

struct page_reader page_reader_make(struct ledger *l)
{
    return (struct page_reader){.l = l, .packed = buf_new(l->alloc, PACKED_MAX)};
}

void page_reader_free(struct page_reader *r)
{
    query_reset(r->q);
    buf_free(&r->packed);
    if (r->sums != NULL)
        r->l->alloc->put(r->l->alloc->ctx, r->sums);
}

bool pages_ask(struct page_reader *r, int64_t bill, int64_t since, int64_t until,
               struct error *err)
{
    const struct alloc *alloc = r->l->alloc;

    if (r->sums == NULL)
        r->sums = alloc->get(alloc->ctx, PAGE_SUMS * sizeof r->sums[0]);
    if (r->sums == NULL)
        return error_memory(err);
    r->q =
        ledger_query(r->l, read_pages, VALUES(as_int(bill), as_int(since), as_int(until)), err);
    return r->q != NULL;
}

static bool get_page_amounts(struct page_reader *r, struct block_cursor *c, int which)
{
    uint64_t form = block_get_number(c);

    if (form >= FORM_LIKE + (uint64_t)which ||
        (form == FORM_VALUES && r->count > (size_t)(c->end - c->at)))
        return false;
    for (size_t n = 0; n < r->count; n++) {
        struct amounts *sum = &r->sums[n].sum;

        if (form == FORM_VALUES)
            sum->scale[which] = (int8_t)*c->at++;
        else
            sum->scale[which] = sum->scale[form - 1];
        if (sum->scale[which] > DECIMAL_MAX_SCALE || sum->scale[which] < DECIMAL_MIN_SCALE)
            return false;
    }
    for (size_t n = 0; n < r->count; n++) {
        struct amounts *sum = &r->sums[n].sum;

        sum->coefficient[which] =
            form == FORM_VALUES ? block_get_wide(c) : sum->coefficient[form - 1];
    }
    return !c->bad;
}

static bool unpack_page(struct page_reader *r, int32_t on)
{
    struct block_cursor c;
    struct error ignored;
    int64_t before = 0;

    if (!block_open(buf_text(&r->packed), &c, &ignored))
        return false;
    r->count = block_get_count(&c, PAGE_SUMS);
    for (size_t n = 0; n < r->count; n++) {
        before = (int64_t)((uint64_t)before + block_get_number(&c));
        r->sums[n] = (struct day_sum){.day = on, .group = before};
    }
    for (size_t n = 0; n < r->count; n++)
        r->sums[n].lines = (uint32_t)block_get_number(&c);
    for (int which = 0; which < BILL_AMOUNTS; which++)
        if (!get_page_amounts(r, &c, which))
            return false;
    return !c.bad && c.at == c.end;
}

static bool read_page(struct page_reader *r, struct error *err)
{
    r->lines = column_int(r->q, 1);
    for (int n = 0; n < BILL_AMOUNTS; n++) {
        struct decimal sum;

        if (!column_amount(r->q, 2 + n, &sum, err))
            return false;
        amounts_set(&r->stated, n, sum);
    }
    if (!column_blob(r->q, 6, &r->packed, err))
        return false;
    if (unpack_page(r, (int32_t)column_int(r->q, 0)))
        return true;
    error_set(err, ERROR_DAMAGED, "the ledger is damaged: daily sums of a bill cannot be read");
    error_hint(err, "'stint ledger doctor --repair' computes them again from its lines");
    return false;
}

int pages_next(struct page_reader *r, struct error *err)
{
    int got = ledger_row(r->l, r->q, "read", err);

    if (got > 0 && read_page(r, err))
        return 1;
    query_reset(r->q);
    r->q = NULL;
    return got > 0 ? -1 : got;
}

/* ---- parts ---- */

static const char last_part[] = "SELECT max(part) FROM bill_days WHERE bill = ?1";
static const char next_parted[] = "SELECT day FROM bill_days WHERE bill = ?1 AND day > ?2"
                                  " GROUP BY day HAVING min(part) < max(part)"
                                  " ORDER BY day LIMIT 1";
static const char drop_parts[] =
    "DELETE FROM bill_days WHERE bill = ?1 AND day = ?2 AND part < ?3";

/* The days of a bill whose sums are in several parts become one part each. */
struct days_merging {
    struct page_reader pages;
    int64_t bill;
    struct day_sums *room; /* for the sums of a day */
    size_t limit;          /* to which it may grow */
};

/* All sums of a day: `*rows` of them, added up by group. `*fit`: there was room. */
static bool add_up_day(struct days_merging *m, int64_t on, size_t *rows, bool *fit,
                       struct error *err)
{
    struct page_reader *r = &m->pages;
    int got;

    *rows = 0;
    *fit = true;
    if (!pages_ask(r, m->bill, on, on + 1, err))
        return false;
    while ((got = pages_next(r, err)) > 0) {
        *rows += r->count;
        for (size_t n = 0; n < r->count && *fit; n++)
            if ((days_full(m->room) && !days_grow(m->room, m->limit, fit, err)) ||
                (*fit && !days_add(m->room, &r->sums[n], err)))
                return false;
    }
    return got == 0;
}

/* While few of the sums have the group of another, writing all of them anew takes more than it
 * saves. */
static bool merge_day(struct days_merging *m, int64_t on, struct error *err)
{
    struct ledger *l = m->pages.l;
    int64_t part = m->room->part;
    size_t rows;
    bool fit, ok = add_up_day(m, on, &rows, &fit, err);

    if (ok && fit && 7 * rows >= 8 * m->room->count)
        ok = days_write(m->room, l, &m->bill, err) &&
             ledger_run(l, drop_parts, VALUES(as_int(m->bill), as_int(on), as_int(part)), err);
    days_forget(m->room);
    m->room->part = part;
    return ok;
}

bool days_merge(struct ledger *l, int64_t bill, struct day_sums *room, size_t limit,
                struct error *err)
{
    struct days_merging m = {
        .pages = page_reader_make(l), .bill = bill, .room = room, .limit = limit};
    int64_t on = INT32_MIN, last;
    bool ok = ledger_number(l, last_part, VALUES(as_int(bill)), &last, err), more = last > 0;

    room->part = last + 1;
    while (ok && more) {
        struct query *q = ledger_query(l, next_parted, VALUES(as_int(bill), as_int(on)), err);
        int got = ledger_row(l, q, "read", err);

        more = got > 0;
        on = more ? column_int(q, 0) : 0;
        query_reset(q);
        ok = got >= 0 && (!more || merge_day(&m, on, err));
    }
    page_reader_free(&m.pages);
    return ok;
}
