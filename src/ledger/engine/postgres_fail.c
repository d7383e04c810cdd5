/* PostgreSQL: what went wrong, in words a person can act on. */
#include "ledger/engine/postgres.h"

#include <string.h>

#include "base/num.h"

/* The first line of what libpq says, without the server's "FATAL:  " and the like. */
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

static bool lost(struct pg_database *d, const char *doing, struct error *err)
{
    error_set(err, ERROR_SYSTEM,
              "cannot %s the ledger '%s': the connection to the server was "
              "lost",
              doing, d->base.name);
    error_hint(err, "is the server running, and reached from here?");
    return false;
}

static bool no_right(struct pg_database *d, const char *doing, const char *why,
                     struct error *err)
{
    const char *role = d->conn != NULL ? PQuser(d->conn) : NULL;

    error_set(err, ERROR_SYSTEM, "cannot %s the ledger '%s': %s", doing, d->base.name, why);
    error_hint(err,
               "one of its administrators can say 'GRANT stint_writer TO %.60s' "
               "(stint_reader: only to read)",
               role != NULL ? role : "USER");
    return false;
}

/* What a SQLSTATE starts with says of which kind it is. */
static bool starts(const char *state, const char *head)
{
    return strncmp(state, head, strlen(head)) == 0;
}

bool pg_fail(struct pg_database *d, const PGresult *result, const char *doing,
             struct error *err)
{
    const char *state = result != NULL ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *why =
        result != NULL ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    struct str line = first_line(why);

    if (d->conn == NULL || PQstatus(d->conn) == CONNECTION_BAD || state == NULL ||
        starts(state, "08") || starts(state, "57P"))
        return lost(d, doing, err);
    if (starts(state, "55P03") || starts(state, "57014") || starts(state, "40")) {
        error_set(err, ERROR_FAILED, "cannot %s the ledger '%s': another program is at it",
                  doing, d->base.name);
        error_hint(err, "try again; 'SELECT * FROM pg_stat_activity' shows who");
        return false;
    }
    if (starts(state, "42501"))
        return no_right(d, doing, why, err);
    if (starts(state, "25006")) {
        error_set(err, ERROR_SYSTEM,
                  "cannot %s the ledger '%s': the server only lets it be "
                  "read",
                  doing, d->base.name);
        error_hint(err, "a standby server is not written to: name the primary one");
        return false;
    }
    error_set(err, starts(state, "53") || starts(state, "58") ? ERROR_SYSTEM : ERROR_FAILED,
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

bool pg_understood(const struct engine_options *options, struct error *err)
{
    if (!not_understood(options))
        return true;
    error_set(err, ERROR_INPUT, "the address of the ledger '%s' is not understood",
              options->name);
    error_hint(err, "postgres://USER@HOST:PORT/DATABASE; in a password, '@' is %%40, '/' %%2F, "
                    "'%%' %%25");
    return false;
}

bool pg_fail_open(const struct engine_options *options, const PGconn *conn, struct error *err)
{
    const char *message = conn != NULL ? PQerrorMessage(conn) : "";
    struct str line = first_line(message);

    if (conn == NULL)
        return error_memory(err);
    error_set(err, ERROR_SYSTEM, "cannot open the ledger '%s': %.*s", options->name,
              LINE_ARG(line));
    if (PQconnectionNeedsPassword(conn) || PQconnectionUsedPassword(conn) ||
        strstr(message, "authentication") != NULL)
        error_hint(err, "a password comes from PGPASSWORD or ~/.pgpass, as with psql");
    else if (strstr(message, "does not exist") != NULL)
        error_hint(err, "'createdb' makes a database, 'createuser' one who uses it");
    else
        error_hint(err, "is the server running, and reached from here? psql says more");
    return false;
}
