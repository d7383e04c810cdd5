/* Lines of version 2, a row each, into blocks: in the transaction that takes the ledger
 * forward. Unit prices, which were words of a thing, become numbers of the line. */
#include "base/json.h"
#include "ledger/bills_internal.h"

#define SCRATCH_MAX ((size_t)64 << 20)

/* Texts are added one after the other; where they are is known when the last one is there. */
struct span_of {
    size_t start, len;
    bool known;
};

static bool read_words(struct json *json, struct span_of *at, struct buf *scratch,
                       struct error *err)
{
    struct json_token token;
    enum focus_column column;

    if (!json_next(json, &token, err))
        return false;
    while (token.kind != JSON_END && json_next(json, &token, err)) {
        if (token.kind != JSON_KEY)
            continue;
        column = focus_find(token.text);
        if (!json_next(json, &token, err))
            return false;
        if (column == FOCUS_COUNT || token.kind != JSON_STRING)
            continue;
        at[column] = (struct span_of){scratch->len, token.text.len, true};
        buf_add(scratch, token.text);
    }
    return token.kind == JSON_END && buf_ok(scratch, err);
}

static bool words_read(struct str words, struct bill_line *out, struct buf *scratch,
                       struct error *err)
{
    struct json_options options = {.alloc = scratch->alloc, .max_token = SCRATCH_MAX};
    struct json *json = json_open_text(words, &options, err);
    struct span_of at[FOCUS_COUNT] = {0};
    bool ok;

    buf_clear(scratch);
    if (json == NULL)
        return false;
    ok = read_words(json, at, scratch, err);
    json_close(json);
    for (int i = 0; ok && i < FOCUS_COUNT; i++)
        out->of[i] =
            at[i].known ? (struct str){scratch->at + at[i].start, at[i].len} : (struct str){0};
    return ok;
}

#define TEXTS_MAX ((size_t)1 << 28)

static const char list_bills[] = "SELECT bill, lines FROM bills WHERE state = 'current'"
                                 " ORDER BY bill";
static const char read_lines[] =
    "SELECT l.thing, t.words, t.grp, l.started, l.ended, l.billed, l.effective, l.list,"
    " l.contracted, l.pricing_quantity, l.consumed_quantity, l.pricing_effective,"
    " l.commitment_quantity FROM bill_lines l LEFT JOIN bill_things t ON t.thing = l.thing"
    " WHERE l.bill = ?1 AND l.line > ?2 AND l.line <= ?3 ORDER BY l.line";
enum { THING, WORDS, GROUP, STARTED, ENDED, FIRST_NUMBER };

struct packing {
    struct ledger *l;
    struct arena arena;
    struct record *records;
    struct str *things;
    size_t *starts;
    int64_t *groups;
    struct dictionary known; /* the key is the number of the thing in the block */
    size_t count, thing_count;
    struct buf texts, scratch;
    struct bill_line line; /* the words of the thing that was read last */
    int64_t thing;
    struct block_writer *writer;
};

static bool make_packing(struct packing *p, struct error *err)
{
    p->records = arena_array(&p->arena, struct record, BLOCK_LINES, err);
    p->things = arena_array(&p->arena, struct str, BLOCK_LINES, err);
    p->starts = arena_array(&p->arena, size_t, BLOCK_LINES + 1, err);
    p->groups = arena_array(&p->arena, int64_t, BLOCK_LINES, err);
    p->writer = block_writer_make(p->l->alloc, err);
    return p->records != NULL && p->things != NULL && p->starts != NULL && p->groups != NULL &&
           p->writer != NULL && dictionary_make(&p->known, p->l->alloc, BLOCK_LINES * 128, err);
}

/* Amounts and quantities of the row, and unit prices of the words. */
static bool read_numbers(struct packing *p, struct query *q, struct record *r,
                         struct error *err)
{
    struct decimal number;

    for (int n = 0; n < BILL_LIST_UNIT; n++) {
        if (column_null(q, FIRST_NUMBER + n))
            continue;
        if (!column_amount(q, FIRST_NUMBER + n, &number, err))
            return false;
        record_set(r, n, number);
    }
    record_finish(r);
    return record_numbers(r, &p->line, err);
}

static bool take_thing(struct packing *p, struct query *q, struct record *r, struct error *err)
{
    static const uint64_t key[2] = {0};
    uint32_t entry;
    bool added;

    entry = dictionary_find(&p->known, record_digest(key, &p->line, r), &added);
    if (added) {
        p->known.entries[entry].key = (int64_t)p->thing_count;
        p->starts[p->thing_count] = p->texts.len;
        p->groups[p->thing_count++] = column_int(q, GROUP);
        record_words(&p->line, r, &p->texts);
    }
    r->thing = (uint32_t)p->known.entries[entry].key;
    return buf_ok(&p->texts, err);
}

static bool take_row(struct packing *p, struct query *q, struct error *err)
{
    struct record *r = &p->records[p->count++];
    int64_t thing = column_int(q, THING);

    memset(r, 0, sizeof *r);
    if (thing != p->thing) {
        struct str words = column_view(q, WORDS);

        p->line = (struct bill_line){0};
        if (words.len > 0 && !words_read(words, &p->line, &p->scratch, err))
            return false;
    }
    p->thing = thing;
    r->start = column_int(q, STARTED);
    r->end = column_int(q, ENDED);
    return read_numbers(p, q, r, err) && take_thing(p, q, r, err);
}

static bool read_rows(struct packing *p, int64_t bill, int64_t after, struct error *err)
{
    struct query *q = ledger_query(
        p->l, read_lines,
        VALUES(as_int(bill), as_int(after), as_int(after + (int64_t)BLOCK_LINES)), err);
    int got;

    p->count = p->thing_count = 0;
    p->thing = -1;
    buf_clear(&p->texts);
    dictionary_forget(&p->known);
    while ((got = ledger_row(p->l, q, "read", err)) > 0)
        if (!take_row(p, q, err)) {
            query_reset(q);
            return false;
        }
    return got == 0;
}

static bool write_block(struct packing *p, int64_t bill, int64_t line, struct error *err)
{
    struct block_lines of = {.records = p->records,
                             .count = p->count,
                             .things = p->things,
                             .groups = p->groups,
                             .thing_count = p->thing_count};
    struct bulk *b;
    bool ok;

    if (p->count == 0)
        return true;
    p->starts[p->thing_count] = p->texts.len;
    for (size_t n = 0; n < p->thing_count; n++)
        p->things[n] =
            (struct str){p->texts.at + p->starts[n], p->starts[n + 1] - p->starts[n]};
    if (!block_write(p->writer, &of, err) || (b = blocks_open(p->l, err)) == NULL)
        return false;
    ok = blocks_put(b, bill, line, p->count, p->writer, err);
    return bulk_close(b, ok, err) && ok;
}

static bool pack_bill(struct packing *p, int64_t bill, int64_t lines, struct error *err)
{
    int64_t written = 0;

    for (int64_t after = 0; after < lines; after += (int64_t)BLOCK_LINES) {
        if (!read_rows(p, bill, after, err) || !write_block(p, bill, written + 1, err))
            return false;
        written += (int64_t)p->count;
    }
    return days_merge(p->l, bill, err);
}

static bool pack_bills(struct packing *p, struct error *err)
{
    struct query *q = ledger_query(p->l, list_bills, NO_VALUES, err);
    struct {
        int64_t bill, lines;
    } *bills = NULL;
    size_t count = 0, room = 0;
    int got;

    while ((got = ledger_row(p->l, q, "read", err)) > 0) {
        bills = arena_grow(&p->arena, bills, count, sizeof *bills, &room, err);
        if (bills == NULL) {
            query_reset(q);
            return false;
        }
        bills[count].bill = column_int(q, 0);
        bills[count++].lines = column_int(q, 1);
    }
    if (got < 0)
        return false;
    if (count > 0 && !make_packing(p, err))
        return false;
    for (size_t n = 0; n < count; n++)
        if (!pack_bill(p, bills[n].bill, bills[n].lines, err))
            return false;
    return true;
}

bool ledger_pack_lines(struct ledger *l, struct error *err)
{
    struct packing p = {.l = l,
                        .arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE},
                        .texts = buf_new(l->alloc, TEXTS_MAX),
                        .scratch = buf_new(l->alloc, TEXTS_MAX)};
    bool ok = pack_bills(&p, err);

    dictionary_free(&p.known);
    block_writer_free(p.writer);
    buf_free(&p.texts);
    buf_free(&p.scratch);
    arena_free(&p.arena);
    return ok;
}
