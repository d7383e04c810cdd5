/* The bills that are in the ledger. */
#include "ledger/bills_internal.h"

static const char list_bills[] =
    "SELECT " BILL_COLUMNS " FROM bills b JOIN imports i ON i.import = b.import"
    " WHERE b.state = 'current'"
    " ORDER BY b.period_start, b.provider, b.account, b.bill";
static const char find_bill[] =
    "SELECT " BILL_COLUMNS " FROM bills b JOIN imports i ON i.import = b.import"
    " WHERE b.state = 'current' AND b.bill = ?1";
static const char bury[] = "UPDATE bills SET state = 'gone' WHERE bill = ?1";
static const char pair[] =
    "UPDATE bills SET paired = CASE WHEN EXISTS (SELECT 1 FROM bills o"
    "  WHERE o.state = 'current' AND o.provider = bills.provider"
    "  AND o.account = bills.account AND o.period_start BETWEEN ?3 AND ?5"
    "  AND o.currency = bills.currency AND o.amounts <> bills.amounts) THEN 1 ELSE 0 END"
    " WHERE state = 'current' AND provider = ?1 AND account = ?2"
    " AND period_start BETWEEN ?3 AND ?5 AND currency = ?4";

#define ZONE_EAST (14 * 3600) /* s: of all zones the earliest and the latest */
#define ZONE_WEST (12 * 3600)

stamp ledger_period_edge(stamp start)
{
    stamp edge = stamp_month((stamp){start.s + ZONE_EAST});

    return start.s - edge.s <= ZONE_WEST ? edge : start;
}

struct period_starts period_starts_of(stamp start)
{
    stamp edge = ledger_period_edge(start);

    if (stamp_month(edge).s != edge.s)
        return (struct period_starts){start.s, start.s};
    return (struct period_starts){edge.s - ZONE_EAST, edge.s + ZONE_WEST};
}

static int32_t later(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t earlier(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

void bill_cover(struct ledger_bill *b)
{
    int32_t last = day_of((stamp){b->period_end.s - 1}).n;

    b->covers_first.n = later(b->first_day.n, day_of(b->period_start).n);
    b->covers_last.n = earlier(earlier(b->last_day.n, last), day_of(b->imported).n);
    if (b->covers_last.n < b->covers_first.n)
        b->covers_last.n = b->covers_first.n - 1;
}

bool bill_row(struct query *q, struct arena *arena, struct ledger_bill *out, struct error *err)
{
    *out = (struct ledger_bill){
        .key = column_int(q, 0),
        .amounts = str_eq(column_view(q, 7), STR("amortised")) ? BILL_AMORTIZED : BILL_BOTH,
        .paired = column_int(q, 8) != 0,
        .coarse = column_int(q, 18) != 0,
        .period_start = {column_int(q, 9)},
        .period_end = {column_int(q, 10)},
        .first_day = {(int32_t)column_int(q, 11)},
        .last_day = {(int32_t)column_int(q, 12)},
        .imported = {column_int(q, 13)},
        .lines = column_int(q, 14)};
    bill_cover(out);
    return column_text(q, 1, arena, &out->provider, err) &&
           column_text(q, 2, arena, &out->account, err) &&
           column_text(q, 3, arena, &out->currency, err) &&
           column_text(q, 4, arena, &out->format, err) &&
           column_text(q, 5, arena, &out->version, err) &&
           column_text(q, 6, arena, &out->files, err) &&
           column_text(q, 17, arena, &out->account_name, err) &&
           column_amount(q, 15, &out->billed, err) &&
           column_amount(q, 16, &out->effective, err);
}

bool bills_pair(struct ledger *l, const struct ledger_bill *of, struct error *err)
{
    struct period_starts starts = period_starts_of(of->period_start);
    struct query *q = ledger_query(l, pair, err);

    if (q == NULL)
        return false;
    bind_text(q, 1, of->provider);
    bind_text(q, 2, of->account);
    bind_int(q, 3, starts.first);
    bind_text(q, 4, of->currency);
    bind_int(q, 5, starts.last);
    return ledger_done(l, q, "write", err);
}

/* As a chain, since their number is not known. */
struct link {
    struct link *next;
    struct ledger_bill bill;
};

static bool read_chain(struct ledger *l, struct query *q, struct arena *arena,
                       struct link **first, size_t *count, struct error *err)
{
    struct link **end = first;
    int got;

    while ((got = ledger_row(l, q, "read", err)) > 0) {
        *end = arena_array(arena, struct link, 1, err);
        if (*end == NULL || !bill_row(q, arena, &(*end)->bill, err)) {
            query_reset(q);
            return false;
        }
        end = &(*end)->next;
        (*count)++;
    }
    return got == 0;
}

bool bills_read(struct ledger *l, struct arena *arena, struct ledger_bill **out, size_t *count,
                struct error *err)
{
    struct query *q = ledger_query(l, list_bills, err);
    struct link *first = NULL;
    size_t n = 0;

    *count = 0;
    if (q == NULL || !read_chain(l, q, arena, &first, count, err))
        return false;
    *out = arena_array(arena, struct ledger_bill, *count, err);
    if (*out == NULL)
        return false;
    for (; first != NULL; first = first->next)
        (*out)[n++] = first->bill;
    return true;
}

bool ledger_bills(struct ledger *l, struct arena *arena, const struct ledger_bill **out,
                  size_t *count, struct error *err)
{
    struct ledger_bill *bills = NULL;
    int tables = ledger_start_read(l, err);
    bool ok;

    *out = NULL;
    *count = 0;
    if (tables <= 0)
        return tables == 0;
    ok = bills_read(l, arena, &bills, count, err);
    *out = bills;
    return ledger_finish(l, ok, err);
}

static bool remove_bill(struct ledger *l, int64_t key, struct arena *arena, struct error *err)
{
    struct query *q = ledger_query(l, find_bill, err);
    struct ledger_bill bill;
    bool ok;
    int got;

    if (q == NULL)
        return false;
    bind_int(q, 1, key);
    got = ledger_row(l, q, "read", err);
    if (got == 0)
        error_set(err, ERROR_ABSENT, "there is no bill %lld in the ledger", (long long)key);
    if (got <= 0)
        return false;
    ok = bill_row(q, arena, &bill, err);
    query_reset(q);
    if (!ok || (q = ledger_query(l, bury, err)) == NULL)
        return false;
    bind_int(q, 1, key);
    return ledger_done(l, q, "write", err) && bills_pair(l, &bill, err);
}

bool ledger_bill_remove(struct ledger *l, int64_t key, struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct error later = {0};
    bool ok =
        ledger_start_alone(l, err) && ledger_finish(l, remove_bill(l, key, &arena, err), err);

    arena_free(&arena);
    if (ok) /* what cannot be swept now will be by the next import */
        (void)sweep_gone(l, &later);
    return ok;
}
