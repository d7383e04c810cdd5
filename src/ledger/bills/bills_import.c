/* An import: lines in, chunk by chunk; at its end it becomes visible and what it replaces is
 * removed, in one transaction. */
#include <string.h>

#include "doc/json_write.h"
#include "ledger/bills_internal.h"

/* ---- what imports that died left, and bills that were replaced ---- */

#define SWEEP_LINES 32768 /* in one transaction */
#define SILENCE 600       /* s without a word of an import on another machine: it is dead */
#define SILENCE_RUN 120   /* what ledger_alive() allows */

static const char open_imports[] =
    "SELECT import, heard, host, boot, pid, pid_started, pid_namespace FROM imports"
    " WHERE finished IS NULL ORDER BY import";
static const char bury_bills[] =
    "UPDATE bills SET state = 'gone' WHERE import = ?1 AND state = 'loading'";
static const char finish_import[] = "UPDATE imports SET finished = heard WHERE import = ?1";

static const char next_gone[] =
    "SELECT b.bill, (SELECT max(k.line) FROM bill_blocks k WHERE k.bill = b.bill)"
    " FROM bills b WHERE b.state = 'gone' ORDER BY b.bill LIMIT 1";
static const char drop_lines[] = "DELETE FROM bill_blocks WHERE bill = ?1 AND line > ?2";
static const char drop_days[] = "DELETE FROM bill_days WHERE bill = ?1";
static const char drop_bill[] = "DELETE FROM bills WHERE bill = ?1";
static const char drop_imports[] =
    "DELETE FROM imports WHERE import > ?1 AND finished IS NOT NULL AND NOT EXISTS"
    " (SELECT 1 FROM bills WHERE bills.import = imports.import)";

static bool run_with(struct ledger *l, const char *sql, int64_t key, struct error *err)
{
    return ledger_run(l, sql, VALUES(as_int(key)), err);
}

static bool sweep_import(struct ledger *l, int64_t import, struct error *err)
{
    return run_with(l, bury_bills, import, err) && run_with(l, finish_import, import, err);
}

int64_t sweep_next_dead(struct ledger *l, int64_t after, struct error *err)
{
    struct query *q = ledger_query(l, open_imports, NO_VALUES, err);
    stamp now = l->clock->today(l->clock->ctx);
    int64_t found = 0;
    int got;

    while (found == 0 && (got = ledger_row(l, q, "read", err)) > 0) {
        struct ledger_supervisor who = column_supervisor(q, 1);

        /* One that waits for a slow pipe says nothing for longer than a run may. */
        who.heard.s += SILENCE - SILENCE_RUN;
        if (column_int(q, 0) > after && !ledger_alive(&who, now))
            found = column_int(q, 0);
    }
    if (found > 0)
        query_reset(q);
    return got < 0 ? -1 : found;
}

bool sweep_dead(struct ledger *l, struct error *err)
{
    int64_t dead = 0;

    while ((dead = sweep_next_dead(l, dead, err)) > 0)
        if (!sweep_import(l, dead, err))
            return false;
    return dead == 0;
}

/* A part of the lines of the first bill that is gone, or the bill itself. `*more` while there
 * is something left. */
static bool sweep_some(struct ledger *l, bool *more, struct error *err)
{
    struct query *q = ledger_query(l, next_gone, NO_VALUES, err);
    int64_t bill = 0, last = 0;
    int got = ledger_row(l, q, "read", err);

    *more = got > 0;
    if (got <= 0)
        return got == 0 && run_with(l, drop_imports, 0, err);
    bill = column_int(q, 0);
    last = column_count(q, 1); /* -1: it has no lines any more */
    query_reset(q);
    if (last < 0)
        return run_with(l, drop_days, bill, err) && run_with(l, drop_bill, bill, err);
    return ledger_run(l, drop_lines, VALUES(as_int(bill), as_int(last - SWEEP_LINES)), err);
}

bool sweep_gone(struct ledger *l, struct error *err)
{
    bool more = true;

    while (more)
        if (!ledger_start_write(l, err) || !ledger_finish(l, sweep_some(l, &more, err), err))
            return false;
    return true;
}

/* ---- an import ---- */

#define MEMORY ((size_t)40 << 20)
#define CHUNK_LEAST ((size_t)64)
#define TEXTS_MAX ((size_t)128 << 20)
#define BY_DAY_LEAST ((size_t)16 << 10)
#define LATEST_FLUSH ((int64_t)20 * 1000000000) /* ns: others hear of us at least so often */

/* Keys for digests are made once, with the first import. */
static const char add_state[] =
    "INSERT INTO bill_state(one, key_0, key_1, next_grp, grouping, regrouping)"
    " VALUES (1, ?1, ?2, 1, 0, 0) ON CONFLICT DO NOTHING";
static const char read_state[] =
    "SELECT key_0, key_1, grouping,"
    " CASE WHEN EXISTS(SELECT 1 FROM bill_groups) THEN 0 ELSE 1 END"
    " FROM bill_state";
static const char add_import[] =
    "INSERT INTO imports(id, began, heard, owner, host, boot, pid, pid_started, pid_namespace)"
    " VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING import";
static const char add_bill[] =
    "INSERT INTO bills(import, state, provider, account, currency, period_start, period_end,"
    " amounts, format, version, coarse, files)"
    " VALUES (?1, 'loading', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, '[]') RETURNING bill";
static const char tell_heard[] =
    "UPDATE imports SET heard = ?2 WHERE import = ?1 AND finished IS NULL RETURNING import";

static bool make_import_state(struct ledger_import *i, struct error *err)
{
    char dice[2 * LEDGER_ID]; /* ids are made of dice: 62 bits in each */
    struct query *q = ledger_query(i->l, add_state, NO_VALUES, err);
    int got;

    for (int k = 0; k < 2; k++) {
        ledger_new_id((stamp){0}, dice);
        ledger_new_id((stamp){0}, dice + LEDGER_ID);
        query_bind(q, k + 1,
                   as_int((int64_t)text_hash((uint64_t)k, (struct str){dice, sizeof dice})));
    }
    if (!ledger_done(i->l, q, "write", err))
        return false;
    q = ledger_query(i->l, read_state, NO_VALUES, err);
    got = ledger_row(i->l, q, "read", err);
    if (got <= 0)
        return got < 0 ? false : error_fail(err, ERROR_FAILED, "the ledger keeps no state");
    i->secret[0] = (uint64_t)column_int(q, 0);
    i->secret[1] = (uint64_t)column_int(q, 1);
    i->grouping = column_int(q, 2);
    i->groups.complete = column_int(q, 3) == 1;
    query_reset(q);
    return true;
}

static bool make_import(struct ledger_import *i, struct error *err)
{
    const struct ledger_import_options *o = &i->options;
    stamp now = i->l->clock->today(i->l->clock->ctx);
    char id[LEDGER_ID];

    ledger_new_id(now, id);
    return ledger_insert(i->l, add_import,
                         VALUES(as_text(str_from(id)), as_int(now.s), as_text(o->owner),
                                as_text(o->host), as_text(o->boot), as_int(o->pid),
                                as_int(o->pid_started), as_int(ledger_namespace())),
                         &i->key, err);
}

static bool chunk_make(struct ledger_import *i, size_t memory, struct error *err)
{
    struct chunk *c = &i->chunk;
    struct arena *arena = &i->arena;
    size_t room = memory / (sizeof *c->records + sizeof *c->things + sizeof *c->groups +
                            sizeof *c->starts + 8);

    room = room > BLOCK_LINES ? BLOCK_LINES : room < CHUNK_LEAST ? CHUNK_LEAST : room;
    *c = (struct chunk){.records = arena_array(arena, struct record, room, err),
                        .things = arena_array(arena, struct str, room, err),
                        .groups = arena_array(arena, int64_t, room, err),
                        .starts = arena_array(arena, size_t, room + 1, err),
                        .entries = arena_array(arena, uint32_t, room, err),
                        .order = arena_array(arena, uint32_t, room, err),
                        .bills = arena_array(arena, struct loading *, room, err),
                        .texts = buf_new(i->l->alloc, TEXTS_MAX),
                        .room = room,
                        .text_limit = memory,
                        .stamp = 1};
    i->writer = block_writer_make(i->l->alloc, err);
    return c->records != NULL && c->things != NULL && c->groups != NULL && c->starts != NULL &&
           c->entries != NULL && c->order != NULL && c->bills != NULL && i->writer != NULL;
}

static bool begin_bill_import(struct ledger_import *i, struct error *err)
{
    size_t memory = i->options.memory > 0 ? i->options.memory : MEMORY;
    bool ok;

    if (!days_make(&i->by_day, i->l->alloc, BY_DAY_LEAST, err) ||
        !days_make(&i->by_file, i->l->alloc, BY_DAY_LEAST, err))
        return false;
    if (i->options.dry_run)
        return true;
    i->days_limit = memory / 2;
    if (!chunk_make(i, memory / 6, err) ||
        !dictionary_make(&i->things, i->l->alloc, memory / 4, err) ||
        !dictionary_make(&i->groups, i->l->alloc, memory / 12, err) ||
        !days_make(&i->days, i->l->alloc, memory / 12, err))
        return false;
    if (!ledger_start_write(i->l, err))
        return false;
    ok = sweep_dead(i->l, err) && make_import_state(i, err) && make_import(i, err);
    return ledger_finish(i->l, ok, err) && sweep_gone(i->l, err);
}

struct ledger_import *ledger_import_begin(struct ledger *l,
                                          const struct ledger_import_options *options,
                                          struct error *err)
{
    const struct alloc *alloc = l != NULL ? l->alloc : options->alloc;
    struct ledger_import *i = alloc->get(alloc->ctx, sizeof *i);

    if (i == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *i = (struct ledger_import){.l = l,
                                .options = *options,
                                .arena = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE},
                                .none = {.alloc = alloc, .clock = options->clock}};
    if (l == NULL)
        i->l = &i->none;
    if (!options->dry_run)
        ledger_bulk_mode(l, true);
    i->flushed = i->l->clock->now(i->l->clock->ctx);
    if (begin_bill_import(i, err))
        return i;
    ledger_import_abandon(i);
    return NULL;
}

/* Say that it is alive, in the transaction that is open. ERROR_FAILED when it was taken for
 * dead and swept away. */
static void import_free(struct ledger_import *i)
{
    const struct alloc *alloc = i->l->alloc;

    if (!i->options.dry_run)
        ledger_bulk_mode(i->l, false);
    dictionary_free(&i->things);
    dictionary_free(&i->groups);
    days_free(&i->days);
    days_free(&i->by_day);
    days_free(&i->by_file);
    buf_free(&i->chunk.texts);
    block_writer_free(i->writer);
    arena_free(&i->arena);
    alloc->put(alloc->ctx, i);
}

static bool import_heard(struct ledger_import *i, struct error *err)
{
    struct query *q = ledger_query(
        i->l, tell_heard,
        VALUES(as_int(i->key), as_int(i->l->clock->today(i->l->clock->ctx).s)), err);
    int got = ledger_row(i->l, q, "write", err);

    if (got > 0)
        return ledger_done(i->l, q, "write", err);
    if (got == 0) {
        error_set(err, ERROR_FAILED,
                  "the import was silent for so long that another one took "
                  "it for dead and swept it away");
        error_hint(err, "nothing was changed: import again");
    }
    return false;
}

static bool add_imported_bills(struct ledger_import *i, struct error *err)
{
    for (size_t n = 0; n < i->bill_count; n++) {
        struct loading *b = i->bills[n];

        if (b->key != 0 || !b->wanted)
            continue;
        if (!ledger_insert(
                i->l, add_bill,
                VALUES(as_int(i->key), as_text(b->provider), as_text(b->account),
                       as_text(b->currency), as_int(b->period_start.s), as_int(b->period_end.s),
                       as_text(b->amounts == BILL_BOTH ? STR("both") : STR("amortized")),
                       as_text(str_from(b->format)), as_text(str_from(b->version)),
                       as_int(b->coarse)),
                &b->key, err))
            return false;
        i->keys[b->number] = b->key;
    }
    return true;
}

/* Things of the chunk, now that all of their texts are there and their groups have keys. */
static void settle_chunk(struct ledger_import *i)
{
    struct chunk *c = &i->chunk;

    c->starts[c->thing_count] = c->texts.len;
    for (size_t n = 0; n < c->thing_count; n++) {
        c->things[n] =
            (struct str){c->texts.at + c->starts[n], c->starts[n + 1] - c->starts[n]};
        c->groups[n] = i->things.entries[c->entries[n]].group;
    }
}

static bool sum_records(struct ledger_import *i, struct error *err)
{
    for (size_t n = 0; n < i->chunk.count; n++) {
        const struct record *r = &i->chunk.records[n];
        struct day_sum sum = {.sum = r->amounts,
                              .bill = r->bill,
                              .day = day_of((stamp){r->start}).n,
                              .group = i->chunk.groups[r->thing],
                              .lines = 1};
        bool grown = true;

        if (days_full(&i->days) && !days_grow(&i->days, i->days_limit, &grown, err))
            return false;
        if (!grown && !days_write(&i->days, i->l, i->keys, err))
            return false;
        if (!days_add(&i->days, &sum, err))
            return false;
    }
    return true;
}

/* Records by bill, each bill's in the order in which they came; `chunk_at` is where they end.
 */
static void order_records(struct ledger_import *i)
{
    struct chunk *c = &i->chunk;
    size_t start = 0;

    for (size_t n = 0; n < c->bill_count; n++) {
        c->bills[n]->chunk_at = start;
        start += c->bills[n]->in_chunk;
    }
    for (size_t n = 0; n < c->count; n++)
        c->order[i->bills[c->records[n].bill]->chunk_at++] = (uint32_t)n;
}

static bool write_bill(struct ledger_import *i, struct bulk *b, struct loading *bill,
                       struct error *err)
{
    const struct chunk *c = &i->chunk;
    struct block_lines of = {.records = c->records,
                             .order = c->order + bill->chunk_at - bill->in_chunk,
                             .count = bill->in_chunk,
                             .things = c->things,
                             .groups = c->groups,
                             .thing_count = c->thing_count};

    if (!block_write(i->writer, &of, err) ||
        !blocks_put(b, bill->key, bill->lines + 1, of.count, i->writer, err))
        return false;
    bill->lines += (int64_t)of.count;
    return true;
}

static bool write_blocks(struct ledger_import *i, struct error *err)
{
    const struct chunk *c = &i->chunk;
    struct bulk *b;
    bool ok = true;

    order_records(i);
    b = blocks_open(i->l, err);
    if (b == NULL)
        return false;
    for (size_t n = 0; ok && n < c->bill_count; n++)
        ok = write_bill(i, b, c->bills[n], err);
    return bulk_close(b, ok, err) && ok;
}

static void chunk_clear(struct chunk *c)
{
    for (size_t n = 0; n < c->bill_count; n++)
        c->bills[n]->in_chunk = 0;
    c->count = c->thing_count = c->bill_count = 0;
    c->stamp++;
    buf_clear(&c->texts);
}

bool import_flush(struct ledger_import *i, struct error *err)
{
    bool ok;

    if (i->failed)
        return error_fail(err, ERROR_FAILED, "the import has failed already");
    i->failed = true;
    if (i->chunk.count > 0) {
        if (!settle_reserve(i, err) || !ledger_start_write(i->l, err))
            return false;
        ok = import_heard(i, err) && add_imported_bills(i, err) && settle_groups(i, err);
        if (ok)
            settle_chunk(i);
        ok = ok && sum_records(i, err) && write_blocks(i, err);
        if (!ledger_finish(i->l, ok, err))
            return false;
    }
    chunk_clear(&i->chunk);
    if (dictionary_spent(&i->things))
        dictionary_forget(&i->things);
    if (dictionary_spent(&i->groups))
        dictionary_forget(&i->groups);
    i->flushed = i->l->clock->now(i->l->clock->ctx);
    i->failed = false;
    return true;
}

bool import_due(const struct ledger_import *i)
{
    const struct chunk *c = &i->chunk;

    if (c->count == c->room || c->texts.len > c->text_limit || dictionary_full(&i->things) ||
        dictionary_full(&i->groups))
        return true;
    return c->count % 1024 == 1023 &&
           i->l->clock->now(i->l->clock->ctx).ns - i->flushed.ns > LATEST_FLUSH;
}

/* ---- commit ---- */

static const char show[] =
    "UPDATE bills SET state = 'current', first_day = ?2, last_day = ?3, lines = ?4,"
    " billed = ?5, effective = ?6, files = ?7, period_end = ?8, marks = ?9"
    " WHERE bill = ?1 AND state = 'loading' RETURNING bill";
static const char finish[] = "UPDATE imports SET finished = ?2 WHERE import = ?1";
static const char read_grouping[] = "SELECT grouping, regrouping FROM bill_state";
static const char read_sums[] =
    "SELECT SUM_AMOUNT(billed), SUM_AMOUNT(effective), sum(lines) FROM bill_days"
    " WHERE bill = ?1";

static bool add_files(const struct ledger_import *i, const struct loading *b, struct buf *out,
                      struct error *err)
{
    for (size_t n = 0; n < b->file_count; n++) {
        const struct import_file *f = &i->files[b->files[n]];

        buf_adds(out, n == 0 ? "[{\"name\":" : ",{\"name\":");
        json_write_text(f->name, out);
        if (f->digest.len > 0)
            buf_addf(out, ",\"digest\":\"%.*s\"", STR_ARG(f->digest));
        buf_char(out, '}');
    }
    buf_adds(out, b->file_count == 0 ? "[]" : "]");
    return buf_ok(out, err);
}

/* A fee for the month beside usage by the day says nothing of the days to come; a bill of which
 * every charge is of many days speaks for all of them. */
static int32_t last_day_of(const struct loading *b)
{
    return !b->by_day && b->last_end > b->last_day ? b->last_end : b->last_day;
}

static bool describe_import(const struct ledger_import *i, const struct loading *b, stamp now,
                            struct arena *arena, struct ledger_bill *out, struct error *err)
{
    struct buf files = buf_new(arena->alloc, (size_t)64 << 20);
    bool ok;

    if (b->rest_of != 0)
        buf_add(&files, b->rest_files);
    ok = b->rest_of != 0 ? buf_ok(&files, err) : add_files(i, b, &files, err);

    *out = (struct ledger_bill){.key = b->key,
                                .amounts = b->amounts,
                                .coarse = b->coarse,
                                .period_start = b->period_start,
                                .period_end = b->period_end,
                                .first_day = {b->first_day},
                                .last_day = {last_day_of(b)},
                                .imported = now,
                                .lines = b->lines,
                                .billed = amounts_get(&b->total, 0),
                                .effective = amounts_get(&b->total, 1)};
    bill_cover(out);
    return buf_keep(&files, arena, &out->files, err) && ok &&
           str_keep(b->provider, arena, &out->provider, err) &&
           str_keep(b->account, arena, &out->account, err) &&
           str_keep(b->currency, arena, &out->currency, err) &&
           str_keep(str_from(b->format), arena, &out->format, err) &&
           str_keep(str_from(b->version), arena, &out->version, err);
}

/* The rules that classify may not change under an import: its sums would be by the old ones. */
static bool check_grouping(struct ledger_import *i, struct error *err)
{
    struct query *q = ledger_query(i->l, read_grouping, NO_VALUES, err);
    int got = ledger_row(i->l, q, "read", err);
    bool same;

    if (got <= 0)
        return got < 0 ? false : error_fail(err, ERROR_FAILED, "the ledger keeps no state");
    same = column_int(q, 0) == i->grouping && column_int(q, 1) == 0;
    query_reset(q);
    if (!same) {
        error_set(err, ERROR_FAILED, "the rules of allocation were changed meanwhile");
        error_hint(err, "nothing was changed: import again");
    }
    return same;
}

/* Do the daily sums that were written come to what the lines did? */
static bool check_sums(struct ledger *l, const struct ledger_bill *b, struct error *err)
{
    struct query *q = ledger_query(l, read_sums, VALUES(as_int(b->key)), err);
    struct decimal billed, effective;
    bool ok;

    if (ledger_row(l, q, "read", err) <= 0)
        return false;
    ok = column_amount(q, 0, &billed, err) && column_amount(q, 1, &effective, err);
    if (ok && (decimal_cmp(billed, b->billed) != 0 ||
               decimal_cmp(effective, b->effective) != 0 || column_int(q, 2) != b->lines))
        ok = error_fail(err, ERROR_FAILED,
                        "what was written of the bill of '%.*s' is not what was read",
                        STR_ARG(b->account));
    query_reset(q);
    return ok;
}

static bool show_bill(struct ledger_import *i, const struct loading *from,
                      const struct ledger_bill *b, struct error *err)
{
    struct query *q =
        ledger_query(i->l, show,
                     VALUES(as_int(b->key), as_int(b->first_day.n), as_int(b->last_day.n),
                            as_int(b->lines), as_amount(b->billed), as_amount(b->effective),
                            as_text(b->files), as_int(b->period_end.s)),
                     err);
    struct buf marks = buf_new(i->l->alloc, (size_t)1 << 20);
    int got = -1;

    if (contain_write(&from->marks, &marks, err)) {
        query_bind(q, 9, as_text(buf_text(&marks)));
        got = ledger_row(i->l, q, "write", err);
    }
    buf_free(&marks);
    if (got > 0)
        return ledger_row(i->l, q, "write", err) == 0 && check_sums(i->l, b, err) &&
               bills_pair(i->l, b, err);
    return got < 0 ? false : error_fail(err, ERROR_FAILED, "the import was swept away");
}

/* What came in, and what it meets. `meets`: there may be something to meet. */
/* What was left out of coarse data, and what is replaced of it. */
static bool tell_overlaps(const struct ledger_import *i, struct arena *arena,
                          struct outcome *out, struct error *err)
{
    struct ledger_overlap *at =
        arena_array(arena, struct ledger_overlap, i->all_count + i->superseded_count, err);
    size_t count = 0;

    if (at == NULL)
        return false;
    for (size_t n = 0; n < i->all_count; n++) {
        const struct loading *b = i->bills[n];

        if (b->left_out.lines > 0)
            at[count++] = (struct ledger_overlap){.file = i->files[b->files[0]].name,
                                                  .format = str_from(b->format),
                                                  .currency = b->currency,
                                                  .detailed = b->left_out.by->key,
                                                  .lines = b->left_out.lines,
                                                  .amount = b->left_out.amount,
                                                  .first = {b->left_out.first},
                                                  .last = {b->left_out.last}};
    }
    for (size_t n = 0; n < i->superseded_count; n++) {
        const struct superseded *s = &i->superseded[n];

        at[count++] = (struct ledger_overlap){.format = s->coarse->format,
                                              .currency = s->coarse->currency,
                                              .coarse = s->coarse->key,
                                              .detailed = s->by->key,
                                              .lines = s->lines,
                                              .amount = s->amount,
                                              .first = s->first,
                                              .last = s->last,
                                              .rest_lines = s->rest_lines,
                                              .rest = s->rest != NULL ? s->rest->key : 0};
    }
    for (size_t n = 0; n < count; n++)
        if ((at[n].file.len > 0 && !str_keep(at[n].file, arena, &at[n].file, err)) ||
            !str_keep(at[n].format, arena, &at[n].format, err) ||
            !str_keep(at[n].currency, arena, &at[n].currency, err))
            return false;
    out->overlaps = at;
    out->overlap_count = count;
    return true;
}

static bool keep_charges(const struct correction *c, struct arena *arena,
                         struct ledger_bill_correction *out, struct error *err)
{
    struct ledger_left *charges = arena_array(arena, struct ledger_left, c->charge_count, err);

    for (size_t n = 0; charges != NULL && n < c->charge_count; n++) {
        charges[n] = c->charges[n];
        if (!str_keep(c->charges[n].service, arena, &charges[n].service, err) ||
            !str_keep(c->charges[n].resource, arena, &charges[n].resource, err) ||
            !str_keep(c->charges[n].description, arena, &charges[n].description, err))
            return false;
    }
    out->charges = charges;
    out->charge_count = c->charge_count;
    return charges != NULL;
}

/* Bills that came with a few lines less, and those that may be the same money. */
static bool tell_differences(const struct ledger_import *i, struct arena *arena,
                             struct outcome *out, struct error *err)
{
    struct ledger_bill_correction *corrections =
        arena_array(arena, struct ledger_bill_correction, i->bill_count, err);
    struct ledger_likeness *likenesses =
        arena_array(arena, struct ledger_likeness, i->likeness_count, err);

    if (corrections == NULL || likenesses == NULL)
        return false;
    for (size_t n = 0; n < i->bill_count; n++) {
        const struct correction *c = i->bills[n]->correction;
        struct ledger_bill_correction *to = &corrections[out->correction_count];

        if (c == NULL)
            continue;
        *to = (struct ledger_bill_correction){
            n, c->left, c->changed, c->added, c->left_amount, NULL, 0};
        if (!keep_charges(c, arena, to, err))
            return false;
        out->correction_count++;
    }
    for (size_t n = 0; n < i->likeness_count; n++) {
        struct likeness *from = &i->likenesses[n];
        struct ledger_likeness *to = &likenesses[out->likeness_count];

        if (from->divided) /* an overlap tells */
            continue;
        out->likeness_count++;
        *to = (struct ledger_likeness){0, *from->there, from->share, from->replaced};
        while (to->bill + 1 < i->bill_count && i->bills[to->bill] != from->loading)
            to->bill++;
        if (!str_keep(to->there.provider, arena, &to->there.provider, err) ||
            !str_keep(to->there.account, arena, &to->there.account, err) ||
            !str_keep(to->there.currency, arena, &to->there.currency, err) ||
            !str_keep(to->there.format, arena, &to->there.format, err))
            return false;
    }
    out->corrections = corrections;
    out->likenesses = likenesses;
    return true;
}

/* Bills of which everything was left out move to the end, and are none. */
static void drop_unwanted(struct ledger_import *i)
{
    size_t kept = 0;

    i->all_count = i->bill_count;
    for (size_t n = 0; n < i->all_count; n++) {
        struct loading *b = i->bills[n];

        if (b->wanted) {
            i->bills[n] = i->bills[kept];
            i->bills[kept++] = b;
        }
    }
    i->bill_count = kept;
}

static bool describe_all(struct ledger_import *i, stamp now, bool meets, struct arena *arena,
                         struct outcome *o, struct error *err)
{
    if (!twice_check(i, err))
        return false;
    for (size_t n = 0; n < i->bill_count; n++)
        contain_settle(&i->bills[n]->marks);
    for (size_t n = 0; n < i->bill_count; n++)
        if (!describe_import(i, i->bills[n], now, arena, &o->bills[n], err) ||
            (meets && i->bills[n]->rest_of == 0 &&
             !meet_same(i, i->bills[n], &o->bills[n], arena, o, err)))
            return false;
    return tell_overlaps(i, arena, o, err) && tell_differences(i, arena, o, err);
}

static bool commit_import(struct ledger_import *i, struct arena *arena, struct outcome *o,
                          struct error *err)
{
    stamp now = i->l->clock->today(i->l->clock->ctx);

    if (!import_heard(i, err) || !check_grouping(i, err) ||
        !days_write(&i->days, i->l, i->keys, err))
        return false;
    for (size_t n = 0; i->days.part > 1 && n < i->bill_count; n++)
        if (!days_merge(i->l, i->keys[n], &i->days, i->days_limit, err))
            return false;
    if (!coarse_check(i, err) || !describe_all(i, now, true, arena, o, err) ||
        !coarse_bury(i, err) || !same_bury(i, err))
        return false;
    for (size_t n = 0; n < i->bill_count; n++)
        if (!show_bill(i, i->bills[n], &o->bills[n], err))
            return false;
    return ledger_run(i->l, finish, VALUES(as_int(i->key), as_int(now.s)), err);
}

/* What commit would do, from a ledger that is only read. */
static bool rehearse_import(struct ledger_import *i, struct arena *arena, struct outcome *o,
                            struct error *err)
{
    int tables;
    bool ok;

    if (i->failed)
        return error_fail(err, ERROR_FAILED, "the import has failed already");
    if (i->l->db != NULL && !coarse_meet(i, err))
        return false;
    if (!same_meet(i, err) || !correct_meet(i, err))
        return false;
    drop_unwanted(i);
    tables = i->l->db != NULL ? ledger_start_read(i->l, err) : 0;
    if (tables < 0)
        return false;
    ok = (tables == 0 || coarse_check(i, err)) &&
         describe_all(i, i->l->clock->today(i->l->clock->ctx), tables > 0, arena, o, err);
    return tables == 0 ? ok : ledger_finish(i->l, ok, err);
}

static bool make_seen_bills(struct ledger_import *i, struct arena *arena, struct outcome *o,
                            struct error *err)
{
    bool ok = import_flush(i, err) && coarse_meet(i, err) && import_flush(i, err) &&
              same_meet(i, err) && import_flush(i, err) && correct_meet(i, err);

    drop_unwanted(i);
    ledger_bulk_mode(i->l, false); /* from here on it must be on the disk */
    return ok && ledger_start_alone(i->l, err) &&
           ledger_finish(i->l, commit_import(i, arena, o, err), err);
}

bool ledger_import_commit(struct ledger_import *i, struct arena *arena,
                          struct ledger_imported *out, struct error *err)
{
    /* Each coarse bill that is there may leave a rest, which is a bill, too. */
    struct outcome o = {
        .bills = arena_array(arena, struct ledger_bill, i->bill_count + i->there_count, err)};
    struct error later = {0};
    bool ok;

    *out = (struct ledger_imported){0};
    ok = o.bills != NULL && (i->options.dry_run ? rehearse_import(i, arena, &o, err)
                                                : make_seen_bills(i, arena, &o, err));
    if (!ok) {
        ledger_import_abandon(i);
        return false;
    }
    out->bills = o.bills;
    out->count = i->bill_count;
    out->replaced = o.replaced;
    out->replaced_count = o.replaced_count;
    out->overlaps = o.overlaps;
    out->overlap_count = o.overlap_count;
    out->likenesses = o.likenesses;
    out->likeness_count = o.likeness_count;
    out->corrections = o.corrections;
    out->correction_count = o.correction_count;
    for (size_t n = 0; n < i->bill_count; n++)
        out->lines += i->bills[n]->rest_of == 0 ? i->bills[n]->lines : 0;
    if (!i->options.dry_run) {
        ledger_bulk_mode(i->l, true);
        (void)sweep_gone(i->l, &later); /* what cannot be swept now will be by the next */
    }
    import_free(i);
    return true;
}

void ledger_import_abandon(struct ledger_import *i)
{
    struct error ignored = {0};

    if (i == NULL)
        return;
    if (!i->options.dry_run)
        ledger_bulk_mode(i->l, true);
    if (i->key > 0 && ledger_start_write(i->l, &ignored) &&
        ledger_finish(i->l, sweep_import(i->l, i->key, &ignored), &ignored))
        (void)sweep_gone(i->l, &ignored);
    import_free(i);
}
