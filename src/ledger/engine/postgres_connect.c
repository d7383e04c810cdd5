/* PostgreSQL: the connection; lost and made again. */
#include "ledger/engine/postgres.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#define SECOND INT64_C(1000000000)
#define AGAIN (15 * SECOND) /* between two tries to reach a server that is gone */

/* How long a server may say nothing. A command that is about to start, and the record of one
 * that runs, must not wait; the rest may ask for what takes long, and the system reports a peer
 * that is gone. */
#define SILENCE_START (SECOND / 2)
#define SILENCE_RUN (5 * SECOND)
#define SILENCE (600 * SECOND)

static void say_nothing(void *ctx, const char *message)
{
    (void)ctx;
    (void)message;
}

/* Parameters of the address come last: they win. */
static PGconn *dial(const struct engine_options *options)
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

static bool settle(struct pg_database *d, struct error *err)
{
    (void)PQsetNoticeProcessor(d->conn, say_nothing, NULL);
    d->generation++;
    d->told_ms = -1;
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
    conn = dial(options);
    if (conn == NULL || PQstatus(conn) != CONNECTION_OK) {
        bool ok = pg_fail_open(options, conn, err);

        PQfinish(conn);
        return ok;
    }
    d->conn = conn;
    if (settle(d, err))
        return true;
    hang_up(d);
    return false;
}

struct database *pg_open(const struct engine_options *options, int *version, struct error *err)
{
    size_t len = strlen(options->address);
    struct pg_database *d = options->alloc->get(options->alloc->ctx, sizeof *d + len + 1);

    if (d == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *d = (struct pg_database){
        .base = {&pg_engine, options->alloc, options->name, options->patience}};
    memcpy(d->address, options->address, len + 1);
    if (connect_to(d, options, err) && pg_look(d, version, err))
        return &d->base;
    pg_close(&d->base);
    return NULL;
}

void pg_close(struct database *db)
{
    hang_up((struct pg_database *)db);
    db->alloc->put(db->alloc->ctx, db);
}

void pg_patience(struct database *db, span patience)
{
    db->patience = patience;
    ((struct pg_database *)db)->not_before = (instant){0};
}

/* Has the server hung up? Its last words lie there unread then. */
static bool alive(struct pg_database *d)
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

bool pg_connected(struct pg_database *d, struct error *err)
{
    instant now;

    if (d->inside || d->active != NULL)
        return (d->conn != NULL && PQstatus(d->conn) == CONNECTION_OK) ||
               pg_fail(d, NULL, "use", err);
    if (d->conn != NULL && alive(d))
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

/* Whoever waits for other writers but a moment waits for the server no longer than that. */
static int64_t silence_most(const struct pg_database *d)
{
    int64_t patience = d->base.patience.ns;

    return patience < SECOND / 10 ? SILENCE_START : patience <= SECOND ? SILENCE_RUN : SILENCE;
}

PGresult *pg_result(struct pg_database *d)
{
    int64_t most = silence_most(d);
    instant until = {clock_system.now(clock_system.ctx).ns + most};

    while (PQisBusy(d->conn)) {
        struct pollfd socket = {.fd = PQsocket(d->conn), .events = POLLIN};
        int64_t left = until.ns - clock_system.now(clock_system.ctx).ns;
        int ready = left > 0 ? poll(&socket, 1, (int)(left / 1000000) + 1) : 0;

        if (ready == 0 || (ready < 0 && errno != EINTR)) {
            hang_up(d);
            /* The next question is not to wait for it again. */
            d->not_before = (instant){clock_system.now(clock_system.ctx).ns + AGAIN};
            return NULL;
        }
        if (ready > 0 && PQconsumeInput(d->conn) == 0)
            break; /* the result says so */
    }
    return PQgetResult(d->conn);
}

PGresult *pg_run(struct pg_database *d, const char *sql, const char *doing, struct error *err)
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

bool pg_do(struct pg_database *d, const char *sql, const char *doing, struct error *err)
{
    PGresult *result = pg_run(d, sql, doing, err);

    PQclear(result);
    return result != NULL;
}
