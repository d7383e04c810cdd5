/* PostgreSQL: groups of users - who reads, who writes, who changes the tables. */
#include "ledger/engine/postgres.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"

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

/* The tables become the group's, so that any of the administrators can take them forward; what
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
    error_set(err, ERROR_SYSTEM, "'%.60s' may not make roles for the ledger '%s'",
              PQuser(d->conn), d->base.name);
    error_hint(err, "run 'stint ledger init --roles' as a superuser, or as one with CREATEROLE "
                    "who owns the tables");
    return false;
}

/* What the server refused for want of a right, in one line of ours. */
static bool do_or_say(struct pg_database *d, const char *sql, struct error *err)
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
        (void)pg_fail(d, result, "make the roles of", err);
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
    return !*made || do_or_say(d, sql, err);
}

/* Do they own the schema already? Then it was done before, and need not be by the same one. */
static bool owned(struct pg_database *d, bool *out, struct error *err)
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

bool pg_make_roles(struct database *db, struct ledger_roles *made, struct error *err)
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
    if (!owned(d, &before, err) || !do_or_say(d, grants, err) ||
        (!before && !do_or_say(d, owner, err)))
        return false;
    made->owner = !before;
    return true;
}
