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

static int32_t earlier_bill_day(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

void bill_cover(struct ledger_bill *b)
{
    int32_t last = day_of((stamp){b->period_end.s - 1}).n;

    b->covers_first.n = later(b->first_day.n, day_of(b->period_start).n);
    b->covers_last.n =
        earlier_bill_day(earlier_bill_day(b->last_day.n, last), day_of(b->imported).n);
    if (b->covers_last.n < b->covers_first.n)
        b->covers_last.n = b->covers_first.n - 1;
}

/* Of its first group. */
static bool read_account_name(struct query *q, int at, struct arena *arena, struct str *out,
                              struct error *err)
{
    struct buf names = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct dimensions of;
    bool ok = column_blob(q, at, &names, err);

    if (ok) {
        group_names(buf_text(&names), &of);
        ok = str_keep(of.of[DIMENSION_account], arena, out, err);
    }
    buf_free(&names);
    return ok;
}

bool bill_row(struct query *q, struct arena *arena, struct ledger_bill *out, struct error *err)
{
    *out = (struct ledger_bill){
        .key = column_int(q, 0),
        .amounts = str_eq(column_view(q, 7), STR("amortized")) ? BILL_AMORTIZED : BILL_BOTH,
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
           read_account_name(q, 17, arena, &out->account_name, err) &&
           column_amount(q, 15, &out->billed, err) &&
           column_amount(q, 16, &out->effective, err);
}

bool bills_pair(struct ledger *l, const struct ledger_bill *of, struct error *err)
{
    struct period_starts starts = period_starts_of(of->period_start);

    return ledger_run(l, pair,
                      VALUES(as_text(of->provider), as_text(of->account), as_int(starts.first),
                             as_text(of->currency), as_int(starts.last)),
                      err);
}

static bool read_bill_row(struct query *q, struct arena *arena, void *to, struct error *err)
{
    return bill_row(q, arena, to, err);
}

static const struct ledger_list bill_list = {.fields.size = sizeof(struct ledger_bill),
                                             .read = read_bill_row};

bool bills_read(struct ledger *l, struct arena *arena, const struct ledger_bill **out,
                size_t *count, struct error *err)
{
    struct rows rows;
    bool ok = ledger_list_read(l, list_bills, NO_VALUES, &bill_list, arena, &rows, err);

    *out = rows.at;
    *count = rows.len;
    return ok;
}

bool ledger_bills(struct ledger *l, struct arena *arena, const struct ledger_bill **out,
                  size_t *count, struct error *err)
{
    return ledger_list_all(l, list_bills, NO_VALUES, &bill_list, arena, LIST_OUT(out, count),
                           err);
}

static bool remove_bill(struct ledger *l, int64_t key, struct arena *arena, struct error *err)
{
    struct query *q = ledger_query(l, find_bill, VALUES(as_int(key)), err);
    int got = ledger_row(l, q, "read", err);
    struct ledger_bill bill;
    bool ok;

    if (got == 0)
        error_set(err, ERROR_ABSENT, "there is no bill %lld in the ledger", (long long)key);
    if (got <= 0)
        return false;
    ok = bill_row(q, arena, &bill, err);
    query_reset(q);
    return ok && ledger_run(l, bury, VALUES(as_int(key)), err) && bills_pair(l, &bill, err);
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
