/* Many rows into one table: a prepared INSERT, or the text that COPY reads, in blocks. */
#include "ledger/internal.h"

#include <math.h>

#include "base/buf.h"
#include "base/hex.h"
#include "base/num.h"

#define BLOCK ((size_t)64 * 1024)

struct bulk {
    struct database *db;
    struct query *insert; /* NULL: rows are copied by the block */
    struct buf rows;
    int at; /* columns of the row so far */
};

static void add_names(struct buf *sql, const char *const *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_addf(sql, "%s%s", i > 0 ? "," : "(", columns[i]);
    buf_char(sql, ')');
}

static bool start_bulk(struct bulk *b, const char *table, const char *const *columns,
                       size_t count, struct error *err)
{
    const struct engine *engine = b->db->engine;
    struct buf sql = buf_new(b->db->alloc, BLOCK);
    bool ok;

    buf_addf(&sql, engine->copy_start != NULL ? "COPY %s" : "INSERT INTO %s", table);
    add_names(&sql, columns, count);
    if (engine->copy_start != NULL) {
        buf_adds(&sql, " FROM STDIN");
    } else {
        buf_adds(&sql, " VALUES");
        for (size_t i = 0; i < count; i++)
            buf_adds(&sql, i > 0 ? ",?" : "(?");
        buf_char(&sql, ')');
    }
    buf_char(&sql, '\0');
    ok = buf_ok(&sql, err);
    if (ok && engine->copy_start != NULL) {
        ok = engine->copy_start(b->db, buf_text(&sql).at, err);
    } else if (ok) {
        b->insert = engine->prepare(b->db, buf_text(&sql).at, err);
        ok = b->insert != NULL;
    }
    buf_free(&sql);
    return ok;
}

struct bulk *bulk_open(struct ledger *l, const char *table, const char *const *columns,
                       size_t count, struct error *err)
{
    struct bulk *b = l->alloc->get(l->alloc->ctx, sizeof *b);

    if (b == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *b = (struct bulk){.db = l->db, .rows = buf_new(l->alloc, BUF_MAX_OUTPUT)};
    if (start_bulk(b, table, columns, count, err))
        return b;
    l->alloc->put(l->alloc->ctx, b);
    return NULL;
}

/* Millions of them: printf would take as long as all the rest. */
static void add_int(struct buf *out, int64_t value)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        digits[--at] = '-';
    buf_add(out, (struct str){digits + at, sizeof digits - at});
}

static void add_real(struct buf *out, double value)
{
    if (isinf(value))
        buf_adds(out, value < 0 ? "-Infinity" : "Infinity");
    else
        num_write(value, out);
}

/* As COPY reads it; what a server would refuse (a byte of 0, no UTF-8) is replaced. */
static void add_escaped_value(struct buf *out, struct str text)
{
    size_t plain = 0;

    for (size_t i = 0; i < text.len;) {
        unsigned char c = (unsigned char)text.at[i];
        size_t len =
            c >= 0x20 && c < 0x80 ? 1 : str_character((struct str){text.at + i, text.len - i});

        if (len == SIZE_MAX) /* cut short by the end */
            len = 0;
        if (c != '\\' && c >= 0x20 && len > 0) {
            i += len;
            continue;
        }
        buf_add(out, (struct str){text.at + plain, i - plain});
        if (c == '\\')
            buf_adds(out, "\\\\");
        else if (c == 0 || len == 0)
            buf_adds(out, "\xef\xbf\xbd");
        else
            buf_addf(out, "\\x%02x", c);
        plain = ++i;
    }
    buf_add(out, (struct str){text.at + plain, text.len - plain});
}

static void add_bulk_value(struct buf *out, const struct value *value)
{
    switch (value->kind) {
    case VALUE_NULL:
        buf_adds(out, "\\N");
        break;
    case VALUE_INT:
        add_int(out, value->whole);
        break;
    case VALUE_REAL:
        add_real(out, value->real);
        break;
    case VALUE_TEXT:
    case VALUE_WORD:
        if (value->text.len > 0)
            add_escaped_value(out, value->text);
        break;
    case VALUE_BLOB:
        buf_adds(out, "\\\\x");
        hex_write(value->text, out);
        break;
    case VALUE_AMOUNT:
        decimal_write(value->amount, out);
        break;
    }
}

void bulk_put(struct bulk *b, struct value value)
{
    b->at++;
    if (b->insert != NULL) {
        query_bind(b->insert, b->at, value);
        return;
    }
    if (b->at > 1)
        buf_char(&b->rows, '\t');
    add_bulk_value(&b->rows, &value);
}

static bool flush_bulk_rows(struct bulk *b, struct error *err)
{
    bool ok = buf_ok(&b->rows, err) &&
              (b->rows.len == 0 || b->db->engine->copy_put(b->db, buf_text(&b->rows), err));

    buf_clear(&b->rows);
    return ok;
}

bool bulk_row(struct bulk *b, struct error *err)
{
    b->at = 0;
    if (b->insert != NULL)
        return b->db->engine->step(b->insert, "write", err) == 0;
    buf_char(&b->rows, '\n');
    return (b->rows.len < BLOCK && !b->rows.failed) || flush_bulk_rows(b, err);
}

bool bulk_close(struct bulk *b, bool ok, struct error *err)
{
    struct database *db = b->db;
    struct error ignored;

    if (b->insert != NULL) {
        db->engine->free(b->insert);
    } else {
        ok = ok && flush_bulk_rows(b, err);
        ok = db->engine->copy_end(db, ok, ok ? err : &ignored) && ok;
    }
    buf_free(&b->rows);
    db->alloc->put(db->alloc->ctx, b);
    return ok;
}

bool ledger_next_keys(struct ledger *l, const char *table, const char *key, struct error *err)
{
    const struct engine *engine = l->db->engine;

    return engine->next_keys == NULL || engine->next_keys(l->db, table, key, err);
}

void ledger_bulk_mode(struct ledger *l, bool on)
{
    if (l->db->engine->bulk_mode != NULL)
        l->db->engine->bulk_mode(l->db, on);
}
