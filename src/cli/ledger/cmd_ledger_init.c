/* stint ledger init */
#include "cli/commands.h"
#include "op/ledger/ledger_init.h"

static void print_ledger_init(const struct view *view, const void *result)
{
    const struct ledger_init_result *res = result;

    buf_adds(view->out, "ledger: ");
    buf_add_safe(view->out, res->ledger);
    if (res->version_before == 0)
        buf_addf(view->out, "\ntables: created, version %lld\n", (long long)res->version);
    else if (res->version_before < res->version)
        buf_addf(view->out, "\ntables: migrated from version %lld to %lld\n",
                 (long long)res->version_before, (long long)res->version);
    else
        buf_addf(view->out, "\ntables: up to date, version %lld\n", (long long)res->version);
    if (!res->roles)
        return;
    buf_addf(view->out, "roles:  stint_reader, stint_writer, stint_admin (%lld new)\n",
             (long long)res->roles_made);
    if (res->owner)
        buf_adds(view->out, "owner:  stint_admin now owns the tables\n");
    buf_adds(view->out, "next:   GRANT stint_writer TO USER;  -- once for each user\n");
}

const struct command cmd_ledger_init = {
    .name = "ledger init",
    .op = &op_ledger_init,
    .group = {"create, copy and check the ledger of runs and bills", .stage = CLI_SETUP},
    .about =
        "Creates the tables of the ledger: a file, or a schema 'stint' of a PostgreSQL "
        "database. The first 'stint run' creates them too, if it has the right; only this "
        "command upgrades the tables of a server from an older version. With --roles it also "
        "creates groups of users: stint_reader (reads everything), stint_writer (records runs, "
        "imports bills), stint_admin (changes the tables). Running it again changes nothing.",
    .examples = "stint ledger init --ledger postgres://db.example.com/costs --roles\n"
                "STINT_LEDGER=postgres://db.example.com/costs stint ledger init",
    .print = print_ledger_init,
};
