/* Costs by day and dimension, from the daily sums. Added up here rather than by the engine:
 * exact sums cost it more than sending the rows. */
#include "ledger/bills_internal.h"

#define CHUNK 64                    /* the first size of a table */
#define SUMS_MOST ((size_t)1 << 16) /* that are held: then they are reported */

static const char read_groups[] = "SELECT grp, names FROM bill_groups";

/* Groups that look the same by what was asked for are one "face". */
struct face {
    uint64_t hash;
    struct dimensions of;
};

struct group_face {
    int64_t group;
    uint32_t face;
};

struct sum {
    struct amounts amounts;
    int32_t day;
    uint32_t face;
    struct currency currency;
    int64_t lines;
};

/* A table of rows of `size` bytes that is found by hash: open addressing, in an arena. */
struct rows_table {
    char *at;
    uint32_t *slots;
    size_t size, count, room, slot_count;
};

struct costs {
    struct ledger *l;
    const struct ledger_cost_query *query;
    struct arena arena;
    struct rows_table faces, groups, sums;
    bool (*each)(void *ctx, const struct ledger_cost *cost, struct error *err);
    void *each_ctx;
    const struct ledger_bill *bill; /* that is being read */
    unsigned amounts;               /* that it has, of those that are wanted */
    struct buf names;               /* of the group that is being read */
    int32_t from, grain; /* the day that was last looked at, and the first of its grain */
};

static bool table_grow(struct rows_table *t, struct arena *arena,
                       uint64_t (*hash)(const void *row), struct error *err)
{
    size_t room = t->room == 0 ? CHUNK : t->room * 2, slots = room * 2;
    char *at;
    uint32_t *places;

    if (t->count < t->room)
        return true;
    at = arena_get(arena, room, t->size, alignof(max_align_t), err);
    places = arena_array(arena, uint32_t, slots, err);
    if (at == NULL || places == NULL)
        return false;
    if (t->count > 0)
        memcpy(at, t->at, t->count * t->size);
    for (size_t i = 0; i < t->count; i++) {
        size_t place = (size_t)hash(at + i * t->size) & (slots - 1);

        while (places[place] != 0)
            place = (place + 1) & (slots - 1);
        places[place] = (uint32_t)i + 1;
    }
    t->at = at;
    t->slots = places;
    t->room = room;
    t->slot_count = slots;
    return true;
}

/* The slot of the row that is like `row`, or the free one where it belongs. */
static size_t table_place(const struct rows_table *t, const void *row,
                          uint64_t (*hash)(const void *row),
                          bool (*same)(const void *a, const void *b))
{
    size_t place = (size_t)hash(row) & (t->slot_count - 1);

    while (t->slots[place] != 0 && !same(t->at + (t->slots[place] - 1) * t->size, row))
        place = (place + 1) & (t->slot_count - 1);
    return place;
}

/* The row that is like `row`; NULL: there is none. */
static void *table_get(const struct rows_table *t, const void *row,
                       uint64_t (*hash)(const void *row),
                       bool (*same)(const void *a, const void *b))
{
    size_t place;

    if (t->count == 0)
        return NULL;
    place = table_place(t, row, hash, same);
    return t->slots[place] != 0 ? t->at + (t->slots[place] - 1) * t->size : NULL;
}

/* The row that is like `row`; else a copy of it, with *added set. NULL with the error set. */
static void *table_find(struct rows_table *t, struct arena *arena, const void *row,
                        uint64_t (*hash)(const void *row),
                        bool (*same)(const void *a, const void *b), bool *added,
                        struct error *err)
{
    size_t place;

    if (!table_grow(t, arena, hash, err))
        return NULL;
    place = table_place(t, row, hash, same);
    *added = t->slots[place] == 0;
    if (!*added)
        return t->at + (t->slots[place] - 1) * t->size;
    memcpy(t->at + t->count * t->size, row, t->size);
    t->slots[place] = (uint32_t)++t->count;
    return t->at + (t->count - 1) * t->size;
}

static uint64_t face_hash(const void *row)
{
    return ((const struct face *)row)->hash;
}

static bool face_same(const void *a, const void *b)
{
    const struct face *x = a, *y = b;

    if (x->hash != y->hash)
        return false;
    for (int i = 0; i < DIMENSION_COUNT; i++)
        if (!str_eq(x->of.of[i], y->of.of[i]))
            return false;
    return true;
}

static uint64_t mixed(uint64_t n)
{
    n *= UINT64_C(0x9e3779b97f4a7c15);
    return n ^ n >> 32;
}

static uint64_t group_hash(const void *row)
{
    return mixed((uint64_t)((const struct group_face *)row)->group);
}

static bool group_same(const void *a, const void *b)
{
    return ((const struct group_face *)a)->group == ((const struct group_face *)b)->group;
}

static uint64_t sum_hash(const void *row)
{
    const struct sum *s = row;
    uint64_t currency = (uint64_t)(unsigned char)s->currency.code[0] << 16 |
                        (uint64_t)(unsigned char)s->currency.code[1] << 8 |
                        (uint64_t)(unsigned char)s->currency.code[2];

    return mixed(mixed((uint64_t)s->face << 32 ^ (uint32_t)s->day) ^ currency);
}

static bool sum_same(const void *a, const void *b)
{
    const struct sum *x = a, *y = b;

    return x->face == y->face && x->day == y->day && currency_is(x->currency, y->currency);
}

static bool read_costs_group(struct costs *c, struct query *q, struct error *err)
{
    struct face face = {.hash = (uint64_t)(uintptr_t)c}, *found;
    struct group_face group = {.group = column_int(q, 0)};
    struct dimensions names;
    bool added;

    if (!column_blob(q, 1, &c->names, err))
        return false;
    group_names(buf_text(&c->names), &names);
    for (int i = 0; i < DIMENSION_COUNT; i++)
        if ((c->query->by >> i & 1) != 0) {
            face.of.of[i] = names.of[i];
            face.hash = text_hash(face.hash + (unsigned)i, face.of.of[i]);
        }
    if (c->query->only != NULL && !c->query->only(c->query->only_ctx, &face.of))
        return true;
    found = table_find(&c->faces, &c->arena, &face, face_hash, face_same, &added, err);
    if (found == NULL)
        return false;
    for (int i = 0; added && i < DIMENSION_COUNT; i++) {
        struct str *text = &found->of.of[i];

        if (text->len > 0 && (text->at = str_dup(*text, &c->arena, err)) == NULL)
            return false;
    }
    group.face = (uint32_t)(found - (const struct face *)(const void *)c->faces.at);
    return table_find(&c->groups, &c->arena, &group, group_hash, group_same, &added, err) !=
           NULL;
}

/* The first day of the grain that the day is in. */
static int32_t start_of_grain(struct costs *c, int32_t at)
{
    if (c->query->grain == GRAIN_ALL)
        return DAY_UNKNOWN.n;
    if (c->query->grain == GRAIN_MONTH && at != c->from) {
        c->grain = day_month_start((day){at}).n;
        c->from = at;
    }
    return c->query->grain == GRAIN_MONTH ? c->grain : at;
}

/* A bill has both amounts unless it is one of a pair: an amortized one has the effective cost
 * alone. */
static unsigned amounts_of_bill(const struct costs *c, const struct ledger_bill *bill)
{
    unsigned wanted = c->query->amounts == 0 ? ~0u : c->query->amounts;

    for (int i = 0; i < BILL_AMOUNTS; i++)
        if (bill->paired && (bill->amounts == BILL_AMORTIZED ? i > 1 : i == 1))
            wanted &= ~(1u << i);
    return wanted;
}

/* Pass on the sums that are held, and forget them. */
static bool report_sums(struct costs *c, struct error *err)
{
    const struct sum *sums = (const void *)c->sums.at;
    const struct face *faces = (const void *)c->faces.at;

    for (size_t i = 0; i < c->sums.count; i++) {
        struct ledger_cost cost = {.from = {sums[i].day},
                                   .of = faces[sums[i].face].of,
                                   .billed = amounts_get(&sums[i].amounts, 0),
                                   .effective = amounts_get(&sums[i].amounts, 1),
                                   .list = amounts_get(&sums[i].amounts, 2),
                                   .contracted = amounts_get(&sums[i].amounts, 3),
                                   .currency = sums[i].currency,
                                   .lines = sums[i].lines};

        if (!c->each(c->each_ctx, &cost, err))
            return false;
    }
    c->sums.count = 0;
    if (c->sums.slot_count > 0)
        memset(c->sums.slots, 0, c->sums.slot_count * sizeof *c->sums.slots);
    return true;
}

static bool read_day_sum(struct costs *c, const struct day_sum *from, struct error *err)
{
    struct group_face group = {.group = from->group}, *known;
    struct sum sum = {.amounts = from->sum,
                      .day = start_of_grain(c, from->day),
                      .lines = from->lines},
               *found;
    bool added;

    known = table_get(&c->groups, &group, group_hash, group_same);
    if (known == NULL)
        return c->query->only != NULL ||
               error_fail(err, ERROR_DAMAGED, "the ledger is damaged: a group is missing");
    sum.face = known->face;
    sum.currency = currency_from(c->bill->currency);
    for (int i = 0; i < BILL_AMOUNTS; i++)
        if ((c->amounts >> i & 1) == 0)
            amounts_set(&sum.amounts, i, (struct decimal){0});
    if (c->sums.count == SUMS_MOST && !report_sums(c, err))
        return false;
    found = table_find(&c->sums, &c->arena, &sum, sum_hash, sum_same, &added, err);
    if (found == NULL || added)
        return found != NULL;
    found->lines += sum.lines;
    return amounts_add(&found->amounts, &sum.amounts, err);
}

static bool read_all_groups(struct costs *c, struct error *err)
{
    struct query *q = ledger_query(c->l, read_groups, NO_VALUES, err);
    int got;

    while ((got = ledger_row(c->l, q, "read", err)) > 0)
        if (!read_costs_group(c, q, err)) {
            query_reset(q);
            return false;
        }
    return got == 0;
}

static bool read_bill_days(struct costs *c, struct page_reader *pages,
                           const struct ledger_bill *bill, int32_t since, int32_t until,
                           struct error *err)
{
    int got;

    c->bill = bill;
    c->amounts = amounts_of_bill(c, bill);
    if (!pages_ask(pages, bill->key, since, until, err))
        return false;
    while ((got = pages_next(pages, err)) > 0)
        for (size_t n = 0; n < pages->count; n++)
            if (!read_day_sum(c, &pages->sums[n], err))
                return false;
    return got == 0;
}

static bool gather_sums(struct costs *c, struct page_reader *pages, struct error *err)
{
    int32_t since = c->query->since.n; /* unknown: before all others */
    int32_t until = c->query->until.n == DAY_UNKNOWN.n ? INT32_MAX : c->query->until.n;
    const struct ledger_bill *bills;
    size_t count;

    if (!read_all_groups(c, err) || !bills_read(c->l, &c->arena, &bills, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (bills[i].last_day.n >= since && bills[i].first_day.n < until &&
            !read_bill_days(c, pages, &bills[i], since, until, err))
            return false;
    return true;
}

bool ledger_costs(struct ledger *l, const struct ledger_cost_query *query,
                  bool (*each)(void *ctx, const struct ledger_cost *cost, struct error *err),
                  void *ctx, struct error *err)
{
    struct costs c = {.l = l,
                      .query = query,
                      .arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE},
                      .faces = {.size = sizeof(struct face)},
                      .groups = {.size = sizeof(struct group_face)},
                      .sums = {.size = sizeof(struct sum)},
                      .names = buf_new(l->alloc, BUF_MAX_OUTPUT),
                      .from = INT32_MIN,
                      .each = each,
                      .each_ctx = ctx};
    struct page_reader pages = page_reader_make(l);
    int tables = ledger_start_read(l, err);
    bool ok;

    if (tables <= 0)
        return tables == 0;
    ok = gather_sums(&c, &pages, err);
    page_reader_free(&pages);
    ok = ledger_finish(l, ok, err) && report_sums(&c, err);
    buf_free(&c.names);
    arena_free(&c.arena);
    return ok;
}
