/* The table of blocks: rows in and out. */
#include "ledger/bills_internal.h"

#define CONTENT_MAX ((size_t)1 << 29)

static const char next_block[] =
    "SELECT line, lines, billed, effective, list, contracted, groups, content FROM bill_blocks"
    " WHERE bill = ?1 AND line > ?2 AND last >= ?3 AND first < ?4 ORDER BY line LIMIT 1";

struct bulk *blocks_open(struct ledger *l, struct error *err)
{
    static const char *const columns[] = {"bill",       "line",   "lines",     "first",
                                          "last",       "billed", "effective", "list",
                                          "contracted", "groups", "content"};

    return bulk_open(l, "bill_blocks", columns, ARRAY_LEN(columns), err);
}

bool blocks_put(struct bulk *b, int64_t bill, int64_t line, size_t lines,
                const struct block_writer *block, struct error *err)
{
    char room[BILL_AMOUNTS][DECIMAL_ROOM];

    bulk_int(b, bill);
    bulk_int(b, line);
    bulk_int(b, (int64_t)lines);
    bulk_int(b, block->first);
    bulk_int(b, block->last);
    for (int n = 0; n < BILL_AMOUNTS; n++)
        bulk_amount(b, decimal_text(amounts_get(&block->sums, n), room[n]));
    bulk_blob(b, buf_text(&block->groups));
    bulk_blob(b, buf_text(&block->content));
    return bulk_row(b, err);
}

struct block_reader block_reader_make(struct ledger *l)
{
    return (struct block_reader){.l = l,
                                 .arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE},
                                 .content = buf_new(l->alloc, CONTENT_MAX),
                                 .groups = buf_new(l->alloc, CONTENT_MAX)};
}

void block_reader_free(struct block_reader *r)
{
    arena_free(&r->arena);
    buf_free(&r->content);
    buf_free(&r->groups);
}

static bool read_row(struct block_reader *r, struct query *q, struct error *err)
{
    r->line = column_int(q, 0);
    r->stated = column_int(q, 1);
    for (int n = 0; n < BILL_AMOUNTS; n++) {
        struct decimal sum;

        if (!column_amount(q, 2 + n, &sum, err))
            return false;
        amounts_set(&r->sums, n, sum);
    }
    return column_blob(q, 6, &r->groups, err) && column_blob(q, 7, &r->content, err);
}

int block_next(struct block_reader *r, int64_t bill, int64_t after, int64_t since,
               int64_t until, struct error *err)
{
    struct query *q = ledger_query(r->l, next_block, err);
    bool ok;
    int got;

    if (q == NULL)
        return -1;
    bind_int(q, 1, bill);
    bind_int(q, 2, after);
    bind_int(q, 3, since);
    bind_int(q, 4, until);
    got = ledger_row(r->l, q, "read", err);
    if (got <= 0)
        return got;
    ok = read_row(r, q, err);
    query_reset(q);
    arena_free(&r->arena);
    if (!ok || !block_read(buf_text(&r->content), &r->arena, &r->block, err))
        return -1;
    r->group = arena_array(&r->arena, int64_t, r->block.thing_count, err);
    if (r->group == NULL ||
        !block_read_groups(buf_text(&r->groups), r->block.thing_count, r->group, err))
        return -1;
    return 1;
}

int64_t block_end(const struct block_reader *r)
{
    return r->line + (int64_t)r->block.count;
}

int64_t block_since(const struct ledger_line_query *query)
{
    return query->since.n == DAY_UNKNOWN.n ? INT64_MIN : query->since.n * SECONDS_PER_DAY;
}

int64_t block_until(const struct ledger_line_query *query)
{
    return query->until.n == DAY_UNKNOWN.n ? INT64_MAX : query->until.n * SECONDS_PER_DAY;
}
