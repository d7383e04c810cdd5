/* PostgreSQL: statements, prepared once for each connection, and their rows.
 *
 * A connection answers one question at a time. Rows are taken as they come, so that an answer
 * of millions needs no memory; when something else is asked in between, the rest is kept first.
 */
#include <stdio.h>
#include <string.h>

#include "ledger/engine/postgres.h"

static struct pg_database *database_of(struct pg_query *q)
{
    return (struct pg_database *)q->base.db;
}

/* ---- making and freeing ---- */

static void *get(struct database *db, size_t count, size_t size)
{
    void *block = db->alloc->get(db->alloc->ctx, (count > 0 ? count : 1) * size);

    if (block != NULL)
        memset(block, 0, (count > 0 ? count : 1) * size);
    return block;
}

static void put(struct database *db, void *block)
{
    if (block != NULL)
        db->alloc->put(db->alloc->ctx, block);
}

void pg_free(struct query *base)
{
    struct pg_query *q = (struct pg_query *)base;
    struct database *db = base->db;

    pg_reset(base);
    put(db, q->cells);
    put(db, q->values);
    put(db, (void *)q->sent);
    put(db, q->sql);
    buf_free(&q->words);
    buf_free(&q->kept);
    put(db, q);
}

static bool take_sql(struct pg_query *q, const char *sql, struct error *err)
{
    struct database *db = q->base.db;
    struct buf text = buf_new(db->alloc, BUF_MAX_OUTPUT);
    bool ok;

    pg_translate(sql, false, &text, &q->value_count);
    buf_char(&text, '\0');
    ok = buf_ok(&text, err);
    if (ok) {
        size_t count = (size_t)q->value_count;

        q->sql = get(db, text.len, 1);
        q->values = get(db, count, sizeof *q->values);
        q->sent = get(db, count, sizeof *q->sent);
        ok = (q->sql != NULL && q->values != NULL && q->sent != NULL) || error_memory(err);
    }
    if (ok)
        memcpy(q->sql, buf_text(&text).at, text.len);
    buf_free(&text);
    return ok;
}

struct query *pg_prepare(struct database *db, const char *sql, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;
    struct pg_query *q = get(db, 1, sizeof *q);

    if (q == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    q->base.db = db;
    q->words = buf_new(db->alloc, BUF_MAX_OUTPUT);
    q->kept = buf_new(db->alloc, BUF_MAX_OUTPUT);
    (void)snprintf(q->name, sizeof q->name, "s%u", ++d->names);
    if (take_sql(q, sql, err))
        return &q->base;
    pg_free(&q->base);
    return NULL;
}

/* ---- rows ---- */

static bool room_for(struct pg_query *q, int columns, struct error *err)
{
    if (columns <= q->cell_count)
        return true;
    put(q->base.db, q->cells);
    q->cell_count = 0;
    q->cells = get(q->base.db, (size_t)columns, sizeof *q->cells);
    if (q->cells == NULL)
        return error_memory(err);
    q->cell_count = columns;
    return true;
}

static bool stand_on(struct pg_query *q, PGresult *row, struct error *err)
{
    int columns = PQnfields(row);

    PQclear(q->row);
    q->row = row;
    if (!room_for(q, columns, err))
        return false;
    for (int i = 0; i < columns; i++)
        q->cells[i] = !PQgetisnull(row, 0, i) ? (struct pg_cell){PQgetvalue(row, 0, i),
                                                                 (size_t)PQgetlength(row, 0, i)}
                                              : (struct pg_cell){0};
    return true;
}

/* A row that had to make way: for each column its length (-1: NULL), its bytes and a 0. */
static void keep_row(struct pg_query *q, const PGresult *row)
{
    int columns = PQnfields(row);

    buf_add(&q->kept, (struct str){(const char *)&columns, sizeof columns});
    for (int i = 0; i < columns; i++) {
        int len = PQgetisnull(row, 0, i) ? -1 : PQgetlength(row, 0, i);

        buf_add(&q->kept, (struct str){(const char *)&len, sizeof len});
        if (len >= 0)
            buf_add(&q->kept, (struct str){PQgetvalue(row, 0, i), (size_t)len + 1});
    }
}

static int take_number(struct pg_query *q)
{
    int number;

    memcpy(&number, q->kept.at + q->kept_at, sizeof number);
    q->kept_at += sizeof number;
    return number;
}

static int kept_row(struct pg_query *q, struct error *err)
{
    int columns;

    if (q->kept_at >= q->kept.len) {
        pg_reset(&q->base);
        return 0;
    }
    columns = take_number(q);
    if (!room_for(q, columns, err))
        return -1;
    for (int i = 0; i < columns; i++) {
        int len = take_number(q);

        q->cells[i] = (struct pg_cell){0};
        if (len < 0)
            continue;
        q->cells[i] = (struct pg_cell){.at = q->kept.at + q->kept_at, .len = (size_t)len};
        q->kept_at += (size_t)len + 1;
    }
    return 1;
}

/* ---- whose turn it is ---- */

void pg_forget(struct pg_database *d)
{
    PGresult *row;

    if (d->active == NULL)
        return;
    d->active->state = PG_LOST;
    d->active = NULL;
    while (d->conn != NULL && PQstatus(d->conn) == CONNECTION_OK &&
           (row = pg_result(d)) != NULL)
        PQclear(row);
}

bool pg_make_way(struct pg_database *d, struct error *err)
{
    struct pg_query *q = d->active;
    bool failed = false;
    PGresult *row;

    if (q == NULL)
        return true;
    d->active = NULL;
    while (d->conn != NULL && (row = pg_result(d)) != NULL) {
        ExecStatusType status = PQresultStatus(row);

        if (status == PGRES_SINGLE_TUPLE) {
            keep_row(q, row);
        } else if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK && !failed) {
            failed = true;
            (void)pg_fail(d, row, "read", err);
        }
        PQclear(row);
        if (failed && d->conn != NULL && PQstatus(d->conn) == CONNECTION_BAD)
            break;
    }
    if (!failed && d->conn == NULL)
        failed = !pg_fail(d, NULL, "read", err);
    if (!failed && q->kept.failed)
        failed = !error_memory(err);
    q->state = failed ? PG_LOST : PG_KEPT;
    return !failed;
}

void pg_reset(struct query *base)
{
    struct pg_query *q = (struct pg_query *)base;
    struct pg_database *d = database_of(q);

    if (d->active == q)
        pg_forget(d);
    PQclear(q->row);
    q->row = NULL;
    buf_clear(&q->kept);
    q->kept_at = 0;
    q->state = PG_IDLE;
}

void pg_clear(struct query *base)
{
    struct pg_query *q = (struct pg_query *)base;

    pg_reset(base);
    for (int i = 0; i < q->value_count; i++)
        q->values[i] = (struct pg_value){0};
    buf_clear(&q->words);
    base->failed = false;
}

/* ---- asking ---- */

static bool prepare(struct pg_query *q, const char *doing, struct error *err)
{
    struct pg_database *d = database_of(q);
    PGresult *result, *first = NULL;
    bool ok;

    if (q->generation == d->generation)
        return true;
    if (PQsendPrepare(d->conn, q->name, q->sql, 0, NULL) == 0)
        return pg_fail(d, NULL, doing, err);
    while ((result = pg_result(d)) != NULL) {
        if (first != NULL)
            PQclear(result);
        else
            first = result;
    }
    ok = first != NULL && PQresultStatus(first) == PGRES_COMMAND_OK;
    if (!ok)
        (void)pg_fail(d, first, doing, err);
    PQclear(first);
    if (ok)
        q->generation = d->generation;
    return ok;
}

static bool send(struct pg_query *q, const char *doing, struct error *err)
{
    struct pg_database *d = database_of(q);

    if (q->base.failed)
        return error_memory(err);
    if (!pg_make_way(d, err) || !pg_connected(d, err) || !prepare(q, doing, err))
        return false;
    for (int i = 0; i < q->value_count; i++) {
        const struct pg_value *v = &q->values[i];

        q->sent[i] = v->known ? q->words.at + v->offset : NULL;
    }
    if (PQsendQueryPrepared(d->conn, q->name, q->value_count, q->sent, NULL, NULL, 0) == 0)
        return pg_fail(d, NULL, doing, err);
    (void)PQsetSingleRowMode(d->conn);
    d->active = q;
    q->state = PG_READING;
    return true;
}

/* The next of what the server sends: a row, the end, or an error. */
static int read_row(struct pg_query *q, const char *doing, struct error *err)
{
    struct pg_database *d = database_of(q);
    PGresult *result = pg_result(d);
    ExecStatusType status = result != NULL ? PQresultStatus(result) : PGRES_FATAL_ERROR;

    if (status == PGRES_SINGLE_TUPLE) {
        if (stand_on(q, result, err))
            return 1;
    } else {
        if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
            (void)pg_fail(d, result, doing, err);
        PQclear(result);
    }
    pg_reset(&q->base);
    return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK ? 0 : -1;
}

int pg_step(struct query *base, const char *doing, struct error *err)
{
    struct pg_query *q = (struct pg_query *)base;

    if (q->state == PG_KEPT)
        return kept_row(q, err);
    if (q->state == PG_LOST) {
        pg_reset(base);
        (void)pg_fail(database_of(q), NULL, doing, err);
        return -1;
    }
    if (q->state == PG_IDLE && !send(q, doing, err))
        return -1;
    return read_row(q, doing, err);
}
