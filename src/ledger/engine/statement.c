/* Statements that are prepared once, transactions, and values in and out. */
#include "ledger/internal.h"

#include <math.h>

#include "base/buf.h"

struct query *ledger_statement(struct ledger *l, enum statement which, struct error *err)
{
    struct query **kept = &l->statements[which];

    if (*kept == NULL)
        *kept = l->db->engine->prepare(l->db, ledger_sql[which], err);
    else
        l->db->engine->clear(*kept);
    return *kept;
}

struct query *ledger_query(struct ledger *l, const char *sql, struct error *err)
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

bool ledger_done(struct ledger *l, struct query *q, const char *doing, struct error *err)
{
    int row;

    do
        row = l->db->engine->step(q, doing, err);
    while (row > 0);
    return row == 0;
}

int ledger_row(struct ledger *l, struct query *q, const char *doing, struct error *err)
{
    return l->db->engine->step(q, doing, err);
}

bool ledger_added(struct ledger *l, struct query *q, int64_t *key, struct error *err)
{
    int row = ledger_row(l, q, "write", err);

    if (row == 0)
        return error_fail(err, ERROR_FAILED, "the ledger '%s' did not take a row", l->name);
    if (row < 0)
        return false;
    *key = column_int(q, 0);
    return ledger_done(l, q, "write", err);
}

/* ---- transactions ---- */

static bool start_write(struct ledger *l, enum engine_begin how, struct error *err)
{
    if (l->holds > 0)
        return error_fail(err, ERROR_FAILED, "the ledger '%s' is being read, not written",
                          l->name);
    if (!l->db->engine->begin(l->db, l->fresh ? ENGINE_ALONE : how, err))
        return false;
    if (!l->fresh)
        return true;
    if (ledger_step_up(l, ledger_steps, ledger_step_count, err))
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

bool ledger_has_tables(struct ledger *l, bool *out, struct error *err)
{
    int version = LEDGER_VERSION;

    if (l->fresh && !ledger_version(l, &version, err))
        return false;
    l->fresh = version == 0; /* another program may have begun it */
    *out = !l->fresh;
    return true;
}

/* ---- values ---- */

void query_reset(struct query *q)
{
    if (q != NULL)
        q->db->engine->reset(q);
}

void bind_int(struct query *q, int at, int64_t value)
{
    q->db->engine->bind_int(q, at, value);
}

void bind_real(struct query *q, int at, double value)
{
    q->db->engine->bind_real(q, at, value);
}

void bind_null(struct query *q, int at)
{
    q->db->engine->bind_null(q, at);
}

void bind_blob(struct query *q, int at, struct str bytes)
{
    q->db->engine->bind_blob(q, at, bytes);
}

void bind_text(struct query *q, int at, struct str text)
{
    q->db->engine->bind_text(q, at, text);
}

void bind_money(struct query *q, int at, int64_t nano)
{
    if (nano == MONEY_UNKNOWN)
        bind_null(q, at);
    else
        bind_int(q, at, nano);
}

void bind_number(struct query *q, int at, double value)
{
    if (isnan(value))
        bind_null(q, at);
    else
        bind_real(q, at, value);
}

void bind_count(struct query *q, int at, int64_t value)
{
    if (value < 0)
        bind_null(q, at);
    else
        bind_int(q, at, value);
}

void bind_text_or_null(struct query *q, int at, struct str text)
{
    if (text.len == 0)
        bind_null(q, at);
    else
        bind_text(q, at, text);
}

void bind_amount(struct query *q, int at, const struct decimal *amount)
{
    struct buf text;

    if (amount == NULL) {
        bind_null(q, at);
        return;
    }
    text = buf_new(q->db->alloc, 256);
    decimal_write(*amount, &text);
    if (text.failed)
        q->failed = true;
    else
        q->db->engine->bind_word(q, at, buf_text(&text));
    buf_free(&text);
}

bool column_null(struct query *q, int at)
{
    return q->db->engine->column_null(q, at);
}

int64_t column_int(struct query *q, int at)
{
    return q->db->engine->column_int(q, at);
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
    char *copy;

    if (text.at == NULL && !column_null(q, at))
        return error_memory(err);
    copy = str_dup(text, arena, err);
    *out = (struct str){copy, text.len};
    return copy != NULL;
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
           error_fail(err, ERROR_INPUT,
                      "the ledger '%s' has an amount '%.*s' that is no number", q->db->name,
                      STR_ARG(text));
}

bool column_blob(struct query *q, int at, struct buf *out, struct error *err)
{
    buf_clear(out);
    q->db->engine->column_blob(q, at, out);
    if (out->failed == ERROR_INPUT)
        return error_fail(err, ERROR_INPUT, "the ledger '%s' has bytes that cannot be read",
                          q->db->name);
    return buf_ok(out, err);
}
