/* db.h - what the ledger asks of the engine that keeps its tables: SQLite or PostgreSQL.
 *
 * The same SQL goes to both: "?" or "?N" for values, RETURNING and ON CONFLICT where they are
 * needed, CAST(?N AS BIGINT) where a value's type is not plain from its place. A statement is
 * prepared at its first use and kept until the ledger is closed. Only the files of an engine
 * include the engine's own header.
 *
 * Amounts are exact decimals: canonical text in SQLite (`AMOUNT` columns), NUMERIC in
 * PostgreSQL. SUM_AMOUNT(x) in SQL adds them up exactly on both. Bytes are BLOB and BYTEA.
 */
#ifndef LEDGER_ENGINE_DB_H
#define LEDGER_ENGINE_DB_H

#include "base/arena.h"
#include "base/decimal.h"
#include "base/error.h"

struct ledger;
struct query; /* a prepared statement, its values, and its current row */

/* What a statement is given for its "?", in their order: VALUES(as_int(key), as_text(name)).
 * Unknown money, NaN, -1 and days that are unknown become NULL. Texts are not copied: they
 * outlive the step. */
enum value_kind {
    VALUE_NULL,
    VALUE_INT,
    VALUE_REAL,
    VALUE_TEXT,
    VALUE_WORD, /* a short text that is copied */
    VALUE_BLOB,
    VALUE_AMOUNT, /* engines get it as a VALUE_WORD */
};

struct value {
    enum value_kind kind;
    union {
        int64_t whole;
        double real;
        struct str text;
        struct decimal amount;
    };
};

struct values {
    const struct value *at;
    size_t len;
};

#define VALUES(...) \
    ((struct values){(const struct value[]){__VA_ARGS__}, \
                     sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value)})
#define NO_VALUES ((struct values){0})
#define NULL_VALUE ((struct value){.kind = VALUE_NULL})

struct value as_int(int64_t value);
struct value as_count(int64_t value);
struct value as_money(int64_t nano);
struct value as_real(double value);
struct value as_number(double value);
struct value as_text(struct str text);
struct value as_text_or_null(struct str text); /* empty: NULL */
struct value as_blob(struct str bytes);
struct value as_amount(struct decimal amount);

/* The statement of this text (a literal, or a text that lives as long as the ledger), prepared
 * once, with these values; NULL with the error set. */
struct query *ledger_query(struct ledger *l, const char *sql, struct values values,
                           struct error *err) MUST_USE;

/* One value more, from 1 on; `q` may be NULL. */
void query_bind(struct query *q, int at, struct value value);

/* Run it to its end, and forget its values. `doing`: "read", "write", for the error. Fails when
 * there is no statement, since ledger_query() failed; so does ledger_row(). */
bool ledger_done(struct ledger *l, struct query *q, const char *doing,
                 struct error *err) MUST_USE;

/* The next row: 1, or 0 at the end, or -1 with the error set, also when the thread is asked to
 * end (base/stop.h). After the end the statement is reset; whoever stops before it calls
 * query_reset(). */
int ledger_row(struct ledger *l, struct query *q, const char *doing,
               struct error *err) MUST_USE;
void query_reset(struct query *q); /* NULL is fine */

/* Both in one: run a statement that writes. */
bool ledger_run(struct ledger *l, const char *sql, struct values values,
                struct error *err) MUST_USE;

/* Likewise one that returns rows: how many. */
bool ledger_run_counted(struct ledger *l, const char *sql, struct values values, int64_t *rows,
                        struct error *err) MUST_USE;

/* Likewise one that adds a row and returns its key. */
bool ledger_insert(struct ledger *l, const char *sql, struct values values, int64_t *key,
                   struct error *err) MUST_USE;

/* The number that it finds; 0 when it finds none, or NULL. */
bool ledger_number(struct ledger *l, const char *sql, struct values values, int64_t *out,
                   struct error *err) MUST_USE;

/* Does it find a row? */
bool ledger_finds(struct ledger *l, const char *sql, struct values values, bool *out,
                  struct error *err) MUST_USE;

/* Columns, from 0 on; the opposite of the above. column_view() and column_word() give what is
 * valid until the next row; NULL is an empty text. */
bool column_null(struct query *q, int at);
int64_t column_int(struct query *q, int at);
double column_real(struct query *q, int at);
const char *column_word(struct query *q, int at);
struct str column_view(struct query *q, int at);
int64_t column_money(struct query *q, int at);
double column_number(struct query *q, int at);
int64_t column_count(struct query *q, int at);
bool column_text(struct query *q, int at, struct arena *arena, struct str *out,
                 struct error *err) MUST_USE;
/* False with the error set when it is no decimal that fits; NULL is zero. */
bool column_amount(struct query *q, int at, struct decimal *out, struct error *err) MUST_USE;
/* Bytes, in place of what `out` held. */
bool column_blob(struct query *q, int at, struct buf *out, struct error *err) MUST_USE;

/* A transaction that writes: the tables are made when there are none. `alone`: no other such
 * transaction is under way at the same time (with SQLite none ever is). End it with
 * ledger_finish(), which commits when `ok`, else undoes it and leaves the error alone. */
bool ledger_start_write(struct ledger *l, struct error *err) MUST_USE;
bool ledger_start_alone(struct ledger *l, struct error *err) MUST_USE;
bool ledger_finish(struct ledger *l, bool ok, struct error *err) MUST_USE;

/* A transaction that reads: all of it at one moment. 1; 0 when there are no tables, so nothing
 * to read or to end; -1 with the error set. End it with ledger_finish(). */
int ledger_start_read(struct ledger *l, struct error *err) MUST_USE;

/* Many rows into one table, within a transaction: a prepared INSERT with SQLite, COPY with
 * PostgreSQL (no other statement may run between open and close). `columns` are names. */
struct bulk;
struct bulk *bulk_open(struct ledger *l, const char *table, const char *const *columns,
                       size_t count, struct error *err) MUST_USE;
void bulk_alone(struct bulk *b); /* each row is inserted by itself: what fails is that row */
void bulk_skip(struct bulk *b);  /* then: forget what was put of the row */
void bulk_put(struct bulk *b, struct value value); /* one call a column, in their order */
bool bulk_row(struct bulk *b, struct error *err) MUST_USE;            /* the row is complete */
bool bulk_close(struct bulk *b, bool ok, struct error *err) MUST_USE; /* frees it either way */

/* Rows were added with keys of their own (INTEGER PRIMARY KEY), as a copy does: those that
 * come later get keys after them. Within the transaction. */
bool ledger_next_keys(struct ledger *l, const char *table, const char *key,
                      struct error *err) MUST_USE;

#endif
