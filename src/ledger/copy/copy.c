#include "ledger/copy/copy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ledger/bills_internal.h"

/* A row, column by column: into its digest, and into the other table where there is one.
 * `scratch` is for texts that a server does not take as they are; `replaced` counts those,
 * NULL: texts are taken as they are. */
struct row_copy {
    const struct ledger_table *table;
    struct bulk *to; /* NULL: only the digest */
    struct buf *scratch;
    int64_t *replaced;
    uint64_t digest[2];  /* of the row */
    struct buf blobs[2]; /* those of the row: they must outlive it; a table has two at most */
    size_t blob_count;
};

static const char *sql_text(struct buf *sql, struct arena *arena, struct error *err)
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
    return sql_text(&sql, arena, err);
}

/* As a server takes it: no byte of 0, and what is no UTF-8 is replaced. */
static struct str clean_text(struct str text, struct buf *scratch, int64_t *replaced)
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

static void mark_value(struct digester *d, size_t column, enum mark how, struct str bytes)
{
    digest_text(d, (uint32_t)(column * 4 + how), bytes);
}

static void put_value(struct row_copy *r, struct value value)
{
    if (r->to != NULL)
        bulk_put(r->to, value);
}

static void take_real(struct row_copy *r, struct digester *d, size_t at, double value)
{
    double kept = value == 0 ? 0 : value; /* a zero has no sign in SQLite */

    mark_value(d, at, isnan(kept) ? MARK_NULL : MARK_REAL,
               (struct str){(const char *)&kept, isnan(kept) ? 0 : sizeof kept});
    put_value(r, as_number(kept));
}

static bool copy_amount(struct row_copy *r, struct digester *d, struct query *q, size_t at,
                        struct error *err)
{
    char room[DECIMAL_ROOM];
    struct decimal amount;

    if (!column_amount(q, (int)at, &amount, err))
        return false;
    mark_value(d, at, MARK_TEXT, decimal_text(decimal_trim(amount, 0), room));
    /* Unchanged: it must outlive the row. */
    put_value(r, as_text_or_null(column_view(q, (int)at)));
    return true;
}

static bool copy_column_text(struct row_copy *r, struct digester *d, struct query *q, size_t at,
                             struct error *err)
{
    struct str text = column_view(q, (int)at);

    if (text.at == NULL)
        return error_memory(err);
    if (r->replaced != NULL)
        text = clean_text(text, r->scratch, r->replaced);
    if (r->scratch->failed)
        return buf_ok(r->scratch, err);
    mark_value(d, at, MARK_TEXT, text);
    put_value(r, as_text(text));
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
    mark_value(d, at, MARK_TEXT, buf_text(bytes));
    put_value(r, as_blob(buf_text(bytes)));
    return true;
}

static void row_copy_free(struct row_copy *r)
{
    for (size_t i = 0; i < ARRAY_LEN(r->blobs); i++)
        if (r->blobs[i].alloc != NULL)
            buf_free(&r->blobs[i]);
}

static bool copy_value(struct row_copy *r, struct digester *d, struct query *q, size_t at,
                       struct error *err)
{
    int64_t whole;

    if (column_null(q, (int)at)) {
        mark_value(d, at, MARK_NULL, (struct str){0});
        put_value(r, NULL_VALUE);
        return true;
    }
    switch (r->table->columns[at].kind) {
    case KIND_INTEGER:
        whole = column_int(q, (int)at);
        mark_value(d, at, MARK_INTEGER, (struct str){(const char *)&whole, sizeof whole});
        put_value(r, as_int(whole));
        return true;
    case KIND_REAL:
        take_real(r, d, at, column_real(q, (int)at));
        return true;
    case KIND_AMOUNT:
        return copy_amount(r, d, q, at, err);
    case KIND_BLOB:
        return take_blob(r, d, q, at, err);
    case KIND_TEXT:
        break;
    }
    return copy_column_text(r, d, q, at, err);
}

static bool row_take(struct row_copy *r, struct query *q, struct error *err)
{
    static const uint64_t key[2] = {0}; /* not a secret: the same on both sides */
    struct digester d;
    struct digest end;

    digest_start(&d, key);
    r->blob_count = 0;
    for (size_t i = 0; i < r->table->count; i++)
        if (!copy_value(r, &d, q, i, err))
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
    return sql_text(&sql, arena, err);
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

/* Rows and sums as the engine itself counts them. */
static bool table_count(struct ledger *l, const struct ledger_table *t, struct arena *arena,
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

/* Rows, sums and digest of what is there. */
static bool table_digest(struct ledger *l, const struct ledger_table *t, struct arena *arena,
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

/* Is it the same? The reason, if it is not. */
static bool digest_same(const struct ledger_table *t, const struct ledger_digest *a,
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

#define TELL_EVERY 4096 /* rows */

static const struct field table_fields[] = {
    FIELD(TEXT, ledger_copied_table, table, .help = "table name"),
    FIELD_AS("rows", COUNT, ledger_copied_table, digest.rows, .help = "rows in both"),
    FIELD_AS("digest", CHARS, ledger_copied_table, digest_text,
             .help = "digest of every value, independent of the engine"),
    FIELD(COUNT, ledger_copied_table, lost, .help = "rows that were read but not written"),
    FIELD(FLAG, ledger_copied_table, damaged, .help = "part of the table could not be read"),
    FIELD(TEXT, ledger_copied_table, what, .empty_unknown = true, .help = "reason"),
};

const struct field_set ledger_copied_table_fields =
    FIELD_SET(struct ledger_copied_table, table_fields);

struct work {
    struct ledger *from, *to;
    struct ledger_copy *copy;
    struct ledger_copied_table *copied; /* by table */
    struct arena *arena;
    const struct ledger_table *tables;
    size_t count;
    struct ledger_digest *sums; /* of the source, by table */
    uint64_t done, total;
    struct buf scratch;
};

static bool is_ledger_file(const struct ledger *l)
{
    return l->db->engine == &engine_sqlite;
}

static bool copy_may_go_on(struct work *w, const char *label, struct error *err)
{
    const struct ledger_copy *c = w->copy;

    watch_progress(&c->watch, label, w->done, w->total);
    if (!watch_stopped(&c->watch))
        return true;
    error_set(err, ERROR_STOPPED, "stopped: nothing was copied");
    error_hint(err, "the ledger '%.200s' is as empty as before", w->to->name);
    return false;
}

/* ---- checks before a copy ---- */

static bool count_source(struct work *w, struct error *err)
{
    for (size_t i = 0; i < w->count; i++) {
        struct error why = {0};

        if (!table_count(w->from, &w->tables[i], w->arena, &w->sums[i], &why)) {
            if (!w->copy->rescue || why.kind == ERROR_MEMORY) {
                *err = why;
                return false;
            }
            w->sums[i] = (struct ledger_digest){0};
        }
        w->total += (uint64_t)w->sums[i].rows;
    }
    return true;
}

static bool check_empty(struct work *w, struct error *err)
{
    struct ledger *to = w->to;

    for (size_t i = 0; i < w->count; i++) {
        const struct ledger_table *t = &w->tables[i];
        int64_t rows;

        if (!table_rows(to, t, w->arena, &rows, err))
            return false;
        if (rows == 0)
            continue;
        error_set(err, ERROR_INPUT,
                  "the ledger '%s' is not empty: its table '%s' has %lld rows", to->name,
                  t->name, (long long)rows);
        error_hint(err, "a copy goes into a new one: name a file that is not there, or another "
                        "database");
        return false;
    }
    return true;
}

/* ---- copying tables ---- */

/* In a damaged ledger a row may be without its parent, or no row at all: it is left out. */
static bool left_out(struct work *w, struct ledger_copied_table *out, const struct error *why)
{
    if (!w->copy->rescue || error_is_of_machine(why->kind))
        return false;
    out->lost++;
    w->copy->lost++;
    if (out->what.len == 0)
        out->what = str_from(str_dup(str_from(why->text), w->arena, &(struct error){0}));
    return true;
}

static bool put_copied_row(struct work *w, struct row_copy *r, struct query *q,
                           struct ledger_copied_table *out, struct error *err)
{
    struct error why = {0};

    if (row_take(r, q, &why) && bulk_row(r->to, &why)) {
        out->digest.at[0] += r->digest[0];
        out->digest.at[1] += r->digest[1];
        out->digest.rows++;
        return ++w->done % TELL_EVERY != 0 || copy_may_go_on(w, r->table->name, err);
    }
    if (left_out(w, out, &why)) {
        bulk_skip(r->to); /* what came before the value that is none */
        return true;
    }
    *err = why;
    return false;
}

/* All rows, one way or the other. `complete` is false when the rest could not be read. */
static bool put_copied_rows(struct work *w, struct row_copy *r, bool backwards,
                            struct ledger_copied_table *out, bool *complete, struct error *err)
{
    const struct engine *engine = w->from->db->engine;
    const char *sql = table_select(r->table, backwards, w->arena, err);
    struct error why = {0};
    struct query *q = sql != NULL ? engine->prepare(w->from->db, sql, &why) : NULL;
    bool ok = sql != NULL;
    int got = q != NULL ? 1 : -1;

    while (ok && got > 0 && (got = ledger_row(w->from, q, "read", &why)) > 0)
        ok = put_copied_row(w, r, q, out, err);
    if (q != NULL)
        engine->free(q);
    *complete = got == 0;
    if (!ok || got == 0)
        return ok;
    if (!w->copy->rescue || error_is_of_machine(why.kind)) {
        *err = why;
        return false;
    }
    out->damaged = w->copy->damaged = true;
    if (out->what.len == 0)
        out->what = str_from(str_dup(str_from(why.text), w->arena, err));
    return true;
}

static bool put_table(struct work *w, size_t at, struct error *err)
{
    const struct ledger_table *t = &w->tables[at];
    struct ledger_copied_table *out = &w->copied[at];
    struct row_copy r = {.table = t,
                         .to = bulk_open(w->to, t->name, t->names, t->count, err),
                         .scratch = &w->scratch,
                         .replaced = is_ledger_file(w->to) ? NULL : &w->copy->replaced};
    bool ok, complete = true;

    out->table = str_from(t->name);
    if (r.to == NULL)
        return false;
    if (w->copy->rescue)
        bulk_alone(r.to);
    ok = put_copied_rows(w, &r, false, out, &complete, err);
    if (ok && !complete) /* what lies behind the damage, from the other end */
        ok = put_copied_rows(w, &r, true, out, &complete, err);
    ok = bulk_close(r.to, ok, err) && ok;
    row_copy_free(&r);
    (void)snprintf(out->digest_text, sizeof out->digest_text, "%016" PRIx64 "%016" PRIx64,
                   out->digest.at[0], out->digest.at[1]);
    w->copy->rows += out->digest.rows;
    return ok && (t->key == NULL || ledger_next_keys(w->to, t->name, t->key, err)) &&
           copy_may_go_on(w, t->name, err);
}

/* Of a source that was damaged, only what was put is known. */
static bool compare_tables(struct work *w, size_t at, struct error *err)
{
    const struct ledger_table *t = &w->tables[at];
    struct ledger_digest *put = &w->copied[at].digest, there;

    if (!table_digest(w->to, t, w->arena, &there, err))
        return false;
    if (w->copy->rescue) {
        put->summed = there.summed;
        memcpy(put->sums, there.sums, sizeof put->sums);
    } else {
        int64_t rows = put->rows;

        put->summed = w->sums[at].summed;
        memcpy(put->sums, w->sums[at].sums, sizeof put->sums);
        if (rows != w->sums[at].rows)
            return error_fail(err, ERROR_FAILED,
                              "the table '%s' has %lld rows, but %lld were read", t->name,
                              (long long)w->sums[at].rows, (long long)rows);
    }
    if (digest_same(t, put, &there, err))
        return true;
    error_hint(err, "nothing was kept of it; was something else written there meanwhile? "
                    "'stint ledger doctor' looks at either");
    return false;
}

static bool put_tables(struct work *w, struct error *err)
{
    if (!check_empty(w, err))
        return false;
    for (size_t i = 0; i < w->count; i++)
        if (!put_table(w, i, err))
            return false;
    for (size_t i = 0; i < w->count; i++)
        if (!copy_may_go_on(w, "comparing", err) || !compare_tables(w, i, err))
            return false;
    return true;
}

/* A file's log was not waited for while it was written: one more transaction, which is. */
static bool on_the_disk(struct ledger *to, struct error *err)
{
    return ledger_start_alone(to, err) &&
           ledger_finish(
               to, to->db->engine->set_version(to->db, ledger_newest(to->schema), err), err);
}

static bool copy_all(struct work *w, struct error *err)
{
    bool ok;

    if (!count_source(w, err))
        return false;
    ledger_bulk_mode(w->to, true);
    ok = ledger_start_alone(w->to, err) && ledger_finish(w->to, put_tables(w, err), err);
    ledger_bulk_mode(w->to, false);
    return ok && on_the_disk(w->to, err);
}

static bool copy_allowed(const struct work *w, struct error *err)
{
    if (!w->copy->rescue || (is_ledger_file(w->from) && is_ledger_file(w->to)))
        return true;
    error_set(err, ERROR_USAGE, "a damaged ledger can only be copied from a file to a file");
    error_hint(err, "copy the new file to the server then");
    return false;
}

bool ledger_copy(struct ledger *from, struct ledger *to, struct ledger_copy *copy,
                 struct arena *arena, struct error *err)
{
    struct work w = {.from = from,
                     .to = to,
                     .copy = copy,
                     .arena = arena,
                     .scratch = buf_new(from->alloc, BUF_MAX_OUTPUT)};
    int tables;
    bool ok;

    copy->version = ledger_newest(to->schema);
    copy->rows = copy->replaced = copy->lost = 0;
    copy->damaged = false;
    if (!copy_allowed(&w, err) || !ledger_tables(from->schema, arena, &w.tables, &w.count, err))
        return false;
    w.sums = arena_array(arena, struct ledger_digest, w.count, err);
    w.copied = arena_array(arena, struct ledger_copied_table, w.count, err);
    if (w.sums == NULL || w.copied == NULL)
        return false;
    copy->tables = (struct rows){w.copied, w.count};
    tables = ledger_start_read(from, err);
    if (tables <= 0)
        return tables == 0 && ledger_none(from->name, err);
    ok = copy_all(&w, err);
    buf_free(&w.scratch);
    (void)!ledger_finish(from, false, err); /* nothing was written: it only ends */
    return ok;
}
