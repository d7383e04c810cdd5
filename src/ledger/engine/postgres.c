/* The engine for PostgreSQL: the loadable part `postgres`, the only code that links libpq.
 *
 * All tables are in the schema `stint`. A connection answers one query at a time and returns
 * rows one by one, so that a result of millions of rows needs no memory; when another query is
 * sent in between, the remaining rows are buffered first.
 */

#include <errno.h>
#include <libpq-fe.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/characters.h"
#include "base/hex.h"
#include "base/num.h"
#include "base/part.h"
#include "ledger/engine/engine.h"

struct pg_query;

static const struct engine pg_engine;

struct pg_database {
    struct database base;
    PGconn *conn;            /* NULL: lost; reconnected between transactions */
    unsigned generation;     /* of the connection: statements are prepared once for each */
    unsigned names;          /* statements named so far */
    struct pg_query *active; /* whose rows are being read: one at a time */
    bool inside;             /* a transaction */
    int64_t lock_timeout_ms; /* the server's lock_timeout; -1: not set yet */
    instant not_before;      /* do not reconnect before this time */
    bool (*stopped)(void);   /* of the program, not of this part's own base/stop.h */
    char address[];          /* secrets included */
};

/* A value to be sent: a text in the query's `words`. */
struct pg_value {
    bool known;
    size_t offset;
};

/* A column of the query's current row. */
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
    PGresult *row;     /* the current row, if it came straight from the server */
    struct pg_cell *cells;
    int cell_count;
    struct buf kept;
    size_t kept_at;
    char *sql;
};

static void pg_close(struct database *db);
static bool pg_do(struct pg_database *d, const char *sql, const char *doing, struct error *err);
static void lose_active(struct pg_database *d);
static void pg_forget(struct pg_database *d);
static bool pg_make_way(struct pg_database *d, struct error *err);
static void pg_reset(struct query *base);
static void pg_rollback(struct database *db);
static bool pg_look(struct pg_database *d, int *version, struct error *err);

/* ---- errors ---- */

/* The first line of libpq's message, without the server's "FATAL:  " and the like. */
static struct str first_line(const char *text)
{
    struct str rest = str_from(text), line = str_trim(str_cut(&rest, '\n'));
    static const char *const heads[] = {"FATAL:", "ERROR:"};

    for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
        const char *head =
            line.len > 0 ? memmem(line.at, line.len, heads[i], strlen(heads[i])) : NULL;

        if (head != NULL) {
            head += strlen(heads[i]);
            line = str_trim((struct str){head, line.len - (size_t)(head - line.at)});
        }
    }
    return line;
}

/* As much of it as fits a message. */
#define LINE_ARG(s) ((s).len > 240 ? 240 : (int)(s).len), ((s).len > 0 ? (s).at : "")

static bool is_stopped(const struct pg_database *d)
{
    return d->stopped != NULL && d->stopped();
}

static bool connection_lost(struct pg_database *d, const char *doing, struct error *err)
{
    error_set(err, ERROR_AWAY,
              "cannot %s the ledger '%s': the connection to the server was lost", doing,
              d->base.name);
    error_hint(err, "is the server running and reachable?");
    return false;
}

static bool missing_right(struct pg_database *d, const char *doing, const char *why,
                          struct error *err)
{
    const char *role = d->conn != NULL ? PQuser(d->conn) : NULL;

    error_set(err, ERROR_SYSTEM, "cannot %s the ledger '%s': %s", doing, d->base.name, why);
    error_hint(err,
               "ask an administrator to run 'GRANT stint_writer TO %.60s' "
               "(stint_reader: only to read)",
               role != NULL ? role : "USER");
    return false;
}

/* What a SQLSTATE starts with says of which kind it is. */
static bool state_starts(const char *state, const char *head)
{
    return strncmp(state, head, strlen(head)) == 0;
}

/* The error of a result (NULL: of the connection), in words a person can act on. Returns
 * false. */
static bool pg_fail(struct pg_database *d, const PGresult *result, const char *doing,
                    struct error *err)
{
    const char *state = result != NULL ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *why =
        result != NULL ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    struct str line = first_line(why);

    if (is_stopped(d))
        return error_fail(err, ERROR_STOPPED, "stopped");
    if (d->conn == NULL || PQstatus(d->conn) == CONNECTION_BAD || state == NULL ||
        state_starts(state, "08") || state_starts(state, "57P"))
        return connection_lost(d, doing, err);
    if (state_starts(state, "55P03") || state_starts(state, "57014") ||
        state_starts(state, "40")) {
        error_set(err, ERROR_AWAY, "cannot %s the ledger '%s': another program is using it",
                  doing, d->base.name);
        error_hint(err, "try again; 'SELECT * FROM pg_stat_activity' shows which");
        return false;
    }
    if (state_starts(state, "42501"))
        return missing_right(d, doing, why, err);
    if (state_starts(state, "25006")) {
        error_set(err, ERROR_SYSTEM, "cannot %s the ledger '%s': the server is read-only",
                  doing, d->base.name);
        error_hint(err, "use the address of the primary server, not of a standby");
        return false;
    }
    error_set(
        err, state_starts(state, "53") || state_starts(state, "58") ? ERROR_AWAY : ERROR_FAILED,
        "cannot %s the ledger '%s': %.*s", doing, d->base.name, LINE_ARG(line));
    return false;
}

/* libpq repeats what it does not understand of an address, which may be part of a password. So
 * do the names that a password with an "@" or a "/" in it is taken for. */
static bool not_understood(const struct engine_options *options)
{
    char *message = NULL;
    PQconninfoOption *parsed = PQconninfoParse(options->address, &message);
    bool bad = parsed == NULL;

    for (const PQconninfoOption *o = parsed; o != NULL && o->keyword != NULL; o++) {
        struct str value = str_from(o->val);
        int64_t port;

        if (strcmp(o->keyword, "host") == 0 || strcmp(o->keyword, "dbname") == 0)
            bad = bad || (value.len > 0 && memchr(value.at, '@', value.len) != NULL);
        if (strcmp(o->keyword, "port") == 0 && value.len > 0)
            for (struct str one = str_cut(&value, ','); one.len > 0; one = str_cut(&value, ','))
                bad = bad || !num_int(one, &port);
    }
    PQfreemem(message);
    PQconninfoFree(parsed);
    return bad;
}

/* Is the address one? Without a word of what it holds. */
static bool pg_understood(const struct engine_options *options, struct error *err)
{
    if (!not_understood(options))
        return true;
    error_set(err, ERROR_INPUT, "cannot parse the address of the ledger '%s'", options->name);
    error_hint(err, "postgres://USER@HOST:PORT/DATABASE; in a password, '@' is %%40, '/' %%2F, "
                    "'%%' %%25");
    return false;
}

static bool pg_fail_open(const struct engine_options *options, const PGconn *conn,
                         struct error *err)
{
    const char *message = conn != NULL ? PQerrorMessage(conn) : "";
    struct str line = first_line(message);

    if (conn == NULL)
        return error_memory(err);
    error_set(err, ERROR_AWAY, "cannot open the ledger '%s': %.*s", options->name,
              LINE_ARG(line));
    if (PQconnectionNeedsPassword(conn) || PQconnectionUsedPassword(conn) ||
        strstr(message, "authentication") != NULL)
        error_hint(err, "set PGPASSWORD or add the password to ~/.pgpass, as for psql");
    else if (strstr(message, "does not exist") != NULL)
        error_hint(err, "'createdb' creates a database, 'createuser' a user");
    else
        error_hint(err, "is the server running and reachable? psql shows more");
    return false;
}

/* ---- the ledger's SQL (db.h) in PostgreSQL's dialect ---- */

/* Types and options in table definitions. */
static const struct {
    const char *from, *to;
} types[] = {
    {"INTEGER PRIMARY KEY", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"},
    {"INTEGER", "BIGINT"},
    {"REAL", "DOUBLE PRECISION"},
    {"AMOUNT", "NUMERIC"},
    {"BLOB", "BYTEA"},
    {"TEXT", "TEXT COLLATE \"C\""}, /* sorted by its bytes, as SQLite does */
    {"STRICT, WITHOUT ROWID", ""},
    {"STRICT", ""},
};

/* In all statements. A REAL of PostgreSQL has half the digits. */
static const struct {
    const char *from, *to;
} everywhere[] = {{"SUM_AMOUNT", "SUM"}, {"REAL", "DOUBLE PRECISION"}};

/* Is this word, or are these words, at `at`? */
static bool word_is_at(const char *at, const char *words)
{
    size_t len = strlen(words);

    return strncmp(at, words, len) == 0 && !is_name_start(at[len]) && !is_digit(at[len]);
}

/* A word; returns what comes after it. */
static const char *translate_word(const char *at, bool tables, struct buf *out)
{
    const char *end = at;

    for (size_t i = 0; tables && i < ARRAY_LEN(types); i++)
        if (word_is_at(at, types[i].from)) {
            buf_adds(out, types[i].to);
            return at + strlen(types[i].from);
        }
    for (size_t i = 0; i < ARRAY_LEN(everywhere); i++)
        if (word_is_at(at, everywhere[i].from)) {
            buf_adds(out, everywhere[i].to);
            return at + strlen(everywhere[i].from);
        }
    while (is_name_start(*end) || is_digit(*end))
        end++;
    buf_add(out, (struct str){at, (size_t)(end - at)});
    return end;
}

/* "?" is the one after the greatest so far, "?3" the third. */
static const char *translate_value(const char *at, struct buf *out, int *values)
{
    int which = 0;

    for (at++; is_digit(*at) && which < 10000; at++)
        which = which * 10 + (*at - '0');
    if (which == 0)
        which = *values + 1;
    if (which > *values)
        *values = which;
    buf_addf(out, "$%d", which);
    return at;
}

/* SQL in the words of db.h to PostgreSQL's; `values`: how many it takes. `tables`: the types of
 * columns are translated, too. */
static void pg_translate(const char *sql, bool tables, struct buf *out, int *values)
{
    *values = 0;
    while (*sql != '\0') {
        if (*sql == '\'' || *sql == '"') {
            const char *end = strchr(sql + 1, *sql);

            end = end != NULL ? end + 1 : sql + strlen(sql);
            buf_add(out, (struct str){sql, (size_t)(end - sql)});
            sql = end;
        } else if (*sql == '?') {
            sql = translate_value(sql, out, values);
        } else if (is_name_start(*sql)) {
            sql = translate_word(sql, tables, out);
        } else if (is_digit(*sql)) { /* "2E5" has no word in it */
            while (is_name_start(*sql) || is_digit(*sql))
                buf_char(out, *sql++);
        } else {
            buf_char(out, *sql++);
        }
    }
}

/* Text as the server takes it: no byte of 0, and what is no UTF-8 is replaced. */
static void pg_clean(struct str text, struct buf *out)
{
    size_t good = 0;

    for (size_t i = 0; i < text.len;) {
        size_t len =
            text.at[i] == '\0' ? 0 : str_character((struct str){text.at + i, text.len - i});

        if (len > 0 && len != SIZE_MAX) { /* SIZE_MAX: cut short by the end */
            i += len;
            continue;
        }
        buf_add(out, (struct str){text.at + good, i - good});
        buf_adds(out, "\xef\xbf\xbd");
        good = ++i;
    }
    if (text.len > good)
        buf_add(out, (struct str){text.at + good, text.len - good});
}

/* ---- the connection ---- */

#define SECOND INT64_C(1000000000)
#define AGAIN (15 * SECOND) /* between two attempts to reconnect */

/* How long to wait for an answer. A command that is about to start, and the record of one that
 * runs, must not wait; other queries may take long, and the system reports a peer that is
 * gone. */
#define SILENCE_START (SECOND / 2)
#define SILENCE_RUN (5 * SECOND)
#define SILENCE (600 * SECOND)

static void ignore_notice(void *ctx, const char *message)
{
    (void)ctx;
    (void)message;
}

/* Parameters in the address come last, so that they win. */
static PGconn *connect_params(const struct engine_options *options)
{
    int64_t seconds = (options->patience.ns + SECOND - 1) / SECOND;
    char timeout[24];
    const char *const names[] = {
        "fallback_application_name", "connect_timeout",  "keepalives_idle",
        "keepalives_interval",       "keepalives_count", "tcp_user_timeout",
        "client_encoding",           "dbname",           NULL};
    const char *const values[] = {"stint", timeout,          "30", "10", "3", "30000",
                                  "UTF8",  options->address, NULL};

    (void)snprintf(timeout, sizeof timeout, "%lld",
                   (long long)(seconds < 2      ? 2
                               : seconds > 3600 ? 3600
                                                : seconds));
    return PQconnectdbParams(names, values, 1);
}

/* A program that was killed sends no cancel: the server looks for itself whether it is there,
 * from version 14 on. Some systems cannot; then a query of a program that is gone runs to its
 * end. */
static void watch_client(struct pg_database *d)
{
    struct error ignored = {0};

    if (d->conn != NULL && PQserverVersion(d->conn) >= 140000)
        (void)pg_do(d, "SET client_connection_check_interval TO 500", "open", &ignored);
}

static bool configure_session(struct pg_database *d, struct error *err)
{
    (void)PQsetNoticeProcessor(d->conn, ignore_notice, NULL);
    d->generation++;
    d->lock_timeout_ms = -1;
    /* Whatever the user or the server has set, the ledger reads and writes the same way. */
    return pg_do(d,
                 "SET search_path TO stint; SET standard_conforming_strings TO on;"
                 "SET extra_float_digits TO 1; SET bytea_output TO hex;"
                 "SET default_transaction_isolation TO 'read committed';"
                 "SET default_transaction_deferrable TO off",
                 "open", err);
}

static void hang_up(struct pg_database *d)
{
    pg_forget(d);
    if (d->conn != NULL)
        PQfinish(d->conn);
    d->conn = NULL;
}

static bool connect_to(struct pg_database *d, const struct engine_options *options,
                       struct error *err)
{
    PGconn *conn;

    if (!pg_understood(options, err))
        return false;
    conn = connect_params(options);
    if (conn == NULL || PQstatus(conn) != CONNECTION_OK) {
        bool ok = pg_fail_open(options, conn, err);

        PQfinish(conn);
        return ok;
    }
    d->conn = conn;
    if (configure_session(d, err)) {
        watch_client(d);
        return true;
    }
    hang_up(d);
    return false;
}

static struct database *pg_open(const struct engine_options *options, int *version,
                                struct error *err)
{
    size_t len = strlen(options->address);
    struct pg_database *d = options->alloc->get(options->alloc->ctx, sizeof *d + len + 1);

    if (d == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *d = (struct pg_database){
        .base = {&pg_engine, options->alloc, options->name, options->patience},
        .stopped = options->stopped};
    memcpy(d->address, options->address, len + 1);
    if (connect_to(d, options, err) && pg_look(d, version, err))
        return &d->base;
    pg_close(&d->base);
    return NULL;
}

static void pg_close(struct database *db)
{
    hang_up((struct pg_database *)db);
    db->alloc->put(db->alloc->ctx, db);
}

static void pg_patience(struct database *db, span patience)
{
    db->patience = patience;
    ((struct pg_database *)db)->not_before = (instant){0};
}

/* Has the server closed the connection? Then its last message is still unread. */
static bool connection_alive(struct pg_database *d)
{
    for (int i = 0; i < 100 && PQstatus(d->conn) == CONNECTION_OK; i++) {
        struct pollfd socket = {.fd = PQsocket(d->conn), .events = POLLIN};

        if (poll(&socket, 1, 0) <= 0)
            return true;
        if (PQconsumeInput(d->conn) == 0)
            return false;
    }
    return false;
}

/* The connection is there; outside a transaction one that was lost is made again, once. */
static bool pg_connected(struct pg_database *d, struct error *err)
{
    instant now;

    if (d->inside || d->active != NULL)
        return (d->conn != NULL && PQstatus(d->conn) == CONNECTION_OK) ||
               pg_fail(d, NULL, "use", err);
    if (d->conn != NULL && connection_alive(d))
        return true;
    hang_up(d);
    now = clock_system.now(clock_system.ctx);
    if (now.ns < d->not_before.ns)
        return pg_fail(d, NULL, "use", err);
    if (connect_to(d,
                   &(struct engine_options){.address = d->address,
                                            .name = d->base.name,
                                            .patience = d->base.patience},
                   err))
        return true;
    d->not_before = (instant){now.ns + AGAIN};
    return false;
}

/* A caller that waits only a moment for other writers waits no longer for the server. */
static int64_t silence_limit(const struct pg_database *d)
{
    int64_t patience = d->base.patience.ns;

    return patience < SECOND / 10 ? SILENCE_START : patience <= SECOND ? SILENCE_RUN : SILENCE;
}

/* The server goes on computing for a client that has left, unless it is told. */
static void cancel_query(const struct pg_database *d)
{
    PGcancel *cancel = PQgetCancel(d->conn);
    char ignored[256];

    if (cancel != NULL)
        (void)PQcancel(cancel, ignored, sizeof ignored);
    PQfreeCancel(cancel);
}

#define LOOK_MS 50 /* between two looks at stopped() */

/* The next result; NULL after the last. A server that says nothing for too long is given up. */
static PGresult *pg_result(struct pg_database *d)
{
    int64_t most = silence_limit(d);
    instant until = {clock_system.now(clock_system.ctx).ns + most};

    while (PQisBusy(d->conn)) {
        struct pollfd socket = {.fd = PQsocket(d->conn), .events = POLLIN};
        int64_t left = until.ns - clock_system.now(clock_system.ctx).ns;
        int ready = left > 0 ? poll(&socket, 1, LOOK_MS) : 0;
        bool stopped = is_stopped(d);

        if (stopped)
            cancel_query(d);
        if (stopped || (ready == 0 && left <= 0) || (ready < 0 && errno != EINTR)) {
            lose_active(d);
            hang_up(d);
            /* The next query must not wait for it again. */
            d->not_before = (instant){clock_system.now(clock_system.ctx).ns + AGAIN};
            return NULL;
        }
        if (ready > 0 && PQconsumeInput(d->conn) == 0)
            break; /* the result says so */
    }
    return PQgetResult(d->conn);
}

/* Run `sql` (it may be several statements), without values: the last result, or NULL with the
 * error set. */
static PGresult *pg_run(struct pg_database *d, const char *sql, const char *doing,
                        struct error *err)
{
    PGresult *last = NULL, *next;
    bool failed = false;

    if (!pg_make_way(d, err))
        return NULL;
    if (d->conn == NULL || PQsendQuery(d->conn, sql) == 0) {
        (void)pg_fail(d, NULL, doing, err);
        return NULL;
    }
    while ((next = pg_result(d)) != NULL) {
        ExecStatusType status = PQresultStatus(next);

        PQclear(last);
        last = next;
        if (status == PGRES_COPY_IN)
            return last;
        if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK && !failed) {
            failed = true;
            (void)pg_fail(d, next, doing, err);
        }
        if (d->conn == NULL || PQstatus(d->conn) == CONNECTION_BAD)
            break;
    }
    if (!failed && last == NULL)
        (void)pg_fail(d, NULL, doing, err);
    if (!failed)
        return last;
    PQclear(last);
    return NULL;
}

static bool pg_do(struct pg_database *d, const char *sql, const char *doing, struct error *err)
{
    PGresult *result = pg_run(d, sql, doing, err);

    PQclear(result);
    return result != NULL;
}

/* ---- values, sent and received as text ---- */

static void write_real(double value, struct buf *out)
{
    if (isinf(value))
        buf_adds(out, value < 0 ? "-Infinity" : "Infinity");
    else if (isnan(value))
        buf_adds(out, "NaN");
    else
        num_write(value, out);
}

/* One that the statement does not have is ignored. */
static void pg_bind(struct query *base, int at, const struct value *value)
{
    struct pg_query *q = (struct pg_query *)base;

    if (at < 1 || at > q->value_count)
        return;
    q->values[at - 1] =
        (struct pg_value){.known = value->kind != VALUE_NULL, .offset = q->words.len};
    switch (value->kind) {
    case VALUE_INT:
        buf_addf(&q->words, "%lld", (long long)value->whole);
        break;
    case VALUE_REAL:
        write_real(value->real, &q->words);
        break;
    case VALUE_TEXT:
    case VALUE_WORD:
        pg_clean(value->text, &q->words);
        break;
    case VALUE_BLOB:
        buf_adds(&q->words, "\\x");
        hex_write(value->text, &q->words);
        break;
    case VALUE_NULL:
    case VALUE_AMOUNT: /* no engine gets one */
        return;
    }
    buf_char(&q->words, '\0');
    if (q->words.failed)
        base->failed = true;
}

static struct pg_cell *result_cell(struct query *base, int at)
{
    static struct pg_cell none;
    struct pg_query *q = (struct pg_query *)base;

    return at >= 0 && at < q->cell_count ? &q->cells[at] : &none;
}

static bool pg_column_null(struct query *q, int at)
{
    return result_cell(q, at)->at == NULL;
}

static struct str pg_column_text(struct query *q, int at)
{
    const struct pg_cell *c = result_cell(q, at);

    return (struct str){c->at, c->len};
}

/* "\\x0123": in hexadecimal, as the session is configured. */
static void pg_column_blob(struct query *q, int at, struct buf *out)
{
    struct str text = pg_column_text(q, at);

    if (text.at != NULL && (!str_starts(text, STR("\\x")) ||
                            !hex_read((struct str){text.at + 2, text.len - 2}, out)))
        out->failed = ERROR_INPUT;
}

static int64_t pg_column_int(struct query *q, int at)
{
    struct str text = pg_column_text(q, at);
    int64_t whole;
    double real;

    if (text.len == 0)
        return 0;
    if (num_int(text, &whole))
        return whole;
    if (text.at[0] == 't') /* true */
        return 1;
    return num_double(text, &real) && fabs(real) < 9e18 ? (int64_t)real : 0;
}

static double pg_column_real(struct query *q, int at)
{
    struct str text = pg_column_text(q, at);
    double real;

    if (num_read(text, &real))
        return real;
    if (str_eq(text, STR("Infinity")))
        return INFINITY;
    if (str_eq(text, STR("NaN")))
        return NAN;
    return str_eq(text, STR("-Infinity")) ? -INFINITY : 0;
}

static struct pg_database *pg_database_of(struct pg_query *q)
{
    return (struct pg_database *)q->base.db;
}

/* ---- prepared statements ---- */

static void *query_alloc(struct database *db, size_t count, size_t size)
{
    void *block = db->alloc->get(db->alloc->ctx, (count > 0 ? count : 1) * size);

    if (block != NULL)
        memset(block, 0, (count > 0 ? count : 1) * size);
    return block;
}

static void query_release(struct database *db, void *block)
{
    if (block != NULL)
        db->alloc->put(db->alloc->ctx, block);
}

static void pg_free(struct query *base)
{
    struct pg_query *q = (struct pg_query *)base;
    struct database *db = base->db;

    pg_reset(base);
    query_release(db, q->cells);
    query_release(db, q->values);
    query_release(db, (void *)q->sent);
    query_release(db, q->sql);
    buf_free(&q->words);
    buf_free(&q->kept);
    query_release(db, q);
}

static bool set_sql(struct pg_query *q, const char *sql, struct error *err)
{
    struct database *db = q->base.db;
    struct buf text = buf_new(db->alloc, BUF_MAX_OUTPUT);
    bool ok;

    pg_translate(sql, false, &text, &q->value_count);
    buf_char(&text, '\0');
    ok = buf_ok(&text, err);
    if (ok) {
        size_t count = (size_t)q->value_count;

        q->sql = query_alloc(db, text.len, 1);
        q->values = query_alloc(db, count, sizeof *q->values);
        q->sent = query_alloc(db, count, sizeof *q->sent);
        ok = (q->sql != NULL && q->values != NULL && q->sent != NULL) || error_memory(err);
    }
    if (ok)
        memcpy(q->sql, buf_text(&text).at, text.len);
    buf_free(&text);
    return ok;
}

static struct query *pg_prepare(struct database *db, const char *sql, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;
    struct pg_query *q = query_alloc(db, 1, sizeof *q);

    if (q == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    q->base.db = db;
    q->words = buf_new(db->alloc, BUF_MAX_OUTPUT);
    q->kept = buf_new(db->alloc, BUF_MAX_OUTPUT);
    (void)snprintf(q->name, sizeof q->name, "s%u", ++d->names);
    if (set_sql(q, sql, err))
        return &q->base;
    pg_free(&q->base);
    return NULL;
}

/* ---- rows ---- */

static bool grow_cells(struct pg_query *q, int columns, struct error *err)
{
    if (columns <= q->cell_count)
        return true;
    query_release(q->base.db, q->cells);
    q->cell_count = 0;
    q->cells = query_alloc(q->base.db, (size_t)columns, sizeof *q->cells);
    if (q->cells == NULL)
        return error_memory(err);
    q->cell_count = columns;
    return true;
}

static bool set_row(struct pg_query *q, PGresult *row, struct error *err)
{
    int columns = PQnfields(row);

    PQclear(q->row);
    q->row = row;
    if (!grow_cells(q, columns, err))
        return false;
    for (int i = 0; i < columns; i++)
        q->cells[i] = !PQgetisnull(row, 0, i) ? (struct pg_cell){PQgetvalue(row, 0, i),
                                                                 (size_t)PQgetlength(row, 0, i)}
                                              : (struct pg_cell){0};
    return true;
}

/* A row that was buffered: for each column its length (-1: NULL), its bytes and a 0. */
static void buffer_row(struct pg_query *q, const PGresult *row)
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

static int buffered_int(struct pg_query *q)
{
    int number;

    memcpy(&number, q->kept.at + q->kept_at, sizeof number);
    q->kept_at += sizeof number;
    return number;
}

static int next_buffered_row(struct pg_query *q, struct error *err)
{
    int columns;

    if (q->kept_at >= q->kept.len) {
        pg_reset(&q->base);
        return 0;
    }
    columns = buffered_int(q);
    if (!grow_cells(q, columns, err))
        return -1;
    for (int i = 0; i < columns; i++) {
        int len = buffered_int(q);

        q->cells[i] = (struct pg_cell){0};
        if (len < 0)
            continue;
        q->cells[i] = (struct pg_cell){.at = q->kept.at + q->kept_at, .len = (size_t)len};
        q->kept_at += (size_t)len + 1;
    }
    return 1;
}

/* ---- one query at a time ---- */

/* Nothing of its rest will be read. */
static void lose_active(struct pg_database *d)
{
    if (d->active != NULL)
        d->active->state = PG_LOST;
    d->active = NULL;
}

static void pg_forget(struct pg_database *d)
{
    PGresult *row;

    if (d->active == NULL)
        return;
    lose_active(d);
    while (d->conn != NULL && PQstatus(d->conn) == CONNECTION_OK &&
           (row = pg_result(d)) != NULL)
        PQclear(row);
}

/* Whoever reads an answer has the rest of it kept, so that something else can be asked. */
static bool pg_make_way(struct pg_database *d, struct error *err)
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
            buffer_row(q, row);
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

static void pg_reset(struct query *base)
{
    struct pg_query *q = (struct pg_query *)base;
    struct pg_database *d = pg_database_of(q);

    if (d->active == q)
        pg_forget(d);
    PQclear(q->row);
    q->row = NULL;
    buf_clear(&q->kept);
    q->kept_at = 0;
    q->state = PG_IDLE;
}

static void pg_clear(struct query *base)
{
    struct pg_query *q = (struct pg_query *)base;

    pg_reset(base);
    for (int i = 0; i < q->value_count; i++)
        q->values[i] = (struct pg_value){0};
    buf_clear(&q->words);
    base->failed = false;
}

/* ---- running a statement ---- */

static bool prepare_on_server(struct pg_query *q, const char *doing, struct error *err)
{
    struct pg_database *d = pg_database_of(q);
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

static bool send_query(struct pg_query *q, const char *doing, struct error *err)
{
    struct pg_database *d = pg_database_of(q);

    if (q->base.failed)
        return error_memory(err);
    if (!pg_make_way(d, err) || !pg_connected(d, err) || !prepare_on_server(q, doing, err))
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
static int read_pg_row(struct pg_query *q, const char *doing, struct error *err)
{
    struct pg_database *d = pg_database_of(q);
    PGresult *result = pg_result(d);
    ExecStatusType status = result != NULL ? PQresultStatus(result) : PGRES_FATAL_ERROR;

    if (status == PGRES_SINGLE_TUPLE) {
        if (set_row(q, result, err))
            return 1;
    } else {
        if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
            (void)pg_fail(d, result, doing, err);
        PQclear(result);
    }
    pg_reset(&q->base);
    return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK ? 0 : -1;
}

static int pg_step(struct query *base, const char *doing, struct error *err)
{
    struct pg_query *q = (struct pg_query *)base;

    if (q->state == PG_KEPT)
        return next_buffered_row(q, err);
    if (q->state == PG_LOST) {
        pg_reset(base);
        (void)pg_fail(pg_database_of(q), NULL, doing, err);
        return -1;
    }
    if (q->state == PG_IDLE && !send_query(q, doing, err))
        return -1;
    return read_pg_row(q, doing, err);
}

/* ---- COPY ---- */

static bool pg_copy_start(struct database *db, const char *sql, struct error *err)
{
    return pg_do((struct pg_database *)db, sql, "write", err);
}

static bool pg_copy_put(struct database *db, struct str rows, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;

    while (rows.len > 0) {
        int len = rows.len > INT_MAX ? INT_MAX : (int)rows.len;

        if (d->conn == NULL || PQputCopyData(d->conn, rows.at, len) != 1)
            return pg_fail(d, NULL, "write", err);
        rows.at += len;
        rows.len -= (size_t)len;
    }
    return true;
}

static bool pg_copy_end(struct database *db, bool ok, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;
    bool failed = false;
    PGresult *result;

    if (d->conn == NULL || PQputCopyEnd(d->conn, ok ? NULL : "given up") != 1)
        return pg_fail(d, NULL, "write", err);
    while (d->conn != NULL && (result = pg_result(d)) != NULL) {
        if (PQresultStatus(result) != PGRES_COMMAND_OK && !failed) {
            failed = true;
            (void)pg_fail(d, result, "write", err);
        }
        PQclear(result);
    }
    return !failed && (d->conn != NULL || pg_fail(d, NULL, "write", err));
}

/* "Stin" */
#define BEGIN_ALONE "BEGIN READ WRITE; SELECT pg_advisory_xact_lock(1400400238)"

/* ---- transactions ---- */

static bool begin_transaction(struct pg_database *d, const char *words, const char *doing,
                              struct error *err)
{
    int64_t wait_ms = d->base.patience.ns / 1000000;
    char sql[256];
    bool ok;

    if (wait_ms < 1)
        wait_ms = 1; /* 0 is for ever */
    if (wait_ms > INT_MAX)
        wait_ms = INT_MAX;
    if (wait_ms == d->lock_timeout_ms)
        (void)snprintf(sql, sizeof sql, "%s", words);
    else
        (void)snprintf(sql, sizeof sql, "SET lock_timeout TO %lld; %s", (long long)wait_ms,
                       words);
    ok = pg_do(d, sql, doing, err);
    if (ok)
        d->lock_timeout_ms = wait_ms;
    return ok;
}

static bool connection_gone(const struct pg_database *d)
{
    return d->conn == NULL || PQstatus(d->conn) != CONNECTION_OK;
}

static bool pg_begin(struct database *db, enum engine_begin how, struct error *err)
{
    static const char *const words[] = {
        [ENGINE_READ] = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        [ENGINE_WRITE] = "BEGIN READ WRITE",
        [ENGINE_ALONE] = BEGIN_ALONE,
    };
    struct pg_database *d = (struct pg_database *)db;
    const char *doing = how == ENGINE_READ ? "read" : "write";
    bool ok;

    if (!pg_make_way(d, err) || !pg_connected(d, err))
        return false;
    ok = begin_transaction(d, words[how], doing, err);
    /* After a restart of the server: nothing was written yet, so try again. */
    if (!ok && connection_gone(d) && pg_connected(d, err))
        ok = begin_transaction(d, words[how], doing, err);
    d->inside = true;
    if (!ok)
        pg_rollback(db);
    return ok;
}

static bool pg_commit(struct database *db, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;
    PGresult *result = pg_run(d, "COMMIT", "write", err);
    bool ok = result != NULL;

    /* The server rolls a failed transaction back at COMMIT and reports no error. */
    if (ok && strcmp(PQcmdStatus(result), "COMMIT") != 0)
        ok = error_fail(err, ERROR_FAILED,
                        "cannot write the ledger '%s': the transaction was rolled back",
                        db->name);
    PQclear(result);
    if (ok)
        d->inside = false;
    return ok;
}

static void pg_rollback(struct database *db)
{
    struct pg_database *d = (struct pg_database *)db;
    struct error ignored;

    pg_forget(d);
    if (!connection_gone(d) && PQtransactionStatus(d->conn) != PQTRANS_IDLE)
        (void)!pg_do(d, "ROLLBACK", "write", &ignored);
    d->inside = false;
}

/* ---- whose schema it is, and its version ---- */

static bool result_true(const PGresult *result, int column)
{
    return PQntuples(result) > 0 && PQgetvalue(result, 0, column)[0] == 't';
}

static int64_t result_int(const PGresult *result, int column)
{
    int64_t value = 0;

    return PQntuples(result) > 0 && num_int(str_from(PQgetvalue(result, 0, column)), &value)
               ? value
               : 0;
}

static bool read_version(struct pg_database *d, int *version, struct error *err)
{
    PGresult *result = pg_run(d, "SELECT version FROM stint.about", "read", err);

    if (result == NULL)
        return false;
    *version = (int)result_int(result, 0);
    PQclear(result);
    return true;
}

/* Whose schema is it, if it is there, and which version has it? */
static bool pg_look(struct pg_database *d, int *version, struct error *err)
{
    PGresult *result = pg_run(
        d,
        "SELECT n.oid IS NOT NULL, has_schema_privilege(n.oid, 'USAGE'),"
        " (SELECT count(*) FROM pg_class WHERE relnamespace = n.oid),"
        " (SELECT count(*) FROM pg_class WHERE relnamespace = n.oid AND relname = 'about')"
        " FROM (SELECT 1) one LEFT JOIN pg_namespace n ON n.nspname = 'stint'",
        "read", err);
    bool there, usable, ours;
    int64_t tables;

    *version = 0;
    if (result == NULL)
        return false;
    there = result_true(result, 0);
    usable = result_true(result, 1);
    tables = result_int(result, 2);
    ours = result_int(result, 3) > 0;
    PQclear(result);
    if (!there || (usable && tables == 0))
        return true;
    if (!usable) {
        error_set(err, ERROR_SYSTEM, "cannot read the ledger '%s': '%.60s' has no permission",
                  d->base.name, PQuser(d->conn));
        error_hint(err, "ask an administrator to run 'GRANT stint_reader TO %.60s'",
                   PQuser(d->conn));
        return false;
    }
    if (ours)
        return read_version(d, version, err);
    error_set(err, ERROR_DAMAGED, "the schema 'stint' of '%s' belongs to another program",
              d->base.name);
    error_hint(err, "name another database: --ledger postgres://HOST/DATABASE");
    return false;
}

static bool pg_version(struct database *db, int *out, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;

    return pg_connected(d, err) && pg_look(d, out, err);
}

/* How far the server's journal is. It moves when another database of the server is written to,
 * too, and only asks for a look that was not needed. */
static bool pg_mark(struct database *db, uint64_t *out, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;
    PGresult *result =
        pg_connected(d, err)
            ? pg_run(d, "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint", "read", err)
            : NULL;

    if (result == NULL)
        return false;
    *out = (uint64_t)result_int(result, 0);
    PQclear(result);
    return true;
}

/* ---- rights ---- */

static bool ask_right(struct pg_database *d, const char *sql, bool *out, struct error *err)
{
    PGresult *result = pg_run(d, sql, "read", err);

    if (result == NULL)
        return false;
    *out = result_true(result, 0);
    PQclear(result);
    return true;
}

static bool pg_ready(struct database *db, bool fresh, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;
    bool may = false;

    if (fresh) {
        if (!ask_right(d,
                       "SELECT coalesce((SELECT has_schema_privilege(oid, 'CREATE')"
                       " FROM pg_namespace WHERE nspname = 'stint'),"
                       " has_database_privilege(current_database(), 'CREATE'))",
                       &may, err))
            return false;
        if (may)
            return true;
        error_set(err, ERROR_SYSTEM,
                  "the ledger '%s' has no tables yet, and '%.60s' may not create them",
                  db->name, PQuser(d->conn));
        error_hint(err,
                   "run 'stint ledger init' as a user with the right to create them: "
                   "'GRANT CREATE ON DATABASE %.60s TO %.60s'",
                   PQdb(d->conn), PQuser(d->conn));
        return false;
    }
    if (!ask_right(d,
                   "SELECT has_table_privilege('stint.runs', 'INSERT') AND"
                   " has_table_privilege('stint.runs', 'UPDATE')",
                   &may, err))
        return false;
    if (may)
        return true;
    error_set(err, ERROR_SYSTEM, "cannot write the ledger '%s': '%.60s' may only read it",
              db->name, PQuser(d->conn));
    error_hint(err, "ask an administrator to run 'GRANT stint_writer TO %.60s'",
               PQuser(d->conn));
    return false;
}

/* ---- versions ---- */

/* The schema, if it is not there. If it is, its owner makes the tables, where that is a group
 * that includes this user: so that every administrator can change them later. */
static bool be_owner(struct pg_database *d, struct error *err)
{
    static const char sql[] =
        "SELECT quote_ident(pg_get_userbyid(nspowner)),"
        " nspowner <> (SELECT oid FROM pg_roles WHERE rolname = current_user) AND"
        " pg_has_role(nspowner, 'MEMBER') FROM pg_namespace WHERE nspname = 'stint'";
    PGresult *result = pg_run(d, sql, "read", err);
    char set[160] = "";

    if (result == NULL)
        return false;
    if (PQntuples(result) == 0)
        (void)snprintf(set, sizeof set,
                       "CREATE SCHEMA stint; CREATE TABLE stint.about("
                       "program TEXT NOT NULL, version BIGINT NOT NULL)");
    else if (result_true(result, 1))
        (void)snprintf(set, sizeof set, "SET LOCAL ROLE %.100s", PQgetvalue(result, 0, 0));
    PQclear(result);
    return set[0] == '\0' || pg_do(d, set, "create the tables of", err);
}

static bool pg_make(struct database *db, const char *sql, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;
    struct buf text = buf_new(db->alloc, BUF_MAX_OUTPUT);
    int values;
    bool ok;

    pg_translate(sql, true, &text, &values);
    buf_char(&text, '\0');
    ok = buf_ok(&text, err) && be_owner(d, err) &&
         pg_do(d, buf_text(&text).at, "create the tables of", err);
    buf_free(&text);
    return ok;
}

static bool pg_set_version(struct database *db, int version, struct error *err)
{
    char sql[160];

    (void)snprintf(sql, sizeof sql,
                   "DELETE FROM stint.about; INSERT INTO stint.about(program, version)"
                   " VALUES('stint', %d)",
                   version);
    return pg_do((struct pg_database *)db, sql, "create the tables of", err);
}

static bool pg_next_keys(struct database *db, const char *table, const char *key,
                         struct error *err)
{
    char sql[512];

    (void)snprintf(sql, sizeof sql,
                   "SELECT setval(pg_get_serial_sequence('stint.%.60s', '%.60s'),"
                   " coalesce(max(%.60s), 0) + 1, false) FROM stint.%.60s",
                   table, key, key, table);
    return pg_do((struct pg_database *)db, sql, "write", err);
}

/* ---- roles: who reads, who writes, who changes the tables ---- */

static const char *const roles[] = {"stint_reader", "stint_writer", "stint_admin"};

/* The version is the administrators' to change. */
static const char grants[] =
    "GRANT USAGE ON SCHEMA stint TO stint_reader, stint_writer, stint_admin;"
    "GRANT CREATE ON SCHEMA stint TO stint_admin;"
    "GRANT SELECT ON ALL TABLES IN SCHEMA stint TO stint_reader, stint_writer;"
    "GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA stint TO stint_writer;"
    "REVOKE INSERT, UPDATE, DELETE ON stint.about FROM stint_writer;"
    "GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA stint TO stint_writer;"
    "GRANT ALL ON ALL TABLES IN SCHEMA stint TO stint_admin;"
    "GRANT ALL ON ALL SEQUENCES IN SCHEMA stint TO stint_admin";

/* The tables become the group's, so that any of the administrators can upgrade them; what
 * they make then is for the others, too. */
static const char owner[] =
    "DO $$ DECLARE t record; BEGIN"
    " IF NOT pg_has_role('stint_admin', 'MEMBER') THEN"
    "  EXECUTE format('GRANT stint_admin TO %I', current_user); END IF;"
    " FOR t IN SELECT oid::regclass AS name FROM pg_class"
    "  WHERE relnamespace = 'stint'::regnamespace AND relkind = 'r'"
    " LOOP EXECUTE format('ALTER TABLE %s OWNER TO stint_admin', t.name); END LOOP;"
    " END $$;"
    "ALTER SCHEMA stint OWNER TO stint_admin;"
    "ALTER DEFAULT PRIVILEGES FOR ROLE stint_admin IN SCHEMA stint"
    " GRANT SELECT ON TABLES TO stint_reader, stint_writer;"
    "ALTER DEFAULT PRIVILEGES FOR ROLE stint_admin IN SCHEMA stint"
    " GRANT INSERT, UPDATE, DELETE ON TABLES TO stint_writer;"
    "ALTER DEFAULT PRIVILEGES FOR ROLE stint_admin IN SCHEMA stint"
    " GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO stint_writer";

static bool no_roles(struct pg_database *d, struct error *err)
{
    error_set(err, ERROR_SYSTEM, "'%.60s' may not create roles for the ledger '%s'",
              PQuser(d->conn), d->base.name);
    error_hint(err, "run 'stint ledger init --roles' as a superuser, or as the owner of the "
                    "tables with CREATEROLE");
    return false;
}

/* Explains a missing right in one line. */
static bool run_or_explain(struct pg_database *d, const char *sql, struct error *err)
{
    PGresult *result;
    const char *state;
    bool refused = false;

    if (!pg_make_way(d, err))
        return false;
    result = PQexec(d->conn, sql);
    if (PQresultStatus(result) == PGRES_COMMAND_OK) {
        PQclear(result);
        return true;
    }
    state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    refused = state != NULL && strcmp(state, "42501") == 0;
    if (!refused)
        (void)pg_fail(d, result, "create the roles of", err);
    PQclear(result);
    return refused ? no_roles(d, err) : false;
}

static bool make_role(struct pg_database *d, const char *role, bool *made, struct error *err)
{
    char sql[160];
    PGresult *result;

    (void)snprintf(sql, sizeof sql, "SELECT 1 FROM pg_roles WHERE rolname = '%s'", role);
    result = pg_run(d, sql, "read", err);
    if (result == NULL)
        return false;
    *made = PQntuples(result) == 0;
    PQclear(result);
    (void)snprintf(sql, sizeof sql, "CREATE ROLE %s NOLOGIN", role);
    return !*made || run_or_explain(d, sql, err);
}

/* If the group owns the schema already, nothing is left to do. */
static bool schema_owned_by_group(struct pg_database *d, bool *out, struct error *err)
{
    PGresult *result = pg_run(d,
                              "SELECT 1 FROM pg_namespace WHERE nspname = 'stint' AND"
                              " pg_get_userbyid(nspowner) = 'stint_admin'",
                              "read", err);

    if (result == NULL)
        return false;
    *out = PQntuples(result) > 0;
    PQclear(result);
    return true;
}

static bool pg_make_roles(struct database *db, struct ledger_roles *made, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;
    bool before = false;

    made->made = 0;
    for (size_t i = 0; i < ARRAY_LEN(roles); i++) {
        bool is_new = false;

        if (!make_role(d, roles[i], &is_new, err))
            return false;
        made->made += is_new;
    }
    if (!schema_owned_by_group(d, &before, err) || !run_or_explain(d, grants, err) ||
        (!before && !run_or_explain(d, owner, err)))
        return false;
    made->owner = !before;
    return true;
}

/* ---- the part ---- */

static const struct engine pg_engine = {
    .open = pg_open,
    .close = pg_close,
    .patience = pg_patience,
    .ready = pg_ready,
    .prepare = pg_prepare,
    .free = pg_free,
    .step = pg_step,
    .reset = pg_reset,
    .clear = pg_clear,
    .bind = pg_bind,
    .column_null = pg_column_null,
    .column_int = pg_column_int,
    .column_real = pg_column_real,
    .column_text = pg_column_text,
    .column_blob = pg_column_blob,
    .begin = pg_begin,
    .commit = pg_commit,
    .rollback = pg_rollback,
    .version = pg_version,
    .make = pg_make,
    .set_version = pg_set_version,
    .mark = pg_mark,
    .copy_start = pg_copy_start,
    .copy_put = pg_copy_put,
    .copy_end = pg_copy_end,
    .next_keys = pg_next_keys,
    .make_roles = pg_make_roles,
};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "postgres",
    .version = ENGINE_PART_VERSION,
    .functions = &pg_engine,
};
