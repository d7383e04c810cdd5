#include "ledger/copy/copy.h"

#include <string.h>

#include "ledger/bills_internal.h"

#define TELL_EVERY 4096 /* rows */

struct work {
    struct ledger *from, *to;
    struct ledger_copy *copy;
    struct arena *arena;
    const struct ledger_table *tables;
    size_t count;
    struct ledger_digest *sums; /* of the source, by table */
    uint64_t done, total;
    struct buf scratch;
};

static bool is_file(const struct ledger *l)
{
    return l->db->engine == &engine_sqlite;
}

static bool go_on(struct work *w, const char *label, struct error *err)
{
    const struct ledger_copy *c = w->copy;

    if (c->progress != NULL)
        c->progress(c->progress_ctx, label, w->done, w->total);
    if (c->stopped == NULL || !c->stopped())
        return true;
    error_set(err, ERROR_STOPPED, "stopped: nothing was copied");
    error_hint(err, "the ledger '%.200s' is as empty as before", w->to->name);
    return false;
}

/* ---- before ---- */

static bool count_source(struct work *w, struct error *err)
{
    for (size_t i = 0; i < w->count; i++) {
        struct error why = {0};

        if (!table_count(w->from, &w->tables[i], w->arena, &w->sums[i], &why)) {
            if (!w->copy->damaged || why.kind == ERROR_MEMORY) {
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

/* ---- rows ---- */

/* In a damaged ledger a row may be without its parent, or no row at all: it is left out. */
static bool left_out(struct work *w, struct ledger_copied_table *out, const struct error *why)
{
    if (!w->copy->damaged || why->kind == ERROR_MEMORY || why->kind == ERROR_SYSTEM)
        return false;
    out->lost++;
    w->copy->lost++;
    if (out->what.len == 0)
        out->what = str_from(str_dup(str_from(why->text), w->arena, &(struct error){0}));
    return true;
}

static bool put_row(struct work *w, struct row_copy *r, struct query *q,
                    struct ledger_copied_table *out, struct error *err)
{
    struct error why = {0};

    if (row_take(r, q, &why) && bulk_row(r->to, &why)) {
        out->digest.at[0] += r->digest[0];
        out->digest.at[1] += r->digest[1];
        out->digest.rows++;
        return ++w->done % TELL_EVERY != 0 || go_on(w, r->table->name, err);
    }
    if (left_out(w, out, &why))
        return true;
    *err = why;
    return false;
}

/* All rows, one way or the other. `whole` is false when the rest could not be read. */
static bool put_rows(struct work *w, struct row_copy *r, bool backwards,
                     struct ledger_copied_table *out, bool *whole, struct error *err)
{
    const struct engine *engine = w->from->db->engine;
    const char *sql = table_select(r->table, backwards, w->arena, err);
    struct error why = {0};
    struct query *q = sql != NULL ? engine->prepare(w->from->db, sql, &why) : NULL;
    bool ok = sql != NULL;
    int got = q != NULL ? 1 : -1;

    while (ok && got > 0 && (got = ledger_row(w->from, q, "read", &why)) > 0)
        ok = put_row(w, r, q, out, err);
    if (q != NULL)
        engine->free(q);
    *whole = got == 0;
    if (!ok || got == 0)
        return ok;
    if (!w->copy->damaged || why.kind == ERROR_MEMORY || why.kind == ERROR_SYSTEM) {
        *err = why;
        return false;
    }
    out->damaged = true;
    if (out->what.len == 0)
        out->what = str_from(str_dup(str_from(why.text), w->arena, err));
    return true;
}

static bool put_table(struct work *w, size_t at, struct error *err)
{
    const struct ledger_table *t = &w->tables[at];
    struct ledger_copied_table *out = &w->copy->tables[at];
    struct row_copy r = {.table = t,
                         .to = bulk_open(w->to, t->name, t->names, t->count, err),
                         .scratch = &w->scratch,
                         .replaced = is_file(w->to) ? NULL : &w->copy->replaced};
    bool ok, whole = true;

    out->name = t->name;
    if (r.to == NULL)
        return false;
    ok = put_rows(w, &r, false, out, &whole, err);
    if (ok && !whole) /* what lies behind the damage, from the other end */
        ok = put_rows(w, &r, true, out, &whole, err);
    ok = bulk_close(r.to, ok, err) && ok;
    row_copy_free(&r);
    w->copy->rows += out->digest.rows;
    return ok && (t->key == NULL || ledger_next_keys(w->to, t->name, t->key, err)) &&
           go_on(w, t->name, err);
}

/* Of a source that was damaged, only what was put is known. */
static bool compare(struct work *w, size_t at, struct error *err)
{
    const struct ledger_table *t = &w->tables[at];
    struct ledger_digest *put = &w->copy->tables[at].digest, there;

    if (!table_digest(w->to, t, w->arena, &there, err))
        return false;
    if (w->copy->damaged) {
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

static bool put_all(struct work *w, struct error *err)
{
    if (!check_empty(w, err))
        return false;
    for (size_t i = 0; i < w->count; i++)
        if (!put_table(w, i, err))
            return false;
    for (size_t i = 0; i < w->count; i++)
        if (!go_on(w, "comparing", err) || !compare(w, i, err))
            return false;
    return true;
}

/* A file's log was not waited for while it was written: one more transaction, which is. */
static bool on_the_disk(struct ledger *to, struct error *err)
{
    return ledger_start_alone(to, err) &&
           ledger_finish(to, to->db->engine->set_version(to->db, LEDGER_VERSION, err), err);
}

static bool work(struct work *w, struct error *err)
{
    bool ok;

    if (!count_source(w, err))
        return false;
    ledger_bulk_mode(w->to, true);
    ok = ledger_start_alone(w->to, err) && ledger_finish(w->to, put_all(w, err), err);
    ledger_bulk_mode(w->to, false);
    return ok && on_the_disk(w->to, err);
}

static bool allowed(const struct work *w, struct error *err)
{
    if (!w->copy->damaged || (is_file(w->from) && is_file(w->to)))
        return true;
    error_set(err, ERROR_USAGE,
              "what is left of a damaged ledger is copied from a file to a file");
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

    copy->version = LEDGER_VERSION;
    copy->rows = copy->replaced = copy->lost = 0;
    if (!allowed(&w, err) || !ledger_tables(arena, &w.tables, &w.count, err))
        return false;
    w.sums = arena_array(arena, struct ledger_digest, w.count, err);
    copy->tables = arena_array(arena, struct ledger_copied_table, w.count, err);
    copy->count = w.count;
    if (w.sums == NULL || copy->tables == NULL)
        return false;
    tables = ledger_start_read(from, err);
    if (tables <= 0)
        return tables == 0 && ledger_none(from->name, err);
    ok = work(&w, err);
    buf_free(&w.scratch);
    (void)!ledger_finish(from, false, err); /* nothing was written: it only ends */
    return ok;
}
