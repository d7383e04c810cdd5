/* An import: lines in, chunk by chunk. */
#include "ledger/bills_internal.h"

#include <string.h>

#define MEMORY ((size_t)24 << 20)
#define CHUNK_LINES ((size_t)16384)
#define RECORDS_MAX ((size_t)64 << 20)
#define BY_DAY_LEAST ((size_t)16 << 10)
#define LATEST_FLUSH ((int64_t)20 * 1000000000) /* ns: others hear of us at least so often */

/* Keys for digests are made once, with the first import. */
static const char add_state[] =
    "INSERT INTO bill_state(one, key_0, key_1, next_thing, next_grp, grouping, regrouping)"
    " VALUES (1, ?1, ?2, 1, 1, 0, 0) ON CONFLICT DO NOTHING";
static const char read_state[] =
    "SELECT key_0, key_1, grouping,"
    " CASE WHEN EXISTS(SELECT 1 FROM bill_things) THEN 0 ELSE 1 END"
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

static bool make_state(struct ledger_import *i, struct error *err)
{
    char dice[2 * LEDGER_ID]; /* ids are made of dice: 62 bits in each */
    struct query *q = ledger_query(i->l, add_state, err);
    int got;

    if (q == NULL)
        return false;
    for (int k = 0; k < 2; k++) {
        ledger_new_id((stamp){0}, dice);
        ledger_new_id((stamp){0}, dice + LEDGER_ID);
        bind_int(q, k + 1, (int64_t)text_hash((uint64_t)k, (struct str){dice, sizeof dice}));
    }
    if (!ledger_done(i->l, q, "write", err) ||
        (q = ledger_query(i->l, read_state, err)) == NULL)
        return false;
    got = ledger_row(i->l, q, "read", err);
    if (got <= 0)
        return got < 0 ? false : error_fail(err, ERROR_FAILED, "the ledger keeps no state");
    i->secret[0] = (uint64_t)column_int(q, 0);
    i->secret[1] = (uint64_t)column_int(q, 1);
    i->grouping = column_int(q, 2);
    i->things.complete = i->groups.complete = column_int(q, 3) == 1;
    query_reset(q);
    return true;
}

static bool make_import(struct ledger_import *i, struct error *err)
{
    const struct ledger_import_options *o = &i->options;
    stamp now = i->l->clock->today(i->l->clock->ctx);
    struct query *q = ledger_query(i->l, add_import, err);
    char id[LEDGER_ID];

    if (q == NULL)
        return false;
    ledger_new_id(now, id);
    bind_text(q, 1, str_from(id));
    bind_int(q, 2, now.s);
    bind_text(q, 3, o->owner);
    bind_text(q, 4, o->host);
    bind_text(q, 5, o->boot);
    bind_int(q, 6, o->pid);
    bind_int(q, 7, o->pid_started);
    bind_int(q, 8, ledger_namespace());
    return ledger_added(i->l, q, &i->key, err);
}

static bool begin(struct ledger_import *i, struct error *err)
{
    size_t memory = i->options.memory > 0 ? i->options.memory : MEMORY;
    bool ok;

    i->record_limit = memory / 6;
    if (!days_make(&i->by_day, i->l->alloc, BY_DAY_LEAST, err) ||
        !days_make(&i->by_file, i->l->alloc, BY_DAY_LEAST, err))
        return false;
    if (i->options.dry_run)
        return true;
    if (!dictionary_make(&i->things, i->l->alloc, memory / 12 * 5, err) ||
        !dictionary_make(&i->groups, i->l->alloc, memory / 12, err) ||
        !days_make(&i->days, i->l->alloc, memory / 3, err))
        return false;
    if (!ledger_start_write(i->l, err))
        return false;
    ok = sweep_dead(i->l, err) && make_state(i, err) && make_import(i, err);
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
                                .records = buf_new(alloc, RECORDS_MAX),
                                .none = {.alloc = alloc, .clock = options->clock}};
    if (l == NULL)
        i->l = &i->none;
    if (!options->dry_run)
        ledger_bulk_mode(l, true);
    i->flushed = i->l->clock->now(i->l->clock->ctx);
    if (begin(i, err))
        return i;
    ledger_import_abandon(i);
    return NULL;
}

void import_free(struct ledger_import *i)
{
    const struct alloc *alloc = i->l->alloc;

    if (!i->options.dry_run)
        ledger_bulk_mode(i->l, false);
    dictionary_free(&i->things);
    dictionary_free(&i->groups);
    days_free(&i->days);
    days_free(&i->by_day);
    days_free(&i->by_file);
    buf_free(&i->records);
    arena_free(&i->arena);
    alloc->put(alloc->ctx, i);
}

bool import_heard(struct ledger_import *i, struct error *err)
{
    struct query *q = ledger_query(i->l, tell_heard, err);
    int got;

    if (q == NULL)
        return false;
    bind_int(q, 1, i->key);
    bind_int(q, 2, i->l->clock->today(i->l->clock->ctx).s);
    got = ledger_row(i->l, q, "write", err);
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

static bool add_bills(struct ledger_import *i, struct error *err)
{
    for (size_t n = 0; n < i->bill_count; n++) {
        struct loading *b = i->bills[n];
        struct query *q;

        if (b->key != 0 || !b->wanted)
            continue;
        q = ledger_query(i->l, add_bill, err);
        if (q == NULL)
            return false;
        bind_int(q, 1, i->key);
        bind_text(q, 2, b->provider);
        bind_text(q, 3, b->account);
        bind_text(q, 4, b->currency);
        bind_int(q, 5, b->period_start.s);
        bind_int(q, 6, b->period_end.s);
        bind_text(q, 7, b->amounts == BILL_BOTH ? STR("both") : STR("amortised"));
        bind_text(q, 8, str_from(b->format));
        bind_text(q, 9, str_from(b->version));
        bind_int(q, 10, b->coarse);
        if (!ledger_added(i->l, q, &b->key, err))
            return false;
        i->keys[b->number] = b->key;
    }
    return true;
}

static bool sum_records(struct ledger_import *i, struct error *err)
{
    const char *at = i->records.at;

    for (size_t n = 0; n < i->record_count; n++) {
        struct record r;
        struct day_sum sum;

        memcpy(&r, at, sizeof r);
        at += sizeof r + r.quantity[0] + r.quantity[1] + r.quantity[2] + r.quantity[3];
        if (days_full(&i->days) && !days_write(&i->days, i->l, i->keys, err))
            return false;
        sum = (struct day_sum){.sum = r.amounts,
                               .bill = r.bill,
                               .day = day_of((stamp){r.start}).n,
                               .group = i->things.entries[r.thing].group,
                               .lines = 1};
        if (!days_add(&i->days, &sum, err))
            return false;
    }
    return true;
}

/* Amounts are often the same: the text is made once. */
static void write_amounts(struct bulk *b, const struct record *r, char room[][DECIMAL_ROOM])
{
    const struct amounts *a = &r->amounts;
    struct str text[BILL_AMOUNTS] = {0};

    for (int i = 0; i < BILL_AMOUNTS; i++) {
        int same = 0;

        while (same < i &&
               (a->coefficient[same] != a->coefficient[i] || a->scale[same] != a->scale[i]))
            same++;
        text[i] = same < i ? text[same] : decimal_text(amounts_get(a, i), room[i]);
        if ((i == 2 && !r->list_known) || (i == 3 && !r->contracted_known))
            bulk_null(b);
        else
            bulk_amount(b, text[i]);
    }
}

static bool write_records(struct ledger_import *i, struct bulk *b, struct error *err)
{
    const char *at = i->records.at;
    char room[BILL_AMOUNTS][DECIMAL_ROOM];

    for (size_t n = 0; n < i->record_count; n++) {
        struct record r;

        memcpy(&r, at, sizeof r);
        at += sizeof r;
        bulk_int(b, i->keys[r.bill]);
        bulk_int(b, ++i->bills[r.bill]->lines);
        bulk_int(b, i->things.entries[r.thing].key);
        bulk_int(b, r.start);
        bulk_int(b, r.end);
        write_amounts(b, &r, room);
        for (int k = 0; k < 4; at += r.quantity[k++]) {
            if (r.quantity[k] == 0)
                bulk_null(b);
            else
                bulk_amount(b, (struct str){at, r.quantity[k]});
        }
        if (!bulk_row(b, err))
            return false;
    }
    return true;
}

static bool write_lines(struct ledger_import *i, struct error *err)
{
    static const char *const columns[] = {"bill",
                                          "line",
                                          "thing",
                                          "started",
                                          "ended",
                                          "billed",
                                          "effective",
                                          "list",
                                          "contracted",
                                          "pricing_quantity",
                                          "consumed_quantity",
                                          "pricing_effective",
                                          "commitment_quantity"};
    struct bulk *b = bulk_open(i->l, "bill_lines", columns, ARRAY_LEN(columns), err);
    bool ok;

    if (b == NULL)
        return false;
    ok = write_records(i, b, err);
    return bulk_close(b, ok, err) && ok;
}

bool import_flush(struct ledger_import *i, struct error *err)
{
    bool ok;

    if (i->failed)
        return error_fail(err, ERROR_FAILED, "the import has failed already");
    i->failed = true;
    if (i->record_count > 0) {
        if (!settle_reserve(i, err) || !ledger_start_write(i->l, err))
            return false;
        ok = import_heard(i, err) && add_bills(i, err) && settle_groups(i, err) &&
             settle_things(i, err) && sum_records(i, err) && write_lines(i, err);
        if (!ledger_finish(i->l, ok, err))
            return false;
    }
    i->record_count = 0;
    buf_clear(&i->records);
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
    if (i->record_count >= CHUNK_LINES || i->records.len > i->record_limit ||
        dictionary_full(&i->things) || dictionary_full(&i->groups))
        return true;
    return i->record_count % 1024 == 1023 &&
           i->l->clock->now(i->l->clock->ctx).ns - i->flushed.ns > LATEST_FLUSH;
}
