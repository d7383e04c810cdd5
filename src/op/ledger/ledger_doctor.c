/* ledger.doctor - is the ledger intact, and is what it holds consistent? */
#include "op/ledger/ledger_doctor.h"

#include "account/classify/bill_classify.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

static const struct field request[] = {
    FIELD(FLAG, ledger_doctor_request, repair,
          .help = "remove what interrupted imports left, and recompute wrong sums"),
};

#define DOCTOR(label, kind, member, ...) \
    FIELD_AS(label, kind, ledger_doctor_result, member, __VA_ARGS__)

static const struct field result[] = {
    FIELD(TEXT, ledger_doctor_result, ledger, .help = "location, without a password"),
    DOCTOR("engine", TEXT, health.engine, .help = "engine: sqlite or postgresql"),
    DOCTOR("release", TEXT, health.release, .empty_unknown = true,
           .help = "version of the engine"),
    DOCTOR("version", COUNT, health.version, .help = "version of the tables"),
    DOCTOR("size", BYTES, health.size, .help = "size of the file, or of the tables"),
    DOCTOR("log", BYTES, health.log, .help = "size of the file's log"),
    DOCTOR("unused", BYTES, health.unused, .help = "size of unused space in the file"),
    DOCTOR("space", BYTES, health.space, .help = "space left on the file's disk"),
    DOCTOR("journal", TEXT, health.journal, .empty_unknown = true,
           .help = "journal mode of a file: wal or delete"),
    DOCTOR("rights", TEXT, health.rights, .empty_unknown = true,
           .help = "rights of this user on a server"),
    DOCTOR("tables", LIST, health.tables, .row = &ledger_table_state_fields,
           .help = "all tables"),
    DOCTOR("findings", LIST, health.findings, .row = &ledger_problem_fields,
           .help = "findings, worst first"),
    DOCTOR("well", FLAG, health.well, .help = "no problems found"),
    DOCTOR("repaired", FLAG, was_repaired,
           .help = "repair was done: the findings are those that remain"),
    DOCTOR("repaired_imports", COUNT, repaired.imports, .help = "interrupted imports removed"),
    DOCTOR("repaired_bills", COUNT, repaired.bills, .help = "bills without lines removed"),
    DOCTOR("repaired_rows", COUNT, repaired.rows, .help = "rows without a bill removed"),
    DOCTOR("repaired_sums", FLAG, repaired.sums, .help = "sums recomputed from the lines"),
};

static bool repair(struct op_context *ctx, struct ledger *ledger,
                   struct ledger_doctor_result *res, struct error *err)
{
    const struct ledger_problem *found = res->health.findings.at;

    for (size_t i = 0; i < res->health.findings.len; i++)
        if (str_eq(found[i].kind, STR("damage"))) {
            error_set(err, ERROR_INPUT,
                      "the ledger '%.*s' is damaged and cannot be repaired in place",
                      STR_ARG(res->ledger));
            error_hint(err, "%.*s", (int)found[i].run.len, found[i].run.at);
            return false;
        }
    res->was_repaired = true;
    return ledger_repair(ledger, &res->health, &res->repaired, err) &&
           (!res->repaired.sums ||
            (op_catalog(ctx, BILL_CLASSIFIER_TABLES, err) &&
             ledger_reclassify(ledger, &ctx->catalog, ctx->arena, err))) &&
           ledger_check(ledger, ctx->arena, &res->health, err);
}

static bool doctor_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct ledger_doctor_request *req = in;
    struct ledger_doctor_result *res = out;
    struct ledger *ledger = op_ledger(ctx, req->repair ? LEDGER_CHANGE : LEDGER_READ, err);
    bool ok = ledger != NULL && op_ledger_name(ctx, &res->ledger, err) &&
              ledger_check(ledger, ctx->arena, &res->health, err) &&
              (!req->repair || repair(ctx, ledger, res, err));

    ledger_close(ledger);
    ctx->partly |= ok && !res->health.well;
    return ok;
}

const struct op op_ledger_doctor = {
    .name = "ledger.doctor",
    .schema = "stint.ledger.doctor/1",
    .changes = true,
    .summary = "check the ledger for damage and inconsistent totals",
    .request = &(const struct field_set)FIELD_SET(struct ledger_doctor_request, request),
    .result = &(const struct field_set)FIELD_SET(struct ledger_doctor_result, result),
    .run = doctor_run,
};
