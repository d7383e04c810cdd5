/* postgres.h - what the files of the loadable part `postgres` share. */
#ifndef LEDGER_ENGINE_POSTGRES_H
#define LEDGER_ENGINE_POSTGRES_H

#include <libpq-fe.h>

#include "base/buf.h"
#include "ledger/engine/engine.h"

struct pg_query;

extern const struct engine pg_engine;

struct pg_database {
    struct database base;
    PGconn *conn;        /* NULL: lost, to be made again between transactions */
    unsigned generation; /* of the connection: what was prepared on another is not on this */
    unsigned names;      /* of statements, so far */
    struct pg_query *active; /* whose answer is on its way: there is one at a time */
    bool inside;             /* a transaction */
    int64_t told_ms;         /* how long the server lets us wait for a lock; -1: not told yet */
    instant not_before;      /* a server that could not be reached is given time */
    char address[];          /* secrets included */
};

/* ---- postgres_connect.c ---- */

struct database *pg_open(const struct engine_options *options, int *version,
                         struct error *err) MUST_USE;
void pg_close(struct database *db);
void pg_patience(struct database *db, span patience);

/* The connection is there; outside a transaction one that was lost is made again, once. */
bool pg_connected(struct pg_database *d, struct error *err) MUST_USE;

/* The next result; NULL after the last. A server that says nothing for too long is given up. */
PGresult *pg_result(struct pg_database *d) MUST_USE;

/* Run `sql` (it may be several statements), without values: the last result, or NULL with the
 * error set. */
PGresult *pg_run(struct pg_database *d, const char *sql, const char *doing,
                 struct error *err) MUST_USE;
bool pg_do(struct pg_database *d, const char *sql, const char *doing,
           struct error *err) MUST_USE;

/* ---- postgres_fail.c ---- */

/* The error of a result (NULL: of the connection), in words a person can act on. Returns
 * false. */
bool pg_fail(struct pg_database *d, const PGresult *result, const char *doing,
             struct error *err);
/* Is the address one? Without a word of what it holds. */
bool pg_understood(const struct engine_options *options, struct error *err) MUST_USE;
bool pg_fail_open(const struct engine_options *options, const PGconn *conn, struct error *err);

/* ---- postgres_words.c ---- */

/* SQL in the words of db.h to PostgreSQL's; `values`: how many it takes. `tables`: the types of
 * columns are translated, too. */
void pg_translate(const char *sql, bool tables, struct buf *out, int *values);

/* Text as the server takes it: no byte of 0, and what is no UTF-8 is replaced. */
void pg_clean(struct str text, struct buf *out);

/* ---- postgres_statement.c ---- */

struct query *pg_prepare(struct database *db, const char *sql, struct error *err) MUST_USE;
void pg_free(struct query *q);
int pg_step(struct query *q, const char *doing, struct error *err) MUST_USE;
void pg_reset(struct query *q);
void pg_clear(struct query *q);

/* Whoever reads an answer has the rest of it kept, so that something else can be asked. */
bool pg_make_way(struct pg_database *d, struct error *err) MUST_USE;
/* The rest of it is not wanted. */
void pg_forget(struct pg_database *d);

/* ---- postgres_values.c ---- */

void pg_bind_int(struct query *q, int at, int64_t value);
void pg_bind_real(struct query *q, int at, double value);
void pg_bind_text(struct query *q, int at, struct str text);
void pg_bind_word(struct query *q, int at, struct str word);
void pg_bind_null(struct query *q, int at);
void pg_bind_blob(struct query *q, int at, struct str bytes);
bool pg_column_null(struct query *q, int at);
int64_t pg_column_int(struct query *q, int at);
double pg_column_real(struct query *q, int at);
struct str pg_column_text(struct query *q, int at);
void pg_column_blob(struct query *q, int at, struct buf *out);

/* A value to be sent: text that lies in the query's `words`. */
struct pg_value {
    bool known;
    size_t offset;
};

/* A column of the row that a query stands on. */
struct pg_cell {
    const char *at; /* NULL: NULL */
    size_t len;
};

enum pg_state {
    PG_IDLE,
    PG_READING, /* rows come from the server */
    PG_KEPT,    /* rows come from `kept` */
    PG_LOST,    /* the rest could not be read */
};

struct pg_query {
    struct query base;
    enum pg_state state;
    unsigned generation; /* of the connection it is prepared on; 0: on none */
    char name[16];
    struct pg_value *values;
    int value_count;
    struct buf words;
    const char **sent; /* the values, for libpq */
    PGresult *row;     /* that it stands on, when it came from the server just now */
    struct pg_cell *cells;
    int cell_count;
    struct buf kept;
    size_t kept_at;
    char *sql;
};

/* ---- postgres_tables.c ---- */

bool pg_begin(struct database *db, enum engine_begin how, struct error *err) MUST_USE;
bool pg_commit(struct database *db, struct error *err) MUST_USE;
void pg_rollback(struct database *db);
bool pg_ready(struct database *db, bool fresh, struct error *err) MUST_USE;
bool pg_version(struct database *db, int *out, struct error *err) MUST_USE;
bool pg_make(struct database *db, const char *sql, struct error *err) MUST_USE;
bool pg_set_version(struct database *db, int version, struct error *err) MUST_USE;
bool pg_next_keys(struct database *db, const char *table, const char *key,
                  struct error *err) MUST_USE;

/* Whose schema is it, if it is there, and which version has it? */
bool pg_look(struct pg_database *d, int *version, struct error *err) MUST_USE;

/* ---- postgres_copy.c ---- */

bool pg_copy_start(struct database *db, const char *sql, struct error *err) MUST_USE;
bool pg_copy_put(struct database *db, struct str rows, struct error *err) MUST_USE;
bool pg_copy_end(struct database *db, bool ok, struct error *err) MUST_USE;

/* ---- postgres_roles.c ---- */

bool pg_make_roles(struct database *db, struct ledger_roles *made, struct error *err) MUST_USE;

#endif
