/* bills, bills.remove - the bills in the ledger. */
#include "op/bill/bills.h"

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

static const struct field request[] = {
    FIELD(TEXT, bills_request, what, .value = "PATTERN", .operand = true,
          .help = "providers or accounts to list; 'AWS', '1234*'"),
};

static const struct field result[] = {
    FIELD(LIST, bills_result, bills, .row = &bill_view_fields, .help = "bills by period"),
    FIELD(COUNT, bills_result, count, .help = "number of bills"),
    FIELD(COUNT, bills_result, lines, .help = "charges in total"),
    FIELD(TEXT, bills_result, ledger, .help = "ledger with the bills"),
    FIELD(FLAG, bills_result, no_ledger, .help = "no ledger exists yet"),
};

static bool bills_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct bills_request *req = in;
    struct bills_result *res = out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    const struct bill_view *views;
    bool ok;

    res->count = res->lines = 0;
    if (!op_ledger_name(ctx, &res->ledger, err)) {
        ledger_close(ledger);
        return false;
    }
    if (ledger == NULL && err->kind == ERROR_ABSENT) {
        *err = (struct error){0};
        res->no_ledger = true;
        return true;
    }
    if (ledger == NULL)
        return false;
    ok = bill_views(ledger, req->what, bill_is_like, ctx->arena, &res->bills, err) &&
         (res->bills.len > 0 || bill_none_like(ledger, req->what, ctx->arena, err));
    ledger_close(ledger);
    res->count = (int64_t)res->bills.len;
    views = res->bills.at;
    for (size_t i = 0; ok && i < res->bills.len; i++)
        res->lines += views[i].bill.bill.lines;
    return ok;
}

const struct op op_bills = {
    .name = "bills",
    .schema = "stint.bills/1",
    .summary = "list the bills in the ledger",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct bills_request, request),
    .result = &(const struct field_set)FIELD_SET(struct bills_result, result),
    .run = bills_run,
};

/* ---- bills.remove ---- */

static const struct field remove_request[] = {
    FIELD(TEXT, bills_remove_request, what, .value = "BILL", .operand = true, .required = true,
          .help = "bill to remove: its number, or PROVIDER/ACCOUNT/2026-05"),
    FIELD(FLAG, bills_remove_request, force, .help = "confirm the removal"),
};

static const struct field remove_result[] = {
    FIELD(LIST, bills_remove_result, removed, .row = &bill_view_fields,
          .help = "removed bills"),
};

static bool remove_bills(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct bills_remove_request *req = in;
    struct bills_remove_result *res = out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_CHANGE, err);
    const struct bill_view *views;
    bool ok;

    if (ledger == NULL)
        return false;
    ok = bill_views(ledger, req->what, bill_is_named, ctx->arena, &res->removed, err) &&
         bill_confirm_removal(req->what, &res->removed, req->force, err);
    views = res->removed.at;
    for (size_t i = 0; ok && i < res->removed.len; i++)
        ok = ledger_bill_remove(ledger, views[i].bill.bill.key, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_bills_remove = {
    .name = "bills.remove",
    .schema = "stint.bills.remove/1",
    .remote = OP_ADMIN,
    .changes = true,
    .summary = "remove a bill from the ledger",
    .request = &(const struct field_set)FIELD_SET(struct bills_remove_request, remove_request),
    .result = &(const struct field_set)FIELD_SET(struct bills_remove_result, remove_result),
    .run = remove_bills,
};
