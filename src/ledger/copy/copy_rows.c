/* Rows of a table: read, put into another, and made into a digest. */
#include <math.h>
#include <string.h>

#include "ledger/bills_internal.h"
#include "ledger/copy/copy.h"

static const char *text_of(struct buf *sql, struct arena *arena, struct error *err)
{
    char *copy = buf_ok(sql, err) ? str_dup(buf_text(sql), arena, err) : NULL;

    buf_free(sql);
    return copy;
}

const char *table_select(const struct ledger_table *t, bool backwards, struct arena *arena,
                         struct error *err)
{
    struct buf sql = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    for (size_t i = 0; i < t->count; i++)
        buf_addf(&sql, "%s%s", i == 0 ? "SELECT " : ", ", t->names[i]);
    buf_addf(&sql, " FROM %s", t->name);
    if (backwards && t->without_rowid) {
        struct str rest = str_from(t->primary);

        for (const char *sep = " ORDER BY "; rest.len > 0; sep = ", ") {
            struct str column = str_trim(str_cut(&rest, ','));

            buf_adds(&sql, sep);
            buf_add(&sql, column);
            buf_adds(&sql, " DESC");
        }
    } else if (backwards) {
        buf_adds(&sql, " ORDER BY rowid DESC");
    }
    return text_of(&sql, arena, err);
}

/* As a server takes it: no byte of 0, and what is no UTF-8 is replaced. */
static struct str clean(struct str text, struct buf *scratch, int64_t *replaced)
{
    size_t good = 0;

    buf_clear(scratch);
    for (size_t i = 0; i < text.len;) {
        size_t len =
            text.at[i] == '\0' ? 0 : str_character((struct str){text.at + i, text.len - i});

        if (len > 0 && len != SIZE_MAX) {
            i += len;
            continue;
        }
        buf_add(scratch, (struct str){text.at + good, i - good});
        buf_adds(scratch, "\xef\xbf\xbd");
        good = ++i;
    }
    if (good == 0)
        return text;
    ++*replaced;
    buf_add(scratch, (struct str){text.at + good, text.len - good});
    return buf_text(scratch);
}

/* The same value has the same digest, whichever engine it comes from. */
enum mark { MARK_NULL, MARK_INTEGER, MARK_REAL, MARK_TEXT };

static void mark(struct digester *d, size_t column, enum mark how, struct str bytes)
{
    digest_text(d, (uint32_t)(column * 4 + how), bytes);
}

static void take_real(struct row_copy *r, struct digester *d, size_t at, double value)
{
    double kept = value == 0 ? 0 : value; /* a zero has no sign in SQLite */

    mark(d, at, isnan(kept) ? MARK_NULL : MARK_REAL,
         (struct str){(const char *)&kept, isnan(kept) ? 0 : sizeof kept});
    if (r->to != NULL)
        bulk_real(r->to, kept);
}

static bool take_amount(struct row_copy *r, struct digester *d, struct query *q, size_t at,
                        struct error *err)
{
    char room[DECIMAL_ROOM];
    struct decimal amount;

    if (!column_amount(q, (int)at, &amount, err))
        return false;
    mark(d, at, MARK_TEXT, decimal_text(decimal_trim(amount, 0), room));
    if (r->to != NULL) /* as it stands: it must outlive the row */
        bulk_amount(r->to, column_view(q, (int)at));
    return true;
}

static bool take_text(struct row_copy *r, struct digester *d, struct query *q, size_t at,
                      struct error *err)
{
    struct str text = column_view(q, (int)at);

    if (text.at == NULL)
        return error_memory(err);
    if (r->replaced != NULL)
        text = clean(text, r->scratch, r->replaced);
    if (r->scratch->failed)
        return buf_ok(r->scratch, err);
    mark(d, at, MARK_TEXT, text);
    if (r->to != NULL)
        bulk_text(r->to, text);
    return true;
}

static bool take_blob(struct row_copy *r, struct digester *d, struct query *q, size_t at,
                      struct error *err)
{
    struct buf *bytes = &r->blobs[r->blob_count++ % ARRAY_LEN(r->blobs)];

    if (bytes->alloc == NULL)
        *bytes = buf_new(r->scratch->alloc, BUF_MAX_OUTPUT);
    if (!column_blob(q, (int)at, bytes, err))
        return false;
    mark(d, at, MARK_TEXT, buf_text(bytes));
    if (r->to != NULL)
        bulk_blob(r->to, buf_text(bytes));
    return true;
}

void row_copy_free(struct row_copy *r)
{
    for (size_t i = 0; i < ARRAY_LEN(r->blobs); i++)
        if (r->blobs[i].alloc != NULL)
            buf_free(&r->blobs[i]);
}

static bool take_value(struct row_copy *r, struct digester *d, struct query *q, size_t at,
                       struct error *err)
{
    int64_t whole;

    if (column_null(q, (int)at)) {
        mark(d, at, MARK_NULL, (struct str){0});
        if (r->to != NULL)
            bulk_null(r->to);
        return true;
    }
    switch (r->table->columns[at].kind) {
    case KIND_INTEGER:
        whole = column_int(q, (int)at);
        mark(d, at, MARK_INTEGER, (struct str){(const char *)&whole, sizeof whole});
        if (r->to != NULL)
            bulk_int(r->to, whole);
        return true;
    case KIND_REAL:
        take_real(r, d, at, column_real(q, (int)at));
        return true;
    case KIND_AMOUNT:
        return take_amount(r, d, q, at, err);
    case KIND_BLOB:
        return take_blob(r, d, q, at, err);
    case KIND_TEXT:
        break;
    }
    return take_text(r, d, q, at, err);
}

bool row_take(struct row_copy *r, struct query *q, struct error *err)
{
    static const uint64_t key[2] = {0}; /* not a secret: the same on both sides */
    struct digester d;
    struct digest end;

    digest_start(&d, key);
    r->blob_count = 0;
    for (size_t i = 0; i < r->table->count; i++)
        if (!take_value(r, &d, q, i, err))
            return false;
    end = digest_end(&d);
    memcpy(r->digest, end.at, sizeof r->digest);
    return true;
}

static const char *count_text(const struct ledger_table *t, bool sums, struct arena *arena,
                              struct error *err)
{
    struct buf sql = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    buf_adds(&sql, "SELECT count(*)");
    for (size_t i = 0; sums && i < t->count; i++)
        if (t->columns[i].kind == KIND_AMOUNT)
            buf_addf(&sql, ", SUM_AMOUNT(%s)", t->names[i]);
    buf_addf(&sql, " FROM %s", t->name);
    return text_of(&sql, arena, err);
}

static bool count_with(struct ledger *l, const struct ledger_table *t, const char *sql,
                       struct ledger_digest *out, struct error *err)
{
    struct query *q = l->db->engine->prepare(l->db, sql, err);
    bool ok = q != NULL && ledger_row(l, q, "read", err) > 0;
    int at = 1;

    if (ok)
        out->rows = column_int(q, 0);
    for (size_t i = 0; ok && out->summed && i < t->count; i++)
        if (t->columns[i].kind == KIND_AMOUNT)
            ok = column_amount(q, at++, &out->sums[i], err);
    if (q != NULL)
        l->db->engine->free(q);
    return ok;
}

bool table_rows(struct ledger *l, const struct ledger_table *t, struct arena *arena,
                int64_t *out, struct error *err)
{
    const char *sql = count_text(t, false, arena, err);
    struct ledger_digest counted = {.summed = false};
    bool ok = sql != NULL && count_with(l, t, sql, &counted, err);

    *out = counted.rows;
    return ok;
}

bool table_count(struct ledger *l, const struct ledger_table *t, struct arena *arena,
                 struct ledger_digest *out, struct error *err)
{
    const char *sql = count_text(t, true, arena, err);
    struct error ignored = {0};

    *out = (struct ledger_digest){.summed = true};
    if (sql == NULL)
        return false;
    if (count_with(l, t, sql, out, &ignored))
        return true;
    if (ignored.kind == ERROR_MEMORY) {
        *err = ignored;
        return false;
    }
    *out = (struct ledger_digest){.summed = false};
    return table_rows(l, t, arena, &out->rows, err);
}

bool table_digest(struct ledger *l, const struct ledger_table *t, struct arena *arena,
                  struct ledger_digest *out, struct error *err)
{
    const char *sql = table_select(t, false, arena, err);
    struct buf scratch = buf_new(l->alloc, BUF_MAX_OUTPUT);
    struct row_copy r = {.table = t, .scratch = &scratch};
    struct query *q;
    int64_t rows = 0;
    int got = -1;

    if (sql == NULL || !table_count(l, t, arena, out, err) ||
        (q = l->db->engine->prepare(l->db, sql, err)) == NULL)
        return false;
    while ((got = ledger_row(l, q, "read", err)) > 0 && row_take(&r, q, err)) {
        out->at[0] += r.digest[0];
        out->at[1] += r.digest[1];
        rows++;
    }
    l->db->engine->free(q);
    buf_free(&scratch);
    row_copy_free(&r);
    if (got == 0 && rows != out->rows)
        return error_fail(err, ERROR_FAILED,
                          "the table '%s' has %lld rows, but %lld are counted", t->name,
                          (long long)rows, (long long)out->rows);
    return got == 0;
}

bool digest_same(const struct ledger_table *t, const struct ledger_digest *a,
                 const struct ledger_digest *b, struct error *err)
{
    if (a->rows != b->rows)
        return error_fail(err, ERROR_FAILED, "the table '%s' has %lld rows, and its copy %lld",
                          t->name, (long long)a->rows, (long long)b->rows);
    for (size_t i = 0; a->summed && b->summed && i < t->count; i++)
        if (t->columns[i].kind == KIND_AMOUNT && decimal_cmp(a->sums[i], b->sums[i]) != 0)
            return error_fail(err, ERROR_FAILED,
                              "the sum of '%s' in '%s' is another in the copy", t->names[i],
                              t->name);
    if (memcmp(a->at, b->at, sizeof a->at) != 0)
        return error_fail(err, ERROR_FAILED, "a value in the table '%s' is another in the copy",
                          t->name);
    return true;
}
