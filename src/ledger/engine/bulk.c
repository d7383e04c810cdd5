/* Many rows into one table: prepared INSERTs, or the text that COPY reads, in blocks.
 *
 * One statement for many rows keeps its place in the table: rows in the order of their key are
 * appended instead of looked up. Values wait here until there are enough for one. */
#include "ledger/internal.h"

#include <math.h>

#include "base/buf.h"
#include "base/hex.h"
#include "base/num.h"

#define BLOCK ((size_t)64 * 1024)
#define TOGETHER 32 /* rows of one statement */

struct bulk {
    struct database *db;
    struct query *one;  /* inserts a row; NULL: rows are copied by the block */
    struct query *many; /* inserts TOGETHER of them; NULL until there are as many */
    const char *table;
    const char *const *columns;
    size_t count;         /* of the columns */
    struct value *values; /* that wait: room for TOGETHER rows; their texts are in `rows` */
    struct buf rows;
    size_t at;  /* values so far: of the row to copy, or that wait */
    bool alone; /* no row waits for others */
};

static void add_names(struct buf *sql, const char *const *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_addf(sql, "%s%s", i > 0 ? "," : "(", columns[i]);
    buf_char(sql, ')');
}

static struct query *prepare_insert(const struct bulk *b, size_t rows, struct error *err)
{
    struct buf sql = buf_new(b->db->alloc, BLOCK);
    struct query *insert = NULL;

    buf_addf(&sql, "INSERT INTO %s", b->table);
    add_names(&sql, b->columns, b->count);
    buf_adds(&sql, " VALUES");
    for (size_t row = 0; row < rows; row++) {
        buf_adds(&sql, row > 0 ? "," : "");
        for (size_t i = 0; i < b->count; i++)
            buf_adds(&sql, i > 0 ? ",?" : "(?");
        buf_char(&sql, ')');
    }
    buf_char(&sql, '\0');
    if (buf_ok(&sql, err))
        insert = b->db->engine->prepare(b->db, buf_text(&sql).at, err);
    buf_free(&sql);
    return insert;
}

static bool start_copy(const struct bulk *b, struct error *err)
{
    struct buf sql = buf_new(b->db->alloc, BLOCK);
    bool ok;

    buf_addf(&sql, "COPY %s", b->table);
    add_names(&sql, b->columns, b->count);
    buf_adds(&sql, " FROM STDIN");
    buf_char(&sql, '\0');
    ok = buf_ok(&sql, err) && b->db->engine->copy_start(b->db, buf_text(&sql).at, err);
    buf_free(&sql);
    return ok;
}

static bool start_bulk(struct bulk *b, struct error *err)
{
    if (b->db->engine->copy_start != NULL)
        return start_copy(b, err);
    b->values = b->db->alloc->get(b->db->alloc->ctx, TOGETHER * b->count * sizeof *b->values);
    if (b->values == NULL)
        return error_memory(err);
    b->one = prepare_insert(b, 1, err);
    return b->one != NULL;
}

static void free_bulk(struct bulk *b)
{
    const struct alloc *alloc = b->db->alloc;

    if (b->one != NULL)
        b->db->engine->free(b->one);
    if (b->many != NULL)
        b->db->engine->free(b->many);
    if (b->values != NULL)
        alloc->put(alloc->ctx, b->values);
    buf_free(&b->rows);
    alloc->put(alloc->ctx, b);
}

struct bulk *bulk_open(struct ledger *l, const char *table, const char *const *columns,
                       size_t count, struct error *err)
{
    struct bulk *b = l->alloc->get(l->alloc->ctx, sizeof *b);

    if (b == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *b = (struct bulk){.db = l->db,
                       .table = table,
                       .columns = columns,
                       .count = count,
                       .rows = buf_new(l->alloc, BUF_MAX_OUTPUT)};
    if (start_bulk(b, err))
        return b;
    free_bulk(b);
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

void bulk_alone(struct bulk *b)
{
    b->alone = true;
}

void bulk_skip(struct bulk *b)
{
    b->at = 0;
    buf_clear(&b->rows);
}

static bool has_text(const struct value *value)
{
    return value->kind == VALUE_TEXT || value->kind == VALUE_WORD || value->kind == VALUE_BLOB;
}

/* Until its statement is run; what its text points to may be gone by then. */
static void keep_bulk_value(struct bulk *b, struct value value)
{
    struct value *kept = &b->values[b->at];

    *kept = value;
    if (has_text(&value))
        buf_add(&b->rows, value.text);
}

void bulk_put(struct bulk *b, struct value value)
{
    if (b->values != NULL) {
        keep_bulk_value(b, value);
    } else {
        if (b->at > 0)
            buf_char(&b->rows, '\t');
        add_bulk_value(&b->rows, &value);
    }
    b->at++;
}

static bool flush_bulk_rows(struct bulk *b, struct error *err)
{
    bool ok = buf_ok(&b->rows, err) &&
              (b->rows.len == 0 || b->db->engine->copy_put(b->db, buf_text(&b->rows), err));

    buf_clear(&b->rows);
    return ok;
}

/* So many of the values that wait, from that one on. */
static bool insert_values(const struct bulk *b, struct query *insert, size_t from, size_t count,
                          const char **texts, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        struct value value = b->values[from + i];

        if (has_text(&value) && value.text.len > 0) {
            value.text.at = *texts;
            *texts += value.text.len;
        }
        query_bind(insert, (int)i + 1, value);
    }
    return b->db->engine->step(insert, "write", err) == 0;
}

static bool insert_waiting(struct bulk *b, struct error *err)
{
    size_t together = TOGETHER * b->count, step = b->at == together ? together : b->count;
    const char *texts = b->rows.at;
    struct query *insert = b->one;
    bool ok = buf_ok(&b->rows, err);

    if (ok && step == together) {
        if (b->many == NULL)
            b->many = prepare_insert(b, TOGETHER, err);
        insert = b->many;
        ok = insert != NULL;
    }
    for (size_t from = 0; ok && from < b->at; from += step)
        ok = insert_values(b, insert, from, step, &texts, err);
    b->at = 0;
    buf_clear(&b->rows);
    return ok;
}

bool bulk_row(struct bulk *b, struct error *err)
{
    if (b->values != NULL)
        return (!b->alone && b->at < TOGETHER * b->count && b->rows.len < BLOCK &&
                !b->rows.failed) ||
               insert_waiting(b, err);
    b->at = 0;
    buf_char(&b->rows, '\n');
    return (b->rows.len < BLOCK && !b->rows.failed) || flush_bulk_rows(b, err);
}

bool bulk_close(struct bulk *b, bool ok, struct error *err)
{
    struct database *db = b->db;
    struct error ignored;

    if (b->values != NULL) {
        ok = ok && insert_waiting(b, err);
    } else {
        ok = ok && flush_bulk_rows(b, err);
        ok = db->engine->copy_end(db, ok, ok ? err : &ignored) && ok;
    }
    free_bulk(b);
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
