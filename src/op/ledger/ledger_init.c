/* ledger.init - create or upgrade the tables of the ledger; grant rights to groups. */
#include "op/ledger/ledger_init.h"

#include "op/ledger_open.h"
#include "op/op.h"

static const struct field request[] = {
    FIELD(FLAG, ledger_init_request, roles,
          .help = "create the PostgreSQL groups stint_reader, stint_writer and stint_admin, "
                  "with their rights"),
};

static const struct field result[] = {
    FIELD(TEXT, ledger_init_result, ledger, .help = "location, without a password"),
    FIELD(TEXT, ledger_init_result, engine, .help = "engine: sqlite or postgresql"),
    FIELD(COUNT, ledger_init_result, version, .help = "version of the tables"),
    FIELD(COUNT, ledger_init_result, version_before, .help = "version before; 0: no tables"),
    FIELD(FLAG, ledger_init_result, roles, .help = "rights of the groups are set"),
    FIELD(COUNT, ledger_init_result, roles_made, .help = "groups created"),
    FIELD(FLAG, ledger_init_result, owner,
          .help = "ownership of the tables moved to stint_admin"),
};

static bool init_ledger(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct ledger_init_request *req = in;
    struct ledger_init_result *res = out;
    struct ledger_roles roles = {.asked = req->roles};
    struct ledger *ledger = op_ledger(ctx, LEDGER_ADMIN, err);
    int before = 0, now = 0;
    bool ok = ledger != NULL && op_ledger_name(ctx, &res->ledger, err) &&
              ledger_init(ledger, &roles, &before, &now, err);

    ledger_close(ledger);
    if (!ok)
        return false;
    res->engine = ledger_is_server(res->ledger.at) ? STR("postgresql") : STR("sqlite");
    res->version = now;
    res->version_before = before;
    res->roles = roles.asked;
    res->roles_made = roles.made;
    res->owner = roles.owner;
    return true;
}

const struct op op_ledger_init = {
    .name = "ledger.init",
    .schema = "stint.ledger.init/1",
    .changes = true,
    .summary = "create or upgrade the tables of the ledger",
    .request = &(const struct field_set)FIELD_SET(struct ledger_init_request, request),
    .result = &(const struct field_set)FIELD_SET(struct ledger_init_result, result),
    .run = init_ledger,
};
