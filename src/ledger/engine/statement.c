/* Statements that are prepared once, transactions, and values in and out. */
#include <math.h>

#include "base/buf.h"
#include "base/stop.h"
#include "ledger/internal.h"

/* ---- statements ---- */

static struct query *prepared_query(struct ledger *l, const char *sql, struct error *err)
{
    struct ledger_asked *a;

    for (a = l->asked; a != NULL; a = a->next)
        if (a->sql == sql) {
            l->db->engine->clear(a->query);
            return a->query;
        }
    a = arena_array(&l->kept, struct ledger_asked, 1, err);
    if (a == NULL)
        return NULL;
    *a = (struct ledger_asked){sql, l->db->engine->prepare(l->db, sql, err), l->asked};
    if (a->query != NULL)
        l->asked = a;
    return a->query;
}

struct query *ledger_query(struct ledger *l, const char *sql, struct values values,
                           struct error *err)
{
    struct query *q = prepared_query(l, sql, err);

    for (size_t i = 0; i < values.len; i++)
        query_bind(q, (int)i + 1, values.at[i]);
    return q;
}

int ledger_row(struct ledger *l, struct query *q, const char *doing, struct error *err)
{
    if (q != NULL && stop_check(err))
        return l->db->engine->step(q, doing, err);
    query_reset(q);
    return -1;
}

bool ledger_done(struct ledger *l, struct query *q, const char *doing, struct error *err)
{
    int row;

    do
        row = ledger_row(l, q, doing, err);
    while (row > 0);
    return row == 0;
}

bool ledger_run(struct ledger *l, const char *sql, struct values values, struct error *err)
{
    return ledger_done(l, ledger_query(l, sql, values, err), "write", err);
}

bool ledger_run_counted(struct ledger *l, const char *sql, struct values values, int64_t *rows,
                        struct error *err)
{
    struct query *q = ledger_query(l, sql, values, err);
    int row;

    for (*rows = 0; (row = ledger_row(l, q, "write", err)) > 0;)
        ++*rows;
    return row == 0;
}

bool ledger_insert(struct ledger *l, const char *sql, struct values values, int64_t *key,
                   struct error *err)
{
    struct query *q = ledger_query(l, sql, values, err);
    int row = ledger_row(l, q, "write", err);

    if (row == 0)
        return error_fail(err, ERROR_FAILED, "the ledger '%s' did not take a row", l->name);
    if (row < 0)
        return false;
    *key = column_int(q, 0);
    return ledger_done(l, q, "write", err);
}

bool ledger_number(struct ledger *l, const char *sql, struct values values, int64_t *out,
                   struct error *err)
{
    struct query *q = ledger_query(l, sql, values, err);
    int row = ledger_row(l, q, "read", err);

    *out = row > 0 ? column_int(q, 0) : 0;
    query_reset(q);
    return row >= 0;
}

bool ledger_finds(struct ledger *l, const char *sql, struct values values, bool *out,
                  struct error *err)
{
    struct query *q = ledger_query(l, sql, values, err);
    int row = ledger_row(l, q, "read", err);

    query_reset(q);
    *out = row > 0;
    return row >= 0;
}

int64_t column_int(struct query *q, int at)
{
    return q->db->engine->column_int(q, at);
}

/* ---- transactions ---- */

bool ledger_finish(struct ledger *l, bool ok, struct error *err)
{
    if (l->holds > 0) /* it ends with the last of them */
        return ok;
    if (ok && l->db->engine->commit(l->db, err)) {
        l->fresh = false;
        return true;
    }
    l->open.number = 0; /* what is known of it may have been undone */
    l->db->engine->rollback(l->db);
    return false;
}

static bool start_write(struct ledger *l, enum engine_begin how, struct error *err)
{
    if (l->holds > 0)
        return error_fail(err, ERROR_FAILED, "the ledger '%s' is being read, not written",
                          l->name);
    if (!l->db->engine->begin(l->db, l->fresh ? ENGINE_ALONE : how, err))
        return false;
    if (!l->fresh)
        return true;
    if (ledger_step_up(l, err))
        return true;
    return ledger_finish(l, false, err);
}

bool ledger_start_write(struct ledger *l, struct error *err)
{
    return start_write(l, ENGINE_WRITE, err);
}

bool ledger_start_alone(struct ledger *l, struct error *err)
{
    return start_write(l, ENGINE_ALONE, err);
}

bool ledger_has_tables(struct ledger *l, bool *out, struct error *err)
{
    int version = ledger_newest(l->schema);

    if (l->fresh && !ledger_version(l, &version, err))
        return false;
    l->fresh = version == 0; /* another program may have begun it */
    *out = !l->fresh;
    return true;
}

int ledger_start_read(struct ledger *l, struct error *err)
{
    bool tables;

    if (l->holds > 0)
        return l->held_empty ? 0 : 1;
    if (!ledger_has_tables(l, &tables, err))
        return -1;
    if (!tables)
        return 0;
    return l->db->engine->begin(l->db, ENGINE_READ, err) ? 1 : -1;
}

bool ledger_hold(struct ledger *l, struct error *err)
{
    int begun = l != NULL ? ledger_start_read(l, err) : 1;

    if (begun < 0)
        return false;
    if (l != NULL) {
        l->held_empty = begun == 0;
        l->holds++;
    }
    return true;
}

void ledger_release(struct ledger *l)
{
    if (l != NULL && --l->holds == 0 && !l->held_empty)
        l->db->engine->rollback(l->db); /* nothing was written: it only ends */
}

/* ---- values ---- */

void query_reset(struct query *q)
{
    if (q != NULL)
        q->db->engine->reset(q);
}

struct value as_int(int64_t value)
{
    return (struct value){.kind = VALUE_INT, .whole = value};
}

struct value as_count(int64_t value)
{
    return value < 0 ? NULL_VALUE : as_int(value);
}

struct value as_money(int64_t nano)
{
    return nano == MONEY_UNKNOWN ? NULL_VALUE : as_int(nano);
}

struct value as_real(double value)
{
    return (struct value){.kind = VALUE_REAL, .real = value};
}

struct value as_number(double value)
{
    return isnan(value) ? NULL_VALUE : as_real(value);
}

struct value as_text(struct str text)
{
    return (struct value){.kind = VALUE_TEXT, .text = text};
}

struct value as_text_or_null(struct str text)
{
    return text.len == 0 ? NULL_VALUE : as_text(text);
}

struct value as_blob(struct str bytes)
{
    return (struct value){.kind = VALUE_BLOB, .text = bytes};
}

struct value as_amount(struct decimal amount)
{
    return (struct value){.kind = VALUE_AMOUNT, .amount = amount};
}

static void bind_amount(struct query *q, int at, struct decimal amount)
{
    struct buf text = buf_new(q->db->alloc, 256);

    decimal_write(amount, &text);
    if (text.failed)
        q->failed = true;
    else
        q->db->engine->bind(q, at,
                            &(struct value){.kind = VALUE_WORD, .text = buf_text(&text)});
    buf_free(&text);
}

void query_bind(struct query *q, int at, struct value value)
{
    if (q != NULL && value.kind == VALUE_AMOUNT)
        bind_amount(q, at, value.amount);
    else if (q != NULL)
        q->db->engine->bind(q, at, &value);
}

bool column_null(struct query *q, int at)
{
    return q->db->engine->column_null(q, at);
}

double column_real(struct query *q, int at)
{
    return q->db->engine->column_real(q, at);
}

const char *column_word(struct query *q, int at)
{
    return q->db->engine->column_text(q, at).at;
}

struct str column_view(struct query *q, int at)
{
    return q->db->engine->column_text(q, at);
}

int64_t column_money(struct query *q, int at)
{
    return column_null(q, at) ? MONEY_UNKNOWN : column_int(q, at);
}

double column_number(struct query *q, int at)
{
    return column_null(q, at) ? NAN : column_real(q, at);
}

int64_t column_count(struct query *q, int at)
{
    return column_null(q, at) ? -1 : column_int(q, at);
}

bool column_text(struct query *q, int at, struct arena *arena, struct str *out,
                 struct error *err)
{
    struct str text = column_view(q, at);

    if (text.at == NULL && !column_null(q, at))
        return error_memory(err);
    return str_keep(text, arena, out, err);
}

bool column_amount(struct query *q, int at, struct decimal *out, struct error *err)
{
    struct str text = column_view(q, at);

    *out = (struct decimal){0};
    if (column_null(q, at))
        return true;
    if (text.at == NULL)
        return error_memory(err);
    return decimal_parse(text, out) ||
           error_fail(err, ERROR_DAMAGED,
                      "the ledger '%s' has an amount '%.*s' that is not a number", q->db->name,
                      STR_ARG(text));
}

bool column_blob(struct query *q, int at, struct buf *out, struct error *err)
{
    buf_clear(out);
    q->db->engine->column_blob(q, at, out);
    if (out->failed == ERROR_INPUT)
        return error_fail(err, ERROR_DAMAGED, "the ledger '%s' has bytes that cannot be read",
                          q->db->name);
    return buf_ok(out, err);
}
